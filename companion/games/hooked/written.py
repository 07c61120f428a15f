"""How a judged moment is written down: the presses by time, and what they moved."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from companion.core.race import Onset
from companion.games.hooked import stacks
from companion.games.hooked.case import Case, Judged
from companion.games.hooked.lake import DEPTH
from companion.games.hooked.names import CATCH_AND_RELEASE, NET_CAST
from companion.games.hooked.state import Meant, Slap, Slapped, Table

replace = msgspec.structs.replace


def joined(case: Case, result: Judged, early: Sequence[tuple[Onset, Meant]]) -> Slap:
    """The slap of a card with its false starts."""
    before = dict(case.begun.locks) if case.begun is not None else {}
    hooked = tuple(seat for seat, _left in case.table.locks if seat not in before)
    alone = replace(slap(case, early, after=result.table), hooked=hooked)
    judged = result.slap
    if judged is None:
        return alone
    presses = sorted((*alone.presses, *judged.presses), key=lambda press: (press.t_ns, press.seat))
    return replace(judged, presses=tuple(presses), hooked=(*hooked, *judged.hooked))


def nothing(case: Case) -> Slap | None:
    """Presses after the card was won together with the one before: late, and free."""
    listed: list[tuple[Onset, Meant]] = [(c.onset, "late") for c in case.candidates if not c.late]
    return slap(case, listed) if listed else None


def slap(
    case: Case, listed: Sequence[tuple[Onset, Meant]], *, before: Table | None = None, after: Table | None = None
) -> Slap:
    """The slap with its presses by time, one of a kind for each seat."""
    first: dict[tuple[str, Meant], Onset] = {}
    for onset, meant in sorted(listed, key=lambda pair: (pair[0].t_ns, pair[0].seat)):
        if meant == "late" and any((onset.seat, other) in first for other in ("won", "tied", "wrong")):
            continue
        first.setdefault((onset.seat, meant), onset)
    counted = [onset.t_ns for (_seat, meant), onset in first.items() if meant in ("won", "tied", "unsure", "wrong")]
    earliest = min(counted, default=0)
    presses = tuple(
        Slapped(
            seat,
            onset.t_ns,
            max(0, onset.t_ns - earliest) if counted else 0,
            meant,
            told=(seat, onset.t_ns) in case.told,
        )
        for (seat, meant), onset in first.items()
    )
    card, table = case.card, before or case.begun or case.table
    first_ns = min((onset.t_ns for onset, _meant in listed), default=None)
    held = first_ns is None or any(meant == "unsure" for _onset, meant in listed)
    return Slap(
        id=card.fact,
        cards=tuple(one.card for one in case.table.lake[-DEPTH:]),
        flips=tuple(one.fact for one in case.table.lake[-DEPTH:]),
        moment=case.moment,
        why=case.reason.why,
        right=case.reason.why is not None,
        seen_ns=card.seen_ns,
        before_ns=card.before_ns,
        presses=presses,
        final_ns=None if held or first_ns is None else first_ns + case.setup.windows.settle_ns,
        clock="software" if any(onset.clock == "software" for onset, _m in listed) else "kernel",
        moved=() if after is None else stacks.moved(case.setup, table, after),
        told=bool(case.told),
        vetoed=case.vetoed,
        gone=() if after is None else tuple(seat for seat in after.out if seat not in table.out),
        timed=case.timed,
        between=case.reason.seats or (),
    )


def too_early(slap: Slap) -> tuple[str, ...]:
    """The seats that paid for a press before anybody could have seen the card.

    Who gives up one card to an action card that somebody else has won did not pay for anything.
    """
    given = int(slap.why in (CATCH_AND_RELEASE, NET_CAST) and bool(slap.winner or slap.dead_heat))
    paid = {*slap.gone, *(seat for seat, count in slap.moved if count < -given)}
    return tuple(press.seat for press in slap.presses if press.verdict == "early" and press.seat in paid)


def mistaken(slap: Slap) -> tuple[str, ...]:
    """The seats that slapped wrongly, or paid for a press that was too early."""
    wrong = (press.seat for press in slap.presses if press.verdict == "wrong")
    return tuple(dict.fromkeys((*wrong, *too_early(slap))))
