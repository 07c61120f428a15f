"""Pieces that were taken away: they must not stay, nor keep what lies there now from being read."""

from __future__ import annotations

import numpy as np
import pytest

from companion.world import Sighting
from vision.arrived import framed
from vision.pipeline import Pipeline

SIDE = 80


class OutlineReader:
    """As the real one: outlines handed in give a sighting, if a nameless one, and without a search only they do."""

    def __init__(self, reader):
        self.reader, self.pieces = reader, reader.pieces

    def look(self, image, *, known=(), search=True, **rest):
        named = self.reader.look(image, known=known, search=search, **rest)
        if not search:
            named = tuple(s for s in named if any(_apart(s.corners, quad) < 5 for quad in known))
        blank = [quad for quad in known if all(_apart(s.corners, quad) > SIDE / 2 for s in named)]
        corners = [tuple((float(x), float(y)) for x, y in quad) for quad in blank]
        return (*named, *(Sighting(None, None, quad, 0.0, False) for quad in corners))


def _apart(corners, quad):
    return float(np.linalg.norm(np.mean(corners, axis=0) - np.mean(quad, axis=0)))


def seen(scene):
    return {sighting.id: sighting for sighting in scene.sightings}


def steps(pipeline, film, count, **changes):
    scene = None
    for _ in range(count):
        scene = pipeline.step(film.frame(**changes))
    return scene


@pytest.fixture
def pipeline(reader):
    return Pipeline(None, reader=OutlineReader(reader))


def test_a_card_taken_from_a_place_never_seen_empty_is_gone(pipeline, film):
    steps(pipeline, film, 5, cards={"card-red": (300, 220), "card-green": (80, 80)})
    scene = steps(pipeline, film, 8, cards={"card-green": (80, 80)})
    assert set(seen(scene)) == {"card-green"}


def test_a_card_laid_a_little_beside_the_place_of_another_is_read(pipeline, film):
    steps(pipeline, film, 5, cards={"card-red": (300, 220), "card-green": (80, 80)})
    scene = steps(pipeline, film, 6, cards={"card-blue": (309, 224), "card-green": (80, 80)})
    assert set(seen(scene)) == {"card-blue", "card-green"}
    assert seen(scene)["card-blue"].sure


def test_a_card_taken_beside_a_resting_hand_is_gone_before_the_hand(pipeline, film):
    steps(pipeline, film, 4)
    steps(pipeline, film, 5, cards={"card-red": (300, 220)})
    arm = [(382, 480), (382, 200), (450, 200), (450, 480)]
    scene = steps(pipeline, film, 5, cards={}, hands=[arm])
    assert len(scene.hands) == 1
    assert "card-red" not in seen(scene)


def test_a_piece_has_edges_on_three_sides_and_the_bare_table_has_none(painted):
    painted.cards = {"card-red": (100, 100)}
    corners = np.array([(0, 0), (SIDE, 0), (SIDE, SIDE), (0, SIDE)], np.float64)
    image = painted.paint()
    assert framed(image, np.add(corners, (100, 100)))
    assert framed(image, np.add(corners, (103, 98)))
    assert not framed(image, np.add(corners, (350, 250)))
    assert not framed(image, np.add(corners, (100 + SIDE, 100)))
