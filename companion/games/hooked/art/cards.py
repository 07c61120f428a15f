"""Whole cards of Hooked! on a 126 x 176 view box (half millimetres): a fish, an action, the back."""

from __future__ import annotations

import math
from collections.abc import Callable

from companion.games.hook.art.digits import digit
from companion.games.hook.art.palette import BRASS, IVORY, circle, document, group, number, path
from companion.games.hooked.art import letters, waters
from companion.games.hooked.art.actions import DRAWINGS, Action
from companion.games.hooked.art.fish import Body
from companion.games.hooked.art.species import Species

WIDTH, HEIGHT = 126.0, 176.0
_PAPER = f"M0 0 H{number(WIDTH)} V{number(HEIGHT)} H0 Z"
_INDEX = (24.0, 25.0)
"""The middle of the corner's index; the other corner has it upside down."""


def fish_card(species: Species, title: str | None = None) -> str:
    """A fish card's face."""
    drawn = path(_PAPER, IVORY, 0) + waters.water(species.ground, species.motif, species.number)
    drawn += path(waters.panel(), width=2.4)
    drawn += _fish(species) + _twice(_number(species.number)) + _name(species.name)
    return document(drawn, WIDTH, HEIGHT, title)


def action_card(action: Action, title: str | None = None) -> str:
    """An action card's face: no number, its drawing small in the corners; medallion and ground are its own."""
    ground, shape = _STAGES[action.id]
    small = circle(*_INDEX, 17, IVORY, 2.6) + _placed(DRAWINGS[action.id](), *_INDEX, 0.2)
    drawn = path(_PAPER, IVORY, 0) + path(waters.panel(), action.ground, 0) + ground(action.soft)
    drawn += path(waters.panel(), width=2.4) + path(shape, IVORY, 3.2)
    drawn += _placed(DRAWINGS[action.id](), 63, 86, 0.66) + _twice(small) + _name(action.name)
    return document(drawn, WIDTH, HEIGHT, title)


def card_back(title: str | None = None) -> str:
    """The back of every card: scales of the night, a hook in the middle, the same upside down."""
    scales = ""
    for row in range(14):
        for column in range(9):
            x, y = 7.0 + column * 14 + (0 if row % 2 else 7), 20.0 + row * 11.5
            if 12 < x < 114:
                scales += (
                    f"M{number(x - 7)} {number(y)} a7 7 0 0 1 14 0 M{number(x - 3.5)} {number(y)} a3.5 3.5 0 0 1 7 0"
                )
    half = group(path("M0 -4 V-27 M0 -27 C0 -38 10 -38 10 -27 V-22 L15 -16", width=5, stroke=BRASS), "translate(63 88)")
    drawn = path(_PAPER, IVORY, 0) + path(waters.panel(), "#1d3557", 0) + path(scales, width=1.8, stroke="#33547f")
    drawn += path(waters.panel(4, 4), width=1.6, stroke=BRASS) + circle(63, 88, 41, "#1d3557", 3, BRASS)
    drawn += circle(63, 88, 36, "none", 1.4, "#4f74a6") + half + _upside_down(half) + circle(63, 88, 5, IVORY, 0)
    return document(drawn + path(waters.panel(), width=2.4), WIDTH, HEIGHT, title)


def fish_shapes(species: Species) -> str:
    """A fish alone, its middle at (0, 0), about 100 long, looking to the left."""
    return group(Body(species.fish).draw(), "translate(-50 0)")


def _fish(species: Species) -> str:
    x, y = species.at
    size = number(species.size)
    return group(
        fish_shapes(species),
        f"translate({number(x)} {number(y)}) rotate({number(species.turn_deg)}) "
        f"scale({'-' * species.mirrored}{size} {size})",
    )


def _number(value: int) -> str:
    """The index: large digits on an ivory plate."""
    x, y = _INDEX
    text = str(value)
    plate = circle(x, y, 17.5, IVORY, 2.6)
    if len(text) == 1:
        if value in (6, 9):  # underlined, as they are each other upside down
            return plate + digit(value, x, y - 2, 19, width=16) + path(f"M{x - 6:g} {y + 12:g} h12", width=3)
        return plate + digit(value, x, y, 23, width=15)
    return plate + digit(int(text[0]), x - 7.2, y, 19, width=15) + digit(int(text[1]), x + 6.2, y, 19, width=15)


def _name(name: str) -> str:
    """The name on a ribbon at the foot of the card, left of the index."""
    rows = _rows(name)
    wide, high, tall = _ribbon_size(rows)
    top = 163 - tall
    end = f"q4 {number(tall / 2)} 0 {number(tall)}"
    ribbon = (
        f"M13 {number(top)} h{number(wide + 9)} {end} h{number(-wide - 9)} q-4 {number(-tall / 2)} 0 {number(-tall)} Z"
    )
    drawn = path(ribbon, IVORY, 2)
    for i, row in enumerate(rows):
        drawn += letters.words(row, 17.5, top + 4 + (high + 4) * i, high, width=12)
    return drawn


def _rows(name: str) -> list[str]:
    """A name in at most two rows."""
    first, _, last = name.rpartition(" ")
    return [first, last] if len(name) > 10 and first else [name]


def _ribbon_size(rows: list[str]) -> tuple[float, float, float]:
    """How wide the rows are, how high a letter, how tall the ribbon: it stays clear of the index."""
    high = 7.0
    wide = max(letters.length(row, high) for row in rows)
    high = min(high, high * 57 / wide)
    return min(wide, 57.0), high, (high + 4) * len(rows) + 4


def _burst(soft: str) -> str:
    """Rays around the middle, within the panel."""
    wedges = ""
    for i in range(20):
        a, b = math.radians(i * 18), math.radians(i * 18 + 9)
        wedges += f"M63 86 L{_edge(a)} L{_edge(b)} Z"
    return path(wedges, soft, 0)


def _hatched(soft: str) -> str:
    """Lines that fall to the left, within the panel."""
    lines = ""
    for start in range(-150, 112, 16):
        top, foot = max(0, -start), min(158, 108 - start)
        if top < foot:
            lines += f"M{start + top + 9} {top + 9} L{start + foot + 9} {foot + 9}"
    return path(lines, width=3, stroke=soft)


def _meshed(soft: str) -> str:
    """The meshes of a net."""
    return _hatched(soft) + group(_hatched(soft), "translate(126 0) scale(-1 1)")


def _flowing(soft: str) -> str:
    """Long waves."""
    lines = "".join(f"M10 {y} q13 -14 26.5 0 t26.5 0 t26.5 0 t26.5 0" for y in range(18, 162, 13))
    return path(lines, width=4.5, stroke=soft)


def _edge(angle: float) -> str:
    dx, dy = math.cos(angle), math.sin(angle)
    far = min(54.5 / max(abs(dx), 1e-9), (80 if dy > 0 else 77) / max(abs(dy), 1e-9))
    return f"{number(63 + far * dx)} {number(86 + far * dy)}"


def _placed(inner: str, x: float, y: float, scale: float) -> str:
    return group(inner, f"translate({number(x)} {number(y)}) scale({scale:.3f}) translate(-50 -50)")


def _twice(index: str) -> str:
    return index + _upside_down(index)


def _upside_down(inner: str) -> str:
    return group(inner, "rotate(180 63 88)")


_STAGES: dict[str, tuple[Callable[[str], str], str]] = {
    "empty-hook": (_hatched, "M63 30 L114 86 L63 142 L12 86 Z"),
    "catch-and-release": (_burst, "M63 40 C96 40 113 60 113 86 S96 132 63 132 S13 112 13 86 S30 40 63 40 Z"),
    "net-cast": (_meshed, "M63 46 L98 62 L116 128 H10 L28 62 Z"),
    "current-shift": (_flowing, "M15 50 H111 V122 H15 Z"),
}
"""What lies behind an action's drawing, and the medallion it stands on."""
