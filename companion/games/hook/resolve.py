"""A round as one sum: hits minus visible rum, never below 0, out at nine or more after the sum.

All symbols are resolved at the same time (the rulebook's tip); only the choices of Black Pirates have an order. So
nobody gains or loses anything by the order of turns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.games.hook.names import BLACK_PIRATE, BOMB, CHARACTERS, COVERS, PARROT, RUM, SPACES, UNREAD
from companion.games.hook.state import Moment, Placement, Setup, Shot, Standing, Tally, WonCard


def turn_order(seats: Sequence[str], first: str) -> tuple[str, ...]:
    """The seats clockwise from ``first``."""
    at = seats.index(first) if first in seats else 0
    return (*seats[at:], *seats[:at])


def next_in(seats: Sequence[str], holder: str, playing: Sequence[str]) -> str:
    """The next seat clockwise from the holder's place that is still in; the holder when nobody else is."""
    for seat in turn_order(seats, holder)[1:]:
        if seat in playing:
            return seat
    return holder


def shots(setup: Setup, begin: Moment, placements: Mapping[str, Placement]) -> tuple[Shot, ...]:
    """What every visible symbol does, in turn order. ``placements``: the one that counts for each seat."""
    playing = begin.playing
    covers = {seat: _cover(placement) for seat, placement in placements.items()}
    out: list[Shot] = []
    for seat in turn_order(setup.seats, begin.compass):
        placement = placements.get(seat)
        if placement is None or seat not in playing:
            continue
        for hole, symbol in enumerate(placement.symbols):
            victim = symbol if symbol in CHARACTERS else None
            if symbol == BLACK_PIRATE:
                victim = placement.victims[hole]
            does, cover = _does(setup, playing, covers, seat=seat, symbol=symbol, victim=victim)
            out.append(
                Shot(
                    seat=seat,
                    hole=hole,
                    symbol=symbol,
                    does=does,  # type: ignore[arg-type]
                    victim=victim,
                    cover=cover,
                    facts=placement.facts,
                )
            )
    return tuple(out)


def tallies(
    setup: Setup, begin: Moment, placements: Mapping[str, Placement], fired: Sequence[Shot], *, number: int, final: bool
) -> tuple[Tally, ...]:
    """The sum of every player who was in, clockwise. Nobody is out before the round is ``final``."""
    bombs = [shot for shot in fired if shot.does == "bomb"]
    out: list[Tally] = []
    for standing in begin.standings:
        if standing.out is not None:
            continue
        seat = standing.seat
        mine = [s for s in fired if s.victim == seat and s.does in ("hit", "own")]
        drinks = [s for s in fired if s.seat == seat and s.does == "rum"]
        hits, rum = len(mine) + len(bombs), len(drinks)
        total = max(0, standing.balls + hits - rum)
        placement = placements.get(seat)
        parrot = placement is not None and PARROT in placement.symbols
        bombed = placement is not None and BOMB in placement.symbols
        facts = tuple(dict.fromkeys(f for shot in (*mine, *bombs, *drinks) for f in shot.facts))
        out.append(
            Tally(
                seat=seat,
                before=standing.balls,
                hits=hits,
                rum=rum,
                after=min(total, SPACES),
                out=total >= SPACES and final,
                cover=_cover(placement) if placement is not None else None,
                took=_card(setup, placement, number) if placement is not None and parrot and not bombed else None,
                bombed=parrot and bombed,
                facts=facts,
            )
        )
    return tuple(out)


def settle(setup: Setup, begin: Moment, tally: Sequence[Tally], number: int, cards: Sequence[str]) -> Moment:
    """The table after the round: Cannonballs, collected cards, stacks, box and Compass."""
    sums = {t.seat: t for t in tally}
    boxed = begin.boxed
    standings: list[Standing] = []
    for old in begin.standings:
        mine = sums.get(old.seat)
        if mine is None:
            standings.append(old)
            continue
        revealed = min(1, old.stack)  # the card this player turned up leaves the stack ...
        boxed += revealed
        won, parrots, taken, stack = old.won, old.parrots, old.cards, old.stack - revealed
        if mine.took is not None and boxed > 0:  # ... and every card that nobody claims goes into the box
            boxed -= 1
            won, parrots, taken = won + 1, parrots + mine.took.parrots, (*taken, mine.took)
        if mine.out:
            boxed += won + stack
            standings.append(Standing(seat=old.seat, balls=SPACES, out=number))
        else:
            standings.append(Standing(old.seat, mine.after, won, parrots, taken, stack))
    playing = [s.seat for s in standings if s.out is None]
    return Moment(
        standings=tuple(standings),
        compass=next_in(setup.seats, begin.compass, playing),
        boxed=boxed,
        certain=begin.certain,
        gone=tuple(dict.fromkeys((*begin.gone, *cards))),
    )


def _cover(placement: Placement) -> str | None:
    return next((symbol for symbol in placement.symbols if symbol in COVERS), None)


def _does(
    setup: Setup,
    playing: Sequence[str],
    covers: Mapping[str, str | None],
    *,
    seat: str,
    symbol: str,
    victim: str | None,
) -> tuple[str, str | None]:
    if symbol in (BOMB, RUM, PARROT):
        return symbol, None
    if symbol in COVERS:
        return "cover", None
    if symbol == UNREAD:
        return "unread", None
    if victim is None:
        return ("choosing" if symbol == BLACK_PIRATE else "nothing"), None
    if victim not in setup.seats:
        return "absent", None
    if victim not in playing:
        return "gone", None
    if victim == seat:
        return "own", None
    cover = covers.get(victim)
    return ("covered", cover) if cover else ("hit", None)


def _card(setup: Setup, placement: Placement, number: int) -> WonCard:
    """The collected card: parrots as a person said, else as printed by the deck, never fewer than are in sight."""
    parrots = placement.printed
    if parrots is None and placement.card is not None:
        parrots = setup.parrots.get(placement.card)
    return WonCard(placement.card, max(parrots or 0, placement.symbols.count(PARROT)), number, placement.facts)
