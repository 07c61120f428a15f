"""Hands and sleeves: solid things that have come since the table settled and reach in from the picture's edge.

Colour says nothing (any skin, any sleeve, gloves); that it *came*, is large and touches the edge does. A hand that
lies still stays a hand. The place that something has left (a "ghost") is none.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.world import Hand
from vision.light import Bytes
from vision.motion import Motion, MotionWatch, cells_of

SMALLEST = 0.004
"""Share of the picture that a hand covers at least."""

SOLID = 0.02
"""Share of it that no shadow explains."""
LEFT = 0.4
"""Share of a thing that must be left without the pieces lying in it for it to be a hand."""
PATIENCE = 900
"""Frames without any movement after which it is a thing that somebody has put there."""

BRIEFLY = 2
"""The same for something no larger than a piece."""

Side = Literal["top", "right", "bottom", "left"]


@dataclass(frozen=True, slots=True)
class Hands:
    """The hands of one frame: their outlines (pixels), all of them as one mask of small pixels (0/255), shadows and
    what they hold included, and the part of it that certainly is no shadow."""

    hands: tuple[Hand, ...]
    mask: NDArray[np.uint8]
    solid: NDArray[np.uint8]


def find(
    motion: Motion,
    watch: MotionWatch,
    side: float,
    pieces: Callable[[Bytes], Bytes | None] = lambda _blob: None,
) -> Hands:
    """The hands that a frame shows: what has come, touches the edge and is more than a shadow. ``side`` is the usual
    side of a piece in frame pixels: what is no larger and lies still is a thing. ``pieces`` shows where in
    a larger one (0/255, small pixels) pieces are known to lie openly."""
    empty = np.zeros_like(motion.solid)
    if motion.flipped or not motion.solid.any():
        return Hands((), empty, empty)
    faint = motion.faint
    if cv2.countNonZero(faint) > SMALLEST * faint.size:
        # What has left shows the table again, and must not join what has come to an arm.
        bare = cv2.morphologyEx(watch.bare(), cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
        faint = np.asarray(cv2.bitwise_and(faint, cv2.bitwise_not(bare)), np.uint8)
    joined = cv2.morphologyEx(faint, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    joined = cv2.morphologyEx(joined, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    outlines, _ = cv2.findContours(joined, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    hands, mask = [], empty.copy()
    small = 1.4 * (side * motion.scale) ** 2
    for outline in outlines:
        area = cv2.contourArea(outline)
        if area < SMALLEST * joined.size:
            continue
        edge = _side(np.asarray(outline, np.int32).reshape(-1, 2), (joined.shape[1], joined.shape[0]))
        if edge is None:
            continue
        blob = np.asarray(cv2.drawContours(empty.copy(), [outline], -1, 255, cv2.FILLED), np.uint8)
        if np.count_nonzero(blob & motion.solid) < SOLID * area or watch.ghost(blob) or _lies(motion, blob, small):
            continue
        among = pieces(blob)
        if among is not None:
            solid = np.count_nonzero(blob & motion.solid)
            blob &= ~among
            if np.count_nonzero(blob & motion.solid) < LEFT * solid:
                continue
        mask |= blob
        hands.append(Hand(_outline(outline, motion.scale), edge))
    return Hands(tuple(hands), mask, mask & motion.solid)


def _lies(motion: Motion, blob: NDArray[np.uint8], small: float) -> bool:
    """Whether a thing has lain without the least movement for longer than any hand does."""
    patience = PATIENCE if np.count_nonzero(blob) > small else BRIEFLY
    cells = cells_of(blob, (motion.still.shape[0], motion.still.shape[1])) > 0.5
    return bool(cells.any() and motion.still[cells].min() >= patience)


def _side(points: NDArray[np.int32], size: tuple[int, int]) -> Side | None:
    """The edge of the picture an outline reaches in from: the one with most of it along; None away from all."""
    width, height = size
    near: dict[Side, NDArray[np.bool_]] = {
        "left": points[:, 0] <= 1,
        "top": points[:, 1] <= 1,
        "right": points[:, 0] >= width - 2,
        "bottom": points[:, 1] >= height - 2,
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
