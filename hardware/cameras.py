"""Cameras: whatever gives frames of the table. One owner each; the vision worker opens them by name.

``Camera`` is the protocol. ``FolderCamera`` plays a folder of pictures or a video file; the simulated table is in
``hardware.simulated``.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np

from companion.words import Text, _
from companion.world import Frame, Image

PICTURES = (".jpg", ".jpeg", ".png")
LONGEST_WAIT_S = 1.0
"""So long a camera may wait in one ``read``: one that is silent for longer cannot be told from one that hangs."""


class CameraError(Exception):
    """A camera that cannot be used; ``sentence`` says what people can do."""

    def __init__(self, sentence: Text) -> None:
        super().__init__(str(sentence))
        self.sentence = sentence


class Camera(Protocol):
    """Gives frames, newest last. Not thread-safe: one owner."""

    def read(self) -> Frame | None:
        """The next frame; blocks for it, a second at most. None when none came (yet), or at the end."""

    def feed(self, message: Any) -> None:
        """Something from the main process that only this camera understands (the simulated table's poses)."""

    def close(self) -> None:
        """Let go of the device."""


def encode(image: Image, quality: int = 92) -> bytes:
    """A picture as JPEG."""
    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise ValueError("this picture cannot be written as JPEG")
    return data.tobytes()


def decode(data: bytes) -> Image | None:
    """The picture in a JPEG or PNG; None when it cannot be read."""
    if not data:
        return None
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:  # more pixels than it takes
        return None
    return None if image is None else np.asarray(image, np.uint8)


def as_recorded(frame: Frame, quality: int = 92) -> Frame:
    """The frame as a recording would give it back: JPEG, and the pixels decoded from that JPEG.

    Live play reads these, so that a replay reads exactly what play read. Cameras that give JPEG are left alone.
    """
    if frame.jpeg is not None:
        return frame
    data = encode(frame.image, quality)
    image = decode(data)
    assert image is not None
    return Frame(frame.t_ns, image, data)


def in_order(files: Iterable[Path]) -> list[Path]:
    """Pictures by their names; by number where all are numbered, as the frames of a recording are."""
    named = sorted(files)
    return sorted(named, key=lambda file: int(file.stem)) if all(file.stem.isdecimal() for file in named) else named


class Pace:
    """When a camera that is no device gives its pictures: one every ``interval_s``."""

    def __init__(self, interval_s: float, clock: Callable[[], int], sleep: Callable[[float], None]) -> None:
        self._interval_ns = int(interval_s * 1e9)
        self._clock, self._sleep = clock, sleep
        self._next_ns = 0

    def wait(self) -> int | None:
        """Wait for the next picture's moment and return it; None when it is further away than a camera may wait."""
        wait_s = (self._next_ns - self._clock()) / 1e9
        if wait_s > 0:
            self._sleep(min(wait_s, LONGEST_WAIT_S))
        if wait_s > LONGEST_WAIT_S:
            return None
        now = self._clock()
        self._next_ns = max((self._next_ns or now) + self._interval_ns, now)
        return now


class FolderCamera:
    """Plays the pictures of a folder (by name, or by number) or a video file, once or over and over.

    ``interval_s`` is the time between frames; 0 gives them as fast as they are read. Pictures named by their time
    in ns keep it when ``keep_times``. At the end of what is not repeated the last picture stays when ``hold``: a camera
    that looks at a table on which nothing happens any more. Unreadable pictures are left out.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        interval_s: float = 1 / 15,
        repeat: bool = True,
        hold: bool = False,
        keep_times: bool = False,
        clock: Callable[[], int] = time.monotonic_ns,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._path = Path(path)
        self._pace = Pace(interval_s, clock, sleep)
        self._repeat, self._hold = repeat, hold
        self._keep_times = keep_times
        try:
            if self._path.is_dir():
                if not any(file.suffix.lower() in PICTURES for file in self._path.iterdir()):
                    raise CameraError(_("There are no pictures in {folder}.", folder=str(self._path)))
            elif not self._path.is_file():
                raise CameraError(_("{path} is neither a folder of pictures nor a video.", path=str(self._path)))
        except OSError as error:
            raise CameraError(
                _(
                    "{path} cannot be read: {why}. Give a place that this program may read.",
                    path=str(self._path),
                    why=error.strerror,
                )
            ) from error
        self._frames = self._play()

    def _play(self) -> Iterator[tuple[int | None, Image, bytes | None]]:
        while True:
            last = None
            for item in self._pictures() if self._path.is_dir() else self._video():
                last = item
                yield item
            if last is None:
                raise CameraError(_("No picture in {path} can be read.", path=str(self._path)))
            if self._repeat:
                continue
            while self._hold:
                yield None, *last[1:]
            return

    def _pictures(self) -> Iterator[tuple[int | None, Image, bytes | None]]:
        for file in in_order(file for file in self._path.iterdir() if file.suffix.lower() in PICTURES):
            try:
                data = file.read_bytes()
            except OSError:  # a folder, or not for this user to read
                continue
            image = decode(data)
            if image is None:
                continue
            t_ns = int(file.stem) if self._keep_times and file.stem.isdecimal() else None
            yield t_ns, image, data if file.suffix.lower() != ".png" else None

    def _video(self) -> Iterator[tuple[int | None, Image, bytes | None]]:
        video = cv2.VideoCapture(str(self._path))
        try:
            while True:
                there, image = video.read()
                if not there:
                    return
                yield None, np.asarray(image, np.uint8), None
        finally:
            video.release()

    def read(self) -> Frame | None:
        """The next picture at its time; None until then, and at the end."""
        now = self._pace.wait()
        item = None if now is None else next(self._frames, None)
        if now is None or item is None:
            return None
        t_ns, image, data = item
        return as_recorded(Frame(now if t_ns is None else t_ns, image, data))

    def feed(self, message: Any) -> None:
        """Nothing: a folder takes no orders."""

    def close(self) -> None:
        """Let go of the file."""
        self._frames.close()  # type: ignore[attr-defined]


def open_folder(path: str, interval_s: float = 1 / 15, repeat: bool = True, hold: bool = False) -> FolderCamera:
    """Factory for the vision worker (``hardware.cameras:open_folder``)."""
    return FolderCamera(path, interval_s=interval_s, repeat=repeat, hold=hold)
