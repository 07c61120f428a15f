"""What people read: the round told, the facts a score rests on, headlines and results; in two languages."""

import msgspec
import pytest
from hook_table import HookTable, full

from companion.games.hook.ending import scores
from companion.games.hook.facts import Recount, WaiveTile
from companion.games.hook.names import CHARACTERS, SYMBOLS, seat_name, symbol_name, team_name
from companion.games.hook.rules import RULES
from companion.games.hook.sentences import headline, result, sums, tell


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
    assert ended("BP", "YS", "RP") == "Blue Pirate, Yellow Sailor and Red Pirate share the victory"
    assert ended("BP", "YS", "RP", balls={"BP": 9, "YS": 9}) == "Last one standing, and victory: Red Pirate"
    four = ("RP", "YP", "RS", "YS")
    assert ended(*four, teams="sides", balls={"RP": 9, "YP": 9}) == "Last team standing, and victory: Sailors"
    assert ended(*four, teams="colour", RP=2) == "Most parrots, and victory: Red"
    assert ended("BP", "YS", "RP", balls={"BP": 9, "YS": 9, "RP": 9}).startswith("All are out at once")
    assert result(HookTable("BP", "YS", "RP").state).to("en") == ""


def about(table, seat, number):
    """The sentences of a round that explain a seat's balls and cards, and its sum."""
    setup, past = table.state.setup, table.state.rounds[number - 1]
    told = [one for one in tell(setup, past) if full(seat) in one.seats]
    (summed,) = (one.text.to("en") for one in sums(setup, past) if one.actor == full(seat))
    return told, summed


def test_sentences_name_the_facts_that_made_a_score(example):
    example.answer("BP")
    example.next()
    example.place("RP", "BP", "none", "none", card="t")
    example.rest()
    told, summed = about(example, "BP", 1)
    assert summed == "Blue Pirate: 0 + 2 − 0 = 2"
    assert "Yellow Sailor: the Black Pirate hits Blue Pirate" in [one.text.to("en") for one in told]
    facts = {fact for one in told for fact in one.facts}
    assert facts <= set(example.facts)
    assert {type(example.facts[fact]).__name__ for fact in facts} == {"TilePlaced", "TargetChosen", "Recounted"}
    told, summed = about(example, "BP", 2)
    assert summed == "Blue Pirate: 2 + 1 − 0 = 3"
    (hit,) = (one for one in told if one.text.to("en") == "Red Pirate hits Blue Pirate")
    assert [example.facts[fact].seat for fact in hit.facts] == [full("RP")]
    assert [(score.team, score.parrots) for score in scores(example.state.setup, example.state.rounds[0].end)] == [
        (full("BP"), 0),
        (full("YS"), 0),
        (full("RP"), 0),
    ]


def test_a_recount_is_told_with_its_fact_in_the_round_it_is_about():
    table = HookTable("BP", "YS", "RP")
    table.rest()
    (recount,) = table.do(Recount(balls={full("YS"): 5}))
    table.next()
    table.place("BP", "YS", "none", "none")
    told, _summed = about(table, "YS", 1)
    assert [(one.text.to("en"), one.facts) for one in told] == [
        ("The score was put right from what lies on the table", (recount,))
    ]
    assert said(table) == ["Blue Pirate hits Yellow Sailor"]


def test_all_readings_of_all_rounds_are_kept(example):
    example.answer("BP")
    example.next()
    example.place("RP", "BP", "none", "none", turn_off_deg=40.0)
    first, second = example.state.rounds
    (crooked,) = second.placements
    assert (crooked.status, crooked.faults) == ("asked", ("crooked",))
    yellow = first.placements[1]
    assert yellow.symbols == ("red-pirate", "black-pirate", "blue-sailor")
    assert yellow.victims[1] == full("BP")
    assert example.facts[yellow.id].seat == full("YS")
    assert (first.settled, second.settled) == (True, False)


def test_the_score_as_data(example):
    example.answer("BP")
    data = msgspec.json.decode(msgspec.json.encode(example.state))
    assert data["seats"][0]["balls"] == 2
    example.next()
    example.place("RP", "BP", "none", "none")
    assert example.state.now.missing == (full("BP"), full("YS"))


def as_it_lies(state):
    """A recount of every number as the program believes it to be."""
    return Recount(
        round=state.round,
        after=state.now.settled,
        balls={s.seat: s.balls for s in state.seats},
        won={s.seat: s.won for s in state.seats},
        parrots={s.seat: s.parrots for s in state.seats},
        stacks={s.seat: s.stack for s in state.seats},
        compass=state.compass,
        out=tuple(s.seat for s in state.seats if s.out is not None),
    )


def test_a_recount_of_what_is_known_already_changes_nothing(example):
    example.answer("BP")
    before = example.state
    example.do(as_it_lies(before))
    assert example.state.seats == before.seats
    assert (example.state.compass, example.state.boxed) == (before.compass, before.boxed)
    example.next()
    before = example.state
    example.do(as_it_lies(before))
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
