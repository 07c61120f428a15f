"""Whatever is played: a replay equals live play, undoing and correcting can be undone, a crash loses no step."""

import sqlite3
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from moves import MOVES, MemoryJournal, command, standing
from played import Played, same
from tally_game import RULES, Add, Added, TallyRules

from companion.core import fold as folding
from companion.core.facts import Correct, Redo, RuleBroken, Undo
from companion.core.journal import Journal
from companion.core.match import resume

quick = settings(suppress_health_check=[HealthCheck.too_slow])


def play(played, moves):
    for move in moves:
        asked = command(played.match, move)
        if asked is None:
            continue
        try:
            played.do(asked)
        except RuleBroken:
            continue


@quick
@given(MOVES)
def test_a_replay_equals_live_play(moves):
    played = Played(MemoryJournal(), limit=60)
    play(played, moves)
    assert same(played.resumed(), played.match)
    folded = folding.fold(RULES, played.match.codec, played.match.records)
    assert folded == played.match.folded
    open_keys = [doubt.question.key for doubt in played.match.doubts]
    assert open_keys == [question.key for question in RULES.questions(played.match.state)]


@quick
@given(MOVES, st.integers(0, 1000))
def test_undo_then_redo_is_identity(moves, which):
    played = Played(MemoryJournal(), limit=60)
    play(played, moves)
    before = standing(played.match)
    id = 1 + which % len(played.match.entries)
    try:
        played.do(Undo(target=id))
    except RuleBroken:
        assert standing(played.match) == before
        return
    played.do(Redo(target=id))
    assert standing(played.match) == before
    assert same(played.resumed(), played.match)


@quick
@given(MOVES, st.integers(0, 1000), st.integers(0, 9))
def test_correct_then_correct_back_is_identity(moves, which, number):
    played = Played(MemoryJournal(), limit=60)
    play(played, moves)
    before = standing(played.match)
    added = [entry for entry in played.match.entries if isinstance(entry.fact, Added)]
    if not added:
        return
    entry = added[which % len(added)]
    old = {"seat": entry.fact.seat, "number": entry.fact.number, "tile": entry.fact.tile}
    old |= {"unsure": list(entry.fact.unsure), "extra": dict(entry.fact.extra)}
    try:
        played.do(Correct(target=entry.id, replacement={**old, "seat": "red", "number": number}))
    except RuleBroken:
        assert standing(played.match) == before
        return
    played.do(Correct(target=entry.id, replacement=old))
    assert standing(played.match) == before


class Counting(TallyRules):
    """Counts how often a fact is applied."""

    def __init__(self):
        self.applied = 0

    def apply(self, state, fact):
        self.applied += 1
        return super().apply(state, fact)


def test_undoing_in_a_long_match_is_as_good_as_folding_anew_and_cheaper():
    rules = Counting()
    played = Played(MemoryJournal(), rules, limit=10**6)
    for number in range(200):
        played.do(Add(seat=("red", "blue")[number % 2], number=number))
    for id in (200, 199, 17, 16, 2, 33, 201):
        for asked in (Undo(target=id), Correct(target=id + (3 if id < 190 else -3), replacement=body(id))):
            played.do(asked)
            assert folding.fold(RULES, played.match.codec, played.match.records) == played.match.folded
    length = len(played.match.entries)
    rules.applied = 0
    played.do(Undo(target=198))
    assert rules.applied < 2 * folding.STRIDE + length - 198
    assert played.match.state == played.resumed().state


def body(number):
    return {"seat": "red", "number": number}


class Died(BaseException):
    """The process is no more; nothing runs after this."""


class Mortal:
    """A connection that stops at its n-th statement, and does nothing any more after that."""

    def __init__(self, real: sqlite3.Connection, statements: int) -> None:
        self.real = real
        self.left = statements

    def execute(self, *args):
        if self.left <= 0:
            raise Died
        self.left -= 1
        return self.real.execute(*args)

    @property
    def in_transaction(self):
        return False  # a dead process rolls nothing back

    def close(self):
        self.real.close()


@settings(quick, max_examples=40)
@given(MOVES, st.integers(0, 200))
def test_a_crash_anywhere_leaves_a_prefix_of_whole_steps(moves, statements):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "journal.sqlite"
        played = Played(path, limit=60)
        mortal = played.journal._db = Mortal(played.journal._db, statements)
        history = [played.match]
        try:
            for move in moves:
                asked = command(played.match, move)
                if asked is None:
                    continue
                try:
                    played.do(asked)
                except RuleBroken:
                    continue
                history.append(played.match)
        except Died:
            pass
        played.journal.close()
        assert mortal.left >= 0
        journal = Journal(path)
        assert journal.notice is None
        match = resume(journal, journal.matches()[0], RULES)
        assert same(match, history[-1])  # all that was acknowledged, and nothing of what was not
        ids = [entry.id for entry in match.entries]
        assert ids == list(range(1, len(ids) + 1))
        assert journal.next_step == match.records[-1].step + 1
        journal.close()
