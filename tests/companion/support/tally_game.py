"""A tiny game for tests: seats add numbers to a tally until one of them has enough.

A number that was read unsurely is a doubt until it is answered; it does not count before. Three of one seat in a
row is against the rules. A correction of the limit or of a number can make later facts conflicts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from companion.core.facts import Choice, Command, Fact, MatchStarted, Question, RuleBroken
from companion.words import Text, _
from companion.world import Scene


class Added(Fact, frozen=True, kw_only=True):
    seat: str
    number: int
    tile: str | None = None
    unsure: tuple[int, ...] = ()
    extra: dict[str, Any] = msgspec.field(default_factory=dict)


class NumberRead(Fact, frozen=True, kw_only=True):
    of: int
    number: int


class Passed(Fact, frozen=True, kw_only=True):
    seat: str


class Add(Command, frozen=True, kw_only=True):
    seat: str
    number: int
    tile: str | None = None
    unsure: tuple[int, ...] = ()


class PassTwice(Command, frozen=True, kw_only=True):
    seat: str


class Crash(Command, frozen=True, kw_only=True):
    where: str


class Clash(msgspec.Struct, frozen=True):
    fact: int
    why: Text


class Tally(msgspec.Struct, frozen=True):
    limit: int
    sums: dict[str, int]
    log: tuple[tuple[int, str, int], ...] = ()
    waiting: tuple[Added, ...] = ()
    clashes: tuple[Clash, ...] = ()
    passes: int = 0
    broken: str | None = None


class TallyRules:
    name = "tally"
    version = 1
    facts: tuple[type[Fact], ...] = (Added, NumberRead, Passed)
    commands: tuple[type[Command], ...] = (Add, PassTwice, Crash)

    def check(self, started: MatchStarted) -> None:
        if len(started.players) < 2:
            raise RuleBroken(_("Two must play."))

    def start(self, started: MatchStarted) -> Tally:
        return Tally(int(started.options.get("limit", 100)), {player.seat: 0 for player in started.players})

    def decide(self, state: Tally, command: Command) -> Sequence[Fact]:
        match command:
            case Add():
                if command.seat not in state.sums:
                    raise RuleBroken(_("There is no seat {seat}.", seat=command.seat))
                if self.over(state):
                    raise RuleBroken(_("It is over."))
                if [seat for _id, seat, _number in state.log[-2:]] == [command.seat] * 2:
                    raise RuleBroken(_("Not three times in a row, {seat}.", seat=command.seat))
                return (
                    Added(
                        seat=command.seat,
                        number=command.number,
                        tile=command.tile,
                        unsure=command.unsure,
                        extra={"pair": (1, 2)},
                    ),
                )
            case PassTwice():
                return (Passed(seat=command.seat), Passed(seat=command.seat))
            case Crash(where="decide"):
                raise ZeroDivisionError("a bug in decide")
            case Crash():
                return (Passed(seat=command.where),)
        raise AssertionError(command)

    def apply(self, state: Tally, fact: Fact) -> Tally:
        match fact:
            case Added() if self.over(state):
                clash = Clash(fact.id, _("It was over already."))
                return msgspec.structs.replace(state, clashes=(*state.clashes, clash))
            case Added(unsure=()):
                return self._count(state, fact, fact.number)
            case Added():
                return msgspec.structs.replace(state, waiting=(*state.waiting, fact))
            case NumberRead():
                for waiting in state.waiting:
                    if waiting.id == fact.of:
                        rest = tuple(other for other in state.waiting if other is not waiting)
                        return self._count(msgspec.structs.replace(state, waiting=rest), waiting, fact.number)
                return state
            case Passed(seat="apply"):
                raise ZeroDivisionError("a bug in apply")
            case Passed():
                broken = fact.seat if fact.seat in ("questions", "conflicts") else state.broken
                return msgspec.structs.replace(state, passes=state.passes + 1, broken=broken)
        raise AssertionError(fact)

    def _count(self, state: Tally, fact: Added, number: int) -> Tally:
        sums = {**state.sums, fact.seat: state.sums.get(fact.seat, 0) + number}
        return msgspec.structs.replace(state, sums=sums, log=(*state.log, (fact.id, fact.seat, number)))

    def questions(self, state: Tally) -> Sequence[Question]:
        if state.broken == "questions":
            raise ZeroDivisionError("a bug in questions")
        return [
            Question(
                key=f"number-{waiting.id}",
                kind="number",
                sentence=_("What did {seat} add?", seat=waiting.seat),
                choices=tuple(Choice(str(n), _("{n}", n=n)) for n in waiting.unsure),
                seat="blue" if waiting.seat == "blue" else None,
                about={} if waiting.tile is None else {"tile": waiting.tile},
                facts=(waiting.id,),
            )
            for waiting in state.waiting
        ]

    def answer(self, state: Tally, question: Question, value: str) -> Sequence[Fact]:
        if value not in [choice.value for choice in question.choices]:
            raise RuleBroken(_("That is none of the choices."))
        return (NumberRead(of=question.facts[0], number=int(value)),)

    def replace(self, state: Tally, old: Fact, new: Fact) -> None:
        if type(old) is not type(new):
            raise RuleBroken(_("That is another kind of thing."))
        if isinstance(new, Added) and new.seat not in state.sums:
            raise RuleBroken(_("There is no seat {seat}.", seat=new.seat))

    def conflicts(self, state: Tally) -> Sequence[Clash]:
        if state.broken == "conflicts":
            raise ZeroDivisionError("a bug in conflicts")
        return state.clashes

    def over(self, state: Tally) -> bool:
        return max(state.sums.values()) >= state.limit


class TallyWatcher:
    """Reads every piece "red-3" or "blue-4?" once as an addition; "bug" makes it fail. Memory: the pieces seen."""

    def start(self) -> frozenset[str]:
        return frozenset()

    def step(self, memory: frozenset[str], scene: Scene, state: Tally) -> tuple[frozenset[str], tuple[Command, ...]]:
        commands: list[Command] = []
        for sighting in scene.sightings:
            id = sighting.id
            if id is None or id in memory:
                continue
            if id == "bug":
                raise ZeroDivisionError("a bug in the watcher")
            if id == "crash":
                commands.append(Crash(where="decide"))
                continue
            seat, number = id.rstrip("?").split("-")[:2]
            memory |= {id}
            unsure = (int(number), int(number) + 1) if id.endswith("?") else ()
            commands.append(Add(seat=seat, number=int(number), tile=id, unsure=unsure))
        return memory, tuple(commands)


RULES = TallyRules()
