"""What hides a place: the cells and pixels that hands cover, and how much of a card they leave open."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.hands import Hands
from vision.light import Mask
from vision.motion import CELL, Motion, cells_of
from vision.regions import Box, cells_under
from vision.track import Corners

AROUND = 1.25
"""What is close around a card, in its sides: nothing that reaches farther off lies on it."""
PATCH = 11
"""Small pixels between two parts of a hand that are like a shadow of what lies there: they belong to the hand."""
SOME = 0.1
"""Share of a cell that must be covered for it to be."""


def hidden_cells(hands: Hands, motion: Motion) -> Mask:
    """The cells that hands hide: what is solid of them, and what looks like mere shadow in between."""
    grid = (motion.still.shape[0], motion.still.shape[1])
    if not hands.hands:
        return np.zeros(grid, bool)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (PATCH, PATCH))
    whole = np.asarray(cv2.morphologyEx(hands.solid, cv2.MORPH_CLOSE, kernel), np.uint8) & hands.mask
    return np.asarray(cells_of(whole, grid) > SOME)


def touched_cells(hands: Hands, motion: Motion) -> Mask:
    """The cells in which there is anything of a hand, its shadow included: none of that has come to stay."""
    grid = (motion.still.shape[0], motion.still.shape[1])
    return np.asarray(cells_of(hands.mask, grid) > 0) if hands.hands else np.zeros(grid, bool)


def share_blocked(quad: Corners, blocked: Mask, scale: float) -> float:
    """The share of a place's cells in which something moves or a hand is."""
    cells = cells_under(quad, (blocked.shape[0], blocked.shape[1]), scale)
    return float(blocked[cells].mean()) if cells.any() else 1.0


def blocked_pixels(box: Box, blocked: Mask, motion: Motion) -> NDArray[np.uint8]:
    """What blocked cells hide of a box, in its pixels (0/255)."""
    cell = CELL / motion.scale
    full = cv2.resize(blocked.astype(np.uint8) * 255, None, fx=cell, fy=cell, interpolation=cv2.INTER_NEAREST)
    left, top, right, bottom = box
    return np.ascontiguousarray(full[top:bottom, left:right])


def hidden_share(quad: Corners, hidden: NDArray[np.uint8]) -> float:
    """How much of a quad a mask (0/255) covers."""
    inside = within(quad, hidden.shape[:2])
    return float((hidden[inside] > 0).mean()) if inside.any() else 1.0


def within(quad: Corners, shape: tuple[int, ...]) -> Mask:
    """The pixels inside of a quad."""
    mask = np.zeros(shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(quad).astype(np.int32), 1)
    return mask > 0


def grown(quad: Corners) -> Corners:
    """A place with what is close around it."""
    middle = quad.mean(axis=0)
    return np.asarray(middle + (quad - middle) * AROUND, np.float64)


def cells_at(quad: Corners, motion: Motion) -> Mask:
    """The cells under a quad of the frame."""
    return cells_under(quad, (motion.still.shape[0], motion.still.shape[1]), motion.scale)


def cells_in(box: Box, motion: Motion) -> Mask:
    """The cells under a box of the frame."""
    left, top, right, bottom = box
    return cells_at(np.array([(left, top), (right, top), (right, bottom), (left, bottom)], float), motion)
