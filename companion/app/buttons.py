"""The slap buttons of the config, opened; buttons that cannot be used stop nothing and say why."""

from __future__ import annotations

from companion.app.config import Button, Config
from companion.words import Text, _, verbatim
from hardware import chips
from hardware.buttons import ButtonHealth, Buttons, ButtonsConfig, ButtonSpec
from hardware.chips import GpioError


def opened(config: Config) -> tuple[Buttons | None, Text | None]:
    """The buttons, not started yet, or None and why there are none (no sentence: none are configured)."""
    if not config.buttons:
        return None, None
    from hardware.buttons.opening import open_buttons  # noqa: PLC0415  brings gpiozero, which a table without needs not

    try:
        return open_buttons(wiring(config)), None
    except GpioError as error:
        return None, _("No slap buttons: {why} Play goes on with the buttons on the screens.", why=error.sentence)


def wiring(config: Config) -> ButtonsConfig:
    """The config's buttons as the hardware wants them. GpioError where there is no chip of that label."""
    return ButtonsConfig(
        buttons=tuple(_spec(button) for button in config.buttons),
        buzzer_pin=config.gpio.buzzer,
        stamped="software" if config.gpio.allow_software_time else "kernel",
        chip=None if config.gpio.chip is None else _number(config.gpio.chip),
    )


def trouble_of(health: ButtonHealth) -> Text | None:
    """What is the matter with a button, with its seat; None when nothing is."""
    if health.ok:
        return None
    return _("Button of {seat}: {how}", seat=verbatim(health.seat), how=health.sentence)


def _spec(button: Button) -> ButtonSpec:
    return ButtonSpec(button.seat, button.pin, button.light)


def _number(label: str) -> int:
    known = chips.chips()
    for chip in known:
        if chip.label == label:
            return chip.number
    labels = ", ".join(chip.label for chip in known) or "-"
    raise GpioError(_("There is no GPIO chip {label}. There are: {labels}.", label=label, labels=labels))
