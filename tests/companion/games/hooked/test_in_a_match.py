"""Hooked! in a real match with its journal: doubts, answers, corrections and undo, and the same after a restart."""

import pytest
from hooked_table import MS, started
from played import same

from companion.core.codec import body
from companion.core.facts import Answer, Correct, Redo, RuleBroken, Undo
from companion.core.journal import Journal
from companion.core.match import begin, play, resume
from companion.games.hooked.facts import CardFlipped, Edge, Flip, Recount, RuleFlip, TellSlap
from companion.games.hooked.rules import RULES


class Evening:
    def __init__(self, path):
        self.journal = Journal(path, boot="test")
        proposal = begin(self.journal.next_match, RULES, started(3), step=self.journal.next_step, t_ns=1)
        self.journal.write(proposal.step)
        self.match = proposal.match
        self.ms = 10_000

    def do(self, command):
        self.match = play(self.journal, self.match, command, t_ns=(self.ms + 900) * MS)
        return self.match.state

    def flip(self, card, **fields):
        self.ms += 3000
        seat = self.match.state.turn or ""
        return self.do(Flip(card=card, seat=seat, seen_ns=self.ms * MS, before_ns=(self.ms - 66) * MS, **fields))

    def press(self, seat, ms):
        for at, level in ((ms, 1), (ms + 80, 0)):
            self.do(Edge(seat=seat, level=level, t_ns=(self.ms + at) * MS))

    def flips(self):
        return [entry.fact for entry in self.match.entries if isinstance(entry.fact, CardFlipped)]

    def stacks(self):
        return tuple(n for _seat, n in self.match.state.stacks)

    def resumed(self):
        (row,) = [row for row in self.journal.matches() if row.id == self.match.number]
        return resume(self.journal, row, RULES)


@pytest.fixture
def evening(tmp_path):
    evening = Evening(tmp_path / "journal.sqlite")
    yield evening
    try:
        assert same(evening.resumed(), evening.match)
    finally:
        evening.journal.close()


def test_the_facts_have_the_times_of_the_edges(evening):
    evening.flip("fish-8")
    evening.press("seat-2", 300)
    assert [entry.fact.t_ns for entry in evening.match.entries[2:]] == [13_300 * MS, 13_380 * MS]


def test_a_flip_told_after_its_slap(evening):
    evening.flip("fish-8")
    evening.press("seat-2", 3300)
    assert evening.stacks() == (20, 19, 20)
    evening.flip("fish-8")
    assert evening.stacks() == (20, 22, 20)


def test_corrected_undone_and_counted_again(evening):
    evening.flip("fish-8")
    evening.flip("fish-8")
    evening.press("seat-2", 300)
    assert evening.stacks() == (20, 22, 20)
    second = evening.flips()[1]
    evening.do(Correct(target=second.id, replacement=body(second) | {"card": "fish-3"}))
    assert evening.stacks() == (20, 18, 20)
    evening.do(Undo(target=second.id))
    assert evening.stacks() == (20, 19, 20)
    evening.do(Redo(target=second.id))
    assert evening.stacks() == (20, 18, 20)


def test_an_answer_and_taking_it_back(evening):
    evening.flip("fish-8")
    evening.flip("fish-8", card_sure=False, cards=(("fish-8", 0.5), ("fish-3", 0.4)))
    evening.press("seat-2", 300)
    (doubt,) = evening.match.doubts
    assert doubt.question.kind == "card"
    with pytest.raises(RuleBroken):
        evening.do(Answer(doubt=doubt.id, value="pike"))
    evening.do(Answer(doubt=doubt.id, value="fish-8"))
    assert evening.stacks() == (20, 22, 20)
    assert evening.match.doubts == ()
    answered = evening.match.entries[-2].fact
    evening.do(Undo(target=answered.id))
    assert [doubt.question.kind for doubt in evening.match.doubts] == ["card"]


def test_what_is_said_about_a_flip_is_a_change_of_it(evening):
    evening.flip("fish-8")
    for command in (RuleFlip(flip=2, card="fish-9"), TellSlap(seat="seat-1", flip=2), Undo(target=4), Redo(target=4)):
        before = evening.match.entry(2).version
        evening.do(command)
        assert evening.match.entry(2).version > before
        assert same(evening.resumed(), evening.match)


def test_play_to_the_end_and_beyond(evening):
    evening.do(Recount(stacks={"seat-1": 61, "seat-2": 1, "seat-3": 0}))
    evening.flip("fish-8")
    evening.flip("fish-12")
    assert evening.match.over
    with pytest.raises(RuleBroken):
        evening.do(Flip(card="fish-3", seat="seat-1"))
    last = evening.flips()[1]
    evening.do(Correct(target=last.id, replacement=body(last) | {"card": "fish-9"}))
    assert not evening.match.over
    evening.press("seat-3", 300)
    assert evening.stacks() == (60, 0, 2)
