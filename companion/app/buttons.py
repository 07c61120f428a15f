"""The slap buttons, lights and buzzer of the config, opened; what cannot be used stops nothing and says why."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.app.config import Button, Config
from companion.words import Text, _, verbatim
from hardware.buttons import ButtonHealth, Buttons, ButtonsConfig, ButtonSpec, UsbButton
from hardware.chips import GpioError

if TYPE_CHECKING:
    from hardware.lights import LightHealth, Lights


@dataclass(frozen=True, slots=True)
class Panel:
    """What people press, and what lights up for them. ``missing`` says by topic what cannot be used, and why."""

    buttons: Buttons | None = None
    lights: Lights | None = None
    missing: tuple[tuple[str, Text], ...] = ()


@contextmanager
def panel(config: Config) -> Iterator[Panel]:
    """The buttons (not started yet), lights and buzzer of the config, on one GPIO chip; let go of at the end."""
    pins = {button.seat: button.light for button in config.buttons if button.light is not None}
    lit, usb = bool(pins) or config.gpio.buzzer is not None, any(button.device for button in config.buttons)
    if not config.buttons and not lit:
        yield Panel()
        return
    from hardware.buttons.opening import open_buttons, open_gpio  # noqa: PLC0415  gpiozero, which no other table needs
    from hardware.lights import Lights  # noqa: PLC0415

    gpio, buttons, lights, missing = None, None, None, list[tuple[str, Text]]()
    why: Text | None = None
    if lit or not usb:
        try:
            gpio = open_gpio(wiring(config))
        except GpioError as error:
            why = error.sentence
    if config.buttons and (usb or gpio is not None):
        try:
            buttons = open_buttons(wiring(config), None if usb else gpio)
        except GpioError as error:
            missing.append(("buttons", _no_buttons(error.sentence)))
    elif config.buttons and why is not None:
        missing.append(("buttons", _no_buttons(why)))
    if lit and gpio is not None:
        lights = Lights(pins, gpio.factory, buzzer=config.gpio.buzzer)
    elif lit and why is not None:
        missing.append(("lights", _("No lights: {why} Play goes on without them.", why=why)))
    try:
        yield Panel(buttons, lights, tuple(missing))
    finally:
        if lights is not None:
            lights.close()
        if buttons is not None:
            buttons.close()
        if gpio is not None:
            gpio.close()


def _no_buttons(why: Text) -> Text:
    return _("No slap buttons: {why} Play goes on with the buttons on the screens.", why=why)


def wiring(config: Config) -> ButtonsConfig:
    """The config's buttons as the hardware wants them."""
    return ButtonsConfig(
        buttons=tuple(ButtonSpec(b.seat, b.pin, b.light) for b in config.buttons if b.pin is not None),
        usb=tuple(_usb(b) for b in config.buttons if b.device is not None),
        buzzer_pin=config.gpio.buzzer,
        stamped="software" if config.gpio.allow_software_time else "kernel",
        chip=config.gpio.chip,
    )


def dark(health: LightHealth) -> Text | None:
    """What is the matter with a light or the buzzer, with its seat; None when nothing is."""
    if health.ok:
        return None
    return _("Light of {seat}: {how}", seat=verbatim(health.name), how=health.sentence)


def trouble_of(health: ButtonHealth) -> Text | None:
    """What is the matter with a button, with its seat; None when nothing is."""
    if health.ok:
        return None
    return _("Button of {seat}: {how}", seat=verbatim(health.seat), how=health.sentence)


def _usb(button: Button) -> UsbButton:
    assert button.device is not None and button.code is not None
    return UsbButton(button.seat, button.code, button.device)
