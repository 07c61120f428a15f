"""The rulebook, sentence by sentence; what is missing here is named in the docstring of rules.py."""

import pytest
from hook_table import HookTable, full, started

from companion.core.facts import RuleBroken
from companion.games.hook.facts import ChooseTarget, CloseRound, NextRound, PlaceTile, Recount, RevealCard, WaiveTile
from companion.games.hook.rules import RULES


def three(*first, **balls):
    """RP, BP, YS; RP has the Compass."""
    table = HookTable("RP", "BP", "YS", **{k: v for k, v in balls.items() if k == "parrots"})
    given = {k: v for k, v in balls.items() if k != "parrots"}
    if given:
        table.balls(**given)
    return table


# Setup


@pytest.mark.parametrize(("players", "rounds", "boxed"), [(3, 32, 0), (4, 24, 0), (5, 19, 1), (6, 16, 0)])
def test_target_cards_are_dealt_evenly(players, rounds, boxed):
    table = HookTable(*["RP", "YP", "BP", "RS", "YS", "BS"][:players])
    assert [s.stack for s in table.state.seats] == [rounds] * players
    assert (table.state.round, table.state.of, table.state.boxed) == (1, rounds, boxed)
    assert table.accounted() == 96


def test_the_compass_begins_with_the_first_seat():
    assert HookTable("YS", "RP", "BP").state.compass == full("YS")


# Flow of play


def test_a_round_waits_for_cards_then_tiles_then_is_resolved():
    table = three()
    assert table.state.phase == "cards"
    for n in range(3):
        table.do(RevealCard(card=f"target-{n:03}"))
    assert table.state.phase == "tiles"
    assert table.do(RevealCard(card="target-001")) == []
    table.place("BP", "none", "none", "none")
    table.place("YS", "none", "none", "none")
    assert table.state.now.missing == (full("RP"),)
    table.place("RP", "none", "none", "none")
    assert table.state.phase == "resolved"


def test_an_early_tile_does_not_wait_for_all_cards():
    table = three()
    table.do(RevealCard(card="target-001"))
    table.place("BP", "parrot", "none", "none", card="target-001")
    assert table.state.phase == "tiles"


def test_the_next_round_waits_for_every_tile():
    table = three()
    table.place("BP", "none", "none", "none")
    with pytest.raises(RuleBroken, match="2 Sight tiles"):
        table.next()
    table.place("YS", "none", "none", "none")
    with pytest.raises(RuleBroken, match="Red Pirate"):
        table.next()
    table.do(WaiveTile(seat=full("RP")))
    table.next()
    assert table.state.round == 2
    assert table.state.rounds[0].waived == (full("RP"),)


def test_a_closed_round_waits_for_nobody():
    table = three()
    table.place("BP", "RP", "none", "none")
    table.do(CloseRound())
    assert table.state.phase == "resolved"
    assert table.counts("RP", "BP", "YS") == [1, 0, 0]


def test_the_compass_moves_clockwise_every_round():
    table = three()
    holders = [table.state.compass]
    for _ in range(4):
        table.rest()
        holders.append(table.state.compass)
        table.next()
        assert table.state.compass == holders[-1]
    assert holders == [full(s) for s in ("RP", "BP", "YS", "RP", "BP")]


def test_the_compass_passes_over_players_who_are_out_also_the_holder():
    table = three(RP=8, BP=8)
    table.place("YS", "RP", "BP", "none")
    table.rest()
    assert table.state.over
    table = HookTable("RP", "BP", "YS", "RS")
    table.balls(RP=8, BP=8)
    table.place("YS", "RP", "BP", "none")
    table.rest()
    assert [s.out for s in table.state.seats] == [1, 1, None, None]
    assert table.state.compass == full("YS")


# Symbols


def test_each_visible_symbol_of_a_colour_is_one_hit():
    table = three()
    table.place("BP", "RP", "RP", "YS")
    table.rest()
    assert table.counts("RP", "BP", "YS") == [2, 0, 1]


def test_everybody_can_hit_themselves_even_behind_a_barrel_or_cage():
    for cover in ("barrel", "cage"):
        table = three()
        table.place("RP", "RP", "RP", cover)
        table.rest()
        assert table.counts("RP") == [2]


def test_symbols_of_nobody_who_plays_hit_nobody():
    table = three()
    table.place("RP", "YP", "RS", "BS")
    table.rest()
    assert table.counts("RP", "BP", "YS") == [0, 0, 0]


def test_symbols_of_players_who_are_out_hit_nobody():
    table = HookTable("RP", "BP", "YS", "RS")
    table.balls(RS=9)
    table.place("RP", "RS", "RS", "parrot")
    table.rest()
    assert table.counts("RP", "BP", "YS", "RS") == [0, 0, 0, 9]
    assert table.state.round == 1


def test_nine_hits_and_out_at_the_end_of_the_round():
    table = three(RP=7, BP=8)
    table.place("YS", "RP", "RP", "none")
    assert table.seat("RP").out is None
    table.rest()
    assert table.seat("RP").out == 1
    assert table.seat("RP").balls == 9
    assert table.seat("BP").out is None


def test_an_eliminated_player_puts_cards_and_stack_into_the_box():
    table = three(RP=8, parrots={"a": 3, "b": 1})
    table.place("RP", "parrot", "none", "none", card="a")
    table.rest()
    table.next()
    assert (table.seat("RP").won, table.seat("RP").parrots, table.seat("RP").stack) == (1, 3, 31)
    boxed = table.state.boxed
    table.place("BP", "RP", "none", "none", card="b")
    table.place("RP", "parrot", "none", "none", card="a2")
    table.rest()
    assert (table.seat("RP").won, table.seat("RP").parrots, table.seat("RP").stack) == (0, 0, 0)
    # three cards of the round (won, then boxed with the rest), the card won before, the stack of 30
    assert table.state.boxed == boxed + 3 + 1 + 30
    assert table.accounted() == 96


def test_a_sight_counts_even_if_its_owner_goes_out_in_the_round():
    table = HookTable("RP", "BP", "YS", "RS")
    table.balls(RP=8)
    table.place("BP", "RP", "none", "none")
    table.place("RP", "BP", "BP", "bomb")
    table.rest()
    assert table.counts("RP", "BP", "YS", "RS") == [9, 3, 1, 1]


def test_the_black_pirate_hits_whomever_its_shooter_chooses():
    for victim, after in (("RP", [1, 0, 0]), ("BP", [0, 1, 0]), ("YS", [0, 0, 1])):
        table = three()
        table.place("BP", "black", "none", "none")
        assert table.kinds() == []
        table.rest()
        assert table.state.phase == "answers"
        question = table.ask("victim")
        assert (question.seat, question.obliged) == (full("BP"), True)
        assert {choice.value for choice in question.choices} == set(table.state.setup.seats)
        table.answer(victim)
        assert table.counts("RP", "BP", "YS") == after
        assert table.kinds() == []


def test_black_pirates_are_chosen_one_by_one_in_turn_order():
    table = three()
    table.rest()
    table.next()  # the Compass is with BP now: BP, YS, RP
    table.place("RP", "black", "none", "none")
    table.place("YS", "none", "black", "black")
    table.place("BP", "none", "none", "none")
    asked = []
    for victim in ("RP", "BP", "BP"):
        (question,) = table.questions()
        asked.append((question.seat, question.about["hole"]))
        table.answer(victim)
    assert asked == [(full("YS"), 1), (full("YS"), 2), (full("RP"), 0)]
    assert table.counts("RP", "BP", "YS") == [1, 2, 0]


def test_choosing_by_command_keeps_to_the_turn_order():
    table = three()
    table.place("RP", "black", "none", "none")
    choose = ChooseTarget(tile="sight-blue-pirate-1", hole=0, victim=full("YS"))
    table.place("BP", "black", "none", "none")
    with pytest.raises(RuleBroken, match="when all Sight tiles"):
        table.do(choose)
    table.rest()
    with pytest.raises(RuleBroken, match="Red Pirate"):
        table.do(choose)
    table.do(ChooseTarget(tile="sight-red-pirate-1", hole=0, victim=full("YS")))
    table.do(choose)
    assert table.counts("YS") == [2]
    table.do(ChooseTarget(tile="sight-red-pirate-1", hole=0, victim=full("RP")))
    assert table.counts("YS", "RP") == [1, 1]
    with pytest.raises(RuleBroken, match="no Black Pirate"):
        table.do(ChooseTarget(tile="sight-red-pirate-1", hole=1, victim=full("RP")))
    with pytest.raises(RuleBroken, match="cannot be hit"):
        table.do(ChooseTarget(tile="sight-red-pirate-1", hole=0, victim=full("BS")))


def test_a_black_pirate_is_wasted_on_the_covered():
    table = three()
    table.place("RP", "black", "none", "none")
    table.place("BP", "none", "cage", "none")
    table.rest()
    table.answer("BP")
    assert table.counts("RP", "BP", "YS") == [0, 0, 0]


def test_rum_takes_one_cannonball_off_each_and_never_below_none():
    table = three(RP=5, BP=1)
    table.place("RP", "rum", "rum", "rum")
    table.place("BP", "rum", "rum", "none")
    table.place("YS", "rum", "none", "none")
    assert table.counts("RP", "BP", "YS") == [2, 0, 0]


@pytest.mark.parametrize("holder", ["RP", "BP"])
def test_rum_first_and_a_hit_later_is_the_same_as_the_other_way_round(holder):
    seats = ("RP", "BP", "YS") if holder == "RP" else ("BP", "YS", "RP")
    table = HookTable(*seats)
    table.place("RP", "rum", "none", "none")
    table.place("BP", "RP", "none", "none")
    table.rest()
    assert table.counts("RP") == [0]


def test_nobody_is_eliminated_while_a_life_saving_rum_is_unresolved():
    table = three(YS=8)
    table.place("RP", "YS", "none", "none")  # resolved before YS by turn order
    table.place("YS", "rum", "none", "none")
    table.rest()
    assert (table.seat("YS").balls, table.seat("YS").out) == (8, None)


@pytest.mark.parametrize("cover", ["barrel", "cage"])
@pytest.mark.parametrize("order", [("RP", "BP", "YS"), ("BP", "YS", "RP")])
def test_cover_stops_others_whoever_is_resolved_first(cover, order):
    table = HookTable(*order)
    table.place("RP", cover, "BP", "none")
    table.place("BP", "RP", "RP", "none")
    table.rest()
    assert table.counts("RP", "BP") == [0, 1]
    assert table.seat("RP").cover == full(cover)
    table.next()
    assert table.seat("RP").cover is None
    table.place("BP", "RP", "none", "none")
    table.rest()
    assert table.counts("RP") == [1]


def test_two_covers_are_one():
    table = three()
    table.place("RP", "barrel", "cage", "none")
    table.place("BP", "RP", "bomb", "none")
    table.rest()
    assert table.counts("RP") == [1]


def test_a_bomb_hits_everyone_covered_or_not_its_owner_too():
    table = three()
    table.place("RP", "bomb", "none", "none")
    table.place("BP", "barrel", "none", "none")
    table.place("YS", "cage", "none", "none")
    assert table.counts("RP", "BP", "YS") == [1, 1, 1]


def test_every_bomb_counts():
    table = three()
    table.place("RP", "bomb", "bomb", "none")
    table.place("BP", "bomb", "none", "none")
    table.rest()
    assert table.counts("RP", "BP", "YS") == [3, 3, 3]


def test_a_bomb_hits_only_those_still_in():
    table = HookTable("RP", "BP", "YS", "RS")
    table.balls(RS=9)
    table.place("RP", "bomb", "none", "none")
    table.rest()
    assert table.counts("RP", "BP", "YS", "RS") == [1, 1, 1, 9]


def test_a_visible_parrot_takes_the_card_and_all_parrots_printed_on_it_count():
    table = three(parrots={"four": 4, "one": 1, "none": 0})
    table.place("RP", "parrot", "none", "none", card="four")
    table.place("BP", "BP", "none", "none", card="one")
    table.place("YS", "parrot", "parrot", "none", card="unlisted")
    assert [(s.won, s.parrots) for s in table.state.seats] == [(1, 4), (0, 0), (1, 2)]
    assert table.state.boxed == 1


def test_a_bomb_in_ones_own_sight_discards_the_card_but_not_those_of_others():
    table = three(parrots={"a": 2, "b": 3})
    table.place("RP", "parrot", "bomb", "none", card="a")
    table.place("BP", "parrot", "none", "none", card="b")
    table.rest()
    assert [(s.won, s.parrots) for s in table.state.seats] == [(0, 0), (1, 3), (0, 0)]


def test_a_hidden_bomb_on_the_card_does_nothing():
    """Only what is visible through the holes is carried out: the card is taken."""
    table = three(parrots={"card-with-bomb-elsewhere": 2})
    table.place("RP", "parrot", "none", "none", card="card-with-bomb-elsewhere")
    table.rest()
    assert table.counts("RP", "BP", "YS") == [0, 0, 0]
    assert table.seat("RP").won == 1


def test_at_most_three_symbols():
    table = three()
    with pytest.raises(RuleBroken, match="at most three"):
        table.do(PlaceTile(seat=full("RP"), symbols=("rum",) * 4, source="tap"))


# End of the game


def test_the_last_player_standing_wins_at_once():
    table = three(BP=8, YS=8)
    table.place("RP", "BP", "YS", "none")
    table.rest()
    assert (table.state.over, table.state.winners, table.state.ending) == (True, (full("RP"),), "last")
    with pytest.raises(RuleBroken, match="over"):
        table.next()


def test_the_last_team_standing_wins_and_its_eliminated_members_too():
    table = HookTable("RP", "YP", "RS", "YS", teams="colour")
    table.balls(RP=8, YP=8, YS=8)
    table.place("RS", "RP", "YP", "YS")
    table.rest()
    assert table.state.ending == "last"
    assert table.state.winning_teams == ("red",)
    assert set(table.state.winners) == {full("RP"), full("RS")}


def test_a_team_goes_on_while_two_teams_have_somebody_in():
    table = HookTable("RP", "YP", "RS", "YS", teams="sides")
    table.balls(RP=8, YP=8)
    table.place("RS", "RP", "none", "none")
    table.rest()
    assert not table.state.over


def test_all_out_at_once_has_no_winner_teams_or_not():
    for teams in ("none", "sides"):
        table = HookTable("RP", "YP", "RS", "YS", teams=teams)
        table.balls(RP=8, YP=8, RS=8, YS=8)
        table.place("RS", "bomb", "none", "none")
        table.rest()
        assert (table.state.ending, table.state.winners) == ("nobody", ())


def last_round(table, **won):
    """One card left; ``won`` are parrots and cards of each seat."""
    seats = table.state.setup.seats
    table.do(
        Recount(
            stacks=dict.fromkeys(seats, 1),
            parrots={full(s): n[0] for s, n in won.items()},
            won={full(s): n[1] for s, n in won.items()},
        )
    )
    assert (table.state.round, table.state.of) == (1, 1)


def test_most_parrots_win_when_the_stacks_are_empty():
    table = three()
    last_round(table, RP=(5, 3), BP=(6, 2), YS=(1, 9))
    table.rest()
    assert (table.state.over, table.state.ending, table.state.winners) == (True, "parrots", (full("BP"),))


def test_a_tie_goes_to_the_most_cards_then_it_is_shared():
    table = three()
    last_round(table, RP=(6, 3), BP=(6, 2), YS=(1, 9))
    table.rest()
    assert (table.state.ending, table.state.winners) == ("cards", (full("RP"),))
    table = three()
    last_round(table, RP=(6, 3), BP=(6, 3), YS=(1, 9))
    table.rest()
    assert (table.state.ending, table.state.winners) == ("shared", (full("RP"), full("BP")))


def test_eliminated_players_do_not_count_their_parrots():
    table = three()
    last_round(table, RP=(9, 5), BP=(6, 2), YS=(1, 1))
    table.balls(RP=8)
    table.place("BP", "RP", "none", "none")
    table.rest()
    assert table.state.winners == (full("BP"),)


def test_teams_add_up_the_parrots_of_members_still_in():
    table = HookTable("RP", "YP", "RS", "YS", teams="colour")
    last_round(table, RP=(4, 1), RS=(4, 1), YP=(7, 3), YS=(0, 0))
    table.rest()
    assert (table.state.ending, table.state.winning_teams) == ("parrots", ("red",))
    table = HookTable("RP", "YP", "RS", "YS", teams="colour")
    last_round(table, RP=(4, 1), RS=(4, 1), YP=(7, 3), YS=(0, 0))
    table.balls(RS=8)
    table.place("YS", "RS", "none", "none")
    table.rest()
    assert table.state.winning_teams == ("yellow",)


def test_in_the_final_round_the_last_one_standing_wins_before_parrots_are_counted():
    table = three()
    last_round(table, RP=(0, 0), BP=(6, 2), YS=(9, 3))
    table.balls(BP=8, YS=8)
    table.place("RP", "BP", "YS", "none")
    table.rest()
    assert (table.state.ending, table.state.winners) == ("last", (full("RP"),))


def test_the_number_of_rounds_stays_however_many_go_out():
    table = HookTable("RP", "BP", "YS", "RS")
    table.balls(RS=8)
    table.place("RP", "RS", "none", "none")
    while not table.state.over:
        table.rest()
        if not table.state.over:
            table.next()
    assert table.state.round == 24
    assert table.state.ending == "shared"
    assert table.accounted() == 96


# Free-for-all or Teamplay?


@pytest.mark.parametrize(
    ("seats", "teams"),
    [
        (("RP", "YP", "RS", "YS"), "colour"),
        (("RP", "YP", "RS", "YS"), "sides"),
        (("RP", "YP", "BS", "YS"), "sides"),
        (("RP", "YP", "BP", "RS", "YS", "BS"), "colour"),
        (("RP", "YP", "BP", "RS", "YS", "BS"), "sides"),
    ],
)
def test_teams_with_four_and_six(seats, teams):
    table = HookTable(*seats, teams=teams)
    count = len(set(table.state.setup.teams))
    assert count == (2 if teams == "sides" else len(seats) // 2)


@pytest.mark.parametrize(
    ("seats", "teams", "says"),
    [
        (("RP", "YP"), None, "3 to 6"),
        (("RP", "YP", "BP", "RS", "YS", "BS", "RP"), None, "3 to 6"),
        (("RP", "RP", "BP"), None, "another character"),
        (("RP", "GP", "BP"), None, "six Hit cards"),
        (("RP", "YP", "RS"), "colour", "4 or 6"),
        (("RP", "YP", "BP", "RS", "YS"), "sides", "4 or 6"),
        (("RP", "YP", "BP", "RS"), "sides", "as many pirates as sailors"),
        (("RP", "YP", "BP", "YS"), "colour", "same colour"),
        (("RP", "YP", "RS", "YS"), "pairs", "by colour, or pirates"),
    ],
)
def test_impossible_set_ups_are_refused(seats, teams, says):
    options = {} if teams is None else {"teams": teams}
    with pytest.raises(RuleBroken, match=says):
        RULES.check(started(*seats, **options))


def test_parrots_of_the_deck_must_be_numbers():
    with pytest.raises(RuleBroken, match="parrots"):
        RULES.check(started("RP", "YP", "BP", parrots={"target-001": "three"}))


def test_team_mates_are_hit_like_anyone():
    table = HookTable("RP", "YP", "RS", "YS", teams="colour")
    table.place("RP", "RS", "black", "none")
    table.rest()
    table.answer("RS")
    assert table.counts("RS") == [2]


def test_the_camera_may_go_on_before_everything_is_known():
    """What is missing in the earlier round is asked, and nothing stops."""
    table = three()
    table.place("BP", "none", "none", "none")
    table.do(NextRound(source="camera"))
    assert table.state.round == 2
    assert table.kinds() == ["missing", "missing"]
    assert not table.state.certain
    table.answer("nothing")
    table.answer("nothing")
    assert table.kinds() == []
    assert table.state.certain
