"""What the camera or the table says that cannot be, or is not known: asked, refused, or kept as a conflict."""

import pytest
from hooked_table import MS, HookedTable

from companion.core.facts import Overtaken, RuleBroken
from companion.games.hooked.facts import Flip, PassCard, Recount, RuleFlip, TellSlap
from companion.games.hooked.rules import RULES


def sentences(table):
    return [str(question.sentence) for question in RULES.questions(table.state)]


# Who flipped it


def test_a_flip_by_the_wrong_seat_counts_and_is_asked():
    table = HookedTable(3)
    table.flip(8)
    table.flip(12, 3)
    assert table.stacks() == (20, 21, 19)
    assert sentences(table) == ["It was Seat 2 (Bo)'s turn, but Seat 3 (Cy) flipped Fish 12. Who flipped it?"]
    assert table.state.turn == "seat-1"
    table.answer("seat-2")
    assert (table.stacks(), table.state.turn, table.kinds()) == ((20, 20, 20), "seat-3", [])


def test_a_flip_out_of_turn_counts_or_is_taken_back():
    table = HookedTable(3)
    table.flip(8)
    table.flip(8, 3)
    table.answer("seat-3")
    assert (table.stacks(), table.kinds()) == ((20, 21, 19), [])
    table = HookedTable(3)
    table.flip(8)
    table.flip(8, 3)
    table.answer("back")
    assert (table.stacks(), table.kinds(), table.state.lake_size) == ((20, 21, 20), [], 1)
    table.press(2, 300)
    assert table.stacks() == (20, 19, 20)


def test_who_has_no_cards_did_not_flip():
    table = HookedTable(3, stacks=(10, 0, 10))
    table.flip(8)
    table.flip(9, 2)
    assert table.kinds() == ["flipper"]
    assert table.stacks() == (9, 0, 9)
    table.answer("seat-1")
    assert table.stacks() == (8, 0, 10)


def swept(seat):
    """Two #8, then ``seat`` flips #2, and seat 3 slaps the twins as #2 lands: all three are won."""
    table = HookedTable(3, stacks=(10, 10, 0))
    for card in (8, 8):
        table.flip(card)
    table.flip(2, seat)
    table.press(3, 20)
    assert (table.slap().winner, table.state.lake_size) == ("seat-3", 0)
    return table


@pytest.mark.parametrize(("seat", "kind"), [(2, "turn"), (3, "flipper")])
def test_who_flipped_a_card_is_asked_also_when_it_was_won_with_the_card_before(seat, kind):
    table = swept(seat)
    assert table.kinds() == [kind]
    for who, stacks, turn in ((1, (8, 9, 3), "seat-2"), (2, (9, 8, 3), "seat-3")):
        table.do(RuleFlip(flip=4, seat=f"seat-{who}"))
        assert (table.stacks(), table.state.turn, table.kinds()) == (stacks, turn, [])
    table = swept(seat)
    table.answer("back")
    assert (table.slap().id, table.slap().right, table.kinds()) == (3, True, [])
    table = swept(seat)
    table.flip(12)
    assert table.kinds() == [kind]
    table.do(Recount(stacks={"seat-1": 7}))
    assert table.kinds() == []


def test_who_was_not_seen_is_whose_turn_it_is_also_after_a_correction():
    table = HookedTable(3)
    first = table.flip("current-shift")
    table.press(3, 300)
    for card in (5, 7):
        table.flip(card, seat_sure=False)
    assert [card.seat for card in table.state.lake] == ["seat-3", "seat-2"]
    table.correct(first, card="fish-1")
    assert [card.seat for card in table.state.lake] == ["seat-1", "seat-2", "seat-3"]
    assert table.kinds() == []


# Which card it is


def test_a_card_that_was_not_read_is_asked_while_something_depends_on_it():
    table = HookedTable(3)
    table.flip(8, card_sure=False, cards=(("fish-8", 0.5), ("fish-3", 0.4)))
    assert sentences(table) == ["Which card was flipped?"]
    (question,) = RULES.questions(table.state)
    assert [choice.value for choice in question.choices][:3] == ["fish-8", "fish-3", "fish-1"]
    for card in (11, 13, 15):
        table.flip(card)
    assert table.kinds() == []


def test_slaps_wait_for_the_card():
    table = HookedTable(3)
    table.flip(8)
    table.flip(8, card_sure=False, cards=(("fish-8", 0.5), ("fish-3", 0.4)))
    table.press(2, 300)
    assert table.meant() == {"seat-2": "unsure"}
    assert (table.stacks(), table.state.lake_size) == ((20, 20, 20), 2)
    for card in (11, 13, 15):
        table.flip(card)
    assert table.kinds() == ["card"]
    table.answer("fish-3")
    assert table.state.slaps[0].presses[0].verdict == "wrong"
    assert table.state.under == 2
    assert table.kinds() == []


def test_slaps_do_not_wait_where_every_candidate_says_the_same():
    table = HookedTable(3)
    table.flip(8, card_sure=False, cards=(("fish-8", 0.5), ("fish-3", 0.4)))
    table.flip(12)
    table.press(2, 300)
    assert table.meant() == {"seat-2": "wrong"}
    table.flip("net-cast")
    table.press(2, 300)
    assert table.slap().winner == "seat-2"


def test_an_unknown_card():
    table = HookedTable(3)
    table.flip("pike")
    assert table.state.lake[0].card == "unknown"
    assert table.kinds() == ["card"]
    table.answer("fish-4")
    assert table.state.lake[0].card == "fish-4"


def test_more_copies_than_there_are():
    table = HookedTable(3)
    for card in (8, 12, 8, 14, 8, 16):
        table.flip(card)
    fourth = table.flip(8)
    assert sentences(table) == ["All cards of this kind lie in the Lake already: Fish 8. Which card is it?"]
    table.press(2, 300)
    assert table.meant() == {"seat-2": "unsure"}
    table.answer("fish-3")
    assert table.meant() == {"seat-2": "wrong"}
    table.do(RuleFlip(flip=fourth, card="fish-8"))  # an earlier one was misread
    assert (table.slap().why, table.slap().winner) == ("sandwich", "seat-2")


def test_a_tap_of_a_copy_too_many_is_refused():
    table = HookedTable(3)
    for card in (8, 12, 8, 14, 8):
        table.flip(card)
    with pytest.raises(RuleBroken, match="lie in the Lake already"):
        table.tap(8)


def test_a_card_that_is_only_a_guess_is_no_copy_that_lies_there():
    table = HookedTable(3)
    for card in (8, 12, 8, 14):
        table.flip(card)
    table.flip(8, card_sure=False, cards=(("fish-8", 0.5), ("fish-3", 0.4)))
    table.flip(16)
    table.flip(8)
    assert (table.state.lake[-1].card, table.kinds()) == ("fish-8", ["card"])
    table.answer("fish-8")  # so all three lay there: one of the four is something else
    assert (table.state.lake[-1].card, table.kinds()) == ("unknown", ["copies"])
    table = HookedTable(3)
    for card in (8, 12, 8, 14):
        table.flip(card)
    table.flip(8, card_sure=False, cards=(("fish-8", 0.5), ("fish-3", 0.4)))
    table.tap(8)
    with pytest.raises(RuleBroken, match="lie in the Lake already"):
        table.tap(8)


# Corrections and undo


def test_a_corrected_flip_judges_its_slaps_anew():
    table = HookedTable(3)
    table.flip(8)
    second = table.flip(8)
    table.press(2, 300)
    table.press(3, 320)
    assert table.stacks() == (20, 22, 20)
    table.correct(second, card="fish-3")
    assert table.meant() == {"seat-2": "wrong", "seat-3": "wrong"}
    assert (table.stacks(), table.state.lake_size) == ((20, 18, 18), 6)
    table.correct(second, card="fish-9")
    assert (table.slap().why, table.stacks()) == ("streak", (20, 22, 20))
    table.undo(second)
    assert table.meant() == {"seat-2": "wrong", "seat-3": "wrong"}  # of the first card
    table.redo(second)
    assert table.stacks() == (20, 22, 20)


def test_a_forgotten_flip_is_told_later():
    table = HookedTable(3)
    table.flip(8)
    table.flip(12)
    at = (table.now - 1500) * MS
    table.do(Flip(card="fish-8", seat="seat-2", seen_ns=at, before_ns=at - 66 * MS, seat_sure=False))
    assert [card.card for card in table.state.lake] == ["fish-8", "fish-8", "fish-12"]
    assert (table.stacks(), table.kinds()) == ((20, 19, 20), ["turn"])  # so seat 2 can hardly have flipped #12
    table.answer("seat-3")
    assert (table.stacks(), table.kinds()) == ((20, 20, 19), [])


def test_flips_after_the_end_are_refused_or_kept_as_conflicts():
    table = HookedTable(2, stacks=(61, 1))
    table.flip(8)
    last = table.flip(9)
    table.answer("nobody")
    with pytest.raises(RuleBroken, match="The game was over"):
        table.flip(3, 1)
    with pytest.raises(RuleBroken, match="The game was over"):
        table.tap(3)
    table = HookedTable(2, stacks=(61, 1))
    table.flip(8)
    last = table.flip(9)
    table.press(2, 300)
    assert table.stacks() == (60, 2)
    after = table.flip(3)
    table.correct(last, card="fish-12")
    assert (table.state.over, table.state.winner) == (True, "seat-1")
    (conflict,) = RULES.conflicts(table.state)
    assert conflict.fact == after
    assert str(conflict.why) == "The game was over before this card was flipped."


def test_what_was_said_of_a_flip_that_was_taken_back_is_kept():
    table = HookedTable(3)
    flip = table.flip(8)
    (said,) = table.do(TellSlap(seat="seat-2"))
    table.undo(flip)
    assert [(c.fact, str(c.why)) for c in RULES.conflicts(table.state)] == [
        (said, "The card that this is about does not count.")
    ]


def test_a_slap_is_told_of_the_card_that_was_won_not_of_one_that_does_not_count():
    table = HookedTable(3)
    table.flip(8)
    table.flip(8)
    table.press(1, 300)
    back = table.flip(3)
    table.do(RuleFlip(flip=back, counts=False))
    table.do(TellSlap(seat="seat-2"))
    assert (table.slap().winner, table.stacks()) == ("seat-2", (20, 22, 20))
    for command in (TellSlap(seat="seat-2", flip=back), PassCard(flip=back)):
        with pytest.raises(RuleBroken, match=r"The card that this is about does not count\."):
            table.do(command)
    table.do(RuleFlip(flip=back, counts=True))
    assert [card.card for card in table.state.lake] == ["fish-3"]


def test_a_slap_is_told_of_the_card_that_was_won_not_of_the_one_won_with_it():
    table = HookedTable(3)
    table.flip(8)
    table.flip(8)
    third = table.flip(2)
    table.press(3, 20)
    with pytest.raises(RuleBroken, match="was won with the one before it"):
        table.do(TellSlap(seat="seat-1", flip=third))
    table.do(TellSlap(seat="seat-1"))
    assert (table.state.slaps[0].winner, table.stacks()) == ("seat-1", (22, 20, 19))
    assert [card.card for card in table.state.lake] == ["fish-2"]


def test_what_was_said_of_a_card_that_nobody_can_have_slapped_is_kept():
    table = HookedTable(3)
    flip = table.flip(8)
    (said,) = table.do(TellSlap(seat="seat-2"))
    (ruled,) = table.do(RuleFlip(flip=flip, counts=False))
    assert [(c.fact, str(c.why)) for c in RULES.conflicts(table.state)] == [
        (said, "The card that this is about does not count.")
    ]
    table.undo(ruled)
    assert RULES.conflicts(table.state) == ()
    table = HookedTable(3)
    table.flip(8)
    table.flip(8)
    table.flip(2)
    (said,) = table.do(TellSlap(seat="seat-2"))
    table.press(3, 20)
    assert [(c.fact, str(c.why)) for c in RULES.conflicts(table.state)] == [
        (said, "The card that this is about was won with the one before it.")
    ]


def test_who_says_which_card_it_was_says_that_there_was_one():
    table = HookedTable(3)
    flip = table.flip(8)
    for says in ({"card": "fish-9"}, {"seat": "seat-2"}):
        table.do(RuleFlip(flip=flip, counts=False))
        assert table.state.lake == ()
        table.do(RuleFlip(flip=flip, **says))
    assert [(card.card, card.seat) for card in table.state.lake] == [("fish-9", "seat-2")]


def test_a_flip_tapped_by_two_people_is_one():
    table = HookedTable(3)
    known = table.tap(3)
    tap = Flip(card="fish-8", source="tap", after=known, t_ns=(table.now + 1000) * MS)
    table.do(tap)
    with pytest.raises(Overtaken, match="The Lake has changed"):
        table.do(tap)
    assert [card.card for card in table.state.lake] == ["fish-3", "fish-8"]


def test_the_same_flip_seen_twice_is_one():
    table = HookedTable(3)
    table.flip(8)
    fact = table.facts[2]
    again = Flip(card="fish-8", seat="seat-2", seen_ns=fact.seen_ns, before_ns=fact.before_ns)
    assert RULES.decide(table.state, again) == ()


def test_a_recount_settles_what_was_open_before_it():
    table = HookedTable(3)
    table.flip(8)
    table.flip(12, 3)
    assert table.kinds() == ["turn"]
    table.do(Recount(stacks={"seat-1": 20, "seat-2": 20, "seat-3": 20}))
    assert table.kinds() == []


def test_a_card_that_won_nothing_can_be_passed():
    table = HookedTable(2, stacks=(61, 1))
    table.flip(8)
    table.flip(9)
    table.do(PassCard())
    assert table.state.over
    table.do(TellSlap(seat="seat-2"))
    assert (table.state.over, table.stacks()) == (False, (60, 2))
