"""Lay a face exactly over its picture: Gauss-Newton on light-free features, from a guess a few per cent off."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import cv2
import numpy as np

from companion.world import Image
from vision.catalog import FINE, Catalog, Face
from vision.colour import features
from vision.geometry import UNIT, Array, Matrix, carry, face_to_picture
from vision.pyramid import Pyramid


@dataclass(frozen=True)
class _Template:
    values: Array
    jacobian: Array
    weight: Array


def align(pyramid: Pyramid, corners: Array, face: Face, catalog: Catalog, rounds: int = 6) -> tuple[Array, float]:
    """Corners (in the face's order) moved so that the face fits best, and the NCC reached there.

    ``corners`` is the guess, also in the face's order. Where it does not converge the guess comes back.
    """
    template = _template(catalog, face)
    image, there, scale = pyramid.near(corners, FINE)
    guess = face_to_picture(there)
    best, best_score = guess, -1.0
    matrix = guess
    for _ in range(rounds):
        seen = _look(image, matrix) * template.weight
        norm = float(np.linalg.norm(seen))
        if norm < 1e-3:
            break
        score = float(seen @ template.values) / norm
        if score > best_score:
            best, best_score = matrix, score
        gain = score * norm
        if gain <= 1e-3:
            break
        wrong = seen / gain - template.values
        spread = 1.5 * float(np.sqrt(np.mean(wrong**2))) + 1e-6
        weight = template.weight / (1 + (wrong / spread) ** 2)
        weighted = template.jacobian * weight
        normal = weighted @ template.jacobian.T
        normal[np.diag_indices(8)] *= 1.02
        try:
            step = np.linalg.solve(normal, weighted @ wrong)
        except np.linalg.LinAlgError:
            break
        if np.abs(step).max() > 0.2:
            step *= 0.2 / np.abs(step).max()
        matrix = matrix @ np.linalg.inv(_warp(step))
        if np.abs(step).max() < 0.002:
            break
    moved = ((carry(best, UNIT) + 0.5) / scale - 0.5).astype(np.float32)
    if np.linalg.norm(moved - corners, axis=1).max() > 0.2 * float(np.linalg.norm(corners[0] - corners[2])):
        return corners, best_score
    return moved, best_score


def _look(image: Image, matrix: Matrix) -> Array:
    scale = np.array([[1 / FINE, 0, 0.5 / FINE], [0, 1 / FINE, 0.5 / FINE], [0, 0, 1]])
    crop = cv2.warpPerspective(
        image,
        matrix @ scale,
        (FINE, FINE),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return features(crop[None])[0]


def _warp(p: Array) -> Matrix:
    """The homography of a step, about the middle of the face."""
    step = np.array([[1 + p[0], p[1], p[2]], [p[3], 1 + p[4], p[5]], [p[6], p[7], 1.0]])
    middle = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1.0]])
    warped: Matrix = middle @ step @ np.linalg.inv(middle)
    return warped


def _template(catalog: Catalog, face: Face) -> _Template:
    key = ("align", face.index)
    if key not in catalog.cache:
        catalog.cache[key] = _prepare(face)
    return cast(_Template, catalog.cache[key])


def _prepare(face: Face) -> _Template:
    soft = cv2.GaussianBlur(face.art, (3, 3), 0)
    values = features(soft[None], face.mask)[0]
    norm = max(float(np.linalg.norm(values)), 1e-6)
    values = values / norm
    picture = features(soft[None])[0].reshape(3, FINE, FINE) / norm
    gy, gx = np.gradient(picture, 1 / FINE, axis=(1, 2))
    # Gradients across a hole's rim belong to no one.
    inner = cv2.erode(face.mask, np.ones((3, 3), np.uint8), borderValue=1)
    y, x = ((np.mgrid[:FINE, :FINE] + 0.5) / FINE - 0.5).astype(np.float32)
    rows = [gx * x, gx * y, gx, gy * x, gy * y, gy, -(gx * x * x + gy * x * y), -(gx * x * y + gy * y * y)]
    jacobian = np.stack([row.reshape(-1) for row in rows]).astype(np.float32)
    return _Template(values, jacobian, np.tile(inner.reshape(-1), 3))
