"""Name pieces: compare their crops with every face in every turn, lay the likeliest, and weigh what may be mistaken.

Pieces are named together, so that one matrix product compares all of them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import cast

import numpy as np
from numpy.typing import NDArray

from vision.align import ROUGH, align
from vision.catalog import COARSE, TINY, Catalog, Face
from vision.colour import features
from vision.find import Outline
from vision.geometry import Array, sides, turned
from vision.ground import Ground
from vision.pyramid import Pyramid
from vision.weigh import misfits

VARIANTS = (1.0, 1.06)
"""The outline as found and a little larger: a printed frame is easily taken for the edge."""
PLAIN = 0.001
"""Variance (of compressed colours) below which a crop is plain and like nothing."""
GLANCED = 64
"""Outlines that are compared with every face in full."""
SHORTLIST = 5
CLEAR = 0.3
"""NCC by which a face must be worse than the best to be out of the question."""
FITS = 0.6
"""NCC at which a piece fits: its outline is the right one, and if rigid it lies on the ground. Else it may lie
otherwise (held up, bent, another size)."""
BETTER = 0.03
"""NCC by which another face must be better for the alignment to be done again with it."""
GAIN = 0.05
"""NCC by which a free outline must be better, having more freedom."""
LIKENESS_SHARPNESS = 25.0
"""How fast probability rises with NCC: NCC sees structure, misfit colour."""
SHARPNESS = 40.0
"""How fast probability falls with misfit (per unit of mean misfit)."""

Pick = tuple[float, int, int, float]
"""Likeness, face index, turn, scale of the outline."""
Entry = tuple[int, int, float]
"""Face index, turn and NCC of a face that may explain an outline."""


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
    crops, larger = (
        np.stack([pyramid.cut(grown(outline.corners, scale), COARSE) for outline in outlines]) for scale in VARIANTS
    )
    picked = _picked(crops, outlines, VARIANTS[0], catalog, allowed)
    # Most pieces need not be compared with every face again to tell whether they fit better a little larger.
    doubtful = [k for k, pick in enumerate(picked) if pick[0] < FITS]
    if doubtful:
        again = _picked(larger[doubtful], [outlines[k] for k in doubtful], VARIANTS[1], catalog, allowed)
        for k, pick in zip(doubtful, again, strict=True):
            picked[k] = max(picked[k], pick)
    for k, (likeness, index, turn, _) in enumerate(picked):
        if likeness >= FITS and (better := _likeness(larger[k], index, turn, catalog)) > likeness:
            picked[k] = (better, index, turn, VARIANTS[1])
    return list(picked)


def _picked(
    crops: NDArray[np.uint8], outlines: Sequence[Outline], scale: float, catalog: Catalog, allowed: Array
) -> list[Pick]:
    """What each crop of an outline is most like."""
    picks = []
    for outline, scores in zip(outlines, _compare(crops, catalog), strict=True):
        possible = np.where(_fitting(outline.corners, outline.shape, catalog) * allowed > 0, scores, -1)
        top = int(possible.argmax())
        turn, index = divmod(top, len(catalog.faces))
        picks.append((float(possible.flat[top]), index, turn, scale))
    return picks


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
    number = len(crops)
    rounds = _rounds()
    upright = features(crops).reshape(number, 3, -1)
    seen = upright[:, :, rounds].transpose(0, 2, 1, 3)
    product = seen.reshape(number * 4, -1) @ catalog.coarse.T
    # Length of each crop within each mask, its own mean there removed; few masks differ.
    masks, sizes, which = _distinct_masks(catalog)
    power = np.einsum("kcn,kcn->kn", upright, upright)[:, rounds]
    length = power.reshape(number * 4, -1) @ masks
    within = np.ascontiguousarray(seen).reshape(number * 12, -1) @ masks
    length -= (within**2 / sizes).reshape(number * 4, 3, -1).sum(axis=1)
    likeness: Array = product / np.sqrt(np.maximum(length, PLAIN * catalog.coarse.shape[1]))[:, which]
    return likeness.reshape(number, 4, -1)


def _likeness(crop: NDArray[np.uint8], face: int, turn: int, catalog: Catalog) -> float:
    """NCC of one crop with one face in one turn."""
    seen = features(crop[None]).reshape(3, -1)[:, _rounds()[turn]]
    masks, sizes, which = _distinct_masks(catalog)
    mask, size = masks[:, which[face]], sizes[which[face]]
    length = float((seen * seen @ mask).sum() - ((seen @ mask) ** 2).sum() / size)
    return float(seen.reshape(-1) @ catalog.coarse[face]) / math.sqrt(max(length, PLAIN * seen.size))


@cache
def _rounds() -> NDArray[np.intp]:
    """Which of a crop's pixels are where when it is turned back by 0 to 3 quarter turns."""
    places = np.arange(COARSE * COARSE).reshape(COARSE, COARSE)
    return np.stack([np.rot90(places, -turn).reshape(-1) for turn in range(4)])


def _distinct_masks(catalog: Catalog) -> tuple[Array, Array, NDArray[np.intp]]:
    """The masks of faces that differ (pixels x masks), how large they are, and which is each face's."""
    if "masks" not in catalog.cache:
        flat = catalog.masks.reshape(len(catalog.faces), -1)
        masks, which = np.unique(flat, axis=0, return_inverse=True)
        catalog.cache["masks"] = (np.ascontiguousarray(masks.T), masks.sum(axis=1), which.reshape(-1))
    return cast(tuple[Array, Array, NDArray[np.intp]], catalog.cache["masks"])


def _fitting(corners: Array, shape: str, catalog: Catalog) -> Array:
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


def grown(corners: Array, scale: float) -> Array:
    """A quad scaled about its middle."""
    middle = corners.mean(axis=0)
    return np.asarray(middle + (corners - middle) * scale, np.float32)


def settle(
    pyramid: Pyramid,
    outlines: Sequence[Outline],
    picks: Sequence[Pick],
    catalog: Catalog,
    allowed: Array,
    ground: Ground | None = None,
) -> list[list[Candidate]]:
    """For each outline lay its pick, compare what lies there with every face again, and weigh the likeliest. Best
    first."""
    starts = np.stack(
        [turned(grown(o.corners, scale), -turn) for o, (_, _, turn, scale) in zip(outlines, picks, strict=True)]
    )
    shapes = [outline.shape for outline in outlines]
    named = [index for _, index, _, _ in picks]
    corners, likeness = laid(pyramid, starts, [catalog.faces[k] for k in named], catalog, ground, ROUGH)
    likely = _likeliest(pyramid, corners, shapes, catalog, allowed)
    again = [k for k, few in enumerate(likely) if few and few[0][0] != named[k] and few[0][2] > likeness[k] + BETTER]
    if again:
        for k in again:
            named[k], corners[k] = likely[k][0][0], turned(corners[k], -likely[k][0][1])
        faces = [catalog.faces[named[k]] for k in again]
        corners[again], likeness[again] = laid(pyramid, corners[again], faces, catalog, ground, ROUGH)
        better = _likeliest(pyramid, corners[again], [shapes[k] for k in again], catalog, allowed)
        for k, few in zip(again, better, strict=True):
            likely[k] = few
    for k, few in enumerate(likely):
        likely[k] = [(i, t, max(like, float(likeness[k])) if (i, t) == (named[k], 0) else like) for i, t, like in few]
    return weigh(pyramid, corners, likely, catalog)


def _likeliest(
    pyramid: Pyramid, corners: Array, shapes: Sequence[str], catalog: Catalog, allowed: Array
) -> list[list[Entry]]:
    """The SHORTLIST for what lies exactly at each of the corners."""
    result = []
    scores = _compare(np.stack([pyramid.cut(quad, COARSE) for quad in corners]), catalog)
    for quad, shape, likeness in zip(corners, shapes, scores, strict=True):
        possible = np.where(_fitting(quad, shape, catalog) * allowed > 0, likeness, -1).reshape(-1)
        best = np.argpartition(-possible, SHORTLIST)[:SHORTLIST]
        entries = [(*divmod(int(k), len(catalog.faces)), float(possible[k])) for k in best[np.argsort(-possible[best])]]
        result.append([(index, turn, like) for turn, index, like in entries if like > -1])
    return result


def laid(
    pyramid: Pyramid, corners: Array, faces: Sequence[Face], catalog: Catalog, ground: Ground | None, size: int
) -> tuple[Array, Array]:
    """Faces laid over their pictures (n x 4 x 2), and their NCC there: as rigid pieces on the ground where that fits
    well, else freely."""
    guesses, corners, likeness = corners, corners.copy(), np.full(len(faces), -1.0)
    flat = [k for k, face in enumerate(faces) if ground is not None and face.size_mm is not None]
    if ground is not None and flat:
        rigid = np.stack([ground.laid(corners[k], cast(tuple[float, float], faces[k].size_mm)) for k in flat])
        corners[flat], likeness[flat] = align(pyramid, rigid, [faces[k] for k in flat], catalog, size, rigid=True)
    loose = [k for k in range(len(faces)) if likeness[k] <= FITS]
    if loose:
        free, scores = align(pyramid, guesses[loose], [faces[k] for k in loose], catalog, size)
        better = scores > likeness[loose] + GAIN
        moved = np.array(loose)[better]
        corners[moved], likeness[moved] = free[better], scores[better]
    return corners, likeness


def weigh(pyramid: Pyramid, corners: Array, likely: Sequence[list[Entry]], catalog: Catalog) -> list[list[Candidate]]:
    """Compare what lies at each of the corners with its likely faces in full, unless there is but one. Best first."""
    considered = [[entry for entry in few if entry[2] > few[0][2] - CLEAR] for few in likely]
    result: list[list[Candidate]] = [[] for _ in likely]
    for quick in (True, False):
        group = [k for k, few in enumerate(considered) if few and (len(few) == 1) == quick]
        if not group:
            continue
        crops = np.stack([pyramid.cut(corners[k], COARSE) for k in group])
        entries = [(at, index, turn) for at, k in enumerate(group) for index, turn, _ in considered[k]]
        misfit, total = misfits(crops, entries, catalog, quick=quick)
        which = np.array([at for at, _, _ in entries])
        for at, k in enumerate(group):
            mine = which == at
            result[k] = _ranked(corners[k], considered[k], misfit[mine], total[mine], catalog)
    return result


def _ranked(corners: Array, entries: list[Entry], misfit: Array, total: Array, catalog: Catalog) -> list[Candidate]:
    """The faces that may lie at ``corners``, the most probable first."""
    evidence = SHARPNESS * total - LIKENESS_SHARPNESS * np.array([like for _, _, like in entries])
    weight = np.exp(evidence.min() - evidence)
    weight /= weight.sum()
    found = []
    for k in np.argsort(-weight):
        index, turn, like = entries[k]
        sure = float(weight[k]) * known(float(misfit[k]), like)
        place = turned(corners, -turn)
        found.append(Candidate(catalog.faces[index], place, float(weight[k]), float(misfit[k]), like, sure))
    return found
