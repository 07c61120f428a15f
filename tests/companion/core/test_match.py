"""A match: undoing, correcting, answering, in every order, and exactly the same after a restart."""

import pytest
from played import Played, same, started
from tally_game import RULES, Add, Crash, PassTwice, TallyRules

from companion.core.facts import (
    Answer,
    Answered,
    Correct,
    EndMatch,
    Fact,
    Overtaken,
    Redo,
    RuleBroken,
    Undo,
    Undone,
    UndoStep,
)
from companion.core.fold import Record, versions
from companion.core.journal import MatchRow
from companion.core.match import CannotFold, begin, is_ended, resume


@pytest.fixture
def played(tmp_path):
    played = Played(tmp_path / "journal.sqlite", limit=20)
    yield played
    try:
        assert same(played.resumed(), played.match)
    finally:
        played.journal.close()


def refused(played, command, sentence, kind=RuleBroken):
    before = played.match
    with pytest.raises(kind, match=sentence):
        played.do(command)
    assert played.match is before
    assert same(played.resumed(), before)


def test_facts_are_numbered_without_a_gap_and_timed(played):
    played.do(Add(seat="red", number=3))
    refused(played, Add(seat="green", number=3), "no seat green")
    played.do(PassTwice(seat="red"))
    played.do(Add(seat="blue", number=1, t_ns=4))
    assert [entry.id for entry in played.match.entries] == [1, 2, 3, 4, 5]
    assert [entry.fact.t_ns for entry in played.match.entries] == [5, 15, 25, 25, 4]
    assert [entry.step for entry in played.match.entries] == [1, 2, 3, 3, 4]


def test_the_match_records_the_rules_it_is_played_by(played):
    assert (played.match.started.game, played.match.started.rules) == ("tally", 1)


def test_an_impossible_set_up_is_refused():
    with pytest.raises(RuleBroken, match="Two must play"):
        begin(1, RULES, started().__class__(game="tally", rules=1, players=()), step=1, t_ns=0)


def test_undo_and_redo_any_fact(played):
    played.do(Add(seat="red", number=3))
    played.do(Add(seat="blue", number=4))
    whole = played.match.state
    played.do(Undo(target=2))
    assert played.match.state.sums == {"red": 0, "blue": 4}
    assert [entry.undone for entry in played.match.entries] == [False, True, False, False]
    refused(played, Undo(target=2), "already been taken back", Overtaken)
    played.do(Undo(target=4))  # taking back the taking back
    assert played.match.state == whole
    refused(played, Redo(target=2), "has not been taken back", Overtaken)
    played.do(Undo(target=5))  # and that again
    assert played.match.state.sums == {"red": 0, "blue": 4}
    played.do(Redo(target=2))
    assert played.match.state == whole
    refused(played, Undo(target=1), "start of the match")
    refused(played, Undo(target=99), "no entry number 99")
    refused(played, Undo(target=0), "no entry number 0")


def test_redo_lets_a_fact_count_that_was_taken_back_twice(played):
    played.do(Add(seat="red", number=3))
    whole = played.match.state
    for target in (2, 3, 2, 4):  # taken back, brought back, taken back, and the bringing back taken back
        played.do(Undo(target=target))
    assert played.match.state.sums == {"red": 0, "blue": 0}
    played.do(Redo(target=2))
    assert played.match.state == whole


def test_undoing_reaches_across_the_end(played):
    played.do(Add(seat="red", number=15))
    played.do(Add(seat="blue", number=20))
    assert played.match.over
    played.do(Undo(target=3))
    assert not played.match.over
    played.do(EndMatch())
    assert played.match.ended and is_ended(played.journal, 1)
    refused(played, Add(seat="red", number=1), "has been ended")
    refused(played, EndMatch(), "already been ended", Overtaken)
    played.do(Redo(target=3))
    assert played.match.over
    played.do(Undo(target=5))
    assert not played.match.ended and not is_ended(played.journal, 1)


def test_a_step_of_several_facts_is_taken_back_at_once(played):
    played.do(PassTwice(seat="red"))
    played.do(Undo(target=2))
    played.do(UndoStep(step=2))
    assert played.match.state.passes == 0
    refused(played, UndoStep(step=2), "already been taken back", Overtaken)
    refused(played, UndoStep(step=77), "nothing to take back")
    refused(played, UndoStep(step=1), "start of the match")
    played.do(UndoStep(step=4))
    assert played.match.state.passes == 1


def test_a_correction_counts_in_the_place_of_the_fact(played):
    played.do(Add(seat="red", number=3))
    played.do(Add(seat="blue", number=4))
    played.do(Correct(target=2, replacement={"seat": "blue", "number": 5}))
    assert played.match.state.sums == {"red": 0, "blue": 9}
    entry = played.match.entry(2)
    assert (entry.fact.number, entry.original.number, entry.fact.id, entry.fact.t_ns) == (5, 3, 2, 15)
    played.do(Correct(target=2, replacement={"fact": "Added", "seat": "red", "number": 6}))
    assert played.match.state.sums == {"red": 6, "blue": 4}
    played.do(Correct(target=4, replacement={"seat": "red", "number": 7}))  # correcting the correction
    assert played.match.state.sums == {"red": 7, "blue": 4}
    played.do(Undo(target=6))
    played.do(Undo(target=5))
    assert played.match.state.sums == {"red": 0, "blue": 9}
    played.do(Undo(target=4))
    assert played.match.state.sums == {"red": 3, "blue": 4}
    assert played.match.entry(2).original is None


@pytest.mark.parametrize(
    ("replacement", "sentence"),
    [
        ({"seat": "green", "number": 1}, "no seat green"),
        ({"seat": "red", "number": "one"}, "cannot be understood: Expected `int`"),
        ({"seat": "red"}, "missing required field `number`"),
        ({"seat": "red", "number": 1, "nubmer": 2}, "no field `nubmer`"),
        ({"fact": "Passed", "seat": "red"}, "another kind of thing"),
        ({"fact": "Flown"}, "Invalid value 'Flown'"),
        ({"fact": "Undone", "target": 2}, "another kind of entry"),
        ({"seat": "red", "number": 3, "extra": {"pair": [1, 2]}}, "what it says already"),
    ],
)
def test_a_correction_that_makes_no_sense_is_refused(played, replacement, sentence):
    played.do(Add(seat="red", number=3))
    refused(played, Correct(target=2, replacement=replacement), sentence)


def test_only_what_stands_can_be_corrected(played):
    played.do(Add(seat="red", number=3))
    played.do(Undo(target=2))
    refused(played, Correct(target=2, replacement={"seat": "red", "number": 4}), "was taken back", Overtaken)
    refused(played, Correct(target=3, replacement={"target": 1}), "cannot|not something that can be corrected")
    refused(played, Correct(target=9, replacement={}), "no entry number 9")


def test_the_set_up_is_corrected_but_not_the_game(played):
    played.do(Add(seat="red", number=15))
    body = {"game": "tally", "rules": 1, "options": {"limit": 10}}
    players = [{"seat": "red", "name": "Rosa"}, {"seat": "blue", "name": "Bo"}]
    played.do(Correct(target=1, replacement={**body, "players": players}))
    assert played.match.over
    assert played.match.started.players[0].name == "Rosa"
    refused(played, Correct(target=1, replacement={**body, "players": []}), "Two must play")
    refused(played, Correct(target=1, replacement={**body, "players": players, "rules": 2}), "cannot be changed")


def test_a_correction_can_make_later_facts_conflicts(played):
    played.do(Add(seat="red", number=3))
    played.do(Add(seat="blue", number=4))
    played.do(Correct(target=2, replacement={"seat": "red", "number": 20}))
    assert played.match.over and [c.fact for c in played.match.conflicts] == [3]
    assert played.match.state.sums == {"red": 20, "blue": 0}
    played.do(Undo(target=4))
    assert played.match.conflicts == () and played.match.state.sums == {"red": 3, "blue": 4}


def test_a_doubt_opens_and_is_answered_in_one_step(played):
    played.do(Add(seat="red", number=3, unsure=(3, 8)))
    (doubt,) = played.match.doubts
    assert (doubt.id, doubt.question.key, doubt.version, doubt.closed) == (1, "number-2", 2, False)
    refused(played, Answer(doubt=1, value="5"), "none of the choices")
    refused(played, Answer(doubt=2, value="8"), "no question number 2")
    played.do(Answer(doubt=1, value="8", by="blue"))
    assert played.match.state.sums["red"] == 8
    assert played.match.doubts == ()
    (settled,) = played.match.settled
    assert (settled.id, settled.answer, settled.closed, settled.version) == (1, "8", True, 3)
    assert {entry.step for entry in played.match.entries[2:]} == {3}
    assert isinstance(played.match.entry(3).fact, Answered)
    assert played.match.entry(4).answer == 3
    refused(played, Answer(doubt=1, value="3"), "settled already", Overtaken)


def test_a_question_for_one_seat_is_not_answered_by_another(played):
    played.do(Add(seat="blue", number=3, unsure=(3, 8)))
    refused(played, Answer(doubt=1, value="8", by="red"), "another player")
    played.do(Answer(doubt=1, value="8", by="blue"))
    assert played.match.state.sums["blue"] == 8


@pytest.mark.parametrize("target", [3, 4], ids=["the answer", "the fact it made"])
def test_an_answer_taken_back_opens_the_same_doubt_again(played, target):
    played.do(Add(seat="red", number=3, unsure=(3, 8)))
    asked = played.match.doubts[0]
    played.do(Answer(doubt=1, value="8"))
    answered = played.match.state
    played.do(Undo(target=target))
    (again,) = played.match.doubts
    assert (again.id, again.question, again.answer) == (asked.id, asked.question, None)
    assert again.version > asked.version
    assert [entry.undone for entry in played.match.entries[2:4]] == [True, True]
    played.do(Redo(target=target))
    assert played.match.state == answered and played.match.doubts == ()
    assert played.match.settled[0].answer == "8"
    played.do(UndoStep(step=3))
    played.do(Answer(doubt=1, value="3"))
    assert played.match.state.sums["red"] == 3 and played.match.settled[0].answer == "3"


def test_a_doubt_closes_when_its_fact_is_gone_and_changes_with_it(played):
    played.do(Add(seat="red", number=3, unsure=(3, 8)))
    played.do(Add(seat="blue", number=3, unsure=(3, 8)))
    assert [doubt.id for doubt in played.match.doubts] == [1, 2]
    played.do(Undo(target=2))
    assert [doubt.id for doubt in played.match.doubts] == [2]
    assert played.match.settled[0].answer is None
    played.do(Redo(target=2))
    assert [doubt.id for doubt in played.match.doubts] == [1, 2]
    version = played.match.doubts[0].version
    played.do(Correct(target=2, replacement={"seat": "red", "number": 3, "unsure": [3, 9]}))
    changed = played.match.doubts[0]
    assert changed.id == 1 and changed.version > version
    assert [choice.value for choice in changed.question.choices] == ["3", "9"]
    played.do(Correct(target=2, replacement={"seat": "red", "number": 9}))
    assert [doubt.id for doubt in played.match.doubts] == [2] and played.match.state.sums["red"] == 9


def test_versions_say_when_something_last_changed(played):
    played.do(Add(seat="red", number=3))
    played.do(Add(seat="blue", number=4))
    assert [entry.version for entry in played.match.entries] == [1, 2, 3]
    played.do(Undo(target=2))  # step 4
    assert [entry.version for entry in played.match.entries] == [1, 4, 3, 4]
    played.do(Undo(target=4))  # step 5 undoes that
    assert [entry.version for entry in played.match.entries] == [1, 5, 3, 5, 5]
    played.do(Correct(target=3, replacement={"seat": "blue", "number": 5}))
    assert played.match.entry(3).version == 6
    played.do(Undo(target=6))
    assert played.match.entry(3).version == 7


class Remark(Fact, frozen=True, kw_only=True):
    of: int

    @property
    def about(self):
        return self.of


def test_what_is_said_about_a_fact_is_a_change_of_it():
    facts = [Remark(id=1, of=1), Fact(id=2), Answered(id=3, doubt=1, key="k", value="v"), Remark(id=4, of=2)]
    records = [Record(step, fact) for step, fact in zip((1, 2, 3, 3), facts, strict=True)]
    assert versions(records, {4: 3}) == {1: 1, 2: 3, 3: 3, 4: 3}
    records.append(Record(4, Undone(id=5, target=3)))  # what the answer said is taken back with it
    assert versions(records, {4: 3}) == {1: 1, 2: 4, 3: 4, 4: 4, 5: 4}


def test_a_picture_is_taken_before_the_doubt_is_written(played):
    journal = played.journal

    def photographer(question):
        assert journal.doubts(1) == ()
        return f"{question.key}.jpg"

    proposal = played.match.propose(
        Add(seat="red", number=3, unsure=(3, 8)), step=journal.next_step, t_ns=50, photographer=photographer
    )
    journal.write(proposal.step)
    played.match = proposal.match
    assert played.match.doubts[0].picture == "number-2.jpg"
    played.do(Answer(doubt=1, value="8"))
    played.do(Undo(target=3))
    assert played.match.doubts[0].picture == "number-2.jpg"


@pytest.mark.parametrize("where", ["decide", "apply", "questions", "conflicts"])
def test_rules_that_fail_leave_the_match_as_it_was(played, where):
    played.do(Add(seat="red", number=3))
    before = played.match
    with pytest.raises(ZeroDivisionError):
        played.do(Crash(where=where))
    assert played.match is before
    played.do(Add(seat="blue", number=3))


def test_a_command_of_another_game_is_refused(played):
    class Fly(Add, frozen=True, kw_only=True):
        pass

    class Swim(EndMatch.__base__, frozen=True, kw_only=True):
        pass

    refused(played, Swim(), "Swim is not a command of this game")


def test_several_matches_share_a_journal(tmp_path):
    first = Played(tmp_path / "journal.sqlite")
    first.do(Add(seat="red", number=3))
    proposal = begin(2, RULES, started(), step=first.journal.next_step, t_ns=9)
    first.journal.write(proposal.step)
    second = Played.__new__(Played)
    second.journal, second.match, second.rules = first.journal, proposal.match, RULES
    second.do(Add(seat="blue", number=8))
    first.do(Add(seat="blue", number=4))
    assert same(first.resumed(), first.match) and same(second.resumed(), second.match)
    assert first.resumed().state.sums == {"red": 3, "blue": 4}
    assert second.resumed().state.sums == {"red": 0, "blue": 8}
    first.journal.close()


def test_other_rules_say_clearly_that_they_cannot_go_on(played):
    class Newer(TallyRules):
        version = 2

    with pytest.raises(CannotFold, match="version 1 of the rules of tally, and this program has version 2"):
        resume(played.journal, MatchRow(1, "tally", 1), Newer())


def test_a_fact_nobody_knows_says_so(played):
    played.do(PassTwice(seat="red"))

    class Fewer(TallyRules):
        facts = TallyRules.facts[:2]

    with pytest.raises(CannotFold, match="Match 1 cannot be read: Invalid value 'Passed'"):
        resume(played.journal, MatchRow(1, "tally", 1), Fewer())


def test_a_program_that_asks_otherwise_catches_up_in_a_step_of_its_own(played):
    played.do(Add(seat="red", number=3, unsure=(3, 8)))

    class Quiet(TallyRules):
        def questions(self, state):
            return []

    match = resume(played.journal, MatchRow(1, "tally", 1), Quiet())
    proposal = match.caught_up(step=played.journal.next_step, t_ns=90)
    assert [(row.doubt, row.event) for row in proposal.step.doubts] == [(1, "closed")]
    assert proposal.match.doubts == ()
    assert played.match.caught_up(step=played.journal.next_step, t_ns=90).empty
