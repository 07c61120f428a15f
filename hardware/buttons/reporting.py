"""What all kinds of buttons share: presses handed on at once, and a thread of its own that watches over the buttons.

The library's thread only stamps, calls ``on_press`` and queues; nothing that is raised there ever reaches the library
(lgpio runs all handlers on one thread without a try: one exception would silence every button).
"""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from queue import Empty, SimpleQueue

import msgspec

from companion.words import Text
from companion.world import Press
from hardware.buttons.health import ButtonHealth, Trouble
from hardware.buttons.watch import RECENT_NS, Watch

_log = logging.getLogger(__name__)

LOOK_AFTER_NS = 3_000_000
"""After an edge the levels are read: while a slap is still on its way down, after its report has arrived."""
IDLE_NS = 40_000_000
"""Without any edge, too: less than a slap lasts, so that buttons whose reports have all stopped are found out."""
ATTEND_NS = 2_000_000_000


class Fault(msgspec.Struct, frozen=True):
    """Why a line cannot be used at present."""

    trouble: Trouble
    why: str | None = None
    holder: Text | str | None = None


class Gap(msgspec.Struct, frozen=True):
    """The reports of a seat say that some are missing."""

    seat: str


class Opened(msgspec.Struct, frozen=True):
    """A line was opened, and found at a level."""

    seat: str
    level: int


class Reporter:
    """Hands presses on and knows the health.

    ``read`` gives the level of every seat (None: cannot be read); ``attend`` is called every two seconds to mend what
    can be mended. Both are called on the reporter's thread.
    """

    def __init__(
        self,
        seats: Sequence[str],
        read: Callable[[], Mapping[str, int | None]],
        *,
        attend: Callable[[], None] = lambda: None,
        held_after_s: float = 3.0,
        clock: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self.seats = tuple(seats)
        self._read, self._attend, self._clock = read, attend, clock
        self._watch = Watch(self.seats, held_after_ns=int(held_after_s * 1e9))
        self._notices: SimpleQueue[Press | Gap | Opened | None] = SimpleQueue()
        self._faults: dict[str, Fault] = {}
        self._errors: Counter[str] = Counter()
        self._failed: dict[str, tuple[int, Exception]] = {}
        self._own_clock: set[str] = set()
        self._clocks: dict[str, str] = {}
        self._on_press: Callable[[Press], None] = lambda _press: None
        self._on_health: Callable[[ButtonHealth], None] = lambda _health: None
        self._told: tuple[ButtonHealth, ...] = ()
        self._announced: dict[str, ButtonHealth] = {}
        self._thread: threading.Thread | None = None

    def start(
        self,
        on_press: Callable[[Press], None],
        on_health: Callable[[ButtonHealth], None] | None = None,
        listen: Callable[[], None] = lambda: None,
    ) -> None:
        """Presses go to ``on_press`` from now on. ``listen`` lets them come; it is called before the thread runs, so
        that it may still change what ``read`` and ``attend`` use."""
        if self._thread is not None:
            raise RuntimeError("these buttons have been started before")
        self._on_press = on_press
        if on_health is not None:
            self._on_health = on_health
        self._take_all()
        listen()
        self._told = self._all_health()
        self._thread = threading.Thread(target=self._run, name="buttons", daemon=True)
        self._thread.start()

    def deliver(self, press: Press, own_clock: bool = False) -> None:
        """An edge. ``own_clock``: its stamp could not be believed and was replaced. Never raises, never waits."""
        self._hand_on(press)
        if own_clock:
            self._own_clock.add(press.seat)
        self._clocks[press.seat] = press.clock
        self._notices.put(press)

    def _hand_on(self, press: Press) -> None:
        try:
            self._on_press(press)
        except Exception as error:  # whatever it is: it must not silence the other buttons
            self._errors[press.seat] += 1
            self._failed[press.seat] = (self._clock(), error)

    def clocks(self, clocks: Mapping[str, str]) -> None:
        """Who stamps the edges of seats that have not reported any yet."""
        self._clocks |= clocks

    def gap(self, seat: str) -> None:
        """Reports of a seat are missing."""
        self._notices.put(Gap(seat))

    def opened(self, seat: str, level: int) -> None:
        """The line of a seat can be used (again)."""
        self._faults.pop(seat, None)
        self._notices.put(Opened(seat, level))

    def fault(self, seat: str, fault: Fault) -> None:
        """The line of a seat cannot be used."""
        self._faults[seat] = fault

    def health(self) -> tuple[ButtonHealth, ...]:
        """The health as of the last look; before the start, what opening the lines has shown."""
        if self._thread is None:
            self._take_all()
            return self._all_health()
        return self._told

    def close(self) -> None:
        """End the thread."""
        thread = self._thread
        if thread is not None and thread.is_alive() and thread is not threading.current_thread():
            self._notices.put(None)
            thread.join(5)
        self._on_press = lambda _press: None

    def _run(self) -> None:
        look_ns, attend_ns = self._clock(), self._clock() + ATTEND_NS
        while True:
            now = self._clock()
            with contextlib.suppress(Empty):
                notice = self._notices.get(timeout=max(0.0, (look_ns - now) / 1e9))
                if notice is None:
                    return
                self._take(notice)
                now = self._clock()
                look_ns = min(look_ns, now + LOOK_AFTER_NS)
                if now < look_ns:  # a look is due even while one edge follows the other
                    continue
            if now >= attend_ns:
                self._guard(self._attend)
                attend_ns = self._clock() + ATTEND_NS
            self._guard(self._look)
            look_ns = self._clock() + (10_000_000 if self._watch.unsettled else IDLE_NS)
            self._tell()

    def _look(self) -> None:
        levels = self._read()
        now = self._clock()  # after reading: an edge that is later than this cannot explain what was read
        for released in self._watch.look({s: level for s, level in levels.items() if s not in self._faults}, now):
            self._hand_on(released)

    def _take_all(self) -> None:
        """What has been queued before the thread runs."""
        while not self._notices.empty():
            notice = self._notices.get()
            if notice is None:
                self._notices.put(None)
                return
            self._take(notice)

    def _take(self, notice: Press | Gap | Opened) -> None:
        now = self._clock()
        released = None
        match notice:
            case Press():
                released = self._watch.edge(notice, now)
            case Gap():
                self._watch.gap(notice.seat, now)
            case Opened():
                released = self._watch.begin(notice.seat, notice.level, now)
        if released is not None:
            self._hand_on(released)

    def _tell(self) -> None:
        self._told = self._all_health()
        for health in self._told:
            old = self._announced.get(health.seat)
            if old == health:
                continue
            self._announced[health.seat] = health
            if health.handler_errors > (old.handler_errors if old else 0):
                failed = self._failed[health.seat][1]
                _log.error("what takes the presses failed at one of %s", health.seat, exc_info=failed)
            self._guard(lambda health=health: self._on_health(health))  # type: ignore[misc]

    def _all_health(self) -> tuple[ButtonHealth, ...]:
        now = self._clock()
        return tuple(self._health_of(seat, now) for seat in self.seats)

    def _health_of(self, seat: str, now: int) -> ButtonHealth:
        health = self._watch.health(seat, now)
        trouble, since, fault = health.trouble, health.since_ns, self._faults.get(seat)
        if fault is not None:
            trouble, since = fault.trouble, None
        elif trouble is None and seat in self._failed and now - self._failed[seat][0] < RECENT_NS:
            trouble, since = "handler", self._failed[seat][0]
        elif trouble is None and seat in self._own_clock:
            trouble = "clock"
        return msgspec.structs.replace(
            health,
            trouble=trouble,
            since_ns=since,
            handler_errors=self._errors[seat],
            clock=self._clocks.get(seat, "kernel"),
            holder=fault.holder if fault else None,
            why=fault.why if fault else None,
        )

    def _guard(self, call: Callable[[], None]) -> None:
        """Nothing may end this thread."""
        try:
            call()
        except Exception:
            _log.exception("watching over the buttons failed once")
