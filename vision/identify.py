"""Name a piece: compare its crop with every face in every turn, then settle between the best few."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import Literal, cast

import numpy as np
from numpy.typing import NDArray

from vision.align import ROUGH, align
from vision.catalog import COARSE, TINY, Catalog, Face, inner
from vision.colour import explain, features
from vision.find import Outline
from vision.geometry import Array, sides, turned
from vision.ground import Ground
from vision.pyramid import Pyramid

VARIANTS = (1.0, 1.06)
"""The outline as found and a little larger: a printed frame is easily taken for the edge."""
PLAIN = 0.001
"""Variance (of compressed colours) below which a crop is plain and like nothing."""
GLANCED = 64
"""Outlines that are compared with every face in full."""
SHORTLIST = 5
FITS = 0.6
"""NCC at which a rigid piece on the ground fits; else it may lie otherwise (held up, bent, another size)."""
BETTER = 0.03
"""NCC by which another face must be better for the alignment to be done again with it."""
GAIN = 0.05
"""NCC by which a free outline must be better, having more freedom."""
LIKENESS_SHARPNESS = 25.0
"""How fast probability rises with NCC: NCC sees structure, misfit colour."""
SHARPNESS = 40.0
"""How fast probability falls with misfit (per unit of mean misfit)."""
HOLE_COST = 2.0
"""Misfit counted for a pixel in a hole, where anything may show; between a good face's and a wrong one's."""


Pick = tuple[float, int, int, float]
"""Likeness, face index, turn, scale of the outline."""


@dataclass(frozen=True)
class Candidate:
    """A face that may explain an outline, with the corners in that face's order."""

    face: Face
    corners: Array
    probability: float
    misfit: float
    """Mean misfit of the visible face, 0 (perfect) to 6."""
    likeness: float
    """NCC of the crop with the face, -1 to 1."""
    confidence: float
    """Probability of the face times that of the outline being a piece of this deck at all."""


def first_look(pyramid: Pyramid, outlines: list[Outline], catalog: Catalog, allowed: Array) -> list[Pick | None]:
    """For each outline what it is most like; one matrix product for all. None for those not worth a look.

    ``allowed`` is 1 for faces that may lie on the table.
    """
    if not outlines:
        return []
    promising = _promising(pyramid, outlines, catalog, allowed)
    if len(promising) < len(outlines):
        some = iter(first_look(pyramid, [outlines[k] for k in promising], catalog, allowed))
        chosen = set(promising)
        return [next(some) if k in chosen else None for k in range(len(outlines))]
    crops = np.stack([pyramid.cut(grown(o.corners, v), COARSE) for o in outlines for v in VARIANTS])
    likeness = _compare(crops, catalog)
    likeness = likeness.reshape(len(outlines), len(VARIANTS), 4, len(catalog.faces))
    picked: list[Pick | None] = []
    for outline, scores in zip(outlines, likeness, strict=True):
        fits = _fitting(outline, catalog) * allowed
        possible = np.where(fits[None] > 0, scores, -1)
        best_variant = possible.argmax(axis=0)
        best = possible.max(axis=0)
        top = int(best.argmax())
        turn, index = divmod(top, len(catalog.faces))
        picked.append((float(best.flat[top]), index, turn, VARIANTS[int(best_variant.flat[top])]))
    return picked


def _promising(pyramid: Pyramid, outlines: list[Outline], catalog: Catalog, allowed: Array) -> list[int]:
    """Where there are very many outlines (a checked cloth), those that at a glance look most like a face."""
    if len(outlines) <= GLANCED:
        return list(range(len(outlines)))
    seen = features(np.stack([pyramid.cut(outline.corners, TINY) for outline in outlines]))
    seen /= np.maximum(np.linalg.norm(seen, axis=1, keepdims=True), np.sqrt(PLAIN * seen.shape[1]))
    upright = seen.reshape(-1, 3, TINY, TINY)
    faces = catalog.tiny[allowed > 0]
    best = np.zeros(len(outlines), np.float32)
    for turn in range(4):
        turned_round = np.rot90(upright, turn, axes=(2, 3)).reshape(len(outlines), -1)
        np.maximum(best, (turned_round @ faces.T).max(axis=1, initial=0), out=best)
    return sorted(int(k) for k in np.argsort(-best)[:GLANCED])


def allowed_faces(catalog: Catalog, expected: frozenset[str] | None) -> Array:
    """1 for each face that may lie on the table, for ``first_look``; backs always may."""
    may = [expected is None or not face.up or face.piece.id in expected for face in catalog.faces]
    return np.array(may, np.float32)


def known(misfit: float, likeness: float) -> float:
    """Probability that a face with this misfit and likeness explains an outline at all.

    A fixed logistic: on path-traced photos and the simulated table true faces lie above 0.63, chance ones below.
    """
    return 1 / (1 + math.exp(-(22.0 * (likeness - 0.56) + 0.8 * (1.0 - misfit))))


def _compare(crops: NDArray[np.uint8], catalog: Catalog) -> Array:
    """NCC (crops x turns x faces) over the part of each face that shows."""
    upright = features(crops)
    seen = np.ascontiguousarray(upright[:, _rounds()]).reshape(len(crops) * 4, -1)
    product = seen @ catalog.coarse.T
    # Length of each crop within each mask, its own mean there removed; few masks differ.
    masks, sizes, which = _distinct_masks(catalog)
    pixels = seen.reshape(len(seen), 3, -1)
    within = seen.reshape(len(seen) * 3, -1) @ masks
    length = np.einsum("kcn,kcn->kn", pixels, pixels) @ masks
    length -= (within**2 / sizes).reshape(len(seen), 3, -1).sum(axis=1)
    likeness: Array = product / np.sqrt(np.maximum(length, PLAIN * seen.shape[1]))[:, which]
    return likeness


@cache
def _rounds() -> NDArray[np.intp]:
    """Which of a crop's features are where when it is turned back by 0 to 3 quarter turns."""
    places = np.arange(3 * COARSE * COARSE).reshape(3, COARSE, COARSE)
    return np.stack([np.rot90(places, -turn, axes=(1, 2)).reshape(-1) for turn in range(4)])


def _distinct_masks(catalog: Catalog) -> tuple[Array, Array, NDArray[np.intp]]:
    """The masks of faces that differ (pixels x masks), how large they are, and which is each face's."""
    if "masks" not in catalog.cache:
        flat = catalog.masks.reshape(len(catalog.faces), -1)
        masks, which = np.unique(flat, axis=0, return_inverse=True)
        catalog.cache["masks"] = (np.ascontiguousarray(masks.T), masks.sum(axis=1), which.reshape(-1))
    return cast(tuple[Array, Array, NDArray[np.intp]], catalog.cache["masks"])


def _fitting(outline: Outline, catalog: Catalog) -> Array:
    """turns x faces: 1 where the face's shape and aspect agree with the outline in that turn."""
    lengths = sides(outline.corners)
    ratio = float((lengths[0] + lengths[2]) / max(lengths[1] + lengths[3], 1e-6))
    if ("aspects", outline.shape) not in catalog.cache:
        # What has another shape fits in no turn.
        mine = [math.log(f.aspect) if f.piece.shape == outline.shape else math.inf for f in catalog.faces]
        catalog.cache["aspects", outline.shape] = np.array(mine)
    aspects = cast(Array, catalog.cache["aspects", outline.shape])
    turns = np.array([[1.0], [-1.0], [1.0], [-1.0]]) * math.log(max(ratio, 1e-6))
    return (np.abs(turns - aspects) < math.log(1.5)).astype(np.float32)


def grown(corners: Array, scale: float) -> Array:
    """A quad scaled about its middle."""
    middle = corners.mean(axis=0)
    return np.asarray(middle + (corners - middle) * scale, np.float32)


def settle(
    pyramid: Pyramid, outline: Outline, pick: Pick, catalog: Catalog, allowed: Array, ground: Ground | None = None
) -> list[Candidate]:
    """Align the pick, compare the aligned crop with every face again, and weigh the likeliest in full. Best first."""
    _, index, turn, scale = pick
    start = turned(grown(outline.corners, scale), -turn)
    corners, likeness = laid(pyramid, start, catalog.faces[index], catalog, ground, ROUGH)
    likely = _likeliest(pyramid, corners, outline.shape, catalog, allowed)
    if likely and likely[0][0] != index and likely[0][2] > likeness + BETTER:
        index, turn, _ = likely[0]
        corners, likeness = laid(pyramid, turned(corners, -turn), catalog.faces[index], catalog, ground, ROUGH)
        likely = _likeliest(pyramid, corners, outline.shape, catalog, allowed)
    likely = [(i, t, max(like, likeness) if (i, t) == (index, 0) else like) for i, t, like in likely]
    return weigh(pyramid, corners, likely, catalog) if likely else []


def _likeliest(
    pyramid: Pyramid, corners: Array, shape: Literal["rectangle", "round"], catalog: Catalog, allowed: Array
) -> list[tuple[int, int, float]]:
    """The SHORTLIST of face index, turn and NCC for what lies exactly at ``corners``."""
    likeness = _compare(pyramid.cut(corners, COARSE)[None], catalog).reshape(4, -1)
    likeness = np.where(_fitting(Outline(corners, 1.0, shape), catalog) * allowed > 0, likeness, -1)
    order = np.argsort(-likeness, axis=None)[:SHORTLIST]
    turns, faces = np.unravel_index(order, likeness.shape)
    return [(int(i), int(t), float(likeness[t, i])) for i, t in zip(faces, turns, strict=True) if likeness[t, i] > -1]


def laid(
    pyramid: Pyramid, corners: Array, face: Face, catalog: Catalog, ground: Ground | None, size: int
) -> tuple[Array, float]:
    """The face laid over its picture: as a rigid piece on the ground if that fits well, else freely."""
    rigid, likeness = corners, -1.0
    if ground is not None and face.size_mm is not None:
        rigid, likeness = align(pyramid, ground.laid(corners, face.size_mm), face, catalog, size, rigid=True)
        if likeness > FITS:
            return rigid, likeness
    free, free_likeness = align(pyramid, corners, face, catalog, size)
    return (free, free_likeness) if free_likeness > likeness + GAIN else (rigid, likeness)


def weigh(pyramid: Pyramid, corners: Array, entries: list[tuple[int, int, float]], catalog: Catalog) -> list[Candidate]:
    """Compare what lies at ``corners`` with some faces (index, turn, NCC) in full. Best first."""
    crop = pyramid.cut(corners, COARSE)
    arts = np.stack([np.rot90(catalog.arts[i], -extra) for i, extra, _ in entries])
    masks = np.stack([np.rot90(catalog.masks[i], -extra) for i, extra, _ in entries])
    fit = explain(crop, arts, masks)
    flat = masks.reshape(len(entries), -1)
    holes = np.tile(inner(COARSE).reshape(-1), (len(entries), 1)) - flat
    misfit = (fit.left * flat).sum(axis=1) / flat.sum(axis=1)
    total = (fit.left * flat + HOLE_COST * holes).mean(axis=1)
    evidence = SHARPNESS * total - LIKENESS_SHARPNESS * np.array([like for _, _, like in entries])
    weight = np.exp(evidence.min() - evidence)
    weight /= weight.sum()
    found = []
    for k in np.argsort(-weight):
        index, extra, like = entries[k]
        sure = float(weight[k]) * known(float(misfit[k]), like)
        place = turned(corners, -extra)
        found.append(Candidate(catalog.faces[index], place, float(weight[k]), float(misfit[k]), like, sure))
    return found
