"""Putting the score right from what really lies on the table."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.hook.facts import Recount, Recounted
from companion.games.hook.names import CARDS, SPACES
from companion.games.hook.resolve import next_in
from companion.games.hook.state import Moment, Setup, Standing


def recounted(setup: Setup, moment: Moment, fact: Recounted | Recount, number: int) -> Moment | None:
    """The moment as it was counted; None when the numbers cannot be (more than 96 cards)."""
    fewest = min((s.stack for s in moment.standings if s.out is None), default=0)
    standings = tuple(_standing(old, fact, number, fewest) for old in moment.standings)
    boxed = CARDS - sum(s.stack + s.won for s in standings)
    if boxed < 0:
        return None
    playing = [s.seat for s in standings if s.out is None]
    compass = fact.compass if fact.compass in setup.seats else moment.compass
    if compass not in playing:
        compass = next_in(setup.seats, compass, playing)
    certain = moment.certain or is_full(setup, fact)
    return Moment(standings, compass, boxed, certain, moment.gone)


def is_full(setup: Setup, fact: Recounted | Recount) -> bool:
    """Whether everything was counted, so that no earlier question matters any more."""
    for seat in setup.seats:
        balls = fact.balls.get(seat, -1)
        gone = balls >= SPACES or (fact.out is not None and seat in fact.out)
        if not gone and (balls < 0 or seat not in fact.won or seat not in fact.parrots):
            return False
    return True


def _standing(old: Standing, fact: Recounted | Recount, number: int, fewest: int) -> Standing:
    seat = old.seat
    balls = _at_least_0(fact.balls, seat, old.balls)
    if fact.out is not None:
        out = seat in fact.out or balls >= SPACES
        if seat not in fact.balls and old.out is not None and seat not in fact.out:
            balls, out = SPACES - 1, False  # said to be in again, without a number: one more hit would do
    elif seat in fact.balls:
        out = balls >= SPACES
    else:
        out = old.out is not None
    if out:
        return Standing(seat=seat, balls=min(balls, SPACES), out=number if old.out is None else old.out)
    back = old.out is not None
    won = _at_least_0(fact.won, seat, old.won)
    parrots = _at_least_0(fact.parrots, seat, old.parrots) if won else 0
    cards = old.cards if (won, parrots) == (old.won, old.parrots) else ()
    stack = _at_least_0(fact.stacks, seat, fewest if back else old.stack)
    return Standing(seat, min(balls, SPACES), won, parrots, cards, stack)


def _at_least_0(given: Mapping[str, int], seat: str, otherwise: int) -> int:
    return max(0, given.get(seat, otherwise))
