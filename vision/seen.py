"""What outlines are taken for: named in order, the likeliest first, and contradictions between them sorted out."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from vision.catalog import COARSE, Catalog
from vision.find import Outline
from vision.geometry import Array, shared_of_smaller
from vision.holes import HolesRead
from vision.identify import Candidate, Pick, View, settle
from vision.overturned import overturned

PROMISING = 0.33
"""Least NCC of a coarse crop with any face that is worth a closer look."""
EXPLAINED = 0.8
"""Confidence from which a place needs no other explanation."""
MEETS = 0.4
"""Share of the smaller of two outlines from which one may explain the other."""
KNOWN = 0.25
"""Least confidence at which a piece is given a name at all."""
DOUBTED = 0.5
"""Confidence up to which a piece may be another's plain side. A name that is not the best one deserves no more."""
TURNED = 0.9
"""Confidence in a side that is known by its holes alone."""


_Picked = tuple[Outline, Pick]


@dataclass(frozen=True)
class Seen:
    """An outline, the faces that may explain it, the likeliest first, and what its holes show."""

    outline: Outline
    candidates: tuple[Candidate, ...]
    confidence: float
    holes: HolesRead | None = None
    turned: tuple[str, tuple[tuple[str, float], ...]] | None = None
    """Kind of a piece with holes that lies turned over, and which pieces it may be."""


def settled(view: View, outlines: list[Outline], picks: list[Pick | None], seen: list[Seen]) -> list[Seen]:
    """What is seen, and the outlines named: the likeliest first, what lies in a well explained piece not at all."""
    seen, fresh = list(seen), seen
    picked = [(outline, pick) for outline, pick in zip(outlines, picks, strict=True) if pick is not None]
    waiting = sorted(picked, key=lambda pair: -pair[1].likeness)
    while waiting:
        waiting = [pair for pair in waiting if not any(_explained(pair[0], other) for other in fresh)]
        together, waiting = _apart(waiting)
        fresh = [Seen(outline, (), 0.0) for outline, pick in together if pick.likeness < PROMISING]
        worth = [pair for pair in together if pair[1].likeness >= PROMISING]
        if worth:
            found = settle(view, [o for o, _ in worth], [p for _, p in worth])
            fresh += [
                Seen(outline, tuple(candidates), candidates[0].confidence if candidates else 0.0)
                for (outline, _), candidates in zip(worth, found, strict=True)
            ]
        seen += fresh
    return seen


def _apart(waiting: list[_Picked]) -> tuple[list[_Picked], list[_Picked]]:
    """Those that no earlier one may explain, to be settled together, and the others."""
    boxes = np.array([[*outline.corners.min(axis=0), *outline.corners.max(axis=0)] for outline, _ in waiting])
    together: list[_Picked] = []
    later: list[_Picked] = []
    for k, pair in enumerate(waiting):
        before, box = boxes[:k], boxes[k]
        near = (before[:, :2] < box[2:]).all(axis=1) & (box[:2] < before[:, 2:]).all(axis=1)
        shares = any(shared_of_smaller(pair[0].corners, waiting[j][0].corners) > MEETS for j in np.flatnonzero(near))
        (later if shares else together).append(pair)
    return together, later


def turned_over(view: View, seen: list[Seen], but: list[Seen] | None = None) -> list[Seen]:
    """What no face explains well, looked at once more: it may be the plain side of a piece with holes. ``but`` are
    those that have been looked at as they are."""
    result = []
    for one in seen:
        look = one.confidence <= DOUBTED and not any(one is other for other in but or ())
        found = overturned(view.pyramid.cut(where(one), COARSE), view.catalog) if look else None
        result.append(replace(one, candidates=(), confidence=TURNED, turned=found) if found is not None else one)
    return result


def taken(seen: list[Seen]) -> list[Array]:
    """Places that need no other explanation."""
    return [where(one) for one in seen if one.confidence > EXPLAINED]


def where(one: Seen) -> Array:
    """The corners, in the face's order where it has one."""
    return one.candidates[0].corners if one.candidates else one.outline.corners


def _explained(outline: Outline, other: Seen) -> bool:
    return other.confidence > EXPLAINED and shared_of_smaller(outline.corners, where(other)) > 0.6


def without_overlap(seen: list[Seen]) -> list[Seen]:
    """No two pieces at one place: the more confident stays."""
    kept: list[Seen] = []
    for one in sorted(seen, key=lambda s: (-s.confidence, -s.outline.support)):
        if all(shared_of_smaller(where(one), where(other)) < 0.3 for other in kept):
            kept.append(one)
    return kept


def without_copies(seen: list[Seen], catalog: Catalog) -> list[Seen]:
    """No piece more often than the deck has it: the more confident keeps the name, the other its next best."""
    left = {piece.id: piece.copies for piece in catalog.deck.pieces}
    result = []
    for one in seen:
        if one.turned is not None:
            result.append(one)
            continue
        possible = [c for c in one.candidates if not c.face.up or left[c.face.piece.id] > 0]
        if possible and possible[0] is not one.candidates[0]:
            # Its best name is taken: what remains cannot be trusted more than it was.
            one = replace(one, candidates=tuple(possible), confidence=min(possible[0].confidence, DOUBTED))  # noqa: PLW2901
        elif not possible and one.candidates:
            one = replace(one, candidates=(), confidence=0.0)  # noqa: PLW2901
        if possible and one.confidence >= KNOWN and possible[0].face.up:
            left[possible[0].face.piece.id] -= 1
        result.append(one)
    return result
