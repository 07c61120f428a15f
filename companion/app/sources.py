"""From the config's camera to what the vision process opens."""

from __future__ import annotations

import importlib.util
from typing import Any

from companion.app.config import Camera
from companion.deck import Deck
from vision.messages import Source


def source_of(camera: Camera, deck: Deck) -> Source | None:
    """The camera as the vision process opens it, in its own process; None plays without one."""
    live: dict[str, Any] = {"size": camera.size, "fps": camera.fps}
    interval = 1 / camera.fps if camera.interval is None else camera.interval
    match known(camera.kind):
        case "picamera2":
            return Source("hardware.picamera_camera:open_picamera", {**live, "device": camera.device or 0})
        case "v4l2":
            device = 0 if camera.device is None else camera.device
            return Source("hardware.v4l2_camera:open_v4l2", {**live, "device": device})
        case "folder" | "video":
            played = {"path": camera.path, "interval_s": interval, "repeat": camera.repeat, "hold": True}
            return Source("hardware.cameras:open_folder", played)
        case "simulated":
            return Source(
                "hardware.table_camera:open_simulated", {"deck_folder": str(deck.folder), "interval_s": interval}
            )
    return None


def known(kind: str) -> str:
    """The kind of camera; "auto" is the Pi's where picamera2 is installed, else none."""
    if kind != "auto":
        return kind
    return "picamera2" if importlib.util.find_spec("picamera2") is not None else "none"
