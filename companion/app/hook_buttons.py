"""The slap buttons and lights of a table of Hook!: the starting signal, and a Black Pirate's victim."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from queue import Empty, SimpleQueue

from companion.app.lights import Playing
from companion.core.facts import Answer
from companion.games.hook.buttons import Chosen, Effect, Lit, Memory, Moment, Started, moment, seat_of, step
from companion.games.hook.state import State
from companion.table import About, Snapshot, Table
from companion.world import Press

TICK_S, IDLE_S = 0.02, 0.25
_log = logging.getLogger(__name__)


class HookButtons:
    """``buttons`` are the seats of the settings. Everything is said to ``lights``; None: there are none."""

    def __init__(
        self,
        table: Table,
        buttons: Sequence[str],
        lights: Playing | None,
        clock: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self._table, self._buttons, self._lights, self._clock = table, tuple(buttons), lights, clock
        self._heard: SimpleQueue[Press | None] = SimpleQueue()
        self._memory = Memory()
        self._steady: dict[str, str] = {}
        self._seats: tuple[str, ...] = ()
        self._thread = threading.Thread(target=self._run, name="hook buttons", daemon=True)

    def start(self) -> None:
        """Begin to listen."""
        self._thread.start()

    def stop(self) -> None:
        """Listen no more."""
        self._heard.put(None)
        if self._thread.is_alive():
            self._thread.join()

    def press(self, press: Press) -> None:
        """A raw edge, on whatever thread."""
        self._heard.put(press)

    def _run(self) -> None:
        while True:
            try:
                press = self._heard.get(timeout=TICK_S if self._memory.busy else IDLE_S)
            except Empty:
                self._safely(())
                continue
            if press is None:
                return
            self._safely((press,))

    def _safely(self, presses: Sequence[Press]) -> None:
        """One failure ends no game: the next press begins anew."""
        try:
            self.look(presses)
        except Exception:
            _log.exception("The buttons of Hook! failed on %r", presses)
            self._memory = Memory()

    def look(self, presses: Sequence[Press]) -> None:
        """Do what edges and the time that has passed call for."""
        snapshot = self._table.snapshot()
        state = snapshot.state if isinstance(snapshot.state, State) else None
        if state is None or snapshot.started is None:
            self._memory = Memory()
            self._keep({})
            return
        self._seats = tuple(player.seat for player in snapshot.started.players)
        theirs = [
            Press(seat, press.t_ns, press.level, press.clock)
            for press in presses
            if (seat := seat_of(press.seat, self._seats)) is not None
        ]
        now = moment(state, snapshot.doubts)
        self._memory, effects = step(self._memory, now, theirs, self._clock())
        if now.aim is None:
            self._keep({now.caller: "turn"} if now.caller is not None else {})
        for effect in effects:
            self._do(effect, now, snapshot)

    def _do(self, effect: Effect, now: Moment, snapshot: Snapshot) -> None:
        match effect:
            case Started():
                for seat in self._seats:
                    self._play(seat, "start", then=self._steady.get(seat, "off"))
                if self._lights is not None:
                    self._lights.sound("start")
            case Lit(seat=None):
                pass  # the steady lights have come back already
            case Lit(seat=str(seat)):
                self._keep({seat: "choose"})
            case Chosen(doubt=doubt, seat=seat, by=by):
                version = next((one.version for one in snapshot.doubts if one.id == doubt), 0)
                about = About("doubt", doubt, version)
                answered = self._table.ask(Answer(doubt=doubt, value=seat, by=by), about=about, match=snapshot.match)
                if answered.accepted:
                    self._keep({})
                    self._play(seat, "chosen", then="off")

    def _keep(self, steady: dict[str, str]) -> None:
        """The lights while nothing happens; those not named are off."""
        for seat in {*self._steady, *steady}:
            if self._steady.get(seat) != steady.get(seat):
                self._play(seat, steady.get(seat, "off"))
        self._steady = steady

    def _play(self, seat: str, name: str, then: str | None = None) -> None:
        if self._lights is not None:
            for button in self._buttons:
                if seat_of(button, self._seats) == seat:
                    self._lights.play(button, name, then)


@contextmanager
def listening(table: Table, buttons: Sequence[str], lights: Playing | None) -> Iterator[HookButtons]:
    """The buttons of Hook!, listened to until the end."""
    heard = HookButtons(table, buttons, lights)
    heard.start()
    try:
        yield heard
    finally:
        heard.stop()
