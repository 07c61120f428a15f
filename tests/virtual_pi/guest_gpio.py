"""Tests that run inside the virtual Pi: real lgpio and gpiozero on a real GPIO device, its lines pulled by gpio-sim."""

from __future__ import annotations

import json
import random
import statistics
import sys
import threading
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import NamedTuple

import pytest
from click.testing import CliRunner

from companion.cli import doctor
from companion.core.race import Windows, judge, onsets
from companion.world import Press
from hardware import chips
from hardware.buttons import ButtonSpec
from hardware.buttons.gpiozero_buttons import GpioButtons
from hardware.chips import Gpio
from tests.hardware.buttons_suite import SUITE
from tests.virtual_pi.gpio_sim import TICK_NS, GpioSim, last_tick_ns
from tests.virtual_pi.sim_driver import SimDriver

RACES, DEAD_HEATS, PULSES = 50, 25, 200
APART_NS = 2 * TICK_NS
PAUSE_NS = 500_000
"""A thread that spins and does not get on for so long was stopped."""
STALL_NS, TRIES = 3 * TICK_NS, 5
HOGGED, HOG = 26, "activity-led"  # see init.sh


@pytest.fixture
def driver() -> Iterator[SimDriver]:
    made = SimDriver()
    yield made
    made.close()


class Stalls:
    """Notices when this machine does not get on: a thread sleeps for a tick again and again, and measures that."""

    def __init__(self) -> None:
        self.longest_ns = 0
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._measure)

    def __enter__(self) -> Stalls:
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._ended.set()
        self._thread.join()

    def _measure(self) -> None:
        before, ended = time.monotonic_ns(), False
        while not ended:
            ended = self._ended.wait(TICK_NS / 1e9)
            now = time.monotonic_ns()
            self.longest_ns, before = max(self.longest_ns, now - before), now


class Watched(NamedTuple):
    """What happened until an edge came."""

    gaps_ns: list[tuple[int, int]]
    """When the watching thread did not get on, from and to: stopped by the host, or by the library's threads."""
    ticks_ns: list[int]
    """The kernel's ticks, beginning with the last one before."""

    def undisturbed(self, until_ns: int) -> bool:
        """Whether thread and tick ran on time up to a moment."""
        last, *ticks = self.ticks_ns
        stops = [min(end, until_ns) - start for start, end in self.gaps_ns]
        stops += [tick - last - TICK_NS for tick in ticks if tick <= until_ns]
        return max(stops, default=0) <= PAUSE_NS


class Edges:
    """The edges of some buttons as they come."""

    def __init__(self, driver: SimDriver) -> None:
        self._edges: list[Press] = []
        self._came = threading.Condition()
        self._buttons = driver.open()
        self._buttons.start(self._hear)

    def _hear(self, press: Press) -> None:
        with self._came:
            self._edges.append(press)
            self._came.notify_all()

    def take(self, count: int) -> list[Press]:
        """Wait for so many edges, and forget them."""
        with self._came:
            assert self._came.wait_for(lambda: len(self._edges) >= count, 30), f"{self._edges}: not {count} edges"
            taken, self._edges = self._edges, []
        assert len(taken) == count, taken
        return taken

    def watch(self, since_ns: int) -> Watched:
        """Spin until there is an edge."""
        gaps, before, ticks, waiting = [], since_ns, [last_tick_ns()], True
        while waiting and before - since_ns < 10_000_000_000:
            waiting = not self._edges
            tick, now = last_tick_ns(), time.monotonic_ns()
            ticks += [tick] if tick > ticks[-1] else []
            gaps += [(before, now)] if now - before > PAUSE_NS else []
            before = now
        return Watched(gaps, ticks)


def sleep_until(t_ns: int) -> None:
    while (left := t_ns - time.monotonic_ns()) > 0:
        time.sleep(left / 1e9)


def test_the_chip_is_found_by_its_label():
    chip = chips.find(chips.chips())
    assert (chip.label, chip.lines) == ("pinctrl-bcm2711", 54)


@pytest.mark.parametrize("check", SUITE, ids=lambda check: check.__name__)
def test_buttons(check: Callable[[SimDriver], None], record_property):
    """What fails counts, unless the host stopped this machine meanwhile: then it is tried again, and that is told."""
    for left in reversed(range(TRIES)):
        driver = SimDriver()
        try:
            with Stalls() as stalls:
                check(driver)
            return
        except AssertionError:
            if not left or stalls.longest_ns < STALL_NS:
                raise
            record_property(f"again, {left} left; this machine was stopped for ms", stalls.longest_ns // 1_000_000)
        finally:
            driver.close()


def test_presses_in_known_order_are_judged_in_that_order(driver, record_property):
    dice, edges, late, undisturbed = random.Random(7), Edges(driver), [], []
    sys.setswitchinterval(0.0005)  # the spinning thread is not to keep the library's from running
    for _race in range(RACES):
        order = dice.sample(driver.seats, len(driver.seats))
        opened_ns, pressed = time.monotonic_ns(), []
        for seat in order:
            before, after = driver.sim.press(driver.lines[seat])
            watched = edges.watch(after)
            (edge,) = edges.take(1)
            arrived = time.monotonic_ns()
            assert (edge.seat, edge.level, edge.clock) == (seat, 1, "kernel")
            assert before <= edge.t_ns <= arrived, "the stamp is not on the base of time.monotonic"
            ticked = [tick for tick in watched.ticks_ns[1:] if tick <= edge.t_ns]
            assert len(ticked) <= 1, "the edge was not stamped at the next tick"
            late.append(edge.t_ns - before)
            if watched.undisturbed(edge.t_ns):
                assert edge.t_ns - after <= TICK_NS + PAUSE_NS
                undisturbed.append(max(edge.t_ns - after, 0))
            pressed.append(edge)
            sleep_until(after + APART_NS + dice.randrange(TICK_NS))
        for seat in order:
            driver.release(seat)
        released = edges.take(len(order))
        verdict = judge(onsets([*pressed, *released]), opened_ns=opened_ns)
        assert [seat for seat, _t_ns in verdict.times_ns] == order
        assert (verdict.winner, verdict.dead_heat, verdict.unsure, verdict.clock) == (order[0], (), (), "kernel")
        sleep_until(time.monotonic_ns() + 2 * Windows().rearm_ns)
    record_property("presses", len(late))
    record_property("stamp after the beginning of the injection, ms (least, median, 99 %, most)", _spread_of(late, 1e6))
    record_property("presses during which the host kept neither this machine nor its tick waiting", len(undisturbed))
    if undisturbed:
        record_property("stamp after the end of those, ms (least, median, 99 %, most)", _spread_of(undisturbed, 1e6))


def test_presses_of_one_tick_are_dead_heats(driver, record_property):
    edges, spread, ties, tries = Edges(driver), [], 0, 0
    while len(spread) < DEAD_HEATS:
        tries += 1
        assert tries < 20 * DEAD_HEATS, "no two presses came within one tick"
        opened_ns = time.monotonic_ns()
        in_one_tick = driver.sim.together(driver.lines.values())
        pressed = edges.take(len(driver.seats))
        sleep_until(time.monotonic_ns() + APART_NS)
        for line in driver.lines.values():
            driver.sim.release(line)
        released = edges.take(len(driver.seats))
        sleep_until(time.monotonic_ns() + 2 * Windows().rearm_ns)
        if not in_one_tick:
            continue
        stamps = [edge.t_ns for edge in sorted(pressed, key=lambda edge: driver.lines[edge.seat])]
        assert all(one < other for one, other in pairwise(stamps)), "edges of one tick come in the order of the lines"
        spread.append(stamps[-1] - stamps[0])
        verdict = judge(onsets([*pressed, *released]), opened_ns=opened_ns)
        within = [one for one in stamps if one - stamps[0] <= Windows().tie_ns]
        assert len(verdict.dead_heat) == (len(within) if len(within) > 1 else 0)
        ties += set(verdict.dead_heat) == set(driver.seats)
    record_property("dead heats", f"{ties} of {len(spread)} in {tries} tries")
    record_property("first to last stamp of four, µs (least, median, 99 %, most)", _spread_of(spread, 1e3))
    # Between two stamps of one interrupt a busy host may stop this machine: seldom, but nothing can prevent it.
    assert ties > len(spread) / 2


def test_opening_a_button_pulls_its_line_up(driver):
    driver.sim.press(17)
    buttons = driver.open()
    assert driver.sim.level(17) == 1
    buttons.close()


def test_a_line_that_the_kernel_holds_names_its_holder():
    with Gpio.open() as gpio:
        buttons = GpioButtons([ButtonSpec("seat-1", HOGGED), ButtonSpec("seat-2", 17)], gpio.factory)
        first, second = buttons.health()
        buttons.close()
    assert (first.trouble, second.trouble) == ("taken", None)
    assert HOG in str(first.sentence)


def test_the_doctor_finds_gpio_fit(tmp_path):
    result = CliRunner().invoke(doctor.command, ["--json", "--data", str(tmp_path)])
    found = {check["check"]: check for check in json.loads(result.output)["checks"]}
    assert {name: found[name]["found"] for name in ("gpio", "lgpio", "clock")} == dict.fromkeys(
        ("gpio", "lgpio", "clock"), "ok"
    ), found
    assert "pinctrl-bcm2711" in found["gpio"]["sentence"]


def test_the_doctor_measures_the_tie_window(monkeypatch, record_property):
    sim, inputs, output_drive = GpioSim(), (23, 24), doctor.timing.output_drive

    def wired(factory, output):
        """The real output; gpio-sim has no wires, so what it does is carried to the inputs."""
        switch = output_drive(factory, output)

        def drive(pressed: bool) -> bool:
            return switch(pressed) and sim.together(inputs, high=sim.level(output) == 1)

        return drive

    monkeypatch.setattr(doctor.timing, "output_drive", wired)
    told = CliRunner().invoke(doctor.command, ["--race", "--pulses", str(PULSES), "--json"])
    assert told.exit_code == 0, told.output
    measured = json.loads(told.output)
    record_property(
        "difference of two inputs, µs (median, 99.9 %)", [measured[k] / 1e3 for k in ("median_ns", "p999_ns")]
    )
    record_property("recommended window, ms", measured["window_ns"] / 1e6)
    assert measured["clock"] == "kernel"
    assert measured["lost"] == 0
    assert measured["pulses"] >= PULSES // 2
    assert 0 < measured["median_ns"] < 250_000 <= measured["window_ns"]


def test_the_doctor_names_who_holds_a_pin():
    told = CliRunner().invoke(doctor.command, ["--race", "--inputs", "23", str(HOGGED)])
    assert told.exit_code == 1
    assert HOG in told.output


def _spread_of(values: list[int], unit: float) -> list[float]:
    ranked = sorted(values)
    chosen = (ranked[0], statistics.median(ranked), ranked[-1 - len(ranked) // 100], ranked[-1])
    return [round(value / unit, 3) for value in chosen]
