"""Cases in which cards once went to the wrong place: fines just before a win, ghosts of flips, counts in between."""

import pytest
from hooked_table import MS, HookedTable

from companion.games.hooked.facts import Recount, RuleFlip, RulePress


def test_a_false_start_is_paid_before_the_next_card_lands():
    """Seat 3 pays its last two cards; so it was seat 1 that flipped #2, whoever was seen to do it."""
    table = HookedTable(3, stacks=(20, 20, 2), false_start="wrong")
    table.flip(8)
    table.flip(8)
    table.press(3, 10)
    table.flip(2, seat_sure=False)
    table.press(1, 10)
    assert (table.slap().why, table.slap().winner) == ("twins", "seat-1")
    assert table.slap().moved == (("seat-1", 5), ("seat-3", -2))
    assert (table.stacks(), table.state.lake_size) == ((23, 19, 0), 0)
    assert table.state.turn == "seat-2"


@pytest.mark.parametrize(("one", "three"), [(20, 20.5), (20.5, 20)])
def test_nearest_the_flipper_wins_the_whole_lake_whichever_of_the_two_was_a_touch_earlier(one, three):
    """Both slapped the twins just after #2 had landed."""
    table = HookedTable(3, dead_heat="nearest")
    for card in (8, 8, 2):
        table.flip(card)
    table.press(1, one)
    table.press(3, three)
    assert (table.slap().winner, set(table.slap().dead_heat)) == ("seat-3", {"seat-1", "seat-3"})
    assert (table.stacks(), table.state.lake_size) == ((20, 20, 22), 0)


def across(**options):
    """Two #8; seats 1 and 3 slap them within a millisecond, and #2 may have landed between."""
    table = HookedTable(3, **options)
    for card in (8, 8, 2):
        table.flip(card)
    table.press(1, -66.2)
    table.press(3, -65.8)
    return table


@pytest.mark.parametrize("false_start", ["ignored", "wrong"])
def test_a_dead_heat_at_the_moment_when_the_next_card_lands(false_start):
    """What lay there when the first of them slapped is won."""
    table = across(dead_heat="share", false_start=false_start)
    assert table.slap().dead_heat == ("seat-1", "seat-3")
    assert (table.stacks(), table.state.lake_size) == ((21, 20, 20), 1)
    table = across(dead_heat="nearest", false_start=false_start)
    assert (table.slap().winner, table.slap().dead_heat) == ("seat-3", ("seat-1", "seat-3"))
    assert (table.stacks(), table.state.lake_size) == ((20, 20, 21), 1)
    table = across(false_start=false_start)
    assert (table.slap().dead_heat, table.stacks()) == (("seat-1", "seat-3"), (20, 20, 19))
    table.press(3, 300)  # #2 decides
    assert (table.slap().winner, table.stacks()) == ("seat-3", (20, 20, 22))


def counted(table):
    table.now += 2000
    table.seen = table.now
    table.do(Recount(stacks={"seat-1": 9}))


def ghost(table):
    table.do(RuleFlip(flip=table.flip(3), counts=False))


AGAIN = pytest.mark.parametrize("something", [counted, ghost])
"""Something that is no flip: what lies on top is still the same card."""


@AGAIN
def test_an_empty_hook_is_still_one_after_something_that_is_no_flip(something):
    table = HookedTable(3, stacks=(10, 0, 10))
    table.flip("empty-hook")
    something(table)
    table.press(2, 1000)
    table.press(3, 1000)
    assert (table.state.out, table.stacks()) == ((), (9, 0, 10))
    assert table.locks() == {"seat-1": 3, "seat-2": 3, "seat-3": 3}


@AGAIN
def test_after_a_dead_heat_a_late_press_is_free_whatever_came_between(something):
    table = HookedTable(3, stacks=(10, 10, 10))
    table.flip(8)
    table.flip(8)
    table.press(1, 300)
    table.press(2, 300.5)
    something(table)
    table.press(3, 1000)
    assert (table.stacks(), table.state.lake_size) == ((9, 9, 10), 2)
    assert table.state.slaps[-1].dead_heat == ("seat-1", "seat-2")
    table.flip(12)
    table.press(2, 300)
    assert (table.slap().winner, table.slap().why, table.stacks()) == ("seat-2", "twins", (9, 12, 9))


def test_a_slap_at_the_moment_of_a_flip_that_was_none_is_for_the_card_on_top():
    """A slapping hand was taken for a flip."""
    table = HookedTable(3)
    table.flip(8)
    table.flip(8)
    none = table.flip(3, after=250)
    table.press(3, -10)
    table.do(RuleFlip(flip=none, counts=False))
    assert (table.slap().winner, table.slap().why, table.stacks()) == ("seat-3", "twins", (20, 20, 22))


@pytest.mark.parametrize("ms", [-10, 20, 80])
def test_a_wrong_slap_at_the_moment_of_a_flip_that_was_none_costs_what_it_costs_otherwise(ms):
    table = HookedTable(3)
    table.flip(3)
    none = table.flip(9, after=2000)
    table.press(2, ms)
    table.do(RuleFlip(flip=none, counts=False))
    assert (table.stacks(), table.state.under, table.kinds()) == ((20, 19, 20), 2, [])
    assert (table.slap().id, table.meant()) == (2, {"seat-2": "wrong"})


def test_an_empty_hook_is_slapped_at_the_moment_of_a_flip_that_was_none():
    table = HookedTable(3)
    table.flip("empty-hook")
    none = table.flip(9, after=2000)
    table.press(2, -10)
    table.do(RuleFlip(flip=none, counts=False))
    assert (table.stacks(), table.locks()) == ((20, 21, 20), {"seat-1": 3, "seat-2": 3})


def test_who_was_tied_for_the_card_before_made_no_false_start():
    table = HookedTable(3, false_start="wrong")
    for card in (8, 8, 2):
        table.flip(card)
    table.press(1, 20)
    table.press(3, 20.5)
    (tied,) = table.state.slaps
    assert (tied.why, tied.dead_heat) == ("twins", ("seat-1", "seat-3"))
    assert (table.stacks(), table.state.lake_size) == ((20, 20, 19), 3)
    table.press(3, 300)  # #2 decides
    assert (table.slap().winner, table.stacks()) == ("seat-3", (20, 20, 22))


def test_a_current_shift_that_was_slapped_after_a_count_turns_the_direction():
    table = HookedTable(4)
    table.flip(3)
    table.flip("current-shift")
    table.do(Recount(stacks={"seat-1": 15}, turn="seat-3"))
    table.press(4, 1000)
    assert (table.slap().winner, table.state.direction) == ("seat-4", -1)
    assert table.state.turn == "seat-1"  # the other neighbour of seat 2, which flipped


def test_a_press_that_is_said_to_be_for_a_much_later_card_does_not_count_twice():
    table = HookedTable(3)
    table.flip(3)
    table.press(2, 300)
    pressed = (table.seen + 300) * MS
    for card in (5, 7, 10, 10):
        twins = table.flip(card)
    assert table.stacks() == (19, 17, 19)
    table.do(RulePress(flip=twins, seat="seat-2", press_ns=pressed, meant="slap"))
    assert [(slap.id, slap.winner) for slap in table.state.slaps] == [(twins, "seat-2")]
    assert table.stacks() == (19, 24, 19)


def test_who_slaps_when_the_table_has_said_that_nobody_did_wins_nothing():
    table = HookedTable(2, stacks=(2, 5))
    for card in (8, 3, 4):
        table.flip(card)
    assert (table.stacks(), table.kinds()) == ((0, 4), ["unslapped"])
    table.now += 4000
    table.answer("nobody")
    assert (table.state.over, table.state.winner) == (True, "seat-2")
    table.press(1, 9000)
    assert (table.state.over, table.state.winner, table.stacks()) == (True, "seat-2", (0, 4))
    assert table.meant() == {"seat-1": "late"}
    table.press(1, 3500)  # told late: it was in time
    assert (table.state.over, table.slap().winner, table.stacks()) == (False, "seat-1", (3, 4))


def test_a_late_slap_costs_nothing_when_the_next_card_has_landed_meanwhile():
    table = HookedTable(3, false_start="wrong")
    for card in (8, 8, 2):
        table.flip(card)
    table.press(2, -71)  # #2 was not there yet
    table.press(3, -50)
    assert (table.state.slaps[0].winner, table.stacks()) == ("seat-2", (20, 22, 19))
    table.press(2, 45)  # who has won has no late slap
    assert table.stacks() == (20, 20, 19)
