"""What nobody should send, and what happens when somebody does: refused with a sentence, the pages stay whole."""

import msgspec
import pytest
from hook_table import HookTable, full, started

from companion.core.facts import RuleBroken
from companion.games.hook.facts import (
    ChooseTarget,
    PlaceTile,
    Recount,
    Recounted,
    RulePlacement,
    TilePlaced,
    WaiveTile,
)
from companion.games.hook.names import seat_name, symbol_name
from companion.games.hook.rules import RULES
from companion.games.hook.sentences import headline, sums, tell
from companion.words import spoken

PATTERNS = ("{x}", "{0}", "{", "}", "{0.__class__}", "")


@pytest.fixture
def table():
    return HookTable("RP", "BP", "YS")


def page(table, language):
    state = table.state
    told = [(tell(state.setup, past), sums(state.setup, past)) for past in state.rounds]
    return spoken(msgspec.to_builtins((headline(state), state.seats, told, table.questions())), language)


@pytest.mark.parametrize("name", PATTERNS)
def test_names_are_never_patterns(table, name):
    assert seat_name(name).to("de") == symbol_name(name).to("en") == name
    for command in (
        WaiveTile(seat=name),
        PlaceTile(seat=name, source="tap"),
        Recount(balls={name: 1}),
        Recount(compass=name),
        ChooseTarget(tile=name, hole=0, victim=name),
    ):
        with pytest.raises(RuleBroken) as refusal:
            table.do(command)
        assert refusal.value.sentence.to("de")
    table.do(PlaceTile(seat=name, tile="t", seat_sure=False, seats=(("red-pirate", 0.5),), card=name))
    table.do(PlaceTile(seat=full("BP"), tile="u", symbols=(name, "rum", "rum"), card=name))
    for language in ("en", "de"):
        assert page(table, language)


def test_a_tile_has_three_holes_whoever_says_so(table):
    eight = (full("BP"),) * 8
    for source in ("camera", "tap"):
        with pytest.raises(RuleBroken, match="at most three"):
            table.do(PlaceTile(seat=full("RP"), tile="t", symbols=eight, source=source))
    shot = table.place("RP", "none", "none", "none")
    with pytest.raises(RuleBroken, match="at most three"):
        table.correct(shot, symbols=eight)


@pytest.mark.parametrize("parrots", [-1, 100, 2**63])
def test_no_card_has_so_many_parrots(table, parrots):
    with pytest.raises(RuleBroken, match="on no Target card"):
        table.do(PlaceTile(seat=full("RP"), symbols=("parrot",), parrots=parrots, source="tap"))
    shot = table.place("RP", "parrot", "none", "none")
    with pytest.raises(RuleBroken, match="on no Target card"):
        table.correct(shot, parrots=parrots)
    with pytest.raises(RuleBroken, match="does not say"):
        RULES.check(started("RP", "BP", "YS", parrots={"a": parrots}))


def test_parrots_are_counted_on_cards(table):
    table.rest()
    with pytest.raises(RuleBroken, match="Red Pirate: 5 parrots on 0 cards"):
        table.do(Recount(parrots={full("RP"): 5}))
    with pytest.raises(RuleBroken, match="cannot be"):
        table.do(Recount(parrots={full("RP"): 2**64 - 1}, won={full("RP"): 1}))
    (number,) = table.do(Recount(won={full("RP"): 1}, parrots={full("RP"): 5}))
    assert (table.seat("RP").won, table.seat("RP").parrots) == (1, 5)
    with pytest.raises(RuleBroken, match="on 1 cards cannot be"):
        table.correct(number, parrots={full("RP"): 100})


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"balls": {"red-pirate": 10}}, "9 spaces"),
        ({"won": {"red-pirate": -1}}, "below 0"),
        ({"stacks": {"kraken": 1}}, "does not play"),
        ({"compass": "kraken"}, "does not play"),
        ({"balls": {}}, "Nothing"),
    ],
)
def test_a_recount_is_corrected_only_to_what_can_be_counted(table, changes, says):
    (number,) = table.do(Recount(balls={full("RP"): 1}))
    with pytest.raises(RuleBroken, match=says):
        table.correct(number, **changes)


@pytest.mark.parametrize("option", ["speed", "msgid", "{x}"])
def test_house_rules_that_hook_does_not_have(option):
    with pytest.raises(RuleBroken, match="no house rule"):
        RULES.check(started("RP", "BP", "YS", **{option: {"msgid": "{x}", "values": {}}}))


def test_a_choice_is_for_one_tile_though_two_go_by_the_same_name(table):
    for seat in ("RP", "BP"):
        table.do(PlaceTile(seat=full(seat), tile="t", symbols=("black-pirate",), source="tap"))
    table.rest()
    table.answer("YS")
    assert (table.ask().kind, table.ask().seat) == ("victim", full("BP"))
    table.answer("RP")
    assert table.counts("RP", "BP", "YS") == [1, 0, 1]


# A ruling is about what was asked


def test_a_tile_let_pass_as_crooked_is_asked_about_when_it_is_then_on_a_taken_card(table):
    table.place("RP", "YS", "none", "none", card="target-010")
    shot = table.place("BP", "RP", "none", "none", card="target-011", turn_off_deg=30.0)
    table.rest()
    table.answer("allow", "crooked")
    assert table.counts("RP", "YS") == [1, 1]
    table.correct(shot, card="target-010")
    assert table.kinds() == ["taken"]
    table.answer("allow")
    assert table.state.now.missing == (full("RP"),)
    table.do(RulePlacement(tile="sight-blue-pirate-1", allowed=True))
    assert table.kinds() == []


def test_a_tile_let_pass_as_crooked_is_asked_about_when_another_tile_was_first(table):
    first = table.place("RP", "YS", "none", "none", tile=1)
    table.undo(first)
    table.place("RP", "BP", "none", "none", tile=2, turn_off_deg=30.0)
    table.rest()
    table.answer("allow", "crooked")
    assert table.counts("BP", "YS") == [1, 0]
    table.redo(first)
    assert table.kinds() == ["second-tile"]
    table.answer("keep")
    assert table.counts("BP", "YS") == [0, 1]


def test_the_tile_touched_first_does_not_come_back_in_silence(table):
    table.place("RP", "BP", "none", "none", tile=1)
    table.place("RP", "YS", "none", "none", tile=2)
    table.rest()
    table.answer("allow", "second-tile")
    assert table.counts("BP", "YS") == [0, 1]
    table.place("RP", "BP", "none", "none", tile=1, card="target-090")
    assert table.kinds() == ["second-tile"]
    table.answer("keep")
    assert table.counts("BP", "YS") == [0, 1]


@pytest.mark.parametrize("late", [False, True])
def test_a_second_tile_is_asked_about_once(table, late):
    table.place("RP", "BP", "none", "none", tile=1)
    table.place("RP", "YS", "none", "none", tile=2)
    table.rest()
    if late:
        table.answer("keep")
    table.move("RP", "YS", "YS", "none", tile=2)
    assert table.move("RP", "none", "none", "none", tile=2, card="target-091")
    assert table.kinds() == ([] if late else ["second-tile"])
    if not late:
        table.answer("keep")
    assert table.counts("BP", "YS") == [1, 0]


def test_the_black_side_let_pass_shows_what_a_person_says(table):
    table.place("RP", face_up=False)
    table.rest()
    table.answer("allow", "black-side")
    assert table.kinds() == ["symbol"] * 3
    for symbol in ("BP", "none", "parrot"):
        table.answer(symbol)
    assert table.counts("BP") == [1]
    assert table.seat("RP").won == 1


@pytest.mark.parametrize("answer", ["again", None])
def test_a_tile_with_its_back_up_turned_over_is_no_second_tile(table, answer):
    for seat in ("BP", "YS"):
        table.place(seat, "none", "none", "none")
    back = PlaceTile(seat=full("RP"), tile="unknown-on-target-090", card="target-090", face_up=False)
    table.do(back)
    assert table.kinds() == ["black-side"]
    if answer is not None:
        table.answer(answer)
    table.place("RP", "BP", "none", "none", tile=2, card="target-090")
    assert table.kinds() == []
    assert table.counts("BP") == [1]


def test_a_tile_that_could_not_be_read_is_read_after_all(table):
    for seat in ("BP", "YS"):
        table.place(seat, "none", "none", "none")
    nameless = PlaceTile(seat=full("RP"), tile="unknown-on-target-090", card="target-090")
    table.do(nameless)
    assert table.kinds() == ["symbol"] * 3
    table.place("RP", "BP", "none", "none", tile=3, card="target-090")
    assert table.kinds() == []
    assert table.counts("BP") == [1]


def test_what_a_person_read_on_a_nameless_tile_holds(table):
    for seat in ("BP", "YS"):
        table.place(seat, "none", "none", "none")
    table.do(PlaceTile(seat=full("RP"), tile="unknown-on-target-090", card="target-090"))
    for symbol in ("YS", "none", "none"):
        table.answer(symbol)
    assert table.counts("YS") == [1]
    table.place("RP", "BP", "none", "none", tile=3, card="target-090")
    assert table.kinds() == []
    assert table.counts("BP", "YS") == [0, 1]


# Recounts


def test_a_full_recount_that_cannot_be_settles_no_questions(table):
    seats = table.state.setup.seats
    few = table.do(Recount(stacks=dict.fromkeys(seats, 5)))
    table.place("RP", "BP", "none", "none", unsure=(0,))
    table.rest()
    table.next()
    table.rest()
    full_count = Recount(balls=dict.fromkeys(seats, 0), won=dict.fromkeys(seats, 20), parrots=dict.fromkeys(seats, 20))
    (number,) = table.do(full_count)
    assert (table.kinds(), table.state.certain) == ([], True)
    table.undo(*few)
    assert table.conflicts() == [number]
    assert table.kinds() == ["symbol"]
    table.answer("BP")
    assert table.state.certain
    assert table.counts("BP") == [1]


def test_whom_a_recount_says_to_be_in_is_in():
    table = HookTable("RP", "BP", "YS", "RS")
    table.balls(RP=8)
    table.place("BP", "RP", "none", "none")
    table.place("YS", "rum", "none", "none", unsure=(0,))
    table.rest()
    table.next()
    table.rest()
    assert (table.seat("RP").balls, table.seat("RP").out) == (9, None)
    table.do(Recount(out=()))
    assert (table.seat("RP").balls, table.seat("RP").out) == (8, None)


def test_whoever_is_out_has_nine_cannonballs():
    table = HookTable("RP", "BP", "YS", "RS")
    table.do(Recount(out=(full("RP"),)))
    assert (table.seat("RP").balls, table.seat("RP").out) == (9, 1)
    shown = {seat.seat: seat.balls for seat in table.state.seats}
    table.do(Recount(balls=shown))
    assert table.seat("RP").out == 1


def test_a_slip_of_the_hand_in_a_recount_is_mended_by_the_next_one():
    table = HookTable("RP", "BP", "YS", "RS", parrots={"a": 3})
    table.place("BP", "parrot", "none", "none", card="a")
    table.rest()
    table.do(Recount(stacks=dict.fromkeys(table.state.setup.seats, 7)))
    before = table.state.seats
    table.do(Recount(balls={full("BP"): 9}))
    assert (table.seat("BP").won, table.state.compass) == (0, full("YS"))
    table.do(Recount(balls={full("BP"): 0}))
    assert table.state.seats == before
    assert table.state.compass == full("BP")


def test_a_slip_that_ended_the_game_does_not_cost_the_round(table):
    table.place("RP", "BP", "none", "none")
    table.do(Recount(balls={full("BP"): 9, full("YS"): 9}))
    assert table.state.over
    table.do(Recount(balls={full("BP"): 4, full("YS"): 3}))
    assert (table.state.over, table.state.phase) == (False, "tiles")
    table.rest()
    assert table.counts("RP", "BP", "YS") == [0, 5, 3]
    assert [seat.stack for seat in table.state.seats] == [31, 31, 31]


def test_recounts_as_facts_stay_whole(table):
    table.tell(Recounted(round=1, after=False, balls={full("RP"): 9}, out=()))
    table.tell(Recounted(round=1, after=False, compass=full("RP")))
    table.tell(TilePlaced(round=1, seat=full("RP"), tile="t"))
    assert table.seat("RP").out == 1
    assert table.state.compass == full("BP")
    assert table.accounted() == 96


# Sentences and parrots


@pytest.mark.parametrize(
    ("balls", "sight", "sentence", "german"),
    [
        (8, ("RP", "RP", "RP"), "Red Pirate: 8 + 3 − 0, but never above 9", "Roter Pirat: 8 + 3 − 0, aber nie über 9"),
        (6, ("RP", "RP", "RP"), "Red Pirate: 6 + 3 − 0 = 9", "Roter Pirat: 6 + 3 − 0 = 9"),
        (1, ("rum", "rum", "RP"), "Red Pirate: 1 + 1 − 2 = 0", "Roter Pirat: 1 + 1 − 2 = 0"),
        (
            1,
            ("rum", "rum", "none"),
            "Red Pirate: 1 + 0 − 2, but never below 0",
            "Roter Pirat: 1 + 0 − 2, aber nie unter 0",
        ),
    ],
)
def test_a_sum_told_is_a_true_sum(balls, sight, sentence, german):
    table = HookTable("RP", "BP", "YS")
    table.balls(RP=balls)
    table.place("RP", *sight)
    table.rest()
    (told,) = (told.text for told in sums(table.state.setup, table.state.now) if told.actor == full("RP"))
    assert (told.to("en"), told.to("de")) == (sentence, german)


def test_a_card_has_at_least_the_parrots_in_sight():
    table = HookTable("RP", "BP", "YS", parrots={"a": 1})
    table.place("RP", "parrot", "parrot", "none", card="a")
    table.rest()
    assert table.seat("RP").parrots == 2
