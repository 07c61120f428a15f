"""Presses kept up edge by edge are those that all edges of a line together show."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parents[2] / "support"))

from races import race

from companion.core.race import DEFAULTS, Windows, onsets, presses
from companion.games.hooked import lines
from companion.games.hooked.lines import with_edge
from companion.world import CHATTER_EDGES, Press

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
    kept, known = {}, ()
    for edge in edges:
        kept, known, _changed = with_edge(kept, known, edge, windows)
    return known


@given(st.lists(EDGES, max_size=30), WINDOWS)
def test_any_edges_in_any_order(edges, windows):
    assert told(edges, windows) == onsets(edges, windows)


FEW = st.lists(EDGES, max_size=6)


@given(FEW, FEW, st.integers(60, 70), st.sampled_from((1, 4, 10, 30, 31)), st.randoms(use_true_random=False))
def test_chatter_among_any_edges_in_any_order(some, others, count, apart_ms, rng):
    chatter = [Press("seat-1", (60 + apart_ms * at) * MS, rng.randrange(2)) for at in range(count)]
    edges = [*some, *chatter, *others]
    assert told(edges) == onsets(edges)
    rng.shuffle(edges)
    assert told(edges) == onsets(edges)


@given(st.integers(0, 10_000), st.booleans(), st.sampled_from((0.0, 0.3)))
def test_many_races_told_late_and_out_of_order(seed, late, faults):
    r = random.Random(seed)
    edges = [edge for number in range(3) for edge in race(r, (1_000 + 600 * number) * MS, faults=faults).edges]
    edges.sort(key=lambda edge: edge.t_ns + (r.randrange(400 * MS) if late else 0))
    assert told(edges) == onsets(edges)


@pytest.mark.parametrize("clock", ["kernel", "software"])
@pytest.mark.parametrize("apart_ms", [1, 10, 30, 31, 100])
def test_an_edge_costs_the_same_however_long_a_line_chatters(monkeypatch, apart_ms, clock):
    judged = []

    def counted(part, *past, **how):
        judged.append(len(part))
        return presses(part, *past, **how)

    monkeypatch.setattr(lines, "presses", counted)
    told([Press("seat-1", at * apart_ms * MS, (at + 1) % 2, clock) for at in range(3_000)])
    assert sum(judged) <= 3_000 * 3
    assert max(judged) <= CHATTER_EDGES + 1


@given(st.lists(EDGES, max_size=12), EDGES)
def test_it_says_from_when_on_presses_changed(edges, more):
    kept, known = {}, ()
    for edge in edges:
        kept, known, _changed = with_edge(kept, known, edge, DEFAULTS)
    _lines, after, changed = with_edge(kept, known, more, DEFAULTS)
    if changed is None:
        assert after == known
    else:
        before = [onset for onset in known if onset.t_ns < changed]
        assert before == [onset for onset in after if onset.t_ns < changed]
        assert after != known
