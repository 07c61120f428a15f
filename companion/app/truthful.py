"""The players' truth as the person at the screen: answers what is asked, and puts right what was misread."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Protocol

from companion.core.facts import Answer, Command, Doubt, Question, Undo
from companion.games.hook.facts import NextRound, PlaceTile, Pose, WaiveTile
from companion.games.hook.questions import ALL, NOBODY, ON_NO_CARD, UNKNOWN, UNLISTED
from companion.games.hook.script import PlacementTruth, RoundScript

MOST_ANSWERS = 80
"""No round asks so much; a question that comes back for ever would."""

Say = Callable[[Command], bool]


class AtTable(Protocol):
    """A match, or a table's snapshot of one: the open doubts and the game's state."""

    @property
    def doubts(self) -> Sequence[Doubt]:
        """The open ones, in the order in which they should be answered."""

    @property
    def state(self) -> Any:
        """The state of Hook!."""


def put_right(say: Say, match: Callable[[], AtTable], truth: RoundScript, random: Random) -> None:
    """Answer every open question of a round, then correct its record until it is settled as it truly was."""
    for _ in range(MOST_ANSWERS):
        doubt = next((d for d in match().doubts if d.question.about.get("round") == truth.number), None)
        if doubt is None:
            break
        value = _answer(doubt.question, truth, random)
        if not say(Answer(doubt=doubt.id, value=value, by=doubt.question.seat)):
            break
    number = truth.number
    if len(match().state.rounds) < number:  # nothing of it was seen
        say(NextRound())
    if len(match().state.rounds) < number:
        return
    for fact in _poses(match(), number):
        if not any(p.tile == fact.tile for p in truth.placements):
            say(Undo(target=fact.id))
    first: dict[str, PlacementTruth] = {}
    for placement in truth.placements:
        first.setdefault(placement.seat, placement)
    state = match().state
    for seat in state.rounds[number - 1].missing:
        placement_ = first.get(seat)
        if placement_ is None or not placement_.legal or not say(_tap(placement_)):
            say(WaiveTile(seat=seat, round=number))
    for _ in range(MOST_ANSWERS):
        doubt = next((d for d in match().doubts if d.question.about.get("round") == number), None)
        if doubt is None or not say(
            Answer(doubt=doubt.id, value=_answer(doubt.question, truth, random), by=doubt.question.seat)
        ):
            break


def _poses(match: AtTable, number: int) -> list[Pose]:
    return [fact for fact in match.state.rounds[number - 1].raw if isinstance(fact, Pose)]


def _tap(placement: PlacementTruth) -> PlaceTile:
    return PlaceTile(
        seat=placement.seat,
        tile=placement.tile,
        card=placement.card,
        symbols=placement.symbols,
        round=placement.round,
        source="tap",
    )


def _answer(question: Question, truth: RoundScript, random: Random) -> str:
    values = [choice.value for choice in question.choices]
    tile, seat = question.about.get("tile"), question.about.get("seat")
    about = next((p for p in truth.placements if p.tile == tile), None)
    about = about or next((p for p in truth.placements if p.card == question.about.get("card")), None)
    wanted: str | None
    match question.kind:
        case "symbol":
            hole = question.about.get("hole", 0)
            wanted = about.symbols[hole] if about is not None and hole < len(about.symbols) else None
        case "sight":
            shown = sorted(about.symbols) if about is not None else None
            wanted = next((value for value in values if sorted(value.split(ALL)) == shown), UNLISTED)
            if about is not None and about.card is None and ON_NO_CARD in values:
                wanted = ON_NO_CARD
        case "victim":
            wanted = random.choice([value for value in values if value != seat] or values)
        case "tile":
            wanted = about.seat if about is not None else NOBODY
        case "card":
            wanted = about.card if about is not None and about.card in values else UNKNOWN
        case "moved":
            wanted = "keep"
        case "missing":
            wanted = "nothing"
        case _:
            wanted = "allow" if about is not None and about.legal else "nothing"
            if wanted not in values:
                wanted = "keep"
    return wanted if wanted in values else values[0]
