"""What a piece's place looked like when it was read, to notice that it is not there any more.

Whatever the masks of change say (a hand went at the wrong moment, the light jumped), a piece is there only as long as
its place looks as it did: a few pixels, compared without their light.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.world import Image

SIDE = 12
"""Pixels a side of a portrait."""
BLAND = 6.0
"""Contrast (of 255) below which a portrait shows nothing that could be compared."""

Portrait = NDArray[np.float32]


def portrait(picture: Image, quad: NDArray[np.float64]) -> Portrait:
    """The place under a quad (4 x 2 pixels of ``picture``), SIDE x SIDE, each colour without its mean."""
    square = np.array([(0, 0), (SIDE, 0), (SIDE, SIDE), (0, SIDE)], np.float32) - np.float32(0.5)
    matrix = cv2.getPerspectiveTransform(square, quad.astype(np.float32))
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    patch = cv2.warpPerspective(picture, matrix, (SIDE, SIDE), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    values = patch.reshape(-1, 3).astype(np.float32)
    return np.asarray(values - values.mean(axis=0), np.float32)


def alike(one: Portrait, other: Portrait) -> float:
    """Correlation (-1 to 1) of two portraits; 1 when neither shows anything."""
    contrast = max(float(one.std()), float(other.std()))
    if contrast < BLAND:
        return 1.0
    lengths = float(np.linalg.norm(one) * np.linalg.norm(other))
    return float((one * other).sum()) / max(lengths, BLAND * BLAND * one.size / 4)
