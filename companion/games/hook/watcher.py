"""The watcher of Hook!: turns Scenes into observations (cards revealed, tiles placed or moved, the table cleared).

Pure: ``step(memory, scene, state)`` gives the next memory and the commands. It compares what lies still with what the
state already holds, so nothing is observed twice, also after a restart with an empty memory. It never judges: a
crooked tile or a second one is observed with its numbers, and the rules ask about it.
"""

from __future__ import annotations

import msgspec

from companion.core.facts import Command
from companion.deck import Deck
from companion.games.hook.facts import NextRound, PlaceTile, RevealCard
from companion.games.hook.follow import follow, in_round, lies
from companion.games.hook.memory import CardTrack, Memory, Told
from companion.games.hook.names import HOLES, UNNAMED
from companion.games.hook.poses import PoseNews, pose_news
from companion.games.hook.recorded import Recorded, recorded
from companion.games.hook.resting import CARD_MM
from companion.games.hook.sighted import Pieces
from companion.games.hook.state import State
from companion.world import NOTHING, Scene

CLEAR = 2
"""Scenes without anything of the round on the table that make it cleared."""
BACK_FOR, NAMELESS_FOR = 2, 4
"""Still scenes after which a tile's back on a card is told, and something nameless on a card."""


class HookWatcher:
    """A ``companion.core.game.Watcher``. ``pieces`` says whose the tiles are and how large everything is."""

    def __init__(self, pieces: Pieces | None = None) -> None:
        self.pieces = pieces if pieces is not None else Pieces()

    @classmethod
    def for_deck(cls, deck: Deck) -> HookWatcher:
        """A watcher that knows the owners and sizes of a deck."""
        tiles, cards = deck.of_kind("sight-tile"), deck.of_kind("target-card")
        owners = {p.id: str(p.values["owner"]) for p in tiles if "owner" in p.values}
        card_mm = next((p.size_mm for p in cards if p.size_mm is not None), CARD_MM)
        tile_mm = next((p.size_mm for p in tiles if p.size_mm is not None), card_mm)
        return cls(Pieces(owners, card_mm, tile_mm, {p.id: p for p in (*cards, *tiles)}))

    def start(self) -> Memory:
        """Nothing remembered: the first scenes are compared with the state."""
        return Memory()

    def step(self, memory: Memory, scene: Scene, state: State) -> tuple[Memory, tuple[Command, ...]]:
        """What this scene adds to the state."""
        if scene.lost is not None or state.over:
            return msgspec.structs.replace(memory, still=0), ()
        known = recorded(state)
        memory = follow(in_round(memory, known), scene, known, self.pieces)
        if _cleared(memory, known):
            if memory.has_said("next", known.round):
                return memory, ()
            late = _late(memory, known)
            return memory.saying("next", known.round), (*late, NextRound(source="camera"))
        memory, revealed = _revealed(memory, known)
        memory, placed = _placed(memory, known)
        memory, unnamed = _unnamed(memory, known)
        return memory, (*revealed, *placed, *unnamed)


def _new(card: CardTrack, known: Recorded) -> bool:
    return card.ready and card.card not in known.cards and card.card not in known.used


def _new_cards(memory: Memory, known: Recorded) -> set[str]:
    """Cards that were in no round yet: lying open, or seen open too shortly but surely under a tile."""
    under = {track.look.card for track in memory.tiles if track.ready(memory.still) and track.look.told.card_sure}
    covered = {card for card in under if card is not None and card not in known.cards | known.used}
    return covered | {card.card for card in memory.cards if _new(card, known)}


def _cleared(memory: Memory, known: Recorded) -> bool:
    """Whether the round is over on the table: all its tiles and cards are gone; or its tiles are gone and new cards
    have come: one will do when no tile is waited for, else two, and more than the round can have. So many are enough
    when no tile is waited for, whatever seems to lie."""
    if all(tile.startswith(UNNAMED) for tile in known.placed):
        return False
    if memory.cleared >= CLEAR:
        return True
    new = len(_new_cards(memory, known))
    more = new >= 2 and len(known.cards) + new > len(known.playing)
    if any(lies(memory, track.look, known) and track.look.fresh for track in memory.tiles):
        return known.finished and more  # a tile of the next round may lie where a card of this one seems to lie still
    return new >= 1 if known.finished else more


def _late(memory: Memory, known: Recorded) -> list[Command]:
    """Tiles that were seen at rest too shortly to be told, of seats that would go without: better late and doubtful."""
    commands: list[Command] = []
    for look in memory.waiting:
        if look.told.seat in known.playing and look.told.seat not in known.seats_placed:
            unsure = tuple(range(len(look.told.symbols)))
            commands.append(msgspec.structs.replace(look.told, round=known.round, unsure=unsure))
    return commands


def _revealed(memory: Memory, known: Recorded) -> tuple[Memory, list[Command]]:
    commands: list[Command] = []
    for card in memory.cards:
        if _new(card, known) and not memory.has_said("card", known.round, card.card):
            memory = memory.saying("card", known.round, card.card)
            commands.append(RevealCard(card=card.card, round=known.round))
    return memory, commands


def _placed(memory: Memory, known: Recorded) -> tuple[Memory, list[Command]]:
    commands: list[Command] = []
    for news in pose_news(memory, known):
        memory = _told(memory, news)
        if news.command is not None:
            commands.append(news.command)
    return memory, commands


def _told(memory: Memory, news: PoseNews) -> Memory:
    look = news.look
    if news.remember:
        memory = memory.telling(Told(look.tile, look.card, look.rest, look.at))
    return memory.saying(*news.words) if news.command is not None else memory


def _unnamed(memory: Memory, known: Recorded) -> tuple[Memory, list[Command]]:
    """Something lies on a card that no face explains: a Sight tile with its black side up where that is seen, else a
    tile that cannot be read. Whoever is waited for may own it."""
    commands: list[Command] = []
    for thing in memory.things:
        waiting = [seat for seat in known.playing if seat not in known.seats_placed]
        if (
            not waiting
            or thing.card not in known.cards - known.cards_taken
            or thing.lain < (BACK_FOR if thing.back else NAMELESS_FOR)
        ):
            continue
        if memory.has_said("unnamed", known.round, thing.card) or (len(waiting) > 1 and not thing.back):
            continue  # while more are waited for, it may well be the card itself that is badly seen
        memory = memory.saying("unnamed", known.round, thing.card)
        waiting.sort(key=lambda seat: thing.owners.index(seat) if seat in thing.owners else len(known.playing))
        one = len(waiting) == 1 or (thing.back and thing.owners == (waiting[0],))
        commands.append(
            PlaceTile(
                seat=waiting[0],
                tile=UNNAMED + thing.card,
                card=thing.card,
                symbols=() if thing.back else (NOTHING,) * HOLES,
                unsure=() if thing.back else tuple(range(HOLES)),
                face_up=not thing.back,
                seat_sure=one,
                seats=() if one else tuple((seat, round(1 / len(waiting), 3)) for seat in waiting),
                round=known.round,
            )
        )
    return memory, commands


WATCHER = HookWatcher()
"""For decks whose pieces have the usual ids and size."""
