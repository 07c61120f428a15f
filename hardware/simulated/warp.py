"""Affine maps and sampling on float32 pictures, typed."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

from hardware.simulated.lens import Affine, Floats

_NO_MAP: Any = None
"""OpenCV's stubs want an array where it takes none."""


def affine(points: Floats, matrix: Affine) -> Floats:
    """Points (H x W x 2) through a 2x3 matrix."""
    return np.asarray(cv2.transform(points, matrix), np.float32)


def sample(image: Floats, places: Floats, outside: float | None = None) -> Floats:
    """The picture's values at places (H x W x 2, in texels); beyond its edge ``outside``, or the edge repeated."""
    if outside is None:
        found = cv2.remap(image, places, _NO_MAP, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    else:
        fill = (outside,) * 4
        found = cv2.remap(image, places, _NO_MAP, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=fill)
    return np.asarray(found, np.float32)


def enlarge(image: Floats, size: tuple[int, int]) -> Floats:
    """A picture made of every second pixel (first of each pair), drawn at full ``size`` (width, height)."""
    height, width = image.shape[:2]
    matrix = np.array([[0.5, 0, 0], [0, 0.5, 0]])
    grown = cv2.warpAffine(
        image, matrix, size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE
    )
    assert grown.shape[0] <= 2 * height and grown.shape[1] <= 2 * width
    return np.asarray(grown, np.float32)


def thrice(image: Floats) -> Floats:
    """One channel (H x W) as three equal ones."""
    return np.asarray(cv2.merge([image, image, image]), np.float32)
