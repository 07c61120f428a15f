"""Hook! in a real match with its journal: doubts, answers, corrections and undo, and the same after a restart."""

import pytest
from hook_table import full, started
from played import same

from companion.core.codec import body
from companion.core.facts import Answer, Correct, Redo, RuleBroken, Undo
from companion.core.journal import Journal
from companion.core.match import begin, play, resume
from companion.games.hook.facts import NextRound, PlaceTile, Recount, TilePlaced
from companion.games.hook.rules import RULES


class Evening:
    def __init__(self, path):
        self.journal = Journal(path, boot="test")
        proposal = begin(self.journal.next_match, RULES, started("RP", "BP", "YS"), step=self.journal.next_step, t_ns=1)
        self.journal.write(proposal.step)
        self.match = proposal.match
        self.t_ns = 1
        self.cards = 0

    def do(self, command):
        self.t_ns += 10
        self.match = play(self.journal, self.match, command, t_ns=self.t_ns)
        return self.match.state

    def place(self, seat, *symbols, **fields):
        self.cards += 1
        names = tuple(full(symbol) for symbol in symbols)
        card = fields.pop("card", f"target-{self.cards:03}")
        return self.do(PlaceTile(seat=full(seat), tile=f"sight-{full(seat)}-1", card=card, symbols=names, **fields))

    def fact(self, seat, round=1):
        return next(
            entry.fact
            for entry in self.match.entries
            if isinstance(entry.fact, TilePlaced) and (entry.fact.seat, entry.fact.round) == (full(seat), round)
        )

    def balls(self, *seats):
        return [self.match.state.seat(full(seat)).balls for seat in seats]

    def doubt(self, kind):
        return next(doubt for doubt in self.match.doubts if doubt.question.kind == kind and not doubt.closed)

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


def test_a_round_with_doubts(evening):
    evening.place("RP", "barrel", "BP", "none", unsure=(0,))
    evening.place("BP", "black", "none", "none")
    evening.place("YS", "RP", "none", "none", turn_off_deg=30.0)
    assert [d.question.kind for d in evening.match.doubts if not d.closed] == ["crooked", "symbol"]
    evening.do(Answer(doubt=evening.doubt("symbol").id, value="bird-cage"))
    evening.do(Answer(doubt=evening.doubt("crooked").id, value="allow"))
    victim = evening.doubt("victim")
    assert victim.question.seat == full("BP")
    evening.do(Answer(doubt=victim.id, value=full("YS"), by=full("BP")))
    assert evening.match.state.phase == "resolved"
    assert evening.balls("RP", "BP", "YS") == [0, 1, 1]
    evening.do(NextRound())
    # a correction of the earlier round: no cage, so Yellow Sailor's shot hits
    wrong = evening.fact("RP")
    evening.do(
        Correct(target=wrong.id, replacement={**body(wrong), "symbols": ["rum", "bomb", "parrot"], "unsure": []})
    )
    assert evening.balls("RP", "BP", "YS") == [1, 1, 2]
    assert evening.match.doubts == () or all(d.closed for d in evening.match.doubts)


def test_undoing_an_answer_opens_the_same_doubt_again(evening):
    evening.place("RP", "BP", "none", "none", unsure=(0,))
    evening.place("BP", "none", "none", "none")
    evening.place("YS", "none", "none", "none")
    doubt = evening.doubt("symbol")
    evening.do(Answer(doubt=doubt.id, value=full("YS")))
    assert evening.balls("BP", "YS") == [0, 1]
    answered = evening.match.records[-2].fact.id
    evening.do(Undo(target=answered))
    assert evening.doubt("symbol").id == doubt.id
    assert evening.match.state.phase == "answers"
    evening.do(Redo(target=answered))
    assert evening.balls("BP", "YS") == [0, 1]


def test_a_correction_makes_a_tile_a_conflict_and_undoing_it_mends_that(evening):
    evening.do(Recount(balls={full("BP"): 8}))
    shot = evening.place("RP", "none", "none", "none") and evening.fact("RP")
    evening.place("BP", "none", "none", "none")
    evening.place("YS", "none", "none", "none")
    evening.do(NextRound())
    evening.place("BP", "YS", "none", "none")
    later = evening.fact("BP", round=2)
    evening.do(Correct(target=shot.id, replacement={**body(shot), "symbols": [full("BP"), "none", "none"]}))
    correction = evening.match.records[-1].fact.id
    assert [conflict.fact for conflict in evening.match.conflicts] == [later.id]
    assert evening.match.state.seat(full("BP")).out == 1
    evening.do(Undo(target=correction))
    assert evening.match.conflicts == ()
    assert evening.match.state.seat(full("BP")).out is None


def test_nonsense_is_refused_and_leaves_no_trace(evening):
    evening.place("RP", "none", "none", "none")
    before = evening.match
    placed = evening.fact("RP")
    for command in (
        NextRound(),
        Correct(target=placed.id, replacement={**body(placed), "symbols": ["octopus"]}),
        Correct(target=placed.id, replacement={"fact": "RoundStarted", "round": 1}),
    ):
        with pytest.raises(RuleBroken):
            evening.do(command)
    assert evening.match is before
