"""From the config's camera to what the vision process opens."""

from __future__ import annotations

import importlib.util
from typing import Any

from companion.app.config import Camera, Config
from companion.deck import Deck
from vision.messages import Source

PLAYED = ("folder", "video", "simulated")
"""The cameras that ``interval`` is for: the others are devices."""


def source_of(camera: Camera, deck: Deck) -> Source | None:
    """The camera as the vision process opens it, in its own process; None plays without one."""
    live: dict[str, Any] = {"size": camera.size, "fps": camera.fps}
    match kind_of(camera):
        case "picamera2":
            return Source("hardware.picamera_camera:open_picamera", {**live, "device": camera.device or 0})
        case "v4l2":
            device = 0 if camera.device is None else camera.device
            return Source("hardware.v4l2_camera:open_v4l2", {**live, "device": device})
        case "folder" | "video":
            played = {"path": camera.path, "interval_s": interval_s(camera), "repeat": camera.repeat, "hold": True}
            return Source("hardware.cameras:open_folder", played)
        case "simulated":
            drawn = {"deck_folder": str(deck.folder), "interval_s": interval_s(camera)}
            return Source("hardware.table_camera:open_simulated", drawn)
    return None


def kind_of(camera: Camera) -> str:
    """The kind of camera, where "auto" has been decided."""
    if camera.kind != "auto":
        return camera.kind
    if isinstance(camera.device, str):
        return "v4l2"
    return "picamera2" if importlib.util.find_spec("picamera2") is not None else "none"


def patience_s(config: Config) -> float:
    """How long the camera may give no new picture until it counts as lost."""
    return max(config.vision.frame_age_s, 2 * interval_s(config.camera))


def interval_s(camera: Camera) -> float:
    """The time between two pictures."""
    if camera.interval is None or camera.kind not in PLAYED:
        return 1 / camera.fps
    return camera.interval
