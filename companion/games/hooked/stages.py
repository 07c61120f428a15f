"""One flip (or recount) after the other: where all cards are when it has landed, and after its slaps."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from companion.core.facts import Fact
from companion.core.race import Onset
from companion.games.hooked import ending, lake, locks, recount, slaps, stacks
from companion.games.hooked.facts import CardFlipped, CardPassed, FlipRuled, Recounted, SlapTold, Vetoed
from companion.games.hooked.names import EMPTY_HOOK, SAY_HOOKED, UNKNOWN
from companion.games.hooked.presses import LATE_TAP_NS, Aimed, Span, aimed
from companion.games.hooked.slaps import Candidate, Case
from companion.games.hooked.state import Ask, Conflict, LakeCard, Reason, Setup, Stage, Table
from companion.words import _

replace = msgspec.structs.replace

SAME_RACE_NS = 1_000_000_000
"""Who presses so soon after the winner was in the same race."""


class Sources(msgspec.Struct, frozen=True):
    """All that stages are derived from: flips and recounts by time with their spans, presses, and what people said."""

    setup: Setup
    flips: Sequence[CardFlipped | Recounted]
    spans: Sequence[Span]
    onsets: Sequence[Onset]
    words: Sequence[Fact]
    ids: frozenset[int]

    def until(self, n: int) -> int | None:
        """The moment before which presses belong to flip ``n``; None for the last."""
        return self.spans[n + 1].before_ns if n + 1 < len(self.spans) else None

    def about(self, flip: int, kind: type[Fact]) -> list[Fact]:
        """What people said of that kind about a flip."""
        return [fact for fact in self.words if isinstance(fact, kind) and getattr(fact, "flip", 0) == flip]

    def presses(self, n: int) -> list[Aimed]:
        """The presses between flip ``n`` and the next."""
        return aimed(self.onsets, self.words, self.flips[n].id, self.ids, self.spans[n], self.until(n))


class Landing(msgspec.Struct, frozen=True):
    """A card that has just landed: the table with it, and what is open about it. ``card`` None: it does not count."""

    table: Table
    card: LakeCard | None = None
    asks: tuple[Ask, ...] = ()
    conflicts: tuple[Conflict, ...] = ()


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
        same = _same_top(before)
        return _played(sources, n, landing, same, before.reason if before and before.waiting else Reason(), False)
    false_starts = before is None or not before.waiting
    return _played(sources, n, landing, landing.card, lake.reason(setup, landing.table), false_starts)


def _same_top(before: Stage | None) -> LakeCard | None:
    return before.after.top if before is not None else None


def _recounted(sources: Sources, n: int, fact: Recounted, table: Table, before: Stage | None) -> Stage:
    """A recount: the card on top may still be slapped, if it could be."""
    counted = recount.recounted(sources.setup, table, fact)
    if counted is None:
        why = _("This count does not fit the number of cards in the game.")
        landing = Landing(table, conflicts=(Conflict(fact.id, why),))
    else:
        landing = Landing(counted)
    top = landing.table.top
    reason = before.reason if before is not None and before.waiting and top is not None else Reason()
    return _played(sources, n, landing, top, reason, False)


def _swept(sources: Sources, n: int, table: Table) -> Stage:
    """A card that was won with the Lake beneath it. Who slaps it now is late."""
    fact, span = sources.flips[n], sources.spans[n]
    assert isinstance(fact, CardFlipped)
    card = LakeCard(fact.id, fact.card, fact.seat, span.seen_ns, span.before_ns)
    late = tuple(Candidate(press) for press in sources.presses(n) if not press.early)
    slap = slaps.nothing(Case(sources.setup, replace(table, lake=(card,)), card, Reason(), late))
    over, winner = ending.ended(sources.setup, table)
    return Stage(fact, table, table, slap=slap, over=over, winner=winner)


# landing


def land(sources: Sources, n: int, table: Table) -> Landing:
    """The table with card ``n`` in the Lake. Also for a card that is only looked ahead to."""
    setup, fact, span = sources.setup, sources.flips[n], sources.spans[n]
    assert isinstance(fact, CardFlipped)
    said = _said(sources, fact.id)
    turn = stacks.turn(setup, table)
    if said.counts is False:
        return Landing(table)
    if turn is None:
        return Landing(table, conflicts=(Conflict(fact.id, _("Nobody had a card left to flip.")),))
    seat, asks = _flipper(setup, table, fact, said, turn)
    card, maybe, more = _which(setup, table, fact, said)
    asks += more
    landed = LakeCard(fact.id, card, seat, span.seen_ns, span.before_ns, maybe)
    table = stacks.landed(setup, replace(table, locks=locks.passed(table.locks)), landed)
    if card == EMPTY_HOOK:
        table = replace(table, locks=locks.locked(table.locks, (seat,)))
    return Landing(table, landed, tuple(asks))


def _said(sources: Sources, flip: int) -> FlipRuled:
    """What people said about a flip, the last word on each thing."""
    said = FlipRuled(flip=flip)
    for fact in sources.about(flip, FlipRuled):
        assert isinstance(fact, FlipRuled)
        news = {name: getattr(fact, name) for name in ("seat", "card", "counts") if getattr(fact, name) is not None}
        said = replace(said, **news)
    return said


def _flipper(setup: Setup, table: Table, fact: CardFlipped, said: FlipRuled, turn: str) -> tuple[str, list[Ask]]:
    """Who flipped a card: whose stack it came from."""
    holders = stacks.holders(setup, table)
    if said.seat in holders:
        return str(said.seat), []
    seat = fact.seat if fact.seat in holders else turn
    ask = Ask("flipper", fact.id, fact.seat, fact.card, options=holders, other=turn, picture=fact.picture)
    if fact.seat not in holders:
        return seat, [ask]
    if seat == turn:
        return seat, []  # a guess that is what the rules say is no guess
    return seat, [ask if not fact.seat_sure else replace(ask, kind="turn")]


def _which(setup: Setup, table: Table, fact: CardFlipped, said: FlipRuled) -> tuple[str, tuple[str, ...], list[Ask]]:
    """Which card it is, which it could be (empty: it is known), and what is asked."""
    if said.card is not None and said.card in setup.cards:
        return said.card, (), []
    free = tuple(id for id in setup.cards if not lake.exhausted(setup, table.lake, id))
    ask = Ask("card", fact.id, fact.seat, fact.card, picture=fact.picture)
    if fact.card_sure and fact.card in free:
        return fact.card, (), []
    if fact.card_sure and fact.card in setup.cards:
        ask = replace(ask, kind="copies", options=tuple(id for id, _p in fact.cards if id in free and id != fact.card))
        return UNKNOWN, free, [ask]
    named = tuple(dict.fromkeys(id for id, _p in (*fact.cards, (fact.card, 0.0)) if id in free))
    if fact.card_sure or not named:
        return UNKNOWN, free, [ask]
    maybe = named if len(named) > 1 else free
    return (fact.card if fact.card in named else named[0]), maybe, [replace(ask, options=named)]


# playing


def _played(
    sources: Sources, n: int, landing: Landing, card: LakeCard | None, reason: Reason, false_starts: bool
) -> Stage:
    """A card on top of the Lake, and its slaps until the next card. ``false_starts``: early presses are judged here
    (else they were for the card before)."""
    setup, fact = sources.setup, sources.flips[n]
    table = landing.table
    if card is None:
        over, winner = ending.ended(setup, table)
        return Stage(fact, table, table, over=over, winner=winner, asks=landing.asks, conflicts=landing.conflicts)
    own = card.fact == fact.id
    told = []
    if own or isinstance(fact, Recounted):
        told = [f for f in sources.about(card.fact, SlapTold) if _during(sources, n, f)]
    vetoes = [f for f in sources.about(card.fact, Vetoed) if isinstance(f, Vetoed)]
    passed = bool(sources.about(card.fact, CardPassed)) and not told
    say = reason.why in SAY_HOOKED
    early = [press for press in sources.presses(n) if press.early]
    case = Case(
        setup=setup,
        table=table,
        card=card,
        reason=reason,
        told=tuple((f.seat, f.t_ns) for f in told if isinstance(f, SlapTold) and f.seat in setup.seats),
        vetoed=tuple(dict.fromkeys(f.seat for f in vetoes if say)),
        timed=isinstance(fact, CardFlipped) and fact.source == "camera",
        followed=n + 1 < len(sources.flips),
    )
    plain = [Candidate(press, _tapped_late(sources, n, case, press)) for press in sources.presses(n) if not press.early]
    if false_starts:
        plain += [Candidate(press, _false_or_not(case, press), false=True) for press in early]
    plain.sort(key=_when)
    case = replace(case, candidates=tuple(plain))
    result = slaps.judged(case)
    waiting = reason.open and not result.settled
    if waiting and not result.held and reason.why is not None and not passed:
        coming, swept = _coming(sources, n, case)
        if coming:
            case = replace(case, candidates=(*plain, *coming), swept=swept)
            result = slaps.judged(case)
            waiting = not result.settled
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
        slap=result.slap,
        waiting=waiting and not passed,
        swept=result.swept,
        over=over,
        winner=winner,
        fastest=result.fastest,
        asks=(*landing.asks, *_relevant(case, result), *asks),
        conflicts=tuple(conflicts),
    )


def _when(c: Candidate) -> tuple[int, str]:
    return c.onset.t_ns, c.onset.seat


def _during(sources: Sources, n: int, told: Fact) -> bool:
    """Whether a told slap belongs to this stage of its flip: to the flip itself, unless a recount came between."""
    following = sources.flips[n + 1] if n + 1 < len(sources.flips) else None
    this = sources.flips[n]
    after = told.t_ns >= this.t_ns if isinstance(this, Recounted) else True
    return after and not (isinstance(following, Recounted) and told.t_ns >= following.t_ns)


def _relevant(case: Case, result: slaps.Judged) -> list[Ask]:
    """The questions that slaps ask: about unknown cards, when somebody slapped what may depend on them."""
    asks = list(result.asks)
    if result.held and not case.reason.sure:
        asks += [Ask("card", c.fact, c.seat, c.card) for c in case.table.lake[-lake.DEPTH :] if c.maybe]
    return asks


def _coming(sources: Sources, n: int, case: Case) -> tuple[list[Candidate], Table | None]:
    """The early presses of the next card, which are for this one while it waits; and the table with that card."""
    following = sources.flips[n + 1] if n + 1 < len(sources.flips) else None
    if not isinstance(following, CardFlipped) or following.source != "camera":
        return [], None
    landing = land(sources, n + 1, case.table)
    if landing.card is None:
        return [], None
    reason = lake.reason(case.setup, landing.table)
    found = []
    for press in sources.presses(n + 1):
        if press.early:
            doubt = None
            if press.open and not press.ruled:
                seat = press.onset.seat
                here = _effect_when_early(case, seat)
                if here != slaps.effect(case.setup, landing.table, reason, seat):
                    doubt = _press_ask("press", landing.card, seat, press.onset.t_ns, case.card)
            found.append(Candidate(press, doubt, late=True))
    return found, landing.table


def _effect_when_early(case: Case, seat: str) -> str:
    """What an early press of the next card does while this one waits."""
    effect = slaps.effect(case.setup, case.table, case.reason, seat)
    if seat in case.vetoed:
        return "ignored"
    return "ignored" if effect == "costs" else effect  # in a replay, of who was not tied


def _false_or_not(case: Case, press: Aimed) -> Ask | None:
    """The question whether a press was too early, where it decides anything."""
    if not press.open or press.ruled:
        return None
    seat = press.onset.seat
    in_time = slaps.effect(case.setup, case.table, case.reason, seat)
    early = "costs" if case.setup.false_start == "wrong" and in_time != "ignored" else "ignored"
    return None if in_time == early else _press_ask("press", case.card, seat, press.onset.t_ns, None)


def _tapped_late(sources: Sources, n: int, case: Case, press: Aimed) -> Ask | None:
    """The question for which of two cards a press was, when the second was told by a tap soon after it."""
    following = sources.flips[n + 1] if n + 1 < len(sources.flips) else None
    if press.ruled or not isinstance(following, CardFlipped) or following.source != "tap":
        return None
    seat, t_ns = press.onset.seat, press.onset.t_ns
    if t_ns < sources.spans[n + 1].seen_ns - LATE_TAP_NS:
        return None
    here = slaps.effect(case.setup, case.table, case.reason, seat)
    if here not in ("costs", "locks"):
        return None
    landing = land(sources, n + 1, case.table)
    if landing.card is None:
        return None
    there = slaps.effect(case.setup, landing.table, lake.reason(case.setup, landing.table), seat)
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
    case: Case, result: slaps.Judged, after: Table, waiting: bool, passed: bool
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
        options = tuple(seat for seat in setup.seats if slaps.may_win(case, seat))
        return False, None, (Ask("unslapped", flip, winner or "", card, options=options),)
    paid = not result.settled and not ending.ended(setup, case.table)[0]
    if paid and not passed and not case.followed:
        return False, None, (Ask("end", flip, winner or "", card),)
    return True, winner, ()
