"""USB cameras against a stand-in for cv2.VideoCapture."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware import v4l2_camera
from hardware.cameras import CameraError
from hardware.holders import holder
from hardware.sensor_time import SensorClock
from hardware.v4l2_camera import V4l2Camera, open_v4l2

START = 7_000_000_000
FRAME = 33_000_000


class FakeCapture:
    """``stamped``: the kernel's stamps come along. ``pulled``: it gives the last picture for ever; ``dead``: none."""

    opens = True

    def __init__(self, path="", api=cv2.CAP_V4L2):
        self.path, self.api = path, api
        self.settings = {}
        self.stamped, self.pulled, self.dead = True, False, False
        self.now, self.count, self.stamp_ms, self.released = START, 0, 0.0, False

    def clock(self):
        return self.now

    def isOpened(self):
        return self.opens

    def grab(self):
        self.now += FRAME
        if self.dead:
            return False
        if not self.pulled:
            self.count += 1
            self.stamp_ms = (self.now - 9_000_000) / 1e6 if self.stamped else 0.0
        return True

    def retrieve(self):
        return True, np.full((6, 8, 3), self.count % 250, np.uint8)

    def get(self, what):
        assert what == cv2.CAP_PROP_POS_MSEC
        return self.stamp_ms

    def set(self, what, value):
        self.settings[what] = value
        return True

    def release(self):
        self.released = True


@pytest.fixture
def device(tmp_path):
    path = tmp_path / "video0"
    path.touch()
    return str(path)


@pytest.fixture
def capture():
    return FakeCapture()


@pytest.fixture
def camera(capture, device):
    return V4l2Camera(capture, device, clock=capture.clock, sensor=SensorClock(lead_ns=0))


def test_frames_have_the_kernels_time(camera, capture):
    frames = [camera.read() for _ in range(3)]
    assert [frame.t_ns for frame in frames] == [START + FRAME * n - 9_000_000 for n in (1, 2, 3)]


def test_without_stamps_the_time_is_that_of_the_fetching(camera, capture):
    capture.stamped = False
    assert camera.read().t_ns == START + FRAME


@pytest.mark.parametrize("stamped", [True, False])
def test_a_camera_that_repeats_its_last_picture_has_stopped(camera, capture, stamped):
    capture.stamped = stamped
    assert camera.read() is not None
    capture.pulled = True
    assert camera.read() is None
    with pytest.raises(CameraError, match=r"gives no new pictures\. Pull its plug"):
        for _ in range(1000):
            assert camera.read() is None


def test_a_still_picture_with_new_stamps_is_alive(camera, capture, monkeypatch):
    monkeypatch.setattr(capture, "retrieve", lambda: (True, np.zeros((6, 8, 3), np.uint8)))
    assert all(camera.read() is not None for _ in range(300))


def test_a_camera_that_is_gone_is_said(camera, capture, device):
    camera.read()
    capture.dead = True
    Path(device).unlink()
    with pytest.raises(CameraError, match=r"is gone\. Plug it in again"):
        for _ in range(1000):
            camera.read()


def test_a_camera_that_somebody_else_has_is_said(camera, capture, device):
    capture.dead = True
    code = "import sys; f = open(sys.argv[1]); print('open', flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", code, device], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout.readline() == "open\n"
        with pytest.raises(CameraError, match=rf"in use by python.* \({other.pid}\)\. Close that program"):
            for _ in range(1000):
                camera.read()
        other.communicate("")
    assert holder(device) is None


def test_it_is_opened_for_motion_jpeg(device, monkeypatch):
    opened = []
    monkeypatch.setattr(v4l2_camera.cv2, "VideoCapture", lambda *given: opened.append(FakeCapture(*given)) or opened[0])
    camera = open_v4l2((1280, 720), 30, device)
    assert (opened[0].path, opened[0].api) == (device, cv2.CAP_V4L2)
    assert opened[0].settings[cv2.CAP_PROP_FOURCC] == cv2.VideoWriter.fourcc(*"MJPG")
    assert opened[0].settings[cv2.CAP_PROP_FRAME_WIDTH] == 1280
    camera.close()
    assert opened[0].released


def test_what_is_no_camera_is_said(device, monkeypatch):
    monkeypatch.setattr(FakeCapture, "opens", False)
    monkeypatch.setattr(v4l2_camera.cv2, "VideoCapture", FakeCapture)
    with pytest.raises(CameraError, match="gives no pictures"):
        open_v4l2(device=device)


def test_a_missing_device_is_said():
    with pytest.raises(CameraError, match="There is no camera /dev/video77"):
        open_v4l2(device=77)
