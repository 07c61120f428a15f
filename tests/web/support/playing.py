"""A table on which Hook! is played by hand, for the tests of the pages and for the screenshots."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from companion import deck
from companion.core.facts import Answer, Command
from companion.deck import Deck, Hole, Mark, Piece
from companion.games.hook.facts import ChooseTarget, NextRound, PlaceTile, Recount
from companion.games.hook.names import CHARACTERS
from companion.games.hook.rules import RULES
from companion.table import GameKit, Reply, StartMatch, Table
from companion.world import Player, Scene
from web import Settings

PIN = "428713"
THREE = (("red-pirate", "Anna"), ("blue-sailor", "Ben"), ("yellow-pirate", "Carla"))
SIX = (
    ("red-pirate", "Anna"),
    ("yellow-pirate", "Bartholomäus"),
    ("blue-pirate", "Chloé"),
    ("red-sailor", "Davy"),
    ("yellow-sailor", "Elif"),
    ("blue-sailor", "Finn"),
)
HOLES = (Hole((0.3, 0.3), 0.13), Hole((0.7, 0.35), 0.13), Hole((0.5, 0.72), 0.13))


def small_deck() -> Deck:
    """A deck without pictures: three Sight tiles a character and a few Target cards with parrots."""
    tiles = [
        Piece(f"sight-{seat}-{n}", "sight-tile", "x.jpg", holes=HOLES, values={"owner": seat})
        for seat in CHARACTERS
        for n in (1, 2, 3)
    ]
    cards = [
        Piece(f"target-{n:03}", "target-card", "x.jpg", marks=(Mark("parrot", (0.5, 0.5), 0.1),) * (n % 3 + 1))
        for n in range(1, 97)
    ]
    return Deck(Path("/nowhere"), "small", "hook", (*tiles, *cards))


def settings(**changes: Any) -> Settings:
    """Settings for tests: no clock of its own, two streams and a short heartbeat unless said otherwise."""
    values: dict[str, Any] = {
        "secret": "not a secret",
        "pin": PIN,
        "decks": {"small": small_deck},
        "heartbeat_s": 0.05,
        "render_gap_s": 0.0,
    }
    return Settings(**{**values, **changes})


class Teller:
    """A watcher that sees in the next scene what it was told to."""

    def __init__(self) -> None:
        self.tell: list[Command] = []

    def start(self) -> None:
        return None

    def step(self, memory: None, _scene: Scene, _state: Any) -> tuple[None, tuple[Command, ...]]:
        told, self.tell = tuple(self.tell), []
        return memory, told


class Playing:
    """A started table and the moves of a game."""

    def __init__(self, folder: Path) -> None:
        self.teller = Teller()
        kit = GameKit(RULES, self.teller)
        self.table = Table(folder / "journal.db", {"hook": kit}, folder / "pictures")
        self.table.start()
        self.cards = 0

    def stop(self) -> None:
        self.table.stop()

    def ask(self, command: Any, **more: Any) -> Reply:
        """Ask, and insist that it was done."""
        reply = self.table.ask(command, **more)
        assert reply.accepted, reply.sentence
        return reply

    def start(self, players: Sequence[tuple[str, str]] = THREE, teams: str = "none", deck: str = "small") -> None:
        parrots = {f"target-{n:03}": n % 3 + 1 for n in range(1, 97)}
        seats = tuple(Player(seat, name) for seat, name in players)
        options = {"parrots": parrots, "teams": teams}
        self.ask(StartMatch(game="hook", players=seats, options=options, deck=deck))

    def place(self, seat: str, *symbols: str, **more: Any) -> None:
        """A tile at rest, as the camera would tell of it, on the next card."""
        self.cards += 1
        values: dict[str, Any] = {"tile": f"sight-{seat}-1", "card": f"target-{self.cards:03}", "source": "camera"}
        padded = (*symbols, "none", "none", "none")[:3]
        self.ask(PlaceTile(seat=seat, symbols=padded, **{**values, **more}))

    def round(self, **tiles: Sequence[str]) -> None:
        """One tile each (underscores for hyphens), then the next round."""
        for seat, symbols in tiles.items():
            self.place(seat.replace("_", "-"), *symbols)
        self.next()

    def next(self) -> None:
        self.ask(NextRound())

    def choose(self, seat: str, hole: int, victim: str) -> None:
        self.ask(ChooseTarget(tile=f"sight-{seat}-1", hole=hole, victim=victim))

    def answer(self, value: str) -> None:
        """Answer the first open question."""
        self.ask(Answer(doubt=self.table.snapshot().doubts[0].id, value=value))

    def recount(self, **numbers: Any) -> None:
        self.ask(Recount(**numbers))


__all__ = ["PIN", "SIX", "THREE", "Playing", "deck", "settings", "small_deck"]
