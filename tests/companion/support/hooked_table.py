"""A table on which Hooked! is played by short calls, for tests: facts get ids as a match gives them.

Times are milliseconds. Cards are called by their numbers (1 to 18), or by the ids of action cards.
"""

from __future__ import annotations

from game_table import GameTable

from companion.core.facts import Command, Fact, MatchStarted
from companion.games.hooked import facts as f
from companion.games.hooked.rules import RULES
from companion.games.hooked.state import Slap, State
from companion.world import Player

MS = 1_000_000
FRAME_MS = 66


def card_id(card: int | str) -> str:
    return f"fish-{card}" if isinstance(card, int) else card


def seat_id(seat: int) -> str:
    return f"seat-{seat}"


def started(players: int, **options) -> MatchStarted:
    names = ("Ada", "Bo", "Cy", "Di", "Ed", "Flo")
    if "stacks" in options:
        options["stacks"] = {seat_id(n): stack for n, stack in enumerate(options["stacks"], 1)}
    seats = tuple(Player(seat_id(n), names[n - 1]) for n in range(1, players + 1))
    return MatchStarted(game="hooked", rules=1, players=seats, options=options)


class HookedTable(GameTable):
    """Flips come every three seconds, seen at once (``FRAME_MS`` after the last frame without the card)."""

    state: State

    def __init__(self, players: int, **options) -> None:
        super().__init__(RULES, started(players, **options))
        self.now = 10_000
        self.seen = 0

    def tell(self, fact: Fact, t_ms: float | None = None) -> int:
        return self.write(fact, round((self.now if t_ms is None else t_ms) * MS))

    def do(self, command: Command) -> list[int]:
        t_ms = command.t_ns / MS if command.t_ns else None
        return [self.tell(fact, t_ms) for fact in RULES.decide(self.state, command)]

    def flip(self, card: int | str, seat: int | None = None, *, after=3000, before=FRAME_MS, **fields) -> int:
        """A card is flipped, by whose turn it is unless said otherwise; the fact's id."""
        self.now += after
        self.seen = self.now
        who = seat_id(seat) if seat is not None else self.state.turn or "seat-1"
        flip = f.Flip(
            seat=who,
            card=card_id(card),
            seen_ns=self.now * MS,
            before_ns=(self.now - before) * MS,
            t_ns=self.now * MS,
            **fields,
        )
        (number,) = self.do(flip)
        return number

    def tap(self, card: int | str, *, after=3000) -> int:
        self.now += after
        self.seen = self.now
        (number,) = self.do(f.Flip(card=card_id(card), source="tap", t_ns=self.now * MS))
        return number

    def press(self, seat: int, ms: float, held=80) -> None:
        """A clean press so long after the last card was seen."""
        at = self.seen + ms
        for t_ms, level in ((at, 1), (at + held, 0)):
            self.do(f.Edge(seat=seat_id(seat), level=level, t_ns=round(t_ms * MS)))

    def stacks(self) -> tuple[int, ...]:
        return tuple(n for _seat, n in self.state.stacks)

    def accounted(self) -> int:
        return sum(self.stacks()) + self.state.lake_size

    def slap(self) -> Slap:
        return self.state.slaps[-1]

    def meant(self) -> dict[str, str]:
        return {press.seat: press.verdict for press in self.slap().presses}

    def locks(self) -> dict[str, int]:
        return dict(self.state.locks)
