"""Patterns as data, and one thread that plays them on mock pins."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from gpiozero import LED

from hardware.buttons.mock import mock_factory
from hardware.lights import PATTERNS, TUNES, Lights, Pattern
from tests.hardware.buttons_suite import wait

PINS = {"a": 23, "b": 24}


@pytest.fixture
def factory() -> Iterator[Any]:
    made = mock_factory()
    yield made
    made.close()


class Played:
    """Lights on a clock of our own."""

    def __init__(self, factory: Any, **options: Any) -> None:
        self.now = 100.0
        self.factory = factory
        self.lights = Lights(PINS, factory, buzzer=13, clock=lambda: self.now, thread=False, **options)

    def all(self, name: str) -> None:
        """The same on both."""
        for seat in PINS:
            self.lights.play(seat, name)

    def at(self, now: float) -> tuple[float, float, float | None]:
        """The two lights' brightness, and the tone, at a time."""
        self.now = now
        self.lights.step()
        a, b, buzzer = (self.factory.pin(pin) for pin in (23, 24, 13))
        return float(a.state), float(b.state), buzzer.frequency


def test_a_pattern_is_a_function_of_time() -> None:
    wink = Pattern(((0.5, 1.0), (0.25, 0.5)), repeat=2, rest=0.1)
    assert wink.seconds == 1.5
    assert wink.at(0) == (1.0, 0.5)
    assert wink.at(0.5) == (0.5, 0.25)
    assert wink.at(1.0) == (1.0, 0.25)
    assert wink.at(1.5) == (0.1, None)
    assert Pattern(()).at(0) == (0.0, None)
    assert Pattern(wink.steps, repeat=0).at(750.6)[0] == 0.5


@pytest.mark.parametrize("name", sorted(PATTERNS))
def test_patterns_are_brightness_and_safe_to_look_at(name: str) -> None:
    pattern = PATTERNS[name]
    assert all(0 <= level <= 1 for _seconds, level in pattern.steps) and 0 <= pattern.rest <= 1
    once = math.fsum(seconds for seconds, _level in pattern.steps)
    levels = [level for _seconds, level in pattern.steps]
    flashes = sum(a < 0.3 <= b for a, b in zip([0.0, *levels], levels, strict=False))
    assert not once or flashes / once <= 6.3, "no strobe"


@pytest.mark.parametrize("name", sorted(TUNES))
def test_tunes_end_and_can_be_played(name: str) -> None:
    assert TUNES[name].seconds < 2 and TUNES[name].rest == 0
    assert all(hertz == 0 or 220 <= hertz <= 3520 for _seconds, hertz in TUNES[name].steps)


def test_lights_play_and_go_on_with_what_follows(factory: Any) -> None:
    played = Played(factory)
    assert played.at(100.0) == (0.0, 0.0, None)
    played.lights.play("a", "start", then="armed")
    played.lights.sound("start")
    assert played.at(100.1) == (1.0, 0.0, 523.3)
    assert played.at(100.8) == (0.25, 0.0, None)
    played.all("on")
    assert played.at(101)[:2] == (1.0, 1.0)
    played.lights.play("nobody", "on")
    assert all(health.ok for health in played.lights.health())
    played.lights.close()
    played.lights.close()


def test_step_says_when_to_call_again(factory: Any) -> None:
    played = Played(factory)
    assert played.lights.step() is None
    played.lights.play("a", "tied")
    assert played.lights.step() == pytest.approx(0.25)
    played.lights.close()


def test_without_dimming_half_is_on(factory: Any) -> None:
    played = Played(factory, dim=False)
    played.lights.play("a", "armed")
    played.lights.play("b", "trouble")
    assert played.at(100.01)[:2] == (0.0, 1.0)
    played.lights.close()


def test_a_pin_that_is_taken_is_silence_and_a_sentence(factory: Any) -> None:
    other = LED(23, pin_factory=factory)
    played = Played(factory)
    played.all("on")
    assert played.at(100.1)[1] == 1.0
    health = {health.name: health for health in played.lights.health()}
    assert not health["a"].ok and health["b"].ok and health["buzzer"].ok
    assert "GPIO23" in str(health["a"].sentence)
    other.close()
    played.lights.play("a", "on")  # tried again with the next pattern
    assert played.at(100.2)[0] == 1.0
    assert all(health.ok for health in played.lights.health())
    played.lights.close()


def test_a_light_that_fails_while_it_plays(factory: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    played = Played(factory)
    played.all("turn")
    played.at(100.0)
    pin = factory.pin(23)

    def broken(self: Any, value: float) -> None:
        if self is pin:
            raise OSError("unknown handle")
        self._change_state(float(value))

    monkeypatch.setattr(type(pin), "_set_state", broken)
    assert played.at(100.5)[1] > 0.15
    assert not played.lights.health()[0].ok
    played.lights.close()


def test_unknown_names_are_mistakes_of_the_caller(factory: Any) -> None:
    lights = Lights(PINS, factory, thread=False)
    with pytest.raises(ValueError, match="no pattern 'disco'"):
        lights.play("a", "disco")
    with pytest.raises(ValueError, match="lasts some time"):
        Pattern(((0.0, 1.0),))
    lights.sound("won")  # no buzzer: nothing
    lights.close()


def test_the_thread_plays_and_ends(factory: Any) -> None:
    before = threading.active_count()
    lights = Lights(PINS, factory, patterns={"blip": Pattern(((0.02, 1.0),), rest=0.5)})
    assert threading.active_count() == before + 1
    lights.play("a", "blip")
    assert wait(lambda: factory.pin(23).state == 0.5)
    assert [state.state for state in factory.pin(23).states][-2:] == [1.0, 0.5]
    lights.close()
    assert threading.active_count() == before
    assert factory.pin(23).state == 0
