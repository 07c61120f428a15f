"""What nobody should send, and what happens when somebody does: refused with a sentence."""

import msgspec
import pytest
from hooked_table import MS, HookedTable, started

from companion.core.facts import MatchStarted, RuleBroken
from companion.games.hooked import facts as f
from companion.games.hooked.facts import (
    CardFlipped,
    Edge,
    Flip,
    PassCard,
    Pressed,
    Recount,
    Recounted,
    RuleFlip,
    RulePress,
    TellSlap,
    Veto,
)
from companion.games.hooked.names import seat_name, why_name
from companion.games.hooked.rules import RULES, press
from companion.games.hooked.sentences import card_name, headline, tell
from companion.words import spoken
from companion.world import Player, Press

PATTERNS = ("{x}", "{0}", "{", "}", "{0.__class__}", "", "seat-99", "seat-²")


@pytest.fixture
def table():
    table = HookedTable(3)
    table.flip(8)
    return table


@pytest.mark.parametrize("name", PATTERNS)
def test_names_are_never_patterns(table, name):
    assert why_name(name).to("en") == card_name(table.state.setup, name).to("de") == name
    assert seat_name(name).to("de") == ("Platz 99" if name == "seat-99" else name)
    commands = [
        Edge(seat=name, level=1, t_ns=5),
        TellSlap(seat=name),
        Recount(stacks={name: 1}),
        Recount(turn=name),
        Recount(out=(name,)),
        RuleFlip(flip=2, seat=name),
        RuleFlip(flip=2, card=name),
        RulePress(flip=2, seat=name, press_ns=1, meant="slap"),
        Veto(seat=name, flip=2),
        Flip(card=name, source="tap"),
    ]
    if name:
        commands.append(Flip(card="fish-3", seat=name))
    for command in commands:
        with pytest.raises(RuleBroken) as refusal:
            table.do(command)
        assert refusal.value.sentence.to("de")
    table.flip(name)
    table.flip(name, card_sure=False, cards=((name, 0.5), ("fish-3", 0.1)))
    page = (headline(table.state), tell(table.state), RULES.questions(table.state))
    for language in ("en", "de"):
        assert spoken(msgspec.to_builtins(page), language)


@pytest.mark.parametrize(
    "command",
    [
        Edge(seat="seat-1", level=2, t_ns=5),
        Edge(seat="seat-1", level=-1, t_ns=5),
        Flip(card="fish-3", seen_ns=-5),
        Flip(card="fish-3", seen_ns=2**63 - 1, before_ns=5),
        Flip(card="fish-3", seen_ns=5, before_ns=6),
        TellSlap(seat="seat-1", flip=99),
        TellSlap(seat="seat-1", flip=-1),
        PassCard(flip=1),
        Veto(),
        Veto(flip=2),
        RuleFlip(flip=2),
        RuleFlip(flip=0, counts=False),
        RuleFlip(flip=7, counts=False),
        RulePress(flip=2, seat="seat-1", press_ns=1, meant="slap"),
        Recount(),
        Recount(stacks={"seat-1": -1}),
        Recount(stacks={"seat-1": 63}),
        Recount(stacks={"seat-1": 10}, lake=1),
        Recount(lake=-1),
        Recount(direction=0),
        Recount(out=("seat-1",)),
        Recount(stacks={"seat-2": 0}, turn="seat-2"),
    ],
)
def test_nonsense_is_refused_with_a_sentence(table, command):
    before = table.state
    with pytest.raises(RuleBroken) as refusal:
        table.do(command)
    assert refusal.value.sentence.to("de") != ""
    assert table.state == before


def test_corrections_that_make_no_sense(table):
    for changes in ({"card": "pike"}, {"seat": "seat-9"}, {"seen_ns": -1}, {"before_ns": 2**60, "seen_ns": 5}):
        with pytest.raises(RuleBroken):
            table.correct(2, **changes)
    flip = table.facts[2]
    with pytest.raises(RuleBroken):
        RULES.replace(table.state, flip, Pressed(seat="seat-1", level=1))
    with pytest.raises(RuleBroken):
        RULES.replace(table.state, Pressed(seat="seat-1", level=0), Pressed(seat="seat-1", level=1))
    counted = Recounted(stacks={"seat-1": 5})
    for bad in ({"seat-1": 63}, {"seat-1": -1}, {"nobody": 1}):
        with pytest.raises(RuleBroken):
            RULES.replace(table.state, counted, Recounted(stacks=bad))


def test_apply_is_total(table):
    """Facts that no command makes: a journal folds whatever it holds."""
    strange = (
        CardFlipped(seat="nobody", card="pike"),
        CardFlipped(seat="", card="", seen_ns=-5, before_ns=7),
        Pressed(seat="nobody", level=7),
        Pressed(seat="nobody", level=1),
        Pressed(seat="nobody", level=0),
        Pressed(seat="seat-1", level=1, t_ns=-4),
        f.SlapTold(flip=99, seat="nobody"),
        f.SlapTold(flip=2, seat="nobody"),
        f.CardPassed(flip=99),
        f.Vetoed(flip=2, seat="nobody"),
        f.FlipRuled(flip=2, seat="nobody", card="pike"),
        f.PressRuled(flip=2, seat="nobody", press_ns=-1, meant="slap"),
        Recounted(stacks={"seat-1": 99}),
        Recounted(stacks={"seat-1": -1, "nobody": 3}, turn="nobody", out=("nobody",)),
    )
    for fact in strange:
        table.tell(fact)
        table.press(1, 300)
        assert table.accounted() == 62
        assert RULES.questions(table.state) is not None
        assert tell(table.state) is not None
    assert len(RULES.conflicts(table.state)) >= 2
    assert table.fold() == table.state


@pytest.mark.parametrize("cards", [(8, 3), (8, 8), (8, 8, 2)])
def test_the_button_of_a_seat_that_does_not_play_is_nobodys(cards):
    """Neither a wrong slap, nor a right one, nor one that came just as the next card was flipped."""
    table = HookedTable(3)
    for card in cards:
        table.flip(card)
    before = table.state
    for ms, level in ((20, 1), (100, 0), (300, 1), (380, 0)):
        table.tell(Pressed(seat="nobody", level=level), table.seen + ms)
    assert table.state == before
    table.press(3, 350)
    assert table.accounted() == 62
    assert list(table.meant()) == ["seat-3"]


@pytest.mark.parametrize(
    "options",
    [
        {"teams": "none"},
        {"dead_heat": "fight"},
        {"empty_hook": None},
        {"false_start": ["wrong"]},
        {"cards": {}},
        {"cards": []},
        {"cards": {"walleye": {}}},
        {"cards": {"walleye": {"kind": "fish"}}},
        {"cards": {"walleye": {"kind": "fish", "number": True}}},
        {"cards": {"walleye": {"kind": "fish", "number": 8, "copies": 0}}},
        {"cards": {"walleye": {"kind": "fish", "number": 8, "copies": 10**6}}},
        {"cards": {"walleye": {"kind": "fish", "number": 8, "name": 5}}},
        {"cards": {"bait": {"kind": "action", "number": 0, "name": "Bait"}}},
        {"windows": {"tie": 3}},
        {"windows": {"tie": 0.1}},
        {"windows": {"nap": 3}},
        {"windows": {"settle": -1}},
        {"windows": {"settle": float("nan")}},
        {"windows": {"settle": 0}},
        {"windows": {"settle": 9}},
        {"windows": {"settle": 501}},
        {"windows": {"confirm": 0}},
        {"windows": {"confirm": 1}},
        {"windows": {"confirm": 21}},
        {"windows": {"quiet": 5}},
        {"windows": {"quiet": 101}},
        {"windows": {"rearm": -1}},
        {"windows": 5},
    ],
)
def test_impossible_options(options):
    with pytest.raises(RuleBroken) as refusal:
        RULES.check(started(3, **options))
    assert refusal.value.sentence.to("de")


def test_a_window_out_of_bounds_is_named_with_them():
    with pytest.raises(RuleBroken) as refusal:
        RULES.check(started(3, windows={"confirm": 1, "tie": 0.25}))
    assert str(refusal.value.sentence) == "The confirm window is 2 to 20 milliseconds."


@pytest.mark.parametrize("stacks", [{}, {"seat-1": 62}, {"seat-1": 60, "seat-2": 3}, {"seat-1": 0, "seat-2": 0}, 5])
def test_impossible_stacks(stacks):
    players = (Player("seat-1", "Ada"), Player("seat-2", "Bo"))
    with pytest.raises(RuleBroken):
        RULES.check(MatchStarted(game="hooked", rules=1, players=players, options={"stacks": stacks}))


@pytest.mark.parametrize("seats", [(), ("seat-1",), ("seat-1", "seat-1"), ("seat-1", ""), tuple("abcdefg")])
def test_impossible_players(seats):
    with pytest.raises(RuleBroken):
        RULES.check(MatchStarted(game="hooked", rules=1, players=tuple(Player(seat, "x") for seat in seats)))


def test_windows_are_milliseconds():
    table = HookedTable(2, windows={"tie": 2, "false_start": 150, "settle": 60})
    assert table.state.setup.windows.tie_ns == 2 * MS
    assert table.state.setup.windows.false_start_ns == 150 * MS
    table.flip(8)
    table.flip(8)
    table.press(1, 300)
    table.press(2, 301.9)
    assert table.slap().dead_heat == ("seat-1", "seat-2")


def test_the_command_of_an_edge():
    command = press(Press("seat-1", 42, 1, "software"))
    assert command == Edge(seat="seat-1", level=1, clock="software", t_ns=42)
