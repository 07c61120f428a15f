"""USB buttons, as keys of Linux input devices (python-evdev), stamped by the kernel when the report arrives.

USB asks a device for news every 1 to 8 ms, so that USB buttons can be raced against each other, but never against GPIO.
The devices are taken for us alone: a button that plays a keyboard must not type into the page.
"""

from __future__ import annotations

import contextlib
import fcntl
import importlib
import os
import selectors
import struct
import threading
import time
from collections.abc import Callable, Iterable
from typing import Any, Protocol

from companion.words import _
from companion.world import Press
from hardware.buttons.health import ButtonHealth
from hardware.buttons.protocol import ButtonsError, UsbButton
from hardware.buttons.reporting import Fault, Reporter
from hardware.holders import holder

EVIOCSCLOCKID = 0x400445A0
_EV_SYN, _EV_KEY, _SYN_DROPPED = 0, 1, 3
_RETRY_S = 2.0


class InputDevice(Protocol):
    """What we use of ``evdev.InputDevice``."""

    def fileno(self) -> int:
        """For waiting."""

    def read(self) -> Iterable[Any]:
        """The events that have come: ``sec``, ``usec``, ``type``, ``code``, ``value``. OSError when it has gone."""

    def active_keys(self) -> list[int]:
        """The keys that are down."""

    def grab(self) -> None:
        """Take it for us alone. OSError when somebody else has."""

    def close(self) -> None:
        """Let go."""


def open_device(path: str) -> InputDevice:
    """The device at a path. OSError when there is none, ``ButtonsError`` without python-evdev."""
    try:
        evdev = importlib.import_module("evdev")
    except ImportError as error:
        raise ButtonsError(_("USB buttons need python-evdev. Install python3-evdev.")) from error
    device: InputDevice = evdev.InputDevice(path)
    return device


def use_monotonic(handle: int) -> bool:
    """Have a device's events stamped with CLOCK_MONOTONIC; False when the kernel does not do that."""
    try:
        fcntl.ioctl(handle, EVIOCSCLOCKID, struct.pack("i", time.CLOCK_MONOTONIC))
    except OSError:
        return False
    return True


class EvdevButtons:
    """Buttons on input devices. A device that is not there, or goes, is told in the health and tried again."""

    def __init__(
        self,
        specs: Iterable[UsbButton],
        *,
        held_after_s: float = 3.0,
        open_device: Callable[[str], InputDevice] = open_device,
        use_monotonic: Callable[[int], bool] = use_monotonic,
        clock: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self._seats: dict[str, dict[int, str]] = {}
        for spec in specs:
            self._seats.setdefault(spec.device, {})[spec.code] = spec.seat
        self._open_device, self._use_monotonic, self._clock = open_device, use_monotonic, clock
        self._devices: dict[str, InputDevice] = {}
        self._exact: dict[str, bool] = {}
        seats = [seat for keys in self._seats.values() for seat in keys.values()]
        self._reporter = Reporter(seats, self._levels, held_after_s=held_after_s, clock=clock)
        self._wake, self._waker = os.pipe()
        self._thread: threading.Thread | None = None
        self._closed = False
        self._open_missing()

    def start(self, on_press: Callable[[Press], None], on_health: Callable[[ButtonHealth], None] | None = None) -> None:
        """See ``Buttons``."""
        for path, device in self._devices.items():
            self._settle(path, device)
        self._reporter.start(on_press, on_health)
        self._thread = threading.Thread(target=self._run, name="usb-buttons", daemon=True)
        self._thread.start()

    def health(self) -> tuple[ButtonHealth, ...]:
        """See ``Buttons``."""
        return self._reporter.health()

    def close(self) -> None:
        """See ``Buttons``."""
        if self._closed:
            return
        self._closed = True
        os.write(self._waker, b"x")
        if self._thread is not None:
            self._thread.join(5)
        self._reporter.close()
        for device in self._devices.values():
            with contextlib.suppress(OSError):
                device.close()
        self._devices.clear()
        os.close(self._wake)
        os.close(self._waker)

    def _run(self) -> None:
        """Wait for events; from time to time, for devices that are missing."""
        while not self._closed:
            with selectors.DefaultSelector() as selector:
                selector.register(self._wake, selectors.EVENT_READ)
                for path, device in self._devices.items():
                    selector.register(device.fileno(), selectors.EVENT_READ, path)
                complete = len(self._devices) == len(self._seats)
                while not self._closed:
                    ready = selector.select(None if complete else _RETRY_S)
                    there = [self._take(str(key.data)) for key, _events in ready if key.data is not None]
                    if not all(there):
                        break
                    if not complete and not ready and self._open_missing():
                        break

    def _take(self, path: str) -> bool:
        """All events of a device. False when it has gone."""
        device, keys = self._devices[path], self._seats[path]
        try:
            for event in device.read():
                if event.type == _EV_SYN and event.code == _SYN_DROPPED:
                    for seat in keys.values():
                        self._reporter.gap(seat)
                elif event.type == _EV_KEY and event.code in keys and event.value in (0, 1):
                    exact = self._exact[path]
                    t_ns = event.sec * 1_000_000_000 + event.usec * 1000 if exact else self._clock()
                    press = Press(keys[event.code], t_ns, event.value, "kernel" if exact else "software")
                    self._reporter.deliver(press, own_clock=not exact)
        except BlockingIOError:
            pass
        except OSError as error:
            del self._devices[path]
            with contextlib.suppress(OSError):
                device.close()
            self._fault(path, Fault("missing", error.strerror or str(error)))
            return False
        return True

    def _open_missing(self) -> bool:
        """Open what is not open; True when something was."""
        opened = False
        for path in self._seats:
            if path in self._devices:
                continue
            try:
                device = self._open_device(path)
            except PermissionError as error:
                self._fault(path, Fault("failed", error.strerror or str(error)))
                continue
            except OSError as error:
                self._fault(path, Fault("missing", error.strerror or str(error)))
                continue
            try:
                device.grab()
            except OSError as error:
                device.close()
                self._fault(path, Fault("grabbed", error.strerror or str(error), holder(path)))
                continue
            self._exact[path] = self._use_monotonic(device.fileno())
            self._devices[path] = device
            self._settle(path, device)
            opened = True
        return opened

    def _settle(self, path: str, device: InputDevice) -> None:
        """Forget what happened before, and say how the buttons are now."""
        with contextlib.suppress(OSError):  # a BlockingIOError ends it: nothing is left
            while any(True for _event in device.read()):
                pass
        with contextlib.suppress(OSError):
            down = device.active_keys()
            for code, seat in self._seats[path].items():
                self._reporter.opened(seat, int(code in down))

    def _levels(self) -> dict[str, int | None]:
        levels: dict[str, int | None] = {}
        for path, device in tuple(self._devices.items()):
            with contextlib.suppress(OSError):  # it has just gone: the thread that reads will tell
                down = device.active_keys()
                levels |= {seat: int(code in down) for code, seat in self._seats[path].items()}
        return levels

    def _fault(self, path: str, fault: Fault) -> None:
        for seat in self._seats[path].values():
            self._reporter.fault(seat, fault)
