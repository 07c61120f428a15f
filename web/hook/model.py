"""What the pages of Hook! show: plain values, ready to be drawn, made anew from each snapshot.

Templates see nothing but these, so that a change in the rules' state has one place to be followed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion.words import Text


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
class ChoiceView:
    """One answer of a doubt; the likely one comes first."""

    value: str
    label: Text
    symbol: str | None
    likely: bool
    face: bool = False
    """``symbol`` is a piece of the deck whose face can be shown."""


@dataclass(frozen=True)
class DoubtView:
    """An open question as a card."""

    id: int
    version: int
    kind: str
    sentence: Text
    picture: str | None
    choices: tuple[ChoiceView, ...]
    asks: Text | None
    seat: str | None
    ring: tuple[float, float, float] | None = None
    """The hole it is about: left, top and width in per cent of the picture."""


@dataclass(frozen=True)
class Shape:
    """One outline over the picture of the table. ``points`` is an SVG points list in pixels of the picture."""

    kind: str
    points: str
    centre: tuple[float, float]
    colour: str | None
    sure: bool
    symbols: tuple[str, ...] = ()


@dataclass(frozen=True)
class PictureView:
    """The newest still picture of the table and what to draw over it."""

    name: str
    size: tuple[int, int]
    shapes: tuple[Shape, ...]


@dataclass(frozen=True)
class Status:
    """The truthful state in one word (for its colour and drawing) and one sentence."""

    kind: str
    sentence: Text
    detail: Text | None = None


@dataclass(frozen=True)
class Line:
    """One sentence of the story of a round, and whose it is."""

    text: Text
    seat: str | None = None
    weight: str = "plain"
    """"fate" stands first on the TV; "minor" is left out there when there is more to tell than fits."""


@dataclass(frozen=True)
class Action:
    """A big button: a command in its JSON form and what it is about."""

    label: Text
    command: dict[str, Any]
    kind: str = "plain"


@dataclass(frozen=True)
class Entry:
    """One fact in the history list."""

    fact: int
    version: int
    step: int
    round: int | None
    text: Text
    undone: bool
    corrected: bool
    conflict: Text | None
    placed: bool


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
