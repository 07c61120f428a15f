"""The players of the live demonstration, on a clock that waits for nobody: they play until somebody has won."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import msgspec

from companion.app import games
from companion.app.hooked_players import HookedPlayers
from companion.games.hooked.deck_rules import options
from companion.games.hooked.facts import CardFlipped, Flip, FlipRuled
from companion.games.hooked.state import State
from companion.games.hooked.watcher import TURNED_NS, earlier
from companion.table import StartMatch, Table
from companion.world import Player
from hardware.simulated.conditions import BY_NAME
from hardware.simulated.poses import TablePose

FRAME_NS = 66_666_667
LONGEST_S = 300


class Clock:
    """Time passes only when somebody waits."""

    def __init__(self) -> None:
        self.now_ns = 1_000_000_000_000
        self._lock = threading.Lock()

    def __call__(self) -> int:
        return self.now_ns

    def wait(self, seconds: float) -> None:
        with self._lock:
            self.now_ns += round(seconds * 1e9)


class Eye:
    """A camera that cannot err: it counts the cards that lie there face up."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._lying = 0

    def __call__(self, message: Any) -> None:
        pose = msgspec.convert(message, TablePose)
        lying = [piece for piece in pose.pieces if piece.face_up and piece.lift_mm < 0.01 and not piece.tilt_deg]
        if len(lying) == self._lying + 1:
            top = max(lying, key=lambda piece: piece.level)
            now = self._table.clock()
            flip = Flip(card=top.id, seen_ns=now, before_ns=now - FRAME_NS, t_ns=now)
            seen = earlier(flip, TURNED_NS)
            turn = self._table.snapshot().state.turn
            self._table.ask(msgspec.structs.replace(seen, seat=turn or ""))
        self._lying = len(lying)


def test_the_players_play_until_somebody_has_won(tmp_path: Path) -> None:
    deck = games.load("hooked", None)
    clock = Clock()
    table = Table(tmp_path / "journal.sqlite", games.kits(deck), tmp_path / "pictures", clock)
    table.start()

    def sleep(seconds: float) -> bool:
        clock.wait(seconds)
        return table.snapshot().over

    players = HookedPlayers(table, deck, BY_NAME["easy"], 1, Eye(table), table.press, clock=clock, sleep=sleep)
    try:
        players.start()
        assert players.join(LONGEST_S), "they play for ever"
        snapshot = table.snapshot()
        state = snapshot.state
        assert isinstance(state, State)
        assert state.over and state.winner is not None
        assert sum(stack for _seat, stack in state.stacks) + state.lake_size == 62
        flips = [entry.fact for entry in snapshot.facts if isinstance(entry.fact, CardFlipped)]
        assert len(flips) > 20
        assert {flip.source for flip in flips} == {"camera"}
        assert sum(slap.winner is not None for slap in state.slaps) > 3
    finally:
        players.stop()
        table.stop()


def test_after_a_reboot_they_take_back_nothing_that_was_flipped_before(tmp_path: Path) -> None:
    """The kernel's clock begins anew; what the table tells has later times than all before."""
    deck = games.load("hooked", None)
    clock = Clock()
    kits = games.kits(deck)
    seats = tuple(Player(f"seat-{n}", f"{n}") for n in (1, 2, 3))
    before = Table(tmp_path / "journal.sqlite", kits, tmp_path / "pictures", clock)
    before.start()
    assert before.ask(StartMatch(game="hooked", players=seats, options=options(deck), deck=deck.name)).accepted
    for card in ("walleye", "bluegill", "muskellunge"):
        assert before.ask(Flip(card=card, source="tap")).accepted
    before.stop()
    clock.now_ns = 100_000_000_000
    table = Table(tmp_path / "journal.sqlite", kits, tmp_path / "pictures", clock)
    table.start()

    def sleep(seconds: float) -> bool:
        clock.wait(seconds)
        return len(table.snapshot().state.flips) > 8

    players = HookedPlayers(table, deck, BY_NAME["easy"], 1, Eye(table), table.press, clock=clock, sleep=sleep)
    try:
        players.start()
        assert players.join(LONGEST_S), "they play for ever"
        ruled = [entry.fact for entry in table.snapshot().facts if isinstance(entry.fact, FlipRuled)]
        assert not any(fact.counts is False for fact in ruled)
        assert all(slap.winner is not None for slap in table.snapshot().state.slaps)
    finally:
        players.stop()
        table.stop()
