"""A card that may be an Empty Hook: nobody is locked, nobody is free and no dead heat goes on by a guess."""

import pytest
from hooked_table import HookedTable

from companion.games.hooked.facts import RuleFlip, TellSlap

GUESSES = pytest.mark.parametrize("likely", ["empty-hook", "fish-3"])
"""Whichever of its two cards it looks more like."""


def unsure(table, likely="empty-hook"):
    other = {"empty-hook": "fish-3", "fish-3": "empty-hook"}[likely]
    return table.flip(likely, card_sure=False, cards=((likely, 0.5), (other, 0.45)))


def twins(likely="empty-hook", **options):
    """Seat 1 flips what may be an Empty Hook; then come two #7."""
    table = HookedTable(3, **options)
    unsure(table, likely)
    table.flip(7)
    table.flip(7)
    return table


@GUESSES
def test_who_may_be_locked_holds_the_slap_until_the_card_is_known(likely):
    table = twins(likely)
    assert table.locks() == {}
    table.press(1, 250)
    table.press(2, 260)
    assert table.meant() == {"seat-1": "unsure", "seat-2": "unsure"}
    assert (table.slap().final_ns, table.stacks(), table.state.certain) == (None, (20, 20, 19), False)
    for card in (12, 15, 10, 1):
        table.flip(card)
    assert table.kinds() == ["card"]


@pytest.mark.parametrize(
    ("card", "winner", "meant", "stacks"),
    [("empty-hook", "seat-2", "locked", (20, 23, 19)), ("fish-3", "seat-1", "won", (23, 20, 19))],
)
@GUESSES
def test_the_answer_says_who_has_won(likely, card, winner, meant, stacks):
    table = twins(likely)
    table.press(1, 250)
    table.press(2, 260)
    table.answer(card)
    assert (table.slap().winner, table.meant()["seat-1"]) == (winner, meant)
    assert (table.stacks(), table.kinds()) == (stacks, [])


@GUESSES
def test_it_is_not_waited_for_where_it_decides_nothing(likely):
    table = twins(likely)
    table.press(2, 250)
    table.press(1, 260)  # late, or locked
    assert (table.slap().winner, table.stacks()) == ("seat-2", (20, 23, 19))


@GUESSES
def test_within_the_tie_window_it_decides(likely):
    table = twins(likely)
    table.press(2, 250)
    table.press(1, 250.5)
    assert table.meant() == {"seat-1": "unsure", "seat-2": "unsure"}
    table.answer("fish-3")
    assert table.slap().dead_heat == ("seat-2", "seat-1")


@GUESSES
def test_a_wrong_slap_under_a_lock_that_may_be_none(likely):
    table = HookedTable(3)
    first = unsure(table, likely)
    table.flip(9)
    table.press(1, 300)
    assert (table.meant(), table.stacks()) == ({"seat-1": "unsure"}, (20, 20, 20))
    for card in (1, 5, 12):
        table.flip(card)
    assert table.kinds() == ["card"]
    table.answer("fish-3")
    assert (table.state.slaps[0].presses[0].verdict, table.state.under) == ("wrong", 2)
    table.do(RuleFlip(flip=first, card="empty-hook"))
    assert (table.state.slaps[0].presses[0].verdict, table.state.under) == ("locked", 0)


@GUESSES
def test_a_lock_that_may_be_none_lasts_as_long_as_one(likely):
    table = twins(likely)
    table.flip(7)
    table.press(1, 250)
    assert (table.slap().winner, table.kinds()) == ("seat-1", [])


@GUESSES
def test_it_is_asked_for_while_somebody_may_be_locked_also_when_the_card_was_won(likely):
    table = HookedTable(3)
    table.flip("net-cast")
    unsure(table, likely)
    table.press(1, 20)  # a slap of the Net Cast, which wins the card that landed meanwhile too
    assert (table.slap().winner, table.state.lake_size) == ("seat-1", 0)
    table.flip(7)
    assert table.kinds() == ["card"]
    table.press(2, 300)
    assert table.meant() == {"seat-2": "unsure"}
    table.answer("empty-hook")
    assert table.meant() == {"seat-2": "locked"}


@GUESSES
def test_who_slaps_it_may_be_locked_too(likely):
    table = HookedTable(3)
    unsure(table, likely)
    table.press(2, 300)
    table.flip(7)
    table.flip(7)
    table.press(2, 250)
    table.press(3, 260)
    assert table.meant() == {"seat-2": "unsure", "seat-3": "unsure"}
    table.answer("empty-hook")
    assert table.meant() == {"seat-2": "locked", "seat-3": "won"}


@GUESSES
def test_who_is_surely_locked_is_not_asked_about(likely):
    table = HookedTable(3)
    table.flip("empty-hook")
    table.flip(12)
    table.flip(15)
    unsure(table, likely)
    table.do(RuleFlip(flip=table.state.lake[-1].fact, card="empty-hook"))
    table.flip(7)
    table.flip(7)
    table.press(1, 250)
    table.press(3, 260)
    assert table.meant() == {"seat-1": "locked", "seat-3": "won"}


@GUESSES
def test_a_told_slap_of_who_may_be_locked_waits_too(likely):
    table = twins(likely)
    table.do(TellSlap(seat="seat-1"))
    assert table.meant() == {"seat-1": "unsure"}
    assert table.kinds() == ["card"]
    table.answer("fish-3")
    assert (table.slap().winner, table.slap().told) == ("seat-1", True)


@GUESSES
@pytest.mark.parametrize(("card", "meant", "stack"), [("empty-hook", "locked", 20), ("fish-3", "early", 18)])
def test_a_false_start_of_who_may_be_locked_costs_cards_only_if_nothing_locked_him(likely, card, meant, stack):
    table = HookedTable(3, false_start="wrong")
    unsure(table, likely)
    table.flip(9)
    table.flip(12)
    table.press(1, 20)
    assert (table.meant(), table.kinds()) == ({"seat-1": "unsure"}, ["card"])
    table.answer(card)
    assert (table.meant(), table.stacks()[0]) == ({"seat-1": meant}, stack)


@GUESSES
@pytest.mark.parametrize("told", [False, True])
@pytest.mark.parametrize(("card", "meant"), [("empty-hook", "locked"), ("fish-3", "wrong")])
def test_who_was_not_tied_and_may_be_locked_pays_in_the_replay_only_if_nothing_locked_him(likely, told, card, meant):
    table = HookedTable(4)
    table.flip(8)
    unsure(table, likely)  # seat 2 flips it
    table.flip(8)
    table.press(1, 300)
    table.press(4, 300.5)
    assert table.slap().dead_heat == ("seat-1", "seat-4")
    table.flip(12)
    table.press(1, 300)
    if told:
        table.do(TellSlap(seat="seat-2"))
    else:
        table.press(2, 290)
    assert (table.meant(), table.kinds()) == ({"seat-1": "unsure", "seat-2": "unsure"}, ["card"])
    table.answer(card)
    assert table.meant() == {"seat-1": "won", "seat-2": meant}
    assert table.state.stack("seat-2") == (15 if meant == "locked" else 13)


@GUESSES
@pytest.mark.parametrize(
    ("card", "out", "locked"), [("empty-hook", (), ("seat-1", "seat-2")), ("fish-3", ("seat-2",), ())]
)
def test_without_cards_a_false_start_at_it_waits(likely, card, out, locked):
    table = HookedTable(3, stacks=(10, 0, 10), false_start="wrong")
    unsure(table, likely)
    table.press(2, 20)
    assert (table.meant(), table.state.out, table.kinds()) == ({"seat-2": "unsure"}, (), ["card"])
    table.answer(card)
    assert (table.state.out, tuple(table.locks())) == (out, locked)


@GUESSES
@pytest.mark.parametrize(("card", "winner"), [("empty-hook", "seat-2"), ("fish-3", None)])
def test_a_dead_heat_goes_on_only_if_the_card_was_an_empty_hook(likely, card, winner):
    table = HookedTable(4)
    table.flip(8)
    table.flip(8)
    table.press(1, 300)
    table.press(2, 300.5)
    unsure(table, likely)
    table.flip(12)
    table.press(2, 300)
    assert table.meant() == {"seat-2": "unsure"}
    for later in (15, 1, 5):
        table.flip(later)
    assert table.kinds() == ["card"]
    table.answer(card)
    slap = table.state.slaps[1]
    assert (slap.winner, slap.presses[0].verdict) == (winner, "won" if winner else "wrong")
