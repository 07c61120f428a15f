from __future__ import annotations

import numpy as np
import pytest

from companion.deck import Hole, Mark, Piece
from vision.beneath import RISE_MM, overlap, shown
from vision.plane import Plane, pinhole

CARD = Piece(
    "card", "card", "x", size_mm=(60.0, 60.0), marks=(Mark("rum", (0.3, 0.3), 0.1), Mark("bomb", (0.7, 0.6), 0.1))
)
TILE = Piece("tile", "tile", "x", size_mm=(60.0, 60.0), holes=(Hole((0.3, 0.3), 0.12), Hole((0.5, 0.9), 0.12)))


def square(x, y, side=120.0):
    return ((x, y), (x + side, y), (x + side, y + side), (x, y + side))


def test_a_tile_laid_exactly_shows_what_stands_under_its_holes():
    first, second = shown(TILE, square(10, 10), CARD, square(10, 10), None)
    assert (first.symbol, first.share) == ("rum", 1.0)
    assert (second.symbol, second.share, second.likely) == ("none", 0.0, "none")


def test_a_turned_card_shows_what_came_under_the_hole():
    turned = square(10, 10)
    turned = turned[1:] + turned[:1]  # the card's own top-left is at the picture's top-right
    first, _ = shown(TILE, square(10, 10), CARD, turned, None)
    assert first.symbol == "none"


@pytest.mark.parametrize(("off_mm", "symbol"), [(3.0, "rum"), (5.5, "rum"), (8.5, "none"), (12.5, "none")])
def test_a_symbol_counts_when_more_than_half_of_it_shows(off_mm, symbol):
    first, _ = shown(TILE, square(10 + 2 * off_mm, 10), CARD, square(10, 10), None)
    assert first.symbol == symbol
    assert (first.share > 0.5) == (symbol == "rum")
    if first.share > 0:
        assert first.likely == "rum"


def test_the_share_of_two_discs():
    assert overlap(0, 1, 2) == 1
    assert overlap(0, 2, 1) == pytest.approx(0.25)
    assert overlap(3, 1, 2) == 0
    x, y = np.meshgrid(np.linspace(-1, 1, 801), np.linspace(-1, 1, 801))
    inside = x**2 + y**2 <= 1
    counted = (inside & ((x - 1.2) ** 2 + y**2 <= 1.3**2)).sum() / inside.sum()
    assert overlap(1.2, 1, 1.3) == pytest.approx(counted, abs=0.003)


def test_a_raised_tile_far_from_the_middle_is_moved_back():
    size = (1280, 960)
    matrix = pinhole(np.array([0.0, 0.0, np.log(500.0), np.log(0.77)]), size)
    plane = Plane(matrix, size, "given")
    corners = np.array([(160.0, 90.0), (220.0, 90.0), (220.0, 150.0), (160.0, 150.0)])
    above = corners * 500 / (500 - RISE_MM)  # where the raised corners appear on the table
    as_quad = lambda points: tuple(map(tuple, plane.to_pixels(points)))  # noqa: E731
    right, _ = shown(TILE, as_quad(above), CARD, as_quad(corners), plane)
    naive, _ = shown(TILE, as_quad(above), CARD, as_quad(corners), None)
    assert right.share == pytest.approx(1.0, abs=0.02)
    assert naive.share <= right.share
