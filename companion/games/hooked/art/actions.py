"""The four action cards' drawings on a 100 x 100 view box: a bare hook, a fish set free, a net, the turning current."""

from __future__ import annotations

import math
from typing import NamedTuple

from companion.games.hook.art.palette import (
    BLUE,
    BRASS,
    INK,
    IVORY,
    ORANGE,
    PLUM,
    RED,
    SKIN_TAN,
    STEEL,
    YELLOW,
    circle,
    group,
    path,
)


class Action(NamedTuple):
    """An action card: id, name, the colours of its ground and motif."""

    id: str
    name: str
    ground: str
    soft: str


def empty_hook() -> str:
    """A bare hook on a line."""
    bend = "M56 22 V62 C56 92 14 92 14 64 V52"
    barb = "M14 52 L5 66 L14 62 L24 68 Z"
    return (
        path("M56 12 C60 -6 78 2 90 -8", width=3)
        + path(bend, width=15)
        + path(bend, stroke="#b9c2cc", width=7)
        + path("M53 30 V60 C53 82 20 84 17 66", stroke=IVORY, width=2)
        + path(barb, "#b9c2cc", 4)
        + circle(56, 15, 8.5, "none", 9)
        + circle(56, 15, 8.5, "none", 4, "#b9c2cc")
        + path("M74 40 L94 60 M94 40 L74 60", width=12)
        + path("M74 40 L94 60 M94 40 L74 60", stroke=RED, width=6)
    )


def catch_and_release() -> str:
    """An open hand under a fish that leaps free, a way out and a way back."""
    fish = "M22 34 C34 14 60 14 72 34 L88 22 L86 52 L72 40 C60 56 34 56 22 34 Z"
    hand = (
        "M8 78 C20 66 34 72 46 78 L70 78 C78 78 78 88 70 88 L52 88 L84 84 C94 82 96 92 88 96 L56 106 "
        "C36 108 24 98 8 100 Z"
    )
    up = "M10 58 V46 M4 50 L10 43 L16 50 M92 66 V54 M86 58 L92 51 L98 58 M50 70 V60 M44 64 L50 57 L56 64"
    return (
        path(fish, ORANGE, 4)
        + path("M44 18 C46 26 46 42 44 50", width=3.5)
        + path("M54 24 C58 30 58 40 54 46 M62 27 C65 31 65 38 62 42", width=3, stroke="#a8481c")
        + circle(33, 30, 4.4, IVORY, 2.6)
        + circle(32.6, 30, 1.6, INK, 0)
        + path(up, width=4, stroke=BLUE)
        + path(hand, SKIN_TAN, 4)
    )


def net_cast() -> str:
    """A landing net thrown wide over two little fish."""
    hoops = "M36 22 Q50 30 64 22 M25 42 Q50 56 75 42 M14 62 Q50 80 86 62"
    mesh = "M50 -4 L4 84 M50 -4 L20 92 M50 -4 L36 97 M50 -4 V99 M50 -4 L64 97 M50 -4 L80 92 M50 -4 L96 84"
    skirt = "M50 -4 L4 84 C18 104 82 104 96 84 Z"
    fish = "".join(
        path(f"M{x} {y} c6 -8 16 -8 21 0 l7 -5 v12 l-7 -5 c-5 8 -15 8 -21 -2 Z", colour, 3)
        + circle(x + 6, y - 1, 1.5, INK, 0)
        for x, y, colour in ((36, 64, YELLOW), (52, 84, RED), (22, 82, ORANGE))
    )
    weights = "".join(circle(4 + 11.5 * i, 84 + 15 * math.sin(math.pi * i / 8), 4, STEEL, 2.6) for i in range(9))
    net = path(mesh + hoops, width=2.2, stroke="#5b6d49")
    return path(skirt, IVORY, 4) + fish + net + weights + circle(50, -4, 6, BRASS, 3.5)


def current_shift() -> str:
    """Two currents that turn round each other."""
    arrow = path("M8 44 C8 14 44 2 68 18 L74 6 L94 38 L56 40 L62 30 C44 20 26 28 26 46 Z", "{}", 4.5)
    arrow += path("M17 40 C18 22 40 12 60 22", width=3, stroke=IVORY)
    drop = path("M50 40 c8 9 9 20 0 20 c-9 0 -8 -11 0 -20 Z", IVORY, 3.5)
    return arrow.format(BLUE) + group(arrow.format(PLUM), "rotate(180 50 50)") + drop


ACTIONS = (
    Action("empty-hook", "Empty Hook", "#39424e", "#4a5562"),
    Action("catch-and-release", "Catch & Release", "#f2c14e", "#f7d277"),
    Action("net-cast", "Net Cast", "#2f6b52", "#3f7d62"),
    Action("current-shift", "Current Shift", "#f0e0c2", "#dcc8a2"),
)
DRAWINGS = {
    "empty-hook": empty_hook,
    "catch-and-release": catch_and_release,
    "net-cast": net_cast,
    "current-shift": current_shift,
}
