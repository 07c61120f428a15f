"""Mailboxes between threads: anyone puts, one owner takes. No locks of our own; nobody ever waits to put.

Each mailbox rings the bell it was made with, so that an owner of several waits in one place.
"""

from __future__ import annotations

from collections import deque
from queue import Empty, SimpleQueue
from typing import Generic, TypeVar

T = TypeVar("T")


class Bell:
    """Wakes one owner. Rings add up while nobody listens, and are heard as one."""

    def __init__(self) -> None:
        self._rings: SimpleQueue[None] = SimpleQueue()

    def ring(self) -> None:
        """Wake the owner."""
        self._rings.put(None)

    def wait(self, timeout: float | None = None) -> bool:
        """Wait for a ring (for ``timeout`` seconds at most); whether there was one."""
        try:
            self._rings.get(timeout=timeout)
        except Empty:
            return False
        while True:
            try:
                self._rings.get_nowait()
            except Empty:
                return True


class Newest(Generic[T]):
    """Holds one letter: a newer one takes the place of one not yet taken."""

    def __init__(self, bell: Bell) -> None:
        self._slot: deque[T] = deque(maxlen=1)
        self._bell = bell

    def put(self, letter: T) -> None:
        """Leave a letter, in the place of the one that lies there."""
        self._slot.append(letter)
        self._bell.ring()

    def take(self) -> T | None:
        """The newest letter, once; None when there is no new one."""
        try:
            return self._slot.pop()
        except IndexError:
            return None


class Every(Generic[T]):
    """Holds all letters in the order of their arrival; none is ever dropped."""

    def __init__(self, bell: Bell) -> None:
        self._letters: SimpleQueue[T] = SimpleQueue()
        self._bell = bell

    def put(self, letter: T) -> None:
        """Leave a letter behind the others."""
        self._letters.put(letter)
        self._bell.ring()

    def take(self) -> list[T]:
        """All letters that have arrived, oldest first."""
        taken = []
        while True:
            try:
                taken.append(self._letters.get_nowait())
            except Empty:
                return taken
