"""``companion doctor`` as it is typed."""

import json

import pytest
from click.testing import CliRunner
from gpiozero.pins.mock import MockFactory, MockPin

from companion.app import doctor
from companion.cli import doctor as cli
from companion.words import _
from hardware import chips
from hardware.chips import Gpio, GpioError
from hardware.timing import RaceTiming


class Wired(MockPin):
    """What an output does, pins 23 and 24 feel."""

    def _change_state(self, value):
        changed = super()._change_state(value)
        if changed and self._function == "output":
            for number in (23, 24):
                pin = self.factory.pin(number)
                pin.drive_high() if value else pin.drive_low()
        return changed


@pytest.fixture
def wired(monkeypatch):
    factory = MockFactory(pin_class=Wired)
    monkeypatch.setattr(Gpio, "open", classmethod(lambda cls: cls(factory)))
    return factory


def run(*arguments):
    return CliRunner().invoke(cli.command, [*map(str, arguments)])


def fake(monkeypatch, *found):
    checks = tuple(doctor.Check(f"check-{n}", mood, _("This machine is ready.")) for n, mood in enumerate(found))
    monkeypatch.setattr(doctor, "examine", lambda _data, _skip: checks)


def test_notes_do_not_stop_a_match(monkeypatch, tmp_path):
    fake(monkeypatch, "ok", "note")
    result = run("--data", tmp_path)
    assert (result.exit_code, result.output.splitlines()[-1]) == (0, "This machine is ready.")


def test_problems_do(monkeypatch, tmp_path):
    fake(monkeypatch, "ok", "problem", "problem")
    result = run("--data", tmp_path)
    assert result.exit_code == 1
    assert "PROBLEM" in result.output
    assert "2 problems" in result.output


def test_json_has_every_check(monkeypatch, tmp_path):
    fake(monkeypatch, "ok", "problem")
    result = run("--json", "--data", tmp_path)
    said = json.loads(result.output)
    assert result.exit_code == 1
    assert said["ready"] is False
    assert [check["found"] for check in said["checks"]] == ["ok", "problem"]


@pytest.mark.parametrize("text", ['game = "pook"\n', "[vision]\nframe_age_s = 0.001\n"])
def test_a_config_file_that_run_refuses_is_refused(tmp_path, text):
    config = tmp_path / "companion.toml"
    config.write_text(text, encoding="utf-8")
    result = run("--config", config, "--data", tmp_path)
    assert result.exit_code == 2
    assert f"{config}: " in result.output
    assert "ready" not in result.output


def test_the_race_is_measured_and_a_window_recommended(wired):
    result = run("--race", "--pulses", 5)
    assert result.exit_code == 0, result.output
    assert "#" in result.output
    assert "Of 5 pulses" in result.output
    assert "python3-lgpio" in result.output  # mock pins are stamped by the program
    assert "tie window of at least" in result.output


def test_the_race_as_json(wired):
    result = run("--race", "--json", "--pulses", 5, "--output", 12, "--inputs", 23, 24)
    said = json.loads(result.output)
    assert (said["pulses"], said["lost"], said["clock"]) == (5, 0, "software")
    assert said["window_ns"] >= 250_000
    assert sum(one["count"] for one in said["histogram"]) == 5


def test_inputs_that_are_not_wired_are_a_problem(wired, monkeypatch):
    monkeypatch.setattr(cli.timing, "measure", lambda *_: RaceTiming((23, 24), "kernel", (), lost=5))
    result = run("--race", "--pulses", 5)
    assert result.exit_code == 1
    assert "5 pulses were not reported" in result.output


def test_a_busy_pin_names_its_holder(wired, monkeypatch):
    def measure(*_arguments):
        raise RuntimeError("'GPIO busy'")

    monkeypatch.setattr(cli.timing, "measure", measure)
    monkeypatch.setattr(chips, "chips", lambda: (chips.Chip(0, "pinctrl-bcm2711", 58),))
    monkeypatch.setattr(chips, "holder", lambda _number, pin: "fan" if pin == 24 else None)
    monkeypatch.setattr(chips, "programs", lambda: ())
    result = run("--race")
    assert result.exit_code == 1
    assert "Pin 24 is held by fan" in result.output


def test_without_a_chip_it_says_so(monkeypatch):
    def refuse(_cls):
        raise GpioError(_("This machine has no GPIO chip."))

    monkeypatch.setattr(Gpio, "open", classmethod(refuse))
    result = run("--race")
    assert result.exit_code == 1
    assert "no GPIO chip" in result.output


@pytest.mark.parametrize("pins", [("--output", 23), ("--inputs", 24, 24)])
def test_three_different_pins_are_needed(pins):
    assert run("--race", *pins).exit_code == 2
