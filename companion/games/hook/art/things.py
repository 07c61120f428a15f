"""The symbols that are nobody: black pirate, rum, barrel, bird cage, bomb, parrot; and the Cannonball."""

from __future__ import annotations

from companion.games.hook.art.palette import (
    BRASS,
    GREEN,
    INK,
    IVORY,
    LEAF,
    LINE,
    ORANGE,
    PLUM,
    RED,
    SKY,
    STEEL,
    WOOD,
    WOOD_DARK,
    YELLOW,
    circle,
    path,
    star,
)


def _black_pirate() -> str:
    bone = "M12 68 L88 90 M88 68 L12 90"
    knobs = "".join(
        circle(x, y, 5.5, IVORY)
        for x, y in ((9, 71), (14, 64), (91, 71), (86, 64), (9, 87), (14, 94), (91, 87), (86, 94))
    )
    return (
        path(bone, width=LINE * 3)
        + knobs
        + path(bone, stroke=IVORY, width=LINE * 1.4)
        + path("M26 46 C26 72 34 68 36 80 L64 80 C66 68 74 72 74 46 Z", IVORY)
        + circle(40, 57, 7, INK, 0)
        + circle(60, 57, 7, INK, 0)
        + path("M50 64 L46 70 L54 70 Z", INK, 0)
        + path("M44 74 L44 80 M50 74 L50 80 M56 74 L56 80", width=3)
        + path("M3 44 C6 20 28 8 50 8 C72 8 94 20 97 44 C84 35 70 48 50 48 C30 48 16 35 3 44 Z", "#120d0d")
        + path("M16 35 C26 34 36 40 50 40 C64 40 74 34 84 35", stroke=IVORY, width=3)
    )


def _rum() -> str:
    return (
        path(
            "M41 12 L59 12 L59 34 C59 42 74 44 74 58 L74 88 C74 94 71 97 66 97 L34 97 C29 97 26 94 26 88 L26 58 "
            "C26 44 41 42 41 34 Z",
            PLUM,
        )
        + path("M40 3 L60 3 L60 14 L40 14 Z", BRASS)
        + path("M26 60 L74 60 L74 86 L26 86 Z", IVORY)
        + path("M37 66 L47 80 M47 66 L37 80 M54 66 L64 80 M64 66 L54 80", width=4)
        + path("M35 52 C37 49 41 47 44 44", stroke=IVORY, width=4)
    )


def _barrel() -> str:
    body = "M24 8 L76 8 C90 34 90 66 76 92 L24 92 C10 66 10 34 24 8 Z"
    return (
        path(body, WOOD)
        + path("M40 10 C34 36 34 64 40 90 M60 10 C66 36 66 64 60 90", stroke=WOOD_DARK, width=4)
        + path("M20 20 L80 20 L83 31 L17 31 Z", STEEL)
        + path("M17 69 L83 69 L80 80 L20 80 Z", STEEL)
        + circle(50, 50, 7, INK, 0)
        + path(body)
    )


def _bird_cage() -> str:
    dome = "M18 80 L18 46 C18 26 32 16 50 16 C68 16 82 26 82 46 L82 80 Z"
    return (
        circle(50, 9, 6, "none", LINE)
        + path(dome, SKY)
        + path("M34 80 L34 44 C34 32 40 22 50 17 C60 22 66 32 66 44 L66 80 M50 17 L50 80 M18 50 L82 50", width=LINE)
        + path(dome)
        + path("M10 80 L90 80 L90 93 L10 93 Z", BRASS)
    )


def _bomb() -> str:
    return (
        path("M58 30 C62 16 72 12 80 20", stroke=INK, width=LINE + 3)
        + path("M58 30 C62 16 72 12 80 20", stroke=WOOD, width=LINE - 1.5)
        + circle(44, 62, 34, "#2b2530")
        + path("M50 22 L70 30 L66 42 L46 34 Z", STEEL)
        + path("M24 58 C25 48 31 42 38 40", stroke=IVORY, width=LINE)
        + path(star(82, 19, 17, 8, 8), ORANGE, 4)
        + path(star(82, 19, 8.5, 4.5, 8), YELLOW, 0)
    )


def _parrot() -> str:
    return (
        path("M58 66 C70 76 80 86 84 98 C74 99 66 94 62 88 C60 93 54 96 50 96 C48 86 50 76 54 68 Z", RED)  # tail
        + path("M34 20 C44 6 66 8 72 24 C82 36 84 60 70 74 C60 84 44 82 36 72 C28 62 30 50 36 42 Z", GREEN)
        + path("M56 40 C74 38 80 54 72 74 C60 74 48 66 48 54 C48 46 50 41 56 40 Z", LEAF)
        + path("M56 54 C62 54 66 58 68 64", width=4)
        + path("M40 16 C36 8 38 4 44 2 C48 4 52 6 54 10", YELLOW)
        + path("M36 20 C22 16 12 26 14 42 C22 40 24 36 28 38 C32 44 40 42 42 34 C43 28 40 23 36 20 Z", YELLOW)
        + circle(51, 25, 7.5, IVORY, 4)
        + circle(50, 25, 3, INK, 0)
        + path("M36 86 C44 82 52 82 60 86 M42 76 L41 84 M50 79 L50 83", width=LINE)
    )


def cannonball() -> str:
    """A Cannonball: what falls on a space of the Hit card."""
    return (
        circle(50, 50, 45, "#3a3440")
        + path("M20 46 C22 32 32 22 46 20", stroke="#8d8796", width=LINE + 1)
        + circle(64, 66, 3.5, "#57505f", 0)
        + circle(72, 52, 2.5, "#57505f", 0)
    )


THINGS = {
    "black-pirate": _black_pirate,
    "rum": _rum,
    "barrel": _barrel,
    "bird-cage": _bird_cage,
    "bomb": _bomb,
    "parrot": _parrot,
}
