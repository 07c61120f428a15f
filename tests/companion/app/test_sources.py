"""Which camera a config means, and how long it may be silent."""

from __future__ import annotations

import pytest

from companion.app import games
from companion.app.config import Camera, Config, Vision
from companion.app.sources import patience_s, source_of
from companion.deck import Deck


@pytest.fixture(scope="module")
def deck() -> Deck:
    return games.load("hook", None)


@pytest.mark.parametrize("installed", [None, object()])
def test_the_usb_camera_that_is_named_is_the_one_that_is_used(
    deck: Deck, monkeypatch: pytest.MonkeyPatch, installed: object
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: installed)
    source = source_of(Camera(device="/dev/video2"), deck)
    assert source is not None
    assert source.factory == "hardware.v4l2_camera:open_v4l2"
    assert source.options["device"] == "/dev/video2"
    for device in (None, 1):
        found = source_of(Camera(device=device), deck)
        assert (found is None) is (installed is None)


@pytest.mark.parametrize(
    ("camera", "seconds"),
    [
        (Camera(), 5.0),
        (Camera("folder", path="photos", interval=20), 40.0),
        (Camera("folder", path="photos", interval=0), 5.0),
        (Camera("v4l2", interval=20), 5.0),  # which takes its pictures when it likes
    ],
)
def test_a_camera_of_rare_pictures_may_be_silent_for_longer(camera: Camera, seconds: float) -> None:
    assert patience_s(Config(camera=camera)) == seconds


def test_a_slow_camera_has_the_time_of_two_pictures() -> None:
    assert patience_s(Config(camera=Camera("v4l2", fps=1), vision=Vision(frame_age_s=1))) == 2.0
