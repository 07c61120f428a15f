"""Quads and the maps between a piece's face and a picture.

Face coordinates are fractions of the face: (0, 0) its top left corner, (1, 1) its bottom right. Quads are arrays of
four points in pixels, in the order of the face's own top left, top right, bottom right, bottom left, clockwise as
displayed (a face is never seen mirrored).
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.world import Quad

Array: TypeAlias = NDArray[np.floating[Any]]
Matrix: TypeAlias = NDArray[np.floating[Any]]

UNIT = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
_TURNS = [(np.arange(4) + turn) % 4 for turn in range(4)]


def to_quad(corners: Array | Matrix) -> Quad:
    """Four corners as plain tuples of floats."""
    a, b, c, d = ((float(x), float(y)) for x, y in np.asarray(corners).reshape(4, 2))
    return (a, b, c, d)


def from_quad(quad: Quad) -> Array:
    """Plain tuples as a 4 x 2 array."""
    return np.asarray(quad, np.float32).reshape(4, 2)


def area(corners: Array) -> float:
    """Signed area of a polygon in square pixels; positive when its corners run clockwise as displayed."""
    return float(cv2.contourArea(np.ascontiguousarray(corners, np.float32), oriented=True))


def sides(corners: Array) -> Array:
    """Lengths of the four sides: top, right, bottom, left."""
    along = corners[_TURNS[1]] - corners
    lengths: Array = np.hypot(along[:, 0], along[:, 1]).astype(np.float32)
    return lengths


def clockwise(corners: Array) -> Array:
    """The same quad with its corners in clockwise order as displayed."""
    return corners if area(corners) > 0 else corners[::-1].copy()


def turned(corners: Array, turn: int) -> Array:
    """The corners of a face turned clockwise by ``turn`` quarter turns within the same outline."""
    return corners[_TURNS[turn % 4]]


def face_to_picture(corners: Array) -> Matrix:
    """The homography from face coordinates to pixels."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = corners.tolist()
    ux, uy, vx, vy = bx - cx, by - cy, dx - cx, dy - cy
    sx, sy = ax - bx + cx - dx, ay - by + cy - dy
    cross = ux * vy - vx * uy
    g, h = ((sx * vy - vx * sy) / cross, (ux * sy - sx * uy) / cross) if cross else (0.0, 0.0)
    return np.array([[bx - ax + g * bx, dx - ax + h * dx, ax], [by - ay + g * by, dy - ay + h * dy, ay], [g, h, 1.0]])


@cache
def crop_to_face(width: int, height: int) -> Matrix:
    """From the pixels of a crop to face coordinates: 0 is the left edge of the first pixel, hence the half pixels."""
    return np.array([[1 / width, 0, 0.5 / width], [0, 1 / height, 0.5 / height], [0, 0, 1]])


def carry(matrix: Matrix, points: Array | Matrix) -> Array:
    """Points (n x 2) through a homography."""
    points = np.asarray(points, np.float64).reshape(-1, 2)
    mapped = points @ matrix[:, :2].T + matrix[:, 2]
    moved: Array = (mapped[:, :2] / mapped[:, 2:]).astype(np.float32)
    return moved


def overlap(first: Array, second: Array) -> float:
    """Intersection over union of two convex quads, 0 to 1."""
    if not boxes_meet(first, second):
        return 0.0
    shared, _ = cv2.intersectConvexConvex(np.ascontiguousarray(first), np.ascontiguousarray(second))
    union = abs(area(first)) + abs(area(second)) - shared
    return float(shared / union) if union > 0 else 0.0


def shared_of_smaller(first: Array, second: Array) -> float:
    """The part of the smaller quad that lies in the other, 0 to 1."""
    if not boxes_meet(first, second):
        return 0.0
    shared, _ = cv2.intersectConvexConvex(np.ascontiguousarray(first), np.ascontiguousarray(second))
    smaller = min(abs(area(first)), abs(area(second)))
    return float(shared / smaller) if smaller > 0 else 0.0


def boxes_meet(first: Array, second: Array) -> bool:
    """Whether the upright bounding boxes of two quads overlap."""
    xs, ys = zip(*first.tolist(), strict=True)
    xs_too, ys_too = zip(*second.tolist(), strict=True)
    return bool(min(xs) < max(xs_too) and min(xs_too) < max(xs) and min(ys) < max(ys_too) and min(ys_too) < max(ys))


def is_convex(corners: Array) -> bool:
    """Whether the four corners, clockwise, make a convex quad with no corner near 0 or 180 degrees."""
    points = corners.tolist()
    for k in range(4):
        (ax, ay), (bx, by), (cx, cy) = points[k - 2], points[k - 1], points[k]
        ux, uy, vx, vy = bx - ax, by - ay, cx - bx, cy - by
        if ux * vy - uy * vx <= 0.35 * math.hypot(ux, uy) * math.hypot(vx, vy):
            return False
    return True


def rectify(image: NDArray[np.uint8], corners: Array, size: int | tuple[int, int]) -> NDArray[np.uint8]:
    """The piece cut out upright: ``size`` pixels (width, height) from edge to edge."""
    width, height = (size, size) if isinstance(size, int) else size
    return warped(image, face_to_picture(corners) @ crop_to_face(width, height), (width, height))


def warped(image: NDArray[np.uint8], matrix: Matrix, size: tuple[int, int]) -> NDArray[np.uint8]:
    """A crop of ``size`` (width, height); ``matrix`` leads from its pixels to those of ``image``."""
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpPerspective(image, matrix, size, flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def sampled(image: NDArray[np.uint8], places: Array) -> NDArray[np.uint8]:
    """The colours (n x 3) at places (2 x n, float32 pixels); for some hundred much cheaper than a warp."""
    seen = cv2.remap(image, places[0], places[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, np.uint8).reshape(-1, 3)


def places_of(matrices: Matrix, points: Array) -> Array:
    """Where homographies (k x 3 x 3) take points (3 x n or k x 3 x n, the last row ones): k x 2 x n."""
    mapped = matrices.astype(np.float32) @ points
    places: Array = mapped[:, :2] / mapped[:, 2:]
    return places


@cache
def pixels_of(size: int) -> NDArray[np.float32]:
    """The face coordinates of a crop's pixels, 3 x size * size, the last row ones."""
    across = (np.arange(size, dtype=np.float32) + 0.5) / size
    return np.stack([np.tile(across, size), np.repeat(across, size), np.ones(size * size, np.float32)])
