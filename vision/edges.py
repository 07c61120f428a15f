"""Fit the sides of quads to the edges of the picture, below a pixel."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.world import Image
from vision.geometry import Array

SAMPLES = 16
"""Places along each side where the edge is looked for."""
REACH = 4
"""Pixels to either side of the guess."""
FAINT = 12.0
"""Smallest step between neighbouring pixels (of 255, in any channel) that counts as an edge."""


def refine(image: Image, quads: Array, rounds: int = 2) -> tuple[Array, Array]:
    """Move each side of each quad (n x 4 x 2) onto the strongest edge within ``REACH`` pixels.

    Returns the quads and the share of each border that has an edge, 0 to 1. ``image`` is BGR; sides without an edge
    stay where they were.
    """
    support = np.zeros(len(quads), np.float32)
    for _ in range(rounds if len(quads) else 0):
        quads, support = _once(image, quads)
    return quads, support


def _once(image: Image, quads: Array) -> tuple[Array, Array]:
    number = len(quads)
    along = np.roll(quads, -1, axis=1) - quads
    lengths = np.maximum(np.linalg.norm(along, axis=2, keepdims=True), 1e-3)
    normal = np.stack([along[..., 1], -along[..., 0]], axis=2) / lengths
    t = np.linspace(0.08, 0.92, SAMPLES, dtype=np.float32)
    offsets = np.arange(-REACH - 1, REACH + 2, dtype=np.float32)
    base = quads[:, :, None] + t[None, None, :, None] * along[:, :, None]
    grid = base[:, :, :, None] + offsets[None, None, None, :, None] * normal[:, :, None, None]
    flat = np.ascontiguousarray(grid.reshape(number * 4 * SAMPLES, len(offsets), 2), np.float32)
    values = _sampled(image, flat)
    steps = cv2.absdiff(values[:, 2:], values[:, :-2]).max(axis=2).astype(np.float32)
    place, strength = _peaks(steps.reshape(number, 4, SAMPLES, -1))
    has = strength > FAINT
    slope, level = _lines(t, place, strength * has)
    close = np.abs(place - (slope[..., None] * t + level[..., None])) < 1.0
    support = (close & has).mean(axis=(1, 2)).astype(np.float32)
    start = quads + normal * level[..., None]
    end = np.roll(quads, -1, axis=1) + normal * (slope + level)[..., None]
    refined = _meet(np.roll(start, 1, axis=1), np.roll(end, 1, axis=1), start, end)
    moved = np.linalg.norm(refined - quads, axis=2).max(axis=1)
    good = np.isfinite(moved) & (moved < 3 * REACH)
    return np.where(good[:, None, None], refined, quads).astype(np.float32), support


def _sampled(image: Image, at: Array) -> NDArray[np.uint8]:
    """Bilinear samples; in pieces, because remap takes at most 32767 rows."""
    parts = [
        cv2.remap(image, part[..., 0], part[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        for part in np.array_split(at, len(at) // 30000 + 1)
    ]
    return np.asarray(np.concatenate(parts), np.uint8)


def _peaks(steps: Array) -> tuple[Array, Array]:
    best = steps.argmax(axis=-1)
    middle_at = np.clip(best, 1, steps.shape[-1] - 2)[..., None]
    left = np.take_along_axis(steps, middle_at - 1, axis=-1)[..., 0]
    middle = np.take_along_axis(steps, middle_at, axis=-1)[..., 0]
    right = np.take_along_axis(steps, middle_at + 1, axis=-1)[..., 0]
    bend = left - 2 * middle + right
    shift = np.where(np.abs(bend) > 1e-3, 0.5 * (left - right) / np.where(bend == 0, 1, bend), 0)
    place = middle_at[..., 0] + np.clip(shift, -0.5, 0.5) - REACH
    return place.astype(np.float32), steps.max(axis=-1)


def _lines(t: Array, where: Array, weight: Array) -> tuple[Array, Array]:
    """Lines through the edge points of each side that ignore strays: iteratively reweighted least squares."""
    level, empty = _median(where, weight > 0)
    slope = np.zeros_like(level)
    for spread in (1.5, 0.7, 0.7):
        off = where - slope[..., None] * t - level[..., None]
        w = weight / (1 + (off / spread) ** 2) ** 2
        total = w.sum(axis=-1) + 1e-6
        tm = (w @ t) / total
        ym = (w * where).sum(axis=-1) / total
        dt = t - tm[..., None]
        slope = (w * dt * (where - ym[..., None])).sum(axis=-1) / ((w * dt**2).sum(axis=-1) + 0.02 * total)
        level = ym - slope * tm
    return np.where(empty, 0, slope).astype(np.float32), np.where(empty, 0, level).astype(np.float32)


def _median(values: Array, counted: NDArray[np.bool_]) -> tuple[Array, NDArray[np.bool_]]:
    """The median along the last axis of those that count (0 where none does), and where none does."""
    number = counted.sum(axis=-1)
    ordered = np.sort(np.where(counted, values, np.inf), axis=-1)
    lower = np.take_along_axis(ordered, np.maximum(number - 1, 0)[..., None] // 2, axis=-1)[..., 0]
    upper = np.take_along_axis(ordered, np.minimum(number // 2, values.shape[-1] - 1)[..., None], axis=-1)[..., 0]
    empty = number == 0
    return np.where(empty, 0, (lower + upper) / 2), empty


def _meet(a: Array, b: Array, c: Array, d: Array) -> Array:
    """Where the lines a-b and c-d cross; c for parallel ones."""
    r, s = b - a, d - c
    cross = r[..., 0] * s[..., 1] - r[..., 1] * s[..., 0]
    safe = np.where(np.abs(cross) < 1e-6, 1, cross)
    t = ((c[..., 0] - a[..., 0]) * s[..., 1] - (c[..., 1] - a[..., 1]) * s[..., 0]) / safe
    crossing = np.where(np.abs(cross)[..., None] < 1e-6, c, a + t[..., None] * r)
    return np.asarray(crossing, np.float32)
