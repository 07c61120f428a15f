"""What the pages of every game show: plain values, ready to be drawn, made anew from each snapshot.

Templates see nothing but these and what each game adds, so that a change in a game's state has one place to be
followed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from companion.words import Text


@dataclass(frozen=True)
class ChoiceView:
    """One answer of a doubt; the likely one comes first."""

    value: str
    label: Text
    symbol: str | None
    likely: bool
    face: bool = False
    """``symbol`` is a piece of the deck whose face can be shown."""
    symbols: tuple[str, ...] = ()
    """Drawings of an answer that is several things at once."""


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
    page: tuple[str, dict[str, int]] | None = None
    """Where it is corrected: an endpoint and its values."""


class Named(Protocol):
    """A seat, and who sits on it."""

    @property
    def seat(self) -> str: ...
    @property
    def name(self) -> str: ...


class View(Protocol):
    """What the pages show of one moment of any game: each game's view has at least this."""

    @property
    def version(self) -> int: ...
    @property
    def match(self) -> int | None: ...
    @property
    def phase(self) -> str: ...
    @property
    def status(self) -> Status: ...
    @property
    def seats(self) -> Sequence[Named]: ...
