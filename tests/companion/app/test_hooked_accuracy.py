"""What is counted at the Lake."""

from __future__ import annotations

import sys
import types
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.app.hooked_accuracy import Done, Outcome, Task, Total, matched, tasks
from companion.app.kept_evenings import KeptEvenings, fingerprint
from companion.app.lake_evening import Act, Sort
from companion.games.hooked.facts import Flip


def act(sort: Sort, start_ns: int, card: str = "") -> Act:
    return Act(sort, start_ns, "seat-1", card, start_ns + 5 if card else 0)


def flip(card: str, seen_ns: int, *, sure: bool = True) -> Flip:
    return Flip(card=card, seat="seat-1", seen_ns=seen_ns, before_ns=seen_ns - 1, t_ns=seen_ns, card_sure=sure)


def test_a_card_told_while_the_lake_is_taken_is_wrong_and_sure() -> None:
    acts = [act("flip", 100, "pike"), act("take", 200), act("flip", 300, "bass")]
    told = [flip("pike", 105), flip("gar", 210), flip("bass", 305)]
    shares = Total("easy", matched(acts, told)).shares()
    assert (shares["right"].hits, shares["right"].n) == (2, 2)
    assert shares["wrong and sure"].hits == 1
    asked = Total("easy", matched(acts, [told[0], flip("gar", 210, sure=False), told[2]])).shares()
    assert asked["wrong and sure"].hits == 0


def test_a_twin_told_twice_is_noticed_and_wrong_and_sure() -> None:
    outcome = Outcome(act("twin", 100, "pike"), (flip("pike", 105), flip("pike", 110)))
    shares = Total("easy", (outcome,)).shares()
    assert shares["noticed"].hits == 1
    assert shares["twins wrong"].hits == 1
    assert shares["wrong and sure"].hits == 0


def test_a_nudge_is_claimed_only_if_nobody_is_asked() -> None:
    nudges = [act("nudge", 100), act("nudge", 200), act("nudge", 300)]
    shares = Total("easy", matched(nudges, [flip("pike", 110), flip("pike", 210, sure=False)])).shares()
    assert (shares["claimed"].hits, shares["nudges asked"].hits, shares["claimed"].n) == (1, 1, 3)


def test_a_missed_card_that_a_nudge_brings_to_light_is_missed_but_no_claim() -> None:
    acts = [act("flip", 100, "pike"), act("flip", 200, "bass"), act("nudge", 300), act("nudge", 400)]
    shares = Total("easy", matched(acts, [flip("pike", 105), flip("bass", 310)])).shares()
    assert (shares["right"].hits, shares["claimed"].hits) == (1, 0)
    for told in (flip("pike", 310), flip("bass", 310)), (flip("bass", 210), flip("bass", 410)):
        assert Total("easy", matched(acts, told)).shares()["claimed"].hits == 1


def watched(file: Path, todo: list[Task], *now: Done) -> tuple[list[Done], list[Task]]:
    """All evenings of a run that watches ``now``, and what it had to watch."""
    left: list[Task] = []

    def watch(tasks: list[Task]) -> Iterator[Done]:
        left.extend(tasks)
        return iter(now)

    return list(KeptEvenings(file, Done, lambda done: done.task).all_of(todo, watch)), left


def test_evenings_of_a_run_that_was_cut_short_are_not_watched_again(tmp_path: Path) -> None:
    file = tmp_path / "lake.jsonl"
    todo = tasks(Path("deck"), "easy", 36, "commit", 1, None)
    assert len(todo) == 3
    first = Done(todo[1], (Outcome(act("flip", 100, "pike"), (flip("pike", 105),)),), "wood")
    assert watched(file, todo[1:2], first) == ([first], todo[1:2])
    with file.open("ab") as torn:
        torn.write(b'["0123", {"ta')
    assert watched(file, todo) == ([first], [todo[0], todo[2]])


def test_evenings_watched_by_other_code_do_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, (task, *_) = tmp_path / "lake.jsonl", tasks(Path("deck"), "easy", 12, "commit", 1, None)
    assert watched(file, [task], Done(task, (), "wood")) == ([Done(task, (), "wood")], [task])
    monkeypatch.setattr("companion.app.kept_evenings.fingerprint", lambda: "another")
    assert watched(file, [task]) == ([], [task])


def test_a_fingerprint_is_of_what_is_loaded(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    before = fingerprint()
    assert fingerprint() == before
    module = types.ModuleType("vision.another")
    module.__file__ = str(tmp_path / "another.py")
    (tmp_path / "another.py").write_text("x = 1")
    monkeypatch.setitem(sys.modules, "vision.another", module)
    changed = fingerprint()
    assert changed != before
    (tmp_path / "another.py").write_text("x = 2")
    assert fingerprint() not in (before, changed)
