"""People at the simulated table, whatever they play: a thread of their own that sits down, plays and leaves."""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, TypedDict, Unpack

import msgspec

from companion.core.facts import Command
from companion.deck import Deck
from companion.table import Table
from hardware.simulated.conditions import Condition
from hardware.simulated.poses import TablePose

NAMES = ("Ada", "Mehmet", "Ines", "Jonas", "Wanjiru", "Sofia")
LONGEST_START_NS = 60_000_000_000
"""So long the players wait for the first picture; then they play all the same, and say what they do."""


class Pace(TypedDict, total=False):
    """How players pass the time. ``patience_s``: so long questions are left to whoever watches. ``clock`` gives
    monotonic nanoseconds, ``sleep`` waits for seconds and is True when it is time to stop."""

    patience_s: float
    speed: float
    clock: Callable[[], int]
    sleep: Callable[[float], bool]


class Players(ABC):
    """``feed`` shows a pose to the camera. What the table asks is left to whoever watches for a while; then the
    players, who know the truth, answer themselves."""

    def __init__(
        self,
        table: Table,
        deck: Deck,
        condition: Condition,
        seed: int,
        feed: Callable[[Any], None],
        **pace: Unpack[Pace],
    ) -> None:
        self._table, self._deck, self._condition, self._seed = table, deck, condition, seed
        self._feed = feed
        self._stop = threading.Event()
        self._patience_s, self._speed = pace.get("patience_s", 12.0), pace.get("speed", 1.0)
        self._clock, self._sleep = pace.get("clock", time.monotonic_ns), pace.get("sleep", self._stop.wait)
        self._thread = threading.Thread(target=self._play, name="simulated players", daemon=True)

    def start(self) -> None:
        """Begin to play, or go on with the match that lies on the table."""
        self._thread.start()

    def stop(self) -> None:
        """Leave the table."""
        self._stop.set()
        self._thread.join()

    def join(self, timeout: float) -> bool:
        """Wait for the players for so many seconds; True when they have left."""
        self._thread.join(timeout)
        return not self._thread.is_alive()

    def _play(self) -> None:
        if not self._looked_at():
            return
        while not self._stop.is_set():
            snapshot = self._table.snapshot()
            if snapshot.match is None or snapshot.over:
                if snapshot.over and self._wait(30):
                    return
                self._sit_down()
                continue
            seats = tuple(player.seat for player in snapshot.started.players) if snapshot.started else ()
            if not self._play_match(seats, snapshot.match):
                return

    def _looked_at(self) -> bool:
        """Wait until the camera gives pictures: what is played before is seen by nobody. False when told to stop."""
        until = self._clock() + LONGEST_START_NS
        while self._table.snapshot().scene is None and self._clock() < until:
            if self._sleep(0.2):
                return False
        return True

    @abstractmethod
    def _sit_down(self) -> None:
        """Start a match."""

    @abstractmethod
    def _play_match(self, seats: tuple[str, ...], match: int) -> bool:
        """Play until the match is over or another one lies on the table. False when told to stop."""

    def _wait(self, seconds: float) -> bool:
        """Sleep; True when it is time to stop."""
        return self._sleep(seconds / self._speed)

    def _say(self, command: Command) -> bool:
        return self._table.ask(command).accepted

    def _show(self, pose: TablePose) -> None:
        self._feed(msgspec.to_builtins(pose))
