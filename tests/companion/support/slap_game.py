"""A tiny game of nothing but slaps: ``Open`` begins a race, and whoever slaps first wins it.

A press of the seat "nobody" is against the rules, and the rules break down on one of the seat "crash".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from companion.core.facts import Command, Fact, MatchStarted, Question, RuleBroken
from companion.core.race import Verdict, judge, onsets
from companion.table import GameKit
from companion.words import _
from companion.world import Press


class Opened(Fact, frozen=True, kw_only=True):
    pass


class Pressed(Fact, frozen=True, kw_only=True):
    seat: str
    level: int
    clock: Literal["kernel", "software"] = "kernel"


class Open(Command, frozen=True, kw_only=True):
    pass


class Edge(Command, frozen=True, kw_only=True):
    seat: str
    level: int
    clock: Literal["kernel", "software"] = "kernel"


class Slaps(msgspec.Struct, frozen=True):
    opened: tuple[int, ...] = ()
    edges: tuple[Press, ...] = ()


class SlapRules:
    name = "slap"
    version = 1
    facts: tuple[type[Fact], ...] = (Opened, Pressed)
    commands: tuple[type[Command], ...] = (Open, Edge)

    def check(self, started: MatchStarted) -> None:
        pass

    def start(self, started: MatchStarted) -> Slaps:
        return Slaps()

    def decide(self, state: Slaps, command: Command) -> Sequence[Fact]:
        match command:
            case Open():
                return (Opened(),)
            case Edge(seat="nobody"):
                raise RuleBroken(_("Nobody sits there."))
            case Edge(seat="crash"):
                raise ZeroDivisionError("a bug in decide")
            case Edge():
                return (Pressed(seat=command.seat, level=command.level, clock=command.clock),)
        raise AssertionError(command)

    def apply(self, state: Slaps, fact: Fact) -> Slaps:
        match fact:
            case Opened():
                return msgspec.structs.replace(state, opened=(*state.opened, fact.t_ns))
            case Pressed():
                press = Press(fact.seat, fact.t_ns, fact.level, fact.clock)
                return msgspec.structs.replace(state, edges=(*state.edges, press))
        raise AssertionError(fact)

    def questions(self, state: Slaps) -> Sequence[Question]:
        return ()

    def answer(self, state: Slaps, question: Question, value: str) -> Sequence[Fact]:
        return ()

    def replace(self, state: Slaps, old: Fact, new: Fact) -> None:
        pass

    def conflicts(self, state: Slaps) -> Sequence[Any]:
        return ()

    def over(self, state: Slaps) -> bool:
        return False


def judged(opened: Sequence[int], edges: Sequence[Press]) -> list[Verdict]:
    """The verdict on every race, oldest first."""
    presses = onsets(edges)
    closed = (*opened[1:], None)[: len(opened)]
    return [judge(presses, opened_ns=a, closed_ns=b) for a, b in zip(opened, closed, strict=True)]


def verdicts(state: Slaps) -> list[dict[str, Any]]:
    return [
        {
            "verdict": "slap",
            "t_ns": opened,
            "winner": verdict.winner,
            "dead_heat": list(verdict.dead_heat),
            "times_ns": dict(verdict.times_ns),
            "final_ns": verdict.final_ns,
        }
        for opened, verdict in zip(state.opened, judged(state.opened, state.edges), strict=True)
    ]


def press(press: Press) -> Edge:
    return Edge(t_ns=press.t_ns, seat=press.seat, level=press.level, clock=press.clock)


KIT = GameKit(SlapRules(), press=press, verdicts=verdicts)
