"""How close two presses can be told apart, measured on gpiozero's mock pins with stamps that are told."""

from itertools import cycle, pairwise

import pytest
from gpiozero.pins.mock import MockFactory, MockPin

from hardware import timing
from hardware.timing import RaceTiming, measure, output_drive

FIRST, SECOND = 23, 24


class WiredPin(MockPin):
    """An output that drives two inputs; ``lags_ns`` is by how much the second is stamped later, pulse by pulse."""

    lags_ns = cycle([0])
    lag_ns = 0
    deaf = False

    def _change_state(self, value):
        changed = super()._change_state(value)
        if changed and self._function == "output":
            for number in (FIRST, SECOND):
                pin = self.factory.pin(number)
                pin.lag_ns = next(WiredPin.lags_ns) if number == SECOND and not value else 0
                pin.drive_high() if value else pin.drive_low()
        elif changed:
            self._last_change = WiredPin.now_ns / 1e9 + self.lag_ns / 1e9
        return changed and not self.deaf

    now_ns = 1_000_000_000


@pytest.fixture
def factory():
    WiredPin.lags_ns = cycle([0])
    factory = MockFactory(pin_class=WiredPin)
    yield factory
    factory.reset()


def test_differences_are_the_stamps_of_the_inputs(factory):
    WiredPin.lags_ns = cycle([2_000, -1_000, 5_000])
    measured = measure(factory, (FIRST, SECOND), output_drive(factory, 25), 6, rest_s=0)
    assert measured.differences_ns == pytest.approx((2_000, -1_000, 5_000) * 2, abs=1)
    assert (measured.lost, measured.uneven, measured.clock) == (0, 0, "software")


def test_an_input_that_stays_silent_loses_the_pulse(factory):
    factory.pin(SECOND).deaf = True
    measured = measure(factory, (FIRST, SECOND), output_drive(factory, 25), 3, rest_s=0, patience_s=0.01)
    assert (measured.differences_ns, measured.lost) == ((), 3)


def test_pulses_that_were_not_at_once_do_not_count(factory):
    through = output_drive(factory, 25)
    at_once = cycle([True, False])
    measured = measure(factory, (FIRST, SECOND), lambda pressed: through(pressed) and next(at_once), 4, rest_s=0)
    assert len(measured.differences_ns) + measured.uneven == 4
    assert measured.uneven


def test_handlers_are_let_go(factory):
    measure(factory, (FIRST, SECOND), output_drive(factory, 25), 1, rest_s=0)
    assert factory.pin(FIRST).when_changed is None


def test_only_lgpio_gives_the_kernels_time(factory):
    LGPIOFactory = type("LGPIOFactory", (), {})
    assert timing.clock_of(factory) == "software"
    assert timing.clock_of(type("Ours", (LGPIOFactory,), {})()) == "kernel"


@pytest.mark.parametrize(
    ("differences_us", "window_us"),
    [
        ([0] * 1000, 250),
        ([260] * 1000, 300),
        ([1] * 998 + [-400] * 2, 400),
        ([1] * 999 + [9_000], 250),  # one in a thousand is outside
        ([1] * 99 + [310], 350),  # of a hundred none is
    ],
)
def test_the_window_holds_all_but_one_in_a_thousand(differences_us, window_us):
    timing = RaceTiming((FIRST, SECOND), "kernel", tuple(us * 1000 for us in differences_us))
    assert timing.window_ns == window_us * 1000


def test_bins_are_round_and_hold_everything():
    timing = RaceTiming((FIRST, SECOND), "kernel", (-130, 0, 40, 70, 5_800))
    bins = timing.histogram(bins=12)
    assert sum(one.count for one in bins) == 5
    assert {one.to_ns - one.from_ns for one in bins} == {500}
    assert bins[0].from_ns <= -130 < bins[0].to_ns
    assert all(left.to_ns == right.from_ns for left, right in pairwise(bins))


def test_nothing_measured_says_nothing():
    timing = RaceTiming((FIRST, SECOND), "kernel", ())
    assert timing.histogram() == ()
    assert timing.window_ns == 250_000
