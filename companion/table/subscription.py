"""Waiting for the next snapshot."""

from __future__ import annotations

from collections.abc import Callable

from companion.core.mailbox import Bell
from companion.table.api import Snapshot


class Subscription:
    """One listener's place in the row. Slow listeners miss what is old, never what is newest."""

    def __init__(self, latest: Callable[[], Snapshot], leave: Callable[[Subscription], None]) -> None:
        self._latest = latest
        self._leave = leave
        self._bell = Bell()
        self._seen = -1
        self._closed = False

    def ring(self) -> None:
        """Called by the table when there is something new."""
        self._bell.ring()

    def wait(self, timeout: float | None = None) -> Snapshot | None:
        """The newest snapshot as soon as it is one not yet handed out (the first time at once).

        None after ``timeout`` seconds without a change, or when the subscription was closed.
        """
        while not self._closed:
            snapshot = self._latest()
            if snapshot.version > self._seen:
                self._seen = snapshot.version
                return snapshot
            if not self._bell.wait(timeout):
                return None
        return None

    @property
    def closed(self) -> bool:
        """Whether nothing will come any more: it was closed here, or the table has stopped."""
        return self._closed

    def close(self) -> None:
        """Leave. A wait that is going on ends with None."""
        self._closed = True
        self._leave(self)
        self._bell.ring()

    def __enter__(self) -> Subscription:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()
