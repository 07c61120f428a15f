"""What the outlines of a picture tell about each other's shape: all lie on one table, seen by one camera.

Where a piece lies, the camera shows a millimetre of table as some ellipse; over the picture that ellipse changes little
and evenly. A few outlines of known size give it, and it gives every outline its right shape: a card that peeks out from
under a tile no longer pulls the tile's outline askew, and what is far too large or small is no piece.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from vision.geometry import Array, Matrix, carry

FEWEST = 3
"""Outlines that make a ground."""
NOISE, BEND = 0.12, 0.25
"""How far an outline's ellipse is usually off (relative), and how much it may change over half a picture."""


class Ground(Protocol):
    """Knows the shape of a flat piece anywhere in the picture."""

    def laid(self, corners: Array, size: tuple[float, float]) -> Array:
        """The rectangle of that size (mm) seen where ``corners`` are, turned and placed as they are."""
        ...

    def from_corner(self, corners: Array, size: tuple[float, float]) -> Array:
        """Rectangles of that size (mm) with their first corner and side where ``corners`` (n x 4 x 2) have them."""
        ...


@dataclass(frozen=True)
class Ellipses:
    """A ground learned from outlines: the metric (xx, xy, yy in px^2 / mm^2) as a linear function of the place."""

    middle: Array
    half: float
    terms: NDArray[np.float64]
    """3 x 3: for each of xx, xy, yy the value in the middle, the change over ``half`` pixels to the right, and down."""

    def metric(self, at: Array) -> Matrix:
        """The 2 x 2 metric at a point of the picture."""
        xx, xy, yy = self._metric(*at.tolist())
        return np.array([[xx, xy], [xy, yy]])

    @cached_property
    def _plain(self) -> tuple[list[float], list[list[float]]]:
        return self.middle.tolist(), self.terms.tolist()

    def _metric(self, right: float, down: float) -> tuple[float, float, float]:
        (middle_x, middle_y), (for_xx, for_xy, for_yy) = self._plain
        x, y = (right - middle_x) / self.half, (down - middle_y) / self.half
        xx = for_xx[0] + for_xx[1] * x + for_xx[2] * y
        xy = for_xy[0] + for_xy[1] * x + for_xy[2] * y
        yy = for_yy[0] + for_yy[1] * x + for_yy[2] * y
        # Far from all pieces the line may leave what is possible.
        least = 0.1 * (for_xx[0] + for_yy[0]) / 2
        xx, yy = max(xx, least), max(yy, least)
        most = 0.9 * math.sqrt(xx * yy)
        return xx, min(max(xy, -most), most), yy

    def _area(self, right: float, down: float) -> float:
        """Square of the pixels that a square millimetre makes."""
        xx, xy, yy = self._metric(right, down)
        return xx * yy - xy * xy

    def laid(self, corners: Array, size: tuple[float, float]) -> Array:
        """See ``Ground``."""
        # Plain numbers: this is asked for every piece, and numpy's calls would cost more than their arithmetic.
        x, y = corners.mean(axis=0).tolist()
        (right_x, down_x), (right_y, down_y) = _nearest_axes(_root_of(*self._metric(x, y)), corners, size)
        step = 0.05 * self.half
        across = math.log(self._area(x + step, y) / self._area(x - step, y)) / (4 * step)
        below = math.log(self._area(x, y + step) / self._area(x, y - step)) / (4 * step)
        # The area shrinks with the third power of the distance.
        bend_right, bend_down = -(right_x * across + right_y * below) / 3, -(down_x * across + down_y * below) / 3
        points = []
        for u, v in ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)):
            far = 1 + u * bend_right + v * bend_down
            points.append(((u * right_x + v * down_x) / far, (u * right_y + v * down_y) / far))
        off_x, off_y = x - sum(px for px, _ in points) / 4, y - sum(py for _, py in points) / 4
        return np.array([(px + off_x, py + off_y) for px, py in points], np.float32)

    def from_corner(self, corners: Array, size: tuple[float, float]) -> Array:
        """See ``Ground``."""
        roots = np.stack([_root(self.metric(quad[0])) for quad in corners])
        along = np.linalg.solve(roots, (corners[:, 1] - corners[:, 0]).astype(np.float64)[..., None])[..., 0]
        return (corners[:, :1] + _squared(along, size) @ roots).astype(np.float32)  # roots are symmetric


@dataclass(frozen=True)
class Flat:
    """A ground that is known: the homography from pixels to millimetres."""

    matrix: Matrix

    def laid(self, corners: Array, size: tuple[float, float]) -> Array:
        """See ``Ground``."""
        placed = carry(self.matrix, corners)
        half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(size) / 2
        middle = placed.mean(axis=0)
        about = placed - middle
        angle = np.arctan2((half[:, 0] * about[:, 1] - half[:, 1] * about[:, 0]).sum(), (half * about).sum())
        c, s = np.cos(angle), np.sin(angle)
        return carry(np.linalg.inv(self.matrix), half @ np.array([[c, s], [-s, c]]) + middle)

    def from_corner(self, corners: Array, size: tuple[float, float]) -> Array:
        """See ``Ground``."""
        placed = carry(self.matrix, corners.reshape(-1, 2)).reshape(-1, 4, 2)
        ideal = placed[:, :1] + _squared(placed[:, 1] - placed[:, 0], size)
        return carry(np.linalg.inv(self.matrix), ideal.reshape(-1, 2)).reshape(-1, 4, 2)


def _root(metric: Matrix) -> Matrix:
    """The symmetric square root of a 2 x 2 metric."""
    (a, b), (_, d) = metric.tolist()
    xx, xy, yy = _root_of(a, b, d)
    return np.array([[xx, xy], [xy, yy]])


def _root_of(xx: float, xy: float, yy: float) -> tuple[float, float, float]:
    step = math.sqrt(xx * yy - xy * xy)
    scale = 1 / math.sqrt(xx + yy + 2 * step)
    return (xx + step) * scale, xy * scale, (yy + step) * scale


def _nearest_axes(
    root: tuple[float, float, float], corners: Array, size: tuple[float, float]
) -> tuple[tuple[float, float], tuple[float, float]]:
    """The sides (as columns: along its width, along its height) of a rectangle on the ground, turned as ``corners``."""
    xx, xy, yy = root
    wide, tall = size
    a, b, c, d = _axes_of(corners, size)
    # On the ground, up to a factor, these are a pair that is nearly square; the turn nearest to them is wanted.
    a, c = yy * a - xy * c, xx * c - xy * a
    b, d = yy * b - xy * d, xx * d - xy * b
    far = max(math.hypot(a + d, c - b), 1e-12)
    cosine, sine = (a + d) / far, (c - b) / far
    return (
        ((xx * cosine + xy * sine) * wide, (xy * cosine - xx * sine) * tall),
        ((xy * cosine + yy * sine) * wide, (yy * cosine - xy * sine) * tall),
    )


def _squared(along: NDArray[np.floating], size: tuple[float, float]) -> NDArray[np.float64]:
    """Rectangles (n x 4 x 2) from the origin along the directions (n x 2), clockwise."""
    u = along / np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-9)
    right, down = u * size[0], np.stack([-u[:, 1], u[:, 0]], axis=1) * size[1]
    return np.stack([np.zeros_like(right), right, right + down, down], axis=1)


def _axes(corners: Array, size: tuple[float, float]) -> Matrix:
    """Pixels (as columns) that a millimetre along the piece's width and height makes."""
    return np.array(_axes_of(corners, size)).reshape(2, 2)


def _axes_of(corners: Array, size: tuple[float, float]) -> tuple[float, float, float, float]:
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = corners.tolist()
    wide, tall = 2 * size[0], 2 * size[1]
    return (
        (bx - ax + cx - dx) / wide,
        (dx - ax + cx - bx) / tall,
        (by - ay + cy - dy) / wide,
        (dy - ay + cy - by) / tall,
    )


def learn(
    outlines: list[tuple[Array, tuple[float, float]]], shape: tuple[int, ...], fewest: int = FEWEST
) -> Ellipses | None:
    """The ground from outlines (corners in the face's order, size in mm) in a picture of that shape.

    Outlines that disagree with the rest hardly count. None when there are fewer than ``fewest`` or most disagree.
    """
    if len(outlines) < fewest:
        return None
    axes = [_axes(corners, size) for corners, size in outlines]
    metrics = np.array([[m[0, 0], m[0, 1], m[1, 1]] for m in (a @ a.T for a in axes)])
    middle = np.array([shape[1], shape[0]]) / 2
    half = max(shape[:2]) / 2
    places = np.array([corners.mean(axis=0) for corners, _ in outlines])
    basis = np.column_stack([np.ones(len(places)), (places - middle) / half])
    typical = float(np.median(metrics[:, 0] + metrics[:, 2])) / 2
    terms = np.zeros((3, 3))
    terms[:, 0] = np.median(metrics, axis=0)
    stiff = np.diag([0.0, (NOISE / BEND) ** 2, (NOISE / BEND) ** 2])
    weight = np.ones(len(places))
    for _ in range(6):
        off = np.linalg.norm(metrics - basis @ terms.T, axis=1) / typical
        weight = 1 / (1 + (off / NOISE) ** 2) ** 2
        if weight.sum() < 0.3 * fewest:
            return None
        normal = (basis.T * weight) @ basis + stiff
        terms = np.linalg.solve(normal, (basis.T * weight) @ metrics).T
    if (weight > 0.2).sum() < fewest:
        return None
    return Ellipses(middle, half, terms)
