"""A table on which a game is played straight on its rules, for tests: facts get ids as a match gives them."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.core.facts import Command, Fact, MatchStarted


class GameTable:
    """``facts`` by id, as they count now; what was undone counts for nothing until it is redone."""

    def __init__(self, rules: Any, started: MatchStarted) -> None:
        self.rules, self.started = rules, started
        rules.check(started)
        self.facts: dict[int, Fact] = {}
        self.undone: set[int] = set()
        self.state: Any = rules.start(started)

    def write(self, fact: Fact, t_ns: int | None = None) -> int:
        """Write a fact down, of that time unless it has one of its own; its id."""
        number = len(self.facts) + 2
        times = {} if t_ns is None else {"t_ns": fact.t_ns or t_ns}
        self.facts[number] = msgspec.structs.replace(fact, id=number, **times)
        self.state = self.rules.apply(self.state, self.facts[number])
        return number

    def tell(self, fact: Fact) -> int:
        """Write a fact down; its id."""
        return self.write(fact)

    def do(self, command: Command) -> list[int]:
        """Decide and apply; the ids of the facts."""
        return [self.tell(fact) for fact in self.rules.decide(self.state, command)]

    def fold(self) -> Any:
        """The state that the facts give from the beginning."""
        state = self.rules.start(self.started)
        for number, fact in self.facts.items():
            if number not in self.undone:
                state = self.rules.apply(state, fact)
        return state

    def undo(self, *numbers: int) -> None:
        self.undone.update(numbers)
        self.state = self.fold()

    def redo(self, *numbers: int) -> None:
        self.undone.difference_update(numbers)
        self.state = self.fold()

    def correct(self, number: int, **changes: Any) -> None:
        """Put a changed fact in its place, as ``Correct`` does."""
        new = msgspec.structs.replace(self.facts[number], **changes)
        self.rules.replace(self.state, self.facts[number], new)
        self.facts[number] = new
        self.state = self.fold()

    def questions(self) -> Any:
        return self.rules.questions(self.state)

    def kinds(self) -> list[str]:
        return [question.kind for question in self.questions()]

    def ask(self, kind: str | None = None) -> Any:
        """The first open question (of a kind)."""
        return next(q for q in self.questions() if kind in (None, q.kind))

    def answer(self, value: str, kind: str | None = None) -> list[int]:
        """Answer the first open question (of a kind)."""
        return [self.tell(fact) for fact in self.rules.answer(self.state, self.ask(kind), value)]
