"""One card and everything that is known of its slaps, ready to be judged."""

from __future__ import annotations

import msgspec

from companion.core.race import Onset
from companion.games.hooked.names import SAY_HOOKED
from companion.games.hooked.presses import Aimed
from companion.games.hooked.state import Ask, LakeCard, Meant, Reason, Setup, Slap, Table


class Candidate(msgspec.Struct, frozen=True, gc=False):
    """A press that is judged. ``doubt`` is the question whether it was for another card, where that would matter.

    ``late``: it came in the zone of the next card, which is won with the Lake. ``false``: it was too early; ``free``:
    which costs nothing by any rule, as it was a late slap of the card before.
    """

    press: Aimed
    doubt: Ask | None = None
    late: bool = False
    false: bool = False
    free: bool = False

    @property
    def onset(self) -> Onset:
        return self.press.onset

    @property
    def maybe(self) -> bool:
        """It may be no press at all, and nobody has said that it is one."""
        return self.press.onset.maybe and not self.press.ruled


class Case(msgspec.Struct, frozen=True, gc=False):
    """What is known of one card: the table with it on top, and all presses for it by time.

    ``swept`` is the table with all fines paid and the next card landed too. ``told`` and ``vetoed`` are what people
    said; ``timed`` False says that nobody knows when the card was seen. ``followed``: the next card is known.
    ``moment`` is the flip or recount after which the presses came.
    """

    setup: Setup
    table: Table
    card: LakeCard
    reason: Reason
    candidates: tuple[Candidate, ...] = ()
    swept: Table | None = None
    told: tuple[tuple[str, int], ...] = ()
    vetoed: tuple[str, ...] = ()
    timed: bool = True
    followed: bool = False
    begun: Table | None = None
    """The table before false starts were paid for."""
    moment: int = 0


class Judged(msgspec.Struct, frozen=True, gc=False):
    """The outcome. ``settled``: the Lake was won, shared, or goes to a replay. ``held``: a question comes first."""

    table: Table
    slap: Slap | None = None
    settled: bool = False
    swept: bool = False
    held: bool = False
    asks: tuple[Ask, ...] = ()
    fastest: tuple[str, int] | None = None


def barred(table: Table, seat: str) -> Meant | None:
    """Why a seat's presses are ignored: it is locked, or out."""
    if seat in table.out:
        return "out"
    return "locked" if any(seat == one for one, _left in table.locks) else None


def doubtful(table: Table, seat: str) -> Ask | None:
    """The question which card it was that locks a seat if it is an Empty Hook; None: nothing is open about that."""
    flip = next((one.flip for one in table.perhaps if one.seat == seat), None)
    return None if flip is None or barred(table, seat) else Ask("card", flip)


def may_win(case: Case, seat: str) -> bool:
    """Whether this seat's slap of a right card counts, as far as we know."""
    only = case.reason.seats
    return barred(case.table, seat) is None and seat not in case.vetoed and (only is None or seat in only)


def effect(setup: Setup, table: Table, reason: Reason, seat: str) -> str:
    """What a slap of the card on top by this seat, as the first one, would do; equal words, equal effects."""
    would = _unlocked(table, reason, seat)
    if barred(table, seat) is not None or would == "ignored":
        return "ignored"
    return "unknown" if doubtful(table, seat) else would


def _unlocked(table: Table, reason: Reason, seat: str) -> str:
    """What it would do if no Empty Hook had locked the seat."""
    if not reason.sure:
        return "unknown"
    if reason.why is not None and (reason.seats is None or seat in reason.seats):
        return f"wins {reason.why if reason.why in SAY_HOOKED else 'fish'}"
    if seat in table.charged:
        return "ignored"
    return "locks" if reason.hook else "costs"
