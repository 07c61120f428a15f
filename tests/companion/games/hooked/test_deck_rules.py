"""What a deck must hold for Hooked!, and what a match is told of it."""

from pathlib import Path

from hooked_table import HookedTable

from companion.deck import Deck, Piece
from companion.games.hooked.deck_rules import options, problems, warnings
from companion.games.hooked.names import ACTIONS


def deck(*pieces):
    return Deck(Path(), "test", "hooked", pieces)


def fish(id, number, copies=3):
    values = {} if number is None else {"number": number}
    return Piece(id, "fish-card", "x.png", copies=copies, values=values)


def action(id, copies=2):
    return Piece(id, "action-card", "x.png", copies=copies)


FULL = deck(*(fish(f"species-{n}", n) for n in range(1, 19)), *(action(id) for id in ACTIONS))


def test_the_whole_box():
    assert problems(FULL) == warnings(FULL) == []
    cards = options(FULL)["cards"]
    assert cards["species-8"] == {"kind": "fish", "number": 8, "name": "Species 8", "copies": 3}
    assert cards["net-cast"] == {"kind": "action", "number": 0, "name": "Net Cast", "copies": 2}
    assert HookedTable(3, **options(FULL)).stacks() == (21, 21, 20)


def test_what_keeps_it_from_being_played():
    assert problems(deck(action("net-cast"))) == ['no fish cards. Add pieces of kind = "fish-card".']
    found = problems(deck(fish("walleye", 8), fish("coho", 8), fish("gar", None), action("bait")))
    assert [line.split(":")[0] for line in found] == ["pieces walleye and coho", "piece gar", "piece bait"]


def test_what_is_unusual():
    found = warnings(deck(fish("walleye", 8, copies=2), action("net-cast", copies=1)))
    assert found[-1] == "3 cards where the box has 62."
    assert len(found) == 3
