"""Pieces that come together at the picture's edge are read; a hand that rests there stays a hand."""

from __future__ import annotations

import pytest

from vision.pipeline import Pipeline


@pytest.fixture
def pipeline(reader):
    return Pipeline(None, reader=reader)


def steps(pipeline, film, count, **changes):
    scene = None
    for _ in range(count):
        scene = pipeline.step(film.frame(**changes))
    return scene


def test_cards_side_by_side_at_the_edge_are_no_hand(pipeline, film):
    steps(pipeline, film, 4)
    scene = steps(pipeline, film, 7, cards={"card-red": (2, 200), "card-green": (82, 205), "card-blue": (162, 200)})
    assert scene.hands == ()
    assert {s.id for s in scene.sightings} == {"card-red", "card-green", "card-blue"}


def test_a_card_laid_against_a_thing_at_the_edge_is_read_at_the_first_still_frame(pipeline, film):
    thing = [(0, 150), (170, 150), (170, 300), (0, 300)]
    steps(pipeline, film, 4)
    steps(pipeline, film, 6, hands=[thing])
    scene = steps(pipeline, film, 2, hands=[thing], cards={"card-green": (168, 205)})
    assert [s.id for s in scene.sightings] == ["card-green"]


def test_a_hand_that_rests_beside_a_card_stays_a_hand(pipeline, film):
    steps(pipeline, film, 4)
    arm = [(0, 200), (300, 200), (300, 290), (0, 290)]
    scene = steps(pipeline, film, 12, cards={"card-red": (305, 205)}, hands=[arm])
    assert len(scene.hands) == 1


def test_a_resting_hand_is_looked_at_less_and_less_often(pipeline, film, reader):
    steps(pipeline, film, 6)
    before = len(reader.asked)
    steps(pipeline, film, 40, hands=[[(0, 200), (300, 200), (300, 290), (0, 290)]])
    assert len(reader.asked) - before <= 8
