"""Slap buttons on GPIO lines, through gpiozero: the kernel stamps each edge in its interrupt.

Each button is an ``InputDevice`` with the chip's own pull-up; its pin reports both edges without any debouncing, which
would move the stamp to the last bounce. ``Pin.when_changed`` is documented and gets ``(ticks, state)``; with lgpio,
ticks are the kernel's stamp in seconds on the base of ``time.monotonic()``.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterable
from typing import Any, Literal

from gpiozero import GPIOPinInUse, InputDevice
from gpiozero.exc import PinInvalidPin
from gpiozero.pins.mock import MockFactory

from companion.words import _
from companion.world import Press
from hardware import chips
from hardware.buttons.health import ButtonHealth
from hardware.buttons.protocol import ButtonsError, ButtonSpec, Stamped
from hardware.buttons.reporting import Fault, Reporter

_OLDEST_NS, _FUTURE_NS = 600_000_000_000, 50_000_000
"""A stamp further away than that is of another clock."""


class GpioButtons:
    """Buttons between GPIO lines and ground. Lines that cannot be had are told in the health and tried again.

    ``on_close`` lets go of a chip that belongs to these buttons alone.
    """

    def __init__(
        self,
        specs: Iterable[ButtonSpec],
        factory: Any,
        *,
        stamped: Stamped = "kernel",
        held_after_s: float = 3.0,
        on_close: Callable[[], None] = lambda: None,
        clock: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        specs = tuple(specs)
        self._source = source_of(factory, stamped)
        self._factory, self._clock, self._on_close = factory, clock, on_close
        self._specs = {spec.seat: spec for spec in specs}
        self._lines: dict[str, _Line] = {}
        self._reporter = Reporter(
            tuple(self._specs), self._read, attend=self._open, held_after_s=held_after_s, clock=clock
        )
        if self._source not in ("kernel", "demo"):
            self._reporter.clocks(dict.fromkeys(self._specs, "software"))
        self._started = self._closed = False
        self._open()

    def start(self, on_press: Callable[[Press], None], on_health: Callable[[ButtonHealth], None] | None = None) -> None:
        """See ``Buttons``."""
        for seat, level in self._read().items():  # they may have been opened long ago
            if level is not None:
                self._reporter.opened(seat, level)
        self._started = True
        self._reporter.start(on_press, on_health, self._listen_to_all)

    def health(self) -> tuple[ButtonHealth, ...]:
        """See ``Buttons``."""
        return self._reporter.health()

    def close(self) -> None:
        """See ``Buttons``. A chip shared with lights keeps the lines (as inputs) until it is closed itself."""
        if self._closed:
            return
        self._closed = True
        self._reporter.close()
        for line in self._lines.values():
            line.close()
        self._lines.clear()
        self._on_close()

    def _open(self) -> None:
        """Open the lines that are not open."""
        for seat, spec in self._specs.items():
            if seat in self._lines:
                continue
            try:
                line = _Line(spec, self._factory, self._source, self._reporter, self._clock)
                self._reporter.opened(seat, line.level())
                self._lines[seat] = line
                if self._started:
                    self._listen(seat, line)
            except PinInvalidPin as error:
                raise ButtonsError(_("There is no pin GPIO{pin} on this machine.", pin=str(spec.pin))) from error
            except Exception as error:  # lgpio's own type exists only where lgpio is
                self._reporter.fault(seat, self._explain(spec.pin, error))

    def _explain(self, pin: int, error: Exception) -> Fault:
        if isinstance(error, GPIOPinInUse):
            return Fault("taken", str(error), _("this program itself"))
        why = str(error).strip("'")
        if "busy" not in why.lower():
            return Fault("failed", why)
        number = getattr(self._factory, "chip", None)
        holder = chips.holder(number, pin) if isinstance(number, int) else None
        suspects = ", ".join(chips.programs())
        return Fault("taken", why, f"{holder or '?'}: {suspects}" if suspects else holder)

    def _read(self) -> dict[str, int | None]:
        return {seat: self._level_of(seat, line) for seat, line in tuple(self._lines.items())}

    def _level_of(self, seat: str, line: _Line) -> int | None:
        try:
            return line.level()
        except Exception as error:
            self._drop(seat, line, error)
            return None

    def _listen_to_all(self) -> None:
        for seat, line in tuple(self._lines.items()):
            self._listen(seat, line)

    def _listen(self, seat: str, line: _Line) -> None:
        try:
            line.listen()
        except Exception as error:
            self._drop(seat, line, error)

    def _drop(self, seat: str, line: _Line, error: Exception) -> None:
        """A line that fails is closed, told, and opened anew by the next ``_open``."""
        del self._lines[seat]
        line.close()
        self._reporter.fault(seat, Fault("failed", str(error).strip("'")))


class _Line:
    """One button's line. It must live as long as it listens: the pin holds its handler weakly."""

    def __init__(
        self, spec: ButtonSpec, factory: Any, source: Source, reporter: Reporter, clock: Callable[[], int]
    ) -> None:
        self._seat, self._source, self._reporter, self._clock = spec.seat, source, reporter, clock
        self._device = InputDevice(spec.pin, pull_up=True, pin_factory=factory)

    def listen(self) -> None:
        """Report edges from now on."""
        pin = self._device.pin
        pin.edges = "both"
        pin.when_changed = self.changed

    def level(self) -> int:
        """1 while the button is down."""
        return int(self._device.is_active)

    def changed(self, ticks: float, state: float) -> None:
        """An edge, on gpiozero's thread: stamp, hand on, return."""
        now, down = self._clock(), int(not state)
        t_ns, clock = (now if self._source == "software" else round(ticks * 1e9)), self._source
        strange = self._source == "kernel" and not -_FUTURE_NS <= now - t_ns <= _OLDEST_NS
        if strange:
            t_ns, clock = now, "software"
        stamp: Literal["kernel", "software"] = "kernel" if clock in ("kernel", "demo") else "software"
        self._reporter.deliver(Press(self._seat, t_ns, down, stamp), own_clock=strange)

    def close(self) -> None:
        """Listen no more, and let go."""
        with contextlib.suppress(Exception):  # a chip that has gone has let go already
            if self._device.pin is not None:
                self._device.pin.when_changed = None  # closing the device does not do that
            self._device.close()


Source = Literal["kernel", "demo", "ticks", "software"]
"""Whose stamps a factory gives: the kernel's; those of a demo that plays the kernel; monotonic but user-space; none."""


def source_of(factory: Any, stamped: Stamped) -> Source:
    """Whose time the factory's presses carry. Raises ``ButtonsError`` where that is not allowed."""
    name = type(factory).__name__
    if isinstance(factory, MockFactory) and stamped != "kernel":
        return "demo" if stamped == "demo" else "ticks"
    if chips.is_lgpio(factory) and stamped in ("kernel", "software"):
        return "kernel"
    if stamped == "software":
        return "software"
    if stamped == "kernel":
        raise ButtonsError(
            _(
                "gpiozero uses {name}, which gives no kernel time, so that nobody could say who was first. "
                "Install python3-lgpio, or allow less exact times in the settings (allow_software_time = true).",
                name=name,
            )
        )
    raise ButtonsError(_("Only gpiozero's mock pins can play buttons in a demo, not {name}.", name=name))
