"""From a configuration to buttons."""

from __future__ import annotations

import contextlib

from gpiozero import BadPinFactory, Device

from companion.words import _
from hardware import chips
from hardware.buttons.evdev_buttons import EvdevButtons
from hardware.buttons.gpiozero_buttons import GpioButtons
from hardware.buttons.mock import mock_factory
from hardware.buttons.protocol import Buttons, ButtonsConfig, ButtonsError
from hardware.chips import Gpio, GpioError


def open_buttons(config: ButtonsConfig, gpio: Gpio | None = None) -> Buttons:
    """The buttons of a table, not started yet. Without ``gpio`` they open the chip for themselves and close it, too.

    Raises ``ButtonsError`` (or the ``GpioError`` it is one of) with a sentence for people.
    """
    if config.usb:
        return EvdevButtons(config.usb, held_after_s=config.held_after_s)
    if not config.buttons:
        raise ButtonsError(_("There are no buttons in the settings."))
    own = open_gpio(config) if gpio is None else None
    try:
        return GpioButtons(
            config.buttons,
            (own or gpio).factory,  # type: ignore[union-attr]  # one of the two is there
            stamped=config.stamped,
            held_after_s=config.held_after_s,
            on_close=own.close if own else lambda: None,
        )
    except GpioError:
        if own:
            own.close()
        raise


def open_gpio(config: ButtonsConfig) -> Gpio:
    """The pin factory that a configuration asks for, to be shared by buttons and lights. Raises ``GpioError``."""
    if config.stamped in ("mock", "demo"):
        return Gpio(mock_factory())
    chip = None if config.chip is None else chips.labelled(config.chip)
    try:
        return Gpio.open(chip)
    except GpioError:
        if config.stamped == "software":
            with contextlib.suppress(BadPinFactory):  # nor any other: the sentence about lgpio says it best
                Device.ensure_pin_factory()
                return Gpio(Device.pin_factory)
        raise
