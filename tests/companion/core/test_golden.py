"""Golden journals: what earlier programs wrote folds to what they had recorded, and goes on from there."""

from pathlib import Path

import make_golden_hook
import msgspec
import pytest
from make_golden import play, result
from played import Played
from tally_game import RULES

from companion.core.journal import Journal
from companion.core.lines import export, restore
from companion.core.match import resume

GOLDEN = sorted((Path(__file__).parent / "golden").glob("tally-*.jsonl"))
HOOK = sorted((Path(__file__).parent / "golden").glob("hook-*.jsonl"))


def read(path):
    *steps, last = path.read_bytes().splitlines()
    return steps, msgspec.json.decode(last)["result"]


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_golden_journal_folds_to_what_was_recorded(path, tmp_path):
    steps, recorded = read(path)
    journal = Journal(tmp_path / "journal.sqlite")
    number = restore(journal, steps)
    match = resume(journal, journal.matches()[0], RULES)
    assert result(match) == recorded
    assert match.caught_up(step=journal.next_step, t_ns=0).empty
    assert list(export(journal, number))[1:] == steps[1:]  # the first has the wall-clock label of the new journal
    journal.close()


@pytest.mark.parametrize("path", HOOK, ids=lambda path: path.stem)
def test_a_golden_journal_of_hook_folds_to_the_score_that_was_recorded(path, tmp_path):
    steps, recorded = read(path)
    journal = Journal(tmp_path / "journal.sqlite")
    restore(journal, steps)
    match = resume(journal, journal.matches()[0], make_golden_hook.RULES)
    assert make_golden_hook.result(match) == recorded
    journal.close()


def test_there_are_golden_journals():
    assert GOLDEN and HOOK


def test_the_present_program_plays_the_same(tmp_path):
    _steps, recorded = read(GOLDEN[-1])
    played = Played(tmp_path / "journal.sqlite", limit=25)
    play(played)
    assert result(played.match) == recorded
    played.journal.close()


def test_a_match_is_put_into_a_journal_that_has_others(tmp_path):
    steps, recorded = read(GOLDEN[-1])
    played = Played(tmp_path / "journal.sqlite", limit=25)
    number = restore(played.journal, steps)
    assert number == 2
    match = resume(played.journal, played.journal.matches()[1], RULES)
    assert result(match)["state"] == recorded["state"]
    assert len(played.journal.facts(1)) == 1
    with pytest.raises(ValueError, match="does not begin a match"):
        restore(played.journal, steps[1:])
    assert len(played.journal.matches()) == 2
    played.journal.close()
