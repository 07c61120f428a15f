"""Putting the score right from what really lies on the table."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from companion.core.facts import RuleBroken
from companion.games.hook.facts import Recount, Recounted
from companion.games.hook.names import CARDS, MOST_PARROTS, SPACES, seat_name
from companion.games.hook.resolve import next_in
from companion.games.hook.state import Moment, Setup, Standing
from companion.words import _


def recounted(
    setup: Setup, moment: Moment, fact: Recounted | Recount, number: int, last_in: Mapping[str, Standing]
) -> Moment | None:
    """The moment as it was counted; None when the numbers cannot be (more than 96 cards).

    ``last_in``: how players stood before a recount of the same moment put them out, for the one that puts them back.
    Who is out may have the Compass, until ``pass_compass``.
    """
    fewest = min((s.stack for s in moment.standings if s.out is None), default=0)
    standings = tuple(
        _standing(old, fact, number, last_in.get(old.seat, Standing(old.seat, stack=fewest)))
        for old in moment.standings
    )
    boxed = CARDS - sum(s.stack + s.won for s in standings)
    if boxed < 0:
        return None
    compass = fact.compass if fact.compass in setup.seats else moment.compass
    certain = moment.certain or is_full(setup, fact)
    return Moment(standings, compass, boxed, certain, moment.gone)


def pass_compass(setup: Setup, moment: Moment) -> Moment:
    """The moment with the Compass at the next one clockwise who is in, where its holder is out."""
    if moment.compass in moment.playing:
        return moment
    return msgspec.structs.replace(moment, compass=next_in(setup.seats, moment.compass, moment.playing))


def check(setup: Setup, moment: Moment, fact: Recounted | Recount) -> None:
    """Refuse with RuleBroken what nobody can have counted at this moment."""
    counts = (fact.balls, fact.won, fact.parrots, fact.stacks)
    named = {seat for count in counts for seat in count} | set(fact.out or ())
    named |= {fact.compass} if fact.compass is not None else set()
    for seat in sorted(named):
        if seat not in setup.seats:
            raise RuleBroken(_("{seat} does not play.", seat=seat_name(seat)))
    if not named and fact.out is None:
        raise RuleBroken(_("Nothing was counted."))
    if any(not 0 <= n <= SPACES for n in fact.balls.values()):
        raise RuleBroken(_("A Hit card has 9 spaces for Cannonballs."))
    if any(n < 0 for count in counts for n in count.values()):
        raise RuleBroken(_("Numbers below 0 are not possible."))
    for seat, parrots in fact.parrots.items():
        won = fact.won.get(seat, moment.of(seat).won)
        if parrots > MOST_PARROTS * won:
            who = seat_name(seat)
            raise RuleBroken(
                _("{seat}: {parrots} parrots on {cards} cards cannot be.", seat=who, parrots=parrots, cards=won)
            )


def is_full(setup: Setup, fact: Recounted | Recount) -> bool:
    """Whether everything was counted, so that no earlier question matters any more."""
    for seat in setup.seats:
        balls = fact.balls.get(seat, -1)
        gone = balls >= SPACES or (fact.out is not None and seat in fact.out)
        if not gone and (balls < 0 or seat not in fact.won or seat not in fact.parrots):
            return False
    return True


def _standing(old: Standing, fact: Recounted | Recount, number: int, back: Standing) -> Standing:
    seat = old.seat
    balls = _at_least_0(fact.balls, seat, old.balls)
    if fact.out is not None:
        out = seat in fact.out or balls >= SPACES
        if out and seat not in fact.out and seat not in fact.balls:
            balls, out = SPACES - 1, False  # said to be in, without a number: one more hit would do
    elif seat in fact.balls:
        out = balls >= SPACES
    else:
        out = old.out is not None
    if out:
        return Standing(seat=seat, balls=SPACES, out=number if old.out is None else old.out)
    if old.out is not None:
        old = back
    won = _at_least_0(fact.won, seat, old.won)
    parrots = _at_least_0(fact.parrots, seat, old.parrots) if won else 0
    cards = old.cards if (won, parrots) == (old.won, old.parrots) else ()
    stack = _at_least_0(fact.stacks, seat, old.stack)
    return Standing(seat, min(balls, SPACES), won, parrots, cards, stack)


def _at_least_0(given: Mapping[str, int], seat: str, otherwise: int) -> int:
    return max(0, given.get(seat, otherwise))
