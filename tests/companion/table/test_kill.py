"""kill -9 at random moments, twenty times on one journal: what was shown is there, exactly once."""

import random
import subprocess
import sys
from pathlib import Path

import msgspec
from tally_game import RULES

from companion.core.facts import Answered
from companion.core.journal import Journal
from companion.core.match import resume

CHILD = Path(__file__).parents[1] / "support" / "kill_child.py"
KILLS = 20


def play_and_kill(folder, seed, lines):
    """What a child printed before it was killed right after (or while) it did something more."""
    run = [sys.executable, str(CHILD), str(folder), str(seed)]
    with (folder / "said").open("w+b") as said, subprocess.Popen(run, stdout=subprocess.PIPE, stderr=said) as child:
        shown = [child.stdout.readline() for _ in range(lines)]
        child.kill()
        rest = child.stdout.read()  # what it printed before the signal arrived was shown, too
        status = child.wait()
        said.seek(0)
        assert all(line.endswith(b"\n") for line in shown), f"it ended by itself ({status}): {said.read().decode()}"
    whole = rest[: rest.rfind(b"\n") + 1].splitlines()
    return [msgspec.json.decode(line) for line in (*shown, *whole)]


def test_twenty_kills_lose_nothing_that_was_shown(tmp_path):
    rng = random.Random(20)
    facts = {}
    last = None
    for kill in range(KILLS):
        shown = play_and_kill(tmp_path, seed=kill, lines=rng.randrange(1, 40))
        for line in shown:
            for fact in line["facts"]:
                assert facts.setdefault(fact["id"], fact) == fact, "an id was given twice"
        last = shown[-1]

        journal = Journal(tmp_path / "journal.sqlite")
        assert journal.notice is None
        (row,) = journal.matches()
        stored = [msgspec.json.decode(fact.json) for _step, fact in journal.facts(row.id)]
        match = resume(journal, row, RULES)
        journal.close()

        # Every fact that was shown is there, once, as it was shown; ids have no gap.
        assert [fact["id"] for fact in stored] == list(range(1, len(stored) + 1))
        by_id = {fact["id"]: fact for fact in stored}
        assert {id: by_id[id] for id in facts} == facts
        # At most the one step that was going on when the signal came was written and not shown.
        unseen = [record for record in match.records if record.fact.id not in facts]
        assert len({record.step for record in unseen}) <= 1
        facts |= {record.fact.id: by_id[record.fact.id] for record in unseen}
        # Every doubt that was shown is there, as it was or as that step left it.
        doubts = {doubt.id: doubt for doubt in (*match.doubts, *match.settled)}
        for id, version, closed in last["doubts"]:
            assert (doubts[id].version, doubts[id].closed) == (version, closed) or doubts[id].version > version
        # Every answer, too, once; only that step may have taken one back or given one.
        answers = [e.fact.doubt for e in match.entries if isinstance(e.fact, Answered) and not e.undone]
        assert len(answers) == len(set(answers))
        if not unseen:
            assert sorted(answers) == sorted(last["answers"])
            assert match.state.sums == last["sums"]
    assert len(facts) > 10 * KILLS
    assert any(fact["fact"] == "Answered" for fact in facts.values())
