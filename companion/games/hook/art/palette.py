"""The colours and the one line weight of all our drawings, and small helpers to write SVG.

Every drawing lives on a 100 x 100 view box and uses no ids, gradients, clips or fonts, so that a page may inline
any number of them and every renderer draws the same.
"""

from __future__ import annotations

import math

LINE = 5.0
"""The line weight, on the 100 x 100 view box of a symbol."""

INK = "#2a1c1a"
IVORY = "#fdf5e3"
PAPER = "#f3e4c3"
RED = "#d8352a"
YELLOW = "#f6b81a"
BLUE = "#2468c4"
GREEN = "#23a05a"
LEAF = "#8fd14f"
ORANGE = "#f0802a"
PLUM = "#8a3f98"
WOOD = "#b8703a"
WOOD_DARK = "#8a4e26"
STEEL = "#6b7480"
BRASS = "#d9a02e"
SKY = "#bfe3ea"
SKIN = "#f4c9a0"
SKIN_TAN = "#d99a6c"
SKIN_DARK = "#a8683f"
BEARD = "#5a3320"
HAIR = "#c8511b"
SILVER = "#e9e6df"
NIGHT = "#17110f"

COLOURS = {"red": RED, "yellow": YELLOW, "blue": BLUE}
COLOURS_DARK = {"red": "#9f2119", "yellow": "#c98a08", "blue": "#164a92"}


def number(value: float) -> str:
    """A coordinate, short: two decimals and no trailing noughts."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def path(d: str, fill: str = "none", width: float = LINE, stroke: str = INK) -> str:
    """A path with our line around it; ``width=0`` leaves the line away."""
    line = f' stroke="{stroke}" stroke-width="{number(width)}"' if width else ' stroke="none"'
    return f'<path d="{d}" fill="{fill}"{line}/>'


def circle(x: float, y: float, r: float, fill: str = "none", width: float = LINE, stroke: str = INK) -> str:
    """A circle with our line around it; ``width=0`` leaves the line away."""
    line = f' stroke="{stroke}" stroke-width="{number(width)}"' if width else ' stroke="none"'
    return f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(r)}" fill="{fill}"{line}/>'


def group(inner: str, transform: str = "") -> str:
    """A group with round joins and ends, as all our lines have them."""
    moved = f' transform="{transform}"' if transform else ""
    return f'<g stroke-linejoin="round" stroke-linecap="round"{moved}>{inner}</g>'


def faded(inner: str, opacity: float) -> str:
    """A drawing that lets what is below it show through."""
    return f'<g opacity="{number(opacity)}">{inner}</g>'


def star(x: float, y: float, outer: float, inner: float, points: int, *, turn: float = 0.0) -> str:
    """The path data of a star; ``turn`` in degrees."""
    corners = []
    for index in range(points * 2):
        angle = math.radians(turn - 90 + index * 180 / points)
        radius = inner if index % 2 else outer
        corners.append(f"{number(x + radius * math.cos(angle))} {number(y + radius * math.sin(angle))}")
    return "M" + "L".join(corners) + "Z"


def document(inner: str, width: float = 100, height: float = 100, title: str | None = None) -> str:
    """A whole SVG that a page can inline: named by ``title``, or else hidden from screen readers."""
    label = f'role="img" aria-label="{_escape(title)}"' if title else 'aria-hidden="true" focusable="false"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {number(width)} {number(height)}" {label}>'
    return f"{head}{group(inner)}</svg>"


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
