"""Cards moving between stacks and the Lake. Every function keeps the number of all cards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from companion.games.hooked.lake import possibilities
from companion.games.hooked.names import CATCH_AND_RELEASE, CURRENT_SHIFT, EMPTY_HOOK, NET_CAST, WRONG_COSTS
from companion.games.hooked.state import LakeCard, Replay, Setup, Table, Why

replace = msgspec.structs.replace


def deal(players: int, cards: int) -> tuple[int, ...]:
    """Stacks as even as it goes, the first seats one more: 62 cards among 3 are 21, 21, 20."""
    return tuple(cards // players + (seat < cards % players) for seat in range(players))


def of(setup: Setup, table: Table, seat: str) -> int:
    """The cards in a seat's stack."""
    return table.stacks[setup.seats.index(seat)]


def holders(setup: Setup, table: Table) -> tuple[str, ...]:
    """The seats that have cards in their stacks."""
    return tuple(seat for seat, stack in zip(setup.seats, table.stacks, strict=True) if stack > 0)


def given(setup: Setup, table: Table, changes: Iterable[tuple[str, int]]) -> Table:
    """The table with cards added to stacks (or, below 0, taken off)."""
    stacks = list(table.stacks)
    for seat, change in changes:
        stacks[setup.seats.index(seat)] += change
    return replace(table, stacks=tuple(stacks))


def around(setup: Setup, seat: str, direction: int) -> tuple[str, ...]:
    """All seats from the neighbour of ``seat`` on in that direction; ``seat`` itself comes last."""
    n, place = len(setup.seats), setup.seats.index(seat)
    return tuple(setup.seats[(place + direction * step) % n] for step in range(1, n + 1))


def turn(setup: Setup, table: Table) -> str | None:
    """Who flips next: the next seat with cards, from who flipped last. None when nobody has any."""
    if table.first is not None or table.last is None:
        first = table.first or setup.seats[0]
        order = (first, *around(setup, first, table.direction))
    else:
        order = around(setup, table.last, table.direction)
    return next((seat for seat in order if of(setup, table, seat) > 0), None)


def landed(setup: Setup, table: Table, card: LakeCard) -> Table:
    """The table after a card was flipped from the stack of ``card.seat``, which is not empty."""
    table = given(setup, table, [(card.seat, -1)])
    replay = _replay(table.replay, card, possibilities(setup, card))
    return replace(table, lake=(*table.lake, card), last=card.seat, first=None, replay=replay, charged=())


def _replay(replay: Replay | None, card: LakeCard, maybe: Sequence[str]) -> Replay | None:
    """A dead heat's replay after a card, one of ``maybe``, has landed."""
    if replay is None or not replay.pending:
        return None
    if EMPTY_HOOK not in maybe:
        return replace(replay, flip=card.fact)
    if len(maybe) == 1:  # nobody may slap it: the flip after it decides
        return replace(replay, flip=0)
    return replace(replay, flip=card.fact, hooks=(*replay.hooks, card.fact))


def swept(setup: Setup, table: Table, winners: Sequence[str], why: Why, flipper: str) -> Table:
    """The table after ``winners`` (several: shared) won the Lake by slapping a card that ``flipper`` flipped.

    Shared cards are dealt one by one, beginning at the neighbour of the flipper.
    """
    pot = table.size
    others = [seat for seat in holders(setup, table) if seat not in winners]
    under = 0
    if why in (CATCH_AND_RELEASE, NET_CAST):
        table = given(setup, table, [(seat, -1) for seat in others])
        under = len(others) if why == CATCH_AND_RELEASE else 0
        pot += len(others) if why == NET_CAST else 0
    order = [seat for seat in around(setup, flipper, table.direction) if seat in winners]
    table = given(setup, table, zip(order, deal(len(order), pot), strict=True))
    shift = why == CURRENT_SHIFT
    direction = -table.direction if shift else table.direction
    first = None if shift else table.first  # whose turn a count said it was, it is no more when the direction changes
    return replace(table, lake=(), under=under, direction=direction, first=first, replay=None, charged=())


def fined(setup: Setup, table: Table, seat: str) -> Table:
    """The table after a wrong slap: two cards (or the one left) go under the Lake; who has none is out."""
    table = replace(table, charged=(*table.charged, seat))
    cards = min(WRONG_COSTS, of(setup, table, seat))
    if cards == 0:
        return replace(table, out=(*table.out, seat))
    return replace(given(setup, table, [(seat, -cards)]), under=table.under + cards)


def moved(setup: Setup, before: Table, after: Table) -> tuple[tuple[str, int], ...]:
    """What each seat gained or lost between two moments; seats that kept their cards are left out."""
    pairs = zip(setup.seats, before.stacks, after.stacks, strict=True)
    return tuple((seat, new - old) for seat, old, new in pairs if new != old)
