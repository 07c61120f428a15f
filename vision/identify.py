"""Name pieces: compare their crops with every face in every turn, lay the likeliest, and weigh what may be mistaken.

Pieces are named together, so that one matrix product compares all of them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.align import ROUGH, align
from vision.catalog import COARSE, TINY, Catalog, Face
from vision.colour import features
from vision.compare import PLAIN, compare, fitting, unbent
from vision.find import Outline
from vision.geometry import Array, turned
from vision.ground import Ground
from vision.pyramid import Pyramid
from vision.weigh import misfits

VARIANTS = (1.0, 1.06)
"""The outline as found and a little larger: a printed frame is easily taken for the edge."""
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


class Pick(NamedTuple):
    """What an outline is most like."""

    likeness: float
    face: int
    turn: int
    scale: float
    """Of the outline."""
    lead: float
    """How much less like every other face or turn is."""


class Entry(NamedTuple):
    """A face that may lie somewhere, turned by so many quarters, and how like it is what lies there."""

    face: int
    turn: int
    likeness: float


@dataclass(frozen=True)
class View:
    """What pieces are named by."""

    pyramid: Pyramid
    catalog: Catalog
    allowed: Array
    """1 for each face that may lie on the table."""
    ground: Ground | None = None


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


def first_look(view: View, outlines: list[Outline]) -> list[Pick | None]:
    """For each outline what it is most like; one matrix product for all. None for those not worth a look."""
    if not outlines:
        return []
    promising = _promising(view, outlines)
    if len(promising) < len(outlines):
        some = iter(first_look(view, [outlines[k] for k in promising]))
        chosen = set(promising)
        return [next(some) if k in chosen else None for k in range(len(outlines))]
    quads = np.stack([outline.corners for outline in outlines])
    crops = view.pyramid.cuts(quads, COARSE)
    picks = _picked(view, crops, outlines)
    larger = view.pyramid.cuts(grown(quads, VARIANTS[1]), COARSE)
    # Most pieces need not be compared with every face again.
    doubtful = [k for k, pick in enumerate(picks) if pick.likeness < FITS]
    if doubtful:
        again = _picked(view, larger[doubtful], [outlines[k] for k in doubtful])
        for k, pick in zip(doubtful, again, strict=True):
            picks[k] = max(picks[k], pick)
    faces, turns = [pick.face for pick in picks], [pick.turn for pick in picks]
    found, grew = unbent(np.concatenate([crops, larger]), faces * 2, turns * 2, view.catalog).reshape(2, -1)
    scales = np.where(grew > found, VARIANTS[1], VARIANTS[0]).tolist()
    return [pick._replace(scale=scale) for pick, scale in zip(picks, scales, strict=True)]


def _picked(view: View, crops: NDArray[np.uint8], outlines: Sequence[Outline]) -> list[Pick]:
    """What each crop of an outline is most like."""
    picks = []
    for outline, scores in zip(outlines, compare(crops, view.catalog), strict=True):
        may = fitting(outline.corners, outline.shape, view.catalog) * view.allowed > 0
        possible = np.where(may, scores, -1).reshape(-1)
        top = int(possible.argmax())
        turn, face = divmod(top, len(view.catalog.faces))
        best, next_best = float(possible[top]), float(np.delete(possible, top).max(initial=-1))
        picks.append(Pick(best, face, turn, 1.0, best - next_best))
    return picks


def _promising(view: View, outlines: list[Outline]) -> list[int]:
    """Where there are very many outlines (a checked cloth), those that at a glance look most like a face."""
    if len(outlines) <= GLANCED:
        return list(range(len(outlines)))
    seen = features(view.pyramid.cuts(np.stack([outline.corners for outline in outlines]), TINY))
    seen /= np.maximum(np.linalg.norm(seen, axis=1, keepdims=True), np.sqrt(PLAIN * seen.shape[1]))
    upright = seen.reshape(-1, 3, TINY, TINY)
    faces = view.catalog.tiny[view.allowed > 0]
    best = np.zeros(len(outlines), np.float32)
    for turn in range(4):
        turned_round = np.rot90(upright, turn, axes=(2, 3)).reshape(len(outlines), -1)
        np.maximum(best, (turned_round @ faces.T).max(axis=1, initial=0), out=best)
    return sorted(int(k) for k in np.argsort(-best)[:GLANCED])


def allowed_faces(catalog: Catalog, expected: frozenset[str] | None) -> Array:
    """1 for each face that may lie on the table; backs always may."""
    may = [expected is None or not face.up or face.piece.id in expected for face in catalog.faces]
    return np.array(may, np.float32)


def known(misfit: float, likeness: float) -> float:
    """Probability that a face with this misfit and likeness explains an outline at all.

    A fixed logistic: on path-traced photos and the simulated table true faces lie above 0.6, chance ones below.
    """
    return 1 / (1 + math.exp(-(22.0 * (likeness - 0.54) + 0.8 * (1.0 - misfit))))


def grown(corners: Array, scale: float | Array) -> Array:
    """Quads (... x 4 x 2) scaled about their middles."""
    middle = corners.mean(axis=-2, keepdims=True)
    return np.asarray(middle + (corners - middle) * scale, np.float32)


def settle(view: View, outlines: Sequence[Outline], picks: Sequence[Pick]) -> list[list[Candidate]]:
    """For each outline lay its pick and weigh what may lie there, best first.

    Every face is compared again with what lies there now, unless the first look was clear and the laying bore it out.
    """
    starts = [turned(grown(o.corners, pick.scale), -pick.turn) for o, pick in zip(outlines, picks, strict=True)]
    faces = [view.catalog.faces[pick.face] for pick in picks]
    corners, likeness = laid(view, np.stack(starts), faces, ROUGH)
    likely = [[Entry(face.index, 0, like)] for face, like in zip(faces, likeness.tolist(), strict=True)]
    doubtful = [k for k, pick in enumerate(picks) if pick.lead < CLEAR or likeness[k] < max(pick.likeness, FITS)]
    if doubtful:
        shapes = [outlines[k].shape for k in doubtful]
        few = [faces[k] for k in doubtful]
        corners[doubtful], entries = _compared_again(view, corners[doubtful], likeness[doubtful], few, shapes)
        for k, mine in zip(doubtful, entries, strict=True):
            likely[k] = mine
    return weigh(view, corners, likely)


def _compared_again(
    view: View, corners: Array, likeness: Array, faces: list[Face], shapes: Sequence[str]
) -> tuple[Array, list[list[Entry]]]:
    """The shortlists of what lies at each of the corners, and the corners laid anew where another face was better."""
    likely = _shortlists(view, corners, shapes)
    better = [
        k
        for k, few in enumerate(likely)
        if few and few[0].face != faces[k].index and few[0].likeness > likeness[k] + BETTER
    ]
    if better:
        faces = list(faces)
        for k in better:
            faces[k], corners[k] = view.catalog.faces[likely[k][0].face], turned(corners[k], -likely[k][0].turn)
        corners[better], likeness[better] = laid(view, corners[better], [faces[k] for k in better], ROUGH)
        for k, few in zip(better, _shortlists(view, corners[better], [shapes[k] for k in better]), strict=True):
            likely[k] = few
    for k, few in enumerate(likely):
        like = float(likeness[k])
        mine = (faces[k].index, 0)
        likely[k] = [e._replace(likeness=max(e.likeness, like)) if e[:2] == mine else e for e in few]
    return corners, likely


def _shortlists(view: View, corners: Array, shapes: Sequence[str]) -> list[list[Entry]]:
    """What is likeliest to lie exactly at each of the corners, the most alike first."""
    result = []
    scores = compare(view.pyramid.cuts(corners, COARSE), view.catalog)
    for quad, shape, likeness in zip(corners, shapes, scores, strict=True):
        possible = np.where(fitting(quad, shape, view.catalog) * view.allowed > 0, likeness, -1)
        turns, faces = np.unravel_index(np.argsort(-possible, axis=None)[:SHORTLIST], possible.shape)
        entries = [Entry(int(f), int(t), float(possible[t, f])) for f, t in zip(faces, turns, strict=True)]
        result.append([entry for entry in entries if entry.likeness > -1])
    return result


def laid(view: View, guesses: Array, faces: Sequence[Face], size: int) -> tuple[Array, Array]:
    """Faces laid over their pictures (n x 4 x 2), and their NCC there: as rigid pieces on the ground where that fits
    well, else freely."""
    corners, likeness = guesses.copy(), np.full(len(faces), -1.0)
    rigid = {
        k: view.ground.laid(guesses[k], face.size_mm)
        for k, face in enumerate(faces)
        if view.ground is not None and face.size_mm is not None
    }
    if rigid:
        flat, starts = list(rigid), np.stack(list(rigid.values()))
        some = [faces[k] for k in flat]
        corners[flat], likeness[flat] = align(view.pyramid, starts, some, view.catalog, size, rigid=True)
    loose = [k for k in range(len(faces)) if likeness[k] <= FITS]
    if loose:
        free, scores = align(view.pyramid, guesses[loose], [faces[k] for k in loose], view.catalog, size)
        better = scores > likeness[loose] + GAIN
        moved = np.array(loose)[better]
        corners[moved], likeness[moved] = free[better], scores[better]
    return corners, likeness


def weigh(view: View, corners: Array, likely: Sequence[list[Entry]]) -> list[list[Candidate]]:
    """Compare what lies at each of the corners with its likely faces, in full if there is more than one. Best first."""
    considered = [[e for e in few if e.likeness > max(x.likeness for x in few) - CLEAR] for few in likely]
    crops = view.pyramid.cuts(corners, COARSE)
    result: list[list[Candidate]] = [[] for _ in likely]
    for quick in (True, False):
        group = [k for k, few in enumerate(considered) if few and (len(few) == 1) == quick]
        entries = [(k, entry.face, entry.turn) for k in group for entry in considered[k]]
        if entries:
            misfit, total = misfits(crops, entries, view.catalog, quick=quick)
            which = np.array([k for k, _, _ in entries])
            for k in group:
                mine = which == k
                result[k] = _ranked(corners[k], considered[k], misfit[mine], total[mine], view.catalog)
    return result


def _ranked(corners: Array, entries: list[Entry], misfit: Array, total: Array, catalog: Catalog) -> list[Candidate]:
    """The faces that may lie at ``corners``, the most probable first."""
    weight = np.ones(1) if len(entries) == 1 else _probabilities(entries, total)
    found = []
    for k in np.argsort(-weight):
        index, turn, like = entries[k]
        face = catalog.faces[index]
        # Which way up a back lies nobody needs to know, and most look alike both ways.
        certain = (
            weight[k] if face.up else sum(w for w, entry in zip(weight, entries, strict=True) if entry.face == index)
        )
        sure = float(certain) * known(float(misfit[k]), like)
        place = turned(corners, -turn)
        found.append(Candidate(face, place, float(weight[k]), float(misfit[k]), like, sure))
    return found


def _probabilities(entries: list[Entry], total: Array) -> Array:
    """Of each of the faces, given that it is one of them."""
    evidence = SHARPNESS * total - LIKENESS_SHARPNESS * np.array([entry.likeness for entry in entries])
    weight = np.exp(evidence.min() - evidence)
    probabilities: Array = weight / weight.sum()
    return probabilities
