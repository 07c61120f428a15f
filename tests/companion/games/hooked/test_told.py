"""What happened, in sentences."""

from hooked_table import HookedTable

from companion.games.hooked.facts import Recount, Veto
from companion.games.hooked.sentences import headline, result, tell, who

CARDS = {
    "walleye": {"kind": "fish", "number": 8, "name": "Walleye", "copies": 30},
    "coho": {"kind": "fish", "number": 9, "name": "Coho Salmon", "copies": 30},
}


def said(table, language="en"):
    return [told.text.to(language) for told in tell(table.state)]


def test_twins():
    table = HookedTable(2, cards=CARDS)
    table.flip("walleye")
    table.flip("walleye")
    table.press(2, 300)
    assert said(table) == [
        "Seat 1 (Ada) flips Walleye",
        "Seat 2 (Bo) flips Walleye",
        "Seat 2 (Bo) slapped first: twins, Walleye on Walleye. 2 cards won.",
    ]
    assert (
        said(table, "de")[2] == "Platz 2 (Bo) hat zuerst geschlagen: Zwillinge, Walleye auf Walleye. 2 Karten gewonnen."
    )
    assert str(headline(table.state)) == "Seat 1 (Ada) flips"


def test_a_sandwich_a_streak_and_what_nobody_slapped():
    table = HookedTable(2)
    for card in (8, 12, 8):
        table.flip(card)
    table.press(1, 300)
    assert said(table)[-1] == "Seat 1 (Ada) slapped first: sandwich, Fish 12 between Fish 8 and Fish 8. 3 cards won."
    table.flip(8)
    table.flip(9)
    assert "Nobody slapped" not in said(table)[-1]  # that would give it away
    table.flip(3)
    assert said(table)[-2] == "Nobody slapped: streak, Fish 9 on Fish 8"


def test_action_cards():
    table = HookedTable(3)
    table.flip("net-cast")
    table.press(2, 300)
    table.press(3, 320)
    assert said(table)[1:] == [
        "Seat 2 (Bo) slapped first: Net Cast. 3 cards won.",
        "Everybody else gives one card more",
    ]
    table.do(Veto())
    assert said(table)[1] == 'Seat 2 (Bo) did not say "HOOKED!"'
    assert said(table)[2] == "Seat 3 (Cy) slapped first: Net Cast. 3 cards won."
    table.flip("current-shift")
    table.press(1, 300)
    assert said(table)[-1] == "The direction of play turns"
    table.flip("catch-and-release")
    table.press(1, 300)
    assert said(table)[-1] == "Everybody else puts one card face down under the Lake"


def test_mistakes():
    table = HookedTable(3, stacks=(10, 1, 10))
    table.flip("empty-hook")
    table.press(1, 280)
    table.press(3, 300)
    assert said(table)[1:] == [
        "Seat 1 (Ada) is locked by an Empty Hook; the slap is ignored",
        "Seat 3 (Cy) slapped an Empty Hook and may not slap for the next two flips",
    ]
    table.flip(8)
    table.flip(3)
    table.press(2, 300)
    assert said(table)[-1] == "Seat 2 (Bo) slapped Fish 3 without cards and is out"
    table.flip(12)
    table.press(3, 20)
    table.press(1, 300)
    assert said(table)[-2:] == [
        "Seat 3 (Cy) slapped before anybody could have seen Fish 12",
        "Seat 1 (Ada) slapped Fish 12 wrongly: 2 cards go under the Lake",
    ]


def test_dead_heats():
    for rule, words in (
        ("share", "Dead heat, they share the Lake: Seat 1 (Ada) and Seat 3 (Cy)"),
        ("next-flip", "Dead heat, the next flip decides between: Seat 1 (Ada) and Seat 3 (Cy)"),
        ("nearest", "Dead heat; Seat 3 (Cy) sits nearest to the flipper: twins, Fish 8 on Fish 8. 2 cards won."),
    ):
        table = HookedTable(3, dead_heat=rule)
        table.flip(8)
        table.flip(8)
        table.press(1, 300)
        table.press(3, 300.5)
        assert said(table)[2] == words


def test_the_card_after_a_dead_heat_is_no_twins():
    table = HookedTable(3)
    for card in (8, 8):
        table.flip(card)
    table.press(1, 300)
    table.press(2, 300.4)
    assert (table.state.replay.seats, table.state.replay.flip) == (("seat-1", "seat-2"), 0)
    number = table.flip(2)
    assert table.state.replay.flip == number
    undecided = len(table.facts)
    table.press(3, 280)
    table.press(2, 300)
    assert (table.slap().between, table.state.replay) == (("seat-1", "seat-2"), None)
    assert said(table)[-2:] == [
        "Seat 2 (Bo) slapped first: Fish 2 after the dead heat. 5 cards won.",
        "Seat 3 (Cy) slapped Fish 2 wrongly",
    ]
    table.undo(*range(undecided + 2, len(table.facts) + 2))
    table.flip(5)
    assert said(table)[-2] == "Nobody slapped: Fish 2 after the dead heat"


def test_the_end():
    table = HookedTable(2, stacks=(61, 1))
    assert str(result(table.state)) == ""
    table.flip(8)
    table.flip(12)
    assert str(result(table.state)) == str(headline(table.state)) == "Only Seat 1 (Ada) has cards left, and wins"
    table.do(Recount(stacks={"seat-1": 62, "seat-2": 0}))
    assert str(result(table.state)) == "Seat 1 (Ada) has all the cards and wins"
    assert said(table)[-1] == "The stacks were put right from what lies on the table"
    table.do(Recount(stacks={"seat-1": 0, "seat-2": 0}))
    assert str(result(table.state)) == "Nobody has a card left: nobody wins"


def test_players_without_a_name_of_their_own():
    table = HookedTable(2)
    assert str(who(table.state.setup, "seat-2")) == "Seat 2 (Bo)"
    assert str(who(table.state.setup, "seat-7")) == "Seat 7"
