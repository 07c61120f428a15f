"""The Raspberry Pi's own camera, through picamera2, which is imported only when this camera is opened.

Exposure, gain, white balance and focus settle first; then the camera is configured anew with them fixed, so that
a hand over the table changes nothing but the hand. ``relock`` lets them settle again when the daylight has changed.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from companion.words import Text, _
from companion.world import Frame
from hardware.cameras import CameraError
from hardware.sensor_time import SensorClock

RELOCK = "relock"
"""Feed this to the camera to let it settle and lock anew."""

WAIT_S = 1.0
STOPPED_S = 5.0
"""A camera without a new frame for so long has stopped."""
CALM_FRAMES = 10
SETTLE_S = 5.0
"""After so long (and ``CALM_FRAMES``) it is locked as it is: a flickering lamp never settles."""
DRIFT = 0.02
"""Settled: over ``CALM_FRAMES`` no value moved by more than this share."""
FOCUS_MANUAL, FOCUS_CONTINUOUS = 0, 2


class PicameraCamera:
    """``picam`` is a ``picamera2.Picamera2``; ``fps`` the frames a second, ``size`` width and height in pixels."""

    def __init__(
        self,
        picam: Any,
        size: tuple[int, int] = (1280, 960),
        fps: float = 15.0,
        *,
        clock: Callable[[], int] = time.monotonic_ns,
        sensor: SensorClock | None = None,
    ) -> None:
        self._picam, self._size, self._clock = picam, size, clock
        self._sensor = sensor or SensorClock()
        frame_us = round(1e6 / fps)
        self._pace = {"FrameDurationLimits": (frame_us, frame_us)}
        self._job: Any = None
        self._seen: deque[tuple[float, ...]] = deque(maxlen=CALM_FRAMES)
        self._settling_ns: int | None = None
        self._stamp_ns: int | None = None
        self._new_ns: int | None = None
        self.locked: dict[str, Any] | None = None
        self.relock()

    def relock(self) -> None:
        """Let exposure, gain, white balance and focus settle, then lock them. No frames are given meanwhile."""
        self.locked = None
        self._settling_ns = None
        self._seen.clear()
        focus = {"AfMode": FOCUS_CONTINUOUS} if self._focuses else {}
        self._configure({"AeEnable": True, "AwbEnable": True, **focus})

    def read(self) -> Frame | None:
        """The next frame with the moment its exposure ended; None while the camera settles or when none came."""
        request = self._next()
        if request is None:
            self._stopped()
            return None
        now = self._clock()
        try:
            metadata: Mapping[str, Any] = request.get_metadata()
            stamp = metadata.get("SensorTimestamp")
            if stamp is not None and stamp == self._stamp_ns:
                self._stopped()
                return None
            self._stamp_ns, self._new_ns = stamp, now
            image = None if self.locked is None else np.ascontiguousarray(request.make_array("main"), np.uint8)
        finally:
            request.release()
        t_ns = self._sensor.monotonic_ns(stamp, now)
        if image is None:
            self._settle(metadata, now)
            return None
        return Frame(t_ns, image)

    def feed(self, message: Any) -> None:
        """``RELOCK``; a camera takes no other orders."""
        if message == RELOCK:
            self.relock()

    def close(self) -> None:
        """Let go of the camera."""
        self._picam.stop()
        self._picam.close()

    @property
    def _focuses(self) -> bool:
        return "AfMode" in self._picam.camera_controls

    def _next(self) -> Any:
        """A request, to be released; None when none came within a second. The same job is waited for again then."""
        if self._job is None:
            self._job = self._picam.capture_request(wait=False)
        try:
            request = self._job.get_result(timeout=WAIT_S)
        except TimeoutError:
            return None
        except RuntimeError as error:
            raise CameraError(_("The camera stopped: {why}.", why=str(error))) from error
        self._job = None
        return request

    def _stopped(self) -> None:
        if self._new_ns is None:  # it may have been opened long before it was first read
            self._new_ns = self._clock()
        if self._clock() - self._new_ns > STOPPED_S * 1e9:
            raise CameraError(_("The camera gives no more pictures. Check its ribbon cable at both ends."))

    def _settle(self, metadata: Mapping[str, Any], now: int) -> None:
        if self._settling_ns is None:
            self._settling_ns = now
        self._seen.append(_values(metadata))
        long = len(self._seen) == CALM_FRAMES and now - self._settling_ns >= SETTLE_S * 1e9
        if long or is_calm(tuple(self._seen)):
            self.locked = lock(metadata, focus=self._focuses)
            self._configure(self.locked)

    def _configure(self, controls: dict[str, Any]) -> None:
        self._picam.stop()
        self._job = None
        main = {"size": self._size, "format": "RGB888"}  # which lies in memory as blue, green, red
        try:
            self._picam.configure(
                self._picam.create_video_configuration(main=main, controls={**self._pace, **controls}, buffer_count=4)
            )
            self._picam.start()
        except RuntimeError as error:
            raise CameraError(_cannot(error)) from error
        self._new_ns = None


def is_calm(seen: tuple[tuple[float, ...], ...]) -> bool:
    """Whether enough frames were seen and no value has moved over them."""
    if len(seen) < CALM_FRAMES:
        return False
    values = np.asarray(seen, np.float64)
    return bool(np.all(np.ptp(values, axis=0) <= DRIFT * np.maximum(np.abs(values).max(axis=0), 1e-6)))


def lock(metadata: Mapping[str, Any], *, focus: bool) -> dict[str, Any]:
    """The controls that keep a camera as it was in the frame of this metadata."""
    kept: dict[str, Any] = {"AeEnable": False, "AwbEnable": False}
    kept.update({name: metadata[name] for name in ("ExposureTime", "AnalogueGain", "ColourGains") if name in metadata})
    if focus:
        kept["AfMode"] = FOCUS_MANUAL
        if "LensPosition" in metadata:
            kept["LensPosition"] = metadata["LensPosition"]
    return kept


def _values(metadata: Mapping[str, Any]) -> tuple[float, ...]:
    """What must come to rest: light gathered, the two gains of the white balance, focus."""
    light = float(metadata.get("ExposureTime", 0)) * float(metadata.get("AnalogueGain", 1.0))
    red, blue = metadata.get("ColourGains", (1.0, 1.0))
    return light, float(red), float(blue), float(metadata.get("LensPosition", 0.0) or 0.0)


def _cannot(error: Exception) -> Text:
    """Why the camera cannot be opened."""
    why = str(error)
    if "busy" in why.lower() or "__init__ sequence did not complete" in why:
        return _("The camera is in use by another program. Close that one; this one then goes on by itself.")
    return _("The camera cannot be started: {why}.", why=why)


def open_picamera(size: tuple[int, int] = (1280, 960), fps: float = 15.0, device: int = 0) -> PicameraCamera:
    """Factory for the vision worker (``hardware.picamera_camera:open_picamera``). ``device`` is the camera's number."""
    try:
        from picamera2 import Picamera2  # noqa: PLC0415  only on a Pi, and slow to import
    except ImportError as error:
        raise CameraError(
            _(
                "The library of the Pi's camera is missing. Install it with: sudo apt install python3-picamera2; "
                "then make the environment with --system-site-packages."
            )
        ) from error
    there = len(Picamera2.global_camera_info())
    if device >= there:
        raise CameraError(
            _("No camera is connected. Switch the Pi off, check the ribbon cable at both ends, and switch it on again.")
            if not there
            else _("There is no camera number {device}; the first one is 0.", device=device)
        )
    try:
        picam = Picamera2(device)
    except (RuntimeError, IndexError) as error:
        raise CameraError(_cannot(error)) from error
    try:
        return PicameraCamera(picam, (int(size[0]), int(size[1])), fps)
    except CameraError:
        picam.close()
        raise
