"""What the pages of Hook! show: plain values, ready to be drawn, made anew from each snapshot.

Templates see nothing but these, so that a change in the rules' state has one place to be followed.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.words import Text
from web.model import Action, ChoiceView, DoubtView, Entry, Line, PictureView, Shape, Status


@dataclass(frozen=True)
class Space:
    """One cannonball space of a Hit card, and whether a cannonball lies on it."""

    number: int
    key: str
    hit: bool


@dataclass(frozen=True)
class HoleView:
    """What shows through one hole. ``at`` and ``radius`` are fractions of the tile's face."""

    index: int
    symbol: str
    label: Text
    sure: bool
    at: tuple[float, float]
    radius: float
    note: Text | None = None


@dataclass(frozen=True)
class SightView:
    """A placed Sight tile as it was read. ``fact`` is what a correction is about."""

    round: int
    fact: int
    seat: str
    tile: str
    card: str | None
    holes: tuple[HoleView, ...]
    counts: bool
    state: Text | None
    picture: str | None


@dataclass(frozen=True)
class SeatView:
    """One player's panel. ``waiting`` says what the round still waits for from this seat."""

    seat: str
    character: Text
    name: str
    colour: str
    order: str
    team: Text | None
    balls: int
    spaces: tuple[Space, ...]
    parrots: int
    won: int
    compass: bool
    out: bool
    cover: str | None
    cover_label: Text | None
    sight: SightView | None
    waiting: Text | None
    winner: bool = False


@dataclass(frozen=True)
class Finish:
    """How a match ended."""

    winners: tuple[SeatView, ...]
    ranking: tuple[SeatView, ...]
    sentence: Text


@dataclass(frozen=True)
class HookView:
    """Everything the pages show of one moment of a match. ``seats`` are clockwise from the first seat."""

    version: int
    match: int | None
    phase: str
    round: int
    rounds: int
    status: Status
    seats: tuple[SeatView, ...] = ()
    story: tuple[Line, ...] = ()
    story_round: int = 0
    story_rows: int = 0
    """About how many rows the story takes on the TV."""
    doubts: tuple[DoubtView, ...] = ()
    picture: PictureView | None = None
    actions: tuple[Action, ...] = ()
    last: Entry | None = None
    redo: Entry | None = None
    conflicts: tuple[Text, ...] = ()
    notices: tuple[Text, ...] = ()
    finish: Finish | None = None


__all__ = [
    "Action",
    "ChoiceView",
    "DoubtView",
    "Entry",
    "Finish",
    "HoleView",
    "HookView",
    "Line",
    "PictureView",
    "SeatView",
    "Shape",
    "SightView",
    "Space",
    "Status",
]
