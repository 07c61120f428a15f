"""A pile of cards at one place of the table: what was seen of it, and what is told of that."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from companion.world import Hand, Image, PileChange, Sighting
from vision.layers import CAME, DOUBT, SURE, Layers, Rest
from vision.regions import Box
from vision.shifted import Evidence
from vision.track import Corners
from vision.twin import ENOUGH, stirred
from vision.visit import Glimpse, Visit, agreeing, enlarged, halved, hands_at, in_half, shrunk

CLEARLY = 0.8
"""Confidence from which a reading of a pile counts that was taken away before it lay openly."""
LOOKS = 3
"""Readings of a pile at rest after which what is not sure is told all the same."""
UNSURE = (0.12, CAME)
"""Between these probabilities that a card has come, it is looked at again."""
PLAINLY = 0.97
"""So likely a twin must be that is told while a hand is still there: it may be pushing the card."""
BEYOND = 0.99
"""Confidence of a reading beyond doubt: from it on another card is told while a hand is still there."""
ROOM = 0.9
"""How far, in long sides of a card, a pile's part of the picture reaches beyond its first card."""
UNTOUCHED = 0.85
"""A frame in which more of the uppermost card looks as before shows nothing new."""
ALIKE = 0.8
"""A card that a hand may hide and that looks less like the one before (correlation) is not read well enough there to
tell the two apart."""
HASTE_NS = 400_000_000
"""No card is laid down so soon after the one before: what seems to be its like may be that card, first read askew."""


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
    """Follows one pile, from its first card to the moment when all have been taken."""

    layers: Layers
    changes: list[PileChange] = field(default_factory=list)
    """What has been told, oldest first."""
    visit: Visit = field(default_factory=Visit)
    looks: list[Look] = field(default_factory=list)
    unread: bool = False
    """Something that could not be read lay there when the last change was told, of what had been seen before."""

    @property
    def box(self) -> Box:
        """Its part of the frame."""
        return self.layers.box

    @property
    def rest(self) -> Rest | None:
        """How it lay last."""
        return self.layers.rest

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
        came, evidence = self.layers.weigh(rest)
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
        read, certain = (SURE, UNSURE[1]) if look.open or self.rest is None else (BEYOND, PLAINLY)
        if not enough and (top is None or top.confidence < read or UNSURE[0] < look.came < certain):
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
        self.layers.rest = look.rest
        self.visit = self.visit.since(look.rest.t_ns)
        self.looks.clear()

    def _tell(self, look: Look) -> None:
        before, rest = self.rest, look.rest
        seen, missing = rest.t_ns, self.visit.rested_ns
        if rest.quad is not None:
            same = look.evidence is not None and before is not None and before.quad is not None
            old = before.quad if same and before is not None and before.quad is not None else rest.quad
            then = before if before is not None else self.layers.earlier
            seen, missing = self.visit.first_seen(
                rest.small, in_half(rest.quad, self.box), None if then is None else then.small, in_half(old, self.box)
            )
        moved = None if look.evidence is None else look.evidence.move
        came = look.came
        if moved is not None and (self._hasty(seen) or self._unsettled()):
            came = min(came, DOUBT)
        if self.unread and look.evidence is None and before is not None:
            came = min(came, DOUBT)  # it may be what was not read then, about which is asked already
        self.unread = not look.open and any(one.open and one.rest.top is None for one in self.looks)
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
        self.layers.take(rest, came)
        self.visit = self.visit.since(rest.t_ns)
        self.looks.clear()

    def _unsettled(self) -> bool:
        """Whether it is not sure how the uppermost card lay, or whether it had come: what sticks out may be itself, as
        it truly lay, or its like that was asked about."""
        if self.rest is None or self.rest.top is None:
            return False
        last = next((change.came for change in reversed(self.changes) if change.came > UNSURE[0]), 1.0)
        return self.rest.top.confidence < SURE or last < UNSURE[1]

    def _hasty(self, seen_ns: int) -> bool:
        """Whether another card has come so shortly before that this one cannot follow it."""
        last = self.changes[-1] if self.changes else None
        return last is not None and last.came >= DOUBT and seen_ns - last.seen_ns < HASTE_NS


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
