"""How a Sight tile rests on its Target card: turn and bare strip, measured in the card's own millimetres.

The card's outline is taken as the square it is known to be, so that neither perspective nor a missing table
plane matters: whatever maps its four corners onto that square also says where the tile's corners are.
"""

from __future__ import annotations

import math

import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.world import Quad, Sighting

CARD_MM = (60.0, 60.0)
"""The size of cards and tiles when the deck does not say."""
FOCAL = 1.0
"""Focal length in frame widths that is assumed: between a Camera Module 3 (0.77) and a telephone's camera at 2x."""
TILE_HEIGHT_MM = 2.0
"""How far a Sight tile's top is above the card it lies on."""


class Rest(msgspec.Struct, frozen=True):
    """A tile's pose on its card: the offset of its middle, and its turn (-180 to 180 degrees, clockwise as seen)."""

    dx_mm: float
    dy_mm: float
    turn_deg: float

    @property
    def quarter(self) -> int:
        """The nearest quarter turn: 0 to 3."""
        return round(self.turn_deg / 90) % 4

    @property
    def turn_off_deg(self) -> float:
        """How far it is turned from the nearest quarter turn (signed, at most 45)."""
        return (self.turn_deg + 45) % 90 - 45

    def apart(self, other: Rest) -> tuple[float, float]:
        """Distance in mm and in degrees from another pose on the same card."""
        turn = abs((self.turn_deg - other.turn_deg + 180) % 360 - 180)
        return math.hypot(self.dx_mm - other.dx_mm, self.dy_mm - other.dy_mm), turn


def camera(plane: tuple[float, ...], size: tuple[int, int]) -> tuple[float, float, float] | None:
    """About where the camera hangs, in table millimetres (x, y, height), from the homography of the table plane.

    ``plane`` is pixels to millimetres, row by row; ``size`` the frame's width and height. The focal length is taken
    to be ``FOCAL`` frame widths (Zhang, PAMI 22, 2000, gives the rest). None for a plane that no camera can see.
    """
    mapping = np.asarray(plane, float).reshape(3, 3)
    if abs(np.linalg.det(mapping)) < 1e-12:
        return None
    focal = FOCAL * size[0]
    inside = np.array([[focal, 0, size[0] / 2], [0, focal, size[1] / 2], [0, 0, 1]])
    seen = np.linalg.inv(inside) @ np.linalg.inv(mapping)
    seen *= 2 / (np.linalg.norm(seen[:, 0]) + np.linalg.norm(seen[:, 1]))
    if seen[2, 2] < 0:
        seen = -seen
    turn = np.column_stack([seen[:, 0], seen[:, 1], np.cross(seen[:, 0], seen[:, 1])])
    left, _, right = np.linalg.svd(turn)
    place = -(left @ right).T @ seen[:, 2]
    return float(place[0]), float(place[1]), abs(float(place[2]))


def lowered(quad: Quad, above: tuple[float, float, float] | None, height: float = TILE_HEIGHT_MM) -> Quad:
    """An outline that was seen ``height`` above the table plane, where it truly is: nearer to the camera's foot."""
    if above is None or above[2] <= 4 * height:
        return quad
    k = height / above[2]
    a, b, c, d = ((x + (above[0] - x) * k, y + (above[1] - y) * k) for x, y in quad)
    return a, b, c, d


def rest(
    tile: Sighting,
    card: Sighting,
    card_mm: tuple[float, float] = CARD_MM,
    above: tuple[float, float, float] | None = None,
) -> Rest | None:
    """The pose of ``tile`` on ``card`` from their outlines (same picture); None if the card's is degenerate.

    ``above`` is where the camera hangs: a tile's top is nearer to it than its card and looks shifted outwards.
    """
    if tile.corners_mm is not None and card.corners_mm is not None:
        tile_quad, card_quad = lowered(tile.corners_mm, above), card.corners_mm
    else:
        tile_quad, card_quad = tile.corners, card.corners
    square: Quad = ((0.0, 0.0), (card_mm[0], 0.0), (card_mm[0], card_mm[1]), (0.0, card_mm[1]))
    mapping = _homography(card_quad, square)
    if mapping is None:
        return None
    homogeneous = np.column_stack([np.asarray(tile_quad, float), np.ones(4)]) @ mapping.T
    if np.any(np.abs(homogeneous[:, 2]) < 1e-9):
        return None
    corners = homogeneous[:, :2] / homogeneous[:, 2:]
    middle = corners.mean(axis=0)
    # The four sides, each turned back by its own quarter, summed: the mean direction of the tile's top side.
    sides = np.roll(corners, -1, axis=0) - corners
    along = sum(complex(*side) / 1j**index for index, side in enumerate(sides))
    if abs(along) < 1e-6:
        return None
    turn = math.degrees(math.atan2(along.imag, along.real))
    return Rest(float(middle[0] - card_mm[0] / 2), float(middle[1] - card_mm[1] / 2), turn)


def bare_mm(pose: Rest, tile_mm: tuple[float, float] = CARD_MM, card_mm: tuple[float, float] = CARD_MM) -> float:
    """The widest strip of the card that its tile leaves bare, at the middle of a side; 0 if it is all covered."""
    tile = tile_mm if pose.quarter % 2 == 0 else (tile_mm[1], tile_mm[0])
    strips = (
        abs(pose.dx_mm) + (card_mm[0] - tile[0]) / 2,
        abs(pose.dy_mm) + (card_mm[1] - tile[1]) / 2,
    )
    return max(0.0, *strips)


def centre(quad: Quad) -> tuple[float, float]:
    """The mean of the four corners."""
    return sum(p[0] for p in quad) / 4, sum(p[1] for p in quad) / 4


def side(quad: Quad) -> float:
    """The mean length of the four sides."""
    return sum(math.dist(quad[i], quad[(i + 1) % 4]) for i in range(4)) / 4


def _homography(source: Quad, target: Quad) -> NDArray[np.float64] | None:
    rows = []
    for (x, y), (u, v) in zip(source, target, strict=True):
        rows.append([x, y, 1, 0, 0, 0, -u * x, -u * y])
        rows.append([0, 0, 0, x, y, 1, -v * x, -v * y])
    wanted = np.asarray([value for point in target for value in point], float)
    try:
        found = np.linalg.solve(np.asarray(rows, float), wanted)
    except np.linalg.LinAlgError:
        return None
    return np.append(found, 1.0).reshape(3, 3)
