"""Signed distances of simple shapes (mm, negative inside) and how much of a pixel they cover."""

from __future__ import annotations

import numpy as np

from hardware.simulated.lens import Floats


def rectangle(points: Floats, width: float, height: float, corner: float) -> Floats:
    """Distance to a rectangle around the origin with rounded corners."""
    qx = np.abs(points[..., 0]) - np.float32(width / 2 - corner)
    qy = np.abs(points[..., 1]) - np.float32(height / 2 - corner)
    inner = np.minimum(np.maximum(qx, qy), 0)
    np.maximum(qx, 0, out=qx)
    np.maximum(qy, 0, out=qy)
    return np.asarray(np.sqrt(qx * qx + qy * qy) + inner - np.float32(corner), np.float32)


def disc(points: Floats, x: float, y: float, radius: float) -> Floats:
    """Distance to a disc."""
    dx, dy = points[..., 0] - np.float32(x), points[..., 1] - np.float32(y)
    return np.asarray(np.sqrt(dx * dx + dy * dy) - np.float32(radius), np.float32)


def cover(distance: Floats, width: float) -> Floats:
    """How much is covered, 0 to 1, when the edge is ``width`` wide: a pixel for outlines, more for penumbras."""
    return np.asarray(np.clip(0.5 - distance * np.float32(1 / width), 0, 1), np.float32)
