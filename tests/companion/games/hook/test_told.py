"""What people read: the round told, the history, why a score is what it is, headlines and results; in two languages."""

import msgspec
import pytest
from hook_table import HookTable, full

from companion.games.hook.facts import Recount, WaiveTile
from companion.games.hook.names import CHARACTERS, SYMBOLS, seat_name, symbol_name, team_name
from companion.games.hook.rules import RULES
from companion.games.hook.sentences import headline, result, tell
from companion.games.hook.view import history, recount_sheet, view, why


def said(table, language="en"):
    return [told.text.to(language) for told in tell(table.state.setup, table.state.now)]


@pytest.fixture
def example():
    """The example of the rulebook."""
    table = HookTable("BP", "YS", "RP")
    table.balls(RP=8)
    table.place("BP", "bomb", "parrot", "parrot")
    table.place("YS", "RP", "black", "BS")
    table.place("RP", "barrel", "rum", "rum")
    return table


def test_the_example_is_told_in_turn_order(example):
    assert "Yellow Sailor: whom the Black Pirate hits is still to be chosen" in said(example)
    assert headline(example.state).to("en") == "A question is open"
    example.answer("BP")
    assert said(example) == [
        "Blue Pirate: bomb, everyone takes a hit",
        "Blue Pirate: parrot in sight, but the bomb sends the card back into the box",
        "Yellow Sailor aims at Red Pirate, who hides behind a barrel",
        "Yellow Sailor: the Black Pirate hits Blue Pirate",
        "Yellow Sailor aims at Blue Sailor, but nobody plays that character",
        "Red Pirate takes cover behind a barrel",
        "Red Pirate drinks 2 bottles of rum",
        "Red Pirate is saved by the rum",
        "The score was put right from what lies on the table",
    ]
    assert said(example, "de")[0] == "Blauer Pirat: Bombe, alle bekommen einen Treffer"
    assert headline(example.state).to("en") == "The Compass goes to Yellow Sailor"


def test_the_same_symbol_twice_is_one_sentence():
    table = HookTable("BP", "YS", "RP")
    table.place("BP", "RP", "RP", "BP")
    table.place("YS", "bomb", "bomb", "none")
    table.place("RP", "cage", "barrel", "rum")
    assert said(table) == [
        "Blue Pirate aims at Red Pirate, who hides behind a bird cage",
        "Blue Pirate: a Cannonball slips and hits their own foot",
        "Yellow Sailor: 2 bombs, everyone takes 2 hits",
        "Red Pirate takes cover behind a bird cage",
        "Red Pirate drinks a bottle of rum",
    ]


@pytest.mark.parametrize(
    ("sight", "sentence"),
    [
        (("YS", "YS", "none"), "Blue Pirate hits Yellow Sailor 2 times"),
        (("YS", "none", "none"), "Blue Pirate hits Yellow Sailor"),
        (("BP", "BP", "none"), "Blue Pirate: 2 Cannonballs slip and hit their own feet"),
        (("RS", "none", "none"), "Blue Pirate aims at Red Sailor, who is out already"),
        (("parrot", "none", "none"), "Blue Pirate takes a Target card with 3 parrots"),
    ],
)
def test_sentences(sight, sentence):
    table = HookTable("BP", "YS", "RP", "RS", parrots={"three": 3})
    table.balls(RS=9)
    table.place("BP", *sight, card="three")
    table.do(WaiveTile(seat=full("YS")))
    table.rest()
    assert sentence in said(table)
    assert "Yellow Sailor: no Sight tile this round" in said(table)


@pytest.mark.parametrize(
    ("victim", "cover", "sentence"),
    [
        ("BP", "none", "Blue Pirate: the Black Pirate hits Blue Pirate"),
        ("YS", "none", "Blue Pirate: the Black Pirate hits Yellow Sailor"),
        ("YS", "barrel", "Blue Pirate: Black Pirate at Yellow Sailor, who hides behind a barrel"),
        ("YS", "cage", "Blue Pirate: Black Pirate at Yellow Sailor, who hides behind a bird cage"),
    ],
)
def test_black_pirates_are_told(victim, cover, sentence):
    table = HookTable("BP", "YS", "RP")
    table.place("BP", "black", "none", "none")
    table.place("YS", cover, "none", "none")
    table.rest()
    table.answer(victim)
    assert sentence in said(table)


def test_knocked_out_is_told_only_when_it_is_certain():
    table = HookTable("BP", "YS", "RP", "RS")
    table.balls(RP=8)
    table.place("BP", "RP", "none", "none")
    table.place("RP", "none", "none", "none", unsure=(0,))
    table.rest()
    out = "Red Pirate is knocked out and returns to the cabin; all collected cards go into the box"
    assert out not in said(table)
    assert "Red Pirate: one symbol is still open" in said(table)
    table.answer("bomb")
    assert out in said(table)


def test_headlines():
    table = HookTable("BP", "YS", "RP")
    assert headline(table.state).to("en") == "Round 1 of 32. Blue Pirate gives the starting signal"
    table.place("BP", "none", "none", "none")
    assert headline(table.state).to("en") == "Place your Sight tiles: 2 still missing"
    table.place("RP", "none", "none", "none")
    assert headline(table.state).to("en") == "Waiting for the Sight tile of: Yellow Sailor"


def ended(*seats, teams="none", balls=None, **won):
    table = HookTable(*seats, teams=teams)
    all_seats = table.state.setup.seats
    table.do(
        Recount(
            stacks=dict.fromkeys(all_seats, 1),
            balls={full(s): n for s, n in (balls or {}).items()},
            won={full(s): 1 for s in won},
            parrots={full(s): n for s, n in won.items()},
        )
    )
    table.rest() if not table.state.over else None
    return result(table.state).to("en")


def test_results():
    assert ended("BP", "YS", "RP", RP=3, BP=1) == "Most parrots, and victory: Red Pirate"
    assert ended("BP", "YS", "RP", RP=3, BP=3) == "Blue Pirate and Red Pirate share the victory"
    assert ended("BP", "YS", "RP") == "Shared victory: Blue Pirate, Yellow Sailor, Red Pirate"
    assert ended("BP", "YS", "RP", balls={"BP": 9, "YS": 9}) == "Last one standing, and victory: Red Pirate"
    four = ("RP", "YP", "RS", "YS")
    assert ended(*four, teams="sides", balls={"RP": 9, "YP": 9}) == "Last team standing, and victory: Sailors"
    assert ended(*four, teams="colour", RP=2) == "Most parrots, and victory: Red"
    assert ended("BP", "YS", "RP", balls={"BP": 9, "YS": 9, "RP": 9}).startswith("All are out at once")
    assert result(HookTable("BP", "YS", "RP").state).to("en") == ""


def test_why_names_the_facts_that_made_a_score(example):
    example.answer("BP")
    example.next()
    example.place("RP", "BP", "none", "none", card="t")
    example.rest()
    reasons = why(example.state, full("BP"))
    assert [reason.round for reason in reasons] == [1, 2]
    first, second = reasons
    assert (first.balls_before, first.balls, second.balls) == (0, 2, 3)
    assert first.sum.to("en") == "Blue Pirate: 0 + 2 − 0 = 2"
    texts = [told.text.to("en") for told in first.told]
    assert "Yellow Sailor: the Black Pirate hits Blue Pirate" in texts
    kinds = {type(example.facts[number]).__name__ for number in first.facts}
    assert kinds == {"TilePlaced", "TargetChosen", "Recounted"}
    assert set(first.facts) <= set(example.facts)
    parrots = why(example.state, full("YS"))
    assert parrots[0].parrots == 0


def test_why_tells_recounts_and_nothing_of_the_round_that_is_played():
    table = HookTable("BP", "YS", "RP")
    table.rest()
    table.do(Recount(balls={full("YS"): 5}))
    table.next()
    table.place("BP", "YS", "none", "none")
    (reason,) = why(table.state, full("YS"))
    assert reason.sum.to("en") == "Yellow Sailor: recounted, 5"


def test_the_history_has_all_readings_newest_round_first(example):
    example.answer("BP")
    example.next()
    example.place("RP", "BP", "none", "none", turn_off_deg=40.0)
    rounds = history(example.state)
    assert [past.number for past in rounds] == [2, 1]
    (crooked,) = rounds[0].readings
    assert (crooked.status, crooked.faults) == ("asked", ("crooked",))
    yellow = rounds[1].readings[1]
    assert [hole.symbol for hole in yellow.holes] == ["red-pirate", "black-pirate", "blue-sailor"]
    assert yellow.holes[1].victim == full("BP")
    assert example.facts[yellow.fact].seat == full("YS")
    assert rounds[1].facts[0] == (2, "Recounted")
    assert rounds[0].sums == ()


def test_the_page_as_data(example):
    example.answer("BP")
    page = view(example.state)
    data = msgspec.json.decode(msgspec.json.encode(page))
    assert data["panels"][0]["seat"]["balls"] == 2
    assert page.told_round == 1
    example.next()
    assert view(example.state).told_round == 1
    example.place("RP", "BP", "none", "none")
    assert view(example.state).told_round == 2
    assert view(example.state).missing == (full("BP"), full("YS"))


def test_the_recount_sheet_changes_nothing_when_sent_as_it_is(example):
    example.answer("BP")
    before = example.state
    example.do(recount_sheet(before))
    assert example.state.seats == before.seats
    assert (example.state.compass, example.state.boxed) == (before.compass, before.boxed)
    example.next()
    before = example.state
    example.do(recount_sheet(before))
    assert example.state.seats == before.seats


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_name_has_words(language):
    names = [symbol_name(s).to(language) for s in (*SYMBOLS, "none", "unread")]
    assert len(set(names)) == len(names)
    assert all(not set(name) & set("-_{}") for name in names)
    assert [seat_name(s).to("de") for s in CHARACTERS[:2]] == ["Roter Pirat", "Gelber Pirat"]
    assert {team_name(t).to(language) for t in ("red", "pirates")} in ({"Red", "Pirates"}, {"Rot", "Piraten"})


def test_questions_have_symbols_to_show(example):
    (question,) = RULES.questions(example.state)
    assert question.choices[0].symbol in CHARACTERS
    assert question.sentence.to("de") == "Gelber Matrose: Wen trifft dein Schwarzer Pirat?"
