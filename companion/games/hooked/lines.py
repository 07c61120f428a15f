"""The buttons' lines: every raw edge that came, and the presses in them, kept up edge by edge.

An edge changes nothing before the last moment at which its line was up and at rest, so only what follows is judged
anew: what an edge costs does not grow with the game.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import pairwise

from companion.core.growing import Growing
from companion.core.race import BOUNCE_NS, Onset, Windows, onsets
from companion.world import Press

REST_NS = 2_000_000_000
"""A button that was let go so long ago begins anew: nothing before matters to the presses that follow."""
LOOK = 16
"""So many edges are looked at together on the way back to the last rest."""


def with_edge(
    edges: dict[str, Growing[Press]], known: tuple[Onset, ...], edge: Press, windows: Windows
) -> tuple[dict[str, Growing[Press]], tuple[Onset, ...], int | None]:
    """All edges and presses with one more edge, delivered in any order; and the moment from which the presses changed
    (None: they did not)."""
    before: Growing[Press] = edges.get(edge.seat) or Growing()
    last = not before or _when(before[-1]) <= _when(edge)
    place = len(before) if last else bisect_right(before, _when(edge), key=_when)
    if place and before[place - 1] == edge:
        return edges, known, None
    line = before.inserted(place, edge)
    stamped = any(one.clock == "kernel" for one in before)
    kernel = stamped or edge.clock == "kernel"
    begin = place if stamped == kernel else 0  # beside the kernel's first edge, what software said means less
    since, rested = _since_rest(line, begin, kernel, windows)
    new: list[Onset] = []
    for stretch in _stretches(since, kernel):
        new += onsets(stretch, windows, rested=rested)
        rested = False
    cut = bisect_left(known, since[0].t_ns, key=_at)
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


def _since_rest(line: Growing[Press], place: int, kernel: bool, windows: Windows) -> tuple[tuple[Press, ...], bool]:
    """The line from the last rest before an edge on, and whether the button is known to have been up before it."""
    begin = place
    while begin > 0:
        first = max(0, begin - LOOK)
        part = line[first : begin + 1]
        for at in range(begin - first, 0, -1):
            if _begins_anew(part[at - 1], part[at], kernel):
                return line[first + at :], False
            if _rests(part[at - 1], part[at], kernel, windows):
                return line[first + at :], True
        begin = first
    return line[0:], False


def _rests(before: Press, edge: Press, kernel: bool, windows: Windows) -> bool:
    """Whether what comes from ``edge`` on has nothing to do with what came before, but that the button was up: the
    glitch filter and the time to re-arm are over, and no bounce lasts so long."""
    gap = edge.t_ns - before.t_ns
    if before.level != 0 or gap <= BOUNCE_NS or gap <= windows.quiet_ns or gap < windows.rearm_ns:
        return False
    return not kernel or before.clock == edge.clock == "kernel"


def _begins_anew(before: Press, edge: Press, kernel: bool) -> bool:
    """Whether the button was up and at rest for long before this edge, and this edge is one to begin with."""
    at_rest = edge.t_ns - before.t_ns >= REST_NS and before.level == 0
    return at_rest and (edge.clock == "kernel" or not kernel)


def _stretches(line: tuple[Press, ...], kernel: bool) -> list[tuple[Press, ...]]:
    """The parts of a line that begin anew."""
    marks = [at for at, (before, edge) in enumerate(pairwise(line), 1) if _begins_anew(before, edge, kernel)]
    return [line[one:other] for one, other in pairwise((0, *marks, len(line)))]
