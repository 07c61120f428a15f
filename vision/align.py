"""Lay a face exactly over its picture: Gauss-Newton on light-free features, from a guess some per cent off."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.world import Image
from vision.catalog import FINE, Catalog, Face, inner
from vision.colour import compress, planes
from vision.geometry import UNIT, Array, Matrix, carry, crop_to_face, face_to_picture, warped
from vision.pyramid import Pyramid

ROUGH, EXACT = 40, FINE
"""Crop sizes: rough finds its way from afar, exact settles."""
ROUNDS = {ROUGH: 6, EXACT: 4}
SOFT = {ROUGH: 0.8, EXACT: 0.8}
LEAST_ALIKE = 0.5
ENOUGH = 0.003
"""A stage ends when no term of the step is larger."""
FREE = np.array([0.2, 0.2, 0.2, 0.08, 0.06, 0.06, 0.03, 0.03])
"""How far a guess usually is off: shift right and down (sides), spin (radians), growth, stretch, shear, perspective."""
RIGID = np.array([0.2, 0.2, 0.2, 0.02, 0.01, 0.01, 0.01, 0.01])
"""The same for a guess whose shape is known."""
ALIKE = 12.0
"""How many neighbouring values of a crop tell the same."""


@dataclass(frozen=True)
class _Template:
    values: Array
    jacobian: Array
    inside: NDArray[np.intp]
    """Which pixels of the crop the mask lets through: the others are nowhere here."""
    basis: Array
    """Constant and slopes within the mask, orthonormal."""
    pixels: int
    """Values of a whole crop."""
    aspect: float


def align(
    pyramid: Pyramid, corners: Array, face: Face, catalog: Catalog, size: int = EXACT, *, rigid: bool = False
) -> tuple[Array, float]:
    """Corners (in the face's order) moved so that the face fits best, and the NCC reached there.

    ``corners`` is the guess, also in the face's order. ``rigid`` is for a guess whose shape is already about right.
    Where it does not converge the guess comes back.
    """
    image, there, scale = pyramid.near(corners, size)
    matrix, score = _stage(image, face_to_picture(there), _template(catalog, face, size), size, rigid)
    moved = ((carry(matrix, UNIT) + 0.5) / scale - 0.5).astype(np.float32)
    if ((moved - corners) ** 2).sum(axis=1).max() > 0.04 * ((corners[0] - corners[2]) ** 2).sum():
        return corners, score
    return moved, score


def prepare_alignment(catalog: Catalog, face: Face) -> None:
    """Make what ``align`` needs of a face before it is met."""
    _template(catalog, face, ROUGH)
    if face.piece.holes:
        _template(catalog, face, EXACT)


def _stage(image: Image, matrix: Matrix, template: _Template, size: int, rigid: bool) -> tuple[Matrix, float]:
    best, best_score = matrix, -1.0
    prior = 1 / (RIGID if rigid else FREE) ** 2
    taken = np.zeros(8)
    weighted = np.empty_like(template.jacobian)
    for number in range(ROUNDS[size] + 1):
        seen = _look(image, matrix, size, template)
        norm = math.sqrt(seen @ seen)
        if norm < 1e-3:
            break
        score = float(seen @ template.values) / norm
        if score > best_score:
            best, best_score = matrix, score
        if number == ROUNDS[size]:
            break
        # Where little is alike yet, scaling the picture up to the face would only blow up what is wrong.
        gain = max(score, LEAST_ALIKE) * norm
        wrong = seen / gain - template.values
        noise = float(wrong @ wrong) / template.pixels + 1e-9
        np.divide(template.jacobian, ALIKE * noise + (ALIKE / 2.25) * wrong**2, out=weighted)
        normal = weighted @ template.jacobian.T
        normal.flat[::9] += prior
        step = np.linalg.solve(normal, weighted @ wrong - prior * taken)
        step *= min(1.0, 0.2 / max(float(np.abs(step).max()), 1e-9))
        taken += step
        matrix = matrix @ np.linalg.inv(_warp(step, template.aspect))
        if np.abs(step).max() < ENOUGH:
            break
    return best, best_score


def _look(image: Image, matrix: Matrix, size: int, template: _Template) -> Array:
    crop = warped(image, matrix @ crop_to_face(size, size), (size, size))
    return _level(compress(crop.reshape(-1, 3)[template.inside]).T, template.basis)


def _level(values: Array, basis: Array) -> Array:
    """Values (channels x pixels) without their mean and slope, as one row."""
    level: Array = np.ascontiguousarray(values, np.float32)
    return (level - (level @ basis.T) @ basis).reshape(-1)


_MIDDLE = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1.0]])
_BACK = np.array([[1, 0, -0.5], [0, 1, -0.5], [0, 0, 1.0]])


def _warp(step: Array, aspect: float) -> Matrix:
    """The homography of a step, about the middle of the face. Spin and shear are those of the piece, not the square."""
    x, y, spin, growth, stretch, shear, across, along = step.tolist()
    warp = np.array(
        [
            [1 + growth + stretch, (shear - spin) / aspect, x],
            [(shear + spin) * aspect, 1 + growth - stretch, y],
            [across, along, 1.0],
        ]
    )
    about: Matrix = _MIDDLE @ warp @ _BACK
    return about


def _template(catalog: Catalog, face: Face, size: int) -> _Template:
    key = ("align", face.index, size)
    if key not in catalog.cache:
        catalog.cache[key] = _prepare(face, size)
    return cast(_Template, catalog.cache[key])


def _prepare(face: Face, size: int) -> _Template:
    art = face.art if size == FINE else cv2.resize(face.art, (size, size), interpolation=cv2.INTER_AREA)
    shown = cv2.resize(face.mask, (size, size), interpolation=cv2.INTER_AREA)
    # The rim is left out: what lies beyond it is not known, and a dark border against a pale table outweighs all else.
    mask = np.asarray((shown > 0.99) * inner(size), np.float32)
    # What is next to a hole's rim belongs to no one.
    mask = np.asarray(cv2.erode(mask, np.ones((3, 3), np.uint8), borderValue=1), np.float32).reshape(-1)
    inside = np.flatnonzero(mask)
    q, _ = np.linalg.qr(planes(size)[:, inside].T)
    basis = np.ascontiguousarray(q.T, np.float32)
    soft = compress(np.asarray(cv2.GaussianBlur(art, (0, 0), SOFT[size]), np.uint8))
    values = _level(soft.reshape(-1, 3)[inside].T, basis)
    norm = max(float(np.linalg.norm(values)), 1e-6)
    gy, gx = np.gradient(soft.transpose(2, 0, 1) / norm, 1 / size, axis=(1, 2))
    y, x = ((np.mgrid[:size, :size] + 0.5) / size - 0.5).astype(np.float32)
    to_right, to_below = gx * y / face.aspect, gy * x * face.aspect
    rows = [
        gx,
        gy,
        to_below - to_right,
        gx * x + gy * y,
        gx * x - gy * y,
        to_below + to_right,
        -(gx * x * x + gy * x * y),
        -(gx * x * y + gy * y * y),
    ]
    jacobian = np.stack([_level(row.reshape(3, -1)[:, inside], basis) for row in rows])
    return _Template(values / norm, jacobian, inside, basis, 3 * size * size, face.aspect)
