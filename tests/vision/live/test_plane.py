from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision import plane as planes
from vision.plane import Plane, PlaneKeeper, from_marker_corners, from_markers, from_pieces, pinhole, project

SIZE = (1280, 960)


def camera(about_x=0.05, about_y=-0.1, height=600.0, focal=0.77):
    return Plane(pinhole(np.array([about_x, about_y, np.log(height), np.log(focal)]), SIZE), SIZE, "given")


def quad(plane, x, y, turn, size):
    half = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * np.array(size) / 2
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    return tuple(map(tuple, plane.to_pixels(half @ spin.T + (x, y))))


def sheet(size=SIZE, scale=1.4, shift=(200.0, 180.0)):
    """A picture of the four markers from straight above, and its true homography."""
    image = np.full((size[1], size[0], 3), 235, np.uint8)
    dictionary = cv2.aruco.getPredefinedDictionary(planes.DICTIONARY)
    for number in range(4):
        corners = planes.marker_corners_mm(number) * scale + shift
        side = round(planes.SIDE_MM * scale)
        marker = cv2.aruco.generateImageMarker(dictionary, number, side)
        x, y = np.round(corners[0]).astype(int)
        image[y : y + side, x : x + side] = marker[..., None]
    return image


def test_points_go_to_millimetres_and_back():
    plane = camera()
    points = np.array([(100.0, 200.0), (900.0, 700.0)])
    assert np.allclose(plane.to_pixels(plane.to_mm(points)), points)
    assert len(plane.row()) == 9


def test_the_plane_from_four_markers_in_a_picture():
    plane = from_markers(sheet())
    assert plane is not None and plane.source == "markers"
    middle = plane.to_pixels([(planes.WIDTH_MM / 2, planes.HEIGHT_MM / 2)])[0]
    assert np.allclose(middle, (200 + 300 * 1.4, 180 + 200 * 1.4), atol=1.5)
    assert plane.error_mm < 1


def test_three_markers_are_not_enough():
    image = sheet()
    image[:300, :400] = 235
    assert from_markers(image) is None
    assert from_marker_corners({}, SIZE) is None


@pytest.mark.parametrize("tilt", [(0.0, 0.0), (0.07, 0.0), (0.17, -0.1), (-0.3, 0.1)])
def test_the_plane_from_pieces_of_known_size(tilt):
    true = camera(*tilt)
    rng = np.random.default_rng(3)
    noise = lambda corners: tuple((x + rng.normal(0, 0.4), y + rng.normal(0, 0.4)) for x, y in corners)  # noqa: E731
    places = [(-120, -80, 0.3), (0, 70, 1.0), (130, -60, 2.2), (110, 80, 0.1)]
    pieces = [(noise(quad(true, x, y, turn, (60.0, 60.0))), (60.0, 60.0)) for x, y, turn in places]
    plane = from_pieces(pieces, SIZE)
    assert plane is not None and plane.error_mm < 1
    # Distances are what counts: the origin and the turn of the millimetres are free.
    ends = [(300.0, 300.0), (1000.0, 650.0)]
    assert np.linalg.norm(np.diff(plane.to_mm(ends), axis=0)) == pytest.approx(
        np.linalg.norm(np.diff(true.to_mm(ends), axis=0)), rel=0.02
    )


def test_quads_that_are_no_pieces_give_no_plane():
    rng = np.random.default_rng(1)
    nonsense = [(tuple(map(tuple, rng.uniform(0, 900, (4, 2)))), (60.0, 60.0)) for _ in range(4)]
    assert from_pieces(nonsense, SIZE) is None
    assert from_pieces([], SIZE) is None


@pytest.mark.parametrize("tilt", [(0.0, 0.0), (0.1, 0.05), (0.25, -0.2)])
def test_the_camera_is_where_it_hangs(tilt):
    place = camera(*tilt, height=550.0).camera_mm()
    assert place[2] == pytest.approx(550.0, rel=0.03)
    assert np.hypot(*place[:2]) < 25


def test_a_part_of_the_picture_has_the_same_camera():
    whole = camera(0.25, -0.2)
    part = whole.moved(300, 200)
    assert np.allclose(part.to_mm([(50.0, 60.0)]), whole.to_mm([(350.0, 260.0)]))
    assert np.allclose(part.camera_mm(), whole.camera_mm(), atol=1)


def shifted(plane, pixels, source):
    move = np.array([[1, 0, pixels], [0, 1, 0], [0, 0, 1.0]])
    return Plane(plane.matrix @ move, plane.size, source)


def test_a_settled_plane_is_held_still():
    keeper = PlaneKeeper()
    first = shifted(camera(), 0, "markers")
    assert not keeper.offer(first) and not keeper.settled
    assert not keeper.offer(shifted(camera(), 0.3, "markers")) and keeper.settled
    kept = keeper.plane
    for jitter in (0.4, -0.6, 0.8):
        assert not keeper.offer(shifted(camera(), jitter, "markers"))
    assert keeper.plane is kept
    assert not keeper.offer(None)


def test_a_moved_camera_is_noticed_but_one_odd_frame_is_not():
    keeper = PlaneKeeper()
    for _ in range(2):
        keeper.offer(shifted(camera(), 0, "markers"))
    assert not keeper.offer(shifted(camera(), 60, "markers"))
    assert not keeper.offer(shifted(camera(), 0, "markers"))
    moved = [keeper.offer(shifted(camera(), 60, "markers")) for _ in range(3)]
    assert moved == [False, False, True]
    assert np.allclose(project(keeper.plane.matrix, [(0.0, 0.0)]), shifted(camera(), 60, "markers").to_mm([(0.0, 0.0)]))


def test_markers_replace_what_pieces_told_and_a_given_plane_stays():
    keeper = PlaneKeeper()
    for _ in range(2):
        keeper.offer(shifted(camera(), 0, "pieces"))
    keeper.offer(shifted(camera(), 30, "markers"))
    assert keeper.plane.source == "markers"
    given = PlaneKeeper(camera())
    assert not given.offer(shifted(camera(), 200, "markers"))
    assert given.plane.source == "given"
