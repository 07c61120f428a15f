"""Buttons on a screen or keyboard: presses that come as commands, stamped by the program when they arrive.

Good for a demo, for a table without buttons, and for trying a game out; never exact enough to say who was first among
people who are equally quick: every press says "software".
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Mapping

from companion.words import _
from companion.world import Press
from hardware.buttons.health import ButtonHealth
from hardware.buttons.protocol import ButtonsError
from hardware.buttons.reporting import Reporter


class ScreenButtons:
    """One button a seat, pressed by ``press`` and ``release`` from any thread; ``keys`` names seats by keys."""

    def __init__(
        self,
        seats: Iterable[str],
        *,
        keys: Mapping[str, str] | None = None,
        held_after_s: float = 10.0,
        clock: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self._levels = dict.fromkeys(seats, 0)
        self._keys = dict(keys or {})
        self._clock, self._lock = clock, threading.Lock()
        self._reporter = Reporter(tuple(self._levels), self._read, held_after_s=held_after_s, clock=clock)
        self._reporter.clocks(dict.fromkeys(self._levels, "software"))

    def start(self, on_press: Callable[[Press], None], on_health: Callable[[ButtonHealth], None] | None = None) -> None:
        """See ``Buttons``."""
        self._reporter.start(on_press, on_health)

    def press(self, seat: str) -> None:
        """A finger goes down. A repetition (a key held down) is no press."""
        self._set(seat, 1)

    def release(self, seat: str) -> None:
        """The finger goes up again."""
        self._set(seat, 0)

    def key(self, name: str, down: bool) -> None:
        """A key went down or up; keys that belong to nobody do nothing."""
        if name in self._keys:
            self._set(self._keys[name], int(down))

    def health(self) -> tuple[ButtonHealth, ...]:
        """See ``Buttons``."""
        return self._reporter.health()

    def close(self) -> None:
        """See ``Buttons``."""
        self._reporter.close()

    def _set(self, seat: str, level: int) -> None:
        t_ns = self._clock()
        with self._lock:  # a seat's edges are handed on in their order
            if seat not in self._levels:
                raise ButtonsError(_("There is no button for {seat}.", seat=seat))
            if self._levels[seat] == level:
                return
            self._levels[seat] = level
            self._reporter.deliver(Press(seat, t_ns, level, "software"))

    def _read(self) -> dict[str, int | None]:
        return dict(self._levels)
