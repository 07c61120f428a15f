"""What a scripted round is: moments to be seen, and the truth kept apart from them."""

from __future__ import annotations

from typing import Literal

import msgspec

from hardware.simulated.poses import TablePose

MOST_FRAMES = 20
"""No round has more."""

What = Literal["empty", "cards come", "cards", "tiles come", "rest", "taken back"]


class Keyframe(msgspec.Struct, frozen=True):
    """One moment of a round. ``still``: nothing moves, and no hand hides what matters."""

    t_ns: int
    pose: TablePose
    what: What
    still: bool


class PlacementTruth(msgspec.Struct, frozen=True):
    """One resting pose of a Sight tile as it truly is. ``faults`` are the rules' own words; empty means legal.

    ``obliged``: no better eyes could spare the table a question (a symbol shows by 40 to 60 %).
    ``frame`` is the index of the first frame in which it lies.
    """

    round: int
    seat: str
    tile: str
    card: str | None
    turn_deg: float
    turn_off_deg: float
    bare_mm: float
    symbols: tuple[str, ...]
    shares: tuple[float, ...]
    faults: tuple[str, ...]
    obliged: bool
    frame: int
    moved: bool = False
    """A later pose of a tile that had come to rest before."""

    @property
    def legal(self) -> bool:
        """Whether it counts without anybody being asked."""
        return not self.faults


class RoundScript(msgspec.Struct, frozen=True):
    """One round: frames to be seen, and the truth. ``missing`` are seats whose tile never comes."""

    number: int
    cards: tuple[tuple[str, str], ...]
    """Target card and the seat that revealed it."""
    frames: tuple[Keyframe, ...]
    placements: tuple[PlacementTruth, ...]
    missing: tuple[str, ...] = ()
    mistakes: tuple[str, ...] = ()
    beaten: tuple[str, ...] = ()
    """Seats that had to take their tile to another card."""
