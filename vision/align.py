"""Lay faces exactly over their pictures: Gauss-Newton on light-free features, from guesses some per cent off.

All pieces of a picture are laid at once: for one alone numpy's calls would cost more than their arithmetic.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.world import Image
from vision.catalog import FINE, Catalog, Face, inner
from vision.colour import compress, planes
from vision.geometry import UNIT, Array, Matrix, face_to_picture, pixels_of, places_of, sampled
from vision.pyramid import Pyramid

ROUGH, EXACT = 40, FINE
"""Crop sizes: rough finds its way from afar, exact settles."""
ROUNDS = {ROUGH: 6, EXACT: 4}
SAMPLED = {ROUGH: 400, EXACT: 800}
"""Pixels of a crop that are looked at: neighbours tell nearly the same."""
SOFT = 0.8
LEAST_ALIKE = 0.5
ENOUGH = 0.008
"""A stage ends with a step of which no term is larger: the one after it would be far smaller."""
LONGEST = 0.2
"""Largest term of a step."""
FREE = np.array([0.2, 0.2, 0.2, 0.08, 0.06, 0.06, 0.03, 0.03])
"""How far a guess usually is off: shift right and down (sides), spin (radians), growth, stretch, shear, perspective."""
RIGID = np.array([0.2, 0.2, 0.2, 0.02, 0.01, 0.01, 0.01, 0.01])
"""The same for a guess whose shape is known."""
ALIKE = 12.0
"""How many neighbouring values of a whole crop tell the same."""


@dataclass(frozen=True)
class _Template:
    """Faces at ``SAMPLED`` pixels each, or one face and no first axis. Values are in an image's order, colours last."""

    values: Array
    """faces x values, of unit length."""
    jacobian: Array
    """faces x 8 x values: the change by a step's terms."""
    points: Array
    """faces x 3 x pixels: what is looked at, in face coordinates, the last row ones. The mask lets it through."""
    basis: Array
    """faces x 3 x pixels: constant and slopes over those pixels, orthonormal."""
    bends: Array
    """faces x 3 x pixels: the bends of light, orthonormal to those."""
    bent: Array
    """faces x 3 x 3: how much of the bends is in the values, by colour."""
    share: Array
    """faces: how many pixels are looked at for each that could be."""
    aspect: Array

    def __getitem__(self, some: NDArray[np.intp]) -> _Template:
        return _Template(
            self.values[some],
            self.jacobian[some],
            self.points[some],
            self.basis[some],
            self.bends[some],
            self.bent[some],
            self.share[some],
            self.aspect[some],
        )


def _stacked(templates: Sequence[_Template]) -> _Template:
    """One for several faces."""
    return _Template(
        np.stack([one.values for one in templates]),
        np.stack([one.jacobian for one in templates]),
        np.stack([one.points for one in templates]),
        np.stack([one.basis for one in templates]),
        np.stack([one.bends for one in templates]),
        np.stack([one.bent for one in templates]),
        np.array([one.share for one in templates]),
        np.array([one.aspect for one in templates]),
    )


def align(
    pyramid: Pyramid, corners: Array, faces: Sequence[Face], catalog: Catalog, size: int = EXACT, *, rigid: bool = False
) -> tuple[Array, Array]:
    """Corners (n x 4 x 2, in the faces' order) moved so that each face fits best, and the NCC reached there.

    ``corners`` are the guesses, also in the faces' order. ``rigid`` is for guesses whose shape is already about right.
    Where it does not converge the guess comes back.
    """
    template = _stacked([_template(catalog, face, size) for face in faces])
    near = [pyramid.near(quad, size) for quad in corners]
    guesses = np.stack([face_to_picture(there) for _, there, _ in near])
    matrices, scores = _stage([picture for picture, _, _ in near], guesses, template, size, rigid)
    scales = np.array([scale for _, _, scale in near])[:, None, None]
    points = _CORNERS @ matrices.transpose(0, 2, 1)
    moved = ((points[..., :2] / points[..., 2:] + 0.5) / scales - 0.5).astype(np.float32)
    strayed = ((moved - corners) ** 2).sum(axis=2).max(axis=1)
    far = strayed > 0.04 * ((corners[:, 0] - corners[:, 2]) ** 2).sum(axis=1)
    return np.where(far[:, None, None], corners, moved), scores


_CORNERS = np.column_stack([UNIT, np.ones(4)])


def prepare_alignment(catalog: Catalog, face: Face) -> None:
    """Make what ``align`` needs of a face before it is met."""
    _template(catalog, face, ROUGH)
    if face.piece.holes:
        _template(catalog, face, EXACT)


def _stage(pictures: list[Image], guesses: Matrix, template: _Template, size: int, rigid: bool) -> tuple[Matrix, Array]:
    """The best homographies from the faces to the pictures on the way from the guesses, and the NCC there."""
    best, best_scores = guesses.copy(), np.full(len(guesses), -1.0)
    prior = 1 / (RIGID if rigid else FREE) ** 2
    matrices, taken = guesses, np.zeros((len(guesses), 8))
    busy = np.arange(len(guesses))
    for number in range(ROUNDS[size] + 1):
        seen = _look([pictures[k] for k in busy], matrices, template)
        norms = np.sqrt(np.einsum("kv,kv->k", seen, seen))
        along = np.einsum("kv,kv->k", seen, template.values)
        scores = _scores(seen, norms, along, template)
        plain = norms < 1e-3
        better = (scores > best_scores[busy]) & ~plain
        best[busy[better]], best_scores[busy[better]] = matrices[better], scores[better]
        if number == ROUNDS[size]:
            break
        steps = _steps(seen, np.maximum(along, LEAST_ALIKE * np.maximum(norms, 1e-3)), template, prior, taken, size)
        taken = taken + steps
        matrices = matrices @ np.linalg.inv(_warps(steps, template.aspect))
        small = np.abs(steps).max(axis=1) < ENOUGH
        # A last small step is not looked at again.
        best[busy[better & small]] = matrices[better & small]
        going = np.flatnonzero(~small & ~plain)
        if not len(going):
            break
        if len(going) < len(busy):
            busy, matrices, taken, template = busy[going], matrices[going], taken[going], template[going]
    return best, best_scores


def _scores(seen: Array, norms: Array, along: Array, template: _Template) -> Array:
    """The NCC of what is seen with each face, from its length and that along the face, if light may bend as well.

    Steps do not allow for that: a bend is like growth, and a guess would be drawn to it.
    """
    bent = template.bends @ seen.reshape(len(seen), -1, 3)
    left = norms**2 - (bent * bent).sum(axis=(1, 2))
    ours = 1 - (template.bent * template.bent).sum(axis=(1, 2))
    scores: Array = (along - (bent * template.bent).sum(axis=(1, 2))) / np.sqrt(np.maximum(left * ours, 1e-6))
    return scores


def _steps(seen: Array, gain: Array, template: _Template, prior: Array, taken: Array, size: int) -> Array:
    """Gauss-Newton steps (faces x 8); strays count less, and what was taken already strains the prior."""
    # Where little is alike yet, scaling the picture up to the face would only blow up what is wrong.
    wrong = seen / gain[:, None].astype(np.float32) - template.values
    squared = wrong * wrong
    noise = squared.sum(axis=1) / (3 * size * size * template.share) + np.float32(1e-9)
    weight = 1 / ((squared / np.float32(2.25) + noise[:, None]) * (ALIKE * template.share)[:, None])
    weighted = template.jacobian * weight[:, None]
    normal = (weighted @ template.jacobian.transpose(0, 2, 1)).astype(np.float64)
    normal[:, range(8), range(8)] += prior
    right = (weighted @ wrong[..., None])[..., 0] - prior * taken
    steps: Array = np.linalg.solve(normal, right[..., None])[..., 0]
    longest = np.maximum(np.abs(steps).max(axis=1, keepdims=True), LONGEST)
    steps *= LONGEST / longest
    return steps


def _look(pictures: list[Image], matrices: Matrix, template: _Template) -> Array:
    """What the pictures show where the faces are supposed: faces x values."""
    places = places_of(matrices, template.points)
    seen = np.stack([sampled(picture, at) for picture, at in zip(pictures, places, strict=True)])
    return _level(compress(seen), template.basis)


def _level(values: Array, basis: Array) -> Array:
    """Values (... x pixels x colours) without their mean and slope, as rows."""
    level: Array = values - basis.swapaxes(-1, -2) @ (basis @ values)
    return level.reshape(*level.shape[:-2], -1)


_MIDDLE = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1.0]])
_BACK = np.array([[1, 0, -0.5], [0, 1, -0.5], [0, 0, 1.0]])


def _warps(steps: Array, aspect: Array) -> Matrix:
    """The maps of steps, about the middle of the face. Spin and shear are those of the piece, not its square."""
    x, y, spin, growth, stretch, shear, across, along = steps.T
    one = np.ones(len(steps))
    rows = [
        [1 + growth + stretch, (shear - spin) / aspect, x],
        [(shear + spin) * aspect, 1 + growth - stretch, y],
        [across, along, one],
    ]
    about: Matrix = _MIDDLE @ np.array(rows).transpose(2, 0, 1) @ _BACK
    return about


def _template(catalog: Catalog, face: Face, size: int) -> _Template:
    key = ("align", face.index, size)
    if key not in catalog.cache:
        catalog.cache[key] = _prepare(face, size)
    return cast(_Template, catalog.cache[key])


def _prepare(face: Face, size: int) -> _Template:
    art = face.art if size == FINE else cv2.resize(face.art, (size, size), interpolation=cv2.INTER_AREA)
    inside = _inside(face, size)
    # Evenly spread; twice where there are fewer.
    where = inside[np.linspace(0, len(inside) - 1, SAMPLED[size]).round().astype(np.intp)]
    q, _ = np.linalg.qr(planes(size)[:, where].T)
    basis, bends = np.ascontiguousarray(q.T[:3], np.float32), np.ascontiguousarray(q.T[3:], np.float32)
    soft = compress(np.asarray(cv2.GaussianBlur(art, (0, 0), SOFT), np.uint8))
    values = _level(soft.reshape(-1, 3)[where], basis)
    norm = max(float(np.linalg.norm(values)), 1e-6)
    gy, gx = np.gradient(soft / norm, 1 / size, axis=(0, 1))
    y, x = ((np.mgrid[:size, :size] + 0.5) / size - 0.5).astype(np.float32)[..., None]
    to_right, to_below = gx * y / face.aspect, gy * x * face.aspect
    terms = [
        gx,
        gy,
        to_below - to_right,
        gx * x + gy * y,
        gx * x - gy * y,
        to_below + to_right,
        -(gx * x * x + gy * x * y),
        -(gx * x * y + gy * y * y),
    ]
    jacobian = np.stack([_level(term.reshape(-1, 3)[where], basis) for term in terms]).astype(np.float32)
    share = np.array(len(where) / len(inside), np.float32)
    points = pixels_of(size)[:, where]
    values /= np.float32(norm)
    bent = bends @ values.reshape(-1, 3)
    return _Template(values, jacobian, points, basis, bends, bent, share, np.array(face.aspect))


def _inside(face: Face, size: int) -> NDArray[np.intp]:
    """Which pixels of a crop show the face and nothing else."""
    shown = cv2.resize(face.mask, (size, size), interpolation=cv2.INTER_AREA)
    # The rim is left out: what lies beyond it is not known, and a dark border against a pale table outweighs all else.
    mask = np.asarray((shown > 0.99) * inner(size), np.float32)
    # What is next to a hole's rim belongs to no one.
    mask = np.asarray(cv2.erode(mask, np.ones((3, 3), np.uint8), borderValue=1), np.float32)
    return np.flatnonzero(mask)
