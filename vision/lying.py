"""Large still things at the picture's edge: a hand that rests there, or pieces that came together?

Cards laid close to each other at the edge of the picture look like one big thing that reaches in, as an arm does.
They are told by being read: what is surely named lies under no hand.
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

BRIEFLY = 1
"""Still frames after which a thing is looked at; and again after twice as many."""
SHADOW = 3
"""Small pixels around a piece that its shadow may darken."""
ALIKE = 0.8
"""Share of their cells that two things have in common when they are one."""
SURE = 0.9
ROOM = 4
"""Small pixels around a thing that are read with it."""

Look = Callable[[Box], Sequence[Sighting]]


@dataclass
class _Looked:
    cells: Mask
    since: int
    pieces: NDArray[np.uint8]


class StillThings:
    """What has been found out about things that lie still."""

    def __init__(self) -> None:
        self._looked: list[_Looked] = []

    def pieces(self, blob: NDArray[np.uint8], motion: Motion, look: Look) -> NDArray[np.uint8] | None:
        """The pieces that lie openly within a thing (both 0/255, small pixels), so that no hand is there; None for
        none. ``look`` reads a box of the frame."""
        cells = cells_of(blob, (motion.still.shape[0], motion.still.shape[1])) > 0.5
        since = int(motion.still[cells].min()) if cells.any() else 0
        self._looked = [old for old in self._looked if motion.still[old.cells].min() > 0]
        if since < BRIEFLY:
            return None
        old = next((old for old in self._looked if _alike(old.cells, cells)), None)
        if old is None:
            old = _Looked(cells, 0, np.zeros_like(blob))
            self._looked.append(old)
        if since >= 2 * old.since:
            old.since = since
            old.pieces = _drawn(look(_box(blob, motion.scale)), blob, motion.scale)
        return old.pieces if old.pieces.any() else None


def _alike(one: Mask, other: Mask) -> bool:
    return bool((one & other).sum() > ALIKE * (one | other).sum())


def _box(blob: NDArray[np.uint8], scale: float) -> Box:
    """The frame pixels around a thing, with room for its edges."""
    x, y, width, height = cv2.boundingRect(blob)
    left, top = max(0, int((x - ROOM) / scale)), max(0, int((y - ROOM) / scale))
    right, bottom = min(x + width + ROOM, blob.shape[1]), min(y + height + ROOM, blob.shape[0])
    return left, top, int(right / scale), int(bottom / scale)


def _drawn(seen: Sequence[Sighting], blob: NDArray[np.uint8], scale: float) -> NDArray[np.uint8]:
    """Pieces that are surely seen, with their shadows."""
    drawn = np.zeros_like(blob)
    for sighting in seen:
        if sighting.kind is not None and sighting.confidence >= SURE:
            cv2.fillConvexPoly(drawn, np.round(np.array(sighting.corners) * scale).astype(np.int32), 255)
    return np.asarray(cv2.dilate(drawn, np.ones((2 * SHADOW + 1, 2 * SHADOW + 1), np.uint8)), np.uint8)
