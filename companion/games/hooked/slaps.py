"""Judging the slaps of one card: who reels in the Lake, who pays, who is locked, and what cannot be told."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from companion.core.race import Onset, Verdict, judge
from companion.games.hooked import stacks
from companion.games.hooked.case import Candidate, Case, Judged, barred, doubtful, may_win
from companion.games.hooked.lake import possibilities
from companion.games.hooked.locks import caught, locked
from companion.games.hooked.names import EMPTY_HOOK
from companion.games.hooked.state import Ask, Meant, Replay, Setup, Table
from companion.games.hooked.written import joined, slap

replace = msgspec.structs.replace

UNREAD_NS = 1_000_000_000
"""So long after a wrong slap the camera may still tell of the card it was really for."""


def judged(case: Case) -> Judged:
    """What came of the card. False starts come first: who goes out by one wins nothing."""
    case = replace(case, candidates=tuple(_doubted(case, c) for c in case.candidates))
    table, listed = case.table, list[tuple[Onset, Meant]]()
    for c in case.candidates:
        if c.false and not c.doubt:
            table = _false_start(case, table, c, listed)
    rest = tuple(c for c in case.candidates if c.doubt or not c.false)
    case = replace(case, table=table, candidates=rest, begun=case.table)
    result = _judged(case)
    if not result.settled:  # who may not win this card may have won the next one
        more = tuple(c.doubt for c in rest if c.doubt and c.late and not may_win(case, c.onset.seat))
        result = replace(result, asks=(*result.asks, *more))
    if not listed:
        return result
    return replace(result, slap=joined(case, result, listed))


def _doubted(case: Case, c: Candidate) -> Candidate:
    """A press is in doubt when an Empty Hook, if it was one, has locked its seat; unless it is free in any case.

    So is a false start without cards on what may be one: then it locks and does not eliminate.
    """
    seat = c.onset.seat
    if c.doubt or (c.false and (c.free or case.setup.false_start == "ignored")):
        return c
    doubt = doubtful(case.table, seat)
    if doubt is None and c.false and barred(case.table, seat) is None and not stacks.of(case.setup, case.table, seat):
        maybe = possibilities(case.setup, case.card)
        doubt = Ask("card", case.card.fact) if EMPTY_HOOK in maybe and len(maybe) > 1 else None
    return c if doubt is None else replace(c, doubt=doubt)


def _judged(case: Case) -> Judged:
    if not case.reason.sure:
        return _unknown(case)
    if case.reason.why is None:
        return _wrong(case)
    return _right(case)


def _unknown(case: Case) -> Judged:
    """It depends on a card nobody knows. A press in the zone of the next card is none if this one was an Empty Hook."""
    pressed = [c.onset for c in case.candidates] + [Onset(seat, t_ns) for seat, t_ns in case.told]
    listed = [(onset, barred(case.table, onset.seat) or "unsure") for onset in pressed]
    held = any(verdict == "unsure" for _onset, verdict in listed)
    late = {c.onset for c in case.candidates if c.late}
    slappers = dict.fromkeys(o.seat for o, verdict in listed if verdict == "unsure" and o not in late)
    table = caught(case.table, slappers, case.card.fact, possibilities(case.setup, case.card))
    return Judged(table, slap(case, listed) if listed else None, held=held)


# a card that may be slapped


def _right(case: Case) -> Judged:
    able = [c for c in case.candidates if may_win(case, c.onset.seat) and (c.doubt or not c.false)]
    able += [c for c in case.candidates if c.doubt and not c.late and _may_pay(case, c.onset.seat)]
    verdict = _verdict(case, [c.onset for c in able if not c.doubt])
    told = [seat for seat, _t in case.told if may_win(case, seat)]
    counted = [seat for seat, _t in case.told if may_win(case, seat) or _may_pay(case, seat)]
    perhaps = next((ask for seat in counted if (ask := doubtful(case.table, seat)) is not None), None)
    if perhaps is not None:
        return _hold(case, able, perhaps)
    if told:
        verdict = replace(verdict, winner=told[0], dead_heat=(), unsure=())
    else:
        earliest = verdict.times_ns[0][1] + case.setup.windows.tie_ns if verdict.times_ns else None
        doubt = next((c.doubt for c in able if c.doubt and (earliest is None or c.onset.t_ns <= earliest)), None)
        if doubt is not None:
            return _hold(case, able, doubt)
        if _who_was_first(case, verdict, able):
            options = tuple(seat for seat, _t in verdict.times_ns)
            return _hold(case, able, Ask("first", case.card.fact, card=case.card.card, options=options))
    if verdict.winner is None and not verdict.dead_heat:
        return _others_only(case)
    return _settle(case, verdict, bool(told))


def _verdict(case: Case, onsets: Sequence[Onset]) -> Verdict:
    return judge(onsets, case.setup.windows, opened_ns=min((o.t_ns for o in onsets), default=0))


def _who_was_first(case: Case, verdict: Verdict, able: Sequence[Candidate]) -> bool:
    """Whether a doubtful press could change the winner: it is not the likely one, somebody is close behind it, or it
    may be none."""
    windows = case.setup.windows
    times = dict(verdict.times_ns)
    perhaps = {(c.onset.seat, c.onset.t_ns) for c in able if c.maybe}
    for seat in verdict.unsure:
        reach = times[seat] + windows.quiet_ns + windows.tie_ns
        close = any(t_ns <= reach for other, t_ns in times.items() if other != seat)
        if close or seat != verdict.winner or (seat, times[seat]) in perhaps:
            return True
    return False


def _hold(case: Case, able: Sequence[Candidate], ask: Ask) -> Judged:
    """Nobody wins yet: a question decides."""
    table, listed = _pay(case, case.table)
    listed += [(c.onset, "unsure") for c in able]
    for seat, t_ns in case.told:
        if may_win(case, seat) or (_may_pay(case, seat) and doubtful(case.table, seat) is not None):
            listed.append((Onset(seat, t_ns), "unsure"))
    return Judged(table, slap(case, listed, after=table), held=True, asks=(ask,))


def _settle(case: Case, verdict: Verdict, told: bool) -> Judged:
    """Somebody has won, or several were first."""
    setup, why, tied, winner = case.setup, case.reason.why, verdict.dead_heat, verdict.winner
    assert why is not None
    earliest = verdict.times_ns[0][1] if verdict.times_ns else 0
    if tied and setup.dead_heat == "nearest":
        winner = next(seat for seat in stacks.around(setup, case.card.seat, 1) if seat in tied)
    counted = {(c.onset.seat, c.onset.t_ns): c for c in case.candidates}
    first = tied[0] if tied else winner
    assert first is not None
    by = counted.get((first, dict(verdict.times_ns).get(first, earliest)))
    late = by is not None and by.late and not told
    paid, listed = _pay(case, case.table, before_ns=None if told or late else earliest)
    replays = winner is None and setup.dead_heat == "next-flip" and bool(stacks.holders(setup, paid))
    swept = case.swept if late and not replays else None
    before, base = case.begun or case.table, paid
    if swept is not None:  # fines were paid before; then the next card landed; then all of it was won
        before, base = _unfined(setup, before, paid, swept), swept
    if replays:
        after = replace(base, replay=Replay(tied, why))
    else:
        winners = (winner,) if winner is not None else tied
        after = stacks.swept(setup, base, winners, why, base.last or case.card.seat)
    listed += _ranked(case, verdict, winner, told)
    written = replace(
        slap(case, listed, before=before, after=after),
        winner=winner,
        dead_heat=tied,
        final_ns=dict(reversed(case.told))[str(winner)] if told else verdict.final_ns,
        clock=verdict.clock,
        told=told,
    )
    seen, quick = case.card.seen_ns, None
    if winner is not None and not told and case.timed and winner not in verdict.unsure:
        reaction = dict(verdict.times_ns)[winner] - seen
        quick = (winner, reaction) if reaction >= 0 else None
    return Judged(after, written, settled=True, swept=swept is not None, fastest=quick)


def _unfined(setup: Setup, before: Table, paid: Table, table: Table) -> Table:
    """A later table without the fines that made ``before`` into ``paid``."""
    table = stacks.given(setup, table, stacks.moved(setup, paid, before))
    return replace(table, under=table.under - paid.under + before.under, out=before.out)


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
    return Judged(table, slap(case, listed, after=table) if listed else None)


def _pay(case: Case, table: Table, before_ns: int | None = None) -> tuple[Table, list[tuple[Onset, Meant]]]:
    """Presses that cannot win a right card: locked and vetoed ones; and in a replay the wrong ones."""
    listed: list[tuple[Onset, Meant]] = []
    only = case.reason.seats
    for c in case.candidates:
        seat, bar = c.onset.seat, barred(case.table, c.onset.seat)
        if bar is not None:
            listed.append((c.onset, bar))
        elif c.doubt:
            continue
        elif seat in case.vetoed:
            listed.append((c.onset, "late"))
        elif only is not None and seat not in only and not c.late:
            if c.maybe or (before_ns is not None and c.onset.t_ns > before_ns):
                listed.append((c.onset, "late"))
            elif seat not in table.charged:
                table = stacks.fined(case.setup, table, seat)
                listed.append((c.onset, "wrong"))
    for place, (seat, t_ns) in enumerate(case.told):
        after = any(may_win(case, other) for other, _t in case.told[:place])
        if seat in case.vetoed or barred(case.table, seat):
            listed.append((Onset(seat, t_ns), barred(case.table, seat) or "late"))
        elif only is not None and seat not in only and after:
            listed.append((Onset(seat, t_ns), "late"))
        elif _may_pay(case, seat) and seat not in table.charged and doubtful(case.table, seat) is None:
            table = stacks.fined(case.setup, table, seat)
            listed.append((Onset(seat, t_ns), "wrong"))
    return table, listed


def _may_pay(case: Case, seat: str) -> bool:
    """Whether a right card's slap by this seat is a wrong one: in a replay, of who was not tied."""
    only = case.reason.seats
    free = seat in case.vetoed or seat in case.table.charged or barred(case.table, seat) is not None
    return only is not None and seat not in only and not free


def _false_start(case: Case, table: Table, c: Candidate, listed: list[tuple[Onset, Meant]]) -> Table:
    """A press before anybody can have seen the card: ignored, or (house) a wrong slap.

    Without cards an Empty Hook locks instead, and eliminates nobody.
    """
    seat = c.onset.seat
    bar = barred(case.table, seat)
    free = bar is not None or c.free or c.maybe or case.setup.false_start == "ignored" or seat in table.charged
    hooked = case.reason.hook and not free and stacks.of(case.setup, table, seat) == 0
    listed.append((c.onset, "wrong" if hooked else bar or "early"))
    if hooked:
        return _hooked(table, seat)
    return table if free else stacks.fined(case.setup, table, seat)


def _hooked(table: Table, seat: str) -> Table:
    """The table after a seat slapped an Empty Hook and paid nothing for it."""
    charged = tuple(dict.fromkeys((*table.charged, seat)))
    return replace(table, locks=locked(table.locks, (seat,)), charged=charged)


# a card that may not be slapped


def _wrong(case: Case) -> Judged:
    setup, table = case.setup, case.table
    listed: list[tuple[Onset, Meant]] = []
    asks: list[Ask] = []
    hooked: list[str] = []
    for onset, c in _in_order(case):
        seat, bar = onset.seat, barred(case.table, onset.seat)
        doubt = c.doubt if c is not None else doubtful(case.table, seat)
        if bar is not None:
            listed.append((onset, bar))
        elif doubt is not None:
            listed.append((onset, "unsure"))
            if all(ask.seat != seat for ask in asks):
                asks.append(doubt)
        elif seat in (hooked if case.reason.hook else table.charged):
            continue  # once per seat and card; a false start, which is paid for, keeps no Empty Hook from locking
        elif c is not None and not onset.sure and not c.press.ruled:
            listed.append((onset, "unsure"))
            if all(ask.seat != seat for ask in asks):
                asks.append(Ask("pressed", case.card.fact, seat, case.card.card, press_ns=onset.t_ns))
        else:
            listed.append((onset, "wrong"))
            if case.reason.hook:
                hooked.append(seat)
                pays = setup.empty_hook == "both" and stacks.of(setup, table, seat) > 0 and seat not in table.charged
                table = _hooked(stacks.fined(setup, table, seat) if pays else table, seat)
            else:
                table = stacks.fined(setup, table, seat)
    if not listed:
        return Judged(table)
    written = replace(slap(case, listed, after=table), hooked=tuple(hooked))
    wrong = [press.t_ns for press in written.presses if press.verdict == "wrong"]
    if wrong and written.final_ns is not None and not written.told:
        wait = setup.windows.settle_ns
        written = replace(written, final_ns=min(wrong) + (wait if case.followed else max(wait, UNREAD_NS)))
    return Judged(table, written, held=bool(asks), asks=tuple(asks))


def _in_order(case: Case) -> Iterable[tuple[Onset, Candidate | None]]:
    for c in case.candidates:
        if not c.late:
            yield c.onset, c
    for seat, t_ns in case.told:
        yield Onset(seat, t_ns), None
