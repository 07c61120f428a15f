"""Sight tiles that lie with their black side up: plain and dark, but for the holes, which are where a mirror has them.

A plain back has nothing to be compared with a picture of it; its holes do, as the card underneath is paler.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from vision.catalog import COARSE, Catalog, inner
from vision.geometry import Array

ALIKE = 0.7
"""Correlation of a crop with its holes' pattern at least."""
PALER = 1.8
"""How much brighter the holes are than the side around them, at least on the whole; each is by the root of it."""
SHARPNESS = 30.0
"""How fast probability rises with the correlation."""
WITHIN, WITHOUT = 0.8, 1.2
"""Radii, in holes' radii, within which a hole surely shows and from which the side surely does."""


@dataclass(frozen=True)
class _Patterns:
    """Every holed piece in every turn: n = pieces x 4."""

    ids: tuple[str, ...]
    kinds: tuple[str, ...]
    discs: Array
    """n x holes x pixels: each hole, summing to 1."""
    side: Array
    """n x pixels: the rest, summing to 1."""
    shapes: Array
    """n x pixels: the pattern without its mean, of unit length."""


def overturned(crop: NDArray[np.uint8], catalog: Catalog) -> tuple[str, tuple[tuple[str, float], ...]] | None:
    """The kind of a piece with holes that lies turned over in ``crop`` (COARSE x COARSE x 3), and which pieces it may
    be with probabilities; None if there is none."""
    patterns = _patterns(catalog)
    if patterns is None:
        return None
    values = crop.astype(np.float32).mean(axis=2).reshape(-1)
    shown = inner(COARSE).reshape(-1) > 0
    level = np.where(shown, values - values[shown].mean(), 0)
    alike = patterns.shapes @ level / max(float(np.linalg.norm(level)), 1e-3)
    best = int(alike.argmax())
    around = float(patterns.side[best] @ values) + 2.0
    holes = patterns.discs[best] @ values
    if alike[best] < ALIKE or holes.mean() < PALER * around or holes.min() < PALER**0.5 * around:
        return None
    mass = np.exp(SHARPNESS * (alike.reshape(-1, 4).max(axis=1) - alike[best]))
    mass /= mass.sum()
    ranked = sorted(zip(patterns.ids, mass.tolist(), strict=True), key=lambda item: -item[1])
    return patterns.kinds[best // 4], tuple(ranked[:5])


def _patterns(catalog: Catalog) -> _Patterns | None:
    if "overturned" not in catalog.cache:
        catalog.cache["overturned"] = _make(catalog)
    return cast(_Patterns | None, catalog.cache["overturned"])


def _make(catalog: Catalog) -> _Patterns | None:
    faces = [face for face in catalog.faces if face.up and face.piece.holes]
    if not faces:
        return None
    most = max(len(face.piece.holes) for face in faces)
    y, x = (np.mgrid[:COARSE, :COARSE] + 0.5) / COARSE
    discs, sides, shapes = [], [], []
    for face in faces:
        away = [
            np.hypot(x - (1 - hole.at[0]), (y - hole.at[1]) / face.aspect) / hole.radius for hole in face.piece.holes
        ]
        away += away[:1] * (most - len(away))
        for turn in range(4):
            turned = np.stack([np.rot90(one, -turn) for one in away]).reshape(most, -1)
            within = (turned < WITHIN).astype(np.float32)
            without = (turned > WITHOUT).all(axis=0) * inner(COARSE).reshape(-1)
            discs.append(within / within.sum(axis=1, keepdims=True))
            sides.append(without / without.sum())
            shapes.append(_unit(within.max(axis=0), without))
    return _Patterns(
        tuple(face.piece.id for face in faces),
        tuple(face.piece.kind for face in faces),
        np.stack(discs).astype(np.float32),
        np.stack(sides).astype(np.float32),
        np.stack(shapes).astype(np.float32),
    )


def _unit(within: Array, without: Array) -> Array:
    """1 at the holes and 0 around them, without its mean and of unit length; 0 at the holes' rims."""
    counted = (within + without) > 0
    level = np.where(counted, within - within[counted].mean(), 0)
    return np.asarray(level / np.linalg.norm(level), np.float32)
