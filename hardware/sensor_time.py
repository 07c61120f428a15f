"""Which clock a camera stamps its frames with, found out from a frame that has just come."""

from __future__ import annotations

import time
from typing import Literal

Base = Literal["monotonic", "boottime"]

NEWEST_NS = 2_000_000
"""A stamp may lie so little in the future: clocks are read one after the other."""
OLDEST_NS = 2_000_000_000


def boottime_lead_ns() -> int:
    """How far CLOCK_BOOTTIME is ahead of CLOCK_MONOTONIC: the time this machine has been suspended."""
    if not hasattr(time, "CLOCK_BOOTTIME"):
        return 0
    before = time.monotonic_ns()
    boottime = time.clock_gettime_ns(time.CLOCK_BOOTTIME)
    return boottime - (before + time.monotonic_ns()) // 2


def base_of(stamp_ns: int, now_ns: int, lead_ns: int) -> Base | None:
    """The clock of a stamp that is a moment old at ``now_ns`` (monotonic); None where it is of no clock we know.

    On a Pi it is the monotonic clock, though libcamera speaks of the boot time; they differ only after a suspend.
    """
    if _is_fresh(now_ns - stamp_ns):
        return "monotonic"
    if _is_fresh(now_ns + lead_ns - stamp_ns):
        return "boottime"
    return None


def _is_fresh(age_ns: int) -> bool:
    return -NEWEST_NS <= age_ns <= OLDEST_NS


class SensorClock:
    """Turns a camera's stamps into monotonic time; finds out at the first fresh one of which clock they are."""

    def __init__(self, lead_ns: int | None = None) -> None:
        self._lead_ns = boottime_lead_ns() if lead_ns is None else lead_ns
        self.base: Base | None = None

    def monotonic_ns(self, stamp_ns: int | None, now_ns: int) -> int:
        """The stamp as monotonic ns; ``now_ns`` where there is none, or it is of no clock we know."""
        if stamp_ns is None:
            return now_ns
        if self.base is None:
            self.base = base_of(stamp_ns, now_ns, self._lead_ns)
        match self.base:
            case "monotonic":
                return stamp_ns
            case "boottime":
                return stamp_ns - self._lead_ns
            case None:
                return now_ns
