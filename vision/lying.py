"""Large still things at the picture's edge: a hand that rests there, or pieces that came together?

Cards laid close to each other at the edge of the picture look like one big thing that reaches in, as an arm does.
They are told by being read: a hand is none of the deck's pieces.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.world import Sighting
from vision.light import Mask
from vision.motion import Motion, cells_of
from vision.regions import Box

BRIEFLY = 2
"""Still frames after which a thing is looked at; and again after twice as many."""
FILLED = 0.6
"""Share of a thing, shadows left out, that pieces must fill for it to be pieces."""
ALIKE = 0.8
"""Share of their cells that two things have in common when they are one."""
SURE = 0.9
ROOM = 4
"""Small pixels around a thing that are read with it."""

Look = Callable[[Box], Sequence[Sighting]]


@dataclass
class _Judged:
    cells: Mask
    since: int
    pieces: bool


class StillThings:
    """What has been found out about things that lie still."""

    def __init__(self) -> None:
        self._judged: list[_Judged] = []

    def are_pieces(self, blob: NDArray[np.uint8], motion: Motion, look: Look) -> bool:
        """Whether a thing (0/255, small pixels) is pieces of the deck; ``look`` reads a box of the frame."""
        cells = cells_of(blob, (motion.still.shape[0], motion.still.shape[1])) > 0.5
        since = int(motion.still[cells].min()) if cells.any() else 0
        self._judged = [old for old in self._judged if motion.still[old.cells].min() > 0]
        if since < BRIEFLY:
            return False
        old = next((old for old in self._judged if _alike(old.cells, cells)), None)
        if old is None:
            old = _Judged(cells, 0, False)
            self._judged.append(old)
        if not old.pieces and since >= 2 * old.since:
            old.since = since
            old.pieces = _filled(blob & motion.solid, look(_box(blob, motion.scale)), motion.scale)
        return old.pieces


def _alike(one: Mask, other: Mask) -> bool:
    return bool((one & other).sum() > ALIKE * (one | other).sum())


def _box(blob: NDArray[np.uint8], scale: float) -> Box:
    """The frame pixels around a thing, with room for its edges."""
    x, y, width, height = cv2.boundingRect(blob)
    left, top = max(0, int((x - ROOM) / scale)), max(0, int((y - ROOM) / scale))
    return (
        left,
        top,
        int(min(x + width + ROOM, blob.shape[1]) / scale),
        int(min(y + height + ROOM, blob.shape[0]) / scale),
    )


def _filled(solid: NDArray[np.uint8], seen: Sequence[Sighting], scale: float) -> bool:
    covered = np.zeros_like(solid)
    for sighting in seen:
        if sighting.kind is not None and sighting.confidence >= SURE:
            cv2.fillConvexPoly(covered, np.round(np.array(sighting.corners) * scale).astype(np.int32), 255)
    return cv2.countNonZero(solid & covered) > FILLED * max(cv2.countNonZero(solid), 1)
