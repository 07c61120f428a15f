"""Where a point over the table is seen in the picture, and which point of the table a pixel sees.

The world is (x, y, height) in table millimetres. For every pixel ``ground`` holds the point of the table's plane
that it sees. Seen through one fixed camera, the point on any other plane of constant height, in the frame of any
piece and even along any ray to a lamp is an *affine* function of that: ``X_z = X_0 (1 - k) + C k`` with ``k`` the
height over the camera's. So all drawing works on ``ground`` with one 2x3 matrix a plane, exactly.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Affine = NDArray[np.float64]
"""A 2x3 matrix."""
_STEP = 8


def turn_matrix(degrees: float) -> NDArray[np.float64]:
    """The 2x2 matrix that turns clockwise as seen (x towards y)."""
    a = math.radians(degrees)
    return np.array([[math.cos(a), -math.sin(a)], [math.sin(a), math.cos(a)]])


@dataclass(frozen=True)
class Lens:
    """A camera over the table: focal length in pixels, where it hangs (mm), how it is turned, its distortion."""

    size: tuple[int, int]
    focal: float
    centre: tuple[float, float, float]
    rotation: NDArray[np.float64]
    k1: float = 0.0
    k2: float = 0.0

    @cached_property
    def ground(self) -> Floats:
        """The point of the table's plane that each pixel sees: H x W x 2, mm."""
        return self._ground()

    @cached_property
    def half(self) -> Floats:
        """``ground`` of every second pixel."""
        return np.ascontiguousarray(self.ground[::2, ::2])

    @property
    def middle(self) -> tuple[float, float]:
        """The picture's principal point in pixels."""
        return (self.size[0] - 1) / 2, (self.size[1] - 1) / 2

    def project(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Pixels (N x 2) of world points (N x 3)."""
        world = np.asarray(points, float).reshape(-1, 3) - self.centre
        world[:, 2] *= -1
        seen = world @ self.rotation.T
        xy = seen[:, :2] / seen[:, 2:]
        r2 = (xy * xy).sum(1, keepdims=True)
        return np.asarray(xy * (1 + self.k1 * r2 + self.k2 * r2 * r2) * self.focal + self.middle)

    def at_height(self, z: float) -> Affine:
        """From a point of ``ground`` to the point that the same ray passes at height ``z``."""
        k = z / self.centre[2]
        return np.array([[1 - k, 0, self.centre[0] * k], [0, 1 - k, self.centre[1] * k]])

    def local(self, x: float, y: float, turn_deg: float, z: float) -> Affine:
        """From ``ground`` to a piece's own millimetres (x, y from its middle, upright) on the plane at ``z``."""
        return then(self.at_height(z), into(x, y, turn_deg))

    def toward(self, lamp: tuple[float, float, float], low: float, high: float) -> Affine:
        """From ``ground`` to where the ray from the point seen at height ``low`` to the lamp passes ``high``."""
        s = (high - low) / (lamp[2] - low)
        return then(self.at_height(low), np.array([[1 - s, 0, lamp[0] * s], [0, 1 - s, lamp[1] * s]]))

    def scale(self, x: float, y: float, z: float = 0.0) -> float:
        """Pixels a millimetre around a world point (the geometric mean of both directions)."""
        p = self.project(np.array([[x, y, z], [x + 1, y, z], [x, y + 1, z]]))
        (ax, ay), (bx, by) = p[1] - p[0], p[2] - p[0]
        return math.sqrt(abs(ax * by - ay * bx))

    def _ground(self) -> Floats:
        width, height = self.size
        columns, rows = math.ceil(width / _STEP) + 1, math.ceil(height / _STEP) + 1
        u, v = np.meshgrid(np.arange(columns) * float(_STEP), np.arange(rows) * float(_STEP))
        distorted = (np.stack([u, v], -1) - self.middle) / self.focal
        xy = distorted.copy()
        for _ in range(12):
            r2 = (xy * xy).sum(-1, keepdims=True)
            xy = distorted / (1 + self.k1 * r2 + self.k2 * r2 * r2)
        rays = np.concatenate([xy, np.ones((*xy.shape[:2], 1))], -1) @ self.rotation
        coarse = np.asarray(self.centre[:2]) + rays[..., :2] / rays[..., 2:] * self.centre[2]
        x, y = np.meshgrid(np.arange(width, dtype=np.float32) / _STEP, np.arange(height, dtype=np.float32) / _STEP)
        return np.asarray(cv2.remap(coarse.astype(np.float32), x, y, cv2.INTER_LINEAR), np.float32)


def hang(
    size: tuple[int, int],
    *,
    pixels_per_mm: float,
    height_mm: float,
    tilt_deg: float,
    tilt_to_deg: float,
    roll_deg: float = 0.0,
    k1: float = 0.0,
    k2: float = 0.0,
) -> Lens:
    """A camera ``height_mm`` over the table, looking at its origin with that scale, ``tilt_deg`` off vertical."""
    tilt, to = math.radians(tilt_deg), math.radians(tilt_to_deg)
    axis = np.array([math.cos(to), math.sin(to), 0.0]) * tilt
    tilted = np.asarray(cv2.Rodrigues(axis)[0], float)
    rolled = np.asarray(cv2.Rodrigues(np.array([0, 0, math.radians(roll_deg)]))[0], float)
    rotation = rolled @ tilted
    look = rotation.T @ np.array([0.0, 0.0, 1.0])
    x, y = -look[:2] / look[2] * height_mm
    distance = height_mm / look[2]
    return Lens(size, pixels_per_mm * distance, (float(x), float(y), height_mm), rotation, k1, k2)


def into(x: float, y: float, turn_deg: float) -> Affine:
    """From table millimetres to those of a thing with its middle at (x, y) and turned by ``turn_deg``."""
    back = turn_matrix(-turn_deg)
    return np.hstack([back, -(back @ np.array([[x], [y]]))])


def then(first: Affine, second: Affine) -> Affine:
    """The affine map that does ``first`` and then ``second``."""
    return np.hstack([second[:, :2] @ first[:, :2], second[:, :2] @ first[:, 2:] + second[:, 2:]])


def outline(x: float, y: float, turn_deg: float, width: float, height: float, z: float = 0.0) -> NDArray[np.float64]:
    """The four corners (4 x 3 world points) of an upright-is-``turn_deg`` rectangle, top-left first, clockwise."""
    local = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (width / 2, height / 2)
    flat = local @ turn_matrix(turn_deg).T + (x, y)
    return np.hstack([flat, np.full((4, 1), z)])
