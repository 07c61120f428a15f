"""The Pi's camera against a stand-in for picamera2 that behaves as its documentation says."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import numpy as np
import pytest

from hardware.cameras import CameraError
from hardware.picamera_camera import CALM_FRAMES, RELOCK, SETTLE_S, PicameraCamera, open_picamera
from hardware.sensor_time import SensorClock

START = 5_000_000_000
FRAME = 66_000_000


class FakeRequest:
    def __init__(self, picam, metadata):
        self.picam, self.metadata = picam, metadata

    def get_metadata(self):
        return self.metadata

    def make_array(self, name):
        assert name == "main"
        width, height = self.picam.configuration["main"]["size"]
        return np.full((height, width, 3), (30, 20, 10), np.uint8)

    def release(self):
        self.picam.held -= 1


class FakeJob:
    def __init__(self, picam):
        self.picam = picam

    def get_result(self, timeout=None):
        assert timeout is not None and timeout <= 1
        return self.picam.deliver(timeout)


class FakePicamera2:
    """Light settles over the first frames; ``frozen`` repeats a stamp, ``silent`` gives nothing."""

    cameras = ({"Num": 0},)
    busy = False

    @staticmethod
    def global_camera_info():
        return list(FakePicamera2.cameras)

    def __init__(self, number=0):
        if FakePicamera2.busy:
            raise RuntimeError("Failed to acquire camera: Device or resource busy")
        self.camera_controls = {"ExposureTime": (1, 2, 3), "AfMode": (0, 2, 0)}
        self.configurations = []
        self.running = self.closed = self.silent = self.frozen = False
        self.held = self.jobs = self.frames = 0
        self.settles = 12
        self.frame_ns = FRAME
        self.now = START

    def clock(self):
        return self.now

    @property
    def configuration(self):
        return self.configurations[-1]

    def create_video_configuration(self, main, controls, buffer_count):
        return {"main": main, "controls": controls}

    def configure(self, configuration):
        assert not self.running
        self.configurations.append(configuration)
        self.frames = 0

    def start(self):
        self.running = True

    def stop(self):
        self.running = False

    def close(self):
        self.closed = True

    def capture_request(self, wait):
        assert self.running and wait is False
        self.jobs += 1
        return FakeJob(self)

    def deliver(self, timeout):
        if self.silent:
            self.now += round(timeout * 1e9)
            raise TimeoutError
        self.now += self.frame_ns
        self.frames += 1
        self.held += 1
        auto = self.configuration["controls"]["AeEnable"]
        exposure = 1000 * min(self.frames, self.settles) if auto else self.configuration["controls"]["ExposureTime"]
        stamp = START if self.frozen else self.now - 20_000_000
        return FakeRequest(
            self,
            {
                "SensorTimestamp": stamp,
                "ExposureTime": exposure,
                "AnalogueGain": 2.0,
                "ColourGains": (1.5, 1.8),
                "LensPosition": 1.9,
            },
        )


@pytest.fixture
def picam(monkeypatch):
    monkeypatch.setattr(FakePicamera2, "busy", False)
    monkeypatch.setattr(FakePicamera2, "cameras", ({"Num": 0},))
    monkeypatch.setitem(sys.modules, "picamera2", SimpleNamespace(Picamera2=FakePicamera2))
    return FakePicamera2()


@pytest.fixture
def camera(picam):
    return PicameraCamera(picam, (320, 240), 15, clock=picam.clock, sensor=SensorClock(lead_ns=0))


def first_frame(camera):
    for count in range(200):
        frame = camera.read()
        if frame is not None:
            return count, frame
    raise AssertionError("no frame came")


def test_light_and_focus_settle_and_are_then_locked_in_the_configuration(camera, picam):
    waited, frame = first_frame(camera)
    assert waited >= picam.settles + CALM_FRAMES - 1
    auto, locked = picam.configurations
    assert auto["main"] == {"size": (320, 240), "format": "RGB888"}
    assert auto["controls"]["AeEnable"] and auto["controls"]["AfMode"] == 2
    assert locked["controls"] == {
        "FrameDurationLimits": (66667, 66667),
        "AeEnable": False,
        "AwbEnable": False,
        "ExposureTime": 12000,
        "AnalogueGain": 2.0,
        "ColourGains": (1.5, 1.8),
        "AfMode": 0,
        "LensPosition": 1.9,
    }
    assert frame.image.shape == (240, 320, 3)
    assert frame.image[0, 0].tolist() == [30, 20, 10]
    assert frame.t_ns == picam.now - 20_000_000
    assert picam.held == 0


@pytest.mark.parametrize("fps", [15, 2, 1])
def test_a_lamp_that_flickers_is_locked_in_the_end(camera, picam, fps):
    picam.settles, picam.frame_ns = 10_000, round(1e9 / fps)
    waited, frame = first_frame(camera)
    assert waited >= CALM_FRAMES
    assert SETTLE_S <= (frame.t_ns - START) / 1e9 <= max(SETTLE_S, CALM_FRAMES / fps) + 2 / fps


def test_it_locks_anew_when_told(camera, picam):
    first_frame(camera)
    camera.feed("something else")
    assert camera.read() is not None
    picam.settles = 5
    camera.feed(RELOCK)
    assert camera.read() is None
    first_frame(camera)
    assert picam.configuration["controls"]["ExposureTime"] == 5000


def test_a_camera_without_focus_is_told_nothing_of_it(picam):
    del picam.camera_controls["AfMode"]
    camera = PicameraCamera(picam, clock=picam.clock)
    first_frame(camera)
    assert all("AfMode" not in configuration["controls"] for configuration in picam.configurations)


@pytest.mark.parametrize("how", ["silent", "frozen"])
def test_frames_that_stop_are_said(camera, picam, how):
    first_frame(camera)
    camera.read()
    setattr(picam, how, True)
    jobs = picam.jobs
    with pytest.raises(CameraError, match=r"gives no more pictures\. Check its ribbon cable"):
        for _ in range(200):
            camera.read()
    assert picam.held == 0
    if how == "silent":
        assert picam.jobs == jobs + 1  # one job is waited for, they do not pile up


def test_a_busy_camera_is_said(picam, monkeypatch):
    monkeypatch.setattr(FakePicamera2, "busy", True)
    with pytest.raises(CameraError, match="in use by another program"):
        open_picamera()


@pytest.mark.parametrize(
    ("cameras", "device", "says"), [((), 0, "No camera is connected"), (({"Num": 0},), 1, "no camera number 1")]
)
def test_a_missing_camera_is_said(picam, monkeypatch, cameras, device, says):
    monkeypatch.setattr(FakePicamera2, "cameras", cameras)
    with pytest.raises(CameraError, match=says):
        open_picamera(device=device)


def test_a_camera_that_cannot_start_is_let_go(picam, monkeypatch):
    opened = []

    def refuse(self):
        opened.append(self)
        raise RuntimeError("no memory")

    monkeypatch.setattr(FakePicamera2, "start", refuse)
    with pytest.raises(CameraError, match="cannot be started: no memory"):
        open_picamera()
    assert opened[0].closed


def test_it_lets_go_of_the_camera(camera, picam):
    camera.close()
    assert picam.closed and not picam.running


def test_without_the_library_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(CameraError, match="sudo apt install python3-picamera2"):
        open_picamera()
