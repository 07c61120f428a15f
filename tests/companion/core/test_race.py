"""The referee of a slap race: no order of arrival, bounce or misread level makes it name the wrong seat."""

from __future__ import annotations

import random
import sys
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from races import MS, OPENED, Race, bounce, edges, race

from companion.core.race import BOUNDS_MS, DEFAULTS, Onset, Verdict, Windows, judge, onsets
from companion.world import Press


def test_the_bounds_of_windows_hold_the_defaults_and_make_no_verdict_final_too_soon():
    assert [f"{name}_ns" for name in BOUNDS_MS] == list(Windows.__struct_fields__)
    assert all(least * MS <= getattr(DEFAULTS, f"{name}_ns") <= most * MS for name, (least, most) in BOUNDS_MS.items())
    assert BOUNDS_MS["settle"][0] >= BOUNDS_MS["tie"][1]


def line(*reads, seat="a", clock="kernel"):
    """Edges from (ms, level) pairs."""
    return [Press(seat, int(ms * MS), level, clock) for ms, level in reads]


def found(*reads):
    return [(onset.t_ns / MS, onset.sure) for onset in onsets(line(*reads))]


@pytest.mark.parametrize(
    ("reads", "presses"),
    [
        ([], []),
        ([(100, 1)], [(100, True)]),
        ([(100, 1), (160, 0)], [(100, True)]),
        ([(100, 1), (100.3, 0), (100.4, 1), (160, 0), (160.2, 1), (160.3, 0)], [(100, True)]),
        ([(100, 1), (160, 0), (200, 0), (200.3, 1)], [(100, True), (200, True)]),  # a first edge of wrong polarity
        ([(100, 1), (100.2, 1), (100.3, 1)], [(100, True)]),  # equal edges
        ([(100, 1), (100.1, 0), (100.4, 1), (104.3, 0), (105, 0), (105.4, 1)], [(100, True)]),  # bounces beyond 5 ms
        ([(100, 1), (100.1, 0)], []),  # a glitch
        ([(100, 0)], []),  # both edges of a glitch in one report
        ([(100, 1), (100.1, 0), (110, 1), (160, 0)], [(110, False)]),  # a glitch too near
        ([(100, 1), (100.1, 0), (105.2, 1), (160, 0)], [(100, False)]),  # a glitch or a very long bounce
        ([(100, 0), (112, 1)], [(112, False)]),
        ([(100, 1), (110, 1), (160, 0)], [(100, False)]),  # down twice: was the first a glitch?
        ([(100, 1), (100.1, 0), (121, 1)], [(121, True)]),  # far enough
        ([(100, 1), (112, 0), (112.3, 1), (160, 0)], [(100, True)]),  # the plunger springs back
        ([(100, 1), (120, 0)], [(100, True)]),  # a light tap
        ([(100, 1), (105.5, 0)], [(100, False)]),  # longer than a glitch, shorter than a finger
        ([(100, 0), (104, 1), (105.9, 0)], []),  # it was down before: this is its coming up
        ([(100, 1), (160, 0), (185, 1), (240, 0)], [(100, True)]),  # not armed again yet
        ([(100, 1), (160, 0), (191, 1), (240, 0)], [(100, True), (191, True)]),
        ([(100, 1), (160, 0), (160, 1), (240, 1)], [(100, True), (240, True)]),  # one moment, two levels: it changed
    ],
)
def test_presses_of_one_line(reads, presses):
    assert found(*reads) == presses


@pytest.mark.parametrize(
    ("reads", "presses"),
    [
        ([(100, 1), (2000, 1), (2080, 0)], [(100, True), (2000, False)]),  # the report of the release was lost
        ([(100, 1), (2000, 1), (2000.3, 0), (2000.6, 1), (2080, 0)], [(100, True), (2000, False)]),
        ([(100, 1), (2000, 0), (2000.3, 1), (2080, 0)], [(100, True), (2000, False)]),  # and its first edge misread
        ([(100, 1), (2000, 1), (2080, 0), (3000, 1)], [(100, True), (2000, False), (3000, True)]),  # known again
        ([(100, 1), (180, 1), (180.2, 0)], [(100, True)]),  # its coming up
        ([(100, 1), (125, 1), (180, 0)], [(100, True)]),  # nobody lets go and presses again so soon
        ([(100, 0), (100.3, 1)], [(100, False)]),  # down from the start, or a press whose first edge is misread
        ([(100, 0), (107, 1)], [(107, False)]),
        ([(100, 0), (125, 1)], [(125, False)]),
        ([(100, 0), (131, 1)], [(131, True)]),  # it was let go, and pressed
        ([(100, 0), (200, 1), (280, 0)], [(200, True)]),
        ([(100, 0)], []),
    ],
)
def test_a_press_that_may_be_none_is_a_doubt(reads, presses):
    assert found(*reads) == presses
    assert [onset.maybe for onset in onsets(line(*reads))] == [not sure for _ms, sure in presses]


def chattering(begin_ms, end_ms, apart_ms, level=0):
    """A line that goes up and down for so long, and rests at a level."""
    times = [begin_ms + apart_ms * n for n in range(int((end_ms - begin_ms) / apart_ms))]
    return [*((ms, (at + 1) % 2) for at, ms in enumerate(times)), (end_ms, level)]


@pytest.mark.parametrize("apart_ms", [0.5, 1, 10, 25])
def test_a_line_that_chatters_has_one_doubtful_press_until_it_has_rested(apart_ms):
    tried = [(100, 1), (180, 0)]
    fault = chattering(2000, 2600, apart_ms)
    assert found(*tried, *fault) == [(100, True), (2000, False)]
    assert found(*tried, *chattering(2000, 2600, apart_ms, 1)) == [(100, True), (2000, False)]
    again = [*fault, *chattering(2700, 3300, apart_ms)]  # the same fault
    assert found(*tried, *again) == [(100, True), (2000, False)]
    soon, later = [(3900, 1), (3980, 0)], [(4400, 1), (4480, 0)]
    assert found(*tried, *again, *soon, *later) == [(100, True), (2000, False), (3900, False), (4400, True)]


def test_a_line_that_chatters_while_it_is_down_has_no_press():
    assert found((100, 1), *chattering(2000, 2600, 1), (4000, 1)) == [(100, True), (4000, True)]


def test_many_bounces_are_no_chatter():
    bounces = [(100 + n / 10, 1 - n % 2) for n in range(31)]
    assert found(*bounces, (180, 0)) == [(100, True)]


def test_who_presses_beside_a_line_that_chatters_wins():
    fault = line(*chattering(2000, 2600, 1), seat="b")
    verdict = judge(onsets([*fault, *line((2300, 1), (2380, 0))]), opened_ns=2200 * MS)
    assert (verdict.winner, verdict.unsure) == ("a", ())
    verdict = judge(onsets([*fault, *line((2300, 1), (2380, 0))]), opened_ns=1900 * MS)
    assert (verdict.winner, verdict.unsure) == ("b", ("b",))


def test_a_button_found_down_without_an_edge_is_a_doubt():
    kernel = line((100, 1), (160, 0))
    assert [o.sure for o in onsets([*kernel, *line((300, 1), clock="software")])] == [True, False]
    assert [o.t_ns for o in onsets([*kernel, *line((110, 1), (155, 1), (300, 0), clock="software")])] == [100 * MS]
    # A level that was found beside an edge adds nothing, and a level is no glitch.
    assert [o.sure for o in onsets([*kernel, *line((99.9, 0), (101, 1), clock="software")])] == [True]
    # An up that was found lets a button count whose release was lost.
    assert len(onsets([*line((100, 1), (400, 1)), *line((300, 0), clock="software")])) == 2


def test_a_line_of_software_presses_is_taken_as_it_is():
    (onset,) = onsets(line((100, 1), (160, 0), clock="software"))
    assert onset == Onset("a", 100 * MS, "software", True)


def at(**times):
    return [Onset(seat, int(ms * MS)) for seat, ms in times.items()]


def test_the_earliest_wins():
    verdict = judge(at(b=130, a=132, c=150), opened_ns=0)
    assert verdict == Verdict("b", (), (("b", 130 * MS), ("a", 132 * MS), ("c", 150 * MS)), 170 * MS)
    assert judge((), opened_ns=0) == Verdict()


def test_the_tie_window_is_measured_from_the_earliest_only():
    verdict = judge(at(a=100, b=100.9, c=101.5), opened_ns=0)
    assert (verdict.winner, verdict.dead_heat) == (None, ("a", "b"))
    assert judge(at(a=100, b=101), opened_ns=0).dead_heat == ("a", "b")
    assert judge(at(a=100, b=101), Windows(tie_ns=250_000), opened_ns=0).winner == "a"


def test_only_first_presses_within_the_race_count():
    presses = at(a=90, b=120, c=100) + at(a=110, b=105)
    verdict = judge(presses, opened_ns=95 * MS, closed_ns=110 * MS, locked=("c",))
    assert verdict.times_ns == (("b", 105 * MS),)
    assert judge(presses, opened_ns=95 * MS, locked={"c"}).times_ns == (("b", 105 * MS), ("a", 110 * MS))


def test_doubts_are_named_where_they_matter():
    doubtful = Onset("d", 118 * MS, sure=False)
    assert judge([*at(a=100), doubtful], opened_ns=0).unsure == ("d",)
    assert judge([*at(a=90), doubtful], opened_ns=0).unsure == ()
    assert judge([doubtful], opened_ns=0).unsure == ("d",)
    early = judge([*at(a=180), doubtful], opened_ns=0)
    assert (early.winner, early.unsure) == ("d", ("d",))


def test_software_never_races_the_kernel_unseen():
    software = Onset("s", 105 * MS, "software")
    verdict = judge([*at(a=100), software], opened_ns=0)
    assert (verdict.winner, verdict.unsure, verdict.clock) == ("a", ("s",), "software")
    alone = judge([software, Onset("t", 107 * MS, "software")], opened_ns=0)
    assert (alone.winner, alone.unsure, alone.clock) == ("s", (), "software")


seeds = st.integers(0, 2**32)


@given(seeds, seeds)
def test_the_order_of_arrival_does_not_matter(seed, order):
    made = race(random.Random(seed), faults=0.2)
    rng = random.Random(order)
    shuffled = made.edges + rng.sample(made.edges, len(made.edges) // 2)
    rng.shuffle(shuffled)
    assert onsets(shuffled) == onsets(made.edges)
    presses = list(onsets(shuffled))
    rng.shuffle(presses)
    assert judge(presses, opened_ns=OPENED) == judge(onsets(made.edges), opened_ns=OPENED)


@given(seeds, st.integers(60, 400), st.booleans())
def test_a_press_is_timed_by_its_first_edge(seed, held_ms, wrong):
    rng = random.Random(seed)
    changes = bounce(rng, OPENED)
    reads = edges(rng, "a", changes)
    if wrong:  # any level but the last
        reads = [*(Press("a", e.t_ns, rng.randrange(2)) for e in reads if e.t_ns < reads[-1].t_ns), reads[-1]]
    reads += edges(rng, "a", bounce(rng, OPENED + held_ms * MS), down=True)
    assert [onset.t_ns for onset in onsets(reads)] == [OPENED]


@given(st.lists(st.tuples(st.integers(0, 300), st.integers(0, 1), st.booleans()), max_size=40))
def test_any_edges_at_all_are_taken(reads):
    heard = [Press("a", t * MS // 2, level, "kernel" if kernel else "software") for t, level, kernel in reads]
    presses = onsets(heard)
    times = [edge.t_ns for edge in heard]
    assert all(onset.t_ns in times for onset in presses)
    assert all(later.t_ns > onset.t_ns for onset, later in pairwise(presses))


@given(seeds)
def test_what_comes_after_the_final_moment_changes_nothing(seed):
    made = race(random.Random(seed), plain=True)
    whole = judge(onsets(made.edges), opened_ns=OPENED)
    known = [edge for edge in made.edges if edge.t_ns <= whole.final_ns]
    early = judge(onsets(known), opened_ns=OPENED)
    assert (early.winner, early.dead_heat, early.final_ns) == (whole.winner, whole.dead_heat, whole.final_ns)


def test_a_late_report_amends_the_verdict():
    first = [*line((130, 1), seat="a"), *line((140, 1), seat="b")]
    assert judge(onsets(first), opened_ns=0).winner == "a"
    late = judge(onsets([*first, *line((125, 0), (125.2, 1), seat="c")]), opened_ns=0)
    assert (late.winner, late.final_ns) == ("c", 165 * MS)
    assert judge(onsets([*first, *line((130.1, 0))]), opened_ns=0).winner == "b"  # it was a glitch


def outcome(made: Race) -> str:
    """What became of a race: right or doubt, wrong if neither. In a doubt everyone who was first has a time, and the
    times that decide are true but for those that are called unsure."""
    verdict = judge(onsets(made.edges), opened_ns=OPENED)
    first = made.first
    right = verdict.dead_heat == first if len(first) > 1 else verdict.winner == (first[0] if first else None)
    if not verdict.unsure:
        return "right" if right else "wrong"
    times = dict(verdict.times_ns)
    said = {seat for seat, t_ns in times.items() if t_ns <= min(times.values()) + DEFAULTS.tie_ns}
    honest = all(times[seat] == made.truth.get(seat) for seat in {*first, *said} - {*verdict.unsure} if seat in times)
    return "doubt" if honest and set(first) <= set(times) else "wrong doubt"


def run(races: int, seed: int, faults: float = 0.0) -> Counter[str]:
    rng = random.Random(seed)
    outcomes: Counter[str] = Counter()
    for _number in range(races):
        made = race(rng, plain=rng.random() < 0.3, faults=faults)
        result = outcome(made)
        outcomes[result if made.glitches or result == "right" else f"{result} without a glitch"] += 1
        shuffled = made.edges[:]
        rng.shuffle(shuffled)
        assert onsets(shuffled) == onsets(made.edges)
    return outcomes


def check(outcomes: Counter[str], races: int) -> None:
    assert not [result for result in outcomes if "wrong" in result], outcomes
    assert outcomes["doubt without a glitch"] <= races * 0.03, outcomes
    assert outcomes["right"] >= races * 0.6, outcomes


def test_a_thousand_races_have_no_wrong_verdict():
    check(run(1_000, 1), 1_000)


def test_faulty_lines_make_no_verdict_wrong():
    """Chatter, flickers of held buttons and lost reports of releases are doubts, at worst."""
    outcomes = run(1_000, 4, faults=0.3)
    assert not [result for result in outcomes if "wrong" in result], outcomes


@pytest.mark.slow
@pytest.mark.parametrize("seed", [2, 3])
def test_ten_thousand_races_have_no_wrong_verdict(seed):
    outcomes = run(10_000, seed)
    sys.stdout.write(f"{dict(outcomes)}\n")
    check(outcomes, 10_000)
