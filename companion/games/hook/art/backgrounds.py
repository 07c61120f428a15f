"""What lies behind the symbols: soft motifs in muted colours, and the pattern of each player's colour."""

from __future__ import annotations

import math
from random import Random

from companion.games.hook.art.palette import COLOURS, COLOURS_DARK, circle, faded, number, path, star

GROUNDS = (
    ("#7fb7ac", "#8ec4b9"),
    ("#d9b27c", "#e3c090"),
    ("#8aa9c8", "#9ab8d4"),
    ("#cf9480", "#dba592"),
    ("#a5b384", "#b3c093"),
    ("#b096b8", "#bda5c4"),
    ("#c9a65f", "#d5b473"),
    ("#7d9aa0", "#8da9ae"),
)
"""Ground and motif of a Target card: mid tones, so that the ivory papers of the symbols stand out."""


def pattern(colour: str, width: float = 100, height: float = 100) -> str:
    """A ground in a player's colour with its pattern: red diagonal bands, yellow dots, blue waves."""
    ground = path(f"M0 0 H{number(width)} V{number(height)} H0 Z", COLOURS[colour], 0)
    dark = COLOURS_DARK[colour]
    if colour == "red":
        bands = "".join(
            f"M{number(x)} {number(height)} L{number(x + height)} 0" for x in range(-200, int(width) + 60, 22)
        )
        return ground + faded(path(bands, width=6, stroke=dark), 0.4)
    if colour == "yellow":
        dots = ""
        for row in range(int(height // 14) + 2):
            for column in range(int(width // 16) + 2):
                dots += circle(column * 16 + row % 2 * 8, row * 14, 3.4, dark, 0)
        return ground + faded(dots, 0.5)
    waves = ""
    for row in range(int(height // 16) + 2):
        y = row * 16 - 2
        waves += f"M-8 {y} " + "".join("q6 -9 12 0 t12 0 " for _ in range(int(width // 24) + 2))
    return ground + faded(path(waves, width=5, stroke=dark), 0.5)


def scenery(ground: int, motif: int, random: Random) -> str:
    """A Target card's ground (0 to 7) with one of eight soft motifs, varied by ``random``."""
    base, soft = GROUNDS[ground % len(GROUNDS)]
    draw = _MOTIFS[motif % len(_MOTIFS)]
    return path("M0 0 H100 V100 H0 Z", base, 0) + draw(soft, random)


def _waves(soft: str, random: Random) -> str:
    turn, phase = random.uniform(-25, 25), random.uniform(0, 20)
    lines = ""
    for row in range(-4, 16):
        start = -40 + phase * (row % 2)
        lines += f"M{number(start)} {row * 10} " + "q5 -7 10 0 t10 0 " * 9
    drawn = path(lines, width=3.2, stroke=soft)
    return f'<g transform="rotate({number(turn)} 50 50)">{drawn}</g>'


def _bands(soft: str, random: Random) -> str:
    turn = random.uniform(0, 180)
    lines = "".join(f"M-40 {number(y)} H140" for y in range(-40, 140, 14))
    drawn = path(lines, width=6, stroke=soft)
    return f'<g transform="rotate({number(turn)} 50 50)">{drawn}</g>'


def _rays(soft: str, random: Random) -> str:
    x, y, turn = random.uniform(10, 90), random.uniform(10, 90), random.uniform(0, 30)
    wedges = ""
    for index in range(12):
        a, b = (math.radians(turn + index * 30 + half) for half in (0, 15))
        wedges += (
            f"M{number(x)} {number(y)} L{number(x + 150 * math.cos(a))} {number(y + 150 * math.sin(a))} "
            f"L{number(x + 150 * math.cos(b))} {number(y + 150 * math.sin(b))} Z"
        )
    return path(wedges, soft, 0)


def _bubbles(soft: str, random: Random) -> str:
    return "".join(
        circle(random.uniform(0, 100), random.uniform(0, 100), random.uniform(2, 9), "none", 2.6, soft)
        for _ in range(26)
    )


def _islands(soft: str, random: Random) -> str:
    drawn = ""
    for _ in range(5):
        drawn += path(blob(random.uniform(5, 95), random.uniform(5, 95), random.uniform(9, 22), 0.16, random), soft, 0)
    return drawn


def _stars(soft: str, random: Random) -> str:
    drawn = ""
    for _ in range(22):
        size = random.uniform(2, 5.5)
        place = random.uniform(2, 98), random.uniform(2, 98)
        drawn += path(star(*place, size, size * 0.42, 5, turn=random.uniform(0, 72)), soft, 0)
    return drawn


def _rings(soft: str, random: Random) -> str:
    x, y = random.uniform(15, 85), random.uniform(15, 85)
    return "".join(circle(x, y, radius, "none", 4.5, soft) for radius in range(6, 120, 11))


def _planks(soft: str, random: Random) -> str:
    turn = random.choice((0, 90)) + random.uniform(-6, 6)
    lines = ""
    for row in range(-2, 8):
        y = row * 16
        lines += f"M-30 {y} H130"
        for x in range(-30, 130, 44):
            start = x + random.uniform(0, 30)
            lines += f"M{number(start)} {y} V{y + 16} M{number(start + 8)} {y + 7} h{number(random.uniform(8, 18))}"
    return f'<g transform="rotate({number(turn)} 50 50)">{path(lines, width=2.6, stroke=soft)}</g>'


_MOTIFS = (_waves, _bands, _rays, _bubbles, _islands, _stars, _rings, _planks)


def blob(x: float, y: float, radius: float, wobble: float, random: Random, *, points: int = 9) -> str:
    """The path data of a rounded, slightly uneven patch that stays within ``radius * (1 + wobble)``."""
    turn = random.uniform(0, math.tau)
    corners = []
    for index in range(points):
        angle = turn + index * math.tau / points
        far = radius * (1 + random.uniform(-wobble, wobble))
        corners.append((x + far * math.cos(angle), y + far * math.sin(angle)))
    data = ""
    for index, (px, py) in enumerate(corners):
        nx, ny = corners[(index + 1) % points]
        middle = f"{number((px + nx) / 2)} {number((py + ny) / 2)}"
        data += f"Q{number(px)} {number(py)} {middle}" if data else f"M{middle}"
    nx, ny = corners[0]
    sx, sy = corners[1]
    return data + f"Q{number(nx)} {number(ny)} {number((nx + sx) / 2)} {number((ny + sy) / 2)}Z"
