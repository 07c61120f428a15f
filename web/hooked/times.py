"""Times as people read them, and the line of time of a photo finish."""

from __future__ import annotations

from dataclasses import dataclass

from web.hooked.model import Stretch

MS = 1_000_000
STEPS_MS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
MOST_STEPS = 6


def ms(ns: int) -> str:
    """Nanoseconds in milliseconds: tenths below ten, whole ones above (no more than the clock is worth)."""
    value = ns / MS
    return (f"{value:.1f}" if abs(value) < 9.95 else f"{value:.0f}").replace("-", "−")


@dataclass(frozen=True)
class Axis:
    """A stretch of time laid out from 0 to 100 per cent. ``zero`` is the moment that counts as 0 ms."""

    first: int
    last: int
    zero: int

    def at(self, t_ns: int) -> float:
        """Where a moment is, in per cent."""
        return round(100 * (t_ns - self.first) / (self.last - self.first), 2)

    def stretch(self, begin: int, end: int) -> Stretch:
        """A part of the line; what is too short to be seen is drawn as thin as can be."""
        return Stretch(self.at(begin), max(round(self.at(end) - self.at(begin), 2), 0.1))

    @property
    def scale(self) -> tuple[tuple[float, int], ...]:
        """Where round numbers of milliseconds since zero stand: (per cent, ms)."""
        span = (self.last - self.first) / MS
        step = next((one for one in STEPS_MS if span / one <= MOST_STEPS), STEPS_MS[-1])
        begin = -((self.zero - self.first) // (step * MS))
        found = []
        for index in range(begin, begin + 3 * MOST_STEPS):
            moment = self.zero + index * step * MS
            if self.first <= moment <= self.last:
                found.append((self.at(moment), index * step))
        return tuple(found)


def axis(before_ns: int, seen_ns: int, presses: list[int]) -> Axis:
    """The line from the last picture without the card (or the first press, if that was earlier) to the last press."""
    first = min([before_ns, seen_ns, *presses])
    last = max([seen_ns, *presses])
    span = max(last - first, 20 * MS)
    return Axis(first - span // 40, first + span + span // 16, seen_ns)
