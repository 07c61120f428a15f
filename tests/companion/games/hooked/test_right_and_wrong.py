"""Cases in which cards once went to the wrong place: fines just before a win, ghosts of flips, counts in between."""

from hooked_table import HookedTable


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
