"""Hands and cards on their way: where each is at any moment, with the motion blur of one exposure."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from companion.games.hook.seating import Person
from hardware.simulated.motion import EXPOSURE_S
from hardware.simulated.poses import HandPose, PiecePose

EXPOSURE_NS = round(EXPOSURE_S * 1e9)
STEEPEST_DEG = 84.0
"""A card seen edge on is as good as not seen."""
SHOWN_DEG = 125.0
"""Turned over so far, a card can be read by people."""
GONE = 0.97
"""The share of the way back to its owner at which a hand is out of the picture."""
HALF_CARD_MM = 44.0

Values = tuple[float, ...]


class Track:
    """Values between keys (time, values): eased from key to key, or straight. Nothing before the first and after the
    last."""

    def __init__(self, keys: Sequence[tuple[int, Values]], *, eased: bool = True) -> None:
        self.keys = tuple(keys)
        self.eased = eased

    @property
    def start_ns(self) -> int:
        """When it begins."""
        return self.keys[0][0]

    @property
    def end_ns(self) -> int:
        """When it ends."""
        return self.keys[-1][0]

    def at(self, t_ns: int) -> Values | None:
        """The values at a moment."""
        if not self.start_ns <= t_ns <= self.end_ns:
            return None
        for (start, a), (end, b) in zip(self.keys, self.keys[1:], strict=False):
            if t_ns <= end:
                s = (t_ns - start) / max(end - start, 1)
                s = s * s * (3 - 2 * s) if self.eased else s
                return tuple(x + (y - x) * s for x, y in zip(a, b, strict=True))
        return self.keys[-1][1]

    def moving(self, t_ns: int) -> tuple[float, float]:
        """How far the first two values travel during the exposure that ends then."""
        now, then = self.at(t_ns), self.at(t_ns - EXPOSURE_NS)
        if now is None or then is None:
            return 0.0, 0.0
        return round(now[0] - then[0], 2), round(now[1] - then[1], 2)


@dataclass(frozen=True)
class HandMove:
    """A hand on its way; the track's values are x, y and height."""

    person: Person
    kind: str
    track: Track
    other: bool = False
    """It is the person's other hand."""

    def pose(self, t_ns: int) -> HandPose | None:
        """The hand at a moment, if it is there."""
        values = self.track.at(t_ns)
        if values is None:
            return None
        x, y, high = values
        hand = self.person.hand(x, y, kind=self.kind, up=round(high, 1))
        return replace(hand, moving=self.track.moving(t_ns), left=hand.left != self.other)


@dataclass(frozen=True)
class CardMove:
    """A card on its way; the track's values are x, y, turn, lift and how far it is turned over (0 to 180 degrees)."""

    id: str
    track: Track

    def pose(self, t_ns: int, level: int) -> PiecePose | None:
        """The card at a moment, if it is in a hand."""
        values = self.track.at(t_ns)
        if values is None:
            return None
        x, y, turn, lift, over = values
        # Its near edge rises, goes over the far one and comes down beyond it.
        tilt = -min(over, STEEPEST_DEG) if over < 90 else min(180 - over, STEEPEST_DEG)
        return PiecePose(
            self.id,
            round(x, 2),
            round(y, 2),
            round(turn % 360, 2),
            over >= 90,
            level,
            round(max(lift, 0.05), 2),
            self.track.moving(t_ns),
            round(tilt, 1) if abs(tilt) > 0.5 else 0.0,
        )

    def shown_ns(self) -> int:
        """When people can see what it is."""
        step = 1_000_000
        for t_ns in range(self.track.start_ns, self.track.end_ns, step):
            values = self.track.at(t_ns)
            if values is not None and values[4] >= SHOWN_DEG:
                return t_ns
        return self.track.end_ns


def home(person: Person, share: float = GONE) -> tuple[float, float]:
    """A place on the way from the middle of the table to a person."""
    return person.x_mm * share, person.y_mm * share


def toward(person: Person, x: float, y: float) -> tuple[float, float]:
    """The direction (unit vector) from a place to a person."""
    dx, dy = person.x_mm - x, person.y_mm - y
    length = math.hypot(dx, dy) or 1.0
    return dx / length, dy / length


def bringing(person: Person, card: CardMove, *, before_ns: int, after_ns: int, reach: float) -> HandMove:
    """The hand that turns a card over: it comes ``before_ns`` earlier, holds the near edge, follows it over as far as
    ``reach`` (0 to 1) says, and is gone ``after_ns`` later."""
    track = card.track
    keys: list[tuple[int, Values]] = []
    steps = 24
    for i in range(steps + 1):
        t_ns = track.start_ns + (track.end_ns - track.start_ns) * i // steps
        values = track.at(t_ns)
        assert values is not None
        x, y, _, lift, over = values
        a = math.radians(over)
        nx, ny = toward(person, x, y)
        out = HALF_CARD_MM * (1 - reach * (1 - math.cos(a)))
        keys.append((t_ns, (x + nx * out, y + ny * out, 16 + lift + 30 * math.sin(a))))
    start, end = home(person), home(person)
    first, last = keys[0], keys[-1]
    come = _between((first[0] - before_ns, (*start, 40.0)), first)
    leave = _between(last, (last[0] + after_ns, (*end, 45.0)))
    return HandMove(person, "pinch", Track([*come, *keys[1:-1], *leave], eased=False))


def _between(a: tuple[int, Values], b: tuple[int, Values], steps: int = 10) -> list[tuple[int, Values]]:
    """Keys from one to the other, eased, for a track that is straight."""
    track = Track([a, b])
    times = [a[0] + (b[0] - a[0]) * i // steps for i in range(steps + 1)]
    return [(t, values) for t in times if (values := track.at(t)) is not None]


def palm(
    person: Person, x: float, y: float, *, on_ns: int, stays_ns: int, high: float, other: bool = False
) -> HandMove:  # fmt: skip
    """A palm that slaps the place (x, y): its finger tips reach beyond it."""
    nx, ny = toward(person, x, y)
    tips = x - nx * 52, y - ny * 52
    keys: list[tuple[int, Values]] = [
        (on_ns - 230_000_000, (*home(person), 70.0)),
        (on_ns, (*tips, high)),
        (on_ns + stays_ns, (*tips, high)),
        (on_ns + stays_ns + 380_000_000, (*home(person), 50.0)),
    ]
    return HandMove(person, "flat", Track(keys), other)


def through(person: Person, kind: str, places: Sequence[tuple[int, float, float, float]]) -> HandMove:
    """A hand that comes from its owner, passes the places (time, x, y, height), and goes back."""
    first, last = places[0], places[-1]
    keys: list[tuple[int, Values]] = [(first[0] - 320_000_000, (*home(person), 45.0))]
    keys += [(t, (x, y, z)) for t, x, y, z in places]
    keys.append((last[0] + 340_000_000, (*home(person), 45.0)))
    return HandMove(person, kind, Track(keys))


def open_share(card: PiecePose, hands: Sequence[HandPose], size: tuple[float, float]) -> float:
    """About how much of a lying card no hand hides, seen from above."""
    a = math.radians(card.turn_deg)
    c, s = math.cos(a), math.sin(a)
    free = 0
    places = [(u * size[0] / 2, v * size[1] / 2) for u in (-0.8, -0.4, 0, 0.4, 0.8) for v in (-0.8, -0.4, 0, 0.4, 0.8)]
    hidden = [_hides(hand) for hand in hands]
    for u, v in places:
        x, y = card.x_mm + c * u - s * v, card.y_mm + s * u + c * v
        free += not any(hides(x, y) for hides in hidden)
    return round(free / len(places), 2)


def _hides(hand: HandPose) -> Callable[[float, float], bool]:
    a = math.radians(hand.from_deg)
    dx, dy = math.cos(a), math.sin(a)
    wide = (46.0 if hand.kind == "flat" else 34.0) * hand.size

    def hides(x: float, y: float) -> bool:
        px, py = x - hand.x_mm, y - hand.y_mm
        along = px * dx + py * dy
        return along > 0 and abs(py * dx - px * dy) < min(wide, 16 + 0.6 * along)

    return hides
