"""The newest picture of the table, and the outlines to draw over it."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.hook.names import CHARACTERS, colour_of
from companion.table import Snapshot
from companion.world import Sighting
from web.hook.model import PictureView, Shape


def picture(snapshot: Snapshot, names: Mapping[str, str]) -> PictureView | None:
    """The table's newest picture with its own scene; None without one, or while the camera is lost."""
    view = snapshot.view
    if view is None or snapshot.camera.camera == "lost":
        return None
    scene = view.scene
    shapes = [_shape(sighting) for sighting in sorted(scene.sightings, key=lambda s: s.kind == "sight-tile")]
    shapes += [Shape("hand", _points(hand.outline), (0.0, 0.0), None, True) for hand in scene.hands]
    return PictureView(view.picture, scene.size, tuple(shapes))


def _shape(sighting: Sighting) -> Shape:
    owner = next((seat for seat in CHARACTERS if sighting.id and seat in sighting.id), None)
    middle = (sum(x for x, _y in sighting.corners) / 4, sum(y for _x, y in sighting.corners) / 4)
    return Shape(
        kind=sighting.kind or "unknown",
        points=_points(sighting.corners),
        centre=middle,
        colour=colour_of(owner) if owner else None,
        sure=sighting.sure,
        symbols=tuple(hole.symbol for hole in sighting.holes),
    )


def _points(corners: tuple[tuple[float, float], ...]) -> str:
    return " ".join(f"{x:.0f},{y:.0f}" for x, y in corners)
