"""What lights and the buzzer can play, as data.

A pattern is steps of (seconds, level): for lights the level is brightness from 0 to 1, for the buzzer a tone in hertz
(0: silence). Its value at any moment follows from the time since its start alone.

    Pattern(((0.1, 1.0), (0.1, 0.0)), repeat=3).at(0.15) == (0.0, 0.05)
"""

from __future__ import annotations

import math

import msgspec

Steps = tuple[tuple[float, float], ...]


class Pattern(msgspec.Struct, frozen=True):
    """``steps`` played ``repeat`` times (0: for ever), and then ``rest``, the level that stays."""

    steps: Steps
    repeat: int = 1
    rest: float = 0.0

    def __post_init__(self) -> None:
        if self.repeat < 0 or any(seconds <= 0 or level < 0 for seconds, level in self.steps):
            raise ValueError("a step lasts some time, and no level is below 0")

    @property
    def seconds(self) -> float:
        """How long it lasts; infinite when it goes on for ever."""
        once = math.fsum(seconds for seconds, _level in self.steps)
        return math.inf if self.repeat == 0 and self.steps else once * self.repeat

    def at(self, seconds: float) -> tuple[float, float | None]:
        """The level so long after the start, and in how many seconds it may change (None: never again)."""
        once = math.fsum(length for length, _level in self.steps)
        if seconds >= self.seconds or not once:
            return self.rest, None
        into = seconds % once
        for length, level in self.steps:
            if into < length:
                return level, length - into
            into -= length
        return self.steps[-1][1], 0.001  # rounding: the very end of the last step


def ramp(seconds: float, start: float, end: float, count: int = 16) -> Steps:
    """From one level to another in equal steps, without the end itself."""
    return tuple((seconds / count, start + (end - start) * k / count) for k in range(count))


PATTERNS: dict[str, Pattern] = {
    "off": Pattern(()),
    "on": Pattern((), rest=1.0),
    "armed": Pattern((), rest=0.25),  # steady: a light that moves would be taken for the signal
    "turn": Pattern((*ramp(0.8, 0.15, 1.0), *ramp(0.8, 1.0, 0.15)), repeat=0),
    "choose": Pattern(((0.12, 1.0), (0.12, 0.0), (0.12, 1.0), (0.64, 0.0)), repeat=0),
    "chosen": Pattern(((0.08, 1.0), (0.08, 0.0)), repeat=6),
    "start": Pattern(((0.11, 1.0), (0.11, 0.0), (0.11, 1.0), (0.11, 0.0), (0.32, 1.0))),  # as the tune
    "won": Pattern(((0.09, 1.0), (0.09, 0.0)), repeat=8, rest=1.0),
    "tied": Pattern(((0.25, 1.0), (0.25, 0.0)), repeat=4),
    "wrong": Pattern(((0.5, 0.5), (0.15, 0.0)), repeat=2),
    "locked": Pattern(((0.06, 0.6), (1.94, 0.0)), repeat=0),
    "trouble": Pattern(((0.06, 0.5), (0.12, 0.0), (0.06, 0.5), (1.76, 0.0)), repeat=0),
}
"""Brightness. Which of them a game uses for what is the game's affair."""

TUNES: dict[str, Pattern] = {
    "start": Pattern(((0.11, 523.3), (0.11, 0.0), (0.11, 523.3), (0.11, 0.0), (0.32, 784.0))),
    "won": Pattern(((0.10, 1046.5), (0.10, 1318.5), (0.22, 1568.0))),
    "tied": Pattern(((0.14, 784.0), (0.06, 0.0), (0.14, 784.0))),
    "wrong": Pattern(((0.18, 294.0), (0.30, 220.0))),
    "tick": Pattern(((0.03, 1760.0),)),
    "over": Pattern(((0.12, 784.0), (0.12, 1046.5), (0.12, 1318.5), (0.36, 1568.0))),
}
"""Tones in hertz, within the buzzer's 220 to 3520."""
