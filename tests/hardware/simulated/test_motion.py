"""Films between keyframes, and the lockstep camera."""

from itertools import pairwise

import msgspec
import numpy as np
import pytest

from hardware.cameras import CameraError
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.conditions import EASY
from hardware.simulated.feed import LockstepCamera, Moment, open_lockstep
from hardware.simulated.motion import AWAY_MM, between, film
from hardware.simulated.poses import HandPose, PiecePose, TablePose

LYING = PiecePose("grey", 50, 50)
EMPTY = TablePose((LYING,))
COMING = TablePose((LYING, PiecePose("dotted", 10, 0, 40, lift_mm=26)), (HandPose(10, 0, 90, look=3, height_mm=30),))
LAID = TablePose((LYING, PiecePose("dotted", 0, -20, 60)), (HandPose(0, -18, 90, look=3, height_mm=16),))
GONE = TablePose(LAID.pieces)


def test_ends_are_the_keyframes():
    assert between(EMPTY, COMING, 0) == EMPTY
    assert between(COMING, LAID, 1) == LAID


def test_a_hand_comes_along_its_forearm_with_what_it_carries():
    early, late = (between(EMPTY, COMING, share) for share in (0.2, 0.8))
    assert early.hands[0].y_mm > late.hands[0].y_mm > 0
    assert early.hands[0].y_mm < AWAY_MM
    for pose in (early, late):
        carried = next(p for p in pose.pieces if p.id == "dotted")
        assert carried.lift_mm > 0
        assert (carried.x_mm, carried.y_mm) == pytest.approx((pose.hands[0].x_mm, pose.hands[0].y_mm), abs=0.1)
    assert between(LAID, GONE, 0.9).hands[0].y_mm > 200


def test_what_lies_does_not_move_and_what_is_laid_comes_down():
    middle = between(COMING, LAID, 0.5)
    lying, laid = middle.pieces
    assert lying == LYING
    assert 0 < laid.lift_mm < 26 and 40 < laid.turn_deg < 60


def test_a_film_lies_still_and_then_travels_with_motion_blur():
    second = 10**9
    frames = list(film([(0, EMPTY), (second, COMING), (2 * second, LAID), (3 * second, GONE)], fps=20))
    times = [t for t, _ in frames]
    assert times == sorted(times) and times[-1] == 3 * second
    assert {b - a for a, b in pairwise(times[:-1])} == {second // 20}
    assert all(pose == EMPTY for t, pose in frames if t < 0.5 * second)
    fastest = max(np.hypot(*hand.moving) for _, pose in frames for hand in pose.hands)
    assert 5 < fastest < 60
    assert all(hand.moving == (0, 0) for t, pose in frames if 2.05 * second < t < 2.5 * second for hand in pose.hands)


def test_a_moving_hand_is_smeared(plain):
    camera = SimulatedCamera(plain, EASY, 2, table="pale")
    still, fast = (
        camera.look(TablePose((), (HandPose(0, 0, 90, look=1, moving=moving),)), 0).image.astype(float)
        for moving in ((0, 0), (25, 0))
    )
    sharpness = [np.abs(np.diff(image, axis=1)).max() for image in (still, fast)]
    assert sharpness[1] < 0.6 * sharpness[0]


def test_lockstep_gives_each_moment_once(plain):
    camera = LockstepCamera(SimulatedCamera(plain, EASY, 3))
    assert camera.read() is None
    camera.feed(Moment(5, EMPTY))
    camera.feed(msgspec.to_builtins(Moment(9, LAID)))
    first, second = camera.read(), camera.read()
    assert (first.t_ns, second.t_ns) == (5, 9)
    assert not np.array_equal(first.image, second.image)
    assert camera.read() is None
    with pytest.raises(msgspec.ValidationError):
        camera.feed({"t_ns": "soon"})
    camera.feed(Moment(11, EMPTY))
    camera.close()
    assert camera.read() is None


def test_an_unknown_condition_is_refused(plain):
    with pytest.raises(CameraError, match="midnight"):
        open_lockstep(str(plain.folder), condition="midnight")
    assert open_lockstep(str(plain.folder), condition="easy").read() is None
