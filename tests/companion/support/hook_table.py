"""A table on which Hook! is played by short calls, for tests: facts get ids as a match gives them."""

from __future__ import annotations

import msgspec

from companion.core.facts import Command, Fact, MatchStarted
from companion.games.hook import facts as f
from companion.games.hook.rules import RULES
from companion.games.hook.state import State
from companion.world import Player

SHORT = {
    "RP": "red-pirate",
    "YP": "yellow-pirate",
    "BP": "blue-pirate",
    "RS": "red-sailor",
    "YS": "yellow-sailor",
    "BS": "blue-sailor",
    "black": "black-pirate",
    "cage": "bird-cage",
}


def full(name: str) -> str:
    return SHORT.get(name, name)


def started(*seats: str, **options) -> MatchStarted:
    players = tuple(Player(full(seat), f"Player {seat}") for seat in seats)
    return MatchStarted(game="hook", rules=1, players=players, options=options)


class HookTable:
    """Seats clockwise, the first one with the Compass. ``facts`` by id, as they count now."""

    def __init__(self, *seats: str, **options) -> None:
        self.started = started(*seats, **options)
        RULES.check(self.started)
        self.facts: dict[int, Fact] = {}
        self.undone: set[int] = set()
        self.state: State = RULES.start(self.started)
        self.cards = 0

    def tell(self, fact: Fact) -> int:
        """Write a fact down; its id."""
        number = len(self.facts) + 2
        self.facts[number] = msgspec.structs.replace(fact, id=number)
        self.state = RULES.apply(self.state, self.facts[number])
        return number

    def do(self, command: Command) -> list[int]:
        """Decide and apply; the ids of the facts."""
        return [self.tell(fact) for fact in RULES.decide(self.state, command)]

    def fold(self) -> State:
        state = RULES.start(self.started)
        for number, fact in self.facts.items():
            if number not in self.undone:
                state = RULES.apply(state, fact)
        return state

    def undo(self, *numbers: int) -> None:
        self.undone.update(numbers)
        self.state = self.fold()

    def redo(self, *numbers: int) -> None:
        self.undone.difference_update(numbers)
        self.state = self.fold()

    def correct(self, number: int, **changes) -> None:
        """Put a changed fact in its place, as ``Correct`` does."""
        new = msgspec.structs.replace(self.facts[number], **changes)
        RULES.replace(self.state, self.facts[number], new)
        self.facts[number] = new
        self.state = self.fold()

    def place(self, seat: str, *symbols: str, tile: int = 1, **fields) -> int:
        """A Sight tile comes to rest, seen by the camera; on a fresh card unless one is named. The fact's id."""
        if "card" not in fields:
            self.cards += 1
            fields["card"] = f"target-{self.cards:03}"
        kind = fields.pop("kind", f.PlaceTile)
        (number,) = self.do(
            kind(
                seat=full(seat),
                tile=f"sight-{full(seat)}-{tile}",
                symbols=tuple(full(s) for s in symbols),
                **fields,
            )
        )
        return number

    def move(self, seat: str, *symbols: str, **fields) -> int:
        return self.place(seat, *symbols, kind=f.MoveTile, **fields)

    def questions(self):
        return RULES.questions(self.state)

    def kinds(self) -> list[str]:
        return [question.kind for question in self.questions()]

    def ask(self, kind: str | None = None):
        """The first open question (of a kind)."""
        return next(q for q in self.questions() if kind in (None, q.kind))

    def answer(self, value: str, kind: str | None = None) -> list[int]:
        """Answer the first open question (of a kind)."""
        facts = RULES.answer(self.state, self.ask(kind), full(value))
        return [self.tell(fact) for fact in facts]

    def next(self) -> None:
        self.do(f.NextRound())

    def rest(self) -> None:
        """Everybody who has no tile yet places one with nothing in sight."""
        for seat in self.state.now.missing:
            self.place(seat, "none", "none", "none")

    def balls(self, **given: int) -> None:
        """Recount to begin with."""
        self.do(f.Recount(balls={full(seat): n for seat, n in given.items()}))

    def seat(self, seat: str):
        return self.state.seat(full(seat))

    @property
    def now(self) -> dict[str, int]:
        """Cannonballs by seat; None stands for out."""
        return {s.seat: s.balls for s in self.state.seats}

    def counts(self, *seats: str) -> list[int]:
        return [self.seat(seat).balls for seat in seats]

    def conflicts(self) -> list[int]:
        return [conflict.fact for conflict in RULES.conflicts(self.state)]

    def accounted(self) -> int:
        """All Target cards, wherever they are."""
        end = self.state.now.end
        return end.boxed + sum(s.won + s.stack for s in end.standings)
