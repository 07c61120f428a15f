"""The same picture at halved sizes, so that a small crop is cut without aliasing from the size nearest to it."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.world import Image
from vision.geometry import Array, face_to_picture, pixels_of, places_of, rectify, sampled


class Pyramid:
    """Halves of a picture, made when first needed. Level 0 is the picture itself."""

    def __init__(self, image: Image) -> None:
        self.levels: list[Image] = [image]

    def level(self, number: int) -> Image:
        """The picture halved ``number`` times (less often if it gets too small)."""
        while len(self.levels) <= number and min(self.levels[-1].shape[:2]) > 32:
            half = cv2.resize(self.levels[-1], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
            self.levels.append(np.asarray(half, np.uint8))
        return self.levels[min(number, len(self.levels) - 1)]

    def near(self, corners: Array, size: int) -> tuple[Image, Array, float]:
        """The level in which a piece is 1 to 2 times ``size`` pixels wide, its corners there, and the scale."""
        across = math.sqrt(max(_area(corners), 1.0))
        number = max(0, math.floor(math.log2(max(across / size, 1.0)) + 0.2))
        picture = self.level(number)
        scale = picture.shape[1] / self.levels[0].shape[1]
        return picture, _to_level(corners, scale), scale

    def cut(self, corners: Array, size: int) -> Image:
        """The piece rectified to ``size`` x ``size``."""
        picture, there, _ = self.near(corners, size)
        return rectify(picture, there, size)

    def cuts(self, corners: Array, size: int) -> NDArray[np.uint8]:
        """Several pieces (n x 4 x 2) rectified: n x size x size x 3."""
        near = [self.near(quad, size) for quad in corners]
        places = places_of(np.stack([face_to_picture(there) for _, there, _ in near]), pixels_of(size))
        crops = [sampled(picture, at) for (picture, _, _), at in zip(near, places, strict=True)]
        return np.stack(crops).reshape(len(crops), size, size, 3)


def _area(corners: Array) -> float:
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = corners.tolist()
    return float(abs((cx - ax) * (dy - by) - (dx - bx) * (cy - ay))) / 2


def _to_level(corners: Array, scale: float) -> Array:
    return ((corners + 0.5) * scale - 0.5).astype(np.float32)
