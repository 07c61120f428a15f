"""The state of a game of Hook!: the observations of every round as they came in, and all that follows from them.

The last group of fields of ``State`` is what a page draws. Everything but ``Round.raw`` is derived anew whenever an
observation of the round, or of a round before it, is added or changed.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.core.facts import Fact
from companion.words import Text

Phase = Literal["cards", "tiles", "answers", "resolved", "over"]
"""Waiting for Target cards; for Sight tiles; for answers; the round is resolved; the game is over."""


class Conflict(msgspec.Struct, frozen=True):
    """A fact that counts for nothing (any more), and why."""

    fact: int
    why: Text


class Setup(msgspec.Struct, frozen=True):
    """What does not change during a match. ``seats`` clockwise from the first Compass holder, ``teams`` per seat."""

    seats: tuple[str, ...]
    names: tuple[str, ...]
    teams: tuple[str, ...]
    """A colour, "pirates" or "sailors"; when everybody plays alone, the seat itself."""
    team_play: str
    """ "none", "colour" or "sides"."""
    parrots: dict[str, int]
    """Parrots printed on each Target card, where the deck says so."""
    rounds: int


class WonCard(msgspec.Struct, frozen=True):
    """A collected Target card: all parrots printed on it count. ``card`` is None where nobody said which it is."""

    card: str | None
    parrots: int
    round: int
    facts: tuple[int, ...] = ()


class Standing(msgspec.Struct, frozen=True):
    """One player at one moment. ``out`` is the round in which they were eliminated.

    ``won`` and ``parrots`` are totals; ``cards`` are the cards that we saw them take since the last recount.
    """

    seat: str
    balls: int = 0
    won: int = 0
    parrots: int = 0
    cards: tuple[WonCard, ...] = ()
    stack: int = 0
    out: int | None = None


class Moment(msgspec.Struct, frozen=True):
    """The table between two rounds.

    ``stack`` of a standing counts the card that is turned up in the round to come. ``certain`` is False while a
    question of an earlier round is open. ``gone`` are the Target cards of earlier rounds, as far as they are known.
    """

    standings: tuple[Standing, ...]
    compass: str
    boxed: int
    certain: bool = True
    gone: tuple[str, ...] = ()

    def of(self, seat: str) -> Standing:
        """The standing of one seat; KeyError for one that does not play."""
        for standing in self.standings:
            if standing.seat == seat:
                return standing
        raise KeyError(seat)

    @property
    def used(self) -> frozenset[str]:
        """The Target cards of earlier rounds."""
        return frozenset(self.gone)

    @property
    def playing(self) -> tuple[str, ...]:
        """The seats that are still in, clockwise."""
        return tuple(s.seat for s in self.standings if s.out is None)


class Placement(msgspec.Struct, frozen=True):
    """One resting pose of a Sight tile.

    ``status``: "counts", "asked" (a question about it is open), "void" (ruled out, beaten to its card, or given up),
    "kept" (the tile's first pose holds instead), "again" (seen a second time as it was), "ignored" (not in the game).
    ``faults`` say what is wrong with it: "black-side", "second-tile", "taken", "no-card", "crooked", "bare", "moved".
    ``symbols`` is what counts, after all answers; "unread" where it is asked. ``victims`` are the choices for holes
    that show a Black Pirate, None elsewhere and while not chosen.
    """

    id: int
    seat: str
    tile: str
    card: str | None
    status: Literal["counts", "asked", "void", "kept", "again", "ignored"]
    faults: tuple[str, ...] = ()
    symbols: tuple[str, ...] = ()
    seen: tuple[str, ...] = ()
    """The symbols as observed, before any answer."""
    victims: tuple[str | None, ...] = ()
    printed: int | None = None
    """Parrots on its card, where a person said so."""
    picture: str | None = None
    facts: tuple[int, ...] = ()
    """All facts that made it what it is: the pose itself first, then answers."""


class Ask(msgspec.Struct, frozen=True):
    """An open question in short form; ``companion.games.hook.questions`` words it."""

    kind: Literal["symbol", "sight", "tile", "card", "placement", "moved", "missing", "victim"]
    round: int
    seat: str
    tile: str = ""
    placement: int = 0
    hole: int = -1
    card: str | None = None
    options: tuple[str, ...] = ()
    sights: tuple[tuple[str, ...], ...] = ()
    """What all holes of a tile may show together."""
    faults: tuple[str, ...] = ()
    obliged: bool = False
    picture: str | None = None
    other: str | None = None
    """The seat whose tile is in the way, or the symbol that shows by half."""


class Shot(msgspec.Struct, frozen=True):
    """What one symbol in one sight does.

    ``does``: "hit" (``victim`` is hit), "own" (hits themselves), "covered" (``victim`` is behind ``cover``), "absent"
    (nobody plays ``victim``), "gone" (``victim`` was out before), "bomb", "rum", "cover", "parrot", "choosing" (whom
    the Black Pirate hits is not chosen yet), "unread", "nothing".
    """

    seat: str
    hole: int
    symbol: str
    does: Literal[
        "hit",
        "own",
        "covered",
        "absent",
        "gone",
        "bomb",
        "rum",
        "cover",
        "parrot",
        "choosing",
        "unread",
        "nothing",
    ]
    victim: str | None = None
    cover: str | None = None
    facts: tuple[int, ...] = ()


class Tally(msgspec.Struct, frozen=True):
    """One player's round as one sum: ``after`` = ``before`` + ``hits`` - ``rum``, never below 0, 9 at most."""

    seat: str
    before: int
    hits: int
    rum: int
    after: int
    out: bool = False
    cover: str | None = None
    took: WonCard | None = None
    bombed: bool = False
    """A parrot was in sight, but so was a bomb: the card goes back into the box."""
    facts: tuple[int, ...] = ()


class Round(msgspec.Struct, frozen=True):
    """One round: the observations (``raw``) and what follows from them.

    ``complete``: every tile rests or is waived. ``settled``: complete, and no question is open. ``final``: settled,
    and so is every round before, so that somebody can be out.
    """

    number: int
    raw: tuple[Fact, ...]
    begin: Moment
    end: Moment
    cards: tuple[str, ...] = ()
    """Target cards seen face up, in the order in which they were seen."""
    placements: tuple[Placement, ...] = ()
    """All poses in the order in which they were seen."""
    missing: tuple[str, ...] = ()
    waived: tuple[str, ...] = ()
    """Seats that sit this round out."""
    shots: tuple[Shot, ...] = ()
    """In turn order from the Compass holder."""
    tally: tuple[Tally, ...] = ()
    asks: tuple[Ask, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    complete: bool = False
    settled: bool = False
    final: bool = False
    last: bool = False
    """Nothing can follow: the game is decided, or the stacks are empty."""
    dead: bool = False
    """The game was over before; observations of this round count for nothing."""

    @property
    def turned_up(self) -> bool:
        """Whether this round's Target cards lie in the middle, no longer on the stacks."""
        return bool(self.cards or self.placements)

    def placement_of(self, seat: str) -> Placement | None:
        """The pose that counts for a seat in this round; None while there is none."""
        for placement in self.placements:
            if placement.seat == seat and placement.status == "counts":
                return placement
        return None

    def tally_of(self, seat: str) -> Tally | None:
        """A seat's sum of this round; None for one that was out before."""
        for tally in self.tally:
            if tally.seat == seat:
                return tally
        return None


class Seat(msgspec.Struct, frozen=True):
    """One panel of the page: a player as things stand now.

    ``stack``: the face-down cards as they lie now. ``cover``: the barrel or bird cage they hide behind in the present
    round. ``changed``: how the last round (or the present one, as far as it is known) changed balls and parrots.
    ``placed``: their tile of this round counts.
    """

    seat: str
    name: str
    team: str
    balls: int
    parrots: int
    won: int
    stack: int
    out: int | None = None
    cover: str | None = None
    placed: bool = False
    compass: bool = False
    balls_changed: int = 0
    parrots_changed: int = 0


class State(msgspec.Struct, frozen=True):
    """The whole match. ``round`` n of ``of``; ``certain`` is False while an open question could change the score."""

    setup: Setup
    rounds: tuple[Round, ...]
    stray: tuple[Fact, ...] = ()
    """Facts of rounds that cannot be."""
    put_right: int = 0
    """Questions of the rounds up to this one matter no more: everything was recounted afterwards."""

    phase: Phase = "cards"
    round: int = 1
    of: int = 0
    compass: str = ""
    seats: tuple[Seat, ...] = ()
    boxed: int = 0
    certain: bool = True
    over: bool = False
    ending: Literal["", "last", "parrots", "cards", "shared", "nobody"] = ""
    """How it ended: last one standing, most parrots, most cards at a tie, shared, or all out at once."""
    winners: tuple[str, ...] = ()
    """Winning seats, eliminated members of a winning team among them."""
    winning_teams: tuple[str, ...] = ()

    @property
    def now(self) -> Round:
        """The round that is played (after the end: the last one that counted)."""
        return self.rounds[self.round - 1]

    def seat(self, seat: str) -> Seat:
        """A player's panel; KeyError for a seat that does not play."""
        for one in self.seats:
            if one.seat == seat:
                return one
        raise KeyError(seat)
