"""A card lands in the Lake: who flipped it, which card it is, and what is open about that."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from companion.core.facts import Fact
from companion.core.race import Onset
from companion.games.hooked import lake, locks, stacks
from companion.games.hooked.facts import CardFlipped, FlipRuled, Recounted, SlapTold
from companion.games.hooked.names import UNKNOWN
from companion.games.hooked.presses import Aimed, Span, aimed
from companion.games.hooked.state import Ask, Conflict, LakeCard, Setup, State, Table
from companion.words import _

replace = msgspec.structs.replace


class Sources(msgspec.Struct, frozen=True):
    """All that stages are derived from: flips and recounts by time with their spans, presses, and what people said."""

    setup: Setup
    flips: Sequence[CardFlipped | Recounted]
    spans: Sequence[Span]
    onsets: Sequence[Onset]
    words: Sequence[Fact]
    ids: frozenset[int]

    def until(self, n: int) -> int | None:
        """The moment before which presses belong to flip ``n``; None for the last."""
        return self.spans[n + 1].before_ns if n + 1 < len(self.spans) else None

    def about(self, flip: int, kind: type[Fact]) -> list[Fact]:
        """What people said of that kind about a flip."""
        return [fact for fact in self.words if isinstance(fact, kind) and getattr(fact, "flip", 0) == flip]

    def presses(self, n: int) -> list[Aimed]:
        """The presses between flip ``n`` and the next."""
        return aimed(self.onsets, self.words, self.flips[n].id, self.ids, self.spans[n], self.until(n))


class Landing(msgspec.Struct, frozen=True):
    """A card that has just landed: the table with it, and what is open about it. ``card`` None: it does not count."""

    table: Table
    card: LakeCard | None = None
    asks: tuple[Ask, ...] = ()
    conflicts: tuple[Conflict, ...] = ()


def land(sources: Sources, n: int, table: Table) -> Landing:
    """The table with card ``n`` in the Lake. Also for a card that is only looked ahead to."""
    setup, fact, span = sources.setup, sources.flips[n], sources.spans[n]
    assert isinstance(fact, CardFlipped)
    ruled = said(sources.words, fact.id)
    turn = stacks.turn(setup, table)
    if ruled.counts is False:
        return Landing(table)
    if turn is None:
        return Landing(table, conflicts=(Conflict(fact.id, _("Nobody had a card left to flip.")),))
    seat, asks = _flipper(setup, table, fact, ruled, turn)
    card, maybe, more = _which(setup, table, fact, ruled)
    asks += more
    landed = LakeCard(fact.id, card, seat, span.seen_ns, span.before_ns, maybe)
    table = stacks.landed(setup, locks.passed(table), landed)
    table = locks.caught(table, (seat,), fact.id, lake.possibilities(setup, landed))
    return Landing(table, landed, tuple(asks))


def said(words: Sequence[Fact], flip: int) -> FlipRuled:
    """What people said about a flip, the last word on each thing."""
    ruled = FlipRuled(flip=flip)
    for fact in words:
        if isinstance(fact, FlipRuled) and fact.flip == flip:
            news = {name: getattr(fact, name) for name in ("seat", "card", "counts") if getattr(fact, name) is not None}
            ruled = replace(ruled, **news)
    return ruled


def reading(state: State, flip: CardFlipped) -> tuple[str, str]:
    """The seat and the card of a flip as they stand now; of one that does not count, as they were seen or said."""
    stage = next((stage for stage in state.stages if stage.fact.id == flip.id), None)
    top = stage.landed.top if stage is not None and stage.counts else None
    if top is not None:
        return top.seat, top.card
    ruled = said(state.words, flip.id)
    return ruled.seat or flip.seat, ruled.card or flip.card


def slaps_told(words: Sequence[Fact], flip: int) -> tuple[SlapTold, ...]:
    """Who slapped a card as people tell it, in their order, without what was told by mistake."""
    found: list[SlapTold] = []
    for fact in words:
        if isinstance(fact, SlapTold) and fact.flip == flip:
            found = [*(before for before in found if before.seat not in fact.instead), fact]
    return tuple(found)


def _flipper(setup: Setup, table: Table, fact: CardFlipped, ruled: FlipRuled, turn: str) -> tuple[str, list[Ask]]:
    """Who flipped a card: whose stack it came from."""
    holders = stacks.holders(setup, table)
    if ruled.seat in holders:
        return str(ruled.seat), []
    if not fact.seat_sure or fact.seat == turn:
        return turn, []  # who it was could not be seen: it was whose turn it was
    if fact.seat not in setup.seats:
        return turn, [Ask("flipper", fact.id, "", fact.card, options=holders, other=turn, picture=fact.picture)]
    kind: Literal["turn", "flipper"] = "turn" if fact.seat in holders else "flipper"
    ask = Ask(kind, fact.id, fact.seat, fact.card, options=holders, other=turn, picture=fact.picture)
    return (fact.seat if kind == "turn" else turn), [ask]


def _which(setup: Setup, table: Table, fact: CardFlipped, ruled: FlipRuled) -> tuple[str, tuple[str, ...], list[Ask]]:
    """Which card it is, which it could be (empty: it is known), and what is asked."""
    if ruled.card is not None and ruled.card in setup.cards:
        return ruled.card, (), []
    if fact.card_sure and fact.card in setup.cards and not lake.exhausted(setup, table.lake, fact.card):
        return fact.card, (), []
    free = tuple(id for id in setup.cards if not lake.exhausted(setup, table.lake, id))
    ask = Ask("card", fact.id, fact.seat, fact.card, picture=fact.picture)
    if fact.card_sure and fact.card in setup.cards:
        ask = replace(ask, kind="copies", options=tuple(id for id, _p in fact.cards if id in free and id != fact.card))
        return UNKNOWN, free, [ask]
    named = tuple(dict.fromkeys(id for id, _p in (*fact.cards, (fact.card, 0.0)) if id in free))
    if fact.card_sure or not named:
        return UNKNOWN, free, [ask]
    maybe = named if len(named) > 1 else free
    return (fact.card if fact.card in named else named[0]), maybe, [replace(ask, options=named)]
