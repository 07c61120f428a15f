"""Capital letters as single strokes, so that no drawing needs a font. Digits are those of Hook!'s art."""

from __future__ import annotations

from companion.games.hook.art.palette import INK, group, number, path

_STROKES = {
    "A": "M4 60 L24 0 L44 60 M12 38 H36",
    "B": "M6 0 V60 M6 0 H24 C44 0 44 28 24 28 H6 M24 28 C48 28 48 60 24 60 H6",
    "C": "M44 12 C38 2 30 0 25 0 C10 0 4 14 4 30 C4 46 10 60 25 60 C30 60 38 58 44 48",
    "D": "M6 0 V60 H20 C38 60 45 46 45 30 C45 14 38 0 20 0 Z",
    "E": "M40 0 H6 V60 H40 M6 29 H34",
    "F": "M40 0 H6 V60 M6 29 H33",
    "G": "M43 12 C38 2 31 0 25 0 C10 0 4 14 4 30 C4 46 10 60 25 60 C34 60 43 54 43 44 V32 H27",
    "H": "M6 0 V60 M42 0 V60 M6 29 H42",
    "I": "M24 0 V60",
    "J": "M36 0 V42 C36 66 8 64 7 46",
    "K": "M6 0 V60 M42 0 L6 34 M18 24 L43 60",
    "L": "M7 0 V60 H41",
    "M": "M3 60 V0 L24 40 L45 0 V60",
    "N": "M6 60 V0 L42 60 V0",
    "O": "M24 0 C9 0 3 14 3 30 C3 46 9 60 24 60 C39 60 45 46 45 30 C45 14 39 0 24 0 Z",
    "P": "M6 60 V0 H24 C47 0 47 33 24 33 H6",
    "Q": "M24 0 C9 0 3 14 3 30 C3 46 9 60 24 60 C39 60 45 46 45 30 C45 14 39 0 24 0 Z M30 44 L46 62",
    "R": "M6 60 V0 H24 C46 0 46 31 24 31 H6 M24 31 L43 60",
    "S": "M41 10 C36 2 30 0 24 0 C2 0 1 25 24 29 C48 33 46 60 24 60 C16 60 9 57 5 49",
    "T": "M3 0 H45 M24 0 V60",
    "U": "M6 0 V38 C6 67 42 67 42 38 V0",
    "V": "M3 0 L24 60 L45 0",
    "W": "M1 0 L12 60 L24 16 L36 60 L47 0",
    "X": "M5 0 L43 60 M43 0 L5 60",
    "Y": "M4 0 L24 32 L44 0 M24 32 V60",
    "Z": "M6 0 H42 L5 60 H43",
    "&": "M45 60 L14 14 C8 4 14 -1 20 0 C30 1 30 13 21 20 C9 28 4 34 4 44 C4 66 36 66 42 34",
}
_STEP = 60.0
_NARROW = {"I": 26.0, " ": 34.0}


def words(text: str, x: float, y: float, height: float, *, colour: str = INK, width: float = 11) -> str:
    """Capitals from (x, y), their top left; KeyError for a letter there is none of."""
    scale = height / 60
    strokes, at = "", 0.0
    for letter in text.upper():
        wide = _NARROW.get(letter, _STEP)
        if letter != " ":
            left = at - (_STEP - wide) / 2
            strokes += group(path(_STROKES[letter], width=width, stroke=colour), f"translate({number(left)} 0)")
        at += wide
    return group(strokes, f"translate({number(x)} {number(y)}) scale({scale:.4f})")


def length(text: str, height: float) -> float:
    """How wide ``words`` draws a text."""
    return (sum(_NARROW.get(letter, _STEP) for letter in text.upper()) - 12) * height / 60
