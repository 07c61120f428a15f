"""What lights and buzzer play in a game of Hooked!: how each seat stands, and who has won a slap.

A verdict is played once it is final, so that nothing flashes that another press may still change.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from companion.games.hooked.state import Slap, State
from companion.games.hooked.written import mistaken
from companion.table import Table

LATE_NS = 4_000_000_000
"""A verdict that became known so long after it was final (a correction) is not played any more."""
TICK_S = 0.05


class Playing(Protocol):
    """``hardware.lights.Lights``."""

    def play(self, seat: str, name: str, then: str | None = None) -> None:
        """Play a pattern on a seat's light, and ``then`` another."""

    def sound(self, name: str) -> None:
        """Play a tune."""


def standing(state: State) -> dict[str, str]:
    """The pattern of each seat's light while nothing happens."""
    locked = {seat for seat, _left in state.locks}
    found = {}
    for seat in state.seats:
        if state.over:
            found[seat] = "on" if seat == state.winner else "off"
        elif seat in state.out:
            found[seat] = "off"
        elif seat in locked:
            found[seat] = "locked"
        else:
            found[seat] = "turn" if seat == state.turn else "armed"
    return found


def outcome(slap: Slap) -> tuple[dict[str, str], str | None]:
    """The pattern of every seat that something happened to in a judged moment, and the tune."""
    found = dict.fromkeys(mistaken(slap), "wrong")
    found |= dict.fromkeys(slap.dead_heat, "tied")
    if slap.winner is not None:
        found[slap.winner] = "won"
    tune = next((name for name in ("won", "tied", "wrong") if name in found.values()), None)
    return found, tune


class TableLights:
    """Plays what the table's snapshots say, on a thread of its own."""

    def __init__(self, table: Table, lights: Playing) -> None:
        self._table, self._lights, self._clock = table, lights, table.clock
        self._standing: dict[str, str] = {}
        self._played: dict[tuple[int, int], tuple[dict[str, str], str | None]] = {}
        self._subscription = table.subscribe()
        self._thread = threading.Thread(target=self._run, name="table lights", daemon=True)

    def start(self) -> None:
        """Begin to play."""
        self._thread.start()

    def stop(self) -> None:
        """Play nothing more."""
        self._subscription.close()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        state: State | None = None
        match: int | None = None
        while not self._subscription.closed:
            # A verdict becomes final without anything else happening: while one is waited for, look again soon.
            snapshot = self._subscription.wait(TICK_S if state is not None and self._waiting(state) else None)
            if snapshot is not None:
                if snapshot.match != match:  # flips are counted anew
                    self._played.clear()
                match = snapshot.match
                state = snapshot.state if isinstance(snapshot.state, State) else None
                if state is None:
                    self.darken()
            if state is not None:
                self.show(state)

    def _waiting(self, state: State) -> bool:
        now = self._clock()
        return any(slap.final_ns is not None and slap.final_ns > now for slap in state.slaps[-3:])

    def darken(self) -> None:
        """No game of Hooked! is on the table."""
        for seat in self._standing:
            self._lights.play(seat, "off")
        self._standing.clear()

    def show(self, state: State) -> None:
        """Bring lights and buzzer up to a state."""
        now, steady = self._clock(), standing(state)
        for key, slap in _numbered(state.slaps):
            if slap.final_ns is None or slap.final_ns > now:
                continue
            told = outcome(slap)
            if self._played.get(key) == told:
                continue
            self._played[key] = told
            if now - slap.final_ns > LATE_NS:
                continue
            for seat, pattern in told[0].items():
                self._lights.play(seat, pattern, then=steady.get(seat))
                self._standing[seat] = steady.get(seat, "")
            if told[1] is not None:
                self._lights.sound(told[1])
        for seat, pattern in steady.items():
            if self._standing.get(seat) != pattern:
                self._standing[seat] = pattern
                self._lights.play(seat, pattern)


@contextmanager
def lit(table: Table, lights: Playing | None) -> Iterator[None]:
    """Lights that say what happens on a table, until the end. None: there are none."""
    if lights is None:
        yield
        return
    shown = TableLights(table, lights)
    shown.start()
    try:
        yield
    finally:
        shown.stop()


def _numbered(slaps: tuple[Slap, ...]) -> list[tuple[tuple[int, int], Slap]]:
    """Slaps with what names them: the flip, and which of its moments."""
    seen: Counter[int] = Counter()
    found = []
    for slap in slaps:
        seen[slap.id] += 1
        found.append(((slap.id, seen[slap.id]), slap))
    return found
