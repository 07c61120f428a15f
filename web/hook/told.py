"""The sentences of a round, and for one player the sentences and tiles that made the score."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.hook.sentences import Told, result, sums, tell
from companion.games.hook.state import Round, State, Tally
from companion.words import Text
from web.hook.decks import DeckBook
from web.hook.model import Line, SightView
from web.hook.sight import sight

MINOR_SYMBOLS = frozenset(("rum", "barrel", "bird-cage", "parrot"))
"""Symbols whose sentences a panel says too: by its numbers and by what it wears."""

MINOR = frozenset(
    (
        "{seat} aims at {victim}, but nobody plays that character",
        "{seat} aims at {victim}, who is out already",
    )
)
"""Sentences of what had no effect."""

FATES = frozenset(("{seat} is knocked out and returns to the cabin; all collected cards go into the box",))
"""Sentences that stand first on the TV."""


def weight(told: Told) -> str:
    """How much a sentence matters on a screen that cannot show them all: fate, plain or minor."""
    if told.text.msgid in FATES:
        return "fate"
    return "minor" if told.symbol in MINOR_SYMBOLS or told.text.msgid in MINOR else "plain"


@dataclass(frozen=True)
class WhyRound:
    """What one round did to one player: the sentences, the sum, and the tiles it came from."""

    number: int
    lines: tuple[Line, ...]
    sum: Text | None
    tally: Tally | None
    parrots: int
    sights: tuple[SightView, ...]
    open: bool


def story(state: State, round: Round) -> tuple[Line, ...]:
    """A round told in sentences, each with whose it is."""
    return tuple(Line(one.text, one.actor, weight(one)) for one in tell(state.setup, round))


def ending(state: State) -> Text:
    """How the game ended, in one sentence."""
    return result(state)


def why(state: State, seat: str, book: DeckBook) -> tuple[WhyRound, ...]:
    """Every round that did something to this player, the newest first."""
    rounds = (_why(state, round, seat, book) for round in reversed(state.rounds))
    return tuple(found for found in rounds if found.lines or found.sights)


def _why(state: State, round: Round, seat: str, book: DeckBook) -> WhyRound:
    about = [told for told in tell(state.setup, round) if seat in told.seats or told.actor == seat]
    facts = {fact for told in about for fact in told.facts}
    tally = round.tally_of(seat)
    own = [p for p in round.placements if p.seat == seat and p.status in ("counts", "asked")]
    others = [p for p in round.placements if p.seat != seat and p.status == "counts" and facts & set(p.facts)]
    return WhyRound(
        number=round.number,
        lines=tuple(Line(told.text, told.actor) for told in about),
        sum=next((told.text for told in sums(state.setup, round) if told.actor == seat), None),
        tally=tally,
        parrots=tally.took.parrots if tally is not None and tally.took is not None else 0,
        sights=tuple(sight(round, placement, book) for placement in (*own, *others)),
        open=not round.settled,
    )


__all__ = ["Told", "WhyRound", "ending", "story", "weight", "why"]
