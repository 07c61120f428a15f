"""What the table shows of the camera: how it is, and a still picture at most twice a second."""

from __future__ import annotations

import logging
from collections.abc import Callable

from companion.table.api import Camera, View
from companion.words import Text, _, verbatim
from companion.world import Scene

Jpeg = Callable[[], bytes | None] | bytes | None
"""The frame of a scene as a JPEG, or what fetches it when it is needed."""

INTERVAL_NS = 500_000_000
KEPT = 4
_log = logging.getLogger(__name__)


class Exposure:
    """The frame of one scene, fetched once and only if somebody needs it."""

    def __init__(self, source: Jpeg) -> None:
        self._source = source

    def jpeg(self) -> bytes | None:
        """The JPEG; None when there is none, or it can no longer be fetched."""
        if callable(self._source):
            try:
                self._source = self._source()
            except Exception:
                _log.exception("The picture of a scene could not be fetched")
                self._source = None
        return self._source


class Window:
    """The newest picture for the pages. ``pictures`` is read by other threads and replaced, never changed."""

    def __init__(self, boot: str) -> None:
        self.view: View | None = None
        self.pictures: dict[str, bytes] = {}
        self._boot = boot
        self._shown: Scene | None = None
        self._at_ns: int | None = None

    def look(self, scene: Scene, exposure: Exposure, now_ns: int) -> bool:
        """Take a new picture if something changed and the last one is half a second old. Whether it did."""
        if self._at_ns is not None and now_ns - self._at_ns < INTERVAL_NS:
            return False
        if self._shown is not None and _face(self._shown) == _face(scene):
            return False
        self._at_ns, self._shown = now_ns, scene
        jpeg = exposure.jpeg()
        if jpeg is not None:
            name = f"frame-{self._boot[:8]}-{scene.sequence}.jpg"
            newest = list(self.pictures.items())[1 - KEPT :]
            self.pictures = dict([*newest, (name, jpeg)])
            self.view = View(name, scene)
        return True


def _face(scene: Scene) -> tuple[object, ...]:
    return scene.sightings, scene.hands, scene.moving, scene.lost


def camera_of(scene: Scene) -> Camera:
    """What the camera is doing, as a scene shows it."""
    if scene.lost is not None:
        return "lost"
    if scene.moving or scene.hands:
        return "waiting"
    return "reading" if scene.read else "watching"


def said(scene: Scene) -> Text | None:
    """Why there is no view of the table, as the vision says it; None where there is one."""
    if scene.lost is None:
        return None
    return verbatim(scene.lost)


def says(camera: Camera) -> Text:
    """The camera's state as a sentence."""
    match camera:
        case "none":
            return _("No camera: play by hand.")
        case "watching":
            return _("The camera is watching.")
        case "reading":
            return _("The camera is reading the table.")
        case "waiting":
            return _("The camera waits until the hands are gone.")
        case "lost":
            return _("The camera cannot see the table. Play can go on by hand.")
