"""Fit a quad's sides to the edges of the picture, below a pixel."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.world import Image
from vision.geometry import Array

SAMPLES = 20
"""Places along each side where the edge is looked for."""
REACH = 4
"""Pixels to either side of the guess."""


def refine(image: Image, corners: Array, rounds: int = 2) -> tuple[Array, float]:
    """The quad with each side moved onto the strongest edge nearby, and the share of the border that has an edge.

    ``image`` is BGR; the guess should be within ``REACH`` pixels. Sides without an edge stay where they were.
    """
    support = 0.0
    for _ in range(rounds):
        corners, support = _once(image, corners)
    return corners, support


def _once(image: Image, corners: Array) -> tuple[Array, float]:
    ends = np.roll(corners, -1, axis=0)
    along = ends - corners
    lengths = np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-3)
    normal = np.stack([along[:, 1], -along[:, 0]], axis=1) / lengths
    t = np.linspace(0.08, 0.92, SAMPLES, dtype=np.float32)
    offsets = np.arange(-REACH - 1, REACH + 2, dtype=np.float32)
    base = corners[:, None, :] + t[None, :, None] * along[:, None, :]
    grid = base[:, :, None, :] + offsets[None, None, :, None] * normal[:, None, None, :]
    flat = grid.reshape(4 * SAMPLES, len(offsets), 2).astype(np.float32)
    values = cv2.remap(image, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    steps = np.abs(values[:, 2:].astype(np.int16) - values[:, :-2]).max(axis=2).astype(np.float32)
    steps = steps.reshape(4, SAMPLES, -1)
    place, strength = _peaks(steps)
    new_lines = []
    good = 0.0
    for side in range(4):
        has = strength[side] > 12
        where, weight = place[side], strength[side] * has
        slope, level = _line(t, where, weight)
        close = np.abs(where - (slope * t + level)) < 1.0
        good += float((close & has).mean()) / 4
        start = corners[side] + normal[side] * level
        end = ends[side] + normal[side] * (slope + level)
        new_lines.append((start, end))
    refined = np.stack([_meet(new_lines[side - 1], new_lines[side]) for side in range(4)])
    moved = np.linalg.norm(refined - corners, axis=1).max()
    if not np.isfinite(refined).all() or moved > 3 * REACH:
        return corners, good
    return refined.astype(np.float32), good


def _peaks(steps: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    best = steps.argmax(axis=2)
    inner = np.clip(best, 1, steps.shape[2] - 2)
    take = lambda index: np.take_along_axis(steps, index[..., None], axis=2)[..., 0]  # noqa: E731
    left, middle, right = take(inner - 1), take(inner), take(inner + 1)
    bend = left - 2 * middle + right
    shift = np.where(np.abs(bend) > 1e-3, 0.5 * (left - right) / np.where(bend == 0, 1, bend), 0)
    place = inner + np.clip(shift, -0.5, 0.5) - REACH
    return place.astype(np.float32), take(best)


def _line(t: NDArray[np.float32], where: NDArray[np.float32], weight: NDArray[np.float32]) -> tuple[float, float]:
    """A line through the edge points that ignores strays: iteratively reweighted least squares."""
    if weight.sum() <= 0:
        return 0.0, 0.0
    slope, level = 0.0, float(np.median(where[weight > 0]))
    for spread in (1.5, 0.7, 0.7):
        w = weight / (1 + ((where - slope * t - level) / spread) ** 2) ** 2
        total = w.sum() + 1e-6
        tm, ym = (w @ t) / total, (w @ where) / total
        variance = w @ (t - tm) ** 2
        slope = float((w @ ((t - tm) * (where - ym))) / (variance + 0.02 * total))
        level = float(ym - slope * tm)
    return slope, level


def _meet(first: tuple[Array, Array], second: tuple[Array, Array]) -> Array:
    (a, b), (c, d) = first, second
    r, s = b - a, d - c
    cross = r[0] * s[1] - r[1] * s[0]
    if abs(cross) < 1e-6:
        return np.asarray(c, np.float32)
    t = ((c[0] - a[0]) * s[1] - (c[1] - a[1]) * s[0]) / cross
    return np.asarray(a + t * r, np.float32)
