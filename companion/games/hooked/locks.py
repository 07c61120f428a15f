"""Empty Hook: who may not slap, and until when.

A lock lasts for the next two flips by anyone and ends when the third card lands; a new one renews it, never adds.
"""

from __future__ import annotations

from collections.abc import Iterable

from companion.games.hooked.names import LOCK_LANDS

Locks = tuple[tuple[str, int], ...]


def passed(locks: Locks) -> Locks:
    """The locks after one more card has landed."""
    return tuple((seat, left - 1) for seat, left in locks if left > 1)


def locked(locks: Locks, seats: Iterable[str]) -> Locks:
    """The locks after an Empty Hook caught these seats."""
    new = dict(locks) | dict.fromkeys(seats, LOCK_LANDS)
    return tuple(sorted(new.items()))
