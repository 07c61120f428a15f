"""The newest picture of the table, and the outlines of the cards over it."""

from __future__ import annotations

from companion.table import Snapshot
from companion.world import Point
from web.model import PictureView, Shape


def picture(snapshot: Snapshot) -> PictureView | None:
    """The table's newest picture with its own scene; None without one, or while the camera is lost."""
    view = snapshot.view
    if view is None or snapshot.camera.camera == "lost":
        return None
    scene = view.scene
    shapes = [Shape(s.kind or "unknown", _points(s.corners), (0.0, 0.0), None, s.sure) for s in scene.sightings]
    shapes += [Shape("hand", _points(hand.outline), (0.0, 0.0), None, True) for hand in scene.hands]
    return PictureView(view.picture, scene.size, tuple(shapes))


def _points(corners: tuple[Point, ...]) -> str:
    return " ".join(f"{x:.0f},{y:.0f}" for x, y in corners)
