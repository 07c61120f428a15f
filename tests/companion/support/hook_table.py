"""A table on which Hook! is played by short calls, for tests: facts get ids as a match gives them."""

from __future__ import annotations

from game_table import GameTable

from companion.core.facts import MatchStarted
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


class HookTable(GameTable):
    """Seats clockwise, the first one with the Compass."""

    state: State

    def __init__(self, *seats: str, **options) -> None:
        super().__init__(RULES, started(*seats, **options))
        self.cards = 0

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

    def answer(self, value: str, kind: str | None = None) -> list[int]:
        return super().answer(full(value), kind)

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
