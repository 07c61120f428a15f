"""One piece followed over frames: its votes, its settled outline, and what is made of them.

A *spell* is the time in which nothing moved at the piece's place. Votes count within a spell only: what a hand has
been at may be another piece afterwards.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass, field
from statistics import median

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.deck import Piece
from companion.world import NOTHING, HoleReading, Quad, Sighting
from vision.beneath import Shown
from vision.portrait import Portrait

VOTES = 2
"""Agreeing readings that settle a piece."""
MOST = 4
"""Readings after which an unsure piece is left alone until something moves there."""

LIKELY = 0.5
"""Confidence from which a name that was not sure counts when another reading confirms it."""

Corners = NDArray[np.float64]


@dataclass(eq=False)
class Track:
    """A piece at a place. ``quad`` is in frame pixels, in the order of the face's own corners."""

    id: str | None
    kind: str | None
    quad: Corners
    spell: list[Sighting] = field(default_factory=list)
    covered_by: str | None = None
    over: str | None = None
    disturbed: bool = False
    """Something moved or lay here since the last reading."""
    hidden: bool = False
    """A hand is over it in this frame."""
    doubted: bool = False
    """Its place has settled without it being read: that the place changes no more does not bring it back."""
    misses: int = 0
    open_quad: Corners | None = None
    """Its outline while it lay open, measured over several frames."""
    open_sure: bool = False
    """It was surely named while it lay open."""
    read_in: int = 0
    """Number of the frame in which it was last read."""
    open_named: bool = False
    """Every reading while it lay open said so surely, if only one."""
    open_likely: bool = False
    """Every reading while it lay open gave it this name, if not surely."""
    confirmed: bool = False
    """What shows through the tile on it said the same."""
    contested: bool = False
    """What shows through the tile on it surely said otherwise."""
    blanks: int = 0
    """Readings of this spell that found nothing here."""
    portrait: Portrait | None = None
    """What its place looked like when it was last read."""
    guessed: bool = False
    """Never seen open: named only by what showed through a tile's holes."""

    @property
    def side(self) -> float:
        """Mean side in pixels."""
        a, b, c, d = self.quad.tolist()
        return (math.dist(a, b) + math.dist(b, c) + math.dist(c, d) + math.dist(d, a)) / 4

    @property
    def middle(self) -> Corners:
        """Centre in pixels."""
        return np.asarray(self.quad.mean(axis=0))

    @property
    def settled(self) -> bool:
        """No further reading is wanted."""
        sure = sum(sighting.sure and all(hole.sure for hole in sighting.holes) for sighting in self.agreeing())
        return not self.disturbed and (sure >= VOTES or len(self.spell) + self.blanks >= MOST)

    def agreeing(self) -> list[Sighting]:
        """The readings of this spell that say the present id and turn."""
        first, near = self.quad[0].tolist(), 0.3 * self.side
        return [s for s in self.spell if s.id == self.id and math.dist(s.corners[0], first) < near]

    def vote(self, sighting: Sighting) -> None:
        """Take one reading. The first after a disturbance begins a new spell."""
        if self.disturbed:
            self._begin_spell()
        self.misses, self.doubted = 0, False
        self.spell.append(sighting)
        weights: dict[str | None, float] = defaultdict(float)
        for past in self.spell:
            weights[past.id] += past.confidence + (0.5 if past.sure else 0.0)
        self.id = max(weights, key=lambda id: weights[id])
        mine = [past for past in self.spell if past.id == self.id]
        self.kind = mine[-1].kind
        self.quad = _typical([np.array(past.corners, np.float64) for past in mine], mine)

    def mistrust(self) -> None:
        """Something that nothing explains lies here: it may be gone, until what shows through a tile confirms, as if
        nothing were known, that it is not."""
        self.open_sure = self.open_named = self.confirmed = False

    def _begin_spell(self) -> None:
        """Another piece may lie here now: nothing that was known of the one before counts."""
        self.spell.clear()
        self.disturbed, self.blanks = False, 0
        self.open_quad = None
        self.open_sure = self.open_named = self.open_likely = self.confirmed = self.contested = False

    def lies_open(self) -> None:
        """Remember the outline: nothing covers it now."""
        self.covered_by = None
        self.guessed = False
        self.open_quad = self.quad.copy()
        self.open_sure = self.sure
        agreeing = self.agreeing()
        unanimous = len(agreeing) == len(self.spell)
        self.open_named = unanimous and all(sighting.sure for sighting in agreeing)
        self.open_likely = unanimous and all(sighting.confidence >= LIKELY for sighting in agreeing)
        self.confirmed = self.contested = False

    def lay_at(self, quad: Corners) -> bool:
        """Whether it lay open in that place and turn."""
        return self.open_quad is not None and math.dist(self.open_quad[0], quad[0]) < 0.3 * self.side

    @property
    def sure_below(self) -> bool:
        """Whether the card under a tile is surely named: as it lay open, or by that and, independently, by what shows:
        of hundreds of cards and turns both found the same."""
        return (self.open_sure or (self.open_likely and self.confirmed)) and not self.contested

    @property
    def sure(self) -> bool:
        """At least two readings say so surely, and none says surely otherwise."""
        mine = sum(sighting.sure for sighting in self.agreeing())
        against = sum(sighting.sure for sighting in self.spell) - mine
        return self.id is not None and mine >= VOTES and against == 0 and mine > len(self.spell) / 2

    @property
    def confidence(self) -> float:
        """Mean over the readings; those against count as nothing."""
        if not self.spell:
            return 0.0
        return float(sum(sighting.confidence for sighting in self.agreeing()) / len(self.spell))


def _typical(quads: list[Corners], sightings: list[Sighting]) -> Corners:
    """The mean outline of readings that agree on the turn; the turn is the one with most confidence behind it."""
    best: list[Corners] = []
    weight = -1.0
    for quad in quads:
        side = np.linalg.norm(quad[1] - quad[0])
        near = [np.linalg.norm(other[0] - quad[0]) < 0.3 * side for other in quads]
        behind = sum(s.confidence for s, close in zip(sightings, near, strict=True) if close)
        if behind > weight:
            best, weight = [other for other, close in zip(quads, near, strict=True) if close], behind
    return np.asarray(np.mean(best, axis=0), np.float64)


def corners_of(quad: Corners) -> Quad:
    """An array as the plain tuples of a Sighting, to a hundredth of a pixel."""
    a, b, c, d = ((round(float(x), 2), round(float(y), 2)) for x, y in quad)
    return (a, b, c, d)


def overlap_share(lower: Corners, upper: Corners) -> float:
    """The share of ``lower``'s area that ``upper`` covers (both convex)."""
    area, _ = cv2.intersectConvexConvex(lower.astype(np.float32), upper.astype(np.float32))
    whole = cv2.contourArea(lower.astype(np.float32))
    return float(area / whole) if whole > 0 else 0.0


def holes_over_time(track: Track, tile: Piece) -> tuple[HoleReading, ...]:
    """The holes of a tile as the readings of its spell see them directly, votes added up."""
    votes = [sighting.holes for sighting in track.agreeing() if len(sighting.holes) == len(tile.holes)]
    if not votes:
        return ()
    return tuple(_added([vote[hole] for vote in votes]) for hole in range(len(tile.holes)))


def _added(readings: list[HoleReading]) -> HoleReading:
    sums: dict[str, float] = defaultdict(float)
    for reading in readings:
        for name, share in reading.ranked or ((reading.symbol, reading.confidence),):
            sums[name] += share / len(readings)
    ranked = tuple(sorted(sums.items(), key=lambda item: -item[1]))
    symbol = max(
        {reading.symbol for reading in readings},
        key=lambda name: (sum(r.confidence for r in readings if r.symbol == name), name),
    )
    mine = [reading for reading in readings if reading.symbol == symbol]
    sure = sum(reading.sure for reading in mine)
    against = any(reading.sure for reading in readings if reading.symbol != symbol)
    return HoleReading(
        symbol,
        sum(reading.confidence for reading in mine) / len(readings),
        sure > len(readings) / 2 and not against,
        median(reading.share for reading in mine),
        ranked,
    )


def compared(seen: tuple[HoleReading, ...], known: tuple[Shown, ...], firm: bool) -> tuple[HoleReading, ...]:
    """Both opinions on each hole: what is seen directly and what the known card must show.

    Agreement is sure. A firm memory that the pixels merely fail to confirm stands when another hole confirms the
    card. Disagreement is never sure, and both names are in ``ranked``.
    """
    if not seen:
        return tuple(_remembered(hole, False) for hole in known)
    backed = sum(s.symbol == k.symbol and k.symbol != NOTHING for s, k in zip(seen, known, strict=True))
    opposed = sum(s.symbol != k.symbol and s.sure for s, k in zip(seen, known, strict=True))
    surely = sum(s.symbol == k.symbol != NOTHING and s.sure for s, k in zip(seen, known, strict=True))
    firm = firm or (surely >= 2 and not opposed)  # seen open too shortly, but two holes name the same card
    result = []
    for direct, memory in zip(seen, known, strict=True):
        border = 0.4 <= memory.share <= 0.6 and memory.likely != NOTHING
        if direct.symbol == memory.symbol:
            trust = 1 - (1 - direct.confidence) * (0.1 if firm else 0.4)
            sure = (firm or direct.sure) and not border
            result.append(HoleReading(direct.symbol, trust, sure, memory.share, direct.ranked))
        elif firm and not direct.sure and backed >= 1 and not opposed and not border:
            result.append(_with(memory.symbol, 0.85, True, memory.share, direct))
        else:
            # Two opinions: the firmer one first.
            mine = memory.symbol if not direct.sure and (firm or direct.confidence < 0.5) else direct.symbol
            trust = min(direct.confidence, 0.5)
            result.append(_with(mine, trust, False, memory.share, direct, memory=memory))
    return tuple(result)


def nothing_below(seen: HoleReading) -> HoleReading:
    """A hole of a tile under which no card is known: what is hardly seen through it is more likely nothing."""
    if seen.sure or seen.confidence >= 0.5 or seen.symbol == NOTHING:
        return seen
    return _with(NOTHING, 0.4, False, 0.0, seen)


def _remembered(memory: Shown, sure: bool) -> HoleReading:
    ranked = [(memory.symbol, 0.7)]
    if memory.likely != memory.symbol:
        ranked.append((memory.likely, 0.3))
    return HoleReading(memory.symbol, 0.6, sure, memory.share, tuple(ranked))


def _with(
    symbol: str, trust: float, sure: bool, share: float, direct: HoleReading, *, memory: Shown | None = None
) -> HoleReading:
    """A reading whose ranking begins with ``symbol`` and holds both opinions."""
    both = dict(direct.ranked or ((direct.symbol, direct.confidence),))
    for name in (direct.symbol, symbol, *((memory.symbol,) if memory else ())):
        both[name] = max(both.get(name, 0.0), 0.3)
    both[symbol] = max(both.values()) + 1e-6
    total = sum(both.values())
    ranked = tuple(sorted(((name, value / total) for name, value in both.items()), key=lambda item: -item[1]))
    return HoleReading(symbol, trust, sure, share, ranked)
