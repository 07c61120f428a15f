"""The state of a game of Hooked!: the observations as they came in, and all that follows from them.

``State`` down to ``fastest`` is what pages, lights and the watcher read. Everything but the observations is derived,
and derived anew from the card on that a new, corrected or undone observation is about.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.core.facts import Fact
from companion.core.race import Onset, Windows
from companion.games.hooked.facts import CardFlipped, Recounted
from companion.games.hooked.lines import Line
from companion.games.hooked.presses import Span
from companion.words import Text

Why = Literal["twins", "sandwich", "streak", "catch-and-release", "net-cast", "current-shift"]
Meant = Literal["won", "late", "wrong", "early", "locked", "tied", "out", "unsure"]


class Conflict(msgspec.Struct, frozen=True, gc=False):
    """A fact that counts for nothing (any more), and why."""

    fact: int
    why: Text


class Card(msgspec.Struct, frozen=True):
    """One kind of card of the deck. ``number`` is a fish's record weight rank, 0 for an action card."""

    kind: Literal["fish", "action"]
    name: str
    number: int = 0
    copies: int = 1


class Setup(msgspec.Struct, frozen=True):
    """What does not change during a match. ``seats`` clockwise, the first one flips first; ``stacks`` as dealt."""

    seats: tuple[str, ...]
    names: tuple[str, ...]
    cards: dict[str, Card]
    stacks: tuple[int, ...]
    empty_hook: Literal["locks", "both"] = "locks"
    false_start: Literal["ignored", "wrong"] = "ignored"
    dead_heat: Literal["next-flip", "share", "nearest"] = "next-flip"
    windows: Windows = Windows()

    @property
    def total(self) -> int:
        """All cards in the game."""
        return sum(self.stacks)


class LakeCard(msgspec.Struct, frozen=True, gc=False):
    """A face-up card of the present Lake. ``maybe`` are the cards it could be while that is open, else empty."""

    fact: int
    card: str
    seat: str
    seen_ns: int
    before_ns: int
    maybe: tuple[str, ...] = ()


class Perhaps(msgspec.Struct, frozen=True, gc=False):
    """A seat that is locked for ``left`` more landings if ``flip``, a card nobody knows yet, is an Empty Hook."""

    seat: str
    left: int
    flip: int


class Replay(msgspec.Struct, frozen=True, gc=False):
    """A dead heat that the next flip (0: to come) decides between ``seats``; ``why`` the card was slapped.

    ``hooks`` are cards nobody knows yet: only if they are Empty Hooks, which nobody may slap, it was not decided there.
    """

    seats: tuple[str, ...]
    why: Why
    flip: int = 0
    hooks: tuple[int, ...] = ()

    @property
    def pending(self) -> bool:
        """Whether the next flip may decide it."""
        return self.flip == 0 or self.flip in self.hooks


class Table(msgspec.Struct, frozen=True, gc=False):
    """Where all cards are at one moment. ``stacks`` in the order of the seats.

    ``last`` flipped last; ``first`` has to flip next whoever did (at the start, or as recounted). ``charged`` have paid
    for a wrong slap of the card on top, or slapped it as an Empty Hook. ``locks`` are certain; ``perhaps`` are those
    of cards that may be an Empty Hook.
    """

    stacks: tuple[int, ...]
    lake: tuple[LakeCard, ...] = ()
    under: int = 0
    direction: Literal[1, -1] = 1
    last: str | None = None
    first: str | None = None
    locks: tuple[tuple[str, int], ...] = ()
    perhaps: tuple[Perhaps, ...] = ()
    out: tuple[str, ...] = ()
    replay: Replay | None = None
    charged: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """All cards of the Lake."""
        return len(self.lake) + self.under

    @property
    def top(self) -> LakeCard | None:
        """The face-up card on top of the Lake."""
        return self.lake[-1] if self.lake else None


class Reason(msgspec.Struct, frozen=True, gc=False):
    """Whether the card on top may be slapped. ``sure`` False: it depends on a card nobody knows yet.

    ``seats`` are the only ones who may (the replay of a dead heat); None: everybody.
    """

    why: Why | None = None
    hook: bool = False
    sure: bool = True
    seats: tuple[str, ...] | None = None

    @property
    def open(self) -> bool:
        """Whether somebody may win the Lake by slapping it, as far as we know."""
        return self.why is not None or not self.sure

    def may_win(self, seat: str) -> bool:
        """Whether this seat is one of them."""
        return self.open and (self.seats is None or seat in self.seats)


class Slapped(msgspec.Struct, frozen=True, gc=False):
    """One press. ``gap_ns`` is its distance to the earliest counted one.

    ``told``: no press at all, but the word of the table; its time is that of the tap, and its gap means nothing.
    """

    seat: str
    t_ns: int
    gap_ns: int
    verdict: Meant
    told: bool = False


class Slap(msgspec.Struct, frozen=True, gc=False):
    """One judged moment. ``id`` is that of the flip it is about; ``cards`` the last three of the Lake, newest last, and
    ``flips`` the ids of their flips. ``moment`` is the flip or recount after which it happened, its name: what was no
    flip at all, or a recount, parts the slaps of one card.

    ``right``: the card could be slapped. ``moved``: how many cards each seat gained or lost. ``told``: by taps, not by
    buttons. ``vetoed`` seats did not say "HOOKED!". ``timed`` False: nobody knows when the card could be seen.
    ``between``: the seats of a dead heat that this card decides; ``why`` is then what they were tied at.
    """

    id: int
    cards: tuple[str, ...]
    why: Why | None
    right: bool
    seen_ns: int
    before_ns: int
    presses: tuple[Slapped, ...] = ()
    winner: str | None = None
    dead_heat: tuple[str, ...] = ()
    final_ns: int | None = None
    clock: str = "kernel"
    moved: tuple[tuple[str, int], ...] = ()
    told: bool = False
    vetoed: tuple[str, ...] = ()
    hooked: tuple[str, ...] = ()
    """Seats that slapped an Empty Hook and are locked."""
    gone: tuple[str, ...] = ()
    """Seats that were eliminated by it."""
    flips: tuple[int, ...] = ()
    moment: int = 0
    timed: bool = True
    between: tuple[str, ...] = ()


class Ask(msgspec.Struct, frozen=True, gc=False):
    """An open question in short form; ``companion.games.hooked.questions`` words it."""

    kind: Literal["card", "copies", "turn", "flipper", "press", "late-tap", "first", "pressed", "unslapped", "end"]
    flip: int
    seat: str = ""
    card: str = ""
    options: tuple[str, ...] = ()
    press_ns: int = 0
    other: str = ""
    """The seat whose turn it was, or the card before."""
    other_flip: int = 0
    picture: str | None = None


class Past(msgspec.Struct, frozen=True, gc=False):
    """What all stages up to one of them amount to, so that what comes later need not look at each of them again.

    ``slaps`` counts the judged ones. ``asking`` are the stages that have questions, ``unsure`` those with slaps that
    depend on a card nobody knows (their ``needs``), by their places; ``counted`` is the place of the last recount that
    fits.
    """

    slaps: int = 0
    fastest: tuple[str, int] | None = None
    asking: tuple[int, ...] = ()
    unsure: tuple[int, ...] = ()
    counted: int = 0
    conflicts: tuple[Conflict, ...] = ()


class Stage(msgspec.Struct, frozen=True, gc=False):
    """One flip (or recount) and everything until the next one.

    ``landed``: the table with the card in the Lake (after the recount), before anybody slapped; ``after``: in the end.
    ``waiting``: the card could be won and was not, by any press before the next card; ``swept``: the next card landed
    before the slap and was won with this Lake. ``dead``: the game was over before. ``needs``: the flips of the cards,
    not known yet, which its slaps depend on.
    """

    fact: CardFlipped | Recounted
    landed: Table
    after: Table
    reason: Reason = Reason()
    slap: Slap | None = None
    waiting: bool = False
    swept: bool = False
    dead: bool = False
    over: bool = False
    winner: str | None = None
    fastest: tuple[str, int] | None = None
    asks: tuple[Ask, ...] = ()
    needs: tuple[int, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    past: Past = Past()

    @property
    def counts(self) -> bool:
        """Whether a card was flipped that came to lie on the Lake. Not so where it was taken back, nobody had a card
        left to flip, the game was over, or it was won with the card before it."""
        top = self.landed.top
        return top is not None and top.fact == self.fact.id


OBSERVATIONS = ("flips", "stages", "spans", "edges", "onsets", "words")
"""The fields of ``State`` that nobody but the rules reads."""


class State(msgspec.Struct, frozen=True, gc=False):
    """The whole match."""

    setup: Setup
    seats: tuple[str, ...]
    stacks: tuple[tuple[str, int], ...]
    """Cards in each stack."""
    lake: tuple[LakeCard, ...] = ()
    """Face-up flips of the present Lake, oldest first."""
    under: int = 0
    """Cards put face down under it."""
    direction: Literal[1, -1] = 1
    turn: str | None = None
    """Who flips next."""
    locks: tuple[tuple[str, int], ...] = ()
    """Who may not slap, and how many flips still have to land until they may again."""
    out: tuple[str, ...] = ()
    replay: Replay | None = None
    """The dead heat that the next flip, or the card on top, decides."""
    slaps: tuple[Slap, ...] = ()
    """Every judged moment of the match, oldest first."""
    over: bool = False
    winner: str | None = None
    fastest: tuple[str, int] | None = None
    """The best right slap of the match: whose, and how long after the card was seen."""

    flips: tuple[CardFlipped | Recounted, ...] = ()
    """Flips and recounts by the time when they happened; ``stages`` has one each,
    and ``spans`` when each card landed."""
    stages: tuple[Stage, ...] = ()
    spans: tuple[Span, ...] = ()
    edges: dict[str, Line] = {}
    onsets: tuple[Onset, ...] = ()
    words: tuple[Fact, ...] = ()
    """What people said: told slaps, vetoes, rulings, in the order in which they said it."""
    asks: tuple[Ask, ...] = ()
    conflicts: tuple[Conflict, ...] = ()

    @property
    def lake_size(self) -> int:
        """All cards of the Lake."""
        return len(self.lake) + self.under

    @property
    def certain(self) -> bool:
        """Whether no open question could change where the cards are."""
        return not self.asks

    def stack(self, seat: str) -> int:
        """The cards in a seat's stack; KeyError for a seat that does not play."""
        return dict(self.stacks)[seat]
