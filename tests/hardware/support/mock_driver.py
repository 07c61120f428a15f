"""The suite's driver for gpiozero's mock pins."""

from __future__ import annotations

from gpiozero import LED

from hardware.buttons.gpiozero_buttons import GpioButtons
from hardware.buttons.mock import Fingers, mock_factory
from hardware.buttons.wiring import WIRING


class MockDriver:
    """Six buttons of the recommended wiring on mock pins that play the kernel."""

    seats = tuple(spec.seat for spec in WIRING)
    apart_s = 0.025
    late_s = 5.0
    clock = "kernel"
    loses = True

    def __init__(self) -> None:
        self.factory = mock_factory()
        self.fingers = Fingers(WIRING, self.factory)
        self._others: list[LED] = []

    def open(self, *, held_after_s: float = 3.0) -> GpioButtons:
        held = [seat for seat in self.seats if self.fingers.pin(seat).pull == "up" and not self.fingers.pin(seat).state]
        buttons = GpioButtons(WIRING, self.factory, stamped="demo", held_after_s=held_after_s)
        for seat in held:  # gpiozero's mock lets the pull win
            self.fingers.pin(seat).set_silently(0)
        return buttons

    def press(self, seat: str, at_ns: int | None = None) -> None:
        self.fingers.press(seat, at_ns)

    def release(self, seat: str) -> None:
        self.fingers.release(seat)

    def hold(self, seat: str) -> None:
        self.fingers.pin(seat).pull = "up"
        self.fingers.press(seat)

    def busy(self, seat: str) -> str:
        pin = next(spec.pin for spec in WIRING if spec.seat == seat)
        self._others.append(LED(pin, pin_factory=self.factory))
        return "this program itself"

    def lose(self, seat: str, level: int) -> None:
        self.fingers.pin(seat).set_silently(1 - level)

    def close(self) -> None:
        for other in self._others:
            other.close()
        self.factory.close()
