"""What only buttons on GPIO lines can get wrong: whose time, which pins, strange stamps."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from gpiozero import BadPinFactory, Device

from companion.words import _
from companion.world import Press
from hardware.buttons import ButtonHealth, ButtonsConfig, ButtonsError, ButtonSpec
from hardware.buttons.gpiozero_buttons import GpioButtons, source_of
from hardware.buttons.mock import Fingers, StampedPin, mock_factory
from hardware.buttons.opening import open_buttons, open_gpio
from hardware.buttons.wiring import BUZZER_PIN, WIRING
from hardware.chips import Chip, Gpio, GpioError
from tests.hardware.buttons_suite import wait

TWO = (ButtonSpec("a", 17, light_pin=23), ButtonSpec("b", 27))


class Lines(list[Press]):
    """Two buttons whose presses are gathered."""

    def __init__(self, factory: Any, stamped: Any) -> None:
        self.buttons = GpioButtons(TWO, factory, stamped=stamped)
        self.buttons.start(self.append)


@pytest.fixture
def factory() -> Iterator[Any]:
    made = mock_factory()
    yield made
    made.close()


@pytest.mark.parametrize(("stamped", "clock"), [("demo", "kernel"), ("mock", "software"), ("software", "software")])
def test_mock_pins_say_whose_time_it_is(factory: Any, stamped: str, clock: str) -> None:
    lines = Lines(factory, stamped)
    Fingers(TWO, factory).slap("a", at_ns=123_456_789_012)
    lines.buttons.close()
    assert [(press.t_ns, press.level, press.clock) for press in lines] == [
        (123_456_789_012, 1, clock),
        (123_536_789_012, 0, clock),
    ]


def test_bounces_are_all_handed_on(factory: Any) -> None:
    lines = Lines(factory, "demo")
    Fingers(TWO, factory).slap("a", at_ns=1_000_000_000, bounces=3)
    lines.buttons.close()
    assert [press.level for press in lines] == [1, 0] * 4
    assert lines[0].t_ns == 1_000_000_000


def test_chatter_is_all_handed_on_and_told_once(factory: Any) -> None:
    edges: list[Press] = []
    told: list[ButtonHealth] = []
    buttons = GpioButtons(TWO, factory, stamped="demo")
    buttons.start(edges.append, told.append)
    for at in range(2_000):
        Fingers(TWO, factory).pin("a").drive(at % 2, at_ns=1_000_000_000 + at * 1_000_000)
    assert wait(lambda: buttons.health()[0].trouble == "chatters")
    buttons.close()
    assert len(edges) == 2_000 and buttons.health()[1].ok
    assert [health.trouble for health in told].count("chatters") == 1


def test_pins_without_kernel_time_are_refused_with_a_sentence(factory: Any) -> None:
    with pytest.raises(ButtonsError, match=r"gives no kernel time.*python3-lgpio"):
        GpioButtons(TWO, factory)
    with pytest.raises(ButtonsError, match="mock pins"):
        source_of(object(), "demo")
    assert source_of(object(), "software") == "software"


def lgpio_like() -> tuple[Any, Any]:
    """Pins that pass for lgpio's, and a hand on them."""
    made: Any = mock_factory()
    made.__class__ = type("LGPIOFactory", (type(made),), {})
    return made, Fingers(TWO, made)


def test_a_stamp_of_another_clock_is_replaced_and_told() -> None:
    factory, fingers = lgpio_like()
    presses: list[Press] = []
    buttons = GpioButtons(TWO, factory)
    assert source_of(factory, "kernel") == "kernel"
    buttons.start(presses.append)
    fingers.press("b")
    fingers.press("a", at_ns=time.time_ns())
    fingers.release("b")
    assert [press.clock for press in presses] == ["kernel", "software", "kernel"]
    assert abs(presses[1].t_ns - time.monotonic_ns()) < 5_000_000_000
    assert wait(lambda: buttons.health()[0].trouble == "clock")
    assert buttons.health()[0].clock == "software" and buttons.health()[1].clock == "kernel"
    buttons.close()
    factory.close()


def test_a_pin_that_is_not_there_is_refused(factory: Any) -> None:
    with pytest.raises(ButtonsError, match="no pin GPIO99"):
        GpioButtons((ButtonSpec("a", 99),), factory, stamped="mock")


def test_a_line_that_cannot_be_read_is_told_and_the_other_works(factory: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = Lines(factory, "demo")
    fingers = Fingers(TWO, factory)
    pin = fingers.pin("a")

    def broken(_self: Any) -> bool:
        if _self is pin:
            raise OSError("unknown handle")
        return bool(_self._state)

    monkeypatch.setattr(type(pin), "_get_state", broken)
    fingers.press("b")
    assert wait(lambda: lines.buttons.health()[0].trouble == "failed")
    assert "unknown handle" in str(lines.buttons.health()[0].sentence)
    assert lines.buttons.health()[1].ok
    monkeypatch.undo()
    assert wait(lambda: lines.buttons.health()[0].ok)  # opened anew
    fingers.press("a")
    assert [press.seat for press in lines] == ["b", "a"]
    lines.buttons.close()


def test_a_line_that_gives_no_edges_is_told_and_the_other_works(factory: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(pin: Any) -> None:
        if str(pin) == "GPIO17":
            raise OSError("bad event request")

    monkeypatch.setattr(StampedPin, "_enable_event_detect", refuse)
    lines = Lines(factory, "demo")
    assert lines.buttons.health()[0].trouble == "failed" and lines.buttons.health()[1].ok
    Fingers(TWO, factory).press("b")
    monkeypatch.undo()
    assert wait(lambda: lines.buttons.health()[0].ok)  # opened anew
    Fingers(TWO, factory).press("a")
    assert [press.seat for press in lines] == ["b", "a"]
    lines.buttons.close()


def test_no_thread_is_left(factory: Any) -> None:
    before = threading.active_count()
    lines = Lines(factory, "demo")
    lines.buttons.close()
    lines.buttons.close()
    assert threading.active_count() == before
    Fingers(TWO, factory).press("a")
    assert not lines


def test_what_hears_of_health_may_fail(factory: Any) -> None:
    buttons = GpioButtons(TWO, factory, stamped="demo")
    presses: list[Press] = []

    def fail(_health: Any) -> None:
        raise RuntimeError("nobody listens")

    buttons.start(presses.append, fail)
    fingers = Fingers(TWO, factory)
    fingers.press("a")
    assert wait(lambda: buttons.health()[0].seen)
    fingers.press("b")
    assert wait(lambda: buttons.health()[1].seen)
    buttons.close()
    assert len(presses) == 2


def test_no_buttons_cannot_be_opened() -> None:
    with pytest.raises(ButtonsError, match="no buttons"):
        open_buttons(ButtonsConfig())


def test_opened_by_configuration_alone_or_on_a_shared_chip() -> None:
    config = ButtonsConfig(buttons=WIRING, stamped="demo", buzzer_pin=BUZZER_PIN)
    assert len(config.light_pins) == 6 and config.light_pins["seat-1"] == 23
    alone = open_buttons(config)
    assert len(alone.health()) == 6
    alone.close()
    with open_gpio(config) as gpio:
        shared = open_buttons(config, gpio)
        shared.close()


def test_the_wiring_page_shows_the_wiring() -> None:
    docs = Path(__file__).parents[2] / "docs"
    page, drawing = ((docs / name).read_text(encoding="utf-8") for name in ("wiring.md", "wiring.svg"))
    for spec in WIRING:
        assert f"| `{spec.seat}` | GPIO{spec.pin} |" in page and f"| GPIO{spec.light_pin} |" in page
    assert f"GPIO{BUZZER_PIN}" in page
    assert f"GPIO{WIRING[0].pin}" in drawing and f"GPIO{WIRING[0].light_pin}" in drawing
    pins = [pin for spec in WIRING for pin in (spec.pin, spec.light_pin)] + [BUZZER_PIN]
    assert len(set(pins)) == 13 and not set(pins) & {0, 1, 2, 3, 7, 8, 9, 10, 11, 14, 15}


def test_without_any_pins_the_sentence_is_about_lgpio(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(_chip: Chip | None = None) -> Gpio:
        raise GpioError(_("GPIO chip {number} cannot be opened: {why}.", number="9", why="no"))

    def no_factory() -> None:
        raise BadPinFactory("Unable to load any default pin factory!")

    monkeypatch.setattr(Gpio, "open", nothing)
    monkeypatch.setattr(Device, "ensure_pin_factory", no_factory)
    for stamped in ("kernel", "software"):
        with pytest.raises(GpioError, match="chip 9 cannot be opened"):
            open_buttons(ButtonsConfig(buttons=TWO, stamped=stamped))  # type: ignore[arg-type]
