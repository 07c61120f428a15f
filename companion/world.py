"""Plain data that every part of the program shares: frames, what was seen in them, presses, seats.

Times are ``CLOCK_MONOTONIC`` nanoseconds. Picture coordinates are pixels of the frame, x to the right and y
down; table coordinates are millimetres on the table plane, x to the right and y down as the camera sees it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
"""A BGR picture: height x width x 3, uint8."""

Point = tuple[float, float]
Quad = tuple[Point, Point, Point, Point]
"""A piece's outline: the face's own top-left, top-right, bottom-right, bottom-left, so it also says the turn."""

NOTHING = "none"
"""The name of what shows through a hole that meets no symbol."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture from a camera, stamped with the moment its exposure ended."""

    t_ns: int
    image: Image
    jpeg: bytes | None = None


class HoleReading(msgspec.Struct, frozen=True):
    """What shows through one hole of a Sight tile.

    ``share`` is how much of the symbol shows (0 to 1) as geometry tells it, ``ranked`` the names with their
    probabilities, best first (at least the best one; empty hole: ``NOTHING``).
    """

    symbol: str
    confidence: float
    sure: bool
    share: float = 1.0
    ranked: tuple[tuple[str, float], ...] = ()


class Sighting(msgspec.Struct, frozen=True):
    """One piece as seen in one frame. ``id`` is None for something card-shaped that no face explains."""

    id: str | None
    kind: str | None
    corners: Quad
    confidence: float
    sure: bool
    corners_mm: Quad | None = None
    covered_by: str | None = None
    over: str | None = None
    holes: tuple[HoleReading, ...] = ()
    ranked: tuple[tuple[str, float], ...] = ()
    face_up: bool = True
    fresh: bool = True
    """False while it is carried over from an earlier frame because something moves or rests on it."""


class Hand(msgspec.Struct, frozen=True):
    """The outline of a hand, sleeve or other moving thing over the table, in pixels."""

    outline: tuple[Point, ...]
    side: Literal["top", "right", "bottom", "left"] | None = None
    """The edge of the picture it reaches in from."""


class PileChange(msgspec.Struct, frozen=True):
    """What became of a pile while hands were there. ``t_ns`` is the frame that told it: a later change has a later one.

    ``top`` is what lies uppermost then; None when nothing does any more, or nothing that has a name (``gone`` says
    which). ``came`` is the probability that a card has come on top. ``moved_mm`` and ``turned_deg`` say how far the
    face that was uppermost before lies from where it was; None when another one is uppermost, or nothing was.
    ``seen_ns`` is the first frame in which the top was to be seen as it lies, ``before_ns`` the last one in which it
    was not.
    ``hands`` are the directions (degrees, 0 right, 90 down) from the pile in which hands reached in, the likeliest to
    have done it first. ``first``: nothing was known of this place before.
    """

    t_ns: int
    top: Sighting | None = None
    gone: bool = False
    came: float = 0.0
    moved_mm: float | None = None
    turned_deg: float | None = None
    seen_ns: int = 0
    before_ns: int = 0
    hands: tuple[float, ...] = ()
    first: bool = False


class Pile(msgspec.Struct, frozen=True):
    """Cards that lie over each other: the uppermost (None: no card), and the latest changes, oldest first."""

    top: Sighting | None = None
    changes: tuple[PileChange, ...] = ()


class Scene(msgspec.Struct, frozen=True):
    """What the vision makes of one frame. ``plane`` is the homography, row by row, from pixels to millimetres."""

    t_ns: int
    sequence: int
    size: tuple[int, int]
    sightings: tuple[Sighting, ...] = ()
    hands: tuple[Hand, ...] = ()
    moving: bool = False
    plane: tuple[float, ...] | None = None
    read: bool = False
    """True when at least one region was read anew in this frame."""
    lost: str | None = None
    """Why there is no view of the table (camera stopped, moved, dark), in a sentence for people; else None."""
    pile: Pile | None = None
    """Where pieces lie over each other (None: not looked for, or none was seen yet)."""


class Press(msgspec.Struct, frozen=True, gc=False):
    """One raw edge of a slap button. ``clock`` says who stamped it; on a line whose edges the kernel stamps, what
    software stamped is a level that was found there without a report."""

    seat: str
    t_ns: int
    level: int
    clock: Literal["kernel", "software"] = "kernel"


CALM_NS = 30_000_000
"""Fingers leave a button's line without an edge for so long, again and again."""
CHATTER_NS, CHATTER_EDGES = 250_000_000, 64
"""A line chatters that has edges for longer, or more of them, without being calm once."""
TRUST_NS = 1_000_000_000
"""A line that chattered is trusted again after so long at rest."""


class Player(msgspec.Struct, frozen=True):
    """A person at a seat. ``seat`` is the place's id (for Hook! the character)."""

    seat: str
    name: str
    team: str | None = None
