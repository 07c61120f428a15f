"""The digits 0 to 9 as single strokes, so that no drawing needs a font."""

from __future__ import annotations

from companion.games.hook.art.palette import INK, group, number, path

_STROKES = {
    "0": "M50 14 C30 14 24 30 24 50 C24 70 30 86 50 86 C70 86 76 70 76 50 C76 30 70 14 50 14 Z",
    "1": "M34 30 L54 14 L54 86",
    "2": "M27 34 C27 20 37 14 50 14 C64 14 73 22 73 34 C73 52 40 62 27 86 L75 86",
    "3": "M28 24 C34 16 42 14 50 14 C63 14 71 21 71 31 C71 42 62 48 48 48 "
    "C64 48 74 56 74 67 C74 79 64 86 50 86 C40 86 31 82 26 74",
    "4": "M64 86 L64 14 L24 64 L78 64",
    "5": "M70 14 L34 14 L30 46 C36 42 42 40 50 40 C65 40 75 49 75 62 C75 77 64 86 50 86 C40 86 32 83 26 76",
    "6": "M68 18 C46 12 26 34 26 60 C26 76 36 86 50 86 C64 86 74 77 74 63 C74 50 64 42 51 42 C39 42 29 50 26 62",
    "7": "M26 14 L75 14 C60 36 50 58 46 86",
    "8": "M50 47 C37 47 30 40 30 31 C30 21 38 14 50 14 C62 14 70 21 70 31 C70 40 63 47 50 47 C35 47 26 55 26 67 "
    "C26 79 36 86 50 86 C64 86 74 79 74 67 C74 55 65 47 50 47 Z",
    "9": "M32 82 C54 88 74 66 74 40 C74 24 64 14 50 14 C36 14 26 23 26 37 C26 50 36 58 49 58 C61 58 71 50 74 38",
}


def digit(value: int, x: float, y: float, height: float, *, colour: str = INK, width: float = 11) -> str:
    """One digit with its middle at (x, y)."""
    scale = height / 72
    moved = f"translate({number(x - 50 * scale)} {number(y - 50 * scale)}) scale({scale:.4f})"
    return group(path(_STROKES[str(value)], width=width, stroke=colour), moved)
