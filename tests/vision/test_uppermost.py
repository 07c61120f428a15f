"""Which of two overlapping cards lies on the other."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.vision.piles import Lying, Painted, Palm, deck
from vision.catalog import build
from vision.uppermost import Arts, arts_of, lies_on, not_beneath, resemblance

LOWER, UPPER = Lying("card-1", -12, 8, 20), Lying("card-2", 14, -6, -35)


@pytest.fixture(scope="module")
def arts(tmp_path_factory: pytest.TempPathFactory) -> Arts:
    folder: Path = tmp_path_factory.mktemp("uppermost") / "deck"
    return arts_of(build(deck(folder)))


def named(table: Painted, card: Lying):
    return card.id, np.asarray(table.corners(card), np.float64)


def test_the_card_that_is_seen_where_both_lie_is_the_upper_one(arts: Arts) -> None:
    table = Painted(noise=3.0)
    lower, upper = named(table, LOWER), named(table, UPPER)
    picture = table.picture((LOWER, UPPER))
    assert lies_on(picture, upper, lower, arts)
    assert not lies_on(picture, lower, upper, arts)
    assert not_beneath(picture, [lower, upper], [lower, upper], arts) == [1]
    other = table.picture((UPPER, LOWER))
    assert not_beneath(other, [lower, upper], [lower, upper], arts) == [0]


def test_cards_apart_and_what_a_hand_hides_say_nothing(arts: Arts) -> None:
    table = Painted(noise=3.0)
    far = Lying("card-3", 120, 0, 0)
    picture = table.picture((LOWER, UPPER, far))
    assert not lies_on(picture, named(table, far), named(table, LOWER), arts)
    assert not lies_on(picture, named(table, LOWER), named(table, far), arts)
    everything = np.full(picture.shape[:2], 255, np.uint8)
    assert not lies_on(picture, named(table, UPPER), named(table, LOWER), arts, everything)


def test_cards_of_unknown_looks_or_outside_of_the_picture_say_nothing(arts: Arts) -> None:
    table = Painted()
    picture = table.picture((LOWER, UPPER))
    id, corners = named(table, LOWER)
    assert not lies_on(picture, named(table, UPPER), ("nobody", corners), arts)
    assert not lies_on(picture, (id, corners - 5000), (id, corners - 5000), arts)


def test_a_card_resembles_itself_where_it_is_open_and_nothing_else(arts: Arts) -> None:
    table = Painted(noise=3.0)
    _, corners = named(table, UPPER)
    picture = table.picture((LOWER, UPPER))
    assert resemblance(picture, ("card-2", corners), arts) > 0.8
    assert resemblance(picture, ("card-4", corners), arts) < 0.5
    assert resemblance(picture, ("nobody", corners), arts) == 0
    covered = table.picture((LOWER, UPPER), (Palm(UPPER.x, UPPER.y, 60),))
    hidden = np.where(np.abs(covered.astype(int) - picture).max(axis=2) > 25, np.uint8(255), np.uint8(0))
    assert resemblance(covered, ("card-2", corners), arts) < resemblance(covered, ("card-2", corners), arts, hidden)
    assert resemblance(covered, ("card-2", corners), arts, np.full_like(hidden, 255)) == 0
