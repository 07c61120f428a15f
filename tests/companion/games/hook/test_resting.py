"""How a tile rests on its card, measured from outlines."""

import cv2
import numpy as np
import pytest

from companion.games.hook.resting import Rest, bare_mm, camera, lowered, rest
from companion.world import Sighting
from hardware.simulated.lens import hang

CARD = ((0.0, 0.0), (60.0, 0.0), (60.0, 60.0), (0.0, 60.0))


def seen(corners, mm=None):
    return Sighting("x", "y", corners, 1.0, True, corners_mm=mm)


def test_an_outline_that_is_no_square_has_no_rest():
    assert rest(seen(CARD), seen(((1.0, 1.0),) * 4)) is None


def test_turns_are_signed_and_quarters_are_nearest():
    assert Rest(0, 0, 100).quarter == 1
    assert Rest(0, 0, 100).turn_off_deg == pytest.approx(10)
    assert Rest(0, 0, -95).turn_off_deg == pytest.approx(-5)
    assert Rest(0, 0, 179).apart(Rest(3, 4, -179)) == (pytest.approx(5), pytest.approx(2))


def test_a_smaller_tile_leaves_more_bare():
    assert bare_mm(Rest(1, -3, 0)) == 3
    assert bare_mm(Rest(0, 0, 90), (58, 56), (60, 60)) == pytest.approx(2)
    assert bare_mm(Rest(0, 0, 0), (64, 64), (60, 60)) == 0


@pytest.mark.parametrize("tilt", [0, 4, 10, 18])
def test_where_the_camera_hangs_follows_from_the_plane_well_enough(tilt):
    lens = hang((1280, 960), pixels_per_mm=2.2, height_mm=600, tilt_deg=tilt, tilt_to_deg=70)
    table = np.array([[x, y, 0.0] for x in (-150, 0, 150) for y in (-110, 0, 110)])
    plane = cv2.findHomography(lens.project(table), table[:, :2])[0]
    x, y, height = camera(tuple(plane.ravel()), (1280, 960))
    assert (x, y, height) == pytest.approx(lens.centre, abs=45)

    top = lens.project(np.array([[100.0, 80.0, 2.0]]))  # a corner 2 mm above the table
    apparent = cv2.perspectiveTransform(top.reshape(-1, 1, 2), plane).reshape(-1)
    (true, *_rest) = lowered((tuple(apparent),) * 4, (x, y, height))
    assert np.hypot(*(np.array(true) - (100, 80))) < 0.15
    if tilt == 0:
        assert np.hypot(*(apparent - (100, 80))) > 0.4


def test_a_plane_that_no_camera_sees_is_none():
    assert camera((0.0,) * 9, (1280, 960)) is None
    assert lowered(CARD, None) == CARD
