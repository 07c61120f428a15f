"""Who pressed, when, and who was first: pure functions over raw button edges, whatever their order of arrival.

The kernel's time of an edge is exact, its level is not: the level is read a little later, so that a bouncing contact
shows wrong polarities and equal edges in a row. Only the last read before the line rests tells how a bounce ended.
So the edges of a line are taken in trains (edges no further apart than a bounce can last), and each train has one
beginning, which is the time of a press, and one end, which says whether the button is down.

A train that begins after ``quiet_ns`` without an edge and leaves the button down is a press at its first edge. One
that leaves it up is a glitch. A press closer than ``quiet_ns`` after a glitch is a doubt: its time may be either.

Some presses may have been none at all: the first edges of a button that may have been held all the time, one that goes
down when it was down already (a report was lost), and the edges of a line that chatters, which is no finger's doing.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import msgspec

from companion.world import CALM_NS, CHATTER_EDGES, CHATTER_NS, TRUST_NS, Press

BOUNCE_NS = 6_000_000
"""The longest that contacts are reported to bounce."""
READ_NS = 1_000_000
"""A level is read within this time of its edge: what then stands longer was read rightly."""


class Windows(msgspec.Struct, frozen=True):
    """The times a race is judged by, in nanoseconds."""

    quiet_ns: int = 20_000_000
    """The glitch filter: an onset has at least so much quiet on its line before it."""
    confirm_ns: int = 5_000_000
    """A press is one if the button is down so long after its onset."""
    settle_ns: int = 40_000_000
    """A verdict is final so long after the earliest onset."""
    tie_ns: int = 1_000_000
    """Onsets no further from the earliest are a dead heat with it."""
    false_start_ns: int = 100_000_000
    """Nobody can have seen and pressed within this time. For games: nothing here knows what was to be seen."""
    rearm_ns: int = 30_000_000
    """A button counts again so long after it was let go."""


DEFAULTS = Windows()
BOUNDS_MS = {
    "quiet": (6, 100),  # shorter, and a bounce is a press of its own
    "confirm": (2, 20),  # shorter, and no press is sure: its level may not have been read by then
    "settle": (10, 500),  # final before the tie window is over, and a dead heat has a winner
    "tie": (0.25, 2),  # unfair, or every close race is a tie
    "false_start": (0, 1000),
    "rearm": (0, 1000),
}
"""By what windows a race can be judged: the least and the most of each in milliseconds, by its name without ``_ns``."""


class Onset(msgspec.Struct, frozen=True, gc=False):
    """A press. ``sure`` is False where its time is in doubt: a glitch came just before or reads like part of it, or
    the button was found down without an edge (it then went down at ``t_ns`` or earlier); and where it is ``maybe``
    none: the button may have been down before, or its line chatters."""

    seat: str
    t_ns: int
    clock: str = "kernel"
    sure: bool = True
    maybe: bool = False


class Verdict(msgspec.Struct, frozen=True, gc=False):
    """Who was first. ``winner`` is named by the likely times even where somebody in ``unsure`` could change it.

    ``times_ns`` are the onsets that count, by seat, earliest first. ``final_ns`` is the moment from which on nothing
    that is in time can change it; None without presses. ``unsure`` are the seats whose onset is doubtful and near
    enough to matter. ``clock`` is "software" when software stamped any press that counts.
    """

    winner: str | None = None
    dead_heat: tuple[str, ...] = ()
    times_ns: tuple[tuple[str, int], ...] = ()
    final_ns: int | None = None
    unsure: tuple[str, ...] = ()
    clock: str = "kernel"


def judge(
    onsets: Iterable[Onset],
    windows: Windows = DEFAULTS,
    *,
    opened_ns: int,
    closed_ns: int | None = None,
    locked: Collection[str] = (),
) -> Verdict:
    """The verdict on the first onset of each seat from ``opened_ns`` until before ``closed_ns``, without ``locked``.

    More than one within the tie window of the earliest (not of each other) is a dead heat: then nobody wins.
    """
    firsts: dict[str, Onset] = {}
    for onset in sorted(onsets, key=_when):
        if onset.t_ns >= opened_ns and (closed_ns is None or onset.t_ns < closed_ns) and onset.seat not in locked:
            firsts.setdefault(onset.seat, onset)
    if not firsts:
        return Verdict()
    counted = tuple(firsts.values())
    earliest = counted[0].t_ns
    first = tuple(onset.seat for onset in counted if onset.t_ns - earliest <= windows.tie_ns)
    return Verdict(
        winner=first[0] if len(first) == 1 else None,
        dead_heat=first if len(first) > 1 else (),
        times_ns=tuple((onset.seat, onset.t_ns) for onset in counted),
        final_ns=earliest + windows.settle_ns,
        unsure=_unsure(counted, windows),
        clock="software" if any(onset.clock == "software" for onset in counted) else "kernel",
    )


def _unsure(counted: tuple[Onset, ...], windows: Windows) -> tuple[str, ...]:
    """The doubtful seats that may have been as early as the first sure one. A doubtful press may be as much as the
    glitch filter earlier than it says; software's times cannot be compared with the kernel's."""
    mixed = len({onset.clock for onset in counted}) > 1
    doubtful = [onset for onset in counted if not onset.sure or (mixed and onset.clock == "software")]
    sure = min((onset.t_ns for onset in counted if onset not in doubtful), default=None)
    return tuple(
        onset.seat for onset in doubtful if sure is None or onset.t_ns - windows.quiet_ns <= sure + windows.tie_ns
    )


def onsets(edges: Iterable[Press], windows: Windows = DEFAULTS) -> tuple[Onset, ...]:
    """Every press in raw edges of any order, with any of them doubled; ordered by time, then seat.

    Give all edges of a line: a button that was down before the first of them cannot be told from one that was up.
    """
    lines: dict[str, set[Press]] = defaultdict(set)
    for edge in edges:
        lines[edge.seat].add(edge)
    found: list[Onset] = []
    for line in lines.values():
        found += presses(line, windows, Past(), stamped=any(edge.clock == "kernel" for edge in line))[0]
    return tuple(sorted(found, key=_when))


def _when(onset: Onset) -> tuple[int, str]:
    return onset.t_ns, onset.seat


def apart_ns(windows: Windows) -> int:
    """Edges of a line further apart than this are judged apart, with nothing but the ``Past`` between them."""
    return max(CALM_NS, windows.quiet_ns)


class Past(msgspec.Struct, frozen=True, gc=False):
    """What the edges of a line mean to those that follow: whether they left the button down (None: nobody knows), when
    the last of them was and the last that let it go, and until when a press of it may be none."""

    down: bool | None = None
    last_ns: int | None = None
    released_ns: int | None = None
    doubtful_ns: int = 0


def presses(
    line: Iterable[Press], windows: Windows, past: Past, *, stamped: bool = True
) -> tuple[tuple[Onset, ...], Past]:
    """The presses of one line's edges after ``past`` (each edge once), train by train, and what is past then.
    ``stamped``: the kernel stamps this line's edges, so that what software stamps is a level that was found."""
    found: list[Onset] = []
    down, last, released, doubtful_ns = past.down, past.last_ns, past.released_ns, past.doubtful_ns
    for train in _trains(line, windows, stamped):
        settled = train.settled(bool(down))
        if train.found:
            if settled and not down:
                found.append(train.onset(maybe=True))
            down = settled
            continue
        rest = windows.rearm_ns if last is None else train.begin - last
        near = last is not None and rest < windows.quiet_ns
        armed = released is None or train.begin - released >= windows.rearm_ns
        maybe = train.begin < doubtful_ns
        if train.chatters:
            if armed and not down and not maybe:
                found.append(train.onset(maybe=True))
            down, last, released, doubtful_ns = settled, train.end, train.end, train.end + TRUST_NS
            continue
        if down is None and train.opens:  # it may have been held: then this is its coming up, or a flicker
            maybe, doubtful_ns = True, max(doubtful_ns, train.end + windows.rearm_ns)
        if down:
            if not settled:
                released = train.end
            elif near and found and not train.opens and train.begin - found[-1].t_ns < windows.quiet_ns:
                # Down twice in a row: one of the two began the press, and the other was a glitch or is misread.
                found[-1] = msgspec.structs.replace(found[-1], sure=False)
            elif not near and rest >= windows.rearm_ns:  # that it came up was not reported, or it flickers
                found.append(train.onset(maybe=True))
        elif settled and armed:
            found.append(train.onset(sure=not near and not train.rests_open(windows.confirm_ns), maybe=maybe))
        elif not settled and armed and train.held(windows.confirm_ns) and (down is False or not train.opens):
            found.append(train.onset(sure=False, maybe=maybe))
            released = train.end
        down, last = settled, train.end
    return tuple(found), Past(down, last, released, doubtful_ns)


@dataclass(frozen=True, slots=True)
class _Train:
    """Edges of one line no further apart than a bounce can last, by time. ``found``: no edge, but a level found.
    ``chatters``: more than any finger makes, with longer pauses, too."""

    edges: tuple[Press, ...]
    found: bool = False
    chatters: bool = False

    @property
    def begin(self) -> int:
        return self.edges[0].t_ns

    @property
    def end(self) -> int:
        return self.edges[-1].t_ns

    @property
    def opens(self) -> bool:
        """Whether it begins with the button coming up."""
        return self.edges[0].level == 0

    def onset(self, *, sure: bool = True, maybe: bool = False) -> Onset:
        first = self.edges[0]
        return Onset(first.seat, first.t_ns, first.clock, sure and not maybe, maybe)

    def settled(self, before: bool) -> bool:
        """Whether the button is down when it is over. Where one moment has both levels, an edge is a change."""
        levels = {edge.level for edge in self.edges if edge.t_ns == self.end}
        return not before if len(levels) > 1 else bool(levels.pop())

    def rests_open(self, confirm_ns: int) -> bool:
        """Whether the button is, or may be, up at the moment that should confirm its press: no contact bounces with
        so long a rest in it, so what came before the rest may have been a glitch, whatever was read."""
        rest = max((later.t_ns - edge.t_ns for edge, later in pairwise(self.edges)), default=0)
        return rest >= confirm_ns - READ_NS or self._stands(confirm_ns) == 0

    def held(self, confirm_ns: int) -> bool:
        """Whether the button is down at the moment that confirms a press, though it comes up soon after."""
        return self._stands(confirm_ns) == 1

    def _stands(self, confirm_ns: int) -> int | None:
        """The level at ``confirm_ns`` from the beginning if edges come later and the line stands still meanwhile."""
        for edge, later in pairwise(self.edges):
            if edge.t_ns <= self.begin + confirm_ns < later.t_ns:
                return edge.level if later.t_ns - edge.t_ns >= READ_NS else None
        return None


def _trains(line: Iterable[Press], windows: Windows, stamped: bool) -> list[_Train]:
    """The trains of a line by time. On a line whose edges the kernel stamps, what software stamps is no edge but a
    level that was found; it says nothing near an edge."""
    edges, levels = list[Press](), list[Press]()
    for edge in line:
        (edges if edge.clock == "kernel" or not stamped else levels).append(edge)
    edges.sort(key=lambda edge: (edge.t_ns, edge.level))
    trains = []
    for run in split(edges, CALM_NS):
        if len(run) > CHATTER_EDGES or run[-1].t_ns - run[0].t_ns > CHATTER_NS:
            trains.append(_Train(run, chatters=True))
        else:
            trains += [_Train(train) for train in split(run, min(BOUNCE_NS, windows.quiet_ns))]
    times = [edge.t_ns for edge in edges]
    for level in levels:
        near = times[bisect_left(times, level.t_ns - windows.quiet_ns) :][:1]
        if not near or near[0] > level.t_ns + windows.quiet_ns:
            trains.append(_Train((level,), found=True))
    return sorted(trains, key=lambda train: (train.begin, train.edges[0].level))


def split(edges: Sequence[Press], gap_ns: int) -> Iterator[tuple[Press, ...]]:
    """Edges by time in parts: the next one begins where there is none for longer than ``gap_ns``."""
    begin = 0
    for at in range(1, len(edges) + 1):
        if at == len(edges) or edges[at].t_ns - edges[at - 1].t_ns > gap_ns:
            yield tuple(edges[begin:at])
            begin = at
