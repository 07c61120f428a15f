"""A USB camera through Video4Linux (OpenCV), as Motion JPEG.

A camera whose plug was pulled may go on giving its last picture for ever: frames of an old stamp (where the kernel
stamps them), or that are the same to the last pixel, are no frames.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.words import Text, _
from companion.world import Frame, Image
from hardware.cameras import CameraError
from hardware.holders import holder
from hardware.sensor_time import SensorClock

STOPPED_S = 4.0
"""A camera without a new picture for so long has stopped."""
SELECT = "OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT"
"""How many seconds OpenCV waits for a frame: ten unless this says less, and so long a hung camera went unnoticed."""


class V4l2Camera:
    """``capture`` is an opened ``cv2.VideoCapture`` on ``device``."""

    def __init__(
        self,
        capture: Any,
        device: str,
        *,
        clock: Callable[[], int] = time.monotonic_ns,
        sensor: SensorClock | None = None,
    ) -> None:
        self._capture, self._device, self._clock = capture, device, clock
        self._sensor = sensor or SensorClock()
        self._stamp_ms: float | None = None
        self._image: Image | None = None
        self._new_ns: int | None = None

    def read(self) -> Frame | None:
        """The next frame, stamped by the kernel where it does, else when it was fetched. None when none came."""
        grabbed = bool(self._capture.grab())
        now = self._clock()
        if self._new_ns is None:  # it may have been opened long before
            self._new_ns = now
        image = self._retrieve() if grabbed else None
        if image is None:
            self._stopped(now)
            return None
        stamp_ms = float(self._capture.get(cv2.CAP_PROP_POS_MSEC))
        t_ns = self._sensor.monotonic_ns(round(stamp_ms * 1e6) if stamp_ms > 0 else None, now)
        old = stamp_ms == self._stamp_ms if self._sensor.base else _same(image, self._image)
        if old:
            self._stopped(now)
            return None
        self._stamp_ms, self._image, self._new_ns = stamp_ms, image, now
        return Frame(t_ns, image)

    def feed(self, message: Any) -> None:
        """Nothing: this camera takes no orders."""

    def close(self) -> None:
        """Let go of the device."""
        self._capture.release()

    def _retrieve(self) -> Image | None:
        there, image = self._capture.retrieve()
        return np.asarray(image, np.uint8) if there and image is not None else None

    def _stopped(self, now: int) -> None:
        if self._new_ns is None or now - self._new_ns <= STOPPED_S * 1e9:
            return
        if not Path(self._device).exists():
            raise CameraError(_("The camera {device} is gone. Plug it in again.", device=self._device))
        by = holder(self._device)
        if by is not None:
            raise CameraError(_in_use(self._device, by))
        raise CameraError(
            _("The camera {device} gives no new pictures. Pull its plug and put it in again.", device=self._device)
        )


def _same(image: Image, other: Image | None) -> bool:
    return other is not None and image.shape == other.shape and bool(np.array_equal(image, other))


def _in_use(device: str, by: str) -> Text:
    return _("The camera {device} is in use by {program}. Close that program.", device=device, program=by)


def open_v4l2(size: tuple[int, int] = (1280, 960), fps: float = 15.0, device: int | str = 0) -> V4l2Camera:
    """Factory for the vision worker (``hardware.v4l2_camera:open_v4l2``). ``device``: ``/dev/video0`` or its number."""
    path = f"/dev/video{device}" if isinstance(device, int) else device
    if not Path(path).exists():
        others = ", ".join(str(file) for file in sorted(Path("/dev").glob("video*")))
        raise CameraError(
            _("There is no camera {device}. There are: {others}.", device=path, others=others)
            if others
            else _("There is no camera {device}. Plug it in.", device=path)
        )
    if not os.access(path, os.R_OK | os.W_OK):
        raise CameraError(
            _(
                "The camera {device} may not be opened. Add the user to the group video: adduser USER video.",
                device=path,
            )
        )
    os.environ.setdefault(SELECT, "1")
    capture = cv2.VideoCapture(path, cv2.CAP_V4L2)
    if not capture.isOpened():
        capture.release()
        by = holder(path)
        raise CameraError(
            _("{device} gives no pictures: it is no camera, or one that is broken.", device=path)
            if by is None
            else _in_use(path, by)
        )
    capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
    capture.set(cv2.CAP_PROP_FPS, fps)
    capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)  # else the picture is as many frames old as there are buffers
    return V4l2Camera(capture, path)
