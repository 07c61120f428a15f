"""Empty Hook: who may not slap, and until when.

A lock lasts for the next two flips by anyone and ends when the third card lands; a new one renews it, never adds.
While nobody knows whether a card is an Empty Hook, its locks are only perhaps there; where one of them decides,
the card is asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from companion.games.hooked.names import EMPTY_HOOK, LOCK_LANDS
from companion.games.hooked.state import Perhaps, State, Table

replace = msgspec.structs.replace

Locks = tuple[tuple[str, int], ...]


def passed(table: Table) -> Table:
    """The table with its locks after one more card has landed."""
    sure = tuple((seat, left - 1) for seat, left in table.locks if left > 1)
    perhaps = tuple(replace(one, left=one.left - 1) for one in table.perhaps if one.left > 1)
    return replace(table, locks=sure, perhaps=perhaps)


def locked(locks: Locks, seats: Iterable[str]) -> Locks:
    """The locks after an Empty Hook caught these seats."""
    new = dict(locks) | dict.fromkeys(seats, LOCK_LANDS)
    return tuple(sorted(new.items()))


def caught(table: Table, seats: Iterable[str], flip: int, maybe: Sequence[str]) -> Table:
    """The table after these seats flipped (or slapped) a card that is one of ``maybe``: locked by an Empty Hook."""
    if EMPTY_HOOK not in maybe:
        return table
    if len(maybe) == 1:
        return replace(table, locks=locked(table.locks, seats))
    return replace(table, perhaps=(*table.perhaps, *(Perhaps(seat, LOCK_LANDS, flip) for seat in seats)))


def locked_by(state: State, seat: str) -> int | None:
    """The flip of the Empty Hook that locked a seat last; None: none has."""
    hooks = (one for one in reversed(state.stages) if one.counts and dict(one.after.locks).get(seat) == LOCK_LANDS)
    return next((stage.fact.id for stage in hooks), None)
