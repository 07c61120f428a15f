"""What every kind of buttons must do, whatever carries them: checks that take a driver and assert.

A driver stands for hardware and hands. ``test_buttons.py`` runs all of this over gpiozero's mock pins, and over
whatever ``COMPANION_BUTTONS_DRIVER`` names ("module:callable", called without arguments): the virtual Pi names its real
character device there. Without pytest: ``run(make_driver)`` gives one line a check.
"""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Iterator
from typing import Any, Protocol

from companion.world import Press
from hardware.buttons import ButtonHealth, Buttons


class Driver(Protocol):
    """Hardware and hands. ``close`` ends everything, also buttons still open.

    ``seats``: at least three, in the order of their lines. ``apart_s``: presses this far apart come with stamps in
    order. ``late_s``: a stamp is at most this much later than ``press`` was called. ``clock``: what presses must say.
    ``loses``: whether ``lose`` can be played.
    """

    seats: tuple[str, ...]
    apart_s: float
    late_s: float
    clock: str
    loses: bool

    def open(self, *, held_after_s: float = 3.0) -> Buttons:
        """New buttons on all seats, not started yet."""

    def press(self, seat: str, at_ns: int | None = None) -> None:
        """Push a button down (at a given time where the hardware can; else now)."""

    def release(self, seat: str) -> None:
        """Let a button go."""

    def hold(self, seat: str) -> None:
        """Have a button down, also before ``open``."""

    def busy(self, seat: str) -> str | None:
        """Let somebody else take the line, before ``open``. What the holder's name must contain, if that is known."""

    def lose(self, seat: str, level: int) -> None:
        """Change the line's level without a report."""

    def close(self) -> None:
        """Let go of everything."""


class Heard:
    """Buttons that have been started, and all that they said."""

    def __init__(self, driver: Driver, **options: Any) -> None:
        self.presses: list[Press] = []
        self.told: list[ButtonHealth] = []
        self.fails = False
        self.buttons = driver.open(**options)
        self.buttons.start(self.hear, self.told.append)

    def hear(self, press: Press) -> None:
        self.presses.append(press)
        if self.fails:
            raise ValueError("this handler fails")

    def of(self, seat: str) -> ButtonHealth:
        return next(health for health in self.buttons.health() if health.seat == seat)

    def downs(self) -> list[str]:
        return [press.seat for press in self.presses if press.level == 1]

    def __enter__(self) -> Heard:
        return self

    def __exit__(self, *_error: object) -> None:
        self.buttons.close()


def wait(until: Callable[[], bool], seconds: float = 5.0) -> bool:
    """Whether something became true, asked as often as fits in ``seconds``, however long each asking takes."""
    for _ in range(round(seconds / 0.005)):
        if until():
            return True
        time.sleep(0.005)
    return until()


def presses_come_in_order_with_their_seats(driver: Driver) -> None:
    with Heard(driver) as heard:
        order = (driver.seats[1], driver.seats[0], driver.seats[2])
        for seat in order:
            driver.press(seat)
            time.sleep(driver.apart_s)
        for seat in order:
            driver.release(seat)
            time.sleep(driver.apart_s)
        assert wait(lambda: len(heard.presses) >= 6), heard.presses
        assert tuple(heard.downs()) == order
        assert [press.level for press in heard.presses] == [1, 1, 1, 0, 0, 0]
        stamps = [press.t_ns for press in heard.presses]
        assert stamps == sorted(stamps) and len(set(stamps)) == 6


def stamps_are_on_the_base_of_monotonic_time(driver: Driver) -> None:
    with Heard(driver) as heard:
        for seat in driver.seats:
            before = time.monotonic_ns()
            driver.press(seat)
            assert wait(lambda seat=seat: seat in heard.downs())
            after = time.monotonic_ns()
            press = next(press for press in heard.presses if press.seat == seat)
            assert before - 1000 <= press.t_ns <= after + 1000, (before, press, after)
            assert press.t_ns <= before + int(driver.late_s * 1e9)
            assert press.clock == driver.clock
            driver.release(seat)


def a_raising_handler_silences_nobody(driver: Driver) -> None:
    first, second = driver.seats[:2]
    with Heard(driver) as heard:
        heard.fails = True
        driver.press(first)
        assert wait(lambda: first in heard.downs())
        time.sleep(driver.apart_s)
        driver.release(first)
        time.sleep(driver.apart_s)
        driver.press(second)
        assert wait(lambda: second in heard.downs())
        assert wait(lambda: heard.of(first).handler_errors >= 1)
        assert heard.of(first).trouble == "handler" and str(heard.of(first).sentence), heard.of(first)
        heard.fails = False
        time.sleep(driver.apart_s)
        driver.press(first)
        assert wait(lambda: heard.downs().count(first) == 2)
        driver.release(first)
        driver.release(second)


def a_button_that_was_never_pressed_says_so(driver: Driver) -> None:
    first, second = driver.seats[:2]
    with Heard(driver) as heard:
        driver.press(first)
        assert wait(lambda: heard.of(first).down)
        driver.release(first)
        assert wait(lambda: heard.of(first).seen and not heard.of(first).down)
        assert heard.of(first).ok and not heard.of(second).seen and heard.of(second).ok, heard.buttons.health()
        assert str(heard.of(first).sentence) != str(heard.of(second).sentence)


def a_button_down_from_the_start_is_held_and_no_press(driver: Driver) -> None:
    seat = driver.seats[1]
    driver.hold(seat)
    with Heard(driver) as heard:
        assert heard.of(seat).trouble == "held"
        assert wait(lambda: any(health.seat == seat and health.trouble == "held" for health in heard.told))
        time.sleep(driver.apart_s)
        assert heard.downs() == []
        driver.release(seat)
        assert wait(lambda: heard.of(seat).ok)
        time.sleep(driver.apart_s)
        driver.press(seat)
        assert wait(lambda: heard.downs() == [seat])
        driver.release(seat)


def a_button_down_for_long_is_held(driver: Driver) -> None:
    seat = driver.seats[0]
    with Heard(driver, held_after_s=0.3) as heard:
        driver.press(seat)
        assert wait(lambda: heard.of(seat).trouble == "held")
        assert heard.of(seat).since_ns == next(press.t_ns for press in heard.presses)
        driver.release(seat)
        assert wait(lambda: heard.of(seat).ok)


def a_line_of_somebody_else_is_told_and_the_others_work(driver: Driver) -> None:
    taken, other = driver.seats[:2]
    name = driver.busy(taken)
    with Heard(driver) as heard:
        health = heard.of(taken)
        assert health.trouble == "taken"
        if name is not None:
            assert name in str(health.holder), health
        assert heard.of(other).ok
        driver.press(other)
        assert wait(lambda: heard.downs() == [other])
        driver.release(other)


def closing_releases_the_lines_and_the_handlers(driver: Driver) -> None:
    seat = driver.seats[0]
    with Heard(driver) as old:
        pass
    old.buttons.close()
    with Heard(driver) as new:
        driver.press(seat)
        assert wait(lambda: new.downs() == [seat])
        driver.release(seat)
        assert wait(lambda: len(new.presses) == 2)
    assert old.presses == []


def a_button_found_down_without_a_report_is_a_doubt_and_no_press(driver: Driver) -> None:
    if not driver.loses:
        return
    lost, other = driver.seats[:2]
    with Heard(driver) as heard:
        driver.lose(lost, 1)
        driver.press(other)
        assert wait(lambda: heard.of(lost).trouble == "unseen")
        assert heard.downs() == [other]
        assert heard.of(lost).unseen == 1 and heard.of(lost).lost >= 1
        driver.release(lost)
        driver.release(other)
        time.sleep(driver.apart_s)
        driver.press(lost)
        assert wait(lambda: heard.of(lost).trouble != "unseen")
        driver.release(lost)


def a_button_found_up_without_a_report_is_told_as_a_level(driver: Driver) -> None:
    if not driver.loses:
        return
    seat = driver.seats[0]
    with Heard(driver) as heard:
        driver.press(seat)
        assert wait(lambda: heard.downs() == [seat])
        driver.lose(seat, 0)
        assert wait(lambda: len(heard.presses) == 2)
        level = heard.presses[1]
        assert (level.seat, level.level, level.clock) == (seat, 0, "software"), level
        assert heard.of(seat).lost >= 1 and not heard.of(seat).down


SUITE: tuple[Callable[[Driver], None], ...] = (
    presses_come_in_order_with_their_seats,
    stamps_are_on_the_base_of_monotonic_time,
    a_raising_handler_silences_nobody,
    a_button_that_was_never_pressed_says_so,
    a_button_down_from_the_start_is_held_and_no_press,
    a_button_down_for_long_is_held,
    a_line_of_somebody_else_is_told_and_the_others_work,
    closing_releases_the_lines_and_the_handlers,
    a_button_found_down_without_a_report_is_a_doubt_and_no_press,
    a_button_found_up_without_a_report_is_told_as_a_level,
)


def run(make_driver: Callable[[], Driver]) -> Iterator[tuple[str, str | None]]:
    """Every check on a driver of its own, without pytest: (name, None or what went wrong)."""
    for check in SUITE:
        driver = make_driver()
        try:
            check(driver)
        except Exception:
            yield check.__name__, traceback.format_exc()
        else:
            yield check.__name__, None
        finally:
            driver.close()
