"""The rulebook of game 2, sentence by sentence (those that are no referee's business are named in ``rules``)."""

import pytest
from hooked_table import HookedTable, started

from companion.core.facts import RuleBroken
from companion.games.hooked.facts import PassCard, Recount, TellSlap, Veto
from companion.games.hooked.names import CARDS
from companion.games.hooked.rules import RULES
from companion.games.hooked.setup import setup
from companion.games.hooked.stacks import deal

# The deck: 3 each of 18 species, 2 each of 4 action cards. All cards are dealt.


@pytest.mark.parametrize(
    ("players", "stacks"),
    [
        (2, (31, 31)),
        (3, (21, 21, 20)),
        (4, (16, 16, 15, 15)),
        (5, (13, 13, 12, 12, 12)),
        (6, (11, 11, 10, 10, 10, 10)),
    ],
)
def test_players_take_turns_selecting_cards_until_the_lake_is_empty(players, stacks):
    assert deal(players, CARDS) == HookedTable(players).stacks() == stacks


def test_shorter_games_leave_out_sets():
    cards = {
        "walleye": {"kind": "fish", "number": 8, "name": "Walleye"},
        "coho": {"kind": "fish", "number": 9, "name": "Coho Salmon"},
        "net-cast": {"kind": "action", "number": 0, "name": "Net Cast"},
    }
    assert setup(started(3, cards=cards)).stacks == (3, 3, 2)


def test_turns_go_clockwise():
    table = HookedTable(4)
    turns = []
    for card in (1, 3, 5, 7, 9):
        turns.append(table.state.turn)
        table.flip(card)
    assert turns == ["seat-1", "seat-2", "seat-3", "seat-4", "seat-1"]
    assert [card.seat for card in table.state.lake] == turns
    assert table.stacks() == (14, 15, 14, 14)


# Slaps


def slapped(*cards, seat=3, **options):
    table = HookedTable(3, **options)
    for card in cards:
        table.flip(card)
    table.press(seat, 300)
    return table


@pytest.mark.parametrize(
    ("cards", "why"),
    [
        ((8, 8), "twins"),
        ((8, 12, 8), "sandwich"),
        ((8, 9), "streak"),
        ((9, 8), "streak"),
        ((8, "catch-and-release"), "catch-and-release"),
        (("net-cast",), "net-cast"),
        ((8, "current-shift"), "current-shift"),
        ((8, "net-cast", 8), "sandwich"),
        ((8, "empty-hook", 8), "sandwich"),
        ((9, 8, 9), "sandwich"),  # before streak
        ((8, 8, 8), "twins"),  # before sandwich
        ((1, 2), "streak"),
        ((17, 18), "streak"),
    ],
)
def test_a_right_slap_wins_all_cards_in_the_lake(cards, why):
    table = slapped(*cards)
    assert (table.slap().why, table.slap().right, table.slap().winner) == (why, True, "seat-3")
    assert table.slap().cards == tuple(f"fish-{c}" if isinstance(c, int) else c for c in cards)[-3:]
    assert table.state.lake == ()
    assert table.accounted() == 62


@pytest.mark.parametrize(
    "cards",
    [
        (8,),
        (8, 12),
        (1, 18),
        (18, 1),
        (8, 10),
        (8, 12, 14, 8),  # two cards between
        (8, "net-cast", 9),  # an action card breaks a streak
        (8, "empty-hook", 9),
        ("net-cast", 8),  # an action card counts only while on top
    ],
)
def test_any_other_slap_costs_two_cards(cards):
    table = slapped(*cards)
    assert (table.slap().why, table.slap().right, table.slap().winner) == (None, False, None)
    assert table.meant() == {"seat-3": "wrong"}
    assert table.slap().moved == (("seat-3", -2),)
    assert table.state.under == 2
    assert table.state.lake_size == len(cards) + 2


def test_twins_are_two_fish_not_two_action_cards():
    assert slapped("empty-hook", "empty-hook").slap().winner is None
    table = slapped("net-cast", 3, "net-cast")
    assert table.slap().why == "net-cast"


def test_the_same_species_not_just_the_same_type():
    """Largemouth and Smallmouth Bass are two species: only the id counts."""
    cards = {id: {"kind": "fish", "number": n, "name": id} for id, n in (("bass-a", 3), ("bass-b", 7), ("trout", 5))}
    table = HookedTable(2, cards=cards)
    for card in ("bass-a", "trout", "bass-b"):
        table.flip(card)
    table.press(1, 300)
    assert table.meant() == {"seat-1": "wrong"}


def test_only_cards_of_the_present_lake_count():
    table = HookedTable(3)
    table.flip(8)
    table.flip("net-cast")
    table.press(1, 300)
    table.flip(8)
    table.press(1, 300)
    assert table.meant() == {"seat-1": "wrong"}
    assert table.state.lake_size == 3


def test_the_first_player_to_slap_wins_and_late_presses_are_free():
    table = HookedTable(3)
    table.flip(8)
    table.flip(8)
    table.press(1, 340)
    table.press(2, 300)  # delivered later, but it was earlier
    table.press(3, 900)
    assert table.meant() == {"seat-2": "won", "seat-1": "late", "seat-3": "late"}
    assert [p.gap_ns for p in table.slap().presses] == [0, 40_000_000, 600_000_000]
    assert table.stacks() == (20, 22, 20)
    assert table.slap().final_ns == (table.seen + 340) * 1_000_000
    assert table.slap().moved == (("seat-2", 2),)


def test_several_seats_each_pay_once_for_a_card():
    table = HookedTable(3)
    table.flip(8)
    for ms in (300, 600):
        for seat in (1, 2):
            table.press(seat, ms + seat)
    assert table.stacks() == (18, 19, 20)
    assert table.state.lake_size == 5
    assert [p.seat for p in table.slap().presses] == ["seat-1", "seat-2"]
    table.flip(12)
    table.press(1, 300)  # another card
    assert table.stacks() == (16, 18, 20)


def test_on_an_empty_lake_a_slap_is_ignored():
    table = HookedTable(3)
    table.press(2, -5000)
    table.flip(8)
    table.flip(8)
    table.press(2, 300)
    before = table.stacks()
    table.press(3, 2000)
    assert (table.stacks(), table.state.lake_size) == (before, 0)


def test_one_card_left_is_all_that_is_paid():
    table = HookedTable(3, stacks=(20, 1, 20))
    table.flip(8)
    table.press(2, 300)
    assert table.stacks() == (19, 0, 20)
    assert table.state.under == 1


def test_after_a_win_the_flippers_neighbour_flips():
    table = HookedTable(4)
    for card in (1, 8, 8):
        table.flip(card)
    table.press(1, 300)
    assert table.state.turn == "seat-4"


# Empty Hook


def test_nobody_wins_with_an_empty_hook():
    table = HookedTable(3)
    table.flip(8)
    table.flip("empty-hook")
    for seat in (1, 2, 3):
        table.press(seat, 300 + seat)
    assert table.slap().winner is None
    assert not table.slap().right
    assert table.slap().hooked == ("seat-1", "seat-3")
    assert table.meant() == {"seat-1": "wrong", "seat-2": "locked", "seat-3": "wrong"}
    assert table.stacks() == (20, 20, 20)
    assert table.state.lake_size == 2
    assert table.locks() == {"seat-1": 3, "seat-2": 3, "seat-3": 3}


def test_an_empty_hook_may_cost_cards_as_well():
    table = HookedTable(3, empty_hook="both")
    table.flip("empty-hook")
    table.press(2, 300)
    assert table.locks() == {"seat-1": 3, "seat-2": 3}
    assert table.stacks() == (20, 19, 20)


@pytest.mark.parametrize("rule", ["locks", "both"])
def test_without_cards_an_empty_hook_eliminates_nobody(rule):
    table = HookedTable(3, stacks=(10, 0, 10), empty_hook=rule)
    table.flip("empty-hook")
    table.press(2, 300)
    assert table.state.out == ()
    assert table.locks() == {"seat-1": 3, "seat-2": 3}


def test_a_lock_lasts_two_flips_and_ends_when_the_third_card_lands():
    table = HookedTable(3)
    table.flip("empty-hook")
    counts = []
    for card in (3, 5, 5):
        table.flip(card)
        counts.append(dict(table.state.locks).get("seat-1", 0))
    assert counts == [2, 1, 0]
    table.press(1, 300)
    assert table.slap().winner == "seat-1"


def test_who_is_locked_still_flips_and_presses_for_free():
    table = HookedTable(2)
    table.flip("empty-hook")
    table.flip(3)
    table.press(1, 300)
    assert table.stacks() == (30, 30)
    assert table.meant() == {"seat-1": "locked"}
    assert table.state.turn == "seat-1"


def test_a_new_empty_hook_renews_and_never_adds():
    table = HookedTable(2)
    table.flip("empty-hook")
    table.flip(3)
    table.flip("empty-hook")
    assert table.locks() == {"seat-1": 3}


# The other action cards


def test_catch_and_release_then_everybody_else_puts_one_card_under_the_new_lake():
    table = slapped(8, "catch-and-release")
    assert table.stacks() == (19, 19, 22)
    assert (table.state.lake_size, table.state.under, table.state.lake) == (2, 2, ())
    assert table.slap().moved == (("seat-1", -1), ("seat-2", -1), ("seat-3", 2))
    assert table.state.turn == "seat-3"


def test_net_cast_wins_a_card_of_everybody_else():
    table = slapped(8, "net-cast")
    assert table.stacks() == (19, 19, 24)
    assert table.state.lake_size == 0


@pytest.mark.parametrize("card", ["catch-and-release", "net-cast"])
def test_who_has_no_cards_gives_none(card):
    table = HookedTable(3, stacks=(10, 0, 10))
    table.flip(card)
    table.press(3, 300)
    assert table.stacks() == ((8, 0, 11) if card == "catch-and-release" else (8, 0, 12))


def test_current_shift_turns_the_direction_when_it_was_slapped():
    table = slapped(8, "current-shift")
    assert table.state.direction == -1
    assert table.state.turn == "seat-1"  # the neighbour of the flipper, seat 2, the other way round


def test_current_shift_that_nobody_slaps_turns_nothing():
    table = HookedTable(3)
    table.flip("current-shift")
    table.flip(5)
    assert (table.state.direction, table.state.turn) == (1, "seat-3")


def test_hooked_was_not_said_and_the_next_seat_wins():
    table = HookedTable(3)
    table.flip("net-cast")
    table.press(2, 300)
    table.press(3, 350)
    assert table.slap().winner == "seat-2"
    table.do(Veto())
    assert table.slap().winner == "seat-3"
    assert table.slap().vetoed == ("seat-2",)
    assert table.meant() == {"seat-2": "late", "seat-3": "won"}
    assert table.stacks() == (19, 20, 23)
    table.do(Veto())
    assert table.slap().winner is None
    assert (table.stacks(), table.state.lake_size) == ((20, 21, 20), 1)


def test_only_action_cards_ask_for_the_word():
    table = slapped(8, 8)
    with pytest.raises(RuleBroken, match="only when an action card"):
        table.do(Veto())


# The end


def test_the_game_ends_when_one_player_has_all_the_cards():
    table = HookedTable(2, stacks=(60, 2))
    table.flip(8)
    table.flip(8)
    table.press(1, 300)
    assert not table.state.over
    table.flip(9)
    table.flip(10)
    assert table.stacks() == (60, 0)
    table.press(1, 300)
    assert (table.state.over, table.state.winner, table.stacks()) == (True, "seat-1", (62, 0))


def test_cards_in_the_lake_but_only_one_player_with_a_stack():
    table = HookedTable(2, stacks=(61, 1))
    table.flip(8)
    table.flip(12)
    assert (table.state.over, table.state.winner, table.stacks()) == (True, "seat-1", (60, 0))
    with pytest.raises(RuleBroken, match="The game was over before this card was flipped"):
        table.flip(3, 1)


def test_without_cards_one_does_not_flip_but_may_slap():
    table = HookedTable(3, stacks=(20, 0, 20))
    table.flip(8)
    assert table.state.turn == "seat-3"
    table.flip(8)
    table.press(2, 300)
    assert table.stacks() == (19, 2, 19)
    assert table.state.turn == "seat-1"
    table.flip(3)
    assert table.state.turn == "seat-2"


def test_a_wrong_slap_without_cards_eliminates():
    table = HookedTable(3, stacks=(20, 0, 20))
    table.flip(8)
    table.press(2, 300)
    assert table.state.out == ("seat-2",)
    assert table.slap().gone == ("seat-2",)
    table.flip(8)
    table.press(2, 300)
    table.press(3, 400)
    assert table.meant() == {"seat-2": "out", "seat-3": "won"}


def test_a_wrong_slap_alone_ends_no_game_before_somebody_says_so():
    """The camera may not have told yet of the card that it was a slap of."""
    table = HookedTable(2, stacks=(20, 3))
    table.flip(8)
    table.press(2, 300)
    table.flip(12)
    assert table.state.over  # nobody but seat 1 has a stack, and #12 cannot be slapped
    table = HookedTable(2, stacks=(20, 2))
    table.flip(8)
    table.press(2, 300)
    assert not table.state.over
    assert table.kinds() == ["end"]
    table.answer("over")
    assert (table.state.over, table.state.winner) == (True, "seat-1")


def test_after_the_end_no_slap_costs_the_victory():
    table = HookedTable(2, stacks=(3, 1))
    table.flip(8)
    table.flip(12)
    assert table.state.over
    table.press(1, 300)
    assert (table.stacks(), table.state.winner, table.meant()) == ((2, 0), "seat-1", {"seat-1": "late"})


def test_when_all_cards_lie_in_the_lake_nobody_wins():
    table = HookedTable(2, stacks=(2, 1))
    table.flip(8)
    table.press(1, 300)
    table.press(2, 300)
    table.do(PassCard())
    assert (table.state.over, table.state.winner, table.state.lake_size) == (True, None, 3)


# Without camera and buttons


def test_a_game_is_played_by_taps_alone():
    table = HookedTable(3)
    table.tap(8)
    table.tap(8)
    table.do(TellSlap(seat="seat-2"))
    assert (table.slap().winner, table.slap().told, table.slap().why) == ("seat-2", True, "twins")
    assert table.stacks() == (20, 22, 20)
    table.tap(3)
    table.do(TellSlap(seat="seat-1"))
    table.do(TellSlap(seat="seat-1"))
    assert table.stacks() == (18, 22, 19)
    assert table.state.fastest is None
    with pytest.raises(RuleBroken, match="no card of this name"):
        table.tap("pike")


def test_who_is_told_last_was_first():
    table = HookedTable(3)
    table.tap(8)
    table.tap(8)
    for seat in ("seat-3", "seat-1"):
        table.do(TellSlap(seat=seat))
    assert (table.meant(), table.stacks()) == ({"seat-1": "won"}, (22, 20, 20))
    assert table.do(TellSlap(seat="seat-1")) == []
    (again,) = table.do(TellSlap(seat="seat-3"))
    assert (table.meant(), table.stacks()) == ({"seat-3": "won"}, (20, 20, 22))
    table.undo(again)
    assert table.slap().winner == "seat-1"


def test_all_who_are_told_of_a_wrong_slap_pay():
    table = HookedTable(3)
    table.tap(8)
    for seat in ("seat-3", "seat-1", "seat-3"):
        table.do(TellSlap(seat=seat))
    assert table.meant() == {"seat-3": "wrong", "seat-1": "wrong"}
    assert table.stacks() == (18, 21, 18)


def test_who_was_vetoed_is_not_told_to_be_first():
    table = HookedTable(3)
    table.tap("net-cast")
    table.do(TellSlap(seat="seat-3"))
    table.do(Veto())
    with pytest.raises(RuleBroken, match="Take that back first"):
        table.do(TellSlap(seat="seat-3"))


def test_a_tap_says_who_was_first_whatever_the_buttons_say():
    table = slapped(8, 8)
    table.do(TellSlap(seat="seat-1"))  # the Lake is empty: the card flipped last is meant
    assert table.slap().winner == "seat-1"
    assert table.meant() == {"seat-1": "won", "seat-3": "late"}


def test_stacks_are_put_right():
    table = HookedTable(3)
    table.flip(8)
    table.do(Recount(stacks={"seat-1": 10, "seat-2": 30}, turn="seat-3", direction=-1))
    assert (table.stacks(), table.state.lake_size, table.state.under) == ((10, 30, 20), 2, 1)
    assert (table.state.turn, table.state.direction) == ("seat-3", -1)
    table.flip(8)
    table.press(1, 300)
    assert table.stacks() == (13, 30, 19)
    assert RULES.conflicts(table.state) == ()
