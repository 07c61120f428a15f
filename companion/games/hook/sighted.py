"""What one Scene says about Hook!: which Target cards lie open, and how each Sight tile rests.

Nothing here remembers anything. Sightings are taken in an order of their own, so it does not matter how they are
listed.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Mapping
from typing import NamedTuple

import msgspec

from companion.deck import Piece
from companion.games.hook.facts import PlaceTile
from companion.games.hook.names import SHARE_ASKED, SHARE_COUNTS
from companion.games.hook.resting import CARD_MM, Rest, bare_mm, camera, centre, rest, side
from companion.games.hook.ways import Sight, likeliest, ways
from companion.world import NOTHING, HoleReading, Quad, Scene, Sighting

OWNER_SURE = 0.9
"""Probability and confidence from which a tile's identity is taken without asking, although its holes are not sure."""
WEAK = 0.5
"""Confidence from which something among the cards is asked about as a tile, although nothing shows in its holes."""
AT_CARD = 0.3
"""A tile whose middle is farther than this (in sides) from a card's middle does not rest on that card."""
NAMES_KEPT = 4
NAMED = 0.9
"""Confidence from which a card that was seen open is taken as named when the symbols in the holes confirm it."""
CONFIRM = 2
"""So many symbols surely seen through the holes, all as that card must show them, confirm it."""


class Pieces(msgspec.Struct, frozen=True):
    """What the watcher has to know about the deck: owners of the Sight tiles by id, and sizes in millimetres."""

    owners: Mapping[str, str] = {}
    card_mm: tuple[float, float] = CARD_MM
    tile_mm: tuple[float, float] = CARD_MM
    faces: Mapping[str, Piece] = {}
    """Target cards and Sight tiles by id: what they show and where they have holes."""

    def owner(self, tile: str) -> str:
        """Whose tile it is; by the usual form of the id (sight-red-pirate-1) where the deck does not say."""
        return self.owners.get(tile) or tile.removeprefix("sight-").rpartition("-")[0]

    def ways(self, told: PlaceTile, card: str) -> tuple[Sight, ...]:
        """What the seat's Sight tiles may show on a card, likeliest first; what was seen is always among it, and all
        there is where the deck does not know the card."""
        tiles = [piece for id, piece in self.faces.items() if piece.holes and self.owner(id) == told.seat]
        possible = ways(tiles, self.faces[card]) if card in self.faces else ()
        return likeliest((told.symbols, *possible), told.ranked)


class Look(msgspec.Struct, frozen=True):
    """One tile at rest as one Scene has it. ``told`` is the observation it would make; ``rest`` is None where the
    card's outline is not known; ``fresh`` False while something moves at it; ``at`` and ``side`` are pixels."""

    tile: str
    told: PlaceTile
    rest: Rest | None
    fresh: bool
    at: tuple[float, float]
    side: float
    loose: bool = False
    """It lies on no card that is known, and hardly any symbol shows: nobody may have placed it at all."""

    @property
    def card(self) -> str | None:
        """The Target card underneath."""
        return self.told.card

    @property
    def doubtful(self) -> bool:
        """Whether a person would have to be asked about this reading."""
        told = self.told
        return bool(told.unsure) or not told.seat_sure or not told.card_sure

    def same_reading(self, other: Look) -> bool:
        """The same tile on the same card showing the same."""
        return (self.tile, self.card, self.told.symbols) == (other.tile, other.card, other.told.symbols)


def by_id(scene: Scene) -> dict[str, Sighting]:
    """The best sighting of each named piece, in the order of ids."""
    named = [s for s in scene.sightings if s.id is not None]
    named.sort(key=lambda s: (s.id, not s.fresh, not s.sure, -s.confidence, s.corners))
    found: dict[str, Sighting] = {}
    for sighting in named:
        assert sighting.id is not None
        found.setdefault(sighting.id, sighting)
    return found


def is_tile(sighting: Sighting) -> bool:
    """Whether it is a Sight tile."""
    return sighting.kind == "sight-tile"


def is_card(sighting: Sighting) -> bool:
    """Whether it is a Target card with its face up."""
    return sighting.kind == "target-card" and sighting.face_up


def apart(a: Quad, b: Quad) -> float:
    """How far the middles of two outlines are from each other, in sides of the first."""
    return math.dist(centre(a), centre(b)) / max(side(a), 1e-6)


class _About(NamedTuple):
    """What else must be known to make something of a tile."""

    pieces: Pieces
    found: Mapping[str, Sighting]
    opened: Container[str]
    used: Container[str]
    above: tuple[float, float, float] | None


def looks(scene: Scene, pieces: Pieces, opened: Container[str], used: Container[str]) -> tuple[Look, ...]:
    """Every named Sight tile with its face up, on a card or beside the cards.

    ``opened`` are cards that were seen open in this round, ``used`` those of earlier rounds.
    """
    found = by_id(scene)
    above = camera(scene.plane, scene.size) if scene.plane is not None else None
    about = _About(pieces, found, opened, used, above)
    made = (_look(s, about) for s in found.values() if is_tile(s) and s.face_up)
    return tuple(look for look in made if look is not None)  # the table itself may look like a tile a little


def _beneath(tile: Sighting, about: _About) -> Sighting | None:
    """The card under a tile: one whose round is not over rather than one whose is, one that was seen open or is sure
    rather than a guess, the one that vision names rather than another."""
    near = []
    for id, card in about.found.items():
        away = apart(card.corners, tile.corners)
        if is_card(card) and away <= AT_CARD:
            guess = not (card.sure or id in about.opened)
            near.append((id in about.used, guess, id != tile.over, away, id))
    return about.found[min(near)[-1]] if near else None


def _look(tile: Sighting, about: _About) -> Look | None:
    assert tile.id is not None
    pieces, opened, above = about.pieces, about.opened, about.above
    card = _beneath(tile, about)
    confirmed = sum(hole.sure and hole.symbol != NOTHING for hole in tile.holes)
    if card is not None and card.id not in opened and not card.sure and confirmed < CONFIRM:
        card = None  # guessed from holes that show nothing much
    read = sum(hole.sure for hole in tile.holes)
    card_sure = card is not None and (
        (card.sure and (card.id in opened or read >= CONFIRM))  # never seen open, it is known by the holes alone
        or (card.id in opened and card.confidence >= NAMED and confirmed >= CONFIRM)
    )
    symbols = tuple(hole.symbol for hole in tile.holes)
    # On a card that has no name symbols show all the same; on the bare table none do.
    loose = card is None and confirmed < CONFIRM
    below = about.found.get(tile.over or "")
    if loose and below is not None and not is_card(below):
        return None  # a Hit card of its colours may look like a tile
    beside = loose and sum(hole.sure and hole.symbol == NOTHING for hole in tile.holes) >= CONFIRM
    pose = rest(tile, card, pieces.card_mm, above) if card is not None else None
    owners = _owners(tile, pieces)
    identified = _identified(tile, confirmed)
    measured = card is not None and card.id == tile.over
    unsure = tuple(i for i, hole in enumerate(tile.holes) if not hole.sure and not (measured and _by_half(hole.share)))
    ranked = tuple(hole.ranked[:NAMES_KEPT] or ((hole.symbol, hole.confidence),) for hole in tile.holes)
    cards = () if card is None or card_sure else _cards(card)
    told = PlaceTile(
        seat=pieces.owner(tile.id),
        tile=tile.id,
        card=card.id if card is not None else None,
        symbols=tuple(NOTHING for _ in symbols) if beside else symbols,
        unsure=() if beside else unsure if identified or len(owners) > 1 else tuple(range(len(symbols))),
        ranked=ranked,
        shares=tuple(_share(hole, beside, measured) for hole in tile.holes),
        turn_off_deg=round(abs(pose.turn_off_deg), 1) if pose is not None else 0.0,
        bare_mm=round(bare_mm(pose, pieces.tile_mm, pieces.card_mm), 1) if pose is not None else 0.0,
        seat_sure=bool(identified or len(owners) == 1),
        seats=() if identified or len(owners) == 1 else owners,
        card_sure=bool(beside or card_sure),
        cards=cards,
    )
    if cards or len(told.unsure) == len(symbols):
        names = dict.fromkeys(("", *((card.id or "",) if card is not None else ()), *(name for name, _p in cards)))
        told = msgspec.structs.replace(told, ways={name: pieces.ways(told, name) for name in names})
    if loose and not (identified or (tile.confidence >= WEAK and not beside)):
        return None  # the table itself may look like a tile a little
    return Look(tile.id, told, pose, tile.fresh, centre(tile.corners), side(tile.corners), loose)


def _share(hole: HoleReading, beside: bool, measured: bool) -> float:
    """How much of the symbol shows: measured only over the card that vision saw there; else what is seen counts."""
    if beside or (not measured and hole.symbol == NOTHING):
        return 0.0
    return hole.share if measured else 1.0


def _by_half(share: float) -> bool:
    """The rules ask about such a hole by themselves, however well it is seen."""
    return SHARE_ASKED <= share <= SHARE_COUNTS


def _identified(tile: Sighting, confirmed: int) -> bool:
    """Whether a tile's name needs no asking. Symbols surely seen where this tile has its holes confirm it, too."""
    if tile.sure:
        return True
    weight = sum(p for name, p in tile.ranked if name == tile.id)
    return weight >= OWNER_SURE and tile.confidence >= (WEAK if confirmed >= CONFIRM else OWNER_SURE)


def _owners(tile: Sighting, pieces: Pieces) -> tuple[tuple[str, float], ...]:
    """Whose tile it may be with probabilities, the likeliest first."""
    assert tile.id is not None
    weights: dict[str, float] = {pieces.owner(tile.id): 0.0}
    for name, p in tile.ranked:
        owner = pieces.owner(name)
        if owner and p > 0.02:
            weights[owner] = weights.get(owner, 0.0) + p
    first = pieces.owner(tile.id)
    return tuple(sorted(weights.items(), key=lambda item: (item[0] != first, -item[1], item[0])))


def _cards(card: Sighting) -> tuple[tuple[str, float], ...]:
    ranked: dict[str, float] = {}
    for name, p in ((card.id or "", card.confidence), *card.ranked):
        ranked.setdefault(name, round(p, 3))
    return tuple(ranked.items())[:NAMES_KEPT]


def nameless(scene: Scene) -> tuple[Sighting, ...]:
    """Card-shaped things lying still that no face explains, and backs, in an order of their own."""
    kept: Iterable[Sighting] = (s for s in scene.sightings if (s.id is None or not s.face_up) and s.fresh)
    return tuple(sorted(kept, key=lambda s: (s.corners, s.kind or "")))
