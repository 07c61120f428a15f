"""The rulebook of Hooked! (game 2 of the box) as pure functions: ``RULES``.

Observations go in as facts; who won a slap, who pays, whose turn it is and who wins is derived from them (``derive``).

Sentences of the rulebook that are no referee's business, because they tell people what to do with their hands and
nothing follows from them that could be counted: that all cards are shuffled thoroughly, spread face down as the Lake
and picked one by one without peeking (only how many cards everybody has matters); that stacks lie face down in front
of their owners; who is chosen to go first (the first seat); that a card is flipped away from oneself; that won cards
go face down to the bottom of the stack, and which cards go to the bottom of the Lake (their number counts; Catch &
Release asks for a fish card, but nobody sees a face-down card: it is the top one); that the Fish Guide card is not for
game use (no deck names it). That "HOOKED!" is said is presumed; the table may veto.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.core.facts import Command, Fact, MatchStarted, Question, RuleBroken
from companion.games.hooked import questions as words
from companion.games.hooked import setup
from companion.games.hooked.decide import check_flip, decide, known_card, known_seat
from companion.games.hooked.derive import add, beginning
from companion.games.hooked.facts import (
    COMMANDS,
    FACTS,
    CardFlipped,
    Edge,
    FlipRuled,
    Pressed,
    PressRuled,
    Recounted,
    SlapTold,
    Vetoed,
)
from companion.games.hooked.state import Conflict, State
from companion.words import _
from companion.world import Press


class Hooked:
    """``companion.core.game.Rules`` for Hooked!."""

    name = "hooked"
    version = 1
    facts: tuple[type[Fact], ...] = FACTS
    commands: tuple[type[Command], ...] = COMMANDS

    def check(self, started: MatchStarted) -> None:
        """Refuse an impossible number of players, deck or house rule with RuleBroken."""
        setup.check(started)

    def start(self, started: MatchStarted) -> State:
        """The cards dealt, the Lake empty, the first seat to flip."""
        return beginning(setup.setup(started))

    def decide(self, state: State, command: Command) -> Sequence[Fact]:
        """The facts that follow from a command; RuleBroken where the rules do not allow it."""
        return decide(state, command)

    def apply(self, state: State, fact: Fact) -> State:
        """The state after a fact. Total: what cannot be is kept as a conflict."""
        return add(state, fact)

    def questions(self, state: State) -> Sequence[Question]:
        """What the state leaves open, oldest first."""
        return words.questions(state)

    def answer(self, state: State, question: Question, value: str) -> Sequence[Fact]:
        """The facts that an answer makes; RuleBroken when it is none of the choices."""
        return words.answer(state, question, value)

    def replace(self, state: State, old: Fact, new: Fact) -> None:
        """Refuse a correction that makes no sense with RuleBroken."""
        replace(state, old, new)

    def conflicts(self, state: State) -> Sequence[Conflict]:
        """Facts that a correction has made impossible; they count for nothing."""
        return state.conflicts

    def over(self, state: State) -> bool:
        """Whether the match has ended."""
        return state.over


def replace(state: State, old: Fact, new: Fact) -> None:
    """Refuse another kind of fact, another flip, and names or numbers that nothing in the game has."""
    if type(old) is not type(new) or getattr(old, "flip", 0) != getattr(new, "flip", 0):
        raise RuleBroken(_("A correction says the same thing about the same card, only right."))
    match new:
        case CardFlipped():
            check_flip(state, new)
            if new.card_sure:
                known_card(state, new.card)
        case Pressed():
            raise RuleBroken(_("A press was as the button told it. Say what it meant instead."))
        case SlapTold() | Vetoed() | PressRuled():
            known_seat(state, new.seat)
        case FlipRuled():
            if new.seat is not None:
                known_seat(state, new.seat)
            if new.card is not None:
                known_card(state, new.card)
        case Recounted():
            for seat in (*new.stacks, *(new.out or ()), *((new.turn,) if new.turn is not None else ())):
                known_seat(state, seat)
            if any(n < 0 for n in new.stacks.values()) or sum(new.stacks.values()) > state.setup.total:
                raise RuleBroken(_("The deck has {total} cards.", total=state.setup.total))
        case _:
            pass


def press(press: Press) -> Command:
    """The command of a raw button edge (``GameKit.press``)."""
    return Edge(seat=press.seat, level=press.level, clock=press.clock, t_ns=press.t_ns)


def verdicts(state: State) -> list[dict[str, Any]]:
    """Every judged slap as ``replay --json`` prints it, oldest first. ``t_ns`` is the earliest press."""
    found = []
    for slap in state.slaps:
        counted = [p for p in slap.presses if p.verdict in ("won", "tied", "late", "wrong", "unsure")]
        times = {p.seat: p.t_ns for p in reversed(counted)}
        found.append(
            {
                "verdict": "slap",
                "id": slap.id,
                "t_ns": min((p.t_ns for p in slap.presses), default=slap.seen_ns),
                "winner": slap.winner,
                "dead_heat": list(slap.dead_heat),
                "times_ns": times,
                "right": slap.right,
                "why": slap.why,
            }
        )
    return found


RULES = Hooked()
"""The rules of Hooked!."""
