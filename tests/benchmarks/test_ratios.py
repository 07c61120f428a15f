"""Ratios to plain OpenCV, measured in one run on one frame; ``make benchmarks`` only."""

from __future__ import annotations

import pytest

from companion.app.bench import IDLE_LIMIT, READ_LIMIT, measure


@pytest.fixture(scope="module")
def figures():
    return measure(repeats=9)


def test_all_pieces_of_the_frame_are_read(figures):
    assert figures["pieces_named"] == 12


def test_a_frame_without_a_change_is_cheap(figures):
    assert figures["idle_ratio"] <= IDLE_LIMIT


def test_a_frame_read_from_corner_to_corner_stays_within_its_limit(figures):
    assert figures["read_ratio"] <= READ_LIMIT
