"""Twins and nudges told apart by what sticks out from under the uppermost card."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.piles import CARD_MM, Lying, Painted, Palm
from vision.pile import ALIKE
from vision.shifted import Evidence, compare
from vision.twin import probability

BELOW = (Lying("card-1", -9, 6, 35), Lying("card-2", 8, -5, -20))
TOP = Lying("card-0", 2, 3, 8)


def weighed(before: tuple[Lying, ...], after: tuple[Lying, ...], earlier: tuple[Lying, ...] | None = None) -> Evidence:
    table = Painted(noise=3.0)
    pictures = [table.picture(pile) for pile in (before, after, earlier or ())]
    corners = [table.corners(pile[-1]) for pile in (before, after)]
    return compare(
        pictures[0], pictures[1], corners[0], corners[1] + 0.8, CARD_MM, earlier=pictures[2] if earlier else None
    )


@pytest.mark.parametrize("x,y,turn", [(2.0, 0, 0), (0, -3.0, 1), (0.3, 0.2, 1.2), (12, 9, 40), (20, -4, 175)])
def test_a_twin_leaves_the_old_card_beneath(x: float, y: float, turn: float) -> None:
    evidence = weighed((*BELOW, TOP), (*BELOW, TOP, TOP.moved(x, y, turn)), BELOW)
    assert probability(evidence) > 0.88
    assert evidence.move.mm == pytest.approx((x**2 + y**2) ** 0.5, abs=0.3)
    assert evidence.move.deg == pytest.approx(turn, abs=0.3)


@pytest.mark.parametrize("x,y,turn", [(2.0, 0, 0), (0, -5.0, 2), (0.3, 0.2, 1.5), (6, 3, -4)])
def test_a_card_that_was_straightened_is_no_new_one(x: float, y: float, turn: float) -> None:
    assert probability(weighed((*BELOW, TOP), (*BELOW, TOP.moved(x, y, turn)), BELOW)) < 0.12


@pytest.mark.parametrize("x,y", [(2.0, 0), (0, -5.0), (6, 3)])
def test_a_pile_that_was_pushed_is_no_new_card(x: float, y: float) -> None:
    after = tuple(card.moved(x, y) for card in (*BELOW, TOP))
    assert probability(weighed((*BELOW, TOP), after, BELOW)) < 0.12


def test_a_palm_that_moved_nothing_is_no_new_card() -> None:
    evidence = weighed((*BELOW, TOP), (*BELOW, TOP), BELOW)
    assert evidence.move.mm < 0.3 and evidence.move.deg < 0.2
    assert probability(evidence) == 0.0


def test_what_hands_hide_altogether_is_not_told() -> None:
    table = Painted(noise=3.0)
    before, after = table.picture((*BELOW, TOP)), table.picture((*BELOW, TOP.moved(4, 3, 10)))
    corners = table.corners(TOP)
    hidden = np.full(before.shape[:2], 255, np.uint8)
    evidence = compare(before, after, corners, corners + 0.8, CARD_MM, earlier=before, hidden=hidden)
    assert 0.12 < probability(evidence) < 0.88


def test_a_twin_that_shoved_the_card_below_is_noticed() -> None:
    shoved = (*BELOW, TOP.moved(-2.0, 1.5))
    evidence = weighed((*BELOW, TOP), (*shoved, TOP.moved(9, -6, 25)), BELOW)
    assert probability(evidence) > 0.5


def test_a_twin_straightened_on_its_like_after_the_pile_was_pushed_is_no_new_card() -> None:
    table, pushed = Painted(noise=3.0), (7.0, -4.0)
    twin = TOP.moved(4, 2, 1)
    came = (*BELOW, TOP, twin)
    before = tuple(card.moved(*pushed) for card in came)
    after = (*before[:-1], before[-1].moved(-3, 3, 1))
    pictures = [table.picture(pile) for pile in (before, after, (*BELOW, TOP))]
    corners = [table.corners(pile[-1]) for pile in (before, after, came)]
    known = compare(
        pictures[0], pictures[1], corners[0], corners[1], CARD_MM, earlier=pictures[2], corners_then=corners[2]
    )
    assert probability(known) < 0.12
    blind = compare(pictures[0], pictures[1], corners[0], corners[1], CARD_MM, earlier=pictures[2])
    assert known.under < 0.5 * blind.under


def test_a_card_partly_under_a_hand_is_found_where_the_rest_of_it_lies() -> None:
    table, after = Painted(noise=3.0), TOP.moved(4, 3, 2)
    before, now = table.picture((*BELOW, TOP)), table.picture((*BELOW, after), (Palm(4, -8, 30),))
    bare = table.picture((*BELOW, after))
    hidden = np.where(np.abs(now.astype(int) - bare).max(axis=2) > 25, np.uint8(255), np.uint8(0))
    hidden = np.asarray(cv2.dilate(hidden, np.ones((9, 9), np.uint8)), np.uint8)
    corners, guess = table.corners(TOP), table.corners(after) + 0.8
    seen = compare(before, now, corners, guess, CARD_MM, earlier=table.picture(BELOW), hidden=hidden)
    blind = compare(before, now, corners, guess, CARD_MM, earlier=table.picture(BELOW))
    assert seen.likeness > 0.95 > ALIKE > blind.likeness
    assert seen.move.mm == pytest.approx(5.0, abs=0.4)
