"""What is written down about a game of Hooked!, and what may be asked for.

Facts are observations and choices; who won a slap, what it cost and whose turn it is are derived from them. ``flip``
always names a flip by the id of its ``CardFlipped``.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.core.facts import Command, Fact

Source = Literal["camera", "tap"]
Clock = Literal["kernel", "software"]


class CardFlipped(Fact, frozen=True, kw_only=True):
    """A card was flipped into the Lake.

    ``seen_ns`` is the first frame in which it was seen, ``before_ns`` the last one in which it was not (0: not known).
    ``seat_sure=False``: who flipped it was not seen, so it was whose turn it is by the rules, whatever ``seat`` says.
    ``card_sure=False``: ``card`` is the likely one, ``cards`` are candidates with their probabilities. ``picture``
    names a picture of it.
    """

    seat: str
    card: str
    seen_ns: int = 0
    before_ns: int = 0
    source: Source = "camera"
    seat_sure: bool = True
    card_sure: bool = True
    cards: tuple[tuple[str, float], ...] = ()
    picture: str | None = None


class Pressed(Fact, frozen=True, kw_only=True):
    """One raw edge of a slap button; ``t_ns`` is the edge's own time, ``level`` 1 says the button is down after it."""

    seat: str
    level: int
    clock: Clock = "kernel"


class Said(Fact, frozen=True, kw_only=True):
    """What people say about a flip (the common part)."""

    flip: int

    @property
    def about(self) -> int:
        return self.flip


class SlapTold(Said, frozen=True, kw_only=True):
    """The table says that this seat slapped this card, before everybody that is told later and every button.

    ``instead`` are seats of which this was told before by mistake.
    """

    seat: str
    instead: tuple[str, ...] = ()


class CardPassed(Said, frozen=True, kw_only=True):
    """The table says that the slapping of this card is over: nobody slaps it any more."""


class Vetoed(Said, frozen=True, kw_only=True):
    """This seat's slap of this action card does not win: "HOOKED!" was not said."""

    seat: str


class FlipRuled(Said, frozen=True, kw_only=True):
    """What a person says about a flip. What is None stays as observed; the last word on each holds.

    ``counts`` False: the card went back to where it came from, or nothing was flipped at all.
    """

    seat: str | None = None
    card: str | None = None
    counts: bool | None = None


class PressRuled(Said, frozen=True, kw_only=True):
    """What a person says about the press of ``seat`` at ``press_ns``.

    ``meant`` "slap": it was a slap of the card of ``flip``; "early": too early for it; "nothing": no slap at all.
    """

    seat: str
    press_ns: int
    meant: Literal["slap", "early", "nothing"]


class Recounted(Fact, frozen=True, kw_only=True):
    """What really lies on the table holds from here on: every stack; all other cards are the Lake.

    ``turn``, ``direction`` and ``out`` stay as derived where they are None.
    """

    stacks: dict[str, int]
    turn: str | None = None
    direction: Literal[1, -1] | None = None
    out: tuple[str, ...] | None = None


FACTS: tuple[type[Fact], ...] = (
    CardFlipped,
    Pressed,
    SlapTold,
    CardPassed,
    Vetoed,
    FlipRuled,
    PressRuled,
    Recounted,
)


class Flip(Command, frozen=True, kw_only=True):
    """A card was flipped; the fields are those of ``CardFlipped``. ``seat`` empty: whose turn it is.

    ``after`` is the newest flip or recount (0: none) that whoever asks for it knew of: if there is another by now, it
    is too late. None: whatever has come since.
    """

    card: str
    seat: str = ""
    seen_ns: int = 0
    before_ns: int = 0
    source: Source = "camera"
    seat_sure: bool = True
    card_sure: bool = True
    cards: tuple[tuple[str, float], ...] = ()
    picture: str | None = None
    after: int | None = None


class Edge(Command, frozen=True, kw_only=True):
    """A raw edge of a slap button, at ``t_ns``."""

    seat: str
    level: int
    clock: Clock = "kernel"


class TellSlap(Command, frozen=True, kw_only=True):
    """A tap says who slapped; where the card may be slapped, before all others. ``flip`` 0: the card on top."""

    seat: str
    flip: int = 0


class PassCard(Command, frozen=True, kw_only=True):
    """A tap says that nobody slaps this card. ``flip`` 0: the card on top of the Lake."""

    flip: int = 0


class Veto(Command, frozen=True, kw_only=True):
    """ "HOOKED!" was not said. ``flip`` 0: the last slap that was won; ``seat`` empty: who won it."""

    flip: int = 0
    seat: str = ""


class RuleFlip(Command, frozen=True, kw_only=True):
    """Say who flipped a card, which card it is, or that it does not count. Without ``counts``, the others say that it
    does."""

    flip: int
    seat: str | None = None
    card: str | None = None
    counts: bool | None = None


class RulePress(Command, frozen=True, kw_only=True):
    """Say what a press meant, asked or not."""

    flip: int
    seat: str
    press_ns: int
    meant: Literal["slap", "early", "nothing"]


class Recount(Command, frozen=True, kw_only=True):
    """Put the stacks right. A stack that is not named stays; ``lake`` (all its cards) is checked where it is given."""

    stacks: dict[str, int] = msgspec.field(default_factory=dict)
    lake: int | None = None
    turn: str | None = None
    direction: int | None = None
    out: tuple[str, ...] | None = None


COMMANDS: tuple[type[Command], ...] = (
    Flip,
    Edge,
    TellSlap,
    PassCard,
    Veto,
    RuleFlip,
    RulePress,
    Recount,
)
