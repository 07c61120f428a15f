"""A fish from numbers: profile, fins, tail and pattern, on a body whose every place is (u, v).

``u`` runs from the nose (0) to the root of the tail (1), ``v`` from the back (-1) over the middle (0) to the belly
(1), so that no mark can leave the body: there are no clips in our drawings. A fish looks to the left, its nose is
at (0, 0), the tip of its tail at (100, 0), before it is bent.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random

from companion.games.hook.art.palette import INK, IVORY, circle, number, path

LINE = 2.1
"""Our line weight on a fish, which is drawn larger than a symbol."""
TAIL_AT = 82.0
"""Where the tail begins."""
Point = tuple[float, float]
Marks = Callable[["Body"], str]
"""Draws a pattern onto a body."""


@dataclass(frozen=True)
class Fin:
    """A fin along the back (or with ``below`` the belly) from ``start`` to ``end``, ``high`` at its highest.

    Kinds: "spiny" has a jagged edge, "soft" leans backwards, "sail" rises behind, "lobe" is small and round.
    """

    start: float
    end: float
    high: float
    kind: str = "soft"
    below: bool = False


@dataclass(frozen=True)
class Fish:
    """What a species looks like. ``profile`` is (u, above, below): how far the outline is from the middle line."""

    profile: tuple[tuple[float, float, float], ...]
    back: str
    side: str
    belly: str
    fin: str
    fins: tuple[Fin, ...]
    tail: str
    tail_high: float
    marks: tuple[Marks, ...] = ()
    over: tuple[Marks, ...] = ()
    """Drawn last, over the outline: barbels, jaws."""
    arch: float = 0.0
    wave: float = 0.0
    eye: tuple[float, float, float] = (0.12, -0.3, 2.4)
    mouth: float = 0.1
    gill: float = 0.25
    tail_fill: str = ""
    pectoral: tuple[float, float] = (0.31, 13.0)


class Body:
    """A fish's body as a surface."""

    def __init__(self, fish: Fish) -> None:
        self.fish = fish

    def spine(self, x: float) -> float:
        """How far the middle line is bent away at ``x``."""
        return (
            self.fish.arch * (1 - (2 * x / 100 - 1) ** 2)
            - self.fish.arch
            + self.fish.wave * math.sin(x / 100 * math.tau)
        )

    def at(self, u: float, v: float) -> Point:
        """The place (u, v); beyond -1 and 1 it lies outside the body."""
        above, below = self.edge(u)
        x = u * TAIL_AT
        return x, self.spine(x) + (v * above if v < 0 else v * below)

    def edge(self, u: float) -> tuple[float, float]:
        """How far back and belly are from the middle line."""
        profile = self.fish.profile
        return _smooth([(p[0], p[1]) for p in profile], u), _smooth([(p[0], p[2]) for p in profile], u)

    def line(self, v: float, start: float, end: float, steps: int = 24) -> list[Point]:
        """Places along the body."""
        return [self.at(start + (end - start) * i / steps, v) for i in range(steps + 1)]

    def band(self, low: float, high: float, start: float = 0.0, end: float = 1.0) -> str:
        """Path data of the strip between two heights."""
        return joined([*self.line(low, start, end), *reversed(self.line(high, start, end))])

    def draw(self) -> str:
        """The whole fish, without a ``<g>``."""
        fish = self.fish
        fins = "".join(self._fin(fin) for fin in fish.fins)
        body = path(self.band(-1, 1), fish.side, 0)
        body += path(self.band(-1, -0.38, 0.0), fish.back, 0) + path(self.band(0.42, 1, 0.02), fish.belly, 0)
        body += "".join(mark(self) for mark in fish.marks)
        u, v, r = fish.eye
        x, y = self.at(u, v)
        gill = [self.at(fish.gill + 0.035 * (1 - w * w), w) for w in _steps(-0.72, 0.78, 9)]
        lips = [self.at(w, 0.22 + 0.5 * w / max(fish.mouth, 0.01) * 0.7) for w in _steps(0.004, fish.mouth, 6)]
        face = path(open_line(gill), width=LINE * 0.8) + path(open_line(lips), width=LINE * 0.9)
        face += circle(x, y, r, IVORY, LINE * 0.7) + circle(x - 0.3, y, r * 0.5, INK, 0)
        outline = path(self.band(-1, 1), "none", LINE)
        return self._tail() + fins + body + outline + self._pectoral() + face + "".join(m(self) for m in fish.over)

    def _fin(self, fin: Fin) -> str:
        side = 1.0 if fin.below else -1.0
        foot = self.line(side * 0.9, fin.start, fin.end, 10)
        points: list[Point] = []
        for i in range(17):
            s = i / 16
            u = fin.start + (fin.end - fin.start) * s
            x, y = self.at(u, side)
            high, lean = fin.high * math.sin(math.pi * min(1.0, s * 0.86 + 0.1)) ** 0.7, 0.35
            if fin.kind == "spiny":
                high = fin.high * math.sin(math.pi * (0.12 + 0.8 * s)) ** 0.6 * (1.0 if i % 2 else 0.72)
                lean = 0.25
            elif fin.kind == "sail":
                high, lean = fin.high * (0.45 + 0.55 * math.sin(math.pi * (0.1 + 0.75 * s))), 0.35
            elif fin.kind == "sharp":
                high, lean = fin.high * max(0.0, 1 - s) ** 0.9 if i else 0.0, 0.9
            points.append((x + high * lean, y + side * high))
        rays = ""
        for i in range(2, 15, 3):
            s = i / 16
            x, y = self.at(fin.start + (fin.end - fin.start) * s, side)
            px, py = points[i]
            rays += f"M{_p(x, y)} L{_p(x + (px - x) * 0.8, y + (py - y) * 0.8)}"
        return path(joined([*points, *reversed(foot)]), self.fish.fin, LINE) + path(rays, width=LINE * 0.45)

    def _tail(self) -> str:
        h, fish = self.fish.tail_high, self.fish
        root = self.edge(1.0)
        x0, y0 = TAIL_AT - 2, self.spine(TAIL_AT - 2)
        shapes: dict[str, list[Point]] = {
            "fork": [(0, -root[0]), (10, -h * 0.8), (20, -h), (12, 0), (20, h), (10, h * 0.8), (0, root[1])],
            "moon": [
                (0, -root[0]),
                (9, -h * 0.72),
                (20, -h),
                (15.5, -h * 0.4),
                (15, h * 0.4),
                (20, h),
                (9, h * 0.72),
                (0, root[1]),
            ],
            "square": [(0, -root[0]), (9, -h * 0.85), (18, -h), (17, 0), (18, h), (9, h * 0.85), (0, root[1])],
            "round": [
                (0, -root[0]),
                (8, -h * 0.9),
                (15, -h * 0.8),
                (19, -h * 0.3),
                (19, h * 0.3),
                (15, h * 0.8),
                (8, h * 0.9),
                (0, root[1]),
            ],
            "shark": [
                (-2, -root[0]),
                (10, -h * 0.7),
                (22, -h * 1.25),
                (14, -h * 0.1),
                (12, h * 0.9),
                (4, h * 0.3),
                (-2, root[1]),
            ],
        }
        points = [(x0 + dx, y0 + dy + self.spine(min(100.0, x0 + dx)) - self.spine(x0)) for dx, dy in shapes[fish.tail]]
        bent = self.spine(x0 + 13) - self.spine(x0)
        rays = "".join(
            f"M{_p(x0 + 2, y0 + s * root[1] * 0.6)} L{_p(x0 + 13, y0 + s * h * 0.62 + bent)}"
            for s in (-0.95, -0.35, 0.35, 0.95)
        )
        return path(rounded(points), fish.tail_fill or fish.fin, LINE) + path(rays, width=LINE * 0.45)

    def _pectoral(self) -> str:
        u, long = self.fish.pectoral
        if not long:
            return ""
        x, y = self.at(u, 0.42)
        leaf = f"M{_p(x, y - 1.5)} Q{_p(x + long * 0.7, y - 2.5)} {_p(x + long, y + long * 0.5)} "
        leaf += f"Q{_p(x + long * 0.3, y + long * 0.45)} {_p(x, y + 2)} Z"
        return path(leaf, self.fish.fin, LINE * 0.8)


def spots(
    colour: str,
    count: int,
    size: tuple[float, float],
    where: tuple[float, float, float, float],
    seed: int,
    halo: str = "",
) -> Marks:
    """Round spots in the part (u from, u to, v from, v to) of the body, apart from each other."""

    def draw(body: Body) -> str:
        random, drawn, placed = Random(seed), "", list[tuple[float, float, float]]()
        for _ in range(count * 30):
            x, y = body.at(random.uniform(*where[:2]), random.uniform(*where[2:]))
            r = random.uniform(*size)
            if len(placed) < count and all(math.hypot(x - a, y - b) > (r + c) * 1.35 for a, b, c in placed):
                placed.append((x, y, r))
                drawn += circle(x, y, r * 1.75, halo, 0) if halo else ""
                drawn += circle(x, y, r, colour, 0)
        return drawn

    return draw


def bars(
    colour: str, places: Iterable[float], wide: float, low: float = -0.98, high: float = 0.5, lean: float = 0.02
) -> Marks:
    """Upright bars, tapering towards the belly."""

    def draw(body: Body) -> str:
        data = ""
        for u in places:
            left = [body.at(u - wide * (1 - 0.55 * s) + lean * s, low + (high - low) * s) for s in _steps(0, 1, 8)]
            right = [body.at(u + wide * (1 - 0.55 * s) + lean * s, low + (high - low) * s) for s in _steps(0, 1, 8)]
            data += joined([*left, *reversed(right)])
        return path(data, colour, 0)

    return draw


def stripe(colour: str, low: float, high: float, start: float = 0.26, end: float = 1.0) -> Marks:
    """A lengthwise stripe."""
    return lambda body: path(body.band(low, high, start, end), colour, 0)


def lines(
    colour: str, heights: Iterable[float], width: float, start: float = 0.28, end: float = 0.97, broken: int = 0
) -> Marks:
    """Thin lengthwise lines, ``broken`` into so many pieces."""

    def draw(body: Body) -> str:
        data = ""
        for k, v in enumerate(heights):
            parts = max(1, broken)
            for i in range(parts):
                a = start + (end - start) * (i + 0.18 * (k % 2)) / parts
                b = start + (end - start) * (i + (0.78 if broken else 1)) / parts
                data += open_line(body.line(v, a, b, 8))
        return path(data, width=width, stroke=colour)

    return draw


def worms(colour: str, count: int, where: tuple[float, float, float, float], seed: int) -> Marks:
    """Short winding marks, as on a char's back."""

    def draw(body: Body) -> str:
        random, data = Random(seed), ""
        for _ in range(count):
            u, v = random.uniform(*where[:2]), random.uniform(*where[2:])
            points = [body.at(u + i * 0.022, max(-0.92, v + (0.16 if i % 2 else -0.1))) for i in range(4)]
            data += rounded_line(points)
        return path(data, width=1.5, stroke=colour)

    return draw


def blotches(colour: str, places: Sequence[tuple[float, float, float, float]]) -> Marks:
    """Diamonds (u, v, half width in u, half height in v) with soft corners."""

    def draw(body: Body) -> str:
        data = ""
        for u, v, wide, high in places:
            data += rounded([body.at(u - wide, v), body.at(u, v - high), body.at(u + wide, v), body.at(u, v + high)])
        return path(data, colour, 0)

    return draw


def scales(colour: str, rows: Sequence[float], count: int, start: float = 0.3, end: float = 0.95) -> Marks:
    """Rows of little arcs."""

    def draw(body: Body) -> str:
        data = ""
        step = (end - start) / count
        for k, v in enumerate(rows):
            for i in range(count):
                u = start + step * (i + 0.5 * (k % 2))
                a, b, c = body.at(u, v - 0.13), body.at(u + step * 0.75, v), body.at(u, v + 0.13)
                data += f"M{_p(*a)} Q{_p(*b)} {_p(*c)}"
        return path(data, width=1.0, stroke=colour)

    return draw


def barbels(places: Sequence[tuple[float, float, float, float]], colour: str = INK) -> Marks:
    """Whiskers from (u, v) by (dx, dy)."""

    def draw(body: Body) -> str:
        data = ""
        for u, v, dx, dy in places:
            x, y = body.at(u, v)
            data += f"M{_p(x, y)} Q{_p(x + dx * 0.2, y + dy * 0.75)} {_p(x + dx, y + dy)}"
        return path(data, width=LINE, stroke=INK) + path(data, width=LINE * 0.4, stroke=colour)

    return draw


def joined(points: Iterable[Point]) -> str:
    """Path data of a polygon."""
    return "M" + "L".join(_p(*p) for p in points) + "Z"


def open_line(points: Iterable[Point]) -> str:
    """Path data of a polyline."""
    return "M" + "L".join(_p(*p) for p in points)


def rounded(points: Sequence[Point]) -> str:
    """Path data of a closed shape through the middles of a polygon's sides, its corners soft."""
    data = ""
    for index, (x, y) in enumerate(points):
        nx, ny = points[(index + 1) % len(points)]
        middle = _p((x + 3 * nx) / 4, (y + 3 * ny) / 4)
        near = _p((3 * x + nx) / 4, (3 * y + ny) / 4)
        data += f"Q{_p(x, y)} {near}L{middle}" if data else f"M{near}L{middle}"
    x, y = points[0]
    nx, ny = points[1]
    return data + f"Q{_p(x, y)} {_p((3 * x + nx) / 4, (3 * y + ny) / 4)}Z"


def rounded_line(points: Sequence[Point]) -> str:
    """Path data of a soft open line."""
    data = f"M{_p(*points[0])}"
    for (x, y), (nx, ny) in pairwise(points[1:]):
        data += f"Q{_p(x, y)} {_p((x + nx) / 2, (y + ny) / 2)}"
    return data + f"L{_p(*points[-1])}"


def _smooth(knots: Sequence[Point], u: float) -> float:
    """A curve through knots (Catmull-Rom), sampled at ``u``."""
    i = max(0, min(len(knots) - 2, sum(k[0] <= u for k in knots) - 1))
    (x1, y1), (x2, y2) = knots[i], knots[i + 1]
    span = x2 - x1
    m1 = (y2 - knots[i - 1][1]) / (x2 - knots[i - 1][0]) if i else (y2 - y1) / span * 1.6
    m2 = (knots[i + 2][1] - y1) / (knots[i + 2][0] - x1) if i + 2 < len(knots) else (y2 - y1) / span
    s = min(1.0, max(0.0, (u - x1) / span))
    value = (
        (2 * s**3 - 3 * s**2 + 1) * y1 + (s**3 - 2 * s**2 + s) * m1 * span
        + (3 * s**2 - 2 * s**3) * y2 + (s**3 - s**2) * m2 * span
    )  # fmt: skip
    return max(0.0, value)


def _steps(start: float, end: float, count: int) -> list[float]:
    return [start + (end - start) * i / (count - 1) for i in range(count)]


def _p(x: float, y: float) -> str:
    return f"{number(x)} {number(y)}"
