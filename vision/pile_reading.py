"""Which card is uppermost in a pile: in a frame, and in what was seen of it before hands hid it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.world import Image, Sighting
from vision.hiding import blocked_pixels, hidden_share, share_blocked, within
from vision.light import Mask
from vision.motion import Motion
from vision.pile import BEYOND, PileFollower
from vision.reading import Reader, look_in
from vision.regions import Box
from vision.track import Corners
from vision.uppermost import Arts, not_beneath, resemblance
from vision.visit import Glimpse, in_half

NAMED = 0.35
"""Confidence from which a card that lies openly counts as one."""
SURELY = 0.8
"""Confidence from which what has newly come outdoes what lay there."""
CALM = 0.04
"""Share of a card's place that may be hidden or moving when it is read."""
RECALLED = 3
"""Frames of a visit that are read afterwards."""
COVERED = 0.4
"""Share of a card from which hands seem to hide it: it may be the card that one of them lays."""
LIKE_IT = 0.62
"""How alike a card and what is seen at its place must be (correlation) when it is read afterwards, or with hands about
where no pile lies yet: hands that rest are no cards. (On the simulated table 9 of 9 hands read as cards are less alike,
and 5 of 122 cards.)"""
OPENLY, DOUBTFUL = 0.54, 0.75
"""The same where it seems to lie openly and is read for certain, but not beyond all doubt (if it is read less surely,
the limit above holds). A card that glare hides may be less alike; no more than this confidence is due to it then."""
STILL, NEARLY = 0.6, 0.4
"""Share of a card that must look the same in the frame before or after for it to lie, and not be carried: the latter of
another face than the uppermost's, if it is surely read. (Then the hand that lays it has hardly let go; of
a card with the same face it matters exactly where it lies. On the simulated table 24 of 24 so read lay there.)"""
CERTAIN = 0.95
"""Confidence of a certain reading."""


@dataclass
class PileReader:
    """Reads the cards of a pile. ``arts`` are the fronts of the deck, ``expected`` the ids that may lie there."""

    reader: Reader
    arts: Arts
    expected: frozenset[str] | None = None

    def named(
        self, image: Image, box: Box, known: Corners | None = None, corner: tuple[int, int] = (0, 0)
    ) -> list[Sighting]:
        """The cards in a box of a picture whose upper left is at ``corner`` of the frame; corners are the frame's.
        ``known`` is where one lay before."""
        return cards_among(self.seen(image, box, known, corner))

    def seen(
        self, image: Image, box: Box, known: Corners | None = None, corner: tuple[int, int] = (0, 0)
    ) -> list[Sighting]:
        """Everything card-shaped there, that which is not read and that which lies face down included."""
        found = look_in(
            self.reader,
            image,
            box,
            expected=self.expected,
            plane=None,
            keep=lambda _quad: True,
            known=[] if known is None else [known - corner],
            search=True,
            below=lambda _quad: None,
        )
        return [_shifted(sighting, corner) for sighting in found]

    def uppermost(
        self, follower: PileFollower, image: Image, motion: Motion, blocked: Mask
    ) -> tuple[Sighting | None, bool]:
        """The card that lies openly on all others, if nothing hides it; and whether there is a newer one which a hand
        has not let go yet."""
        left, top, right, bottom = follower.box
        crop, corner = image[top:bottom, left:right], np.array((left, top))
        named = [self._doubted(crop, corner, s) for s in self.named(image, follower.box, _known(follower))]
        free = [s for s in named if share_blocked(np.array(s.corners), blocked, motion.scale) <= CALM]
        if not free:
            return None, False
        hidden = blocked_pixels(follower.box, blocked, motion)
        highest = self._highest(follower, crop, free, named, hidden)
        held = [s for s in named if s not in free and s.confidence > SURELY and not follower.layers.known(s, named)]
        return highest, highest is not None and follower.layers.known(highest, named) > 0 and bool(held)

    def recalled(self, follower: PileFollower) -> Iterator[tuple[Glimpse, Image, Sighting]]:
        """What was seen of a pile that is hidden now, when a card lay openly for hardly a moment: glimpses, their large
        pictures, and which card was uppermost there."""
        rest = follower.rest
        if rest is None or rest.quad is None:
            return
        corner = np.array(follower.box[:2])
        for glimpse in follower.visit.promising(rest.small, in_half(rest.quad, follower.box), RECALLED):
            if follower.rest is not rest:
                return  # what was seen before is no news any more
            crop, glimpse.crop = glimpse.crop, None
            assert crop is not None
            box = (0, 0, crop.shape[1], crop.shape[0])
            named = self.named(crop, box, _known(follower), follower.box[:2])
            lying = [s for s in named if self._lies(follower, glimpse, crop, s)]
            top = self._highest(follower, crop, lying, lying, glimpse.hidden)
            if top is not None:
                if glimpse.hidden is not None:
                    # A card counts as part of the hand that has just laid it down.
                    glimpse.hidden[within(np.array(top.corners) - corner, glimpse.hidden.shape)] = 0
                yield glimpse, crop, top

    def _lies(self, follower: PileFollower, glimpse: Glimpse, crop: Image, card: Sighting) -> bool:
        """Whether a card in a glimpse lies there, and is not carried. It must look like that card where no hand hides
        it, or all over where it seems to be part of a hand, as it does just after it was laid down."""
        corner = np.array(follower.box[:2])
        place = np.array(card.corners) - corner
        covered = glimpse.hidden is not None and hidden_share(place, glimpse.hidden) >= COVERED
        if self._alike(crop, corner, card, None if covered else glimpse.hidden) < LIKE_IT:
            return False
        new = follower.rest is None or follower.rest.top is None or follower.rest.top.id != card.id
        least = NEARLY if new and card.confidence >= CERTAIN else STILL
        return not covered or follower.visit.calm(glimpse, in_half(np.array(card.corners), follower.box)) >= least

    def plain(self, image: Image, card: Sighting) -> bool:
        """Whether a card read in a frame while hands are about is one, and no hand."""
        return card.confidence > SURELY and self._alike(image, np.zeros(2, np.intp), card, None) >= LIKE_IT

    def _doubted(self, crop: Image, corner: NDArray[np.intp], card: Sighting) -> Sighting:
        """A card, less sure if it is hardly alike what is seen at its place."""
        least = LIKE_IT if card.confidence < CERTAIN else OPENLY
        if not DOUBTFUL < card.confidence < BEYOND or self._alike(crop, corner, card, None) >= least:
            return card
        return msgspec.structs.replace(card, confidence=DOUBTFUL, sure=False)

    def _alike(self, crop: Image, corner: NDArray[np.intp], card: Sighting, hidden: NDArray[np.uint8] | None) -> float:
        """How alike a card and its place in a picture are; ``corner`` is the picture's upper left in the frame. 1 where
        it is not known how the card looks."""
        if card.id is None or card.id not in self.arts:
            return 1.0
        return resemblance(crop, (card.id, np.array(card.corners) - corner), self.arts, hidden)

    def _highest(
        self,
        follower: PileFollower,
        crop: Image,
        named: Sequence[Sighting],
        all: Sequence[Sighting],
        hidden: NDArray[np.uint8] | None,
    ) -> Sighting | None:
        """Of the cards that seem to lie openly the one on top: nothing is seen to lie on it, what was not there before
        lies on what was, and of cards known from before the latest is the uppermost."""
        corner = np.array(follower.box[:2])
        come = [s for s in named if not follower.layers.unchanged(crop, s)]
        cards = [(s.id or "", np.array(s.corners) - corner) for s in come]
        others = cards + [(s.id or "", np.array(s.corners) - corner) for s in all if s not in come]
        rest = follower.rest
        if rest is not None and rest.top is not None and rest.quad is not None:
            others.append((rest.top.id or "", rest.quad - corner))
        come = [come[k] for k in not_beneath(crop, cards, others, self.arts, hidden)]
        return max(
            come, key=lambda s: (s.confidence > SURELY, -follower.layers.known(s, all), s.confidence), default=None
        )


def cards_among(seen: Sequence[Sighting]) -> list[Sighting]:
    """Those that are known to be a certain card."""
    return [s for s in seen if s.id is not None and s.face_up and s.confidence >= NAMED]


def _known(follower: PileFollower) -> Corners | None:
    return None if follower.rest is None else follower.rest.quad


def _shifted(sighting: Sighting, by: tuple[int, int]) -> Sighting:
    a, b, c, d = ((x + by[0], y + by[1]) for x, y in sighting.corners)
    return msgspec.structs.replace(sighting, corners=(a, b, c, d))
