"""One flip (or recount) after the other: where all cards are when it has landed, and after its slaps."""

from __future__ import annotations

import msgspec

from companion.core.facts import Fact
from companion.core.race import Onset
from companion.games.hooked import ending, lake, recount, slaps, stacks
from companion.games.hooked.case import Candidate, Case, Judged, effect, may_win
from companion.games.hooked.facts import CardFlipped, CardPassed, Recounted, SlapTold, Vetoed
from companion.games.hooked.landing import Landing, Sources, land, slaps_told
from companion.games.hooked.names import SAY_HOOKED
from companion.games.hooked.presses import LATE_TAP_NS, SAME_RACE_NS, Aimed
from companion.games.hooked.state import Ask, Conflict, LakeCard, Reason, Setup, Slap, Stage, Table
from companion.games.hooked.untold import untold
from companion.games.hooked.written import nothing
from companion.words import _

replace = msgspec.structs.replace


def opening(setup: Setup) -> Table:
    """The cards dealt; the first seat flips first."""
    return Table(setup.stacks)


def stage(sources: Sources, n: int, before: Stage | None) -> Stage:
    """Flip ``n`` and everything until the next one."""
    setup, fact = sources.setup, sources.flips[n]
    table = before.after if before is not None else opening(setup)
    if isinstance(fact, Recounted):
        return _recounted(sources, n, fact, table, before)
    if before is not None and before.swept:
        return _swept(sources, n, table)
    if before is not None and before.over:
        why = _("The game was over before this card was flipped.")
        conflict = Conflict(fact.id, why)
        return Stage(fact, table, table, dead=True, over=True, winner=before.winner, conflicts=(conflict,))
    landing = land(sources, n, table)
    if landing.card is None:
        return _played(sources, n, landing, *_still(before, table), False)
    false_starts = before is None or not before.waiting
    reason, slap = lake.reason(setup, landing.table), before.slap if before is not None else None
    if fact.source == "tap":
        landing = replace(landing, asks=(*landing.asks, *untold(sources, n, before, landing, reason)))
    return _played(sources, n, landing, landing.card, reason, false_starts, slap)


def _heard(slap: Slap | None, onset: Onset) -> bool:
    """Whether this press was judged as a slap of the card before."""
    heard = slap.presses if slap is not None else ()
    return any((p.seat, p.t_ns) == (onset.seat, onset.t_ns) and p.verdict in ("won", "tied", "late") for p in heard)


def _same_race(slap: Slap | None, onset: Onset) -> bool:
    """Whether this press was a late slap of the card before, which somebody else had won a moment ago."""
    won = [(p.seat, p.t_ns) for p in slap.presses if p.verdict in ("won", "tied")] if slap is not None else []
    first = min((t_ns for _seat, t_ns in won), default=onset.t_ns)
    return 0 < onset.t_ns - first <= SAME_RACE_NS and all(seat != onset.seat for seat, _t in won)


def _still(before: Stage | None, table: Table) -> tuple[LakeCard | None, Reason]:
    """The card that is still on top after something that was no flip, and what slapping it does: what it did before.

    None: there is nothing to slap, or a dead heat waits for the next flip.
    """
    tied = table.replay is not None and table.replay.flip == 0
    return (None, Reason()) if before is None or tied else (table.top, before.reason)


def _recounted(sources: Sources, n: int, fact: Recounted, table: Table, before: Stage | None) -> Stage:
    """A recount: the card on top may still be slapped, if it could be."""
    counted = recount.recounted(sources.setup, table, fact)
    if counted is None:
        why = _("This count does not fit the number of cards in the game.")
        landing = Landing(table, conflicts=(Conflict(fact.id, why),))
    else:
        landing = Landing(counted)
    return _played(sources, n, landing, *_still(before, landing.table), False)


def _swept(sources: Sources, n: int, table: Table) -> Stage:
    """A card that was won with the Lake beneath it, where it is asked about too. Who slaps it now is late."""
    fact, span = sources.flips[n], sources.spans[n]
    assert isinstance(fact, CardFlipped)
    card = LakeCard(fact.id, fact.card, fact.seat, span.seen_ns, span.before_ns)
    late = tuple(Candidate(press) for press in sources.presses(n) if not press.early)
    slap = nothing(Case(sources.setup, replace(table, lake=(card,)), card, Reason(), late, moment=fact.id))
    over, winner = ending.ended(sources.setup, table)
    return Stage(fact, table, table, slap=slap, over=over, winner=winner)


# playing


def _played(
    sources: Sources, n: int, landing: Landing, card: LakeCard | None, reason: Reason, false_starts: bool,
    slapped: Slap | None = None,
) -> Stage:  # fmt: skip
    """A card on top of the Lake, and its slaps until the next card. ``false_starts``: early presses are judged here
    (else they were for the card before), but for those that are of ``slapped``, the slap of the card before."""
    setup, fact = sources.setup, sources.flips[n]
    table = landing.table
    if card is None:
        over, winner = ending.ended(setup, table)
        return Stage(fact, table, table, over=over, winner=winner, asks=landing.asks, conflicts=landing.conflicts)
    own = card.fact == fact.id
    timed = isinstance(fact, CardFlipped) and fact.source == "camera" and fact.seen_ns > 0
    words = sources.about(card.fact, SlapTold) if own or isinstance(fact, Recounted) else []
    told = slaps_told([word for word in words if _during(sources, n, word)], card.fact)
    over, winner = ending.ended(setup, table)
    if over and not reason.open:  # before anybody could slap: what is pressed now counts for nothing
        late = tuple(Candidate(press) for press in sources.presses(n))
        shut = nothing(Case(setup, table, card, reason, late, timed=timed, moment=fact.id))
        return Stage(
            fact, table, table, reason, shut, over=True, winner=winner, asks=landing.asks, conflicts=landing.conflicts
        )
    vetoes = [f for f in sources.about(card.fact, Vetoed) if isinstance(f, Vetoed)]
    passes = sources.about(card.fact, CardPassed)
    passed = bool(passes) and not told
    say = reason.why in SAY_HOOKED
    presses = sources.presses(n)
    if not own:  # no card has landed for which a press could be too early
        presses = [replace(press, early=False, open=False) for press in presses]
    after_pass = []
    if passed and reason.open:  # its slapping is over: who slaps it now is late
        shut_ns = min(fact.t_ns for fact in passes)
        after_pass = [press for press in presses if press.onset.t_ns > shut_ns and not press.ruled]
        presses = [press for press in presses if press not in after_pass]
    early = [press for press in presses if press.early and not _heard(slapped, press.onset)]
    case = Case(
        setup=setup,
        table=table,
        card=card,
        reason=reason,
        told=tuple((f.seat, f.t_ns) for f in told if f.seat in setup.seats),
        vetoed=tuple(dict.fromkeys(f.seat for f in vetoes if say)),
        timed=timed,
        followed=_followed(sources, n, table),
        moment=fact.id,
    )
    plain = [Candidate(press, _tapped_late(sources, n, case, press)) for press in presses if not press.early]
    if false_starts:
        for press in early:
            free = _same_race(slapped, press.onset)
            plain.append(Candidate(press, _false_or_not(case, press, free), false=True, free=free))
    plain.sort(key=_when)
    case = replace(case, candidates=tuple(plain))
    result = slaps.judged(case)
    won: tuple[Ask, ...] = ()
    if reason.open and not result.held and not passed:
        coming, following = _coming(sources, n, case, result)
        if coming:
            case = replace(case, candidates=(*plain, *coming), swept=following.table)
            result = slaps.judged(case)
            won = following.asks if result.swept else ()
    waiting = reason.open and not result.settled
    after = result.table
    if result.settled and after.replay is None:
        after = replace(after, charged=())
    conflicts = list(landing.conflicts)
    if own and not say:
        why = _('"HOOKED!" has to be said only when an action card is slapped.')
        conflicts += [Conflict(f.id, why) for f in vetoes]
    over, winner, asks = _end(case, result, after, waiting and not passed, passed)
    return Stage(
        fact=fact,
        landed=table,
        after=after,
        reason=reason,
        slap=result.slap or nothing(replace(case, candidates=tuple(Candidate(press) for press in after_pass))),
        waiting=waiting and not passed,
        swept=result.swept,
        over=over,
        winner=winner,
        fastest=result.fastest,
        asks=(*landing.asks, *(ask for ask in result.asks if ask.kind != "card"), *won, *asks),
        needs=_needs(case, result),
        conflicts=tuple(conflicts),
    )


def _followed(sources: Sources, n: int, table: Table) -> bool:
    """Whether the next card is known. What may have been no card, or counts for nothing, does not say that it came."""
    if n + 1 >= len(sources.flips) or isinstance(sources.flips[n + 1], Recounted):
        return n + 1 < len(sources.flips)
    card = land(sources, n + 1, table).card
    return card is not None and not card.maybe


def _when(c: Candidate) -> tuple[int, str]:
    return c.onset.t_ns, c.onset.seat


def _during(sources: Sources, n: int, told: Fact) -> bool:
    """Whether a told slap belongs to this stage of its flip: to the flip itself, unless a recount came between."""
    following = sources.flips[n + 1] if n + 1 < len(sources.flips) else None
    this = sources.flips[n]
    after = told.t_ns >= this.t_ns if isinstance(this, Recounted) else True
    return after and not (isinstance(following, Recounted) and told.t_ns >= following.t_ns)


def _needs(case: Case, result: Judged) -> tuple[int, ...]:
    """The flips of unknown cards that must be asked for, because somebody slapped what depends on them."""
    reasons = lake.unknown(case.table) if result.held and not case.reason.sure else ()
    return tuple(dict.fromkeys((*reasons, *(ask.flip for ask in result.asks if ask.kind == "card"))))


def _coming(sources: Sources, n: int, case: Case, result: Judged) -> tuple[list[Candidate], Landing]:
    """The early presses of the next card, which are for this one while it waits; and how that card landed.

    When this one is won by ``result``, only those that were as fast as the winner, just before the card landed. Else
    who slapped it wrongly before has paid.
    """
    until = _tied_until(case, result) if result.settled else None
    case = case if result.settled else replace(case, table=result.table)
    following = sources.flips[n + 1] if n + 1 < len(sources.flips) else None
    if not isinstance(following, CardFlipped) or following.source != "camera":
        return [], Landing(case.table)
    landing = land(sources, n + 1, case.table)
    if landing.card is None:
        return [], landing
    reason = lake.reason(case.setup, landing.table)
    found = []
    for press in sources.presses(n + 1):
        if press.early and (until is None or press.onset.t_ns <= until):
            doubt = None
            if press.open and not press.ruled:
                seat = press.onset.seat
                here = _effect_when_early(case, seat)
                if here != effect(case.setup, landing.table, reason, seat):
                    doubt = _press_ask("press", landing.card, seat, press.onset.t_ns, case.card)
            found.append(Candidate(press, doubt, late=True))
    return found, landing


def _tied_until(case: Case, result: Judged) -> int:
    """Until when a press is a dead heat with the one that won; what was told ties with none."""
    won = [p.t_ns for p in result.slap.presses if p.verdict in ("won", "tied")] if result.slap is not None else []
    return min(won) + case.setup.windows.tie_ns if won and not case.told else 0


def _effect_when_early(case: Case, seat: str) -> str:
    """What an early press of the next card does while this one waits."""
    would = effect(case.setup, case.table, case.reason, seat)
    if seat in case.vetoed:
        return "ignored"
    return "ignored" if would == "costs" else would  # in a replay, of who was not tied


def _false_or_not(case: Case, press: Aimed, free: bool) -> Ask | None:
    """The question whether a press was too early, where it decides anything."""
    if not press.open or press.ruled:
        return None
    seat = press.onset.seat
    in_time = effect(case.setup, case.table, case.reason, seat)
    pays = case.setup.false_start == "wrong" and not free
    hooked = in_time == "locks" and stacks.of(case.setup, case.table, seat) == 0
    early = "ignored" if not pays or in_time == "ignored" else "locks" if hooked else "costs"
    return None if in_time == early else _press_ask("press", case.card, seat, press.onset.t_ns, None)


def _tapped_late(sources: Sources, n: int, case: Case, press: Aimed) -> Ask | None:
    """The question for which of two cards a press was, when the second was told by a tap soon after it."""
    following = sources.flips[n + 1] if n + 1 < len(sources.flips) else None
    if press.ruled or not isinstance(following, CardFlipped) or following.source != "tap":
        return None
    seat, t_ns = press.onset.seat, press.onset.t_ns
    if t_ns < sources.spans[n + 1].seen_ns - LATE_TAP_NS:
        return None
    here = effect(case.setup, case.table, case.reason, seat)
    if here not in ("costs", "locks"):
        return None
    landing = land(sources, n + 1, case.table)
    if landing.card is None:
        return None
    there = effect(case.setup, landing.table, lake.reason(case.setup, landing.table), seat)
    return None if there == here else _press_ask("late-tap", landing.card, seat, t_ns, case.card)


def _press_ask(kind: str, card: LakeCard, seat: str, t_ns: int, before: LakeCard | None) -> Ask:
    return Ask(
        kind="late-tap" if kind == "late-tap" else "press",
        flip=card.fact,
        seat=seat,
        card=card.card,
        press_ns=t_ns,
        other="" if before is None else before.card,
        other_flip=0 if before is None else before.fact,
    )


def _end(
    case: Case, result: Judged, after: Table, waiting: bool, passed: bool
) -> tuple[bool, str | None, tuple[Ask, ...]]:
    """Whether the game is over after this card, who has won, and what has to be asked first.

    A wrong slap alone ends no game before somebody says so, or the next card is known: it may have been a slap of a
    card that the camera has not told of yet.
    """
    setup = case.setup
    over, winner = ending.ended(setup, after)
    if not over or result.held:
        return False, None, ()
    flip, card = case.card.fact, case.card.card
    if waiting and not case.followed:
        options = tuple(seat for seat in setup.seats if may_win(case, seat))
        return False, None, (Ask("unslapped", flip, winner or "", card, options=options),)
    paid = not result.settled and not ending.ended(setup, case.table)[0]
    if paid and not passed and not case.followed:
        return False, None, (Ask("end", flip, winner or "", card),)
    return True, winner, ()
