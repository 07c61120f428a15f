"""Quads, homographies, overlaps."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.geometry import (
    UNIT,
    area,
    carry,
    clockwise,
    face_to_picture,
    from_quad,
    is_convex,
    overlap,
    rectify,
    shared_of_smaller,
    sides,
    to_quad,
    turned,
)
from vision.ground import Flat, learn

SQUARE = np.array([[10, 10], [110, 10], [110, 110], [10, 110]], np.float32)


def test_area_is_positive_for_corners_that_run_clockwise_as_displayed():
    assert area(SQUARE) == pytest.approx(10_000)
    assert area(SQUARE[::-1]) == pytest.approx(-10_000)
    assert area(clockwise(SQUARE[::-1])) > 0


def test_a_quad_survives_the_way_to_tuples_and_back():
    assert np.array_equal(from_quad(to_quad(SQUARE)), SQUARE)


def test_turning_a_face_clockwise_moves_its_first_corner_to_the_top_right():
    assert np.array_equal(turned(SQUARE, 1)[0], SQUARE[1])
    assert np.array_equal(turned(SQUARE, 4), SQUARE)


@given(st.lists(st.floats(-20, 20), min_size=8, max_size=8))
def test_a_homography_takes_the_unit_square_to_the_corners(shifts):
    corners = SQUARE + np.array(shifts, np.float32).reshape(4, 2)
    assert np.allclose(carry(face_to_picture(corners), UNIT), corners, atol=0.01)


def test_overlap_of_a_half_covered_square():
    other = SQUARE + np.array([50, 0], np.float32)
    assert overlap(SQUARE, other) == pytest.approx(1 / 3, abs=0.01)
    assert shared_of_smaller(SQUARE, other) == pytest.approx(0.5, abs=0.01)
    assert overlap(SQUARE, SQUARE + 500) == 0


def test_a_bow_tie_and_a_sliver_are_not_convex_quads():
    assert is_convex(SQUARE)
    assert not is_convex(SQUARE[[0, 2, 1, 3]])
    assert not is_convex(np.array([[0, 0], [100, 0], [110, 1], [5, 1.5]], np.float32))


def test_rectifying_cuts_the_piece_out_upright():
    image = np.zeros((120, 120, 3), np.uint8)
    image[10:110, 10:60] = 200
    cut = rectify(image, SQUARE, 20)
    assert cut[:, :9].min() > 190
    assert cut[:, 11:].max() < 10
    sideways = rectify(image, turned(SQUARE, 1), 20)
    assert sideways[11:].min() > 190


def test_a_ground_learned_from_squares_knows_their_size_everywhere():
    plane = np.array([[0.4, 0.02, 3], [0.01, 0.42, 5], [1e-4, 5e-5, 1]])
    flat = Flat(plane)
    corners = [
        np.array([[x, y], [x + 90, y], [x + 90, y + 90], [x, y + 90]], np.float32)
        for x in (100, 500, 900)
        for y in (100, 600)
    ]
    laid = [(flat.laid(quad, (60.0, 60.0)), (60.0, 60.0)) for quad in corners]
    wrong = (corners[0] * 1.3, (60.0, 60.0))
    ground = learn([*laid, wrong], (960, 1280, 3))
    assert ground is not None
    for quad, size in laid:
        assert np.abs(ground.laid(quad, size) - quad).max() < 5
        assert np.abs(ground.from_corner(quad[None], size)[0] - quad).max() < 9


def test_two_outlines_are_too_few_for_a_ground():
    assert learn([(SQUARE, (60.0, 60.0))] * 2, (500, 500, 3)) is None


def test_sides_run_from_the_top_clockwise():
    assert np.allclose(sides(np.array([[0, 0], [4, 0], [4, 3], [0, 3]], np.float32)), [4, 3, 4, 3])
