"""What lies where on the simulated table: plain frozen data, in table millimetres.

Table coordinates: x to the right and y down as the camera sees the table, the origin below the middle of the
picture, heights upwards. Angles are degrees, clockwise as seen from above (x turns towards y).
"""

from __future__ import annotations

from typing import Literal

import msgspec

Colour = tuple[float, float, float]
"""Red, green and blue as reflected light (linear, 0 to 1)."""

HandKind = Literal["flat", "pinch", "point", "fist"]
ClutterKind = Literal["glass", "phone", "die", "cannonball", "stack", "overview", "hit-card", "pen"]


class PiecePose(msgspec.Struct, frozen=True):
    """One piece of the deck. ``x_mm, y_mm`` is its middle, ``turn_deg`` where its upright face is turned to.

    ``level`` 0 lies on the table, 1 on what it overlaps of level 0, and so on: the n-th card of a pile has level n.
    ``lift_mm`` is how far a hand holds it above that, ``tilt_deg`` (only when lifted, and short of 90) how far it is
    turned about its own x axis, its upper edge rising, ``moving`` how far it travels (x, y in mm) while one frame is
    exposed. A piece of which the deck has several copies may lie there as often.
    """

    id: str
    x_mm: float
    y_mm: float
    turn_deg: float = 0.0
    face_up: bool = True
    level: int = 0
    lift_mm: float = 0.0
    moving: tuple[float, float] = (0.0, 0.0)
    tilt_deg: float = 0.0


class HandPose(msgspec.Struct, frozen=True):
    """A hand with its forearm and sleeve. ``x_mm, y_mm`` is where the finger tips are, ``from_deg`` the direction in
    which the forearm leads away from there (0 to the right, 90 towards the bottom of the picture)."""

    x_mm: float
    y_mm: float
    from_deg: float
    kind: HandKind = "pinch"
    skin: Colour = (0.62, 0.36, 0.25)
    sleeve: Colour = (0.1, 0.15, 0.3)
    size: float = 1.0
    left: bool = False
    height_mm: float = 22.0
    moving: tuple[float, float] = (0.0, 0.0)
    look: int = 0
    """Which of the many hands: pattern of the sleeve, its length, the spread of the fingers."""


class Clutter(msgspec.Struct, frozen=True):
    """Something on the table that is no piece to be read. ``variant`` chooses among the looks of its kind.

    ``cards``: how many a "stack" has; 0 leaves that to ``variant`` too.
    """

    kind: ClutterKind
    x_mm: float
    y_mm: float
    turn_deg: float = 0.0
    variant: int = 0
    cards: int = 0


class TablePose(msgspec.Struct, frozen=True):
    """All that is on the table at one moment, pieces of the same level in the order in which they were laid."""

    pieces: tuple[PiecePose, ...] = ()
    hands: tuple[HandPose, ...] = ()
    clutter: tuple[Clutter, ...] = ()
