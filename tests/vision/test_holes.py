"""Symbols through a tile's holes: with and without knowing the card below."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.conftest import plain_table, symbol_under
from vision.holes import Under, meet, read_all, read_holes
from vision.propose import Tried, likeliest
from vision.pyramid import Pyramid
from vision.under import covered_part


@pytest.mark.parametrize("shift", [(0, 0), (6, -5), (-7, 4)])
def test_both_ways_of_reading_agree(deck, catalog, shift):
    table = plain_table(deck)
    below = table.lay("card-8", 400, 400, 183)
    tile = deck.piece("tile-blue-3")
    corners = table.lay(tile.id, 400 + shift[0], 400 + shift[1], 0)
    photo = Pyramid(table.photo(noise=6, blur=1.2))
    wanted = symbol_under(deck, table, tile.id, "card-8")
    directly = read_holes(photo, corners, tile, catalog)
    known = read_holes(photo, corners, tile, catalog, under=Under("card-8", below))
    assert [r.symbol for r in directly.readings] == wanted
    assert [r.symbol for r in known.readings] == wanted
    assert directly.card == "card-8"
    assert np.abs(directly.corners - below).max() < 8


def test_a_card_that_lies_elsewhere_is_not_below(deck, catalog):
    table = plain_table(deck)
    table.lay("card-8", 400, 400, 183)
    corners = table.lay("tile-blue-3", 402, 398, 0)
    tiles = meet(Pyramid(table.photo()), [(corners, deck.piece("tile-blue-3"))], catalog)
    (read,) = read_all(tiles, frozenset({"card-8"}))
    assert read.card != "card-8"
    assert not all(r.sure for r in read.readings)


def test_tiles_read_together_read_as_each_alone(deck, catalog):
    table = plain_table(deck)
    tiles = [deck.piece("tile-blue-3"), deck.piece("tile-red-2")]
    lying = []
    for tile, card, x in zip(tiles, ("card-8", "card-3"), (250, 550), strict=True):
        table.lay(card, x, 400, 92)
        lying.append((table.lay(tile.id, x + 3, 402, 0), tile))
    photo = Pyramid(table.photo(noise=6, blur=1.2))
    together = read_all(meet(photo, lying, catalog))
    for read, (corners, tile) in zip(together, lying, strict=True):
        alone = read_holes(photo, corners, tile, catalog)
        assert (read.card, [r.symbol for r in read.readings]) == (alone.card, [r.symbol for r in alone.readings])
        assert read.unexplained == pytest.approx(alone.unexplained, abs=1e-4)
        assert np.abs(read.corners - alone.corners).max() < 0.05


def test_the_share_says_how_much_of_a_symbol_shows(deck, catalog):
    table = plain_table(deck)
    table.lay("card-8", 400, 400)
    corners = table.lay("tile-blue-3", 400 + 10, 400, 0)
    read = read_holes(Pyramid(table.photo()), corners, deck.piece("tile-blue-3"), catalog)
    assert all(0.35 < r.share < 0.85 for r in read.readings)


@pytest.mark.parametrize("shift", [(14, 0), (0, -14)])
def test_a_card_far_off_its_tile_is_found(deck, catalog, shift):
    table = plain_table(deck)
    table.lay("card-8", 400, 400)
    tile = deck.piece("tile-blue-3")
    corners = table.lay(tile.id, 400 + shift[0], 400 + shift[1])
    assert read_holes(Pyramid(table.photo()), corners, tile, catalog).card == "card-8"


def test_of_a_card_in_a_turn_only_the_best_offset_of_each_quarter_is_proposed():
    likeness = np.zeros((1, 5, 5, 2), np.float32)
    likeness[0, 0, 0, 1], likeness[0, 0, 1, 1] = 2.0, 1.9  # neighbours
    likeness[0, 4, 4, 1], likeness[0, 2, 2, 0], likeness[0, 0, 4, 0] = 1.8, 1.95, 1.0
    tried = Tried(np.array([2]), likeness, np.array([[-4.0, -4.0]], np.float32))
    cards, turns, start = likeliest(tried, 0.5, 9)
    assert cards.tolist() == [1, 0, 1]
    assert turns.tolist() == [2, 2, 2]
    assert start.tolist() == [[-4, -4, 0], [0, 0, 0], [4, 4, 0]]
    assert likeliest(tried, 0.5, 2)[0].tolist() == [1, 0]


def test_a_piece_without_holes_has_nothing_to_read(deck, catalog):
    table = plain_table(deck)
    corners = table.lay("card-8", 400, 400)
    assert read_holes(Pyramid(table.photo()), corners, deck.piece("card-8"), catalog) is None


def test_probabilities_of_a_hole_do_not_exceed_one(deck, catalog):
    table = plain_table(deck)
    table.lay("card-3", 400, 400, 92)
    corners = table.lay("tile-red-2", 403, 402, 0)
    read = read_holes(Pyramid(table.photo(noise=15, blur=3)), corners, deck.piece("tile-red-2"), catalog)
    for reading in read.readings:
        assert 0 <= sum(p for _, p in reading.ranked) <= 1 + 1e-6
        assert reading.confidence == reading.ranked[0][1]
        assert reading.symbol == reading.ranked[0][0]


def test_the_part_of_a_mark_seen_through_a_hole():
    part = covered_part(np.array([0.0, 1.0, 2.0, 5.0]), np.array([1.0]), 1.0)
    assert part[0] == pytest.approx(1, abs=1e-3)
    assert part[1] == pytest.approx(0.391, abs=1e-3)
    assert part[2] == pytest.approx(0, abs=1e-3)
    assert part[3] == 0
    assert covered_part(np.array([0.0]), np.array([2.0]), 1.0)[0] == pytest.approx(0.25, abs=1e-3)
