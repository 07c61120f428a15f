"""Rectangles from straight lines: for tables whose pattern runs into every outline.

A check or a stripe breaks or swallows the outline of a card, but its sides remain the longest straight lines that meet
at right angles, or that run side by side, at the distance of a card's size.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Array, clockwise

LONG_LINES, MOST_LINES = 40, 260
"""How many of the longest lines, and how many in all: stripes of a cloth are longer than any card."""
FINENESS = 0.6
"""Scale at which lines are sought: coarser is faster and ignores the weave of a cloth."""


def segments(gray: NDArray[np.uint8], shortest: float) -> Array:
    """Straight lines at least ``shortest`` pixels long, n x 2 points x 2, the longest first.

    Not all that are much longer than a card in a table scene (a quarter of the picture) are kept.
    """
    found = cv2.createLineSegmentDetector(cv2.LSD_REFINE_NONE, FINENESS).detect(gray)[0]
    if found is None:
        return np.zeros((0, 2, 2), np.float32)
    lines = np.asarray(found, np.float32).reshape(-1, 2, 2)
    lengths = np.linalg.norm(lines[:, 1] - lines[:, 0], axis=1)
    order = np.argsort(-lengths)
    order = order[lengths[order] >= shortest]
    long = lengths[order] > 0.25 * max(gray.shape)
    order = np.concatenate([order[long][:LONG_LINES], order[~long]])[:MOST_LINES]
    kept: Array = lines[order]
    return kept


def rectangles(lines: Array) -> Array:
    """Rectangle-like quads (n x 4 x 2, clockwise) that two of the lines suggest, the best backed first."""
    if len(lines) < 2:
        return np.zeros((0, 4, 2), np.float32)
    along = lines[:, 1] - lines[:, 0]
    lengths = np.linalg.norm(along, axis=1)
    unit = along / lengths[:, None]
    first, second = np.triu_indices(len(lines), 1)
    cosine = np.abs((unit[first] * unit[second]).sum(axis=1))
    square, side = cosine < 0.3, cosine > 0.97
    quads, backing = [], []
    for make, chosen in ((_cornered, square), (_facing, side)):
        a, b = first[chosen], second[chosen]
        made, good = make(lines[a], lines[b])
        quads.append(made[good])
        around = np.linalg.norm(np.roll(made[good], -1, axis=1) - made[good], axis=2).sum(axis=1)
        backing.append((lengths[a] + lengths[b])[good] / np.maximum(around, 1))
    both, strength = np.concatenate(quads), np.concatenate(backing)
    return np.stack([clockwise(quad) for quad in both[np.argsort(-strength)]]) if len(both) else both


def square_corners(lines: Array) -> Array:
    """Where two lines meet at about a right angle: n x 4 x 2, a parallelogram with the corner first, clockwise.

    Its sides follow the lines away from the corner; their lengths say nothing. The longest lines come first.
    """
    if len(lines) < 2:
        return np.zeros((0, 4, 2), np.float32)
    unit = lines[:, 1] - lines[:, 0]
    unit /= np.linalg.norm(unit, axis=1, keepdims=True)
    first, second = np.triu_indices(len(lines), 1)
    square = np.abs((unit[first] * unit[second]).sum(axis=1)) < 0.3
    quads, good = _cornered(lines[first[square]], lines[second[square]])
    quads = quads[good]
    order = np.argsort(-np.linalg.norm(quads[:, 1] - quads[:, 3], axis=1))
    found = np.stack([_corner_first(quad) for quad in quads[order]]) if len(quads) else quads
    return found.astype(np.float32)


def _corner_first(quad: Array) -> Array:
    u, v = quad[1] - quad[0], quad[3] - quad[0]
    return quad if u[0] * v[1] - u[1] * v[0] > 0 else quad[[0, 3, 2, 1]]


def _cornered(first: Array, second: Array) -> tuple[Array, NDArray[np.bool_]]:
    """Rectangles with a corner where two lines meet, as long as the lines reach."""
    r, s = first[:, 1] - first[:, 0], second[:, 1] - second[:, 0]
    cross = r[:, 0] * s[:, 1] - r[:, 1] * s[:, 0]
    away = second[:, 0] - first[:, 0]
    t = (away[:, 0] * s[:, 1] - away[:, 1] * s[:, 0]) / np.where(np.abs(cross) < 1e-6, 1, cross)
    corner = first[:, 0] + t[:, None] * r
    ends, good = [], np.abs(cross) > 1e-6
    for line in (first, second):
        apart = np.linalg.norm(line - corner[:, None], axis=2)
        far = np.take_along_axis(line, apart.argmax(axis=1)[:, None, None], axis=1)[:, 0]
        length = np.linalg.norm(line[:, 1] - line[:, 0], axis=1)
        good &= (apart.min(axis=1) < 0.25 * length) & (apart.max(axis=1) < 1.25 * length)
        ends.append(far)
    quads = np.stack([corner, ends[0], ends[0] + ends[1] - corner, ends[1]], axis=1)
    return quads.astype(np.float32), good


def _facing(first: Array, second: Array) -> tuple[Array, NDArray[np.bool_]]:
    """Rectangles between two lines that run side by side."""
    r = first[:, 1] - first[:, 0]
    length = np.linalg.norm(r, axis=1)
    u = r / length[:, None]
    reach = ((second - first[:, None, 0]) * u[:, None]).sum(axis=2)
    turned = reach[:, 0] > reach[:, 1]
    second = np.where(turned[:, None, None], second[:, ::-1], second)
    reach = np.sort(reach, axis=1)
    shared = np.minimum(reach[:, 1], length) - np.maximum(reach[:, 0], 0)
    good = shared > 0.75 * np.maximum(length, reach[:, 1] - reach[:, 0])
    quads = np.stack([first[:, 0], first[:, 1], second[:, 1], second[:, 0]], axis=1)
    return quads.astype(np.float32), good
