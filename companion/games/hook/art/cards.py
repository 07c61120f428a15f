"""Whole pieces: Target cards, Sight tiles, Hit cards, the Compass card, their backs, and the round portraits."""

from __future__ import annotations

import math
from random import Random
from typing import TYPE_CHECKING

from companion.games.hook.art.backgrounds import blob, pattern, scenery
from companion.games.hook.art.digits import digit
from companion.games.hook.art.heads import HEADS
from companion.games.hook.art.palette import (
    BLUE,
    BRASS,
    COLOURS_DARK,
    INK,
    IVORY,
    NIGHT,
    PAPER,
    RED,
    circle,
    document,
    faded,
    group,
    number,
    path,
    star,
)
from companion.games.hook.art.things import THINGS

if TYPE_CHECKING:
    from companion.games.hook.layout import Card, Tile

SPACE_RADIUS = 13.0
SPACES = tuple((20 + 30 * (index % 3), 62 + 29 * (index // 3), 9 - index) for index in range(9))
"""The nine spaces of a Hit card on its 100 x 140 view box: x, y and number."""


def target_card(card: Card) -> str:
    """The face of a Target card."""
    random = Random(card.seed)
    ground = scenery(card.ground, card.motif, random)
    shadows = drawn = ""
    for symbol in card.symbols:
        (x, y), radius = (symbol.at[0] * 100, symbol.at[1] * 100), symbol.radius * 100
        shadows += circle(x + 0.5, y + 0.7, radius, INK, 0)
        drawn += path(blob(x, y, radius * 1.02, 0.035, random), IVORY, 0)
        drawn += placed((HEADS.get(symbol.name) or THINGS[symbol.name])(), x, y, radius * 0.0182, symbol.turn_deg)
    return document(ground + faded(shadows, 0.25) + drawn + _frame(card.ground))


def _frame(ground: int) -> str:
    shade = ("#2f6f66", "#8a5f25", "#36587c", "#7d4535", "#56643a", "#62486b", "#7a5c20", "#344f55")[ground % 8]
    return path("M0.8 0.8 H99.2 V99.2 H0.8 Z", width=1.6, stroke=shade)


def placed(inner: str, x: float, y: float, scale: float, turn: float = 0.0) -> str:
    """A drawing with its middle at (x, y), scaled, and turned by degrees."""
    moved = f"translate({number(x)} {number(y)}) rotate({number(turn)}) scale({scale:.4f}) translate(-50 -50)"
    return group(inner, moved)


def sight_tile(tile: Tile, hole_radius: float) -> str:
    """The face of a Sight tile, its holes dark; the character stands where the holes leave most room."""
    colour = tile.owner.split("-")[0]
    x, y, room = _room(tile.holes, hole_radius)
    drawn = pattern(colour)
    drawn += circle(x, y, room, COLOURS_DARK[colour], 0) + circle(x, y, room - 1, IVORY, 0)
    drawn += placed(HEADS[tile.owner](), x, y, room * 0.0176)
    for hx, hy in tile.holes:
        drawn += circle(hx * 100, hy * 100, hole_radius * 100 + 1.3, COLOURS_DARK[colour], 2.6, IVORY)
        drawn += circle(hx * 100, hy * 100, hole_radius * 100, NIGHT, 0)
    drawn += path("M1.5 1.5 H98.5 V98.5 H1.5 Z", width=3, stroke=NIGHT)
    studs = "".join(
        circle(50 + 5 * (index - (tile.number - 1) / 2), 2.6, 1.5, IVORY, 0) for index in range(tile.number)
    )
    return document(drawn + path("M38 0 H62 L59 5.4 H41 Z", NIGHT, 0) + studs)


def _room(holes: tuple[tuple[float, float], ...], hole_radius: float) -> tuple[float, float, float]:
    """The largest circle on a tile that touches neither a hole nor the edge: x, y, radius on the 100 view box."""
    best = (50.0, 50.0, 0.0)
    for column in range(14, 87):
        for row in range(14, 87):
            clear = min(math.hypot(column - hx * 100, row - hy * 100) for hx, hy in holes) - hole_radius * 100 - 3.5
            room = min(clear, column - 4, row - 5, 96 - column, 96 - row)
            # A tie goes to the place nearest the middle of the tile.
            if room - 0.01 * math.hypot(column - 50, row - 50) > best[2]:
                best = (column, row, room)
    return best


def portrait_shapes(name: str) -> str:
    """A character in a medallion of its colour; KeyError for anyone who is no character."""
    head = HEADS[name]()
    colour = name.split("-", maxsplit=1)[0]
    ring = circle(50, 50, 47.5, COLOURS_DARK[colour], 0) + circle(50, 50, 43, IVORY, 0)
    beads = ""
    if colour == "yellow":  # The ring tells the colours apart too: dots, dashes, or plain.
        beads = "".join(circle(*_on_ring(index * 22.5), 1.7, IVORY, 0) for index in range(16))
    elif colour == "blue":
        beads = "".join(
            path(f"M{_point(index * 22.5 - 5)} L{_point(index * 22.5 + 5)}", width=1.8, stroke=IVORY)
            for index in range(16)
        )
    return ring + beads + placed(head, 50, 50, 0.8)


def _on_ring(degrees: float) -> tuple[float, float]:
    angle = math.radians(degrees)
    return 50 + 45.25 * math.cos(angle), 50 + 45.25 * math.sin(angle)


def _point(degrees: float) -> str:
    x, y = _on_ring(degrees)
    return f"{number(x)} {number(y)}"


def hit_card_shapes(name: str, *, spaces: bool = True) -> str:
    """A Hit card on a 100 x 140 view box: the character and the nine spaces, or the character alone."""
    colour = name.split("-", maxsplit=1)[0]
    head = HEADS[name]()
    drawn = pattern(colour, 100, 140)
    if spaces:
        drawn += (
            circle(50, 25, 23, COLOURS_DARK[colour], 0) + circle(50, 25, 21.5, IVORY, 0) + placed(head, 50, 25, 0.37)
        )
        for x, y, value in SPACES:
            drawn += circle(x, y, SPACE_RADIUS, IVORY, 2.6, COLOURS_DARK[colour]) + digit(value, x, y, 13)
    else:
        drawn += (
            circle(50, 70, 44, COLOURS_DARK[colour], 0) + circle(50, 70, 41.5, IVORY, 0) + placed(head, 50, 70, 0.73)
        )
    return drawn + path("M1.2 1.2 H98.8 V138.8 H1.2 Z", width=2.4, stroke=COLOURS_DARK[colour])


def compass_shapes() -> str:
    """The Compass on the 100 x 100 view box."""
    ticks = ""
    for index in range(12):
        drawn = path(f"M50 9 V{14 if index % 3 else 17}", width=2.4)
        ticks += f'<g transform="rotate({index * 30} 50 50)">{drawn}</g>'
    return (
        circle(50, 50, 45, BRASS)
        + circle(50, 50, 35.5, IVORY, 3.5)
        + ticks
        + path(star(50, 50, 27, 9, 4, turn=45), PAPER, 2.6)
        + path("M50 15 L60 50 L40 50 Z", RED, 3.5)
        + path("M50 85 L60 50 L40 50 Z", BLUE, 3.5)
        + circle(50, 50, 5.5, BRASS, 3.5)
    )


def compass_card() -> str:
    """The face of the Compass card."""
    drawn = scenery(2, 0, Random(7)) + faded(circle(50, 50, 44, INK, 0), 0.25)
    return document(drawn + placed(compass_shapes(), 50, 49.5, 0.88) + _frame(2))


def card_back() -> str:
    """The back of the Target cards and of the Compass card: crossed by ropes, a bomb in the middle."""
    weave = "".join(f"M{x} 0 L{x + 100} 100 M{x + 100} 0 L{x} 100" for x in range(-100, 101, 20))
    return document(
        path("M0 0 H100 V100 H0 Z", "#4a2b2f", 0)
        + path(weave, width=3, stroke="#5d383b")
        + circle(50, 50, 27, "#4a2b2f", 3, BRASS)
        + placed(THINGS["bomb"](), 50, 50, 0.4)
        + path("M5 5 H95 V95 H5 Z", width=2, stroke=BRASS)
    )


def tile_back() -> str:
    """The black side of a Sight tile, its holes aside."""
    return document(path("M0 0 H100 V100 H0 Z", "#15110f", 0) + path("M3 3 H97 V97 H3 Z", width=1.2, stroke="#241c19"))
