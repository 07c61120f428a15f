"""What the script of an evening hands out: frames to be seen, edges to be delivered, and the truth kept apart."""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.world import Press
from hardware.simulated.poses import TablePose

What = Literal["rest", "hand in", "turning", "lands", "hand leaves", "slap", "pay", "take", "nudge"]
Sort = Literal["right", "wrong", "early", "locked", "out"]
Button = Literal["clean", "bounces", "held", "stuck"]
Nudge = Literal["push", "slap", "straighten"]


class Shown(msgspec.Struct, frozen=True):
    """One frame. ``still``: nothing moves and no hand is over the table. ``open_share``: how much of the Lake's
    uppermost card, once it lies there, no hand hides (about)."""

    t_ns: int
    pose: TablePose
    what: What
    still: bool
    open_share: float = 1.0


class Delivery(msgspec.Struct, frozen=True):
    """A raw edge and when the program is told of it: late, sometimes, and not in the order of the edges."""

    at_ns: int
    press: Press


class SlapTruth(msgspec.Struct, frozen=True):
    """A press as it was meant. ``t_ns`` is the moment the contact first closed, ``after_ns`` how long that was after
    the card could be seen; ``button`` how it behaved."""

    seat: str
    t_ns: int
    after_ns: int
    sort: Sort
    button: Button
    one_interrupt: bool = False
    """Stamped in the same interrupt as another seat's."""


class FlipScript(msgspec.Struct, frozen=True):
    """One flip from the rest before it to the last slap, and the truth about it.

    People see the card from ``shown_ns`` on (turned far enough, in the hand); it lies from ``lands_ns`` on.
    ``seen_ns`` is the first frame in which it lies and most of it is open to the camera, ``before_ns`` the frame before
    that. ``why`` is what may be slapped about it, None for nothing.
    """

    number: int
    seat: str
    card: str
    frames: tuple[Shown, ...]
    deliveries: tuple[Delivery, ...]
    shown_ns: int
    lands_ns: int
    seen_ns: int
    before_ns: int
    why: str | None
    slaps: tuple[SlapTruth, ...]
    offset_mm: float
    offset_deg: float
    """How far it lies from the card below it."""

    @property
    def edges(self) -> tuple[Press, ...]:
        """All raw edges in the order of their time."""
        return tuple(sorted((d.press for d in self.deliveries), key=lambda press: (press.t_ns, press.seat)))

    @property
    def end_ns(self) -> int:
        """The time of the last frame."""
        return self.frames[-1].t_ns


class MoveScript(msgspec.Struct, frozen=True):
    """Something that is no flip: a Lake taken, cards paid under it, a push, a palm, a card straightened."""

    what: Literal["take", "pay", "give", "push", "slap", "straighten"]
    seat: str
    frames: tuple[Shown, ...]
    moved_mm: float = 0.0
    moved_deg: float = 0.0
    """How far the uppermost card of the Lake lies from where it was."""
