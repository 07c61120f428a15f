"""Buttons without hardware, for the demo and for tests: gpiozero's mock pins, pressed by program.

    factory = mock_factory()
    buttons = GpioButtons(WIRING, factory, stamped="demo")
    fingers = Fingers(WIRING, factory)
    fingers.press("seat-1", at_ns=...)

A press may be told its time, so that it does not depend on how punctual the thread is that drives the pin.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any

from gpiozero.pins.mock import MockFactory, MockPWMPin

from hardware.buttons.protocol import ButtonSpec


class StampedPin(MockPWMPin):  # type: ignore[misc]
    """A mock pin (for buttons and lights alike) whose edges can be told their time."""

    at_ns: int | None = None

    def drive(self, level: int, at_ns: int | None = None) -> None:
        """Set the line from outside; an edge is stamped ``at_ns`` (None: now)."""
        self.at_ns = at_ns
        try:
            self.drive_high() if level else self.drive_low()
        finally:
            self.at_ns = None

    def repeat(self, level: int, at_ns: int | None = None) -> None:
        """Report an edge whose level is the old one, as the kernel does when it reads the level after a bounce."""
        self._state = not level
        self.drive(level, at_ns)

    def set_silently(self, level: int) -> None:
        """Set the line without an edge: a report that gets lost."""
        self._state = bool(level)

    def _change_state(self, value: Any) -> bool:
        changed = bool(super()._change_state(value))
        if changed and self.at_ns is not None:
            self._last_change = self.at_ns / 1e9
        return changed


def mock_factory() -> Any:
    """A pin factory for buttons and lights without hardware."""
    return MockFactory(pin_class=StampedPin)


class Fingers:
    """Presses the buttons of a mock factory. Active low: pressed is ground."""

    def __init__(self, specs: Iterable[ButtonSpec], factory: Any) -> None:
        self._pins = {spec.seat: spec.pin for spec in specs}
        self._factory = factory

    def press(self, seat: str, at_ns: int | None = None) -> None:
        """Push the button down."""
        self.pin(seat).drive(0, at_ns)

    def release(self, seat: str, at_ns: int | None = None) -> None:
        """Let the button go."""
        self.pin(seat).drive(1, at_ns)

    def slap(self, seat: str, at_ns: int | None = None, *, for_ns: int = 80_000_000, bounces: int = 0) -> None:
        """Down and up again, both stamped, with a few bounces of 0.3 ms before the contact settles."""
        t_ns = time.monotonic_ns() if at_ns is None else at_ns
        for k in range(bounces):
            self.press(seat, t_ns + 2 * k * 300_000)
            self.release(seat, t_ns + (2 * k + 1) * 300_000)
        self.press(seat, t_ns + 2 * bounces * 300_000)
        self.release(seat, t_ns + for_ns)

    def pin(self, seat: str) -> StampedPin:
        """The mock pin of a seat's button."""
        pin = self._factory.pin(self._pins[seat])
        assert isinstance(pin, StampedPin)
        return pin
