"""How the cards of a pile lie on each other, and whether another has come upon them since the last rest.

A card that looks exactly like the one below it is known by what sticks out from under it, never by its face.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.deck import Piece
from companion.world import Image, Sighting
from vision.regions import Box
from vision.shifted import Evidence, compare
from vision.track import Corners
from vision.twin import probability
from vision.visit import agreeing, agreeing_beside, halved, in_half

SURE = 0.9
"""Confidence from which a reading is taken at once."""
CAME = 0.95
"""From this probability on a card has come for certain."""
DOUBT = 0.5
"""How likely a card is that cannot be told from one that lay there before."""
UNCHANGED = 0.6
"""Share of a card that looks as before from which it has not newly come."""
BLIND = 0.8
"""Where it was never seen what lies below the uppermost card, a twin is no more likely than this."""
SAME_MM = 3.0
"""A card nearer than this to one that lay there before is that one, uncovered again."""
APART_MM = 1.0
"""Cards with the same face whose corners are all nearer than this are one, read twice."""
PUSHED_MM = 20.0
"""A corner of a card that is farther from where it lay than this was not just pushed."""
SHOVED_MM = 30.0
"""The same of a lower card, which is measured less exactly where the others hide it."""
NUDGED_MM = 10.0
"""A card that is seen so near to where its like lay may be that one, pushed along, whatever else is to be seen."""


@dataclass
class Rest:
    """A pile at rest: the picture of its box, and its uppermost card with its outline in the frame."""

    t_ns: int
    crop: Image
    small: Image
    top: Sighting | None
    quad: Corners | None
    hidden: NDArray[np.uint8] | None = None
    """What hands hide of the picture (0/255)."""


@dataclass
class Layers:
    """The cards of one pile, in a ``box`` of the frame. ``rest`` is how it lay last, ``earlier`` how it lay before its
    uppermost card came, ``came_at`` where that card lay when it had come, ``below`` what lies under it and where, the
    lowest first."""

    pieces: Mapping[str, Piece]
    box: Box
    rest: Rest | None = None
    earlier: Rest | None = None
    came_at: Corners | None = None
    below: list[tuple[str, Corners]] = field(default_factory=list)
    was_bare: bool = True
    """The place was seen bare before its first card."""

    def lay_bare(self, bare: Image, t_ns: int) -> None:
        """How the table looked here before the first card came."""
        left, top, right, bottom = self.box
        crop = bare[top:bottom, left:right].copy()
        self.earlier = Rest(t_ns, crop, halved(crop, (0, 0, crop.shape[1], crop.shape[0])), None, None)

    def take(self, rest: Rest, came: float) -> None:
        """The pile has come to lie otherwise; ``came`` is the probability that a card was laid on it."""
        before = self.rest
        if came >= DOUBT and rest.top is not None and self._all_here(rest.top):
            self.below = [(id, place) for id, place in self.below if id != rest.top.id]  # some of it lies here no more
        if before is not None and before.top is not None and before.top.id is not None:
            assert before.quad is not None
            if came >= DOUBT:
                self.earlier = before
            if came >= DOUBT or rest.top is None or rest.top.id != before.top.id:
                self.below.append((before.top.id, before.quad))
        if came >= DOUBT:
            self.came_at = rest.quad
        self.rest = rest

    def weigh(self, rest: Rest) -> tuple[float, Evidence | None]:
        """The probability that a card has come since the last rest, and what it was told from."""
        before = self.rest
        if rest.top is None or rest.quad is None:
            return 0.0, None
        if before is None:
            return (1.0 if self.was_bare else 0.5), None
        if before.top is None or before.quad is None:
            return CAME, None
        if before.top.id != rest.top.id:
            if self.known(rest.top):
                return self._upon(before, rest), None
            return (DOUBT if self._shoved(before, rest) or self._all_here(rest.top) else 0.99), None
        size = self._size(rest.top.id)
        shift = np.array(self.box[:2])
        evidence = compare(
            before.crop,
            rest.crop,
            (before.quad - shift).astype(np.float32),
            (rest.quad - shift).astype(np.float32),
            size,
            earlier=None if self.earlier is None else self.earlier.crop,
            corners_then=None if self.came_at is None else (self.came_at - shift).astype(np.float32),
            hidden=_both(before.hidden, rest.hidden),
        )
        came = probability(evidence)
        if self.earlier is None:
            came = min(came, BLIND)
        return (min(came, DOUBT) if self._all_here(rest.top) or self._on_its_like(before) else came), evidence

    def _all_here(self, sighting: Sighting) -> bool:
        """Whether as many cards with that face seem to lie here, each at a place of its own, as the deck has: no other
        can come."""
        piece = self.pieces.get(sighting.id or "")
        near = APART_MM * self._per_mm(np.array(sighting.corners), sighting.id)
        places: list[Corners] = []
        for id, place in self._lain():
            if id == sighting.id and all(_apart(place, other) > near for other in places):
                places.append(place)
        return piece is not None and len(places) >= piece.copies

    def _on_its_like(self, before: Rest) -> bool:
        """Whether the uppermost card lies on one that looks exactly like it: what sticks out when it is pushed is that
        one, as it would be if another had come."""
        assert before.top is not None
        return self._near(before.top) is not None

    def _upon(self, before: Rest, rest: Rest) -> float:
        """The probability that a card which looks like a lower one, just where that lay, has come upon the uppermost.
        Where what sticks out of the uppermost is not seen as before, that is gone, and the lower one is seen again;
        else it is a doubt, for a lower one may have been read in spite of what lies on it."""
        assert before.quad is not None
        stays = self._stays(before, rest, before.quad)
        return DOUBT if stays is None or stays > UNCHANGED else 0.03

    def _shoved(self, before: Rest, rest: Rest) -> bool:
        """Whether the card that seems to have come may be a lower one that lay near and was shoved there. So it may if
        it is very near, if the uppermost is hidden or is not sure to have been that, or if what sticks out of the two
        is not seen as before."""
        lower = self._near(rest.top) if rest.top is not None else None
        if lower is None or rest.top is None or rest.quad is None or before.top is None or before.quad is None:
            return False
        if _apart(rest.quad, lower) < NUDGED_MM * self._per_mm(rest.quad, rest.top.id):
            return True
        if rest.hidden is not None or before.top.confidence < SURE:
            return True
        stays = [self._stays(before, rest, place) for place in (before.quad, lower)]
        return any(share is not None and share <= UNCHANGED for share in stays)

    def _stays(self, before: Rest, rest: Rest, place: Corners) -> float | None:
        """The share of what sticks out of a card at a place, from under the new one, that looks as before."""
        assert rest.quad is not None
        return agreeing_beside(rest.small, before.small, in_half(place, self.box), in_half(rest.quad, self.box))

    def _size(self, id: str | None) -> tuple[float, float]:
        piece = self.pieces.get(id or "")
        return (piece.size_mm if piece is not None else None) or (63.0, 88.0)

    def known(self, sighting: Sighting, beside: Sequence[Sighting] = ()) -> int:
        """How deep a card lay before: 0 none like it did there, 1 it was uppermost, 2 just below, and so on. ``beside``
        is what else is seen: where the uppermost card has moved, all others may have moved along."""
        lain = self._lain()
        if not lain:
            return 0
        quad = np.array(sighting.corners)
        near = (SAME_MM + 1.0) * self._per_mm(quad, sighting.id)
        along = self._pushed(beside)
        for depth, (id, place) in enumerate(reversed(lain), 1):
            if id != sighting.id:
                continue
            if _apart(quad, place) < near or (along is not None and _apart(quad, _carried(along, place)) < near):
                return depth
        return 0

    def _lain(self) -> list[tuple[str, Corners]]:
        """All cards and where they lay, the uppermost last; none while it is not known what is uppermost."""
        if self.rest is None or self.rest.top is None or self.rest.top.id is None or self.rest.quad is None:
            return []
        return [*self.below, (self.rest.top.id, self.rest.quad)]

    def _near(self, sighting: Sighting) -> Corners | None:
        """Where the nearest lower card with that face lay, if it was near enough to have been shoved from there."""
        quad = np.array(sighting.corners)
        near = min(
            (place for id, place in self.below if id == sighting.id), key=lambda p: _apart(quad, p), default=None
        )
        most = SHOVED_MM * self._per_mm(quad, sighting.id)
        return near if near is not None and _apart(quad, near) < most else None

    def _pushed(self, beside: Sequence[Sighting]) -> NDArray[np.float64] | None:
        """The movement (2 x 3, pixels) of the uppermost card, if it is seen near to where it lay."""
        assert self.rest is not None and self.rest.top is not None and self.rest.quad is not None
        same = [np.array(one.corners) for one in beside if one.id == self.rest.top.id]
        if not same:
            return None
        place = self.rest.quad
        quad = min(same, key=lambda quad: _apart(quad, place))
        if _apart(quad, place) > PUSHED_MM * self._per_mm(quad, self.rest.top.id):
            return None
        matrix, _ = cv2.estimateAffinePartial2D(place.astype(np.float32), quad.astype(np.float32))
        return None if matrix is None else np.asarray(matrix, np.float64)

    def unchanged(self, crop: Image, sighting: Sighting) -> bool:
        """Whether a card with another face than the uppermost's looks as it did at rest: it lay there all the time."""
        if self.rest is None or self.rest.top is None or self.rest.top.id == sighting.id:
            return False
        small = halved(crop, (0, 0, crop.shape[1], crop.shape[0]))
        return agreeing(small, self.rest.small, in_half(np.array(sighting.corners), self.box)) > UNCHANGED

    def _per_mm(self, quad: Corners, id: str | None) -> float:
        return math.sqrt(abs(_area(quad))) / math.sqrt(math.prod(self._size(id)))


def _both(one: NDArray[np.uint8] | None, other: NDArray[np.uint8] | None) -> NDArray[np.uint8] | None:
    if one is None or other is None:
        return one if other is None else other
    return np.asarray(np.maximum(one, other), np.uint8)


def _apart(one: Corners, other: Corners) -> float:
    return float(np.linalg.norm(one - other, axis=1).max())


def _carried(matrix: NDArray[np.float64], quad: Corners) -> Corners:
    return np.asarray(quad @ matrix[:, :2].T + matrix[:, 2], np.float64)


def _area(quad: Corners) -> float:
    x, y = quad.T
    return float(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2
