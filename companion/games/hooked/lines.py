"""The buttons' lines: every raw edge that came, and the presses in them, kept up edge by edge.

An edge changes nothing before the last moment at which its line was up and at rest, so only what follows is judged
anew: what an edge costs does not grow with the game.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import pairwise

from companion.core.race import BOUNCE_NS, Onset, Windows, onsets
from companion.world import Press

REST_NS = 2_000_000_000
"""A button that was let go so long ago begins anew: nothing before matters to the presses that follow."""


def with_edge(
    edges: dict[str, tuple[Press, ...]], known: tuple[Onset, ...], edge: Press, windows: Windows
) -> tuple[dict[str, tuple[Press, ...]], tuple[Onset, ...], int | None]:
    """All edges and presses with one more edge, delivered in any order; and the moment from which the presses changed
    (None: they did not)."""
    before = edges.get(edge.seat, ())
    place = bisect_right(before, _when(edge), key=_when)
    if place and before[place - 1] == edge:
        return edges, known, None
    line = (*before[:place], edge, *before[place:])
    stamped = any(one.clock == "kernel" for one in before)
    kernel = stamped or edge.clock == "kernel"
    begin = place if stamped == kernel else 0  # beside the kernel's first edge, what software said means less
    while begin > 0 and not _rests(line, begin, kernel, windows):
        begin -= 1
    new: list[Onset] = []
    for stretch, rested in _stretches(line, begin, kernel):
        new += onsets(stretch, windows, rested=rested)
    cut = bisect_left(known, line[begin].t_ns, key=_at)
    old = known[cut:]
    found = tuple(sorted((*(onset for onset in old if onset.seat != edge.seat), *new), key=_order))
    changed = min((onset.t_ns for onset in {*old}.symmetric_difference(found)), default=None)
    return edges | {edge.seat: line}, known if changed is None else (*known[:cut], *found), changed


def _when(edge: Press) -> tuple[int, int, str]:
    return edge.t_ns, edge.level, edge.clock


def _at(onset: Onset) -> int:
    return onset.t_ns


def _order(onset: Onset) -> tuple[int, str]:
    return onset.t_ns, onset.seat


def _rests(line: Sequence[Press], place: int, kernel: bool, windows: Windows) -> bool:
    """Whether what comes from here on has nothing to do with what came before, but that the button was up: the glitch
    filter and the time to re-arm are over, and no bounce lasts so long."""
    before, edge = line[place - 1], line[place]
    if kernel and not before.clock == edge.clock == "kernel":
        return False
    gap = edge.t_ns - before.t_ns
    rest = gap > windows.quiet_ns and gap >= windows.rearm_ns and gap > BOUNCE_NS
    return (before.level == 0 and rest) or _begins_anew(line, place, kernel)


def _begins_anew(line: Sequence[Press], place: int, kernel: bool) -> bool:
    """Whether the button was up and at rest for long before this edge, and this edge is one to begin with."""
    before, edge = line[place - 1], line[place]
    at_rest = before.level == 0 and edge.t_ns - before.t_ns >= REST_NS
    return at_rest and (edge.clock == "kernel" or not kernel)


def _stretches(line: Sequence[Press], begin: int, kernel: bool) -> list[tuple[Sequence[Press], bool]]:
    """The parts of a line from ``begin`` on that begin anew, and whether the button is known to have been up before."""
    marks = [begin, *(p for p in range(begin + 1, len(line)) if _begins_anew(line, p, kernel)), len(line)]
    first_rested = begin > 0 and not _begins_anew(line, begin, kernel)
    return [(line[one:other], one == begin and first_rested) for one, other in pairwise(marks)]
