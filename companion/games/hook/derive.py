"""From the raw observations of all rounds to the state: each round is derived from the one before.

A fact of an earlier round changes that round and all that follow it; a round whose beginning stays the same is not
derived again.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from companion.core.facts import Fact
from companion.games.hook.ending import ending, stacks_empty
from companion.games.hook.facts import Recounted, RoundClosed, RoundStarted, TargetChosen
from companion.games.hook.laid import Layout
from companion.games.hook.lay import lay
from companion.games.hook.names import BLACK_PIRATE, CARDS, UNREAD, seat_name
from companion.games.hook.recount import is_full, pass_compass, recounted
from companion.games.hook.resolve import settle, shots, tallies, turn_order
from companion.games.hook.sights import choice_for, placed
from companion.games.hook.state import Ask, Conflict, Moment, Phase, Placement, Round, Seat, Setup, Standing, State
from companion.words import Text, _

MOST_ROUNDS = CARDS
"""No game has more rounds than there are cards, whatever is recounted."""


def beginning(setup: Setup) -> Moment:
    """The cards dealt, nobody hit, the Compass with the first seat."""
    return Moment(
        standings=tuple(Standing(seat=seat, stack=setup.rounds) for seat in setup.seats),
        compass=setup.seats[0],
        boxed=CARDS - setup.rounds * len(setup.seats),
    )


def opening(setup: Setup) -> State:
    """The state before anything happened."""
    return _summary(State(setup, (derive_round(setup, (), beginning(setup), 1, passed=False, put_right=0),)))


def add(state: State, fact: Fact, number: int) -> State:
    """The state with one more observation of round ``number`` (1 to ``MOST_ROUNDS``)."""
    setup = state.setup
    raws = [round_.raw for round_ in state.rounds]
    raws += [()] * (number - len(raws))
    raws[number - 1] = (*raws[number - 1], fact)
    rounds = _derived(setup, state.rounds, raws, number, put_right=state.put_right)
    put_right = _put_right(setup, rounds)
    if put_right != state.put_right:
        rounds = _derived(setup, (), raws, 1, put_right=put_right)
    return _summary(msgspec.structs.replace(state, rounds=tuple(rounds), put_right=put_right))


def _derived(
    setup: Setup, old: Sequence[Round], raws: Sequence[Sequence[Fact]], number: int, *, put_right: int
) -> list[Round]:
    """All rounds, where round ``number`` has a new observation. What it changes nothing about is taken from ``old``."""
    first = min(number, len(old) or 1)
    same_rounds = first == number and len(raws) == len(old)
    rounds = list(old[: first - 1])
    for n in range(first, len(raws) + 1):
        before = rounds[-1] if rounds else None
        new = _next(setup, raws[n - 1], before, n, passed=n < len(raws), put_right=put_right)
        rounds.append(new)
        was = old[n - 1] if same_rounds else None
        if was is not None and (new.end, new.last, new.dead) == (was.end, was.last, was.dead):
            rounds += old[n:]
            break
    return rounds


def _put_right(setup: Setup, rounds: Sequence[Round]) -> int:
    """The last round whose questions do not matter, because everything was recounted after it."""
    found = 0
    for round_ in rounds:
        void = {conflict.fact for conflict in round_.conflicts}
        for fact in round_.raw:
            if isinstance(fact, Recounted) and fact.id not in void and is_full(setup, fact):
                found = max(found, round_.number if fact.after else round_.number - 1)
    return found


def _next(
    setup: Setup, raw: Sequence[Fact], before: Round | None, number: int, *, passed: bool, put_right: int
) -> Round:
    if before is None:
        return derive_round(setup, raw, beginning(setup), number, passed=passed, put_right=put_right)
    if not before.last:
        return derive_round(setup, raw, before.end, number, passed=passed, put_right=put_right)
    return _dead(raw, before.end, number)


def _dead(raw: Sequence[Fact], moment: Moment, number: int) -> Round:
    """A round that cannot be, because the game was over before it."""
    why = _("The game was over, or the stacks were empty, before this round.")
    conflicts = tuple(Conflict(f.id, why) for f in raw if not isinstance(f, RoundStarted | RoundClosed))
    return Round(
        number, tuple(raw), moment, moment, conflicts=conflicts, complete=True, settled=True, last=True, dead=True
    )


def derive_round(
    setup: Setup, raw: Sequence[Fact], begin: Moment, number: int, *, passed: bool, put_right: int
) -> Round:
    """One round from its observations. ``passed``: a later one has begun, so nothing is waited for silently."""
    begin, conflicts = _recounts(setup, raw, begin, number, after=False)
    if begin.certain and ending(setup, begin) is not None:  # a recount left only one in the game
        dead = _dead([f for f in raw if not isinstance(f, Recounted)], begin, number)
        end, more = _recounts(setup, raw, begin, number, after=True)
        last = end.certain and ending(setup, end) is not None
        return msgspec.structs.replace(
            dead, raw=tuple(raw), end=end, dead=False, final=True, last=last, conflicts=(*dead.conflicts, *more)
        )
    layout = lay(setup, raw, begin, number)
    placements: list[Placement] = []
    asks = list(layout.asks)
    for laid in layout.laid:
        placement, unread = placed(laid, number, layout, begin.playing)
        placements.append(placement)
        asks += unread
    counting = {p.seat: p for p in placements if p.status == "counts"}
    complete = not layout.missing
    if complete:
        asks += _victim(setup, begin, counting, layout, number=number, asks=asks)
    elif passed:
        asks += [Ask(kind="missing", round=number, seat=seat) for seat in layout.missing]
    certain = complete and not asks and not layout.open
    final = certain and begin.certain
    fired = shots(setup, begin, counting)
    tally = tallies(setup, begin, counting, fired, number=number, final=final)
    cards = dict.fromkeys((*layout.cards, *(p.card for p in counting.values() if p.card)))
    end = settle(setup, begin, tally, number, [p.card for p in counting.values() if p.card])
    end = msgspec.structs.replace(end, certain=final)
    end, more = _recounts(setup, raw, end, number, after=True)
    seen_later = number <= put_right
    return Round(
        number=number,
        raw=tuple(raw),
        begin=begin,
        end=end,
        cards=tuple(cards),
        placements=tuple(placements),
        missing=() if seen_later else layout.missing,
        waived=layout.waived,
        shots=fired,
        tally=tally,
        asks=() if seen_later else tuple(asks),
        conflicts=(*conflicts, *layout.conflicts, *_choices(layout, counting, begin), *more),
        complete=complete or seen_later,
        settled=certain or seen_later,
        final=end.certain,
        last=stacks_empty(end) or (end.certain and ending(setup, end) is not None),
    )


def _recounts(
    setup: Setup, raw: Sequence[Fact], moment: Moment, number: int, *, after: bool
) -> tuple[Moment, list[Conflict]]:
    conflicts = []
    last_in: dict[str, Standing] = {}
    for fact in raw:
        if isinstance(fact, Recounted) and fact.after is after:
            last_in |= {standing.seat: standing for standing in moment.standings if standing.out is None}
            counted = recounted(setup, moment, fact, number, last_in)
            if counted is None:
                why = _("That makes more than 96 Target cards, so the recount counts for nothing.")
                conflicts.append(Conflict(fact.id, why))
            else:
                moment = counted
    return pass_compass(setup, moment), conflicts


def _victim(
    setup: Setup, begin: Moment, counting: dict[str, Placement], layout: Layout, *, number: int, asks: Sequence[Ask]
) -> list[Ask]:
    """The next Black Pirate whose victim is to be chosen: one at a time, in turn order from the Compass holder."""
    waiting = {ask.seat for ask in asks if ask.kind in ("tile", "placement", "moved")}
    waiting |= {laid.seat for laid in layout.laid if laid.status == "asked"}
    for seat in turn_order(setup.seats, begin.compass):
        placement = counting.get(seat)
        if seat in waiting or (placement is not None and UNREAD in placement.symbols):
            return []  # who comes later would like to know first what this one does
        if placement is None:
            continue
        for hole, symbol in enumerate(placement.symbols):
            if symbol == BLACK_PIRATE and placement.victims[hole] is None:
                ask = Ask(
                    kind="victim",
                    round=number,
                    seat=seat,
                    tile=placement.tile,
                    placement=placement.id,
                    hole=hole,
                    card=placement.card,
                    options=tuple(s for s in turn_order(setup.seats, seat) if s in begin.playing),
                    obliged=True,
                    picture=placement.picture,
                )
                return [ask]
    return []


def _choices(layout: Layout, counting: dict[str, Placement], begin: Moment) -> list[Conflict]:
    """Choices for Black Pirates that have become impossible."""
    out = []
    gone = _("There is no Black Pirate in this hole, so the choice counts for nothing.")
    asked = {laid.pose.tile for laid in layout.laid if laid.status == "asked"}
    shown: list[TargetChosen] = []
    open_: list[TargetChosen] = []
    for placement in counting.values():
        for hole, symbol in enumerate(placement.symbols):
            choice = choice_for(layout, placement.id, placement.tile, hole)
            if choice is not None and symbol == BLACK_PIRATE:
                shown.append(choice)
            elif choice is not None and symbol == UNREAD:
                open_.append(choice)
    last = {(choice.tile, choice.hole): choice for choice in layout.chosen}
    for choice in last.values():
        if choice in shown:
            if choice.victim not in begin.playing:
                out.append(Conflict(choice.id, _impossible(choice)))
        elif choice not in open_ and choice.tile not in asked:
            out.append(Conflict(choice.id, gone))
    return out


def _impossible(choice: TargetChosen) -> Text:
    return _("{seat} was not in the game at that time and cannot be chosen.", seat=seat_name(choice.victim))


def _summary(state: State) -> State:
    """The fields that a page draws, from the rounds."""
    setup = state.setup
    live = [r for r in state.rounds if not r.dead]
    now = live[-1]
    moment = now.end if now.settled else now.begin
    end = ending(setup, now.end) if now.last and now.final else None
    seats = tuple(_seat(setup, index, now, moment) for index in range(len(setup.seats)))
    fewest = min((s.stack for s in now.end.standings if s.out is None), default=0)
    return msgspec.structs.replace(
        state,
        phase=_phase(now, over=end is not None),
        round=now.number,
        of=now.number + fewest,
        compass=moment.compass,
        seats=seats,
        boxed=moment.boxed,
        certain=now.final if now.settled else now.begin.certain,
        over=end is not None,
        ending=end.how if end is not None else "",
        winners=end.winners if end is not None else (),
        winning_teams=end.teams if end is not None else (),
    )


def _phase(now: Round, *, over: bool) -> Phase:
    if over:
        return "over"
    if now.settled:
        return "answers" if now.last else "resolved"
    if now.complete:
        return "answers"
    revealing = not now.placements and len(now.cards) < len(now.begin.playing)
    return "cards" if revealing else "tiles"


def _seat(setup: Setup, index: int, now: Round, moment: Moment) -> Seat:
    standing, before = moment.standings[index], now.begin.standings[index]
    seat = standing.seat
    placement, tally = now.placement_of(seat), now.tally_of(seat)
    return Seat(
        seat=seat,
        name=setup.names[index],
        team=setup.teams[index],
        balls=standing.balls,
        parrots=standing.parrots,
        won=standing.won,
        stack=standing.stack - (standing.out is None and now.turned_up and not now.settled and standing.stack > 0),
        out=standing.out,
        cover=tally.cover if tally is not None else None,
        placed=placement is not None,
        compass=seat == moment.compass,
        balls_changed=standing.balls - before.balls,
        parrots_changed=standing.parrots - before.parrots,
    )
