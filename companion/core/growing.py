"""A sequence that never changes and of which a longer one is made at no cost, however long it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from threading import Lock
from typing import Any, TypeVar, overload

T = TypeVar("T")

_growing = Lock()


class Growing(Sequence[T]):
    """Like a tuple; but ``plus`` does not copy. Both share a list of which each knows how much of it is its own.

    A long match is made longer with every edge of a button. Tuples would cost more with each of them: the copying, and
    the garbage collector's looking through every copy.
    """

    __slots__ = ("_items", "_length")

    def __init__(self, items: Iterable[T] = ()) -> None:
        self._items = list(items)
        self._length = len(self._items)

    def plus(self, more: Iterable[T]) -> Growing[T]:
        """The same with more at its end."""
        longer: Growing[T] = Growing()
        with _growing:
            # What was added to this one before, and perhaps given up, must not be written over.
            items = self._items if len(self._items) == self._length else self._items[: self._length]
            items.extend(more)
            longer._items, longer._length = items, len(items)
        return longer

    def inserted(self, place: int, item: T) -> Growing[T]:
        """The same with one more, before what stands at ``place``. Only at the end at no cost."""
        if place == self._length:
            return self.plus((item,))
        return Growing([*self[:place], item, *self[place:]])

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, place: int) -> T: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[T, ...]: ...
    def __getitem__(self, place: int | slice) -> T | tuple[T, ...]:
        if isinstance(place, slice):
            start, stop, step = place.indices(self._length)
            if step == 1:
                return tuple(self._items[start:stop])
            return tuple(self._items[at] for at in range(start, stop, step))
        if place < 0:
            place += self._length
        if not 0 <= place < self._length:
            raise IndexError(place)
        return self._items[place]

    def __iter__(self) -> Iterator[T]:
        return islice(self._items, self._length)

    def __reversed__(self) -> Iterator[T]:
        return (self._items[at] for at in range(self._length - 1, -1, -1))

    def __eq__(self, other: object) -> Any:
        if not isinstance(other, Growing):
            return NotImplemented
        same = self._items is other._items
        return self._length == other._length and (same or all(a == b for a, b in zip(self, other, strict=True)))

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"Growing({list(self)!r})"


def plain(value: object) -> list[Any]:
    """For msgspec's ``enc_hook``: a growing sequence as a list."""
    if isinstance(value, Growing):
        return list(value)
    raise NotImplementedError(type(value))
