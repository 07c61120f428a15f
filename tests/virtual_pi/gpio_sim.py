"""Fingers on the lines of a gpio-sim chip: a line is pulled by writing to its file, as a button would pull it.

gpio-sim delivers edges at the kernel's next tick. Edges of one tick are stamped microseconds apart, in the order of the
lines' numbers: what an interrupt that finds two buttons down makes of them on a Pi, too.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path

TICK_NS = 10_000_000
CLOCK_MONOTONIC_COARSE = 6
"""The monotonic time of the last tick (Linux); Python has no name for it."""


class GpioSim:
    """The one simulated chip of this machine. Buttons connect their line to ground: pressed is low."""

    def __init__(self) -> None:
        (self.folder,) = Path("/sys/devices/platform").glob("gpio-sim.*/gpiochip*")
        self.chip = int(self.folder.name.removeprefix("gpiochip"))

    def pull(self, line: int, high: bool) -> tuple[int, int]:
        """Pull a line up or down; the monotonic times (ns) before and after."""
        path = self.folder / f"sim_gpio{line}" / "pull"
        before = time.monotonic_ns()
        path.write_text("pull-up" if high else "pull-down", encoding="ascii")
        return before, time.monotonic_ns()

    def press(self, line: int) -> tuple[int, int]:
        """Button down; the monotonic times (ns) before and after."""
        return self.pull(line, high=False)

    def release(self, line: int) -> tuple[int, int]:
        """Button up; the monotonic times (ns) before and after."""
        return self.pull(line, high=True)

    def level(self, line: int) -> int:
        """1 when the line is high."""
        return int((self.folder / f"sim_gpio{line}" / "value").read_text(encoding="ascii"))

    def together(self, lines: Iterable[int], high: bool = False) -> bool:
        """Pull lines within one tick; False when a tick came in between, which happens when the host is busy."""
        while not TICK_NS // 10 < time.monotonic_ns() - last_tick_ns() < TICK_NS // 2:
            time.sleep(0.0005)
        tick = last_tick_ns()
        for line in lines:
            self.pull(line, high)
        return last_tick_ns() == tick


def last_tick_ns() -> int:
    """The time (ns, monotonic) of the kernel's last tick."""
    return time.clock_gettime_ns(CLOCK_MONOTONIC_COARSE)
