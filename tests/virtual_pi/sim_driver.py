"""The virtual Pi's GPIO as hardware and hands for the suite that all kinds of buttons pass."""

from __future__ import annotations

import subprocess
import sys
import time
from typing import Any

from hardware import chips
from hardware.buttons import Buttons, ButtonSpec
from hardware.buttons.gpiozero_buttons import GpioButtons
from hardware.chips import Gpio
from tests.virtual_pi.gpio_sim import GpioSim

WIRING = (ButtonSpec("seat-1", 5), ButtonSpec("seat-2", 17), ButtonSpec("seat-3", 22), ButtonSpec("seat-4", 27))
"""Seats in the order of their lines."""
HOLDER = "fan-control"


class SimDriver:
    """Real lgpio and gpiozero on a chip of gpio-sim; see ``tests.hardware.buttons_suite.Driver``."""

    seats = tuple(spec.seat for spec in WIRING)
    apart_s = 0.025
    late_s = 5.0  # by how much stamps are late is tested by itself, with an eye on when the host held us up
    clock = "kernel"
    loses = False

    def __init__(self) -> None:
        self.sim = GpioSim()
        self.lines = {spec.seat: spec.pin for spec in WIRING}
        self._held = False
        self._opened: list[Buttons] = []
        self._holders: list[subprocess.Popen[str]] = []
        for line in self.lines.values():
            self.sim.release(line)

    def open(self, *, held_after_s: float = 3.0) -> Buttons:
        gpio = Gpio.open()
        if self._held:
            gpio.factory.pin_class = _unpulled(gpio.factory.pin_class)
        try:
            buttons = GpioButtons(WIRING, gpio.factory, held_after_s=held_after_s, on_close=gpio.close)
        except BaseException:
            gpio.close()
            raise
        self._opened.append(buttons)
        return buttons

    def press(self, seat: str, at_ns: int | None = None) -> None:
        del at_ns  # the kernel's time is the only one there is
        self.sim.press(self.lines[seat])

    def release(self, seat: str) -> None:
        self.sim.release(self.lines[seat])

    def hold(self, seat: str) -> None:
        self._held = True
        self.press(seat)

    def busy(self, seat: str) -> str | None:
        number = chips.find(chips.chips()).number
        command = [sys.executable, "-m", "tests.virtual_pi.holder", str(number), str(self.lines[seat]), HOLDER]
        holder = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._holders.append(holder)
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        return HOLDER

    def lose(self, seat: str, level: int) -> None:
        raise NotImplementedError("gpio-sim reports every change")

    def close(self) -> None:
        for buttons in self._opened:
            buttons.close()
        for holder in self._holders:
            holder.communicate(timeout=30)
        for line in self.lines.values():
            self.sim.release(line)
        time.sleep(self.apart_s)


def _unpulled(pin_class: Any) -> Any:
    """Pins that do not ask for the pull-up: to gpio-sim that is the same as a finger that lets go, while a real button
    that is down is stronger than it."""

    class Unpulled(pin_class):  # type: ignore[misc]
        def _get_pull(self) -> str:
            return "up"

        def _set_pull(self, value: str) -> None:
            assert value == "up"

    return Unpulled
