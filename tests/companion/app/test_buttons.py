"""The config's buttons and lights in the program: presses to the journal, health to the page, state to the lights."""

from __future__ import annotations

import json
import sys
import urllib.request
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from waiting import reached

from companion.app import buttons, games
from companion.app.config import Button, Config, Gpio
from companion.app.lights import lit
from companion.app.program import Program
from companion.core.journal import Journal
from companion.table import EndMatch, StartMatch
from companion.world import Player
from hardware import chips
from hardware.buttons import ButtonHealth, ButtonSpec, UsbButton
from hardware.buttons.gpiozero_buttons import GpioButtons
from hardware.buttons.mock import Fingers, mock_factory
from hardware.chips import Chip
from hardware.lights import LightHealth

SPECS = (ButtonSpec("seat-1", 17), ButtonSpec("seat-2", 27))
CONFIG = Config(buttons=(Button("seat-1", 17, 5), Button("seat-2", 27)))


def test_no_buttons_need_no_gpio():
    with buttons.panel(Config()) as panel:
        assert panel == buttons.Panel()


def test_the_config_says_how_they_are_wired():
    wiring = buttons.wiring(CONFIG)
    assert wiring.buttons == (ButtonSpec("seat-1", 17, 5), ButtonSpec("seat-2", 27))
    assert (wiring.stamped, wiring.chip) == ("kernel", None)
    told = Gpio(chip="pinctrl-rp1", allow_software_time=True)
    other = buttons.wiring(Config(buttons=CONFIG.buttons, gpio=told))
    assert (other.stamped, other.chip) == ("software", "pinctrl-rp1")


def test_without_a_chip_play_goes_on_and_it_is_said(monkeypatch):
    monkeypatch.setattr(chips, "chips", lambda: ())
    with buttons.panel(CONFIG) as panel:
        assert (panel.buttons, panel.lights) == (None, None)
        why = dict(panel.missing)
    assert str(why["buttons"]).startswith("No slap buttons: This machine has no GPIO chip.")
    assert why["buttons"].to("de").startswith("Keine Tasten am Tisch: ")
    assert str(why["lights"]).startswith("No lights: This machine has no GPIO chip.")
    assert why["lights"].to("de").startswith("Keine Lampen: ")


def test_a_chip_of_another_label_is_said_with_those_there_are(monkeypatch):
    monkeypatch.setattr(chips, "chips", lambda: (Chip(0, "pinctrl-bcm2711", 58),))
    with buttons.panel(Config(buttons=CONFIG.buttons, gpio=Gpio(chip="pinctrl-rp1"))) as panel:
        assert "There is no GPIO chip pinctrl-rp1. There are: pinctrl-bcm2711." in str(dict(panel.missing)["buttons"])


USB = tuple(Button(f"seat-{n}", device="/dev/input/by-id/usb-buttons", code=n, light=n + 20) for n in (2, 3))


def test_usb_buttons_need_no_gpio_but_their_lights_do(monkeypatch):
    monkeypatch.setattr(chips, "chips", lambda: ())
    wiring = buttons.wiring(Config(buttons=USB))
    assert wiring.buttons == ()
    assert wiring.usb[0] == UsbButton("seat-2", 2, "/dev/input/by-id/usb-buttons")

    def unplugged(path: str) -> None:
        raise FileNotFoundError(2, "No such file or directory", path)

    monkeypatch.setitem(sys.modules, "evdev", SimpleNamespace(InputDevice=unplugged))
    with buttons.panel(Config(buttons=USB)) as panel:
        assert [topic for topic, _why in panel.missing] == ["lights"]
        (seat, *_others) = panel.buttons.health()
        assert (seat.seat, seat.trouble) == ("seat-2", "missing")


def test_usb_buttons_do_not_ask_for_a_chip_at_all(monkeypatch):
    """Their lights do."""

    def unplugged(path: str) -> None:
        raise FileNotFoundError(2, "No such file or directory", path)

    monkeypatch.setitem(sys.modules, "evdev", SimpleNamespace(InputDevice=unplugged))
    monkeypatch.setattr(chips, "chips", lambda: (Chip(0, "pinctrl-bcm2711", 58),))
    for button, topics in ((USB[0], ["lights"]), (Button("seat-2", device="/dev/input/event9", code=2), [])):
        with buttons.panel(Config(buttons=(button,), gpio=Gpio(chip="pinctrl-rp1"))) as panel:
            assert [topic for topic, _why in panel.missing] == topics
            assert panel.buttons.health()[0].trouble == "missing"


def test_without_python_evdev_it_is_said(monkeypatch):
    monkeypatch.setitem(sys.modules, "evdev", None)
    with buttons.panel(Config(buttons=(Button("seat-1", device="/dev/input/event9", code=2),))) as panel:
        assert panel.buttons is None
        (missing,) = panel.missing
    assert "USB buttons need python-evdev. Install python3-evdev." in str(missing[1])


def test_the_lights_of_the_config_follow_the_game(monkeypatch, tmp_path: Path):
    """Whose turn it is, from the snapshot to the pin; everything is dark, and let go of, at the end."""
    factory = mock_factory()
    gpio = SimpleNamespace(factory=factory, closed=0)
    gpio.close = lambda: setattr(gpio, "closed", gpio.closed + 1)
    monkeypatch.setattr("hardware.buttons.opening.open_gpio", lambda _wiring: gpio)
    config = Config(game="hooked", buttons=(Button("seat-1", 17, 5), Button("seat-2", 27, 6))).with_port(0)
    wired = Gpio(allow_software_time=True, buzzer=13)
    config = msgspec.structs.replace(config, gpio=wired)
    with buttons.panel(config) as panel:
        assert panel.missing == ()
        deck = games.load("hooked", None)
        with Program(config, tmp_path, deck, None, panel.buttons) as program, lit(program.table, panel.lights):
            players = (Player("seat-1", "Ada"), Player("seat-2", "Bo"))
            start = StartMatch(game="hooked", players=players, options=games.options("hooked", deck))
            assert program.table.ask(start).accepted
            reached(lambda: factory.pin(5).state > 0.1 and abs(factory.pin(6).state - 0.25) < 0.01)
            assert program.table.ask(EndMatch()).accepted
            reached(lambda: factory.pin(5).state == 0 and factory.pin(6).state == 0)
        assert all(health.ok for health in panel.lights.health())
    assert gpio.closed == 1


def test_a_light_that_fails_is_told_with_its_seat():
    assert buttons.dark(LightHealth("seat-1")) is None
    assert str(buttons.dark(LightHealth("buzzer", "pin in use"))).startswith(
        "Light of buzzer: It does not work: pin in"
    )


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
    found: list[str] = []

    def as_many() -> bool:
        with urllib.request.urlopen(f"{program.local_address}api/state") as answer:
            found[:] = json.load(answer)["notices"]
        return len(found) == wanted

    reached(as_many)
    return found


def test_presses_are_kept_and_a_button_that_is_held_is_told(tmp_path: Path):
    factory = mock_factory()
    fingers = Fingers(SPECS, factory)
    pressed = GpioButtons(SPECS, factory, stamped="demo", held_after_s=0.2)
    with Program(Config().with_port(0), tmp_path, games.load("hook", None), None, pressed) as program:
        assert notices(program, 0) == []
        reached(lambda: [line.seen for line in program.table.snapshot().buttons] == [False, False])
        fingers.press("seat-2")
        reached(lambda: [line.seen for line in program.table.snapshot().buttons] == [False, True])
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
