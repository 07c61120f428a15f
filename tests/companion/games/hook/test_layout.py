"""Where symbols and holes of the practice deck are: irregular, apart, within margins, and meeting each other."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from itertools import combinations

import numpy as np

from companion.decks.meeting import shares
from companion.games.hook import layout
from companion.games.hook.names import CHARACTERS, SYMBOLS

CARDS, TILES = layout.cards(), layout.tiles()


def _face(card):
    """The names by spot, found from where the symbols stand."""
    places = {
        min(range(9), key=lambda spot: math.dist(symbol.at, layout.spots()[spot])): symbol for symbol in card.symbols
    }
    assert len(places) == len(card.symbols)
    return {spot: symbol.name for spot, symbol in places.items()}


def test_the_box():
    assert len(CARDS) == 96
    assert len(TILES) == 18
    assert Counter(tile.owner for tile in TILES) == dict.fromkeys(CHARACTERS, 3)
    assert len({piece.id for piece in (*CARDS, *TILES)}) == 114


def test_symbols_never_touch_and_keep_from_the_edge():
    for card in CARDS:
        for symbol in card.symbols:
            assert all(c - symbol.radius >= layout.MARGIN and c + symbol.radius <= 1 - layout.MARGIN for c in symbol.at)
        for one, other in combinations(card.symbols, 2):
            assert math.dist(one.at, other.at) >= one.radius + other.radius + layout.GAP - 1e-9


def test_symbols_stand_irregularly():
    """On a grid, the three symbols of a row would share a height; here hardly two symbols of a card do."""
    lined_up = 0
    for card in CARDS:
        for one, other in combinations(card.symbols, 2):
            lined_up += any(abs(a - b) < 0.005 for a, b in zip(one.at, other.at, strict=True))
    assert lined_up / sum(math.comb(len(card.symbols), 2) for card in CARDS) < 0.06
    turns = [symbol.turn_deg for card in CARDS for symbol in card.symbols]
    assert -16 <= min(turns) < -14
    assert 14 < max(turns) <= 16


def test_symbols_are_equally_useful():
    counts = Counter(symbol.name for card in CARDS for symbol in card.symbols)
    assert set(counts) == set(SYMBOLS)
    others = [count for name, count in counts.items() if name != "parrot"]
    assert max(others) - min(others) <= 2
    assert Counter(card.parrots for card in CARDS) == {1: 44, 2: 40, 3: 12}
    for card in CARDS:
        assert len(card.symbols) in {8, 9}
        assert max(Counter(symbol.name for symbol in card.symbols if symbol.name != "parrot").values()) <= 2


def test_every_card_differs_from_every_other_in_every_turn():
    faces = [_face(card) for card in CARDS]
    for face in faces:
        for quarters in (1, 2, 3):
            itself = {layout.turn_spot(spot, quarters): name for spot, name in face.items()}
            assert sum(face.get(spot) == name for spot, name in itself.items()) <= layout.MOST_ALIKE
    for one, other in combinations(faces, 2):
        assert layout.alike(one, other) <= layout.MOST_ALIKE


def test_tiles_differ_from_each_other_in_every_turn():
    for one, other in combinations(TILES, 2):
        for quarters in range(4):
            holes = [layout.turned(hole, quarters) for hole in other.holes]
            apart = max(min(math.dist(a, b) for b in holes) for a in one.holes)
            assert apart > 0.2, (one.id, other.id, quarters)


def test_holes_leave_card_board_between_them_and_to_the_edge():
    for tile in TILES:
        for hole in tile.holes:
            assert all(c - layout.HOLE_RADIUS > 0.02 and c + layout.HOLE_RADIUS < 0.98 for c in hole)
        for one, other in combinations(tile.holes, 2):
            assert math.dist(one, other) > 2 * layout.HOLE_RADIUS + 0.005


def test_in_every_placement_at_least_two_holes_meet_a_symbol_well():
    """Every tile, every quarter turn, every card; and a hole shows either most of a symbol or hardly any."""
    empty = 0
    for tile in TILES:
        for quarters in range(4):
            holes = np.array([layout.turned(hole, quarters) for hole in tile.holes])
            for card in CARDS:
                at = np.array([symbol.at for symbol in card.symbols])
                radii = np.array([symbol.radius for symbol in card.symbols])
                distance = np.hypot(*(holes[:, None] - at[None]).transpose(2, 0, 1))
                best = shares(distance, radii[None], layout.HOLE_RADIUS).max(axis=1)
                assert (best > 0.8).sum() >= 2
                assert ((best > 0.8) | (best < 0.25)).all()
                empty += int((best < 0.25).sum())
    # Some holes do show nothing, as at a real table.
    assert 0.02 < empty / (len(TILES) * 4 * len(CARDS) * 3) < 0.08


def test_a_quarter_turn_carries_spots_onto_spots():
    for spot in range(9):
        for quarters in range(5):
            turned = layout.turned(layout.spots()[spot], quarters)
            assert math.dist(turned, layout.spots()[layout.turn_spot(spot, quarters)]) < 1e-9


def test_the_deck_is_the_same_on_every_machine():
    """Recordings and printed decks depend on it: change SEED or the drawing of lots only with a reason."""
    text = repr((CARDS, TILES)).encode()
    assert hashlib.sha256(text).hexdigest()[:16] == "e91f6a1005ddd224"
    assert (layout.cards.__wrapped__(), layout.tiles.__wrapped__()) == (CARDS, TILES)
