"""The config's buttons as the program runs them: presses reach the journal, health reaches the page."""

from __future__ import annotations

import json
import time
import urllib.request
from pathlib import Path

import pytest

from companion.app import buttons, games
from companion.app.config import Button, Config, Gpio
from companion.app.program import Program
from companion.core.journal import Journal
from hardware import chips
from hardware.buttons import ButtonHealth, ButtonSpec
from hardware.buttons.gpiozero_buttons import GpioButtons
from hardware.buttons.mock import Fingers, mock_factory
from hardware.chips import Chip

SPECS = (ButtonSpec("seat-1", 17), ButtonSpec("seat-2", 27))
CONFIG = Config(buttons=(Button("seat-1", 17, 5), Button("seat-2", 27)))


def test_no_buttons_need_no_gpio():
    assert buttons.opened(Config()) == (None, None)


def test_the_config_says_how_they_are_wired(monkeypatch):
    monkeypatch.setattr(chips, "chips", lambda: (Chip(0, "gpio-brcmstb", 32), Chip(4, "pinctrl-rp1", 54)))
    wiring = buttons.wiring(CONFIG)
    assert wiring.buttons == (ButtonSpec("seat-1", 17, 5), ButtonSpec("seat-2", 27))
    assert (wiring.stamped, wiring.chip) == ("kernel", None)
    told = Gpio(chip="pinctrl-rp1", allow_software_time=True)
    other = buttons.wiring(Config(buttons=CONFIG.buttons, gpio=told))
    assert (other.stamped, other.chip) == ("software", 4)


def test_without_a_chip_play_goes_on_and_it_is_said(monkeypatch):
    monkeypatch.setattr(chips, "chips", lambda: ())
    pressed, why = buttons.opened(CONFIG)
    assert pressed is None
    assert str(why).startswith("No slap buttons: This machine has no GPIO chip.")
    assert why.to("de").startswith("Keine Tasten am Tisch: ")


def test_a_chip_of_another_label_is_said_with_those_there_are(monkeypatch):
    monkeypatch.setattr(chips, "chips", lambda: (Chip(0, "pinctrl-bcm2711", 58),))
    _pressed, why = buttons.opened(Config(buttons=CONFIG.buttons, gpio=Gpio(chip="pinctrl-rp1")))
    assert "There is no GPIO chip pinctrl-rp1. There are: pinctrl-bcm2711." in str(why)


@pytest.mark.parametrize(
    ("health", "says"),
    [
        (ButtonHealth("seat-1", seen=True), None),
        (ButtonHealth("seat-1"), None),
        (ButtonHealth("seat-1", "taken", holder="lg: other"), "Button of seat-1: "),
    ],
)
def test_only_what_is_the_matter_is_told(health, says):
    told = buttons.trouble_of(health)
    assert told is None if says is None else str(told).startswith(says)


def notices(program: Program, wanted: int) -> list[str]:
    for _ in range(200):
        with urllib.request.urlopen(f"{program.local_address}api/state") as answer:
            found = json.load(answer)["notices"]
        if len(found) == wanted:
            return found
        time.sleep(0.05)
    raise AssertionError(found)


def test_presses_are_kept_and_a_button_that_is_held_is_told(tmp_path: Path):
    factory = mock_factory()
    fingers = Fingers(SPECS, factory)
    pressed = GpioButtons(SPECS, factory, stamped="demo", held_after_s=0.2)
    with Program(Config().with_port(0), tmp_path, games.load("hook", None), None, pressed) as program:
        assert notices(program, 0) == []
        fingers.press("seat-2")
        (held,) = notices(program, 1)
        assert held.startswith("Button of seat-2: It has been down for long.")
        fingers.release("seat-2")
        notices(program, 0)
    journal = Journal(tmp_path / "journal.sqlite")
    assert [(press.seat, press.level, press.clock) for press in journal.presses(None)] == [
        ("seat-2", 1, "kernel"),
        ("seat-2", 0, "kernel"),
    ]
    journal.close()
