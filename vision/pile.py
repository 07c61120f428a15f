"""A pile of cards at one place of the table: which lies on top, and whether another has come since hands were there.

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
from companion.world import Hand, Image, PileChange, Sighting
from vision.regions import Box
from vision.shifted import Evidence, compare
from vision.track import Corners
from vision.twin import ENOUGH, probability, stirred
from vision.visit import Glimpse, Visit, agreeing, agreeing_beside, enlarged, halved, hands_at, in_half, shrunk

SURE = 0.9
"""Confidence from which a reading is taken at once."""
CLEARLY = 0.8
"""Confidence from which a reading of a pile counts that was taken away before it lay openly."""
LOOKS = 3
"""Readings of a pile at rest after which what is not sure is told all the same."""
UNSURE = (0.12, 0.88)
"""Between these probabilities that a card has come, it is looked at again."""
ROOM = 0.9
"""How far, in long sides of a card, a pile's part of the picture reaches beyond its first card."""
UNCHANGED = 0.6
"""Share of a card that looks as before from which it has not newly come."""
BLIND = 0.8
"""Where it was never seen what lies below the uppermost card, a twin is no more likely than this."""
UNTOUCHED = 0.85
"""A frame in which more of the uppermost card looks as before shows nothing new."""
SAME_MM = 3.0
"""A card nearer than this to one that lay there before is that one, uncovered again."""
ALIKE = 0.8
"""A card that a hand may hide and that looks less like the one before (correlation) is not read well enough there to
tell the two apart."""
HASTE_NS = 400_000_000
"""No card is laid down so soon after the one before: what seems to be its like may be that card, first read askew."""
DOUBT = 0.5
"""How likely such a card is at most, and one that may have been pushed out from under a palm."""
PUSHED_MM = 20.0
"""A corner of a card that is farther from where it lay than this was not just pushed."""
SHOVED_MM = 30.0
"""The same of a lower card, which is measured less exactly where the others hide it."""


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
class Look:
    """One reading of a pile: what it makes of it."""

    rest: Rest
    came: float
    evidence: Evidence | None
    open: bool
    """Nothing was at the card, and nothing moved there."""


@dataclass
class PileFollower:
    """Follows one pile, from its first card to the moment when all have been taken, in a ``box`` of the frame."""

    pieces: Mapping[str, Piece]
    box: Box
    rest: Rest | None = None
    earlier: Rest | None = None
    """As it lay before its uppermost card came."""
    came_at: Corners | None = None
    """Where the uppermost card lay when it had come."""
    changes: list[PileChange] = field(default_factory=list)
    """What has been told, oldest first."""
    visit: Visit = field(default_factory=Visit)
    looks: list[Look] = field(default_factory=list)
    below: list[tuple[str, Corners]] = field(default_factory=list)
    was_bare: bool = True
    """The place was seen bare before its first card."""
    told: Evidence | None = None
    """What the last change was told from."""

    def lay_bare(self, bare: Image, t_ns: int) -> None:
        """How the table looked here before the first card came."""
        left, top, right, bottom = self.box
        crop = bare[top:bottom, left:right].copy()
        self.earlier = Rest(t_ns, crop, halved(crop, (0, 0, crop.shape[1], crop.shape[0])), None, None)

    def glimpse(self, image: Image, t_ns: int, hands: tuple[Hand, ...], mask: NDArray[np.uint8] | None) -> None:
        """Take in a frame in which something moves at the pile, or a hand is there. ``mask`` (0/255, of any size) is
        what hands cover of the frame."""
        size = (image.shape[1], image.shape[0])
        at = hands_at(hands, self.place, size) if hands else ()
        glimpse = Glimpse(t_ns, halved(image, self.box), at)
        covered = None
        if mask is not None and hands:
            covered = enlarged(mask, size, self.box)
            glimpse.palms = shrunk(covered, glimpse.small)
        left, top, right, bottom = self.box
        rest = self.rest
        if rest is None or agreeing(glimpse.small, rest.small, in_half(self.place, self.box)) < UNTOUCHED:
            glimpse.crop = image[top:bottom, left:right].copy()
            glimpse.hidden = covered
        self.visit.add(glimpse)

    @property
    def place(self) -> Corners:
        """The outline of the uppermost card, or the middle of the box."""
        if self.rest is not None and self.rest.quad is not None:
            return self.rest.quad
        left, top, right, bottom = self.box
        x, y = (right - left) / 4, (bottom - top) / 4
        return np.array([(left + x, top + y), (right - x, top + y), (right - x, bottom - y), (left + x, bottom - y)])

    def look(
        self, crop: Image, t_ns: int, top: Sighting | None, hidden: NDArray[np.uint8] | None, *, open: bool
    ) -> None:
        """Take in a reading of the pile: its uppermost card in a picture of its box. ``hidden`` (0/255) is what hands
        hide of that, ``open`` whether nothing is at the card, and nothing moves there."""
        quad = None if top is None else np.array(top.corners, np.float64)
        rest = Rest(t_ns, crop, halved(crop, (0, 0, crop.shape[1], crop.shape[0])), top, quad, hidden)
        came, evidence = self._weighed(rest)
        if not open and evidence is not None and evidence.likeness < ALIKE:
            return
        self.looks.append(Look(rest, came, evidence, open))

    def decide(self, *, last: bool = False) -> bool:
        """Whether the readings tell what has become of the pile; then ``changes`` and ``rest`` say it.
        ``last``: no better reading will come."""
        looks = [look for look in self.looks if look.rest.top is not None] or self.looks
        if last:  # of what was never seen openly only what was read well
            looks = [look for look in looks if look.open or _confidence(look) >= CLEARLY]
        if not looks or (looks[0].rest.top is None and self.rest is not None):
            return False  # what cannot be read says nothing: the pile is still known as it was
        look = max(looks, key=lambda look: (look.open, min(_confidence(look), SURE), _telling(look), look.rest.t_ns))
        top = look.rest.top
        enough = last or sum(one.open for one in self.looks) >= LOOKS
        if not enough and (top is None or top.confidence < SURE or UNSURE[0] < look.came < UNSURE[1]):
            return False
        if top is not None and self.rest is not None and self.rest.top is not None and not self._changed(look):
            if not look.open and not last:
                return False  # what a hand still hides may yet be a new card
            self._settle(look)
            return True
        if top is None and self.rest is None:
            return False
        self._tell(look)
        return True

    def close(self) -> None:
        """A hand comes over the pile: what was read openly is all that will ever be known of how it lay until now."""
        if any(look.open for look in self.looks):
            self.decide(last=True)
            self.looks.clear()

    def _changed(self, look: Look) -> bool:
        """Whether another face is uppermost, or the same lies otherwise."""
        return look.evidence is None or look.came > UNSURE[0] or stirred(look.evidence)

    def _settle(self, look: Look) -> None:
        """Everything is as it was."""
        assert self.rest is not None and look.rest.top is not None
        self.rest = look.rest
        self.visit = self.visit.since(look.rest.t_ns)
        self.looks.clear()

    def _tell(self, look: Look) -> None:
        before, rest = self.rest, look.rest
        seen, missing = rest.t_ns, self.visit.rested_ns
        if rest.quad is not None:
            same = look.evidence is not None and before is not None and before.quad is not None
            old = before.quad if same and before is not None and before.quad is not None else rest.quad
            then = before if before is not None else self.earlier
            seen, missing = self.visit.first_seen(
                rest.small, in_half(rest.quad, self.box), None if then is None else then.small, in_half(old, self.box)
            )
        moved = None if look.evidence is None else look.evidence.move
        came = min(look.came, DOUBT) if moved is not None and self._hasty(seen) else look.came
        change = PileChange(
            t_ns=rest.t_ns,
            top=rest.top,
            came=round(came, 4),
            moved_mm=None if moved is None else round(moved.mm, 2),
            turned_deg=None if moved is None else round(moved.deg, 2),
            seen_ns=seen,
            before_ns=missing,
            hands=self.visit.directions(seen),
            first=before is None,
        )
        self.changes.append(change)
        self.told = look.evidence
        if before is not None and before.top is not None and before.top.id is not None:
            assert before.quad is not None
            if came >= 0.5:
                self.earlier = before
            if came >= 0.5 or rest.top is None or rest.top.id != before.top.id:
                self.below.append((before.top.id, before.quad))
        if came >= 0.5:
            self.came_at = rest.quad
        self.rest = rest
        self.visit = self.visit.since(rest.t_ns)
        self.looks.clear()

    def _hasty(self, seen_ns: int) -> bool:
        """Whether another card has come so shortly before that this one cannot follow it."""
        last = self.changes[-1] if self.changes else None
        return last is not None and last.came >= DOUBT and seen_ns - last.seen_ns < HASTE_NS

    def _weighed(self, rest: Rest) -> tuple[float, Evidence | None]:
        """The probability that a card has come since the last rest, and what it was told from."""
        before = self.rest
        if rest.top is None or rest.quad is None:
            return 0.0, None
        if before is None:
            return (1.0 if self.was_bare else 0.5), None
        if before.top is None or before.quad is None:
            return 0.9, None
        if before.top.id != rest.top.id:
            if self.known(rest.top):
                return self._upon(before, rest), None
            return (DOUBT if self._along(rest.top) else 0.99), None
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
        return (came if self.earlier is not None else min(came, BLIND)), evidence

    def _upon(self, before: Rest, rest: Rest) -> float:
        """The probability that a card which looks like a lower one, just where that lay, has come upon the uppermost.
        Where what sticks out of the uppermost is not seen as before, that is gone, and the lower one is seen again;
        else it is a doubt, for a lower one may have been read in spite of what lies on it."""
        assert before.quad is not None and rest.quad is not None
        old, new = in_half(before.quad, self.box), in_half(rest.quad, self.box)
        stays = agreeing_beside(rest.small, before.small, old, new)
        return DOUBT if stays is None or stays > UNCHANGED else 0.03

    def _size(self, id: str | None) -> tuple[float, float]:
        piece = self.pieces.get(id or "")
        return (piece.size_mm if piece is not None else None) or (63.0, 88.0)

    def known(self, sighting: Sighting, beside: Sequence[Sighting] = ()) -> int:
        """How deep a card lay before: 0 none like it did there, 1 it was uppermost, 2 just below, and so on. ``beside``
        is what else is seen: where the uppermost card has moved, all others may have moved along."""
        if self.rest is None or self.rest.top is None or self.rest.top.id is None or self.rest.quad is None:
            return 0
        quad = np.array(sighting.corners)
        near = (SAME_MM + 1.0) * self._per_mm(quad, sighting.id)
        lain = [*self.below, (self.rest.top.id, self.rest.quad)]
        along = self._pushed(beside)
        for depth, (id, place) in enumerate(reversed(lain), 1):
            if id != sighting.id:
                continue
            if _apart(quad, place) < near or (along is not None and _apart(quad, _carried(along, place)) < near):
                return depth
        return 0

    def _along(self, sighting: Sighting) -> bool:
        """Whether a lower card with that face lay near: a palm that hides the uppermost may have pushed it."""
        quad = np.array(sighting.corners)
        near = SHOVED_MM * self._per_mm(quad, sighting.id)
        return any(id == sighting.id and _apart(quad, place) < near for id, place in self.below)

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


def _confidence(look: Look) -> float:
    return look.rest.top.confidence if look.rest.top is not None else 0.0


def _telling(look: Look) -> float:
    """How much is to be seen of what tells a twin from a pushed card, 0 to 1 in tenths; of another face everything."""
    return 1.0 if look.evidence is None else round(min(1.0, look.evidence.area / ENOUGH), 1)


def zone(quad: Corners, size: tuple[int, int]) -> Box:
    """The part of a frame (``size``: width, height) in which a pile lies whose first card is at ``quad``."""
    sides = np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1)
    x, y = quad.mean(axis=0)
    reach = float(sides.max()) * (0.7 + ROOM)
    left, top = max(0, int(x - reach) // 2 * 2), max(0, int(y - reach) // 2 * 2)
    return left, top, min(size[0], int(x + reach) // 2 * 2), min(size[1], int(y + reach) // 2 * 2)


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
