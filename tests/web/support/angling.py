"""A table on which Hooked! is played by hand: flips as a camera would tell of them, and raw button edges."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hooked_states import CARDS, MS, NAMES

from companion.games.hooked.facts import Flip
from companion.games.hooked.rules import RULES, press, verdicts
from companion.games.hooked.state import State
from companion.table import GameKit, Reply, StartMatch, Table
from companion.world import Player, Press


class Angling:
    """A started table and the moves of a game. Every flip comes two seconds after the one before."""

    def __init__(self, folder: Path) -> None:
        kit = GameKit(RULES, press=press, verdicts=verdicts)
        self.table = Table(folder / "journal.db", {"hooked": kit}, folder / "pictures")
        self.table.start()
        self.now = 1_000 * MS

    def stop(self) -> None:
        self.table.stop()

    @property
    def state(self) -> State:
        found = self.table.snapshot().state
        assert isinstance(found, State)
        return found

    @property
    def stacks(self) -> tuple[int, ...]:
        return tuple(count for _seat, count in self.state.stacks)

    def ask(self, command: Any, **more: Any) -> Reply:
        """Ask, and insist that it was done."""
        reply = self.table.ask(command, **more)
        assert reply.accepted, reply.sentence
        return reply

    def start(self, players: int = 3, **options: Any) -> None:
        seats = tuple(Player(f"seat-{n}", NAMES[n - 1]) for n in range(1, players + 1))
        self.ask(StartMatch(game="hooked", players=seats, options={"cards": CARDS, **options}))

    def flip(self, card: str, seat: str = "", **more: Any) -> int:
        """A card as the camera would tell of it; the id of its fact."""
        self.now += 2_000 * MS
        times = {"seen_ns": self.now, "before_ns": self.now - 33 * MS, "t_ns": self.now}
        self.ask(Flip(**{"seat": seat or str(self.state.turn), "card": card, **times, **more}))
        return self.table.snapshot().facts[-1].id

    def tap(self, card: str) -> int:
        """A card that somebody taps on a phone; the id of its fact."""
        return self.flip(card, source="tap", seen_ns=0, before_ns=0)

    def slap(self, seat: str, after_ms: float, clock: Any = "kernel") -> None:
        """A press of that button so long after the last flip, held for 80 ms."""
        down = self.now + round(after_ms * MS)
        self.table.press(Press(seat, down, 1, clock))
        self.table.press(Press(seat, down + 80 * MS, 0, clock))
        self.table.settle()
