"""Cases in which cards once went to the wrong place: fines just before a win, ghosts of flips, counts in between."""

import pytest
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
