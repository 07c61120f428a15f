"""The buttons' lines: every raw edge that came, and the presses in them, kept up edge by edge.

What comes after a rest is judged with nothing but what is past then, so that only what follows the last rest before an
edge is judged anew; and a line that chatters has no more presses until it rests. What an edge costs grows with neither.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import pairwise

import msgspec

from companion.core.growing import Growing
from companion.core.race import Onset, Past, Windows, apart_ns, presses, split
from companion.world import CALM_NS, CHATTER_EDGES, Press

RESTS = 32
"""So many rests of a line are kept; an edge from before the first of them has the line judged from its beginning."""


class Rest(msgspec.Struct, frozen=True, gc=False):
    """A moment at which a line was at rest: the place of its next edge, and what is past then."""

    place: int
    past: Past


class Line(msgspec.Struct, frozen=True, gc=False):
    """All edges of one button by time, and its latest rests. ``stamped``: the kernel has stamped one of them."""

    edges: Growing[Press] = msgspec.field(default_factory=Growing)
    rests: tuple[Rest, ...] = ()
    stamped: bool = False


def with_edge(
    lines: dict[str, Line], known: tuple[Onset, ...], edge: Press, windows: Windows
) -> tuple[dict[str, Line], tuple[Onset, ...], int | None]:
    """All lines and presses with one more edge, delivered in any order; and the moment from which the presses changed
    (None: they did not)."""
    line = lines.get(edge.seat, Line())
    before = line.edges
    last = not before or _when(before[-1]) <= _when(edge)
    place = len(before) if last else bisect_right(before, _when(edge), key=_when)
    if place and before[place - 1] == edge:
        return lines, known, None
    edges = before.inserted(place, edge)
    if last and _chatters(line, edge):
        return lines | {edge.seat: msgspec.structs.replace(line, edges=edges)}, known, None
    stamped = line.stamped or edge.clock == "kernel"
    rests = list(line.rests) if line.stamped == stamped else []  # beside the kernel's edges software's mean less
    while rests and not _rested(edges, rests[-1], place, windows):
        rests.pop()
    rest = rests.pop() if rests else Rest(0, Past())
    begin_ns = edges[rest.place].t_ns
    new: list[Onset] = []
    for part in split(edges[rest.place :], apart_ns(windows)):
        rests.append(rest)
        found, past = presses(part, windows, rest.past, stamped=stamped)
        new += found
        rest = Rest(rest.place + len(part), past)
    cut = bisect_left(known, begin_ns, key=_at)
    old = known[cut:]
    after = tuple(sorted((*(onset for onset in old if onset.seat != edge.seat), *new), key=_order))
    changed = min((onset.t_ns for onset in {*old}.symmetric_difference(after)), default=None)
    lines = lines | {edge.seat: Line(edges, tuple(rests[-RESTS:]), stamped)}
    return lines, known if changed is None else (*known[:cut], *after), changed


def _when(edge: Press) -> tuple[int, int, str]:
    return edge.t_ns, edge.level, edge.clock


def _at(onset: Onset) -> int:
    return onset.t_ns


def _order(onset: Onset) -> tuple[int, str]:
    return onset.t_ns, onset.seat


def _rested(edges: Growing[Press], rest: Rest, place: int, windows: Windows) -> bool:
    """Whether a rest still is one with a new edge at ``place``, and the same is past then."""
    if rest.place == 0:
        return True
    rested_ns = edges[rest.place].t_ns - edges[rest.place - 1].t_ns
    return rest.place <= place and rested_ns > apart_ns(windows)


def _chatters(line: Line, edge: Press) -> bool:
    """Whether a line chattered already, and this edge is more of it: then it changes no press."""
    run = (*line.edges[-CHATTER_EDGES - 1 :], edge)
    if len(run) < CHATTER_EDGES + 2 or (line.stamped and edge.clock != "kernel"):
        return False
    return all(one.clock == edge.clock and other.t_ns - one.t_ns <= CALM_NS for one, other in pairwise(run))
