"""How close two presses must be before nobody can say who was first: measured, not guessed.

One output drives two inputs at the same moment, again and again. By how much their time stamps differ is what this
machine's wiring, kernel and library add to a race; a tie window below that would make the machine choose the winner.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from typing import Any, Literal, Protocol

import msgspec

from hardware.chips import is_lgpio

LEAST_WINDOW_NS = 250_000
"""No tie window below this is recommended, whatever was measured: buttons and fingers are no better."""
_STEP_NS = 50_000

Drive = Callable[[bool], bool]
"""``drive(True)`` presses both inputs at once, ``drive(False)`` lets go. False says that it was not at once this time
(the pulse does not count)."""


class Pins(Protocol):
    """The part of gpiozero's pin factories that is needed here."""

    def pin(self, name: int) -> Any:
        """The pin of a BCM number."""


class Bin(msgspec.Struct, frozen=True):
    """``count`` differences of at least ``from_ns`` and below ``to_ns``."""

    from_ns: int
    to_ns: int
    count: int


class RaceTiming(msgspec.Struct, frozen=True):
    """What was measured. ``differences_ns``: second input's stamp minus the first's, a pulse each.

    ``lost``: pulses after which an input did not report; ``uneven``: pulses that were not at once.
    """

    inputs: tuple[int, int]
    clock: Literal["kernel", "software"]
    differences_ns: tuple[int, ...]
    lost: int = 0
    uneven: int = 0

    def quantile_ns(self, share: float) -> int:
        """The difference, taken without its sign, that this share of the pulses does not exceed (nearest rank)."""
        ranked = sorted(map(abs, self.differences_ns))
        return ranked[max(math.ceil(share * len(ranked)) - 1, 0)] if ranked else 0

    @property
    def window_ns(self) -> int:
        """The least tie window to use here: what 99.9 % of the pulses stay within, in whole steps of 0.05 ms."""
        return max(LEAST_WINDOW_NS, math.ceil(self.quantile_ns(0.999) / _STEP_NS) * _STEP_NS)

    def histogram(self, bins: int = 12) -> tuple[Bin, ...]:
        """The differences in bins of equal and round width; empty without any."""
        if not self.differences_ns:
            return ()
        low, high = min(self.differences_ns), max(self.differences_ns)
        width = _round_up((high - low + 1) / bins)
        counts: dict[int, int] = {}
        for difference in self.differences_ns:
            counts[difference // width] = counts.get(difference // width, 0) + 1
        return tuple(Bin(n * width, (n + 1) * width, counts.get(n, 0)) for n in range(low // width, high // width + 1))


def measure(
    factory: Pins,
    inputs: tuple[int, int],
    drive: Drive,
    pulses: int,
    *,
    rest_s: float = 0.02,
    patience_s: float = 1.0,
) -> RaceTiming:
    """Drive both inputs ``pulses`` times and compare the stamps of their presses.

    Inputs are pulled up; a press is low, as a button's. Between edges there is a rest of ``rest_s``; an input that has
    not reported after ``patience_s`` has lost that pulse.
    """
    pause = threading.Event()
    listeners = tuple(_Listener(factory.pin(pin)) for pin in inputs)
    differences: list[int] = []
    lost = uneven = 0
    try:
        drive(False)
        pause.wait(rest_s)
        for _pulse in range(pulses):
            for listener in listeners:
                listener.arm()
            at_once = drive(True)
            first, second = (listener.stamp_ns(patience_s) for listener in listeners)
            if first is None or second is None:
                lost += 1
            elif at_once:
                differences.append(second - first)
            else:
                uneven += 1
            pause.wait(rest_s)
            drive(False)
            pause.wait(rest_s)
    finally:
        for listener in listeners:
            listener.close()
    return RaceTiming(inputs, clock_of(factory), tuple(differences), lost, uneven)


def output_drive(factory: Pins, output: int) -> Drive:
    """Drive through an output pin that is wired to both inputs. ``factory.close()`` lets go of it."""
    pin = factory.pin(output)
    pin.function = "output"

    def drive(pressed: bool) -> bool:
        pin.state = not pressed
        return True

    return drive


def clock_of(factory: object) -> Literal["kernel", "software"]:
    """Who stamps the edges: only gpiozero's lgpio factory passes on the kernel's time."""
    return "kernel" if is_lgpio(factory) else "software"


class _Listener:
    """The first edge of one input after ``arm``. gpiozero holds the handler weakly: somebody must hold this object."""

    def __init__(self, pin: Any) -> None:
        self._pin = pin
        self._stamped = threading.Event()
        self._stamp_ns: int | None = None
        pin.function = "input"
        pin.pull = "up"
        pin.edges = "both"
        pin.when_changed = self._edge

    def arm(self) -> None:
        self._stamp_ns = None
        self._stamped.clear()

    def stamp_ns(self, patience_s: float) -> int | None:
        return self._stamp_ns if self._stamped.wait(patience_s) else None

    def close(self) -> None:
        self._pin.when_changed = None

    def _edge(self, ticks: float, _state: object) -> None:
        if not self._stamped.is_set():
            self._stamp_ns = round(ticks * 1e9)
            self._stamped.set()


def _round_up(width: float) -> int:
    """The next of 1, 2, 5, 10, 20, 50 …"""
    power = 10 ** max(math.floor(math.log10(width)), 0) if width > 1 else 1
    return next(power * step for step in (1, 2, 5, 10) if power * step >= width)
