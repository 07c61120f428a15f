"""A Sight tile none of whose holes is read surely is one question, not three: what shows through all of them?"""

import pytest
from hook_table import HookTable, full
from scenes import Watched, card, tile

from companion.deck import Hole, Mark, Piece
from companion.games.hook.facts import SightUnlisted, SymbolRead
from companion.games.hook.sighted import Pieces
from companion.games.hook.watcher import HookWatcher
from companion.games.hook.ways import likeliest, ways

ALL = (0, 1, 2)
WAYS = {"target-050": (("bomb", "blue-pirate", "none"), ("rum", "none", "none"))}
"""As the camera saw it (barrel, Blue Pirate, nothing) it can show on no turn of this card."""


@pytest.fixture
def table():
    return HookTable("RP", "BP", "YS", parrots={f"target-{n:03}": n % 4 for n in range(1, 97)})


def doubtful(table, **more):
    fields = {"unsure": ALL, "card": "target-050", "ways": WAYS} | more
    return table.place("RP", "barrel", "BP", "none", **fields)


def values(question):
    return [choice.value for choice in question.choices]


def test_one_question_offers_the_sights_that_can_be(table):
    doubtful(table, picture="p.jpg")
    (question,) = table.questions()
    assert question.kind == "sight"
    assert not question.obliged
    assert question.about["picture"] == "p.jpg"
    assert "hole" not in question.about
    assert values(question) == ["bomb+blue-pirate+none", "rum+none+none", "unlisted", "no-card"]
    assert str(question.choices[0].label) == "Bomb, Blue Pirate, Nothing"
    assert question.choices[0].symbols == ("bomb", "blue-pirate", "none")


def test_one_answer_reads_all_holes(table):
    doubtful(table)
    table.rest()
    assert table.counts("RP", "BP") == [0, 0]
    table.answer("bomb+blue-pirate+none")
    assert table.state.phase == "resolved"
    assert table.counts("RP", "BP", "YS") == [1, 2, 1]


def test_none_of_these_asks_hole_by_hole(table):
    doubtful(table)
    table.answer("unlisted")
    assert table.kinds() == ["symbol"] * 3
    for symbol in ("rum", "BP", "none"):
        table.answer(symbol)
    table.rest()
    assert table.counts("RP", "BP") == [0, 1]


def test_a_tile_that_lies_on_no_card_is_still_to_be_placed(table):
    doubtful(table)
    table.answer("no-card")
    assert table.kinds() == []
    assert full("RP") in table.state.now.missing
    table.place("RP", "rum", "BP", "none", card="target-050")
    table.rest()
    assert table.counts("BP") == [1]


def test_an_undone_answer_is_the_one_question_again(table):
    doubtful(table)
    facts = table.answer("rum+none+none")
    assert table.kinds() == []
    table.undo(*facts)
    assert table.kinds() == ["sight"]


def test_the_card_comes_first_then_its_sights(table):
    doubtful(table, card_sure=False, cards=(("target-050", 0.5), ("target-051", 0.4)))
    assert table.kinds() == ["card"]
    table.answer("target-050")
    assert table.kinds() == ["sight"]


def test_on_another_card_what_was_seen_is_offered(table):
    seen = {"": (("barrel", "blue-pirate", "none"),)}
    doubtful(table, card_sure=False, cards=(("target-050", 0.5), ("target-051", 0.4)), ways=WAYS | seen)
    table.answer("target-051")
    assert values(table.ask("sight")) == ["barrel+blue-pirate+none", "unlisted", "no-card"]


def test_on_a_card_without_sights_what_was_seen_is_offered_then_the_holes_are_asked(table):
    doubtful(table, card_sure=False, cards=(("target-050", 0.5), ("target-051", 0.4)))
    table.answer("target-051")
    assert len(values(table.ask("sight"))) == 3
    table.answer("unlisted", "sight")
    assert table.kinds() == ["symbol"] * 3


def test_where_no_card_is_known_what_was_seen_is_offered_at_once(table):
    doubtful(table, card=None, card_sure=False, ways={"": (("barrel", "blue-pirate", "none"),)})
    assert sorted(table.kinds()) == ["card", "sight"]
    table.answer("barrel+blue-pirate+none", kind="sight")
    table.answer("unknown", kind="card")
    table.rest()
    assert table.seat("RP").cover == "barrel"


def test_a_tile_of_another_seat_than_was_thought_is_asked_hole_by_hole(table):
    doubtful(table, seat_sure=False, seats=((full("RP"), 0.5), (full("BP"), 0.4)))
    assert table.kinds() == ["tile"]
    table.answer("BP")
    assert table.kinds() == ["symbol"] * 3


@pytest.mark.parametrize("more", [{"unsure": (0, 1)}, {"ways": {}}, {"shares": (0.5, 1.0, 0.0)}])
def test_what_is_known_of_a_hole_is_not_asked_again(table, more):
    doubtful(table, **more)
    assert set(table.kinds()) == {"symbol"}


# What the sights are

CARD = Piece(
    "target-001", "target-card", "c.png", size_mm=(60, 60),
    marks=(Mark("rum", (0.25, 0.25), 0.1), Mark("bomb", (0.75, 0.25), 0.1), Mark("parrot", (0.75, 0.77), 0.1)),
)  # fmt: skip
TILE = Piece(
    "sight-red-pirate-1", "sight-tile", "t.png", size_mm=(60, 60),
    holes=(Hole((0.25, 0.25), 0.11), Hole((0.75, 0.25), 0.11)),
)  # fmt: skip


def test_a_tile_shows_another_sight_in_each_turn():
    assert set(ways([TILE], CARD)) == {("rum", "bomb"), ("bomb", "parrot"), ("parrot", "none"), ("none", "rum")}


def test_a_symbol_that_shows_by_less_than_half_does_not_count():
    moved = Piece("c", "target-card", "c.png", size_mm=(60, 60), marks=(Mark("rum", (0.25, 0.37), 0.1),))
    assert {name for sight in ways([TILE], moved) for name in sight} == {"none"}


def test_the_likeliest_sight_is_first_and_the_same_symbols_are_offered_once():
    sights = (("rum", "bomb"), ("bomb", "rum"), ("parrot", "none"))
    ranked = ((("bomb", 0.5), ("rum", 0.4)), (("rum", 0.6), ("none", 0.3)))
    assert likeliest(sights, ranked) == (("bomb", "rum"), ("parrot", "none"))


# From the camera to the question

FACES = {piece.id: piece for piece in (CARD, TILE)}


def test_the_watcher_says_what_could_show_where_it_reads_nothing_surely():
    table = Watched()
    table.watcher = HookWatcher(Pieces({TILE.id: "red-pirate"}, faces=FACES))
    table.see(card(1), card(2), card(3), times=3)
    table.see(card(1, TILE.id), card(2), card(3), tile("RP", 1, "rum", "bomb", unsure=(0, 1)), times=5)
    (pose,) = table.poses()
    assert pose.ways["target-001"][0] == ("rum", "bomb")
    assert len(pose.ways["target-001"]) == 4
    assert pose.ways[""] == (("rum", "bomb"),)
    assert table.kinds() == ["sight"]


def test_the_watcher_says_what_could_show_on_each_card_that_it_may_be():
    table = Watched()
    table.watcher = HookWatcher(Pieces({TILE.id: "red-pirate"}, faces=FACES))
    ranked = (("target-002", 0.5), ("target-001", 0.4))
    under = card(2, TILE.id, sure=False, confidence=0.5, ranked=ranked)
    table.see(under, card(3), tile("RP", 2, "rum", "bomb", sure=True), times=8)
    (pose,) = table.poses()
    assert not pose.card_sure
    assert len(pose.ways["target-001"]) >= 4
    assert table.kinds() == ["card"]


def test_where_one_hole_is_sure_the_others_are_asked_alone():
    table = Watched()
    table.watcher = HookWatcher(Pieces({TILE.id: "red-pirate"}, faces=FACES))
    table.see(card(1), card(2), card(3), times=3)
    seen = tile("RP", 1, "rum", "bomb", unsure=(1,), sure=True)
    table.see(card(1, TILE.id), card(2), card(3), seen, times=5)
    (pose,) = table.poses()
    assert pose.ways == {}
    assert table.kinds() == ["symbol"]


def test_the_answers_are_facts_of_their_own(table):
    doubtful(table)
    told = [table.facts[number] for number in table.answer("rum+none+none")]
    assert [(type(fact), fact.hole, fact.symbol) for fact in told] == [
        (SymbolRead, 0, "rum"),
        (SymbolRead, 1, "none"),
        (SymbolRead, 2, "none"),
    ]
    other = HookTable("RP", "BP", "YS")
    doubtful(other)
    (number,) = other.answer("unlisted")
    assert type(other.facts[number]) is SightUnlisted
