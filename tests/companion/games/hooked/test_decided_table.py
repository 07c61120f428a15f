"""The table of decided cases, row by row, with its numbers."""

from hooked_table import HookedTable

from companion.games.hooked.facts import Recount
from companion.games.hooked.rules import RULES
from companion.games.hooked.sentences import tell_slap


def test_a_sandwich_around_a_net_cast_nobody_slapped():
    table = HookedTable(3)
    assert table.stacks() == (21, 21, 20)
    table.flip(5)
    table.flip("net-cast")
    table.flip(5)
    table.press(2, 310)
    table.press(3, 325)
    assert table.slap().why == "sandwich"
    assert table.slap().winner == "seat-2"
    assert table.meant() == {"seat-2": "won", "seat-3": "late"}
    assert table.stacks() == (20, 23, 19)
    assert table.state.turn == "seat-1"
    assert table.state.lake_size == 0
    assert table.state.fastest == ("seat-2", 310_000_000)
    assert table.kinds() == []


def test_an_empty_hook_locks_who_flipped_and_who_slapped_it():
    table = HookedTable(3)
    table.flip("empty-hook")
    table.press(2, 300)
    assert table.stacks() == (20, 21, 20)
    assert table.locks() == {"seat-1": 3, "seat-2": 3}
    table.flip(7)
    table.flip(7)
    for seat, ms in ((1, 250), (2, 260), (3, 400)):
        table.press(seat, ms)
    assert table.slap().why == "twins"
    assert table.slap().winner == "seat-3"
    assert table.meant() == {"seat-1": "locked", "seat-2": "locked", "seat-3": "won"}
    assert table.stacks() == (20, 20, 22)
    assert table.locks() == {"seat-1": 1, "seat-2": 1}
    table.flip(1)
    assert table.locks() == {}


def test_without_cards_one_wrong_slap_is_the_last():
    table = HookedTable(3, stacks=(2, 30, 30))
    table.flip(4)
    assert (table.stacks(), table.state.lake_size) == ((1, 30, 30), 1)
    table.press(1, 300)
    assert (table.stacks(), table.state.lake_size) == ((0, 30, 30), 2)
    assert table.state.out == ()
    table.flip(9)
    assert table.state.lake[-1].seat == "seat-2"
    table.press(1, 300)
    assert table.state.out == ("seat-1",)
    assert (table.stacks(), table.state.lake_size) == ((0, 29, 30), 3)
    assert table.meant() == {"seat-1": "wrong"}


def lake_of_20(table):
    table.do(Recount(stacks={"seat-1": 41, "seat-2": 1}, turn="seat-1"))
    assert table.state.lake_size == 20


def test_catch_and_release_takes_the_last_card():
    table = HookedTable(2)
    lake_of_20(table)
    table.flip("catch-and-release")
    table.press(1, 280)
    table.press(2, 330)
    assert (table.stacks(), table.state.lake_size) == ((61, 0), 1)
    assert (table.state.over, table.state.winner) == (True, "seat-1")
    assert table.state.turn is None


def test_catch_and_release_won_by_who_had_one_card():
    table = HookedTable(2)
    lake_of_20(table)
    table.flip("catch-and-release")
    table.press(2, 280)
    table.press(1, 330)
    assert (table.stacks(), table.state.lake_size) == ((39, 22), 1)
    assert not table.state.over
    assert table.state.turn == "seat-2"


def one_card_left():
    table = HookedTable(2)
    table.flip(8)
    table.do(Recount(stacks={"seat-1": 1, "seat-2": 50}, turn="seat-1"))
    assert (table.state.lake_size, table.state.lake[-1].card) == (11, "fish-8")
    table.flip(9)
    return table


def test_the_last_card_may_still_win_the_lake():
    table = one_card_left()
    assert not table.state.over
    table.press(1, 300)
    assert table.slap().why == "streak"
    assert table.stacks() == (12, 50)
    assert not table.state.over


def test_nobody_slaps_the_last_card():
    table = one_card_left()
    assert not table.state.over
    assert table.kinds() == ["unslapped"]
    table.answer("nobody")
    assert (table.state.over, table.state.winner) == (True, "seat-2")
    assert table.stacks() == (0, 50)


def test_flipping_on_says_that_nobody_slaps_the_last_card():
    table = one_card_left()
    table.flip(12)
    assert (table.state.over, table.state.winner) == (True, "seat-2")
    assert (table.stacks(), table.state.lake_size, table.kinds()) == ((0, 50), 12, [])


def test_the_last_card_is_slapped_just_as_the_next_one_is_flipped():
    table = one_card_left()
    table.flip(12)
    table.press(1, 20)
    assert (table.slap().winner, table.stacks()) == ("seat-1", (13, 49))
    assert (table.state.over, RULES.conflicts(table.state)) == (False, ())


def test_what_may_have_been_no_card_does_not_end_the_game_unasked():
    table = one_card_left()
    table.flip(12, card_sure=False, cards=(("fish-12", 0.5), ("fish-3", 0.4)))
    assert table.kinds() == ["card"]
    table.answer("back")
    assert (table.state.over, table.kinds()) == (False, ["unslapped"])
    table.flip(12)
    assert (table.state.over, table.state.winner, table.kinds()) == (True, "seat-2", [])
    table = one_card_left()
    table.flip(12, card_sure=False, cards=(("fish-12", 0.5), ("fish-3", 0.4)))
    table.answer("fish-12")
    assert (table.state.over, table.state.winner, table.kinds()) == (True, "seat-2", [])


def test_two_cards_that_may_still_be_slapped_before_the_game_is_over():
    table = one_card_left()
    table.flip(10, card_sure=False, cards=(("fish-10", 0.5), ("fish-3", 0.4)))
    assert (table.state.over, table.kinds()) == (False, ["unslapped", "card", "unslapped"])
    table.flip(3)
    assert (table.state.over, table.state.winner) == (True, "seat-2")
    assert "unslapped" not in table.kinds()


def test_somebody_slapped_the_last_card_without_a_button():
    table = one_card_left()
    table.answer("seat-1")
    assert table.stacks() == (12, 50)
    assert table.slap().told


def test_what_is_told_of_it():
    table = HookedTable(3)
    table.flip(5)
    table.flip(5)
    table.press(2, 310)
    (told,) = tell_slap(table.state.setup, table.slap())
    assert str(told.text) == "Seat 2 (Bo) slapped first: twins, Fish 5 on Fish 5. 2 cards won."
