"""The six characters as heads: pirates wear a tricorne, sailors a cap.

Within each trade the colours differ by outline and detail too, so that nobody needs to see colour: the red pirate
has an eye patch and an earring, the yellow one a forked beard, the blue one a feather and long hair; the red sailor
a pompom, the yellow one ribbons and a pipe, the blue one a peaked cap and a walrus moustache. Hats carry the
colour's pattern as well: red is plain with a broad trim, yellow dotted, blue striped.
"""

from __future__ import annotations

from companion.games.hook.art.palette import (
    BEARD,
    BLUE,
    BRASS,
    HAIR,
    INK,
    IVORY,
    LINE,
    RED,
    SILVER,
    SKIN,
    SKIN_DARK,
    SKIN_TAN,
    WOOD_DARK,
    YELLOW,
    circle,
    path,
)

_TRICORNE = "M4 43 C8 22 28 13 50 13 C72 13 92 22 96 43 C84 35 70 49 50 49 C30 49 16 35 4 43 Z"
_CAP = "M27 44 C7 38 12 14 50 14 C88 14 93 38 73 44 Z"
_BAND = "M26 40 C40 35 60 35 74 40 L74 51 C60 46 40 46 26 51 Z"


def _eye(x: float, y: float, r: float = 4.2) -> str:
    return circle(x, y, r, INK, 0)


def _red_pirate() -> str:
    return (
        path("M26 82 C34 72 66 72 74 82 L80 96 L50 88 L20 96 Z", RED)  # neckerchief
        + circle(50, 60, 25, SKIN)
        + circle(78, 73, 6, "none", LINE, BRASS)
        + path("M27 50 L70 46", width=LINE)
        + circle(40, 59, 8.5, INK, 0)
        + _eye(61, 60, 4.8)
        + path("M40 75 C48 80 58 78 63 71", IVORY)
        + path(_TRICORNE, RED)
        + path("M14 37 C24 36 34 42 50 42 C66 42 76 36 86 37", stroke=IVORY, width=LINE)
        + path("M42 21 L58 33 M58 21 L42 33", stroke=IVORY, width=LINE)
    )


def _yellow_pirate() -> str:
    beard = "M21 54 C18 74 26 88 38 97 L50 86 L62 97 C74 88 82 74 79 54 C72 64 62 62 50 62 C38 62 28 64 21 54 Z"
    dots = "".join(
        circle(x, y, 3.4, INK, 0) for x, y in ((26, 30), (42, 24), (58, 24), (74, 30), (50, 38), (34, 39), (66, 39))
    )
    return (
        circle(50, 56, 26, SKIN_TAN)
        + path(beard, BEARD)
        + path("M50 66 C44 60 34 62 30 70 C38 74 46 74 50 68 C54 74 62 74 70 70 C66 62 56 60 50 66 Z", "#7a4a2c", 0)
        + path("M44 77 C48 80 52 80 56 77", stroke=IVORY, width=LINE)
        + _eye(40, 55)
        + _eye(60, 55)
        + path(_TRICORNE, YELLOW)
        + dots
    )


def _blue_pirate() -> str:
    hair = "M24 46 C8 60 14 74 6 88 C16 96 30 92 34 84 L66 84 C70 92 84 96 94 88 C86 74 92 60 76 46 Z"
    feather = "M58 26 C62 6 78 -2 97 5 C95 10 97 12 92 16 C93 20 88 21 86 25 C80 33 70 35 62 34 Z"
    return (
        path(hair, HAIR)
        + path("M50 86 C64 86 72 74 72 58 L72 46 L28 46 L28 58 C28 74 36 86 50 86 Z", SKIN)
        + _eye(40, 60)
        + _eye(60, 60)
        + path("M41 72 C46 79 54 79 59 72", RED)
        + path("M4 43 C8 22 28 15 50 15 C72 15 92 22 96 43 C84 35 70 49 50 49 C30 49 16 35 4 43 Z", BLUE)
        + path("M24 23 L21 38 M38 18 L37 44 M52 17 L53 46", stroke=IVORY, width=LINE)
        + path(feather, IVORY)
        + path("M62 33 C70 22 78 15 88 10", width=3)
    )


def _red_sailor() -> str:
    return (
        path("M16 97 C18 80 34 78 50 78 C66 78 82 80 84 97 Z", IVORY)
        + path("M22 88 C38 84 62 84 78 88", stroke=RED, width=LINE + 1)
        + circle(50, 60, 24, SKIN)
        + circle(34, 68, 4.5, "#ef9a80", 0)
        + circle(66, 68, 4.5, "#ef9a80", 0)
        + _eye(41, 61)
        + _eye(59, 61)
        + path("M42 71 C46 77 54 77 58 71", width=4)
        + path(_CAP, RED)
        + path(_BAND, IVORY)
        + circle(50, 13, 9, RED)
    )


def _yellow_sailor() -> str:
    dots = "".join(circle(x, y, 3.2, INK, 0) for x, y in ((30, 29), (44, 22), (58, 29), (70, 24)))
    return (
        path("M28 44 C18 52 20 64 8 70 L14 78 L4 88 C22 86 30 72 33 52 Z", YELLOW)
        + circle(52, 62, 25, SKIN_DARK)
        + _eye(44, 60)
        + _eye(63, 60)
        + path("M48 76 L70 77 L72 72 M68 77", width=LINE)
        + path("M66 76 L80 80 L80 70 L96 70 L95 84 C94 91 84 92 80 86 Z", WOOD_DARK)
        + path(_CAP, YELLOW)
        + dots
        + path(_BAND, IVORY)
    )


def _blue_sailor() -> str:
    moustache = (
        "M50 69 C42 62 32 64 26 72 C20 78 12 78 5 73 C10 89 26 94 38 88 C44 86 48 82 50 79 "
        "C52 82 56 86 62 88 C74 94 90 89 95 73 C88 78 80 78 74 72 C68 64 58 62 50 69 Z"
    )
    return (
        circle(50, 62, 25, SKIN)
        + path("M40 88 C46 94 54 94 60 88", width=LINE)
        + _eye(40, 60, 4.6)
        + _eye(60, 60, 4.6)
        + path(moustache, SILVER)
        + path("M26 40 C2 31 14 7 50 7 C86 7 98 31 74 40 Z", BLUE)
        + path("M29 16 L32 30 M71 16 L68 30", stroke=IVORY, width=LINE)
        + path("M50 12 L50 29 M43 17 L57 17 M41 23 C42 30 46 31 50 31 C54 31 58 30 59 23", stroke=IVORY, width=4)
        + path("M24 36 C40 32 60 32 76 36 C82 40 85 45 85 49 C64 42 36 42 15 49 C15 45 18 40 24 36 Z", INK, 3)
    )


HEADS = {
    "red-pirate": _red_pirate,
    "yellow-pirate": _yellow_pirate,
    "blue-pirate": _blue_pirate,
    "red-sailor": _red_sailor,
    "yellow-sailor": _yellow_sailor,
    "blue-sailor": _blue_sailor,
}
