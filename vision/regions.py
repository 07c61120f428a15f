"""Which parts of a frame have to be read: what has changed, lies still and is not under a hand."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.light import Mask
from vision.motion import CELL, Motion

Box = tuple[int, int, int, int]
"""Left, top, right, bottom in frame pixels."""


@dataclass(frozen=True, slots=True, eq=False)
class Region:
    """A part of the frame to be read: its cells, and the box of pixels around them with room for whole pieces."""

    cells: Mask
    box: Box


def to_read(motion: Motion, hands: Mask, size: tuple[int, int], room: float) -> list[Region]:
    """The regions of a frame (``size``: width, height) to be read. ``hands`` are cells under a hand; ``room`` is how
    many pixels a piece may reach beyond the cells. Regions whose boxes overlap are one."""
    ready = motion.changed & (motion.still >= 1) & ~hands
    if not ready.any():
        return []
    # What touches something that moves is about to change again: its neighbours wait as well.
    count, labels = cv2.connectedComponents(_near(motion.changed & ~hands).astype(np.uint8), connectivity=8)
    restless = np.unique(labels[motion.moving & ~hands])
    cell = CELL / motion.scale
    found: list[Region] = []
    for label in range(1, count):
        mine = (labels == label) & ready
        if not mine.any():
            continue
        if label in restless and motion.moving[labels == label].mean() > 0.1:
            continue
        rows, columns = np.nonzero(mine)
        box = (
            max(0, int(columns.min() * cell - room)),
            max(0, int(rows.min() * cell - room)),
            min(size[0], int((columns.max() + 1) * cell + room)),
            min(size[1], int((rows.max() + 1) * cell + room)),
        )
        found.append(Region(mine, box))
    return _joined(found)


def _joined(regions: list[Region]) -> list[Region]:
    """Regions with overlapping boxes become one, until none overlap."""
    result: list[Region] = []
    for region in regions:
        current = region
        while True:
            other = next((r for r in result if _meet(r.box, current.box)), None)
            if other is None:
                break
            result.remove(other)
            a, b = other.box, current.box
            box = (min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3]))
            current = Region(other.cells | current.cells, box)
        result.append(current)
    return result


def _meet(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _near(cells: Mask) -> NDArray[np.bool_]:
    return cv2.dilate(cells.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0


def cells_under(quad: NDArray[np.float64], grid: tuple[int, int], scale: float) -> Mask:
    """The cells that a quad (4 x 2 frame pixels) covers by half or more."""
    mask = np.zeros((grid[0] * 4, grid[1] * 4), np.uint8)
    cv2.fillConvexPoly(mask, np.round(quad * scale * 4 / CELL).astype(np.int32), 255)
    shares = cv2.resize(mask, (grid[1], grid[0]), interpolation=cv2.INTER_AREA)
    return np.asarray(shares > 96)


def share_in(quad: NDArray[np.float64], cells: Mask, scale: float) -> float:
    """The share of the cells under a quad that are set."""
    mine = cells_under(quad, (cells.shape[0], cells.shape[1]), scale)
    return float(cells[mine].mean()) if mine.any() else 0.0


def share_under(quad: NDArray[np.float64], mask: NDArray[np.uint8], scale: float) -> float:
    """The share of a quad (frame pixels) that a mask of small pixels covers."""
    points = np.round(quad * scale).astype(np.int32)
    x, y, width, height = cv2.boundingRect(points)
    x0, y0, x1, y1 = max(x, 0), max(y, 0), min(x + width, mask.shape[1]), min(y + height, mask.shape[0])
    if x1 <= x0 or y1 <= y0:
        return 0.0
    covering = mask[y0:y1, x0:x1]
    if not covering.any():
        return 0.0
    inside = np.zeros((y1 - y0, x1 - x0), np.uint8)
    cv2.fillConvexPoly(inside, points - (x0, y0), 1)
    area = int(inside.sum())
    return float((covering[inside > 0] > 0).sum() / area) if area else 0.0
