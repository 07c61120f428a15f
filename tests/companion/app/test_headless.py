"""Whole rounds in lockstep: camera, vision, watcher, rules and journal, compared with the truth."""

import pytest

from companion import deck
from companion.app.accuracy import Task, play
from companion.app.evenings import run
from companion.app.headless import run_headless
from companion.games.hook import practice_deck


@pytest.fixture(scope="module")
def folder():
    return practice_deck.folder()


def test_two_easy_rounds_are_read_rightly(folder):
    said = []
    status = run_headless(deck.load(folder), "easy", 1, 2, said.append)
    assert status == 0, said
    assert said[0].startswith("Round 1: ")
    assert said[-1].startswith("2 rounds: ")


def counted(done):
    """What was counted; confidences differ in their last bits between processors and processes."""
    return [(s.number, s.tally, s.remarks, [(o.tile, round(o.confidence, 2)) for o in s.outcomes]) for s in done.scores]


def test_an_evening_is_the_same_in_another_process_and_keeps_what_went_wrong(folder, tmp_path):
    task = Task(str(folder), "harsh", 5, 1, str(tmp_path))
    here = play(task)
    (there,) = run(play, [task], 2)
    assert counted(here) == counted(there)
    assert here.scores[0].tally.placements >= 3
    kept = list(tmp_path.iterdir())
    assert len(kept) == (1 if here.scores[0].remarks else 0)
    for place in kept:
        assert (place / "round.json").exists()
        assert (place / "00.jpg").exists()
