"""What lies behind the drawings: nine waters in two tones each, and nine motifs drawn onto them."""

from __future__ import annotations

import math
from random import Random

from companion.games.hook.art.palette import circle, number, path

GROUNDS = (
    ("#8cc6d8", "#a3d4e2"),
    ("#e6c98f", "#efd8a8"),
    ("#9cc79a", "#b2d6ac"),
    ("#d3b5dc", "#e0c8e6"),
    ("#7fa8cf", "#97bbdc"),
    ("#c5d7a0", "#d5e3b6"),
    ("#e3b7a0", "#edc9b6"),
    ("#5f93a6", "#76a6b6"),
    ("#e9da94", "#f2e6ac"),
)
"""Ground and motif: mid to light tones before which a dark outline stands out."""
LEFT, TOP, RIGHT, BOTTOM = 7.0, 7.0, 119.0, 169.0
"""The panel on a card's 126 x 176 view box: motifs stay within it."""
_MIDDLE = ((LEFT + RIGHT) / 2, (TOP + BOTTOM) / 2)


def water(ground: int, motif: int, seed: int) -> str:
    """A panel of water."""
    base, soft = GROUNDS[ground % len(GROUNDS)]
    return path(panel(), base, 0) + _MOTIFS[motif % len(_MOTIFS)](soft, Random(seed))


def panel(inset: float = 0.0, corner: float = 5.0) -> str:
    """Path data of the panel with round corners."""
    left, top, right, bottom, r = LEFT + inset, TOP + inset, RIGHT - inset, BOTTOM - inset, corner
    return (
        f"M{number(left + r)} {number(top)} H{number(right - r)} "
        f"Q{number(right)} {number(top)} {number(right)} {number(top + r)} "
        f"V{number(bottom - r)} Q{number(right)} {number(bottom)} {number(right - r)} {number(bottom)} "
        f"H{number(left + r)} Q{number(left)} {number(bottom)} {number(left)} {number(bottom - r)} "
        f"V{number(top + r)} Q{number(left)} {number(top)} {number(left + r)} {number(top)} Z"
    )


def _waves(soft: str, random: Random) -> str:
    lines = ""
    for row in range(11):
        y = TOP + 12 + row * 14.5
        x = LEFT + (4 if row % 2 else 9)
        lines += f"M{number(x)} {number(y)} " + "q4 -7 8.5 0 t8.5 0 " * 6
    return path(lines, width=4, stroke=soft)


def _weeds(soft: str, random: Random) -> str:
    lines = ""
    for i in range(13):
        x, high = LEFT + 6 + i * 8.4, random.uniform(70, 150)
        sway = 5 if i % 2 else -5
        bends = int(high // 22)
        lines += f"M{number(x)} {number(BOTTOM - 2)} " + "".join(
            f"q{number(sway * (-1) ** k)} -11 0 -22 " for k in range(bends)
        )
    return path(lines, width=4, stroke=soft)


def _bubbles(soft: str, random: Random) -> str:
    drawn, placed = "", list[tuple[float, float, float]]()
    for _ in range(900):
        r = random.uniform(2.2, 9)
        x, y = random.uniform(LEFT + r + 2, RIGHT - r - 2), random.uniform(TOP + r + 2, BOTTOM - r - 2)
        if all(math.hypot(x - a, y - b) > r + c + 2.5 for a, b, c in placed):
            placed.append((x, y, r))
            drawn += circle(x, y, r, "none", 2.6, soft)
    return drawn


def _rays(soft: str, random: Random) -> str:
    wedges = ""
    middle = _MIDDLE[0] - 14
    for i in range(6):
        a, b = LEFT + 2 + i * 19.5, LEFT + 10 + i * 19.5
        top_a, top_b = middle + (a - middle) * 0.35, middle + (b - middle) * 0.35
        wedges += (
            f"M{number(top_a)} {number(TOP)} L{number(top_b)} {number(TOP)} L{number(b)} {number(BOTTOM)} "
            f"L{number(a)} {number(BOTTOM)} Z"
        )
    return path(wedges, soft, 0)


def _rings(soft: str, random: Random) -> str:
    drawn = ""
    for x, y, most in ((38, 48, 26), (92, 84, 22), (44, 128, 30), (98, 146, 16), (96, 32, 18)):
        drawn += "".join(circle(x, y, r, "none", 2.8, soft) for r in range(4, most, 7))
    return drawn


def _rain(soft: str, random: Random) -> str:
    lines = ""
    for row in range(8):
        for column in range(8):
            x, y = LEFT + 8 + column * 14 + (7 if row % 2 else 0), TOP + 8 + row * 19.5
            if x < RIGHT - 8:
                lines += f"M{number(x)} {number(y)} l-4 11"
    return path(lines, width=3.4, stroke=soft)


def _pebbles(soft: str, random: Random) -> str:
    drawn, placed = "", list[tuple[float, float, float]]()
    for _ in range(700):
        r = random.uniform(3, 8)
        x, y = random.uniform(LEFT + r + 2, RIGHT - r - 2), random.uniform(TOP + r + 2, BOTTOM - r - 2)
        if all(math.hypot(x - a, y - b) > r + c + 1.5 for a, b, c in placed):
            placed.append((x, y, r))
            drawn += path(
                f"M{number(x - r)} {number(y)} Q{number(x - r * 0.8)} {number(y - r * 0.9)} {number(x + r * 0.2)} "
                f"{number(y - r * 0.7)} Q{number(x + r * 1.1)} {number(y - r * 0.4)} {number(x + r * 0.9)} "
                f"{number(y + r * 0.4)} Q{number(x)} {number(y + r)} {number(x - r)} {number(y)} Z",
                soft,
                0,
            )
    return drawn


def _reeds(soft: str, random: Random) -> str:
    lines, heads = "", ""
    for i in range(10):
        x, high = LEFT + 7 + i * 11, random.uniform(80, 148)
        lean = random.uniform(-5, 5)
        lines += f"M{number(x)} {number(BOTTOM - 2)} Q{number(x)} {number(BOTTOM - high / 2)} "
        lines += f"{number(x + lean)} {number(BOTTOM - high)}"
        heads += f"M{number(x + lean)} {number(BOTTOM - high)} v14"
    return path(lines, width=2.6, stroke=soft) + path(heads, width=6.5, stroke=soft)


def _scallops(soft: str, random: Random) -> str:
    lines = ""
    for row in range(9):
        for column in range(6):
            x, y = LEFT + 13 + column * 19 - (9.5 if row % 2 else 0), TOP + 20 + row * 17.5
            for r in (8.5, 4.5):
                if x - r > LEFT + 2 and x + r < RIGHT - 2:
                    lines += f"M{number(x - r)} {number(y)} a{r} {r} 0 0 1 {2 * r} 0"
    return path(lines, width=2.8, stroke=soft)


_MOTIFS = (_waves, _weeds, _bubbles, _rays, _rings, _rain, _pebbles, _reeds, _scallops)
