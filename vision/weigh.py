"""How well faces explain crops, light and all: the misfit that is left when each face is lit as it may be lit there.

The model is that of ``colour.explain_pixels``; here many pairs of a crop and a face are weighed at
once, at some pixels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import cast

import numpy as np
from numpy.typing import NDArray

from vision.catalog import COARSE, Catalog, inner
from vision.colour import BRIGHT, CENSORED, CLIP
from vision.geometry import Array

PIXELS = 720
"""Pixels of a face that are weighed in full."""
QUICK = 3
"""Where it hardly matters every so manieth will do."""
SPREAD = 14.0
"""What a pixel is usually off (of 255)."""
CAP = 6.0
"""No pixel is more wrong than this, in squares of what is usual."""
HOLE_COST = 2.0
"""Misfit counted for a pixel in a hole, where anything may show; between a good face's and a wrong one's."""
GAIN_RIDGE, OTHER_RIDGE = 1e3, 4e5
"""Gain may be large, the haze small, the slopes gentle."""


@dataclass(frozen=True)
class _Lit:
    """A face at some pixels of its coarse crop."""

    basis: Array
    """colours x 4 x pixels: the face, white, the face under slopes of light."""
    where: NDArray[np.intp]
    shown: float
    """Share of the whole crop where the face is to be seen."""
    holes: float


def misfits(
    crops: NDArray[np.uint8], entries: Sequence[tuple[int, int, int]], catalog: Catalog, *, quick: bool
) -> tuple[Array, Array]:
    """For each entry (crop, face, turn) the mean misfit of the face, 0 to CAP, and that of the whole crop, holes too.

    ``crops`` are n x COARSE x COARSE x 3; a ``turn`` is by how many quarters the face is turned in its crop.
    """
    lit = [_lit(catalog, face) for _, face, _ in entries]
    count, every = (PIXELS // QUICK, QUICK) if quick else (PIXELS, 1)
    gains = _brightening(crops)
    flat = crops.reshape(len(crops), -1, 3)
    places = [_turned()[turn][one.where[:count]] for one, (_, _, turn) in zip(lit, entries, strict=True)]
    seen = np.stack([flat[crop][at] for (crop, _, _), at in zip(entries, places, strict=True)]).transpose(0, 2, 1)
    basis = np.stack([one.basis[..., :count] for one in lit])
    clipped = seen >= CLIP
    values = seen * gains[[crop for crop, _, _ in entries], None, None]
    misfit = _left(values, basis, clipped, every).mean(axis=(1, 2))
    shown, holes = np.array([one.shown for one in lit]), np.array([one.holes for one in lit])
    return misfit, misfit * shown + HOLE_COST * holes


def _left(values: Array, basis: Array, clipped: NDArray[np.bool_], every: int) -> Array:
    """The squared misfit of each pixel and colour in units of what is usual, after a robust fit of the light."""
    ridge = np.diag(np.array([GAIN_RIDGE, OTHER_RIDGE, OTHER_RIDGE, OTHER_RIDGE], np.float32) / every)
    prior = np.array([GAIN_RIDGE / every, 0, 0, 0], np.float32)
    across = np.ascontiguousarray(basis.swapaxes(-1, -2))
    weight = np.where(clipped, np.float32(CENSORED), np.float32(1.0))
    wrong = values
    for step in range(3):
        weighted = basis * weight[:, :, None]
        right = (weighted @ values[..., None])[..., 0] + prior
        light = np.linalg.solve(weighted @ across + ridge, right[..., None])
        fitted = np.minimum((across @ light)[..., 0], np.float32(255.0))
        wrong = (fitted - values) ** 2 / np.float32(SPREAD**2)
        if step < 2:
            # A saturated pixel that the face explains says no more.
            weight = np.where(clipped & (fitted >= CLIP), np.float32(0.0), 1 / (1 + wrong))
    return np.minimum(wrong, np.float32(CAP))


def _brightening(crops: NDArray[np.uint8]) -> Array:
    """What brings a dark crop's bright parts to where misfits are measured."""
    some = crops[:, ::2, ::2].reshape(len(crops), -1)
    high = int(0.98 * (some.shape[1] - 1))
    bright = np.partition(some, high, axis=1)[:, high].astype(np.float32)
    gains: Array = np.clip(BRIGHT / np.maximum(bright, 1), 1, 4).astype(np.float32)
    return gains


@cache
def _turned() -> list[NDArray[np.intp]]:
    """Where each pixel of a face lies in a crop in which it is turned by 0 to 3 quarters."""
    places = np.arange(COARSE * COARSE).reshape(COARSE, COARSE)
    return [np.rot90(places, turn).reshape(-1) for turn in range(4)]


def _lit(catalog: Catalog, face: int) -> _Lit:
    key = ("lit", face)
    if key not in catalog.cache:
        mask = catalog.masks[face].reshape(-1)
        inside = np.flatnonzero(mask)
        # Evenly spread, twice where there are fewer; those of a quick look first.
        where = inside[np.linspace(0, len(inside) - 1, PIXELS).round().astype(np.intp)].reshape(-1, QUICK).T.reshape(-1)
        art = catalog.arts[face].reshape(-1, 3)[where].T
        y, x = (np.stack(np.divmod(where, COARSE)) + 0.5) / COARSE - 0.5
        basis = np.stack([art, np.full_like(art, 255.0), art * x, art * y], axis=1).astype(np.float32)
        whole = mask.size
        catalog.cache[key] = _Lit(basis, where, len(inside) / whole, (inner(COARSE).sum() - len(inside)) / whole)
    return cast(_Lit, catalog.cache[key])


def prepare_weighing(catalog: Catalog, face: int) -> None:
    """Make what ``misfits`` needs of a face before it is met."""
    _lit(catalog, face)
