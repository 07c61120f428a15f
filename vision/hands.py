"""Hands and sleeves: solid things that have come since the table settled and reach in from the picture's edge.

Colour says nothing (any skin, any sleeve, gloves); that it *came*, is large and touches the edge does. A hand that
lies still stays a hand. The place that something has left (a "ghost") is none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.world import Hand
from vision.motion import Motion, MotionWatch

SMALLEST = 0.004
"""Share of the picture that a hand covers at least."""

Side = Literal["top", "right", "bottom", "left"]


@dataclass(frozen=True, slots=True)
class Hands:
    """The hands of one frame: their outlines (pixels), and all of them as one mask of small pixels (0/255)."""

    hands: tuple[Hand, ...]
    mask: NDArray[np.uint8]
    ghosts: NDArray[np.uint8]


def find(motion: Motion, watch: MotionWatch) -> Hands:
    """The hands that a frame shows, from what is solid and new in it."""
    empty = np.zeros_like(motion.solid)
    if motion.flipped or not motion.solid.any():
        return Hands((), empty, empty)
    joined = cv2.morphologyEx(motion.solid, cv2.MORPH_CLOSE, np.ones((7, 7), np.uint8))
    joined = cv2.morphologyEx(joined, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
    outlines, _ = cv2.findContours(joined, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    hands, mask, ghosts = [], empty.copy(), empty.copy()
    for outline in outlines:
        if cv2.contourArea(outline) < SMALLEST * joined.size:
            continue
        side = _side(np.asarray(outline, np.int32).reshape(-1, 2), (joined.shape[1], joined.shape[0]))
        if side is None:
            continue
        blob = np.asarray(cv2.drawContours(empty.copy(), [outline], -1, 255, cv2.FILLED), np.uint8)
        if watch.ghost(blob):
            ghosts |= blob
            continue
        mask |= blob
        hands.append(Hand(_outline(outline, motion.scale), side))
    return Hands(tuple(hands), mask, ghosts)


def _side(points: NDArray[np.int32], size: tuple[int, int]) -> Side | None:
    """The edge of the picture an outline reaches in from: the one with most of it along; None away from all."""
    width, height = size
    near: dict[Side, NDArray[np.bool_]] = {
        "left": points[:, 0] <= 3,
        "top": points[:, 1] <= 3,
        "right": points[:, 0] >= width - 4,
        "bottom": points[:, 1] >= height - 4,
    }
    spans: dict[Side, int] = {}
    for side, touching in near.items():
        if touching.any():
            along = points[touching][:, 1 if side in ("left", "right") else 0]
            spans[side] = int(along.max() - along.min()) + 1
    if not spans:
        return None
    return max(spans, key=spans.__getitem__)


def _outline(contour: NDArray[np.integer[Any] | np.floating[Any]], scale: float) -> tuple[tuple[float, float], ...]:
    simple = np.asarray(cv2.approxPolyDP(contour, 2.0, True)).reshape(-1, 2)
    return tuple((round(float(x) / scale, 1), round(float(y) / scale, 1)) for x, y in simple)
