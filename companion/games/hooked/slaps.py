"""Judging the slaps of one card: who reels in the Lake, who pays, who is locked, and what cannot be told."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from companion.core.race import Onset, Verdict, judge
from companion.games.hooked import stacks
from companion.games.hooked.lake import DEPTH
from companion.games.hooked.locks import locked
from companion.games.hooked.names import SAY_HOOKED
from companion.games.hooked.presses import Aimed
from companion.games.hooked.state import Ask, LakeCard, Meant, Reason, Replay, Setup, Slap, Slapped, Table

replace = msgspec.structs.replace

UNREAD_NS = 1_000_000_000
"""So long after a wrong slap the camera may still tell of the card it was really for."""


class Candidate(msgspec.Struct, frozen=True):
    """A press that is judged. ``doubt`` is the question whether it was for another card, where that would matter.

    ``late``: it came in the zone of the next card, which is won with the Lake. ``false``: it was too early.
    """

    press: Aimed
    doubt: Ask | None = None
    late: bool = False
    false: bool = False

    @property
    def onset(self) -> Onset:
        return self.press.onset


class Case(msgspec.Struct, frozen=True):
    """What is known of one card: the table with it on top, and all presses for it by time.

    ``swept`` is the table with the next card landed too. ``told`` and ``vetoed`` are what people said; ``timed`` False
    says that nobody knows when the card was seen. ``followed``: the next card is known.
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


class Judged(msgspec.Struct, frozen=True):
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


def may_win(case: Case, seat: str) -> bool:
    """Whether this seat's slap of a right card counts."""
    only = case.reason.seats
    return barred(case.table, seat) is None and seat not in case.vetoed and (only is None or seat in only)


def effect(setup: Setup, table: Table, reason: Reason, seat: str) -> str:
    """What a slap of the card on top by this seat, as the first one, would do; equal words, equal effects."""
    if barred(table, seat) is not None:
        return "ignored"
    if not reason.sure:
        return "unknown"
    if reason.why is not None and (reason.seats is None or seat in reason.seats):
        return f"wins {reason.why if reason.why in SAY_HOOKED else 'fish'}"
    if seat in table.charged:
        return "ignored"
    return "locks" if reason.hook else "costs"


def judged(case: Case) -> Judged:
    """What came of the card."""
    if not case.reason.sure:
        return _unknown(case)
    if case.reason.why is None:
        return _wrong(case)
    return _right(case)


def _unknown(case: Case) -> Judged:
    listed = [(c.onset, barred(case.table, c.onset.seat) or "unsure") for c in case.candidates if not c.late]
    listed += [(Onset(seat, t_ns), barred(case.table, seat) or "unsure") for seat, t_ns in case.told]
    held = any(verdict == "unsure" for _onset, verdict in listed)
    return Judged(case.table, _slap(case, listed) if listed else None, held=held)


# a card that may be slapped


def _right(case: Case) -> Judged:
    able = [c for c in case.candidates if may_win(case, c.onset.seat) and (c.doubt or not c.false)]
    verdict = _verdict(case, [c.onset for c in able if not c.doubt])
    told = [seat for seat, _t in case.told if may_win(case, seat)]
    if told:
        verdict = replace(verdict, winner=told[0], dead_heat=(), unsure=())
    else:
        earliest = verdict.times_ns[0][1] + case.setup.windows.tie_ns if verdict.times_ns else None
        doubt = next((c.doubt for c in able if c.doubt and (earliest is None or c.onset.t_ns <= earliest)), None)
        if doubt is not None:
            return _hold(case, able, doubt)
        if _who_was_first(case, verdict):
            options = tuple(seat for seat, _t in verdict.times_ns)
            return _hold(case, able, Ask("first", case.card.fact, card=case.card.card, options=options))
    if verdict.winner is None and not verdict.dead_heat:
        return _others_only(case)
    return _settle(case, verdict, bool(told))


def _verdict(case: Case, onsets: Sequence[Onset]) -> Verdict:
    return judge(onsets, case.setup.windows, opened_ns=min((o.t_ns for o in onsets), default=0))


def _who_was_first(case: Case, verdict: Verdict) -> bool:
    """Whether a doubtful press could change the winner: it is not the likely one, or somebody is close behind it."""
    windows = case.setup.windows
    times = dict(verdict.times_ns)
    if len(times) < 2:
        return False
    for seat in verdict.unsure:
        reach = times[seat] + windows.quiet_ns + windows.tie_ns
        if seat != verdict.winner or any(t_ns <= reach for other, t_ns in times.items() if other != seat):
            return True
    return False


def _hold(case: Case, able: Sequence[Candidate], ask: Ask) -> Judged:
    """Nobody wins yet: a question decides."""
    table, listed = _pay(case, case.table)
    listed += [(c.onset, "unsure") for c in able]
    return Judged(table, _slap(case, listed, after=table), held=True, asks=(ask,))


def _settle(case: Case, verdict: Verdict, told: bool) -> Judged:
    """Somebody has won, or several were first."""
    setup, why, tied, winner = case.setup, case.reason.why, verdict.dead_heat, verdict.winner
    assert why is not None
    earliest = verdict.times_ns[0][1] if verdict.times_ns else 0
    if tied and setup.dead_heat == "nearest":
        winner = next(seat for seat in stacks.around(setup, case.card.seat, 1) if seat in tied)
    replays = winner is None and setup.dead_heat == "next-flip"
    counted = {(c.onset.seat, c.onset.t_ns): c for c in case.candidates}
    by = counted.get((winner or tied[0], earliest))
    swept = case.swept if by is not None and by.late and not replays and not told else None
    paid, listed = _pay(case, case.table, before_ns=None if told else earliest)
    before, base = case.table, paid
    if swept is not None:  # fines were paid before; then the next card landed; then all of it was won
        before, base = swept, _fined_alike(setup, case.table, paid, swept)
    if replays:
        after = replace(base, replay=Replay(tied, why))
    else:
        winners = (winner,) if winner is not None else tied
        after = stacks.swept(setup, base, winners, why, base.last or case.card.seat)
    listed += _ranked(case, verdict, winner, told)
    slap = replace(
        _slap(case, listed, before=before, after=after),
        winner=winner,
        dead_heat=tied,
        final_ns=None if told else verdict.final_ns,
        clock=verdict.clock,
        told=told,
    )
    seen, quick = case.card.seen_ns, None
    if winner is not None and not told and case.timed and winner not in verdict.unsure:
        reaction = dict(verdict.times_ns)[winner] - seen
        quick = (winner, reaction) if reaction >= 0 else None
    return Judged(after, slap, settled=True, swept=swept is not None, fastest=quick)


def _fined_alike(setup: Setup, before: Table, paid: Table, table: Table) -> Table:
    """Another table after the fines that made ``before`` into ``paid``."""
    table = stacks.given(setup, table, stacks.moved(setup, before, paid))
    return replace(table, under=table.under + paid.under - before.under, out=paid.out)


def _ranked(case: Case, verdict: Verdict, winner: str | None, told: bool) -> list[tuple[Onset, Meant]]:
    """Who won, was tied, or came too late."""
    tied, listed = verdict.dead_heat, list[tuple[Onset, Meant]]()
    for seat, t_ns in verdict.times_ns:
        if not told or seat != winner:
            listed.append((Onset(seat, t_ns), "won" if seat == winner else "tied" if seat in tied else "late"))
    for c in case.candidates:
        if c.doubt and may_win(case, c.onset.seat):
            listed.append((c.onset, "early" if c.false else "late"))
    for seat, t_ns in case.told:
        if may_win(case, seat):
            listed.append((Onset(seat, t_ns), "won" if seat == winner and told else "late"))
    return listed


def _others_only(case: Case) -> Judged:
    """Nobody who may win has slapped: locked ones, vetoed ones, and (in a replay) those who were not tied."""
    table, listed = _pay(case, case.table)
    return Judged(table, _slap(case, listed, after=table) if listed else None)


def _pay(case: Case, table: Table, before_ns: int | None = None) -> tuple[Table, list[tuple[Onset, Meant]]]:
    """Presses that cannot win a right card: false starts, locked and vetoed ones; and in a replay the wrong ones."""
    listed: list[tuple[Onset, Meant]] = []
    only = case.reason.seats
    for c in case.candidates:
        seat, bar = c.onset.seat, barred(case.table, c.onset.seat)
        if bar is not None:
            listed.append((c.onset, bar))
        elif c.doubt:
            continue
        elif c.false:
            table = _false_start(case, table, c, listed)
        elif seat in case.vetoed:
            listed.append((c.onset, "late"))
        elif only is not None and seat not in only and not c.late:
            if before_ns is not None and c.onset.t_ns > before_ns:
                listed.append((c.onset, "late"))
            elif seat not in table.charged:
                table = stacks.fined(case.setup, table, seat)
                listed.append((c.onset, "wrong"))
    for seat, t_ns in case.told:
        if seat in case.vetoed or barred(case.table, seat):
            listed.append((Onset(seat, t_ns), barred(case.table, seat) or "late"))
    return table, listed


def _false_start(case: Case, table: Table, c: Candidate, listed: list[tuple[Onset, Meant]]) -> Table:
    """A press before anybody can have seen the card: ignored, or (house) a wrong slap."""
    listed.append((c.onset, "early"))
    if case.setup.false_start == "ignored" or c.onset.seat in table.charged:
        return table
    return stacks.fined(case.setup, table, c.onset.seat)


# a card that may not be slapped


def _wrong(case: Case) -> Judged:
    setup, table = case.setup, case.table
    listed: list[tuple[Onset, Meant]] = []
    asks: list[Ask] = []
    caught: list[str] = []
    for onset, c in _in_order(case):
        seat, bar = onset.seat, barred(case.table, onset.seat)
        if bar is not None:
            listed.append((onset, bar))
        elif c is not None and c.doubt:
            listed.append((onset, "unsure"))
            if all(ask.seat != seat for ask in asks):
                asks.append(c.doubt)
        elif c is not None and c.false:
            table = _false_start(case, table, c, listed)
        elif seat in table.charged:
            continue  # once per seat and card
        elif c is not None and not onset.sure and not c.press.ruled:
            listed.append((onset, "unsure"))
            asks.append(Ask("pressed", case.card.fact, seat, case.card.card, press_ns=onset.t_ns))
        else:
            listed.append((onset, "wrong"))
            if case.reason.hook:
                caught.append(seat)
                with_stack = stacks.of(setup, table, seat) > 0
                pays = setup.empty_hook == "both" and with_stack
                table = stacks.fined(setup, table, seat) if pays else replace(table, charged=(*table.charged, seat))
            else:
                table = stacks.fined(setup, table, seat)
    if caught:
        table = replace(table, locks=locked(table.locks, caught))
    if not listed:
        return Judged(table)
    slap = replace(_slap(case, listed, after=table), hooked=tuple(caught))
    wrong = [press.t_ns for press in slap.presses if press.verdict in ("wrong", "early")]
    if wrong and not slap.told:
        wait = setup.windows.settle_ns
        slap = replace(slap, final_ns=min(wrong) + (wait if case.followed else max(wait, UNREAD_NS)))
    return Judged(table, slap, held=bool(asks), asks=tuple(asks))


def _in_order(case: Case) -> Iterable[tuple[Onset, Candidate | None]]:
    for c in case.candidates:
        if not c.late:
            yield c.onset, c
    for seat, t_ns in case.told:
        yield Onset(seat, t_ns), None


# how it is written down


def nothing(case: Case) -> Slap | None:
    """Presses after the card was won together with the one before: late, and free."""
    listed: list[tuple[Onset, Meant]] = [(c.onset, "late") for c in case.candidates if not c.late]
    return _slap(case, listed) if listed else None


def _slap(
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
        Slapped(seat, onset.t_ns, max(0, onset.t_ns - earliest) if counted else 0, meant)
        for (seat, meant), onset in first.items()
    )
    card, table = case.card, before or case.table
    told = bool(case.told)
    return Slap(
        id=card.fact,
        cards=tuple(one.card for one in case.table.lake[-DEPTH:]),
        why=case.reason.why,
        right=case.reason.why is not None,
        seen_ns=card.seen_ns,
        before_ns=card.before_ns,
        presses=presses,
        clock="software" if any(onset.clock == "software" for onset, _m in listed) else "kernel",
        moved=() if after is None else stacks.moved(case.setup, table, after),
        told=told,
        vetoed=case.vetoed,
        gone=() if after is None else tuple(seat for seat in after.out if seat not in table.out),
    )
