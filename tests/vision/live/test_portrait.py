"""A piece is there only as long as its place looks as it did."""

from __future__ import annotations

import numpy as np

from vision.portrait import alike, portrait

QUAD = np.array([(300, 220), (380, 220), (380, 300), (300, 300)], np.float64)


def test_light_changes_a_portrait_little_and_absence_much(painted):
    painted.cards = {"card-red": (300, 220)}
    there = portrait(painted.paint(), QUAD)
    painted.gain = (0.8, 0.85, 0.9)
    dimmer = portrait(painted.paint(), QUAD)
    painted.cards = {}
    bare = portrait(painted.paint(), QUAD)
    assert alike(there, dimmer) > 0.95
    assert alike(there, bare) < 0.35


def test_a_plain_place_is_like_itself():
    plain = np.full((400, 500, 3), 120, np.uint8)
    assert alike(portrait(plain, QUAD), portrait(plain + 3, QUAD)) == 1.0


def test_a_quad_beyond_the_picture_has_a_portrait_too(painted):
    assert np.isfinite(portrait(painted.paint(), QUAD + 300)).all()
