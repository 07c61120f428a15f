"""Late answers, corrections and recounts reach earlier rounds, and everything after them is derived again."""

import pytest
from hook_table import HookTable, full

from companion.core.facts import RuleBroken
from companion.games.hook.facts import NextRound, ReadSymbol, Recount, Recounted, RoundStarted, TilePlaced
from companion.games.hook.rules import RULES


def played(rounds, *seats):
    """Some rounds in which nothing happens; ready for the next."""
    table = HookTable(*(seats or ("RP", "BP", "YS", "RS")))
    for _ in range(rounds):
        table.rest()
        table.next()
    return table


def test_a_late_answer_reaches_its_round():
    table = played(0)
    table.place("RP", "BP", "none", "none", unsure=(0,))
    table.rest()
    table.next()
    table.place("RP", "BP", "none", "none")
    table.rest()
    assert table.counts("BP") == [1]
    assert not table.state.certain
    table.answer("BP")
    assert table.counts("BP") == [2]
    assert table.state.certain
    assert table.state.rounds[0].tally_of(full("BP")).after == 1


def test_nobody_is_out_while_an_earlier_question_is_open():
    table = played(0)
    table.balls(BP=7)
    table.place("BP", "rum", "none", "none", unsure=(0,))
    table.place("RP", "BP", "BP", "none")
    table.rest()
    assert table.state.phase == "answers"
    table.next()
    table.rest()
    assert table.seat("BP").out is None
    assert table.state.phase == "resolved"
    table.answer("rum")
    assert (table.seat("BP").balls, table.seat("BP").out) == (8, None)


def test_an_answer_may_put_somebody_out_in_an_earlier_round():
    table = played(0)
    table.balls(BP=8)
    table.place("RP", "BP", "none", "none", unsure=(0,))
    table.rest()
    table.next()
    shot = table.place("BP", "YS", "parrot", "none")
    table.rest()
    assert table.counts("YS") == [1]
    table.answer("BP")
    assert table.seat("BP").out == 1
    assert table.counts("YS") == [0]
    assert table.conflicts() == [shot]
    assert table.accounted() == 96


def test_a_correction_reinstates_a_player_who_sat_out_what_was_closed():
    table = played(0)
    table.balls(BP=8)
    shot = table.place("RP", "BP", "none", "none")
    table.rest()
    table.next()
    assert table.seat("BP").out == 1
    table.rest()
    table.next()
    table.rest()
    table.correct(shot, symbols=("none", "none", "none"))
    assert table.seat("BP").out is None
    assert table.seat("BP").balls == 8
    assert [table.state.rounds[n].waived for n in range(2)] == [(), (full("BP"),)]
    assert table.state.now.missing == (full("BP"),)
    assert table.kinds() == []
    assert table.accounted() == 96


def test_a_correction_of_an_identity_moves_everything_to_the_right_seat():
    table = played(0)
    shot = table.place("RP", "YS", "parrot", "none")
    table.place("YS", "none", "none", "none")
    table.place("RS", "none", "none", "none")
    table.correct(shot, seat=full("BP"))
    assert table.state.now.missing == (full("RP"),)
    table.place("RP", "none", "none", "none", tile=2)
    assert [s.won for s in table.state.seats] == [0, 1, 0, 0]


def test_a_correction_asks_only_choices_that_became_impossible_again():
    table = HookTable("RP", "BP", "YS", "RS")
    table.balls(YS=8)
    first = table.place("RP", "none", "none", "none")
    table.rest()
    table.next()
    table.place("RP", "black", "none", "none")
    table.place("BP", "black", "none", "none")
    table.rest()
    table.answer("RS")  # by BP, who has the Compass now
    chosen = table.answer("YS")
    assert table.kinds() == []
    assert table.seat("YS").out == 2
    table.correct(first, symbols=("yellow-sailor", "none", "none"))
    assert table.seat("YS").out == 1
    (question,) = table.questions()
    assert (question.kind, question.seat) == ("victim", full("RP"))
    assert set(table.conflicts()) >= set(chosen)
    table.answer("RS")
    assert table.counts("RS") == [2]
    table.correct(first, symbols=("none", "none", "none"))
    assert table.kinds() == []
    assert table.seat("RS").balls == 2


def test_the_choice_stays_when_something_else_is_corrected():
    table = played(0, "RP", "BP", "YS")
    shot = table.place("RP", "black", "BP", "none")
    table.rest()
    table.answer("YS")
    table.correct(shot, symbols=("black-pirate", "rum", "none"))
    assert table.kinds() == []
    assert table.counts("BP", "YS") == [0, 1]
    table.correct(shot, symbols=("rum", "rum", "none"))
    assert table.counts("YS") == [0]
    assert len(table.conflicts()) == 1
    table.correct(shot, tile="sight-red-pirate-2", symbols=("black-pirate", "rum", "none"))
    assert table.counts("YS") == [1]


def test_a_corrected_placement_beats_an_older_answer_about_the_same_hole():
    table = played(0, "RP", "BP", "YS")
    shot = table.place("RP", "BP", "none", "none", unsure=(0,))
    table.rest()
    table.answer("YS")
    assert table.counts("BP", "YS") == [0, 1]
    table.correct(shot, symbols=("rum", "none", "none"), unsure=())
    assert table.counts("BP", "YS") == [0, 0]
    assert table.state.now.placement_of(full("RP")).symbols == ("rum", "none", "none")


def test_undo_of_an_answer_asks_again():
    table = played(0, "RP", "BP", "YS")
    table.place("RP", "BP", "none", "none", unsure=(0,))
    table.rest()
    key = table.ask().key
    answer = table.answer("YS")
    table.undo(*answer)
    assert table.ask().key == key
    table.redo(*answer)
    assert table.kinds() == []


def test_undo_of_a_placement_waits_for_the_tile_again_and_lists_its_answers():
    table = played(0, "RP", "BP", "YS")
    shot = table.place("RP", "BP", "none", "none", unsure=(0,))
    answer = table.answer("YS")
    table.rest()
    table.undo(shot)
    assert table.state.now.missing == (full("RP"),)
    assert table.conflicts() == answer


def test_undo_of_the_next_round():
    table = played(0, "RP", "BP", "YS")
    table.rest()
    before = table.state
    numbers = table.do(NextRound())
    table.undo(*numbers)
    assert table.state == before


def test_a_correction_across_the_end_of_the_game():
    table = HookTable("RP", "BP", "YS")
    table.balls(BP=8, YS=8)
    shot = table.place("RP", "BP", "YS", "none")
    table.rest()
    assert table.state.over
    table.do(ReadSymbol(tile="sight-red-pirate-1", hole=0, symbol="none"))
    assert not table.state.over
    assert table.state.winners == ()
    table.next()
    table.rest()
    extra = table.place("RP", "none", "none", "none", card="target-090", tile=2)
    table.correct(shot, symbols=("blue-pirate", "yellow-sailor", "rum"))
    assert not table.state.over  # the answer by hand still holds for the hole whose reading did not change
    table.do(ReadSymbol(tile="sight-red-pirate-1", hole=0, symbol="blue-pirate", round=1))
    assert table.state.over
    assert table.state.round == 1
    assert extra in table.conflicts()
    assert table.do(NextRound(source="camera")) == []


def test_facts_of_rounds_that_cannot_be_are_conflicts():
    table = played(0, "RP", "BP", "YS")
    for number in (0, -3, 97, 10**9):
        table.tell(RoundStarted(round=number))
    assert len(table.conflicts()) == 4
    assert table.state.round == 1


# Recounts


def test_a_recount_before_the_round_is_resolved_counts_from_its_beginning():
    table = played(0, "RP", "BP", "YS")
    table.do(Recount(balls={full("BP"): 4}))
    table.place("RP", "BP", "none", "none")
    table.rest()
    assert table.counts("BP") == [5]


def test_a_recount_after_it_is_what_lies_on_the_table():
    table = played(0, "RP", "BP", "YS")
    shot = table.place("RP", "BP", "none", "none")
    table.rest()
    table.do(Recount(balls={full("BP"): 4}))
    assert table.counts("BP") == [4]
    table.correct(shot, symbols=("none", "none", "none"))
    assert table.counts("BP") == [4]
    table.next()
    table.place("RP", "BP", "none", "none")
    table.rest()
    assert table.counts("BP") == [5]


def everything(table, **balls):
    seats = table.state.setup.seats
    zero = dict.fromkeys(seats, 0)
    given = {full(seat): n for seat, n in balls.items()}
    return Recount(balls={**zero, **given}, won=zero, parrots=zero)


def test_a_full_recount_settles_earlier_questions():
    table = played(0)
    table.place("RP", "BP", "none", "none", unsure=(0,))
    table.rest()
    table.next()
    table.rest()
    assert table.kinds() == ["symbol"]
    numbers = table.do(everything(table, BP=1, YS=3))
    assert table.kinds() == []
    assert table.state.certain
    assert table.counts("BP", "YS") == [1, 3]
    table.undo(*numbers)
    assert table.kinds() == ["symbol"]


def test_a_full_recount_before_a_round_leaves_the_questions_of_that_round():
    table = played(1)
    table.place("RP", "BP", "none", "none", unsure=(0,))
    table.do(everything(table, BP=1, YS=3))
    assert table.kinds() == ["symbol"]
    table.rest()
    table.answer("BP")
    assert table.counts("BP", "YS") == [2, 3]


def test_a_recount_puts_players_out_and_back():
    table = played(1)
    table.do(Recount(out=(full("RP"),)))
    assert table.seat("RP").out == 2
    assert (table.seat("RP").stack, table.state.compass) == (0, full("BP"))
    assert table.accounted() == 96
    table.rest()
    table.next()
    table.do(Recount(balls={full("RP"): 3}, out=()))
    assert (table.seat("RP").out, table.seat("RP").balls) == (None, 3)
    assert table.seat("RP").stack == table.seat("BP").stack
    assert full("RP") in table.state.now.missing
    assert table.accounted() == 96


def test_a_recount_says_who_has_the_compass():
    table = played(1)
    table.do(Recount(compass=full("RS")))
    assert table.state.compass == full("RS")
    table.rest()
    assert table.state.compass == full("RP")


def test_a_recount_of_the_stacks_changes_the_number_of_rounds():
    table = played(1)
    table.do(Recount(stacks=dict.fromkeys(table.state.setup.seats, 5)))
    assert (table.state.round, table.state.of) == (2, 6)
    for _ in range(5):
        table.rest()
        if not table.state.over:
            table.next()
    assert table.state.over
    assert table.state.round == 6


def test_stacks_are_counted_as_they_lie_without_the_cards_in_the_middle():
    table = played(0, "RP", "BP", "YS")
    table.place("RP", "none", "none", "none")
    assert table.seat("BP").stack == 31
    table.do(Recount(stacks={full(seat): 31 for seat in ("RP", "BP", "YS")}))
    assert (table.state.of, table.seat("BP").stack) == (32, 31)
    table.do(Recount(stacks={full(seat): 3 for seat in ("RP", "BP", "YS")}))
    assert table.state.of == 4
    table.rest()
    assert table.seat("BP").stack == 3
    assert table.accounted() == 96


def test_a_recount_can_end_the_game_and_be_taken_back():
    table = played(1, "RP", "BP", "YS")
    numbers = table.do(Recount(balls={full("BP"): 9, full("YS"): 9}))
    assert (table.state.over, table.state.winners) == (True, (full("RP"),))
    table.undo(*numbers)
    assert not table.state.over


def test_a_recount_can_reopen_a_game():
    table = HookTable("RP", "BP", "YS")
    table.balls(BP=8, YS=8)
    table.place("RP", "BP", "YS", "none")
    table.rest()
    assert table.state.over
    table.do(Recount(balls={full("BP"): 7, full("YS"): 8}))
    assert not table.state.over
    assert table.state.phase == "resolved"
    table.next()
    table.rest()
    assert table.counts("RP", "BP", "YS") == [0, 7, 8]
    assert table.accounted() == 96


@pytest.mark.parametrize(
    ("recount", "says"),
    [
        (Recount(), "Nothing"),
        (Recount(balls={"blue-sailor": 2}), "does not play"),
        (Recount(balls={"red-pirate": 10}), "9 spaces"),
        (Recount(won={"red-pirate": -1}), "below 0"),
        (Recount(won={"red-pirate": 90}), "96"),
        (Recount(balls={"red-pirate": 9}, out=()), "is out"),
        (Recount(out=("red-pirate",), compass="red-pirate"), "cannot have the Compass"),
        (Recount(round=7, balls={"red-pirate": 1}), "no such round"),
    ],
)
def test_recounts_that_cannot_be(recount, says):
    with pytest.raises(RuleBroken, match=says):
        played(1).do(recount)


def test_a_recount_that_a_correction_made_impossible_is_a_conflict():
    table = played(0, "RP", "BP", "YS")
    table.rest()
    number = table.tell(Recounted(round=1, won={full("RP"): 90}))
    assert table.conflicts() == [number]
    assert table.accounted() == 96


# Replacing


@pytest.mark.parametrize(
    "changes",
    [{"round": 2}, {"seat": "blue-sailor"}, {"symbols": ("octopus",)}, {"parrots": -1}, {"card": "ace-of-spades"}],
)
def test_corrections_that_make_no_sense_are_refused(changes):
    table = HookTable("RP", "BP", "YS", parrots={f"target-{n:03}": 1 for n in range(1, 97)})
    shot = table.place("RP", "none", "none", "none")
    with pytest.raises(RuleBroken):
        table.correct(shot, **changes)


def test_another_kind_of_fact_is_no_correction():
    table = played(0)
    old = TilePlaced(round=1, seat=full("RP"), tile="t")
    with pytest.raises(RuleBroken, match="same thing"):
        RULES.replace(table.state, old, RoundStarted(round=1))
