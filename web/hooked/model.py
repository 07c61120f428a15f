"""What the pages of Hooked! show: plain values, ready to be drawn, made anew from each snapshot."""

from __future__ import annotations

from dataclasses import dataclass

from companion.words import Text
from web.model import Action, DoubtView, Entry, Line, PictureView, Status


@dataclass(frozen=True)
class CardView:
    """One card. ``face`` says whether the deck has a picture of it; ``fact`` is the flip that a correction is about."""

    id: str
    name: str | Text
    number: int | None
    action: bool
    face: bool
    fact: int | None = None
    by: str | None = None


@dataclass(frozen=True)
class Tick:
    """One press on the line of time. ``at`` is in per cent of the line; ``mark`` draws the seat's shape.

    ``at`` None: it was told by a tap, so it has no place on the line. ``since`` is the time since the card was seen
    (None: nobody knows that), ``gap`` the time behind the first one. ``notes`` say what is special about the press
    (software-timed, ...).
    """

    seat: str
    name: str
    mark: int
    at: float | None
    verdict: str
    label: Text
    since: str | None
    gap: str | None
    notes: tuple[Text, ...] = ()
    t_ns: int = 0


@dataclass(frozen=True)
class Stretch:
    """A part of the line, in per cent: where it begins and how long it is."""

    at: float
    long: float


@dataclass(frozen=True)
class PhotoFinish:
    """One judged moment. ``id`` is that of its flip, ``moment`` its own name. ``kind``: won, tied, wrong, open (not
    decided yet), none.

    ``shown`` are the names and marks of whom it is about. ``vetoable`` are the seats and names of those who were first
    on an action card, so that they had to say "HOOKED!". ``numeral`` is the number that stands large, in ms, and
    ``caption`` what it says. ``appeared`` is the stretch between the last picture without the card and the first with
    it (None: nobody knows); ``tie`` the tie window; ``scale`` is empty where no press was timed.
    ``final_in_ms`` is how long the verdict is provisional yet; ``waits``: until a question is answered. ``sentences``
    say why, and what followed.
    """

    id: int
    moment: int
    kind: str
    vetoable: tuple[tuple[str, str], ...]
    shown: tuple[tuple[str, int], ...]
    heading: Text
    numeral: str
    caption: Text
    cards: tuple[CardView, ...]
    ticks: tuple[Tick, ...]
    appeared: Stretch | None
    tie: Stretch | None
    scale: tuple[tuple[float, int], ...]
    sentences: tuple[Text, ...]
    final_in_ms: int
    waits: bool
    amended: Text | None
    clock: str
    sound: str
    counted: int = 0
    """How many presses there were when the sound cue was chosen: another one is another event."""


@dataclass(frozen=True)
class AnglerView:
    """One player's panel. ``mark`` is the seat's number: its colour, its shape and its pattern.

    ``locked``: for how many flips to come an Empty Hook keeps the seat from slapping (0: only this card; None: not
    at all); ``locked_by`` is the flip of that Empty Hook.
    """

    seat: str
    name: str
    mark: int
    stack: int
    turn: bool
    locked: int | None
    locked_by: int | None
    out: bool
    dry: bool
    winner: bool = False


@dataclass(frozen=True)
class LakeView:
    """The Lake: its last three cards, the newest last, and how many lie there."""

    cards: tuple[CardView, ...]
    size: int
    under: int


@dataclass(frozen=True)
class HookedView:
    """Everything the pages show of one moment of a match. ``seats`` are clockwise."""

    version: int
    match: int | None
    phase: str
    status: Status
    seats: tuple[AnglerView, ...] = ()
    lake: LakeView = LakeView((), 0, 0)
    direction: int = 1
    turn: AnglerView | None = None
    finish: PhotoFinish | None = None
    fastest: tuple[AnglerView, str] | None = None
    settles_in_ms: int = 0
    doubts: tuple[DoubtView, ...] = ()
    picture: PictureView | None = None
    actions: tuple[Action, ...] = ()
    story: tuple[Line, ...] = ()
    last: Entry | None = None
    redo: Entry | None = None
    conflicts: tuple[Text, ...] = ()
    notices: tuple[Text, ...] = ()
    winner: AnglerView | None = None
    ranking: tuple[AnglerView, ...] = ()
