"""What every kind of slap button offers, and how buttons are configured (plain data)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, Protocol

import msgspec

from companion.world import Press
from hardware.buttons.health import ButtonHealth
from hardware.chips import GpioError

Stamped = Literal["kernel", "software", "mock", "demo"]
"""Whose time counts.

kernel: nothing but the kernel's, so only lgpio will do. software: any of gpiozero's pin factories; what the kernel did
not stamp says so. mock: gpiozero's mock pins, which say "software". demo: mock pins that play the kernel.
"""


class ButtonSpec(msgspec.Struct, frozen=True):
    """A button between a BCM pin and ground. ``light_pin`` switches the light in it."""

    seat: str
    pin: int
    light_pin: int | None = None


class UsbButton(msgspec.Struct, frozen=True):
    """A button that is a key of an input device. ``code``: the key's number; ``device``: a path, /dev/input/by-id/…"""

    seat: str
    code: int
    device: str


class ButtonsConfig(msgspec.Struct, frozen=True):
    """The buttons of a table: on GPIO or on USB, never both, and no two on one seat, pin or key; whoever makes this has
    checked it. ``chip`` is the label of the GPIO chip; None finds the header's."""

    buttons: tuple[ButtonSpec, ...] = ()
    usb: tuple[UsbButton, ...] = ()
    buzzer_pin: int | None = None
    stamped: Stamped = "kernel"
    chip: str | None = None
    held_after_s: float = 3.0

    @property
    def light_pins(self) -> dict[str, int]:
        """The pins of the lights, by seat."""
        return {spec.seat: spec.light_pin for spec in self.buttons if spec.light_pin is not None}


class ButtonsError(GpioError):
    """Buttons that cannot be used; ``sentence`` says what is wrong and what people can do."""


class Buttons(Protocol):
    """Raw edges as they come, and how each button is. One owner starts and closes; anyone may ask for ``health``."""

    def start(self, on_press: Callable[[Press], None], on_health: Callable[[ButtonHealth], None] | None = None) -> None:
        """From now on, every edge goes to ``on_press``, on threads of the buttons': stamp, enqueue, return. So does
        the level of a button that was found up though no report said so, stamped by software.

        What ``on_press`` raises is counted, and told in the health. ``on_health`` hears of each seat whose health
        changed, on another thread, so that it may take its time.
        """

    def health(self) -> tuple[ButtonHealth, ...]:
        """How each button is, in the order of the configuration."""

    def close(self) -> None:
        """Let go of the lines. May be called twice."""
