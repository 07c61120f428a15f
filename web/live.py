"""Draws the fragments once per change, audience and language, and hands them to every open page.

One thread follows the table; each open page holds one ``Stream``. All streams of one audience and language share
the same drawn text, so that forty phones cost one drawing.
"""

from __future__ import annotations

import logging
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field

import msgspec

from companion.table import Snapshot, Subscription, Table

log = logging.getLogger(__name__)

PACE_S = 0.001
"""So much later is each page told of a change than the one before."""
Audience = tuple[bool, str]
"""Paired or not, and the language."""

Draw = Callable[[Snapshot, Audience], dict[str, str]]
Game = Callable[[Snapshot], str]
"""The game whose pages show a snapshot: a page of another one reloads itself."""


@dataclass(frozen=True)
class Drawn:
    """The fragments of one moment for one audience."""

    number: int
    version: int
    game: str
    fragments: dict[str, str]
    _events: dict[int, bytes] = field(default_factory=dict)

    def since(self, before: Drawn | None, build: str) -> bytes:
        """The event for a page that shows ``before``. Most pages show the same, so it is written once for all."""
        number = 0 if before is None else before.number
        known = self._events.get(number)
        if known is None:
            shown = {} if before is None else before.fragments
            changed = {name: html for name, html in self.fragments.items() if shown.get(name) != html}
            message = {"build": build, "version": self.version, "game": self.game, "fragments": changed}
            known = self._events[number] = event("page", message, f"{build}-{self.number}")
        return known


class Live:
    """What is on the pages now. ``follow`` starts the thread that keeps it so; ``close`` ends all streams."""

    def __init__(
        self,
        table: Table,
        draw: Draw,
        game: Game = lambda snapshot: snapshot.game or "",
        *,
        build: str,
        streams: int,
        heartbeat_s: float,
        gap_s: float,
        address: Callable[[], str] = lambda: "",
    ) -> None:
        self._table = table
        self._draw = draw
        self._game = game
        self.build = build
        self.limit = streams
        self.heartbeat_s = heartbeat_s
        self.address = address
        self._gap_s = gap_s
        self._changed = threading.Condition()
        self._drawing = threading.Lock()
        self._snapshot = table.snapshot()
        self._number = 1
        self._drawn: dict[Audience, Drawn] = {}
        self._streams = 0
        self._audiences: Counter[Audience] = Counter()
        self._closed = threading.Event()
        self._thread: threading.Thread | None = None

    def follow(self) -> None:
        """Start following the table; a second call changes nothing."""
        with self._changed:
            if self._thread is not None:
                return
            subscription = self._table.subscribe()
            self._snapshot = self._table.snapshot()  # the first stream must not show how things were at the start
            self._number += 1
            self._thread = threading.Thread(target=self._run, args=(subscription,), name="web-live", daemon=True)
            self._thread.start()

    def _run(self, subscription: Subscription) -> None:
        while not self._closed.is_set() and not subscription.closed:  # a stopped table answers at once, for ever
            snapshot = subscription.wait(1.0)
            if snapshot is not None:
                self._show(snapshot)
                self._closed.wait(self._gap_s)
        subscription.close()

    def _show(self, snapshot: Snapshot) -> None:
        """Show ``snapshot`` from now on: draw it first, then tell one page after the other.

        All pages at once would keep the interpreter busy for as long as they need together, and the table, where slaps
        are judged, is only one of many that wait for it.
        """
        with self._changed:
            self._snapshot = snapshot
            self._number += 1
        for audience in tuple(self._audiences):
            with suppress(Exception):  # the page that cannot be drawn says so itself
                self.drawn(audience)
        for _page in range(self._streams):
            with self._changed:
                self._changed.notify()
            if self._closed.wait(PACE_S):
                break
        with self._changed:
            self._changed.notify_all()

    def put(self, snapshot: Snapshot) -> None:
        """Show ``snapshot`` from now on."""
        with self._changed:
            self._snapshot = snapshot
            self._number += 1
            self._changed.notify_all()

    def close(self) -> None:
        """End the thread and all streams."""
        self._closed.set()
        with self._changed:
            self._changed.notify_all()

    @property
    def number(self) -> int:
        """Counts up with every snapshot that is to be shown."""
        return self._number

    @property
    def open_streams(self) -> int:
        """How many pages are listening now."""
        return self._streams

    def drawn(self, audience: Audience) -> Drawn:
        """The newest fragments for an audience, drawn now unless somebody has already had them drawn."""
        self.follow()
        with self._drawing:
            with self._changed:
                snapshot, number = self._snapshot, self._number
            kept = self._drawn.get(audience)
            if kept is not None and kept.number == number:
                return kept
            drawn = Drawn(number, snapshot.version, self._game(snapshot), self._draw(snapshot, audience))
            self._drawn[audience] = drawn
            return drawn

    def open(self, audience: Audience) -> Stream | None:
        """A stream for one more page; None when there are already as many as there may be."""
        self.follow()
        with self._changed:
            if self._streams >= self.limit or self._closed.is_set():
                return None
            self._streams += 1
            self._audiences[audience] += 1
        return Stream(self, audience)

    def leave(self, audience: Audience) -> None:
        """One stream has ended."""
        with self._changed:
            self._streams -= 1
            self._audiences -= Counter([audience])
            self._changed.notify_all()

    def wait_until(self, true: Callable[[], bool], timeout_s: float) -> bool:
        """Wait until something about the streams is true; False when the time is up."""
        with self._changed:
            return self._changed.wait_for(true, timeout_s)

    def wait(self, number: int) -> bool | None:
        """Wait for something newer than ``number``: True when there is, False after a heartbeat, None at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._number != number or self._closed.is_set(), self.heartbeat_s)
            if self._closed.is_set():
                return None
            return self._number != number


class Stream(Iterator[bytes]):
    """The server-sent events of one page: all fragments at first, then those that changed, and heartbeats.

    A class and not a generator, because ``close`` has to give the place back even when nothing was ever read.
    """

    def __init__(self, live: Live, audience: Audience) -> None:
        self._live = live
        self._audience = audience
        self._sent: Drawn | None = None
        self._number = 0
        self._closed = False

    def __next__(self) -> bytes:
        if self._closed:
            raise StopIteration
        fresh = True if self._number == 0 else self._live.wait(self._number)
        if fresh is None:
            raise StopIteration
        if not fresh:
            address = self._live.address()
            return event("beat", {"build": self._live.build} | ({"address": address} if address else {}))
        try:
            drawn = self._live.drawn(self._audience)
        except Exception:
            log.exception("the page could not be drawn")
            self._number = self._live.number
            return b": not drawn\n\n"
        message = drawn.since(self._sent, self._live.build)
        self._sent, self._number = drawn, drawn.number
        return message

    def close(self) -> None:
        """Give the place back; called by the server when the browser has gone."""
        if not self._closed:
            self._closed = True
            self._live.leave(self._audience)


def event(name: str, data: object, id: str | None = None) -> bytes:
    """One server-sent event with JSON data."""
    head = f"id: {id}\n" if id else ""
    return f"{head}event: {name}\ndata: ".encode() + msgspec.json.encode(data) + b"\n\n"
