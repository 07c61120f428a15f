"""Which clock a camera's stamps are of."""

from __future__ import annotations

import pytest

from hardware.sensor_time import SensorClock, base_of, boottime_lead_ns

HOUR = 3_600_000_000_000
NOW = 100 * HOUR
AGE = 40_000_000


@pytest.mark.parametrize(
    ("stamp", "lead", "base"),
    [
        (NOW - AGE, 0, "monotonic"),
        (NOW - AGE, HOUR, "monotonic"),  # the Pi's kernel, after a suspend
        (NOW + HOUR - AGE, HOUR, "boottime"),
        (NOW + 1_000_000, 0, "monotonic"),  # the clocks are read one after the other
        (NOW + HOUR, 0, None),
        (1_760_000_000_000_000_000, HOUR, None),  # wall time
        (AGE, 0, None),  # counted from the camera's start
    ],
)
def test_the_clock_is_told_by_the_age_of_a_fresh_frame(stamp, lead, base):
    assert base_of(stamp, NOW, lead) == base


def test_boot_time_becomes_monotonic():
    clock = SensorClock(lead_ns=HOUR)
    assert clock.monotonic_ns(NOW + HOUR - AGE, NOW) == NOW - AGE
    assert clock.monotonic_ns(NOW + HOUR, NOW + 2 * AGE) == NOW


def test_stamps_of_no_clock_are_replaced_until_a_fresh_one_comes():
    clock = SensorClock(lead_ns=0)
    assert clock.monotonic_ns(None, NOW) == NOW
    assert clock.monotonic_ns(NOW - HOUR, NOW) == NOW  # a frame that lay in a buffer
    assert clock.monotonic_ns(NOW - AGE, NOW) == NOW - AGE


def test_this_machine_tells_how_long_it_slept():
    assert boottime_lead_ns() > -1_000_000
