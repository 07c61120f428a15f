"""Presses kept up edge by edge are those that all edges of a line together show."""

from __future__ import annotations

import random
import sys
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parents[2] / "support"))

from races import race

from companion.core.race import DEFAULTS, Windows, onsets
from companion.games.hooked.lines import with_edge
from companion.world import Press

MS = 1_000_000
WINDOWS = st.builds(
    Windows,
    quiet_ns=st.sampled_from((0, 3 * MS, 20 * MS, 200 * MS)),
    rearm_ns=st.sampled_from((0, 30 * MS, 300 * MS)),
)
EDGES = st.builds(
    Press,
    seat=st.sampled_from(("seat-1", "seat-2")),
    t_ns=st.sampled_from((0, 1, 3, 5, 8, 13, 21, 24, 55, 89, 90, 144, 200, 377, 700, 987)).map(lambda ms: ms * MS),
    level=st.integers(0, 1),
    clock=st.sampled_from(("kernel", "kernel", "kernel", "software")),
)


def told(edges, windows=DEFAULTS):
    lines, known = {}, ()
    for edge in edges:
        lines, known, _changed = with_edge(lines, known, edge, windows)
    return known


@given(st.lists(EDGES, max_size=30), WINDOWS)
def test_any_edges_in_any_order(edges, windows):
    """None of them two seconds apart, so that nothing begins anew."""
    assert told(edges, windows) == onsets(edges, windows)


@given(st.integers(0, 10_000), st.booleans())
def test_many_races_told_late_and_out_of_order(seed, late):
    r = random.Random(seed)
    edges = [edge for number in range(3) for edge in race(r, (1_000 + 600 * number) * MS).edges]
    edges.sort(key=lambda edge: edge.t_ns + (r.randrange(400 * MS) if late else 0))
    assert told(edges) == onsets(edges)


@given(st.lists(EDGES, max_size=12), EDGES)
def test_it_says_from_when_on_presses_changed(edges, more):
    lines, known = {}, ()
    for edge in edges:
        lines, known, _changed = with_edge(lines, known, edge, DEFAULTS)
    _lines, after, changed = with_edge(lines, known, more, DEFAULTS)
    if changed is None:
        assert after == known
    else:
        before = [onset for onset in known if onset.t_ns < changed]
        assert before == [onset for onset in after if onset.t_ns < changed]
        assert after != known
