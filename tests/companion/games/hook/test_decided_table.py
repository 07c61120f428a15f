"""The test table of the rules decisions, row by row (clockwise, Compass holder first)."""

from hook_table import HookTable, full

from companion.games.hook.facts import Recount


def test_the_rulebook_example():
    table = HookTable("BP", "YS", "RP")
    table.balls(RP=8)
    table.place("BP", "bomb", "parrot", "parrot")
    table.place("YS", "RP", "black", "BS")
    table.place("RP", "barrel", "rum", "rum")
    table.answer("BP", "victim")
    assert table.counts("BP", "YS", "RP") == [2, 1, 7]
    assert [s.won for s in table.state.seats] == [0, 0, 0]
    assert table.state.compass == full("YS")
    assert table.state.phase == "resolved"


def test_out_after_the_sum_and_its_cards_boxed():
    table = HookTable("RP", "BP", "YS", parrots={"three": 3, "two": 2})
    stacks = {full(seat): 20 for seat in ("RP", "BP", "YS")}
    table.do(Recount(balls={full("RP"): 8}, won={full("RP"): 4}, parrots={full("RP"): 9}, stacks=stacks))
    table.place("RP", "rum", "rum", "none")
    table.place("BP", "RP", "RP", "parrot", card="three")
    table.place("YS", "bomb", "parrot", "none", card="two")
    # 8 + 2 hits + 1 bomb - 2 rum = 9
    assert table.seat("RP").out == 1
    assert (table.seat("RP").won, table.seat("RP").stack, table.seat("RP").parrots) == (0, 0, 0)
    assert (table.seat("BP").balls, table.seat("BP").parrots, table.seat("BP").won) == (1, 3, 1)
    assert (table.seat("YS").balls, table.seat("YS").won) == (1, 0)
    assert table.state.compass == full("BP")
    assert table.accounted() == 96


def test_cover_never_stops_ones_own_symbol_nor_a_black_pirate_aimed_at_oneself():
    table = HookTable("BS", "RP", "YP", parrots={"two": 2})
    table.place("BS", "RP", "RP", "parrot", card="two")
    table.place("RP", "barrel", "RP", "black")
    table.place("YP", "black", "none", "none")
    assert table.ask().seat == full("RP")
    table.answer("RP", "victim")
    assert table.ask().seat == full("YP")
    table.answer("RP", "victim")
    assert table.counts("BS", "RP", "YP") == [0, 2, 0]
    assert (table.seat("BS").won, table.seat("BS").parrots) == (1, 2)


def last_two():
    """Red Pirate (with the Compass) and Blue Pirate, both with 8 Cannonballs; a third player is out."""
    table = HookTable("RP", "BP", "YS")
    table.do(Recount(balls={full("RP"): 8, full("BP"): 8, full("YS"): 9}))
    return table


def test_the_last_one_standing_wins():
    table = last_two()
    table.place("RP", "bomb", "parrot", "none")
    table.place("BP", "barrel", "rum", "none")
    assert table.seat("RP").out == 1
    assert table.seat("BP").balls == 8
    assert table.state.winners == (full("BP"),)
    assert table.state.ending == "last"


def test_both_out_at_once_means_no_winner():
    table = last_two()
    table.place("RP", "bomb", "parrot", "none")
    table.place("BP", "barrel", "none", "none")
    assert table.seat("RP").out == table.seat("BP").out == 1
    assert table.state.over
    assert table.state.winners == ()
    assert table.state.ending == "nobody"


def test_a_tie_of_teams_goes_to_the_cards_of_surviving_members():
    table = HookTable("RP", "YP", "RS", "BS", teams="sides")
    table.do(
        Recount(
            balls={full("RP"): 8},
            won={full("RP"): 3, full("YP"): 2, full("RS"): 2, full("BS"): 1},
            parrots={full("RP"): 6, full("YP"): 5, full("RS"): 3, full("BS"): 2},
            stacks={full(seat): 1 for seat in ("RP", "YP", "RS", "BS")},
        )
    )
    table.place("RP", "RP", "none", "none")
    table.rest()
    assert table.seat("RP").out == 1
    assert table.state.over
    assert table.state.ending == "cards"
    assert set(table.state.winners) == {full("RS"), full("BS")}
    assert table.state.winning_teams == ("sailors",)
