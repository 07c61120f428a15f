"""The table plane: from pixels to millimetres, from four markers or from pieces of known size.

Markers are ArUco 4x4_50, ids 0 to 3, black squares ``SIDE_MM`` wide, their centres on the corners of a rectangle
``WIDTH_MM`` by ``HEIGHT_MM``: 0 top-left, 1 top-right, 2 bottom-right, 3 bottom-left, each upright as seen from the
reader's side. The origin of the millimetres is the centre of marker 0; without markers it is the point of the table
straight below the camera.

A plane that has settled is held still; ``PlaneKeeper`` notices when the camera has been moved.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.world import Image, Quad

SIDE_MM = 40.0
WIDTH_MM = 600.0
HEIGHT_MM = 400.0
DICTIONARY = cv2.aruco.DICT_4X4_50
USUAL_FOCAL = 0.77
"""Focal length in picture widths of a usual camera (66 degrees across), the guess before anything is known."""

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Plane:
    """A homography from pixels to table millimetres and what it was made from.

    ``error_mm`` is the root mean square of what did not fit. ``focal`` is in pixels, where it is known.
    """

    matrix: Floats
    size: tuple[int, int]
    source: Literal["markers", "pieces", "given"]
    error_mm: float = 0.0
    centre: tuple[float, float] | None = None
    """Where the lens's axis meets the picture, in pixels; the middle of ``size`` where not given."""

    def to_mm(self, points: Sequence[Sequence[float]] | Floats) -> Floats:
        """Points (n x 2) in pixels as table millimetres."""
        return project(self.matrix, points)

    def to_pixels(self, points: Sequence[Sequence[float]] | Floats) -> Floats:
        """Points (n x 2) in table millimetres as pixels."""
        return project(np.linalg.inv(self.matrix), points)

    def row(self) -> tuple[float, ...]:
        """The nine numbers, row by row, for a Scene or a recording."""
        return tuple(float(value) for value in self.matrix.ravel())

    def moved(self, left: float, top: float) -> Plane:
        """The plane for a part of the picture that begins at ``left``, ``top``."""
        shift = np.array([[1.0, 0.0, left], [0.0, 1.0, top], [0.0, 0.0, 1.0]])
        x, y = self.middle
        return Plane(self.matrix @ shift, self.size, self.source, self.error_mm, (x - left, y - top))

    @property
    def middle(self) -> tuple[float, float]:
        """Where the lens's axis meets the picture."""
        return self.centre if self.centre is not None else (self.size[0] / 2, self.size[1] / 2)

    def camera_mm(self) -> Floats:
        """Where the camera is: x, y on the table and its height, all in mm, for square pixels and a centred lens."""
        return self._camera

    @cached_property
    def _camera(self) -> Floats:
        width = self.size[0]
        x, y = self.middle
        away = np.linalg.inv(self.matrix)
        away = np.array([[1, 0, -x], [0, 1, -y], [0, 0, 1.0]]) @ away
        focal = _focal(away, width)
        columns = np.diag([1 / focal, 1 / focal, 1.0]) @ away
        scale = 2 / (np.linalg.norm(columns[:, 0]) + np.linalg.norm(columns[:, 1]))
        across, down, offset = (columns * scale).T
        if offset[2] < 0:
            across, down, offset = -across, -down, -offset
        turn = np.column_stack([across, down, np.cross(across, down)])
        left, _, right = np.linalg.svd(turn)
        turn = left @ right
        place = -turn.T @ offset
        return np.array([place[0], place[1], abs(place[2])])


def _focal(away: Floats, width: int) -> float:
    """The focal length in pixels that makes the columns of mm -> centred pixels orthogonal and equally long; the
    usual one where the view is too steep to tell."""
    usual = USUAL_FOCAL * width
    (a, b, c), (d, e, f) = away[:, 0], away[:, 1]
    guesses = []
    if abs(c * f) > 1e-12:
        guesses.append((-(a * d + b * e) / (c * f), abs(c * f)))
    if abs(c * c - f * f) > 1e-12:
        guesses.append((-(a * a + b * b - d * d - e * e) / (c * c - f * f), abs(c * c - f * f)))
    strength = float(np.hypot(c, f) * usual / max(np.hypot(a, b), 1e-12))
    good = [(value, weight) for value, weight in guesses if value > 0]
    if strength < 0.15 or not good:
        return usual
    value = max(good, key=lambda guess: guess[1])[0] ** 0.5
    return float(value) if 0.5 * usual < value < 2.5 * usual else usual


def project(matrix: NDArray[np.floating[Any]], points: Sequence[Sequence[float]] | Floats) -> Floats:
    """Points (n x 2) through a homography."""
    flat = np.asarray(points, np.float64).reshape(-1, 2)
    lifted = np.column_stack([flat, np.ones(len(flat))]) @ matrix.T
    return np.asarray(lifted[:, :2] / lifted[:, 2:3], np.float64)


def marker_corners_mm(number: int) -> Floats:
    """The four corners (4 x 2, mm) of a marker: its own top-left, top-right, bottom-right, bottom-left."""
    centre = np.array([(0.0, 0.0), (WIDTH_MM, 0.0), (WIDTH_MM, HEIGHT_MM), (0.0, HEIGHT_MM)][number])
    return centre + SIDE_MM / 2 * np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])


_detectors: list[cv2.aruco.ArucoDetector] = []


def _detector() -> cv2.aruco.ArucoDetector:
    if not _detectors:
        parameters = cv2.aruco.DetectorParameters()
        parameters.useAruco3Detection = True
        parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
        parameters.minMarkerDistanceRate = 0.05  # by default a marker is taken for one with the edge of its paper
        _detectors.append(cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(DICTIONARY), parameters))
    return _detectors[0]


def find_markers(image: Image) -> dict[int, Floats]:
    """The corners (4 x 2, pixels) of the markers 0 to 3 in a picture, by id."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    corners, ids, _ = _detector().detectMarkers(grey)
    if ids is None:
        return {}
    found = zip(np.asarray(ids).reshape(-1), corners, strict=True)
    return {int(number): np.asarray(quad, np.float64).reshape(4, 2) for number, quad in found if 0 <= number <= 3}


def from_markers(image: Image) -> Plane | None:
    """The plane from all four markers; None unless all are seen."""
    found = find_markers(image)
    return from_marker_corners(found, (image.shape[1], image.shape[0]))


def from_marker_corners(found: dict[int, Floats], size: tuple[int, int]) -> Plane | None:
    """The plane from the corners of the four markers, by least squares."""
    if len(found) < 4:
        return None
    pixels = np.concatenate([found[number] for number in range(4)])
    places = np.concatenate([marker_corners_mm(number) for number in range(4)])
    fitted, _ = cv2.findHomography(pixels, places, 0)
    if fitted is None:
        return None
    matrix = np.asarray(fitted, np.float64)
    error = float(np.sqrt(np.mean(np.sum((project(matrix, pixels) - places) ** 2, axis=1))))
    return Plane(matrix, size, "markers", error)


def from_pieces(pieces: Sequence[tuple[Quad, tuple[float, float]]], size: tuple[int, int]) -> Plane | None:
    """The plane from pieces of known size that lie flat on the table: pairs of corners (pixels) and width, height
    (mm). A pinhole camera with square pixels is fitted by least squares: tilt, height and, where the view tells it,
    focal length. None without pieces, or when they do not fit (more than 8 % of their size off)."""
    if not pieces:
        return None
    quads = np.array([quad for quad, _ in pieces], np.float64)
    sizes = np.array([measure for _, measure in pieces], np.float64)
    pixel_side = np.mean([np.linalg.norm(q - np.roll(q, 1, axis=0), axis=1).mean() for q in quads])
    height = USUAL_FOCAL * size[0] * sizes.mean() / pixel_side
    start = np.array([0.0, 0.0, np.log(height), np.log(USUAL_FOCAL)])
    values, residual = _fit(start, quads, sizes, size)
    error = float(np.sqrt(np.mean(residual**2) * 2))
    if error > 0.08 * float(sizes.mean()):
        return None
    return Plane(pinhole(values, size), size, "pieces", error)


def pinhole(values: Floats, size: tuple[int, int]) -> Floats:
    """The homography pixels -> mm of a camera: tilt about x and y (radians), log height (mm), log focal (widths)."""
    about_x, about_y, height, focal = values[0], values[1], np.exp(values[2]), np.exp(values[3]) * size[0]
    turn_x = np.array([[1, 0, 0], [0, np.cos(about_x), -np.sin(about_x)], [0, np.sin(about_x), np.cos(about_x)]])
    turn_y = np.array([[np.cos(about_y), 0, np.sin(about_y)], [0, 1, 0], [-np.sin(about_y), 0, np.cos(about_y)]])
    centre = np.array([[1, 0, -size[0] / 2], [0, 1, -size[1] / 2], [0, 0, focal]])
    return np.asarray(np.diag([height, height, 1.0]) @ turn_y @ turn_x @ centre, np.float64)


def _residual(values: Floats, quads: Floats, sizes: Floats, size: tuple[int, int]) -> Floats:
    """How far each corner (mm) is from the best rigid placement of its rectangle, plus mild priors."""
    places = project(pinhole(values, size), quads).reshape(-1, 4, 2)
    half = sizes[:, None, :] / 2 * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    centred = places - places.mean(axis=1, keepdims=True)
    dot = np.sum(half * centred, axis=(1, 2))
    cross = np.sum(half[..., 0] * centred[..., 1] - half[..., 1] * centred[..., 0], axis=1)
    angle = np.arctan2(cross, dot)[:, None]
    turned = np.stack(
        [
            half[..., 0] * np.cos(angle) - half[..., 1] * np.sin(angle),
            half[..., 0] * np.sin(angle) + half[..., 1] * np.cos(angle),
        ],
        axis=-1,
    )
    priors = np.array([values[0] / 0.5, values[1] / 0.5, (values[3] - np.log(USUAL_FOCAL)) / 0.15])
    return np.concatenate([(centred - turned).ravel(), priors])


def _fit(start: Floats, quads: Floats, sizes: Floats, size: tuple[int, int]) -> tuple[Floats, Floats]:
    """Levenberg-Marquardt with numeric derivatives: four unknowns, a handful of pieces."""
    values, damping = start, 1e-3
    residual = _residual(values, quads, sizes, size)
    for _ in range(25):
        steps = np.eye(4) * 1e-5
        slopes = np.column_stack([(_residual(values + step, quads, sizes, size) - residual) / 1e-5 for step in steps])
        normal = slopes.T @ slopes
        change = -np.linalg.solve(normal + damping * np.diag(np.diag(normal) + 1e-9), slopes.T @ residual)
        trial = values + np.clip(change, -0.3, 0.3)
        better = _residual(trial, quads, sizes, size)
        if np.sum(better**2) < np.sum(residual**2):
            values, residual, damping = trial, better, damping / 5
            if np.abs(change).max() < 1e-6:
                break
        else:
            damping *= 8
    return values, residual[:-3]


class PlaneKeeper:
    """Holds the plane still once it has settled and notices when the camera was moved."""

    AGREE_MM = 1.5
    MOVED_MM = 5.0
    PATIENCE = 3

    def __init__(self, given: Plane | None = None) -> None:
        self.plane = given
        self.settled = given is not None
        self._last: Plane | None = None
        self._against = 0

    @property
    def doubted(self) -> bool:
        """Whether the last estimate spoke against the plane that had settled."""
        return self._against > 0

    def offer(self, found: Plane | None) -> bool:
        """A new estimate. Returns True when it shows that the camera was moved: the plane is then settled anew."""
        if found is None or (self.plane is not None and self.plane.source == "given"):
            return False
        agrees = self._last is not None and apart_mm(self._last, found) < self.AGREE_MM
        self._last = found
        if not self.settled or self.plane is None or self.plane.size != found.size:
            self.plane, self.settled = found, agrees
            return False
        if found.source == "markers" and self.plane.source == "pieces":
            self.plane = found
            return False
        if found.source == self.plane.source and apart_mm(self.plane, found) > self.MOVED_MM:
            self._against += 1
            if self._against >= self.PATIENCE:
                self.plane, self.settled, self._against = found, agrees, 0
                return True
            return False
        self._against = 0
        return False


def apart_mm(one: Plane, other: Plane) -> float:
    """How far two planes are apart at worst, over the middle two thirds of the picture."""
    width, height = one.size
    spots = [(width * x, height * y) for x in (1 / 6, 1 / 2, 5 / 6) for y in (1 / 6, 1 / 2, 5 / 6)]
    return float(np.linalg.norm(one.to_mm(spots) - other.to_mm(spots), axis=1).max())
