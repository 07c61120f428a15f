"""How like crops are to the faces of a deck: normalised cross-correlation of their light-free features."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import cast

import numpy as np
from numpy.typing import NDArray

from vision.catalog import COARSE, Catalog, inner
from vision.colour import features
from vision.geometry import Array, sides

PLAIN = 0.001
"""Variance (of compressed colours) below which a crop is plain and like nothing."""


def compare(crops: NDArray[np.uint8], catalog: Catalog) -> Array:
    """NCC (crops x turns x faces) over the part of each face that shows. Crops are COARSE pixels a side."""
    number = len(crops)
    upright = features(crops)
    seen = np.take(upright, _rounds().reshape(4, -1), axis=1).reshape(number * 4, -1)
    faces, masks, sizes, which = _faces(catalog)
    product = seen @ faces.T
    # Length of each crop within each mask, its own mean there removed; few masks differ.
    power = np.take((upright * upright).reshape(number, 3, -1).sum(axis=1), _rounds()[:, 0], axis=1)
    length = power.reshape(number * 4, -1) @ masks.T
    within = seen.reshape(number * 12, -1) @ masks.T
    length -= (within**2 / sizes).reshape(number * 4, 3, -1).sum(axis=1)
    likeness: Array = product / np.sqrt(np.maximum(length, PLAIN * upright.shape[1]))[:, which]
    return likeness.reshape(number, 4, -1)


def unbent(crops: NDArray[np.uint8], faces: Sequence[int], turns: Sequence[int], catalog: Catalog) -> Array:
    """NCC of each crop with one face in one turn if light does not bend: a bend is like a face of another size."""
    upright = features(crops, bends=False)
    starts = upright.shape[1] * np.arange(len(crops))[:, None]
    seen = np.take(upright.reshape(-1), _rounds()[list(turns)].reshape(len(crops), -1) + starts)
    _, masks, sizes, which = _faces(catalog)
    mine = which[list(faces)]
    within = seen.reshape(len(crops), 3, -1) * masks[mine][:, None]
    length = (within**2).sum(axis=(1, 2)) - (within.sum(axis=2) ** 2).sum(axis=1) / sizes[mine]
    product = np.einsum("kv,kv->k", seen, _unbent_faces(catalog)[list(faces)])
    likeness: Array = product / np.sqrt(np.maximum(length, PLAIN * upright.shape[1]))
    return likeness


def fitting(corners: Array, shape: str, catalog: Catalog) -> Array:
    """turns x faces: 1 where the face's shape and aspect agree with the outline in that turn."""
    lengths = sides(corners)
    ratio = float((lengths[0] + lengths[2]) / max(lengths[1] + lengths[3], 1e-6))
    if ("aspects", shape) not in catalog.cache:
        # What has another shape fits in no turn.
        mine = [math.log(f.aspect) if f.piece.shape == shape else math.inf for f in catalog.faces]
        catalog.cache["aspects", shape] = np.array(mine)
    aspects = cast(Array, catalog.cache["aspects", shape])
    turns = np.array([[1.0], [-1.0], [1.0], [-1.0]]) * math.log(max(ratio, 1e-6))
    return (np.abs(turns - aspects) < math.log(1.5)).astype(np.float32)


@cache
def _inside() -> NDArray[np.intp]:
    """The pixels of a crop that belong to no face's rim."""
    return np.flatnonzero(inner(COARSE))


@cache
def _rounds() -> NDArray[np.intp]:
    """Which of a crop's features are where inside it when it is turned back by 0 to 3 quarters: turns x colours x
    pixels."""
    places = np.arange(3 * COARSE * COARSE).reshape(3, COARSE, COARSE)
    return np.stack([np.rot90(places, -turn, axes=(1, 2)).reshape(3, -1)[:, _inside()] for turn in range(4)])


def _faces(catalog: Catalog) -> tuple[Array, Array, Array, NDArray[np.intp]]:
    """The faces' features inside, the masks that differ, how large they are, and which is each face's."""
    if "inside" not in catalog.cache:
        number = len(catalog.faces)
        faces = catalog.coarse.reshape(number, 3, -1)[..., _inside()].reshape(number, -1)
        masks, which = np.unique(catalog.masks.reshape(number, -1)[:, _inside()], axis=0, return_inverse=True)
        catalog.cache["inside"] = (np.ascontiguousarray(faces), masks, masks.sum(axis=1), which.reshape(-1))
    return cast(tuple[Array, Array, Array, NDArray[np.intp]], catalog.cache["inside"])


def _unbent_faces(catalog: Catalog) -> Array:
    """All faces' features inside, bends and all, of unit length."""
    if "unbent" not in catalog.cache:
        arts = catalog.arts.astype(np.uint8)[:, None]
        both = zip(arts, catalog.masks, strict=True)
        values = np.concatenate([features(art, mask, bends=False) for art, mask in both])
        values = values.reshape(len(arts), 3, -1)[..., _inside()].reshape(len(arts), -1)
        catalog.cache["unbent"] = values / np.maximum(np.linalg.norm(values, axis=1, keepdims=True), 1e-6)
    return cast(Array, catalog.cache["unbent"])


def prepare_comparing(catalog: Catalog) -> None:
    """Make what ``compare`` and ``unbent`` need before a piece is met."""
    _faces(catalog)
    _unbent_faces(catalog)
