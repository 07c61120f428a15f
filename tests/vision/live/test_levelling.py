from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.deck import Piece
from vision import plane as planes
from vision.levelling import EVERY, Levelling
from vision.plane import Plane, pinhole
from vision.track import Track

SIZE = (1280, 960)


def sheet(shift):
    image = np.full((SIZE[1], SIZE[0], 3), 235, np.uint8)
    dictionary = cv2.aruco.getPredefinedDictionary(planes.DICTIONARY)
    for number in range(4):
        x, y = np.round(planes.marker_corners_mm(number)[0] * 1.4 + shift).astype(int)
        side = round(planes.SIDE_MM * 1.4)
        image[y : y + side, x : x + side] = cv2.aruco.generateImageMarker(dictionary, number, side)[..., None]
    return image


@pytest.fixture
def looks(monkeypatch):
    """Counts the searches for markers."""
    counted = []
    monkeypatch.setattr("vision.levelling.from_markers", lambda image: counted.append(1) or planes.from_markers(image))
    return counted


def test_markers_settle_the_plane_and_are_then_looked_for_seldom(looks):
    level = Levelling(None)
    for _ in range(3):
        assert not level.look(sheet((200, 180)))
    assert level.plane is not None and level.plane.source == "markers"
    before = len(looks)
    for _ in range(EVERY - 1):
        level.look(sheet((200, 180)))
    assert len(looks) - before <= 1


def test_without_markers_they_are_looked_for_once_in_a_while(looks):
    level = Levelling(None)
    blank = np.full((SIZE[1], SIZE[0], 3), 128, np.uint8)
    for _ in range(EVERY):
        assert not level.look(blank)
    assert len(looks) == 1 and level.plane is None


def test_a_moved_camera_is_noticed_soon_after_it_was_shaken():
    level = Levelling(None)
    for _ in range(3):
        level.look(sheet((200, 180)))
    level.shaken()
    moved = [level.look(sheet((240, 150))) for _ in range(4)]
    assert moved == [False, False, True, False]
    assert np.allclose(level.plane.to_mm([(240.0, 150.0)]), 0, atol=1.5)


def test_a_given_plane_is_used_as_it_is(looks):
    given = Plane(np.eye(3), SIZE, "given")
    level = Levelling(given)
    assert not level.look(sheet((200, 180))) and not looks
    level.shaken()
    assert level.plane is given


def test_pieces_tell_the_plane_until_it_was_shaken():
    true = Plane(pinhole(np.array([0.1, 0.0, np.log(600.0), np.log(0.77)]), SIZE), SIZE, "given")
    pieces = {name: Piece(name, "card", "x", size_mm=(60.0, 60.0)) for name in "abc"}
    tracks = []
    for name, (x, y) in zip("abc", [(-100, -50), (80, -60), (10, 90)], strict=True):
        corners = np.array([(-30.0, -30), (30, -30), (30, 30), (-30, 30)]) + [(x, y)] * 4
        tracks.append(Track(name, "card", true.to_pixels(corners)))
    level = Levelling(None)
    level.learn(tracks[:1], pieces, SIZE)
    assert level.plane is None  # one piece is not enough
    for _ in range(2):
        level.learn(tracks, pieces, SIZE)
    ends = [(300.0, 300.0), (900.0, 600.0)]
    far = np.linalg.norm(np.diff(true.to_mm(ends), axis=0))
    assert np.linalg.norm(np.diff(level.plane.to_mm(ends), axis=0)) == pytest.approx(far, rel=0.02)
    level.shaken()
    assert level.plane is None
