"""What the watcher of Hook! remembers from one Scene to the next, and the hysteresis that it applies."""

from __future__ import annotations

import math

import msgspec

from companion.games.hook.resting import Rest
from companion.games.hook.sighted import NAMED, Look
from companion.world import Quad

AGREEING = 2
"""Still scenes that must agree on a reading without doubt."""
PATIENCE = 3
"""Still scenes after which a doubtful reading is told all the same; one more while it still changes. One fewer, and
none more, will do for a tile not told yet when the table has lain still for long."""
LONG = 4
"""Still scenes of the whole table from which a doubtful reading need not stand so long: what is found only after long
looking (under a lamp's glare) will hardly be read better, and the players wait."""
SAME_MM, SAME_DEG = 6.0, 8.0
"""Poses nearer than this are one pose: readings of a tile at rest scatter by less, a tile that was moved by more."""


class TileTrack(msgspec.Struct, frozen=True):
    """A tile over scenes: its newest look, how many still scenes it has rested there, how many of them agree."""

    look: Look
    rested: int = 1
    agreed: int = 1

    def ready(self, still: int) -> bool:
        """Whether this reading may be told when the whole table has lain still for so many scenes."""
        if not self.look.fresh:
            return False
        if still >= LONG and self.look.doubtful and self.rested >= AGREEING:
            return True
        if self.look.loose:
            return self.rested >= PATIENCE
        agreeing = self.agreed >= AGREEING
        return (agreeing and not self.look.doubtful) or self.rested >= PATIENCE + (not agreeing)

    def after(self, look: Look) -> TileTrack:
        """The track after the next scene."""
        if not look.fresh:  # something moves at it: what was read may no longer hold, but a shadow changes nothing
            return msgspec.structs.replace(self, look=msgspec.structs.replace(self.look, fresh=False))
        if not same_place(self.look, look):
            return TileTrack(look)
        return TileTrack(look, self.rested + 1, self.agreed + 1 if self.look.same_reading(look) else 1)


class CardTrack(msgspec.Struct, frozen=True):
    """A Target card lying open: where, for how many still scenes, and how surely it is named."""

    card: str
    quad: Quad
    lain: int
    sure: bool
    confidence: float

    @property
    def ready(self) -> bool:
        """Whether it may be told. What has no good name is not told: a tile laid on it will ask about it."""
        return self.lain >= (AGREEING if self.sure else PATIENCE) and (self.sure or self.confidence >= NAMED)


class ThingTrack(msgspec.Struct, frozen=True):
    """Something without a name lying on a card's place; ``back`` when it is known to be a tile's black side.
    ``owners`` may own it, the likeliest first, as far as its looks tell."""

    card: str
    back: bool
    lain: int
    owners: tuple[str, ...] = ()


class Told(msgspec.Struct, frozen=True):
    """A pose that was observed, or found in the state after a start. ``at`` is where, in pixels."""

    tile: str
    card: str | None
    rest: Rest | None
    at: tuple[float, float]


class Memory(msgspec.Struct, frozen=True):
    """Everything. ``said`` are observations made, so that one that was refused or undone is not made again."""

    tiles: tuple[TileTrack, ...] = ()
    cards: tuple[CardTrack, ...] = ()
    places: tuple[tuple[str, Quad], ...] = ()
    """Where each card of this round, or the next, lay when it was last seen open."""
    things: tuple[ThingTrack, ...] = ()
    homes: tuple[tuple[str, tuple[float, float]], ...] = ()
    """Where tiles lay beside the cards before the round had any."""
    waiting: tuple[Look, ...] = ()
    """Tiles that have rested for a scene or more and were not told yet: told late if the table is cleared first."""
    told: tuple[Told, ...] = ()
    earlier: tuple[Told, ...] = ()
    """What was told in the round before: what still lies there is not placed anew."""
    said: frozenset[tuple[str, ...]] = frozenset()
    round: int = 0
    still: int = 0
    """Scenes in a row in which nothing moved and no hand was seen."""
    cleared: int = 0
    """Scenes in a row in which nothing of the round lay on the table any more."""

    def track(self, tile: str) -> TileTrack | None:
        """The track of a tile."""
        return next((t for t in self.tiles if t.look.tile == tile), None)

    def told_of(self, tile: str) -> Told | None:
        """The last pose observed of a tile in this round."""
        return next((t for t in self.told if t.tile == tile), None)

    def telling(self, told: Told) -> Memory:
        """With one more pose observed, in the place of the tile's earlier one."""
        others = tuple(t for t in self.told if t.tile != told.tile)
        return msgspec.structs.replace(self, told=(*others, told))

    def saying(self, *words: object) -> Memory:
        """With one more thing said."""
        return msgspec.structs.replace(self, said=self.said | {tuple(map(str, words))})

    def has_said(self, *words: object) -> bool:
        """Whether that was said before."""
        return tuple(map(str, words)) in self.said


def same_place(a: Look, b: Look) -> bool:
    """Whether a tile rests as it did: on the same card in the same pose, or, without a card, at the same place."""
    if a.rest is not None and b.rest is not None and a.card == b.card:
        return near(a.rest, b.rest)
    return math.dist(a.at, b.at) < 0.1 * max(b.side, 1.0)


def near(a: Rest, b: Rest) -> bool:
    """Whether two poses on one card are one."""
    millimetres, degrees = a.apart(b)
    return millimetres < SAME_MM and degrees < SAME_DEG
