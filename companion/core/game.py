"""What a game gives to the rest of the program: pure rules and a pure watcher.

A game's state is a frozen msgspec Struct. ``decide`` may refuse, ``apply`` never does: it is total, so that any
journal folds, also one in which a correction has made later facts impossible (they are kept as conflicts).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

from companion.core.facts import Command, Fact, MatchStarted, Question
from companion.words import Text
from companion.world import Scene

S = TypeVar("S")
M = TypeVar("M")
Seen = TypeVar("Seen", contravariant=True)


class Conflict(Protocol):
    """A fact that counts for nothing because of a correction, and why."""

    @property
    def fact(self) -> int: ...
    @property
    def why(self) -> Text: ...


class Rules(Protocol[S]):
    """The rulebook of one game as pure functions."""

    name: str
    version: int
    facts: tuple[type[Fact], ...]
    commands: tuple[type[Command], ...]

    def check(self, started: MatchStarted) -> None:
        """Refuse an impossible set-up (number of players, seats, teams, options) with RuleBroken."""

    def start(self, started: MatchStarted) -> S:
        """The state before anything happened."""

    def decide(self, state: S, command: Command) -> Sequence[Fact]:
        """The facts that follow from a command; RuleBroken where the rules do not allow it."""

    def apply(self, state: S, fact: Fact) -> S:
        """The state after a fact. Total: never raises for a fact of this game."""

    def questions(self, state: S) -> Sequence[Question]:
        """What the state leaves open, in the order in which it should be asked."""

    def answer(self, state: S, question: Question, value: str) -> Sequence[Fact]:
        """The facts that an answer to an open question makes; RuleBroken when it is none of the choices."""

    def replace(self, state: S, old: Fact, new: Fact) -> None:
        """Refuse a correction that makes no sense (another kind of fact, an unknown symbol) with RuleBroken."""

    def conflicts(self, state: S) -> Sequence[Conflict]:
        """Facts that a correction has made impossible."""

    def over(self, state: S) -> bool:
        """Whether the match has ended."""


class Watcher(Protocol[Seen, M]):
    """Turns Scenes into commands (observations). Pure: all memory is passed in and handed back."""

    def start(self) -> M:
        """Memory before the first scene; also after a restart (the table is then compared with the state)."""

    def step(self, memory: M, scene: Scene, state: Seen) -> tuple[M, tuple[Command, ...]]:
        """What this scene adds. Observes only what lay still; never the same thing twice."""
