"""Illegal and uncertain placements are questions, never silent guesses."""

import math

import pytest
from hook_table import HookTable, full

from companion.core.facts import RuleBroken
from companion.games.hook.facts import MoveTile, PlaceTile, ReadSymbol, RulePlacement, TilePlaced, WaiveTile
from companion.games.hook.rules import RULES


@pytest.fixture
def table():
    return HookTable("RP", "BP", "YS", parrots={f"target-{n:03}": n % 4 for n in range(1, 97)})


def values(question):
    return [choice.value for choice in question.choices]


# Symbols


def test_an_unsure_symbol_is_asked_with_the_likely_ones_first(table):
    table.place(
        "RP",
        "barrel",
        "BP",
        "none",
        unsure=(0,),
        ranked=((("barrel", 0.5), ("bird-cage", 0.4)), (("blue-pirate", 1.0),), (("none", 1.0),)),
        picture="p.jpg",
    )
    table.place("BP", "RP", "none", "none")
    table.rest()
    (question,) = table.questions()
    assert question.kind == "symbol"
    assert values(question)[:3] == ["barrel", "bird-cage", "none"]
    assert len(values(question)) == 13
    assert question.seat is None
    assert not question.obliged
    assert question.about["hole"] == 0
    assert question.about["picture"] == "p.jpg"
    assert table.state.phase == "answers"
    assert table.counts("RP") == [0]  # nothing is counted before it is known
    table.answer("cage")
    assert table.state.phase == "resolved"
    assert table.counts("RP", "BP") == [0, 1]
    assert table.seat("RP").cover == "bird-cage"


@pytest.mark.parametrize("share", [0.4, 0.5, 0.6])
def test_a_symbol_that_shows_by_half_is_an_obliged_question(table, share):
    table.place("RP", "rum", "BP", "none", shares=(1.0, share, 0.0))
    table.rest()
    (question,) = table.questions()
    assert question.obliged
    assert values(question)[:2] == ["blue-pirate", "none"]
    table.answer("BP")
    assert table.counts("BP") == [1]


@pytest.mark.parametrize(("share", "hits"), [(0.39, 0), (0.61, 1), (1.0, 1), (0.0, 0)])
def test_a_symbol_counts_when_more_than_half_shows(table, share, hits):
    table.place("RP", "none", "BP", "none", shares=(0.0, share, 0.0))
    table.rest()
    assert table.kinds() == []
    assert table.counts("BP") == [hits]


def test_a_half_hidden_symbol_read_as_nothing_is_asked_too(table):
    ranked = ((("none", 0.6), ("bomb", 0.4)), (("none", 1.0),), (("none", 1.0),))
    table.place("RP", "none", "none", "none", shares=(0.45, 0.0, 0.0), ranked=ranked)
    table.rest()
    (question,) = table.questions()
    assert question.obliged
    assert values(question)[:2] == ["none", "bomb"]


def test_a_share_that_is_no_number_is_asked(table):
    table.place("RP", "rum", "none", "none", shares=(math.nan,))
    table.rest()
    assert table.kinds() == ["symbol"]


def test_a_name_nobody_knows_is_asked_not_guessed(table):
    table.tell(TilePlaced(round=1, seat=full("RP"), tile="t", card="target-050", symbols=("octopus",)))
    table.rest()
    assert table.kinds() == ["symbol"]


def test_questions_about_symbols_come_at_once_not_at_the_end_of_the_round(table):
    table.place("RP", "rum", "none", "none", unsure=(0,))
    assert table.kinds() == ["symbol"]
    assert table.state.phase == "tiles"


def test_an_unread_symbol_that_may_be_a_black_pirate_comes_before_later_shooters(table):
    table.place("RP", "black", "none", "none", unsure=(0,))
    table.place("BP", "black", "none", "none")
    table.rest()
    assert table.kinds() == ["symbol"]
    table.answer("black")
    assert table.ask("victim").seat == full("RP")
    table.answer("BP")
    assert table.ask("victim").seat == full("BP")


def test_an_answer_that_is_no_choice_is_refused(table):
    table.place("RP", "rum", "none", "none", unsure=(0,))
    question = table.ask()
    with pytest.raises(RuleBroken, match="none of the possible"):
        RULES.answer(table.state, question, "octopus")
    table.answer("rum")
    with pytest.raises(RuleBroken, match="settled already"):
        RULES.answer(table.state, question, "rum")


# Placements


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        ({"turn_off_deg": 10.1}, "crooked"),
        ({"bare_mm": 4.1}, "bare"),
        ({"turn_off_deg": 30.0, "bare_mm": 12.0}, "crooked"),
        ({"face_up": False}, "black-side"),
        ({"card": None}, "no-card"),
    ],
)
@pytest.mark.parametrize("value", ["allow", "again", "nothing"])
def test_a_wrong_placement_is_asked(table, fields, kind, value):
    table.place("RP", "BP", "none", "none", **fields)
    for seat in ("BP", "YS"):
        table.place(seat, "none", "none", "none")
    question = table.ask()
    assert question.kind == kind
    assert set(values(question)) == {"allow", "again", "nothing"}
    assert table.state.phase == "answers"
    table.answer(value)
    if (kind, value) == ("no-card", "allow"):  # then it lies on one, and what shows there was not read
        assert table.kinds() == ["symbol"] * 3
        for symbol in ("BP", "none", "none"):
            table.answer(symbol)
    assert table.kinds() == []
    if value == "again":
        assert table.state.phase == "tiles"
        assert table.state.now.missing == (full("RP"),)
        table.place("RP", "BP", "BP", "none")
        assert table.counts("BP") == [2]
    else:
        assert table.state.phase == "resolved"
        assert table.counts("BP") == [1 if value == "allow" else 0]


@pytest.mark.parametrize("fields", [{"turn_off_deg": 10.0}, {"bare_mm": 4.0}])
def test_within_the_limits_nothing_is_asked(table, fields):
    table.place("RP", "BP", "none", "none", **fields)
    table.rest()
    assert table.kinds() == []


def test_a_crooked_tile_put_right_counts_as_it_then_lies(table):
    table.place("RP", "BP", "none", "none", turn_off_deg=20.0, card="target-050")
    table.move("RP", "YS", "none", "none", card="target-050")
    table.rest()
    assert table.kinds() == ["crooked"]
    table.answer("again")
    assert table.kinds() == []
    assert table.counts("BP", "YS") == [0, 1]


def test_a_tile_first_seen_beside_the_cards_then_on_one(table):
    table.place("RP", "none", "none", "none", card=None)
    assert table.kinds() == ["no-card"]
    table.place("RP", "BP", "none", "none")
    table.rest()
    assert table.kinds() == []
    assert table.counts("BP") == [1]


def test_a_tile_beaten_to_its_card_goes_to_a_free_one(table):
    table.place("RP", "parrot", "none", "none", card="target-010")
    table.place("BP", "RP", "none", "none", card="target-010")
    (question,) = table.questions()
    assert question.kind == "taken"
    assert values(question) == ["again", "allow", "own-card", "nothing"]
    table.move("BP", "YS", "none", "none", card="target-011")
    table.rest()
    assert table.kinds() == []
    assert table.counts("RP", "YS") == [0, 1]


def test_the_other_tile_may_have_been_first_on_the_card(table):
    table.place("RP", "YS", "none", "none", card="target-010")
    table.place("BP", "RP", "none", "none", card="target-010")
    table.answer("allow")
    assert table.state.now.missing == (full("RP"), full("YS"))
    table.place("RP", "YS", "YS", "none", card="target-011")
    table.rest()
    assert table.kinds() == []
    assert table.counts("RP", "YS") == [1, 2]


def test_two_tiles_on_one_card_wait_for_what_is_asked_about_the_first(table):
    table.place("RP", "YS", "none", "none", card="target-010", turn_off_deg=40.0)
    table.place("BP", "RP", "none", "none", card="target-010")
    table.place("YS", "none", "none", "none")
    assert table.kinds() == ["crooked"]
    assert table.state.phase == "answers"
    table.answer("nothing")
    assert table.kinds() == []
    assert table.counts("RP") == [1]
    assert table.state.phase == "resolved"


def test_a_second_tile_of_a_seat(table):
    for value, after in (("keep", [0, 1, 0]), ("allow", [0, 0, 1])):
        table = HookTable("RP", "BP", "YS")
        table.place("RP", "BP", "none", "none", tile=1)
        table.place("RP", "YS", "none", "none", tile=2)
        table.rest()
        assert table.kinds() == ["second-tile"]
        table.answer(value)
        assert table.kinds() == []
        assert table.counts("RP", "BP", "YS") == after


def test_a_card_that_was_taken_for_another_ones(table):
    table.place("RP", "YS", "none", "none", card="target-010")
    table.place("BP", "RP", "parrot", "none", card="target-010")
    table.rest()
    table.answer("own-card", "taken")
    assert table.kinds() == ["sight"]  # what was seen was read with the wrong card in mind
    table.answer("red-pirate+parrot+none")
    assert table.kinds() == []
    assert table.counts("RP", "YS") == [1, 1]
    assert (table.seat("BP").won, table.seat("BP").parrots) == (1, 1)


def test_a_second_tile_that_is_really_another_ones(table):
    table.place("RP", "YS", "none", "none", tile=1)
    table.place("RP", "RP", "none", "none", tile=2)
    table.place("YS", "none", "none", "none")
    assert values(table.ask("second-tile")) == ["keep", "allow", "of:blue-pirate"]
    table.answer("of:blue-pirate")
    assert table.kinds() == ["symbol"] * 3  # that tile has its holes elsewhere
    for symbol in ("RP", "none", "none"):
        table.answer(symbol)
    assert table.counts("RP", "YS") == [1, 1]
    assert table.state.now.placement_of(full("BP")).symbols[0] == full("RP")


def test_touch_move_another_tile_after_one_that_does_not_count(table):
    table.place("RP", "BP", "none", "none", tile=1, turn_off_deg=45.0)
    table.answer("again")
    table.place("RP", "YS", "none", "none", tile=2)
    assert table.kinds() == ["second-tile"]
    table.answer("allow")
    table.rest()
    assert table.counts("BP", "YS") == [0, 1]


def test_a_tile_of_nobody_who_plays_is_ignored(table):
    command = PlaceTile(seat="blue-sailor", tile="sight-blue-sailor-1", card="target-001", symbols=("bomb",))
    assert table.do(command) == []
    table.tell(TilePlaced(round=1, seat="blue-sailor", tile="x", card="target-001", symbols=("bomb",)))
    table.rest()
    assert table.kinds() == []
    assert table.conflicts() == []
    assert table.counts("RP", "BP", "YS") == [0, 0, 0]


@pytest.mark.parametrize(("value", "after"), [("keep", [1, 0]), ("allow", [0, 1])])
def test_a_tile_that_moves_later_is_a_question_and_its_first_pose_counts(table, value, after):
    table.place("RP", "BP", "none", "none", card="target-010")
    table.move("RP", "YS", "none", "none", card="target-011")
    table.rest()
    (question,) = table.questions()
    assert question.kind == "moved"
    assert values(question)[0] == "keep"
    table.answer(value)
    assert table.counts("BP", "YS") == after


def test_a_tile_that_moved_is_a_question_even_when_it_shows_the_same(table):
    table.place("RP", "BP", "none", "none", card="target-010")
    table.move("RP", "BP", "none", "none", card="target-010")
    assert table.kinds() == ["moved"]


def test_a_doubtful_tile_that_comes_after_its_seat_was_waived_is_asked(table):
    table.do(WaiveTile(seat=full("RP")))
    table.place("RP", "BP", "none", "none", turn_off_deg=45.0)
    assert table.kinds() == ["crooked"]


def test_a_black_pirate_waits_for_an_earlier_tile_that_is_in_doubt(table):
    """Red Pirate's tile lies on the card under a crooked one: nothing is asked about it yet, but it may shoot first."""
    table.place("YS", "none", "none", "none", card="target-010", turn_off_deg=45.0)
    table.place("RP", "YS", "none", "none", card="target-010")
    table.place("BP", "black", "none", "none")
    assert table.kinds() == ["crooked"]
    table.answer("nothing")
    assert table.kinds() == ["victim"]


def test_a_tile_seen_again_as_it_was_is_nothing_new(table):
    table.place("RP", "BP", "none", "none", card="target-010")
    again = PlaceTile(
        seat=full("RP"), tile="sight-red-pirate-1", card="target-010", symbols=("blue-pirate", "none", "none")
    )
    assert table.do(again) == []
    table.tell(TilePlaced(round=1, seat=again.seat, tile=again.tile, card=again.card, symbols=again.symbols))
    table.rest()
    assert table.kinds() == []
    assert table.counts("BP") == [1]


def test_a_tile_taken_up_is_no_observation(table):
    table.place("RP", "BP", "none", "none")
    assert table.do(MoveTile(seat=full("RP"), tile="sight-red-pirate-1", card=None)) == []


def test_whose_tile_it_is(table):
    table.place("RP", "YS", "none", "none", seat_sure=False, seats=(("red-pirate", 0.5), ("blue-pirate", 0.4)))
    table.place("YS", "none", "none", "none")
    question = table.ask()
    assert question.kind == "tile"
    assert values(question) == [full("RP"), full("BP"), full("YS"), "nobody"]
    table.answer("BP")
    table.place("RP", "none", "none", "none", tile=2)
    assert table.kinds() == ["symbol"] * 3  # it was read as a tile that has its holes elsewhere
    for symbol in ("YS", "none", "none"):
        table.answer(symbol)
    assert table.counts("YS") == [1]


def test_a_tile_that_is_whose_it_was_thought_to_be_shows_what_was_read(table):
    table.place("RP", "YS", "none", "none", seat_sure=False, seats=(("red-pirate", 0.5), ("blue-pirate", 0.4)))
    table.answer("RP")
    table.rest()
    assert table.counts("YS") == [1]
    assert table.state.now.placement_of(full("BP")) is not None


def test_nobodys_tile(table):
    table.place("RP", "bomb", "none", "none", seat_sure=False)
    table.answer("nobody")
    table.rest()
    assert table.counts("RP", "BP", "YS") == [0, 0, 0]


def test_between_two_characters_nobody_plays_nothing_is_asked(table):
    table.tell(
        TilePlaced(
            round=1,
            seat="blue-sailor",
            tile="x",
            seat_sure=False,
            seats=(("blue-sailor", 0.6), ("red-sailor", 0.4)),
            card="target-001",
        )
    )
    assert table.kinds() == []


def test_which_card_it_is_decides_how_many_parrots(table):
    cards = (("target-005", 0.5), ("target-007", 0.5))
    table.place("RP", "parrot", "none", "none", card="target-005", card_sure=False, cards=cards)
    table.rest()
    question = table.ask()
    assert question.kind == "card"
    assert values(question) == ["target-005", "target-007", "unknown"]
    table.answer("target-007")
    assert table.kinds() == ["sight"]
    table.answer("parrot+none+none")
    assert table.seat("RP").parrots == 3


def test_what_was_read_on_the_card_that_the_camera_meant_is_not_taken_for_another(table):
    cards = (("target-005", 0.5), ("target-007", 0.5))
    ways = {"target-007": (("rum", "blue-pirate", "none"), ("parrot", "none", "none"))}
    table.place("RP", "parrot", "none", "none", card="target-005", card_sure=False, cards=cards, ways=ways)
    table.rest()
    table.answer("target-007")
    assert values(table.ask("sight"))[:2] == ["rum+blue-pirate+none", "parrot+none+none"]
    table.answer("rum+blue-pirate+none")
    assert table.kinds() == []
    assert table.counts("BP") == [1]


def test_what_was_read_stays_where_a_person_names_the_card_that_the_camera_meant(table):
    cards = (("target-005", 0.5), ("target-007", 0.5))
    table.place("RP", "parrot", "none", "none", card="target-005", card_sure=False, cards=cards)
    table.rest()
    table.answer("target-005")
    assert table.kinds() == []


def test_a_tile_whose_card_is_named_may_be_on_a_taken_one(table):
    table.place("RP", "parrot", "none", "none", card="target-005")
    cards = (("target-006", 0.5), ("target-005", 0.4))
    table.place("BP", "parrot", "none", "none", card="target-006", card_sure=False, cards=cards)
    table.rest()
    table.answer("target-005", "card")
    assert table.kinds() == ["taken"]


@pytest.mark.parametrize("fields", [{"bare_mm": 12.0}, {"turn_off_deg": 15.0}])
def test_a_symbol_seen_to_show_too_little_is_asked_once_a_tile_seen_askew_counts(table, fields):
    table.place("RP", "rum", "BP", "none", shares=(1.0, 0.1, 0.0), **fields)
    table.rest()
    assert table.kinds() in (["bare"], ["crooked"])
    table.answer("allow")
    (question,) = table.questions()
    assert (question.kind, question.about["hole"]) == ("symbol", 1)
    assert "none" in values(question)
    table.answer("BP")
    assert table.counts("BP") == [1]


def test_a_card_of_an_earlier_round_cannot_come_again(table):
    table.place("RP", "parrot", "none", "none", card="target-007")
    table.rest()
    table.next()
    table.place("RP", "parrot", "none", "none", card="target-007", cards=(("target-007", 0.9), ("target-006", 0.1)))
    table.rest()
    question = table.ask()
    assert question.kind == "card"
    assert values(question)[0] == "target-006"
    table.answer("target-006")
    table.answer("parrot+none+none", "sight")
    assert table.kinds() == []
    assert table.seat("RP").parrots == 5


def test_a_waived_tile_that_comes_after_all_counts(table):
    table.do(WaiveTile(seat=full("RP")))
    table.place("RP", "BP", "none", "none")
    table.rest()
    assert table.counts("BP") == [1]
    with pytest.raises(RuleBroken, match="already"):
        table.do(WaiveTile(seat=full("RP")))
    assert table.state.now.waived == ()


def test_a_doubtful_tile_is_settled_by_waiving(table):
    table.place("RP", "BP", "none", "none", turn_off_deg=45.0)
    table.do(WaiveTile(seat=full("RP")))
    table.rest()
    assert table.kinds() == []
    assert table.state.phase == "resolved"
    assert table.counts("BP") == [0]


def test_a_tile_of_a_player_who_is_out_is_a_conflict(table):
    table = HookTable("RP", "BP", "YS", "RS")
    table.balls(RP=9)
    number = table.place("RP", "bomb", "none", "none")
    table.rest()
    assert table.conflicts() == [number]
    assert table.counts("BP", "YS", "RS") == [0, 0, 0]


# Taps


def test_taps_that_the_rules_do_not_allow_are_refused(table):
    def tap(seat, *symbols, kind=PlaceTile, **fields):
        table.do(kind(seat=full(seat), symbols=tuple(full(s) for s in symbols), source="tap", **fields))

    tap("RP", "BP", "none", card="target-090")
    with pytest.raises(RuleBroken, match="already"):
        tap("RP", "BP", "none")
    with pytest.raises(RuleBroken, match=r"already \(Red Pirate\)"):
        tap("BP", "none", card="target-090")
    with pytest.raises(RuleBroken, match="no Target card"):
        tap("BP", "none", card="ace-of-spades")
    with pytest.raises(RuleBroken, match="does not play"):
        tap("BS", "none")
    with pytest.raises(RuleBroken, match="twelve symbols"):
        tap("BP", "octopus")
    with pytest.raises(RuleBroken, match="not placed"):
        tap("BP", "none", kind=MoveTile)
    with pytest.raises(RuleBroken, match="no such round"):
        tap("BP", "none", round=2)
    tap("BP", "parrot", parrots=4)
    table.rest()
    assert table.seat("BP").parrots == 4
    assert table.counts("BP") == [1]


@pytest.mark.parametrize("fields", [{"turn_off_deg": 45.0}, {"face_up": False}, {"card": None}])
@pytest.mark.parametrize("tile", ["", "sight-red-pirate-1", "sight-red-pirate-3"])
def test_a_tile_entered_by_hand_settles_what_the_camera_was_unsure_of(table, fields, tile):
    table.place("RP", "BP", "none", "none", **fields)
    tap = PlaceTile(seat=full("RP"), tile=tile, symbols=("yellow-sailor",), source="tap")
    table.do(tap)
    table.rest()
    assert table.kinds() == []
    assert table.counts("BP", "YS") == [0, 1]


def test_a_tile_entered_by_hand_after_one_that_was_ruled_out(table):
    table.place("RP", "BP", "none", "none", tile=1)
    table.do(RulePlacement(tile="sight-red-pirate-1", allowed=False))
    table.do(PlaceTile(seat=full("RP"), tile="sight-red-pirate-2", symbols=("yellow-sailor",), source="tap"))
    table.rest()
    assert table.kinds() == []
    assert table.counts("BP", "YS") == [0, 1]


def test_a_move_entered_by_hand_counts_as_said(table):
    table.place("RP", "BP", "none", "none")
    table.do(MoveTile(seat=full("RP"), symbols=("yellow-sailor",), source="tap"))
    table.rest()
    assert table.kinds() == []
    assert table.counts("BP", "YS") == [0, 1]


def test_any_reading_can_be_ruled_or_read_anew_without_being_asked(table):
    table.place("RP", "BP", "parrot", "none", card="target-003")
    table.rest()
    assert (table.counts("BP"), table.seat("RP").parrots) == ([1], 3)
    table.do(ReadSymbol(tile="sight-red-pirate-1", hole=0, symbol="yellow-sailor"))
    assert table.counts("BP", "YS") == [0, 1]
    table.do(ReadSymbol(tile="sight-red-pirate-1", hole=1, symbol="none"))
    assert table.seat("RP").won == 0
    table.do(RulePlacement(tile="sight-red-pirate-1", allowed=False))
    assert table.state.now.missing == (full("RP"),)
    with pytest.raises(RuleBroken, match="no such hole"):
        table.do(ReadSymbol(tile="sight-red-pirate-1", hole=3, symbol="none"))
    with pytest.raises(RuleBroken, match="twelve"):
        table.do(ReadSymbol(tile="sight-red-pirate-1", hole=0, symbol="octopus"))
    with pytest.raises(RuleBroken, match="no such Sight tile"):
        table.do(ReadSymbol(tile="sight-red-sailor-1", hole=0, symbol="none"))


def test_every_question_can_be_said_in_german_and_has_its_own_key(table):
    table.place("RP", "rum", "bomb", "none", unsure=(0, 1))
    table.place("BP", "rum", "bomb", "none", turn_off_deg=45.0)
    keys = [question.key for question in table.questions()]
    assert len(set(keys)) == len(keys) == 3
