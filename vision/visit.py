"""What was seen of a pile while hands were at it: small pictures and the hands, to tell afterwards when a card came."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.world import Hand, Image
from vision.light import strongest
from vision.regions import Box
from vision.track import Corners

MOST = 90
"""Frames of a visit that are kept."""
LARGE = 16
"""Of so many the large picture is kept."""
UNLIKE = 0.15
"""Share of the place that must look otherwise for something to have come."""
LIKE = 0.55
"""Share of a card that must look as it does at rest for it to be seen."""
SHOWS, MUCH_MORE = 0.5, 4.0
"""So much of what tells a card from what lay there must be seen for it to lie there, and so many times more of it than
of that. (On the simulated table 59 of 73 frames in the two steps after a card landed, 1 of 68 well before.)"""
PEEPS = 0.1
"""If so much of what lay there is still seen, and less of the card, it does not lie there yet. (37 of 75 frames before
a card landed, none of 73 after.)"""
LAYING_NS = 500_000_000
"""A hand that lays a card down hides its place for no longer. Where hands stay, palms came upon it at once, and what
shows between them says nothing of when it came."""
HIDDEN, MATTERS = 0.97, 0.8
"""Covered more than this nothing of a card is seen; and how much it takes from a frame that hands cover it all."""
BURIED = 0.5
"""Covered more than this by hands it is not known whether it lies there."""
LEAST = 60
"""Pixels (half size) of which something can be said."""
AGREES, FLOOR = 0.12, 9.0
"""Difference up to which a pixel looks the same: relative, and of 255."""


@dataclass
class Glimpse:
    """One frame: the pile in half size, and each hand's direction (degrees) with how much of the pile it covers.

    ``crop`` is the pile in full size where it is open enough to be read, ``hidden`` (0/255) what hands hide of it.
    """

    t_ns: int
    small: Image
    hands: tuple[tuple[float, float], ...]
    crop: Image | None = None
    hidden: NDArray[np.uint8] | None = None
    palms: NDArray[np.uint8] | None = None
    """What hands hide of ``small`` (0/255); None where there are none."""

    @property
    def cover(self) -> float:
        """How much of the pile hands cover."""
        return min(1.0, sum(share for _, share in self.hands))


@dataclass
class Visit:
    """The frames since a pile last lay at rest."""

    rested_ns: int = 0
    glimpses: list[Glimpse] = field(default_factory=list)

    def add(self, glimpse: Glimpse) -> None:
        """One more frame; the oldest are forgotten."""
        self.glimpses.append(glimpse)
        large = [one for one in self.glimpses if one.crop is not None]
        if len(large) > LARGE:
            large[0].crop = None
        if len(self.glimpses) > MOST:
            self.rested_ns = self.glimpses[0].t_ns
            del self.glimpses[0]

    def since(self, t_ns: int) -> Visit:
        """What came after a frame."""
        return Visit(t_ns, [glimpse for glimpse in self.glimpses if glimpse.t_ns > t_ns])

    def first_seen(self, after: Image, quad: Corners, before: Image | None, old: Corners) -> tuple[int, int]:
        """The time of the first frame in which a card lay as it lies ``after`` (half size; quads are in its pixels),
        and that of the last one before in which it surely did not.

        ``before`` is how it looked until then: the card is told only where the two pictures differ, there and
        at ``old`` (where a card with the same face lay). What is seen there beside a hand tells it as well.
        """
        mask = _inside(quad, after) > 0
        telling = None
        if before is not None:
            differ = ~_alike(after, before) & (mask | (_inside(old, after) > 0))
            telling = differ if np.count_nonzero(differ) > 40 else None
        last = before_cover = self.rested_ns
        cover_ns: int | None = None
        for glimpse in self.glimpses:
            like = _alike(glimpse.small, after)
            if telling is None or before is None:
                lies, lay = like[mask].mean() >= LIKE, glimpse.cover < BURIED
            else:
                now, then = like[telling], _alike(glimpse.small, before)[telling]
                if glimpse.palms is not None:
                    then &= glimpse.palms[telling] == 0  # a palm as pale as the table is not the table
                new, old_one = float((now & ~then).mean()), float((then & ~now).mean())
                lies, lay = new >= SHOWS and new > MUCH_MORE * old_one, old_one >= PEEPS and old_one > new
            if lies:
                long = cover_ns is not None and glimpse.t_ns - cover_ns > LAYING_NS
                return glimpse.t_ns, before_cover if long else last
            if glimpse.cover >= BURIED and cover_ns is None:
                cover_ns, before_cover = glimpse.t_ns, last
            if lay:
                last = glimpse.t_ns
                if glimpse.cover < BURIED:
                    cover_ns = None
        return last, last

    def promising(self, rest: Image, quad: Corners, most: int) -> list[Glimpse]:
        """Frames not yet read in which something new may lie openly, the calmest and least covered first: they are
        neither as at ``rest`` (half size, the quad in its pixels) nor as the last one, in which hands are there."""
        found = []
        for at, glimpse in enumerate(self.glimpses):
            if glimpse.crop is None or glimpse.cover > HIDDEN or agreeing(glimpse.small, rest, quad) > 1 - UNLIKE:
                continue
            last = self.glimpses[-1]
            if glimpse is not last and agreeing(glimpse.small, last.small, quad) > 1 - UNLIKE:
                continue
            shown = self._calm(at, quad) * (1 - MATTERS * glimpse.cover)
            found.append((round(shown, 1), glimpse.t_ns, glimpse))
        return [glimpse for _, _, glimpse in sorted(found, key=lambda one: one[:2], reverse=True)[:most]]

    def calm(self, glimpse: Glimpse, quad: Corners) -> float:
        """How much of what a glimpse shows at a place (half size) is there in the frame before or after it as well: of
        what lies most, of what is carried little."""
        return self._calm(next(k for k, one in enumerate(self.glimpses) if one is glimpse), quad)

    def _calm(self, at: int, quad: Corners) -> float:
        """The share of a place that looks the same in the frame before or after one."""
        beside = self.glimpses[max(0, at - 1) : at] + self.glimpses[at + 1 : at + 2]
        return max((agreeing(one.small, self.glimpses[at].small, quad) for one in beside), default=0.0)

    def directions(self, until_ns: int) -> tuple[float, ...]:
        """From where the hands reached in up to a moment: who covered most of the pile first."""
        sums: list[list[float]] = []
        for glimpse in self.glimpses:
            if glimpse.t_ns > until_ns:
                break
            for direction, share in glimpse.hands:
                known = next((s for s in sums if abs(math.remainder(s[0] - direction, 360)) < 25), None)
                if known is None:
                    sums.append([direction, share])
                else:
                    known[1] += share
        return tuple(round(direction, 1) for direction, share in sorted(sums, key=lambda s: -s[1]) if share > 0)


def hands_at(hands: tuple[Hand, ...], quad: Corners, size: tuple[int, int]) -> tuple[tuple[float, float], ...]:
    """The direction from the middle of a place (degrees, 0 right, 90 down) in which each hand reaches in, and the
    share of the place it covers."""
    middle = quad.mean(axis=0)
    found = []
    for hand in hands:
        outline = np.array(hand.outline, np.float64)
        if len(outline) < 3:
            continue
        x, y = outline.T
        rim = {"left": x < 12, "right": x > size[0] - 13, "top": y < 12, "bottom": y > size[1] - 13}
        edge = rim.get(hand.side or "", np.ones(len(outline), bool))
        at = outline[edge].mean(axis=0) if edge.any() else outline.mean(axis=0)
        low = np.floor(quad.min(axis=0)).astype(int)
        wide, tall = (np.ceil(quad.max(axis=0)).astype(int) - low + 1).tolist()
        place, cover = np.zeros((tall, wide), np.uint8), np.zeros((tall, wide), np.uint8)
        cv2.fillConvexPoly(place, np.round(quad - low).astype(np.int32), 1)
        cv2.fillPoly(cover, [np.round(outline - low).astype(np.int32)], 1)
        share = float((place & cover).sum() / max(int(place.sum()), 1))
        found.append((math.degrees(math.atan2(at[1] - middle[1], at[0] - middle[0])) % 360, share))
    return tuple(found)


def halved(image: Image, box: Box) -> Image:
    """A part of a frame in half size."""
    left, top, right, bottom = box
    return np.asarray(cv2.resize(image[top:bottom, left:right], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA))


def shrunk(mask: Image, like: Image) -> NDArray[np.uint8]:
    """A mask of the same place in the size of another picture."""
    return np.asarray(cv2.resize(mask, like.shape[1::-1], interpolation=cv2.INTER_NEAREST), np.uint8)


def enlarged(mask: NDArray[np.uint8], size: tuple[int, int], box: Box) -> NDArray[np.uint8]:
    """The part in ``box`` of a mask of the whole frame (``size``: width, height) that has fewer pixels."""
    left, top, right, bottom = box
    rows = np.arange(top, bottom) * mask.shape[0] // size[1]
    columns = np.arange(left, right) * mask.shape[1] // size[0]
    return mask[np.ix_(rows, columns)]


def in_half(quad: Corners, box: Box) -> Corners:
    """A quad of the frame in the pixels of ``halved``."""
    return np.asarray((quad - box[:2] + 0.5) / 2 - 0.5, np.float64)


def agreeing(one: Image, other: Image, quad: Corners) -> float:
    """The share of a place that looks the same in two pictures."""
    low = np.floor(quad.min(axis=0)).astype(int).clip(0)
    high = np.ceil(quad.max(axis=0)).astype(int).clip(0) + 1
    parts = [picture[low[1] : high[1], low[0] : high[0]] for picture in (one, other)]
    if not parts[0].size:
        return 0.0
    inside = _inside(quad - low, parts[0]) > 0
    return float(_alike(parts[0], parts[1])[inside].mean()) if inside.any() else 0.0


def agreeing_beside(one: Image, other: Image, quad: Corners, over: Corners) -> float | None:
    """The same of the part of a place that another (``over``) does not cover; None where hardly any is left."""
    beside = (_inside(quad, one) > 0) & (_inside(over, one) == 0)
    return float(_alike(one, other)[beside].mean()) if np.count_nonzero(beside) > LEAST else None


def _inside(quad: Corners, picture: Image) -> NDArray[np.uint8]:
    mask = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(quad).astype(np.int32), 1)
    return mask


def _alike(one: Image, other: Image) -> NDArray[np.bool_]:
    difference = strongest(cv2.absdiff(one, other))
    return np.asarray(difference < AGREES * strongest(other) + FLOOR)
