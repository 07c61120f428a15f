"""Counting: what is right, sure, wrong and sure, missed, phantom, avoidable, for rounds made by hand."""

import sys
from pathlib import Path

import msgspec
import pytest

from companion.app.accuracy import BARS, Total, row, tasks
from companion.app.evenings import seed_of
from companion.app.score import Evidence as Noted
from companion.app.score import Tally, match, score
from companion.core.facts import Question
from companion.games.hook.script import Keyframe, PlacementTruth, RoundScript
from companion.words import _

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))
from scenes import Watched, card, tile

OPEN = (card(1), card(2), card(3))
NAMES = {"RP": "red-pirate", "BP": "blue-pirate", "YS": "yellow-sailor"}


def true(seat, number, *symbols, faults=(), shares=(0.95, 0.95, 0.0), tile=1):
    return PlacementTruth(
        round=1,
        seat=NAMES[seat],
        tile=f"sight-{NAMES[seat]}-{tile}",
        card=f"target-{number:03}",
        turn_deg=0.0,
        turn_off_deg=0.0,
        bare_mm=0.0,
        symbols=symbols or ("rum", "parrot", "none"),
        shares=shares,
        faults=faults,
        obliged=False,
        frame=0,
    )


def judged(*placements, tiles, missing=(), noted=None):
    table = Watched()
    covered = {int(t.over[-3:]): t.id for t in tiles if t.over}
    table.see(*OPEN, times=3)
    table.see(*(card(n, covered.get(n)) for n in (1, 2, 3)), *tiles, times=6)
    truth = RoundScript(1, (), (Keyframe(0, None, "rest", True),), placements, missing)
    questions = table.match.questions
    return score(table.state.now, questions, questions, truth, noted or Noted())


def test_a_reading_that_is_as_it_was_is_right_and_sure():
    tally = judged(true("RP", 1), tiles=[tile("RP", 1)]).tally
    assert (tally.right, tally.sure, tally.wrong_and_sure, tally.avoidable) == (1, 1, 0, 0)


def test_a_wrong_symbol_without_a_question_is_wrong_and_sure():
    result = judged(true("RP", 1, "bomb", "parrot", "none"), tiles=[tile("RP", 1)])
    assert (result.tally.right, result.tally.wrong_and_sure) == (0, 1)
    assert any("WRONG AND SURE symbol 0" in remark for remark in result.remarks)


def test_a_wrong_symbol_that_is_asked_is_not_wrong_and_sure():
    tally = judged(true("RP", 1, "bomb", "parrot", "none"), tiles=[tile("RP", 1, unsure=(0,))]).tally
    assert (tally.right, tally.sure, tally.wrong_and_sure, tally.avoidable) == (0, 0, 0, 1)


def test_a_symbol_that_shows_by_half_obliges_to_ask():
    tally = judged(true("RP", 1, shares=(0.5, 0.95, 0.0)), tiles=[tile("RP", 1, unsure=(0,))]).tally
    assert (tally.sure, tally.obliged, tally.avoidable) == (1, 1, 0)


def test_a_missed_placement_is_silent_only_when_the_round_does_not_wait_for_it():
    waits = judged(true("RP", 1), tiles=[]).tally
    assert (waits.missed, waits.missed_and_silent) == (1, 0)
    other = judged(true("RP", 1), true("RP", 2, tile=2, faults=("second-tile",)), tiles=[tile("RP", 1)]).tally
    assert (other.missed, other.missed_and_silent) == (1, 1)


def test_what_nobody_placed_is_a_phantom():
    tally = judged(true("RP", 1), tiles=[tile("RP", 1), tile("BP", 2)]).tally
    assert (tally.right, tally.phantom) == (1, 1)


def test_an_illegal_placement_is_right_when_the_table_is_asked_about_it():
    seen = judged(true("RP", 1, faults=("crooked",)), tiles=[tile("RP", 1, turn=20)]).tally
    assert (seen.right, seen.sure, seen.obliged, seen.avoidable) == (1, 1, 1, 0)
    unseen = judged(true("RP", 1, faults=("crooked",)), tiles=[tile("RP", 1)]).tally
    assert (unseen.right, unseen.wrong_and_sure) == (0, 1)


def test_a_legal_tile_that_is_called_crooked_is_an_avoidable_doubt():
    tally = judged(true("RP", 1), tiles=[tile("RP", 1, turn=20)]).tally
    assert (tally.right, tally.sure, tally.wrong_and_sure, tally.avoidable) == (0, 0, 0, 1)


def test_a_tile_read_as_another_one_is_matched_by_its_card():
    table = Watched()
    table.see(*OPEN, times=3)
    table.see(card(1, "sight-blue-pirate-1"), card(2), card(3), tile("BP", 1), times=3)
    truth = RoundScript(1, (), (), (true("RP", 1),))
    assert {i: p.tile for i, p in match(truth, table.poses()).items()} == {0: "sight-blue-pirate-1"}


def test_seeds_follow_from_the_commit():
    assert seed_of("abc", "easy", 0) == seed_of("abc", "easy", 0)
    assert len({seed_of(c, k, e) for c in ("abc", "abd") for k in ("easy", "harsh") for e in range(50)}) == 200


def test_evenings_make_the_rounds_that_were_asked_for(tmp_path):
    assert [t.rounds for t in tasks(tmp_path, "easy", 20, "x", None)] == [6, 6, 6, 2]


@pytest.mark.parametrize("condition", BARS)
def test_bars_are_held_against_the_counts(condition):
    good = Tally(300, 1200, 1200, 1200, 0, 0, 0, 0, 0, 10, 5000)
    assert Total(condition, good).failures() == []
    bad = Tally(300, 1200, 1000, 800, 20, 5, 20, 20, 200, 10, 5000)
    failures = Total(condition, bad).failures()
    assert len(failures) == (6 if condition == "evening" else 5)
    assert row(Total(condition, bad)).count("|") == 9


def test_a_short_run_fails_only_where_a_bar_is_missed_beyond_doubt():
    unlucky = Total("easy", Tally(60, 250, 247, 247, 1, 0, 1, 0, 0, 0, 900))
    assert unlucky.failures()
    assert unlucky.failures(level=0.999) == []
    broken = Total("easy", Tally(60, 250, 225, 225, 12, 0, 1, 0, 0, 0, 900))
    assert len(broken.failures(level=0.999)) == 3


@pytest.mark.parametrize(
    ("kind", "fault", "bad"),
    [
        ("card", "no-card", 0),
        ("card", "taken", 0),
        ("sight", "no-card", 0),
        ("sight", "taken", 1),
        ("symbol", "no-card", 1),
    ],
)
def test_a_tile_on_no_card_or_a_taken_one_is_asked_about_when_its_card_is(kind, fault, bad):
    table = Watched()
    table.see(*OPEN, times=3)
    table.see(*OPEN, tile("RP", 1, on=False), times=6)
    pose = table.poses()[0]
    question = Question("q", kind, _("Which?"), (), about={"round": 1, "tile": pose.tile, "placement": pose.id})
    truth = RoundScript(1, (), (Keyframe(0, None, "rest", True),), (true("RP", 1, faults=(fault,)),), ())
    assert score(table.state.now, [question], [question], truth, Noted()).tally.wrong_and_sure == bad


@pytest.mark.parametrize("truly", ["parrot", "bomb"])
def test_what_shows_too_little_of_a_tile_seen_askew_is_asked_once_it_counts(truly):
    seen = tile("RP", 1, turn=20)
    little = msgspec.structs.replace(seen.holes[1], share=0.1)
    askew = msgspec.structs.replace(seen, holes=(seen.holes[0], little, seen.holes[2]))
    assert judged(true("RP", 1, "rum", truly, "none"), tiles=[askew]).tally.wrong_and_sure == 0
    straight = msgspec.structs.replace(askew, corners=tile("RP", 1).corners)
    assert judged(true("RP", 1, "rum", truly, "none"), tiles=[straight]).tally.wrong_and_sure == 1
    assert judged(true("RP", 1, "bomb", truly, "none"), tiles=[askew]).tally.wrong_and_sure == 1


def test_what_was_read_with_another_card_in_mind_is_asked_once_the_card_is_named():
    table = Watched()
    table.see(*OPEN, times=3)
    table.see(card(1, "sight-red-pirate-1"), card(2), card(3), tile("RP", 1, "rum", "bomb", "none"), times=6)
    pose = table.poses()[0]
    truth = RoundScript(1, (), (Keyframe(0, None, "rest", True),), (true("RP", 9, "bomb", "rum", "none"),), ())
    for kind, bad in (("card", 0), ("symbol", 1)):
        question = Question("q", kind, _("Which?"), (), about={"round": 1, "tile": pose.tile, "placement": pose.id})
        assert score(table.state.now, [question], [question], truth, Noted()).tally.wrong_and_sure == bad
