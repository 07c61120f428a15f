"""Outlines of card-shaped things."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.conftest import plain_table
from vision.find import find, find_pieces
from vision.geometry import overlap


def best(outlines, corners):
    return max((overlap(o.corners, corners) for o in outlines), default=0.0)


def test_cards_of_three_shapes_are_found(deck):
    table = plain_table(deck)
    wanted = [table.lay("card-0", 180, 180, 20), table.lay("long-1", 480, 200, -35), table.lay("round-1", 720, 480, 10)]
    outlines = find_pieces(table.photo(), aspects=(1.0, 1.4), round_too=True)
    assert [best(outlines, corners) > 0.85 for corners in wanted[:2]] == [True, True]
    assert any(o.shape == "round" and overlap(o.corners, wanted[2]) > 0.6 for o in outlines)


def test_neighbours_that_nearly_touch_are_two(deck):
    table = plain_table(deck)
    first, second = table.lay("card-0", 300, 300), table.lay("card-3", 424, 300)
    outlines = find_pieces(table.photo())
    assert best(outlines, first) > 0.85
    assert best(outlines, second) > 0.85


def test_a_checked_cloth_does_not_hide_a_tile(deck):
    table = plain_table(deck)
    rows, columns = np.mgrid[:700, :900] // 40
    table.image[(rows + columns) % 2 == 0] = (220, 220, 225)
    wanted = [table.lay("tile-red-1", 200, 220, 28), table.lay("card-1", 620, 400, 12)]
    found = find_pieces(table.photo())
    assert [best(found, corners) > 0.8 for corners in wanted] == [True, True]


@pytest.mark.parametrize(
    "image", [np.zeros((0, 0, 3), np.uint8), np.zeros((10, 10, 3), np.uint8), np.zeros((480, 640, 3), np.uint8)]
)
def test_nothing_is_found_in_nothing(image):
    assert find(image).outlines == []


def test_a_known_scale_leaves_out_what_is_too_small(deck):
    table = plain_table(deck)
    table.lay("card-0", 300, 300)
    assert find_pieces(table.photo(), side_px=(100, 160))
    assert best(find_pieces(table.photo(), side_px=(200, 400)), table.laid["card-0"]) < 0.5
