"""Plays patterns on lights and on a buzzer, through gpiozero, on one thread.

    lights = Lights({"seat-1": 23, "seat-2": 24}, factory, buzzer=13)
    lights.play("seat-1", "won", then="armed")
    lights.sound("won")

What fails is silent and stands in the health; it is tried again with the next pattern.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any, Protocol

import msgspec
from gpiozero import LED, PWMLED, TonalBuzzer
from gpiozero.tones import Tone

from hardware.lights.health import LightHealth
from hardware.lights.patterns import PATTERNS, TUNES, Pattern

BUZZER = "buzzer"


class Lights:
    """Lights by the names of their seats, and perhaps a buzzer. All methods return at once, from any thread.

    ``dim`` False uses plain on and off (at half brightness and above) instead of PWM. ``thread`` False leaves the
    playing to calls of ``step``.
    """

    def __init__(
        self,
        pins: Mapping[str, int],
        factory: Any,
        *,
        buzzer: int | None = None,
        dim: bool = True,
        patterns: Mapping[str, Pattern] = PATTERNS,
        tunes: Mapping[str, Pattern] = TUNES,
        clock: Callable[[], float] = time.monotonic,
        thread: bool = True,
    ) -> None:
        self._patterns, self._tunes, self._clock = patterns, tunes, clock
        self._voices = {seat: _Voice(_lamp(pin, factory, dim)) for seat, pin in pins.items()}
        if buzzer is not None:
            self._voices[BUZZER] = _Voice(lambda: _Buzzer(buzzer, factory))
        self._changed = threading.Event()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="lights", daemon=True) if thread else None
        if self._thread is not None:
            self._thread.start()

    def play(self, seat: str, name: str, then: str | None = None) -> None:
        """Play a pattern on a seat's light, and ``then`` another. A seat without a light does nothing."""
        follow = None if then is None else _named(self._patterns, then)
        self._give(seat, _named(self._patterns, name), follow)

    def sound(self, name: str) -> None:
        """Play a tune, instead of the one that sounds."""
        self._give(BUZZER, _named(self._tunes, name), None)

    def health(self) -> tuple[LightHealth, ...]:
        """How each light is, and the buzzer."""
        return tuple(LightHealth(name, voice.why) for name, voice in self._voices.items())

    def step(self) -> float | None:
        """Bring all lights up to date. In how many seconds to call again (None: when something is played)."""
        waits = [voice.step(self._clock()) for voice in self._voices.values()]
        return min((wait for wait in waits if wait is not None), default=None)

    def close(self) -> None:
        """Everything off, and let go of the pins. May be called twice."""
        self._closed = True
        self._changed.set()
        if self._thread is not None:
            self._thread.join(5)
        for voice in self._voices.values():
            voice.close()

    def _give(self, name: str, pattern: Pattern, then: Pattern | None) -> None:
        voice = self._voices.get(name)
        if voice is None:
            return
        voice.playing = _Playing(pattern, self._clock(), then)
        self._changed.set()

    def _run(self) -> None:
        while not self._closed:
            self._changed.clear()  # before looking at what is played, so that nothing new is missed
            self._changed.wait(self.step())


class _Playing(msgspec.Struct, frozen=True):
    pattern: Pattern
    since: float
    then: Pattern | None = None


class _Output(Protocol):
    def set(self, level: float) -> None:
        """Brightness or hertz."""

    def close(self) -> None:
        """Off, and let go."""


class _Voice:
    """One output and what it plays."""

    def __init__(self, make: Callable[[], _Output]) -> None:
        self._make = make
        self._output: _Output | None = None
        self._level: float | None = None
        self._tried: _Playing | None = None
        self.playing = _Playing(Pattern(()), 0.0)
        self.why: str | None = None

    def step(self, now: float) -> float | None:
        playing = self.playing
        level, wait = playing.pattern.at(now - playing.since)
        if wait is None and playing.then is not None:
            level, wait = playing.then.at(now - playing.since - playing.pattern.seconds)
        if self.why is not None and playing is self._tried:
            return None
        try:
            if self._output is None:
                self._output, self._level = self._make(), None
            if level != self._level:
                self._output.set(level)
                self._level = level
            self.why = None
        except Exception as error:  # whatever it is: a light must not stop a game
            self.why, self._tried = str(error).strip("'") or type(error).__name__, playing
            self.close()
            return None
        return wait

    def close(self) -> None:
        output, self._output = self._output, None
        if output is not None:
            with contextlib.suppress(Exception):
                output.set(0.0)
            with contextlib.suppress(Exception):
                output.close()


class _Dimmed:
    def __init__(self, pin: int, factory: Any) -> None:
        self._device = PWMLED(pin, pin_factory=factory)

    def set(self, level: float) -> None:
        self._device.value = min(level, 1.0)

    def close(self) -> None:
        self._device.close()


class _Switched:
    def __init__(self, pin: int, factory: Any) -> None:
        self._device = LED(pin, pin_factory=factory)

    def set(self, level: float) -> None:
        self._device.value = level >= 0.5

    def close(self) -> None:
        self._device.close()


class _Buzzer:
    def __init__(self, pin: int, factory: Any) -> None:
        self._device = TonalBuzzer(pin, mid_tone=Tone("A5"), octaves=2, pin_factory=factory)

    def set(self, level: float) -> None:
        if level:
            self._device.play(Tone(frequency=level))
        else:
            self._device.stop()

    def close(self) -> None:
        self._device.close()


def _lamp(pin: int, factory: Any, dim: bool) -> Callable[[], _Output]:
    return lambda: _Dimmed(pin, factory) if dim else _Switched(pin, factory)


def _named(known: Mapping[str, Pattern], name: str) -> Pattern:
    if name not in known:
        raise ValueError(f"there is no pattern {name!r}, only {', '.join(sorted(known))}")
    return known[name]
