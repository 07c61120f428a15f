"""Discs in a plane: printed symbols and the holes of Sight tiles."""

from __future__ import annotations

import math

Disc = tuple[float, float, float]
"""x, y, radius."""


def disc_share(mark: Disc, hole: Disc) -> float:
    """The share (0 to 1) of a mark's disc that lies within another disc, exactly."""
    distance, a, b = math.hypot(hole[0] - mark[0], hole[1] - mark[1]), mark[2], hole[2]
    if distance >= a + b:
        return 0.0
    if distance <= abs(a - b):
        return min(1.0, (b / a) ** 2)
    u = math.acos((distance**2 + a**2 - b**2) / (2 * distance * a))
    v = math.acos((distance**2 + b**2 - a**2) / (2 * distance * b))
    common = a**2 * (u - math.sin(2 * u) / 2) + b**2 * (v - math.sin(2 * v) / 2)
    return common / (math.pi * a**2)
