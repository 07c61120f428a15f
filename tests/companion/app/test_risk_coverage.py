"""Risk against coverage: the curve, and which reading is right."""

import pytest

from companion.app.risk_coverage import Reading, area, compare, curve, draw, overlap
from companion.world import HoleReading, Sighting

SQUARE = ((0.0, 0.0), (100.0, 0.0), (100.0, 100.0), (0.0, 100.0))
TURNED = (*SQUARE[1:], SQUARE[0])


def sighting(id="target-001", corners=SQUARE, symbols=(), confidence=0.9):
    return Sighting(id, "x", corners, confidence, True, holes=tuple(HoleReading(s, 0.9, True) for s in symbols))


def test_the_most_confident_come_first_and_errors_last():
    readings = [Reading(0.2, False), Reading(0.9, True), Reading(0.8, True), Reading(0.4, True)]
    assert curve(readings) == [(0.25, 0), (0.5, 0), (0.75, 0), (1.0, 0.25)]
    assert area(curve(readings)) == pytest.approx(0.0625)


def test_of_equally_confident_readings_the_wrong_one_counts_first():
    assert curve([Reading(1.0, True), Reading(1.0, False)]) == [(0.5, 1.0), (1.0, 0.5)]


@pytest.mark.parametrize(
    ("seen", "right"),
    [
        (sighting("sight-1", symbols=("rum", "none")), True),
        (sighting("sight-2", symbols=("rum", "none")), False),
        (sighting("sight-1", symbols=("rum", "bomb")), False),
        (sighting("sight-1", TURNED, symbols=("rum", "none")), False),
    ],
)
def test_identity_turn_and_symbols_must_all_be_right(seen, right):
    piece = {"id": "sight-1", "corners": [list(p) for p in SQUARE], "symbols": ["rum", "none"]}
    assert compare([piece], [seen]) == [Reading(0.9, right)]


def test_what_is_covered_or_hidden_is_not_asked_for_and_what_is_not_found_has_no_confidence():
    pieces = [
        {"id": "a", "corners": SQUARE},
        {"id": "b", "corners": SQUARE, "over": "a", "symbols": []},
        {"id": "c", "corners": [(x + 500, y) for x, y in SQUARE], "hidden": 9},
    ]
    assert compare(pieces, []) == [Reading(0.0, False)]


def test_overlap_is_intersection_over_union():
    half = tuple((x + 50, y) for x, y in SQUARE)
    assert overlap(SQUARE, half) == pytest.approx(1 / 3)
    assert overlap(SQUARE, SQUARE) == pytest.approx(1)


def test_the_plot_is_written_the_same_twice(tmp_path):
    readings = {"easy": [Reading(i / 10, i > 2) for i in range(10)]}
    draw(readings, tmp_path / "a" / "plot.svg")
    draw(readings, tmp_path / "b.svg")
    first = (tmp_path / "a" / "plot.svg").read_bytes()
    assert b"wrong among them" in first or b"<path" in first
    assert first == (tmp_path / "b.svg").read_bytes()
