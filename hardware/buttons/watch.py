"""What the edges and the levels of buttons together tell: held, down without an edge, reports lost. Pure.

A report can be lost (lgpio's pipe was full; old kernels drop edges that come together), so that after an edge the
levels are read, too. A line that is found down while its edges say "up" is suspected: its report may be on its way.
If none has come ``confirm_ns`` later, the button was pressed at an unknown time. No press is ever made up from that. A
line found up while its edges say "down" has lost the report of a release: ``edge``, ``look`` and ``begin`` give that
level as it was found, for whoever judges the presses, so that the next press is one and no hold lasts for ever.

The kernel reads the level after it has stamped the edge, so that a bounce may show the wrong level, or the same level
twice. Within ``quiet_ns`` that is bounce; alone, it is a lost report. Of a line that chatters nothing is concluded.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from companion.world import CALM_NS, CHATTER_EDGES, CHATTER_NS, TRUST_NS, Press
from hardware.buttons.health import ButtonHealth, Trouble

RECENT_NS = 60_000_000_000
"""For so long a lost report, or chatter, is told as the trouble; the count stays."""


@dataclass(slots=True)
class _Seat:
    level: int = 0
    """As the edges say, or as was found and confirmed."""
    edge_ns: int | None = None
    down_ns: int | None = None
    down_from_start: bool = False
    found_ns: int | None = None
    """When the line was found at another level than the edges say, waiting to be confirmed."""
    repeated_ns: int | None = None
    """When an edge repeated the level before it, waiting for the bounces that would explain it."""
    unseen: int = 0
    unseen_ns: int | None = None
    lost: int = 0
    lost_ns: int | None = None
    run_ns: int = 0
    run: int = 0
    """Edges since the line was calm, and when the first of them was."""
    chatters_ns: int | None = None
    chattered_ns: int | None = None
    """Since when the line chatters, and when it last did."""

    def chatters(self, now_ns: int, within_ns: int) -> bool:
        """Whether it does, or has done within so long."""
        return self.chattered_ns is not None and now_ns - self.chattered_ns < within_ns


class Watch:
    """Follows some buttons. All times are monotonic ns; ``now_ns`` must not go backwards."""

    def __init__(
        self,
        seats: Iterable[str],
        *,
        held_after_ns: int = 3_000_000_000,
        quiet_ns: int = 20_000_000,
        confirm_ns: int = 50_000_000,
    ) -> None:
        self._held_after_ns, self._quiet_ns, self._confirm_ns = held_after_ns, quiet_ns, confirm_ns
        self._seats = {seat: _Seat() for seat in seats}

    def begin(self, seat: str, level: int, now_ns: int) -> Press | None:
        """The level of a line that has just been opened (again): a button that is down now is held."""
        here = self._seats[seat]
        released = here.level == 1 and level == 0
        here.found_ns = here.repeated_ns = here.unseen_ns = None
        here.level, here.down_ns, here.down_from_start = level, now_ns if level else None, bool(level)
        return _release(seat, now_ns) if released else None

    def edge(self, press: Press, now_ns: int) -> Press | None:
        """An edge was reported."""
        here = self._seats[press.seat]
        if self._chatters(here, press, now_ns):
            here.found_ns = here.repeated_ns = None
            self._settle(here, press.level, press.t_ns)
            here.edge_ns = press.t_ns
            return None
        released = None
        bounce = here.edge_ns is not None and press.t_ns - here.edge_ns < self._quiet_ns
        if here.found_ns is not None:
            if press.t_ns <= here.found_ns or bounce:
                here.found_ns = None  # what was found is explained: the report had been on its way
            else:
                if here.level and press.level:
                    released = _release(press.seat, here.found_ns)
                self._confirm(here, now_ns)
        if here.unseen_ns is not None and press.level:
            if press.t_ns <= here.unseen_ns:
                here.unseen -= 1  # it was only very late
            here.unseen_ns = None
        if here.repeated_ns is not None:
            if press.t_ns - here.repeated_ns >= self._quiet_ns:
                self._lose(here, now_ns)
            here.repeated_ns = None
        if press.level == here.level and not bounce:
            here.repeated_ns = press.t_ns
        self._settle(here, press.level, press.t_ns)
        here.edge_ns = press.t_ns
        return released

    def look(self, levels: Mapping[str, int | None], now_ns: int) -> tuple[Press, ...]:
        """The levels were read (None: could not be)."""
        released: list[Press] = []
        for seat, level in levels.items():
            here = self._seats[seat]
            if here.repeated_ns is not None and now_ns - here.repeated_ns >= self._confirm_ns:
                here.repeated_ns = None
                self._lose(here, now_ns)
            if level is None or here.chatters(now_ns, TRUST_NS):
                continue
            if here.found_ns is not None and now_ns - here.found_ns >= self._confirm_ns:
                if here.level and not level:
                    released.append(_release(seat, here.found_ns))
                self._confirm(here, now_ns)
                if level != here.level:  # and up again, again without a report
                    self._settle(here, level, now_ns)
            elif here.found_ns is None and level != here.level:
                here.found_ns = now_ns
        return tuple(released)

    def gap(self, seat: str, now_ns: int) -> None:
        """The reports themselves say that some are missing."""
        self._lose(self._seats[seat], now_ns)

    @property
    def unsettled(self) -> bool:
        """Whether something waits to be confirmed by another look."""
        return any(here.found_ns is not None or here.repeated_ns is not None for here in self._seats.values())

    def health(self, seat: str, now_ns: int) -> ButtonHealth:
        """How a button is, as far as edges and levels tell."""
        here = self._seats[seat]
        trouble: Trouble | None = None
        since: int | None = None
        if here.chatters(now_ns, RECENT_NS):
            trouble, since = "chatters", here.chatters_ns
        elif here.down_ns is not None and (here.down_from_start or now_ns - here.down_ns > self._held_after_ns):
            trouble, since = "held", here.down_ns
        elif here.unseen_ns is not None:
            trouble, since = "unseen", here.unseen_ns
        elif here.lost_ns is not None and now_ns - here.lost_ns < RECENT_NS:
            trouble, since = "lost", here.lost_ns
        return ButtonHealth(
            seat,
            trouble,
            since,
            down=bool(here.level) and not here.chatters(now_ns, TRUST_NS),
            seen=here.edge_ns is not None,
            unseen=here.unseen,
            lost=here.lost,
        )

    def _chatters(self, here: _Seat, press: Press, now_ns: int) -> bool:
        """Whether a line chatters, with one more edge."""
        if here.edge_ns is None or press.t_ns - here.edge_ns > CALM_NS:
            here.run_ns, here.run = press.t_ns, 0
        here.run += 1
        if here.run > CHATTER_EDGES or press.t_ns - here.run_ns > CHATTER_NS:
            if not here.chatters(now_ns, RECENT_NS):
                here.chatters_ns = here.run_ns
            here.chattered_ns = now_ns
        return here.chatters(now_ns, TRUST_NS)

    def _confirm(self, here: _Seat, now_ns: int) -> None:
        """The line was at the other level, and no report of that came."""
        assert here.found_ns is not None
        self._settle(here, 1 - here.level, here.found_ns)
        if here.level:
            here.unseen, here.unseen_ns = here.unseen + 1, here.found_ns
        self._lose(here, now_ns)
        here.found_ns = None

    def _lose(self, here: _Seat, now_ns: int) -> None:
        here.lost, here.lost_ns = here.lost + 1, now_ns

    def _settle(self, here: _Seat, level: int, t_ns: int) -> None:
        if level and (not here.level or here.repeated_ns is not None):
            here.down_ns, here.down_from_start = t_ns, False
        elif not level:
            here.down_ns, here.down_from_start = None, False
        here.level = level


def _release(seat: str, t_ns: int) -> Press:
    """That a button was found up."""
    return Press(seat, t_ns, 0, "software")
