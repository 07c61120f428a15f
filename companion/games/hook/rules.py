"""The rulebook of Hook! as pure functions: ``RULES``.

Observations go in as facts; what is legal, who is hit, who is out and who wins is derived from them (see ``derive``).

Sentences of the rulebook that are no referee's business, because they tell people what to do with their hands and no
score follows from them: that characters are dealt at random; where Cannonballs, Hit cards (either side up), Sight
tiles, stacks and Overview cards lie; that the holes are punched out before the first game; who is the most
directionless (the first seat has the Compass); what the starting signal sounds like; that a Target card is not looked
at before it; the loose circle, and that all can see all cards; that a Sight tile may be turned in the air without
getting in the way; in which order one's own symbols are carried out (the round is one sum); which numbered space a
Cannonball goes to (always the highest that shows; we keep their number); that eliminated winners are winners a little
less; treating bodies and playing again when all are out; that everybody takes all three Sight tiles back. "May take" a
card with a parrot: we take it, it is never a disadvantage. Touch - move is asked only when a second tile of a seat is
seen, for nobody sees a touch.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from companion.core.facts import Command, Fact, MatchStarted, Question, RuleBroken
from companion.games.hook import questions as words
from companion.games.hook import setup
from companion.games.hook.decide import decide
from companion.games.hook.derive import MOST_ROUNDS, add, opening
from companion.games.hook.facts import (
    COMMANDS,
    FACTS,
    CardIdentified,
    Pose,
    Recounted,
    SymbolRead,
    TargetChosen,
    TileIdentified,
    TileWaived,
)
from companion.games.hook.names import HOLES, MOST_PARROTS, READABLE, seat_name
from companion.games.hook.recount import check as check_recount
from companion.games.hook.state import Conflict, State
from companion.words import _


class Hook:
    """``companion.core.game.Rules`` for Hook!."""

    name = "hook"
    version = 1
    facts: tuple[type[Fact], ...] = FACTS
    commands: tuple[type[Command], ...] = COMMANDS

    def check(self, started: MatchStarted) -> None:
        """Refuse an impossible number of players, characters, teams or options with RuleBroken."""
        setup.check(started)

    def start(self, started: MatchStarted) -> State:
        """The cards dealt, nobody hit, the Compass with the first player, the first round open."""
        return opening(setup.setup(started))

    def decide(self, state: State, command: Command) -> Sequence[Fact]:
        """The facts that follow from a command; RuleBroken where the rules do not allow it."""
        return decide(state, command)

    def apply(self, state: State, fact: Fact) -> State:
        """The state after a fact. A fact of a round that cannot be is kept as a conflict."""
        if not isinstance(fact, FACTS):
            return state
        number: int = fact.round  # type: ignore[attr-defined]
        if not 1 <= number <= MOST_ROUNDS:
            return _stray(state, fact)
        return add(state, fact, number)

    def questions(self, state: State) -> Sequence[Question]:
        """What the state leaves open, earlier rounds first."""
        return words.questions(state)

    def answer(self, state: State, question: Question, value: str) -> Sequence[Fact]:
        """The facts that an answer makes; RuleBroken when it is none of the choices."""
        return words.answer(state, question, value)

    def replace(self, state: State, old: Fact, new: Fact) -> None:
        """Refuse a correction that makes no sense with RuleBroken."""
        replace(state, old, new)

    def conflicts(self, state: State) -> Sequence[Conflict]:
        """Facts that a correction has made impossible; they count for nothing."""
        why = _("There is no such round.")
        stray = [Conflict(fact.id, why) for fact in state.stray]
        return (*(conflict for round_ in state.rounds for conflict in round_.conflicts), *stray)

    def over(self, state: State) -> bool:
        """Whether the match has ended."""
        return state.over


def _stray(state: State, fact: Fact) -> State:

    return msgspec.structs.replace(state, stray=(*state.stray, fact))


def replace(state: State, old: Fact, new: Fact) -> None:
    """Refuse another kind of fact, another round, and names or numbers that nothing in the game has."""
    same_kind = type(old) is type(new) or (isinstance(old, Pose) and isinstance(new, Pose))
    if not same_kind or getattr(old, "round", 0) != getattr(new, "round", 0):
        raise RuleBroken(_("A correction says the same thing about the same round, only right."))
    seats: list[str] = []
    match new:
        case Pose():
            if new.seat_sure:
                seats.append(new.seat)
            if len(new.symbols) > HOLES or any(symbol not in READABLE for symbol in new.symbols):
                raise RuleBroken(_("A Sight tile shows at most three of the twelve symbols."))
            if new.parrots is not None and not 0 <= new.parrots <= MOST_PARROTS:
                raise RuleBroken(_("So many parrots are printed on no Target card."))
            if new.card is not None and state.setup.parrots and new.card not in state.setup.parrots:
                raise RuleBroken(_("The deck has no Target card of this name."))
        case SymbolRead() if new.symbol not in READABLE:
            raise RuleBroken(_("This is none of the twelve symbols."))
        case CardIdentified() if new.card is not None and state.setup.parrots and new.card not in state.setup.parrots:
            raise RuleBroken(_("The deck has no Target card of this name."))
        case TargetChosen():
            seats.append(new.victim)
        case TileWaived():
            seats.append(new.seat)
        case TileIdentified() if new.seat is not None:
            seats.append(new.seat)
        case Recounted():
            now = state.rounds[new.round - 1] if 1 <= new.round <= len(state.rounds) else state.now
            check_recount(state.setup, now.end if new.after else now.begin, new)
        case _:
            pass
    for seat in seats:
        if seat not in state.setup.seats:
            raise RuleBroken(_("{seat} does not play.", seat=seat_name(seat)))


RULES = Hook()
"""The rules of Hook!."""
