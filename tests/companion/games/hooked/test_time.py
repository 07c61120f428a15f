"""False starts, dead heats, and what cannot be told: frames that came late, glitches, taps after the fact."""

import pytest
from hooked_table import MS, HookedTable, seat_id

from companion.core.facts import RuleBroken
from companion.games.hooked.facts import Edge, PassCard, Recount, RulePress, TellSlap, Veto
from companion.games.hooked.rules import RULES, public, verdicts
from companion.games.hooked.sentences import tell

# A press within the false-start limit of a new card


def shifted(ms, **options):
    """#8, #8 (unslapped), then #2: seat 3 presses so long after #2 was seen."""
    table = HookedTable(3, **options)
    table.flip(8)
    table.flip(8)
    table.flip(2)
    table.press(3, ms)
    return table


def test_an_early_press_is_for_the_card_before_and_wins_the_whole_lake():
    for ms in (-66 + 1, 0, 33):
        table = shifted(ms)
        assert (table.slap().id, table.slap().winner, table.slap().why) == (3, "seat-3", "twins")
        assert table.slap().cards == ("fish-8", "fish-8")
        assert table.stacks() == (20, 20, 22)
        assert table.state.lake_size == 0
        assert table.state.turn == "seat-1"
        assert table.kinds() == []


def test_an_early_press_waits_when_nobody_knows_the_card_before():
    """#8, then #8 or #3, then #12, and seat 3 presses as #12 lands."""
    for ms in (-65, 20, 80):
        table = HookedTable(3)
        table.flip(8)
        table.flip(8, card_sure=False, cards=(("fish-8", 0.5), ("fish-3", 0.4)))
        table.flip(12)
        table.press(3, ms)
        assert (table.slap().id, table.meant(), table.slap().final_ns) == (3, {"seat-3": "unsure"}, None)
        for card in (15, 1, 5):
            table.flip(card)
        assert table.kinds() == ["card"]
        table.answer("fish-3")
        assert table.kinds() == (["press"] if ms == 80 else [])  # #12 may not be slapped
        table = HookedTable(3)
        table.flip(8)
        table.flip(8, card_sure=False, cards=(("fish-8", 0.5), ("fish-3", 0.4)))
        table.flip(12)
        table.press(3, ms)
        table.answer("fish-8")
        if ms == 80:
            table.answer("early")
        assert (table.slap().winner, table.stacks(), table.kinds()) == ("seat-3", (20, 20, 22), [])


def test_before_the_card_landed_only_what_lay_there_is_won():
    table = shifted(-66)
    assert table.stacks() == (20, 20, 21)
    assert [card.card for card in table.state.lake] == ["fish-2"]


def test_from_the_limit_on_it_is_for_the_new_card():
    table = shifted(100)
    assert (table.slap().id, table.slap().right) == (4, False)
    assert table.stacks() == (20, 20, 17)


def test_between_the_limits_it_is_asked_for_which_card_it_was():
    """The card landed up to 66 ms before it was seen: 40 ms after that may be 106 after it."""
    table = shifted(40)
    assert table.kinds() == ["press"]
    assert table.meant() == {"seat-3": "unsure"}
    assert (table.stacks(), table.state.lake_size) == ((20, 20, 19), 3)
    (asked,) = RULES.questions(table.state)
    assert str(asked.sentence) == "Seat 3 (Cy) slapped just as Fish 2 was flipped. Was that too early?"
    table.answer("early")
    assert (table.slap().winner, table.stacks(), table.kinds()) == ("seat-3", (20, 20, 22), [])
    table = shifted(40)
    table.answer("slap")
    assert (table.slap().id, table.stacks()) == (4, (20, 20, 17))
    table = shifted(40)
    table.answer("nothing")
    assert (table.stacks(), table.kinds()) == ((20, 20, 19), [])


def test_nothing_is_asked_where_it_makes_no_difference():
    table = HookedTable(3)
    for card in (8, 8, 8):  # twins, and twins again
        table.flip(card)
    table.press(3, 40)
    assert (table.kinds(), table.slap().winner, table.stacks()) == ([], "seat-3", (20, 20, 22))
    table = HookedTable(3, false_start="wrong")
    table.flip(8)
    table.press(3, 40)  # too early, or wrong: two cards
    assert (table.kinds(), table.stacks()) == ([], (20, 21, 18))


def test_a_false_start_is_ignored():
    table = HookedTable(3)
    table.flip(8)
    table.flip(8)
    table.press(3, 20)
    assert table.meant() == {"seat-3": "early"}
    table.press(2, 250)
    assert (table.slap().winner, table.stacks()) == ("seat-2", (20, 22, 20))
    assert table.meant() == {"seat-3": "early", "seat-2": "won"}
    table.press(3, 260)
    assert table.meant()["seat-3"] == "late"


def test_a_false_start_may_cost_cards():
    table = HookedTable(3, false_start="wrong")
    table.flip(8)
    table.flip(8)
    table.press(3, 20)
    table.press(2, 250)
    assert table.stacks() == (20, 24, 18)
    assert table.slap().moved == (("seat-2", 4), ("seat-3", -2))


@pytest.mark.parametrize("rule", ["locks", "both"])
def test_a_false_start_keeps_no_empty_hook_from_locking(rule):
    table = HookedTable(3, false_start="wrong", empty_hook=rule)
    table.flip("empty-hook")
    table.press(2, 20)
    assert (table.stacks(), table.locks()) == ((20, 19, 20), {"seat-1": 3})
    table.press(2, 300)
    table.press(2, 500)
    assert (table.stacks(), table.locks()) == ((20, 19, 20), {"seat-1": 3, "seat-2": 3})
    assert [(press.seat, press.verdict) for press in table.slap().presses] == [("seat-2", "early"), ("seat-2", "wrong")]
    assert table.slap().hooked == ("seat-2",)


@pytest.mark.parametrize("rule", ["locks", "both"])
@pytest.mark.parametrize("ms", [20, 80])
def test_without_cards_a_false_start_at_an_empty_hook_locks_and_eliminates_nobody(rule, ms):
    table = HookedTable(3, stacks=(10, 0, 10), false_start="wrong", empty_hook=rule)
    table.flip("empty-hook")
    table.press(2, ms)
    table.press(2, 300)
    assert (table.state.out, table.locks(), table.kinds()) == ((), {"seat-1": 3, "seat-2": 3}, [])
    assert (table.slap().hooked, table.slap().gone) == (("seat-2",), ())
    sentence = "Seat 2 (Bo) slapped an Empty Hook and may not slap for the next two flips"
    assert sentence in [str(told.text) for told in tell(table.state)]


def test_a_card_that_was_slapped_leaves_only_a_false_start():
    table = HookedTable(3)
    table.flip(8)
    table.flip(8)
    table.press(2, 300)
    table.flip(2)
    table.press(3, 20)
    assert table.meant() == {"seat-3": "early"}
    assert table.stacks() == (20, 22, 19)


def test_a_card_seen_long_after_it_landed():
    """A hand hid #8 for 500 ms: the slap that came before it was seen may be for it, or too early."""
    table = HookedTable(3)
    table.flip(8)
    table.flip(8, before=500)
    table.press(3, -100)
    assert table.kinds() == ["press"]
    table.answer("slap")
    assert table.slap().winner == "seat-3"
    assert table.state.fastest is None
    table.press(2, -450)  # within the limit of the earliest moment: too early, whenever it landed
    assert table.meant() == {"seat-2": "early", "seat-3": "won"}


def test_a_question_holds_the_slap_that_depends_on_it():
    table = HookedTable(3)
    table.flip(8)
    table.flip(8, before=500)
    table.press(3, -100)
    table.press(2, 250)
    assert table.meant() == {"seat-3": "unsure", "seat-2": "unsure"}
    assert table.slap().winner is None
    table.answer("early")
    assert table.meant() == {"seat-3": "early", "seat-2": "won"}


def test_who_is_locked_for_the_card_before():
    """Seat 1 is locked when the twins fall, and free when the next card lands."""
    table = HookedTable(3)
    for card in ("empty-hook", 8, 8, 3):
        table.flip(card)
    table.press(1, 20)
    assert table.meant() == {"seat-1": "locked"}
    assert table.state.lake_size == 4


def test_who_is_locked_for_the_card_before_may_have_slapped_the_next():
    table = HookedTable(3)
    for card in ("empty-hook", 8, 8, "net-cast"):
        table.flip(card)
    table.press(1, 40)
    assert table.kinds() == ["press"]
    table.answer("slap")
    assert (table.slap().winner, table.slap().why) == ("seat-1", "net-cast")
    assert table.kinds() == []


def test_a_press_before_the_flip_was_told_is_judged_anew():
    table = HookedTable(3)
    table.flip(8)
    table.press(2, 3300)
    assert table.stacks() == (20, 19, 20)  # a wrong slap of the first card, for all we know
    assert table.slap().final_ns == (table.seen + 3300 + 1000) * MS
    table.flip(8)
    assert table.meant() == {"seat-2": "won"}
    assert table.stacks() == (20, 22, 20)


def test_an_answer_about_one_press_says_something_of_the_others():
    table = HookedTable(4)
    table.flip(8)
    table.flip(3, before=500)  # no card to slap
    for seat, ms in ((1, -300), (2, -200), (3, -100)):
        table.press(seat, ms)
    assert table.kinds() == ["press"] * 3
    asked = [question for question in RULES.questions(table.state) if question.about["seat"] == "seat-2"]
    for fact in RULES.answer(table.state, asked[0], "slap"):
        table.tell(fact)
    assert table.meant() == {"seat-1": "unsure", "seat-2": "wrong", "seat-3": "wrong"}
    table.answer("early")
    assert (table.kinds(), table.stacks()) == ([], (15, 13, 13, 15))


# Dead heats


def tied(rule, ms=0.8, card=8, flipper=1):
    table = HookedTable(4, dead_heat=rule)
    table.flip(card)
    table.flip(card)
    table.press(3, 300)
    table.press(1, 300 + ms)
    table.press(4, 302)
    return table


def test_within_a_millisecond_it_is_a_dead_heat():
    assert tied("share", 1.0).slap().dead_heat == ("seat-3", "seat-1")
    table = tied("share", 1.001)
    assert (table.slap().dead_heat, table.slap().winner) == ((), "seat-3")


def test_the_lake_is_shared_the_flippers_neighbour_first():
    table = HookedTable(4, dead_heat="share")
    for card in (2, 8, 8):
        table.flip(card)
    table.press(1, 300)
    table.press(4, 300.5)  # the neighbour of seat 3, which flipped
    assert table.slap().moved == (("seat-1", 1), ("seat-4", 2))
    assert table.meant() == {"seat-1": "tied", "seat-4": "tied"}
    assert table.state.turn == "seat-4"


def test_nearest_the_flipper_clockwise():
    table = tied("nearest")  # flipped by seat 2
    assert (table.slap().winner, table.slap().dead_heat) == ("seat-3", ("seat-3", "seat-1"))
    assert table.meant() == {"seat-3": "won", "seat-1": "tied", "seat-4": "late"}
    assert table.stacks() == (15, 15, 17, 15)


def test_the_next_flip_decides_between_those_who_were_tied():
    table = tied("next-flip")
    assert (table.slap().winner, table.state.lake_size) == (None, 2)
    table.flip(12)
    table.press(2, 250)
    table.press(1, 300)
    table.press(3, 320)
    assert table.meant() == {"seat-2": "wrong", "seat-1": "won", "seat-3": "late"}
    assert table.slap().why == "twins"
    assert table.stacks() == (20, 13, 14, 15)


def test_in_a_replay_a_told_slap_of_who_was_not_tied_costs_what_a_press_costs():
    table = tied("next-flip")
    table.flip(12)
    table.do(TellSlap(seat="seat-2"))
    table.do(TellSlap(seat="seat-2"))
    assert (table.meant(), table.stacks(), table.state.under) == ({"seat-2": "wrong"}, (15, 13, 14, 15), 2)
    table.do(TellSlap(seat="seat-3"))
    assert table.meant() == {"seat-2": "wrong", "seat-3": "won"}
    table.do(TellSlap(seat="seat-4"))  # told after the winner: late
    assert (table.slap().winner, table.stacks()) == ("seat-3", (15, 13, 19, 15))
    table = tied("next-flip")
    table.flip(12)
    table.press(2, 300)
    table.do(TellSlap(seat="seat-2"))  # once per seat and card
    assert (table.stacks(), table.state.under) == ((15, 13, 14, 15), 2)


def test_in_a_replay_who_is_told_last_was_first_of_those_who_were_tied():
    table = tied("next-flip")
    table.flip(12)
    for seat in ("seat-2", "seat-3", "seat-1"):
        table.do(TellSlap(seat=seat))
    assert table.meant() == {"seat-2": "wrong", "seat-1": "won"}


def test_in_a_replay_it_is_asked_whether_a_press_of_who_was_not_tied_was_too_early():
    table = tied("next-flip")
    table.flip(12)
    table.press(2, 80)
    table.press(1, 300)
    assert (table.meant(), table.kinds()) == ({"seat-2": "unsure", "seat-1": "unsure"}, ["press"])
    table.answer("slap")
    assert table.meant() == {"seat-2": "wrong", "seat-1": "won"}


def test_an_empty_hook_postpones_the_replay():
    table = tied("next-flip")
    table.flip("empty-hook")
    table.press(1, 300)
    assert table.meant() == {"seat-1": "wrong"}
    table.flip(12)
    table.press(3, 300)  # flipped the Empty Hook: locked
    assert table.meant() == {"seat-3": "locked"}
    table.flip(3)
    table.press(1, 300)
    assert not table.slap().right  # only the very next card that may be slapped


def test_a_replay_of_a_net_cast_is_one():
    table = HookedTable(3)
    table.flip("net-cast")
    table.press(2, 300)
    table.press(3, 300.3)
    table.flip(5)
    table.press(3, 300)
    assert table.slap().why == "net-cast"
    assert table.stacks() == (19, 19, 24)


def test_who_was_tied_may_not_have_said_it():
    for rule in ("share", "next-flip", "nearest"):
        table = HookedTable(3, dead_heat=rule)
        table.flip("net-cast")
        table.press(2, 300)
        table.press(3, 300.3)
        table.do(Veto(seat="seat-2"))
        assert (table.slap().winner, table.slap().dead_heat, table.stacks()) == ("seat-3", (), (19, 20, 23))
        with pytest.raises(RuleBroken, match="has not won this card"):
            table.do(Veto(seat="seat-1"))


def test_a_veto_names_who_of_the_tied_ones_did_not_say_it():
    table = HookedTable(3, dead_heat="share")
    table.flip("net-cast")
    table.press(2, 300)
    table.press(3, 300.3)
    with pytest.raises(RuleBroken, match="Several were first"):
        table.do(Veto())


# Raw edges


def edge(table, seat, ms, level, clock="kernel"):
    table.do(Edge(seat=seat_id(seat), level=level, clock=clock, t_ns=round((table.seen + ms) * MS)))


def test_a_bouncing_press_is_one_press_at_its_first_edge():
    table = HookedTable(3)
    table.flip(8)
    table.flip(8)
    for ms, level in ((300, 1), (300.4, 1), (301, 0), (301.3, 1), (400, 0)):
        edge(table, 2, ms, level)
    table.press(3, 302)
    assert table.meant() == {"seat-2": "won", "seat-3": "late"}
    assert table.state.fastest == ("seat-2", 300 * MS)


def test_a_glitch_before_a_close_press_is_asked():
    table = HookedTable(3)
    table.flip(8)
    table.flip(8)
    for ms, level in ((290, 1), (290.2, 0), (305, 1), (400, 0)):
        edge(table, 2, ms, level)
    table.press(3, 300)
    assert table.kinds() == ["first"]
    assert table.slap().winner is None
    table.answer("seat-2")
    assert (table.slap().winner, table.stacks()) == ("seat-2", (20, 22, 20))


def test_nobody_was_first_also_after_an_earlier_moment_of_the_card():
    table = HookedTable(4, stacks=(15, 15, 15, 15))
    for card in ("empty-hook", 8, 8):
        table.flip(card)
    table.press(1, 300)  # locked
    table.now += 1000
    table.do(Recount(stacks={"seat-1": 13}))
    for ms, level in ((1290, 1), (1290.2, 0), (1305, 1), (1400, 0)):
        edge(table, 2, ms, level)
    table.press(3, 1300)
    assert table.kinds() == ["first"]
    table.answer("nobody")
    assert (table.kinds(), table.slap().winner) == ([], None)


def test_a_doubtful_press_that_would_cost_cards_is_asked():
    table = HookedTable(3)
    table.flip(8)
    for ms, level in ((290, 1), (290.2, 0), (305, 1), (400, 0)):
        edge(table, 2, ms, level)
    assert (table.kinds(), table.stacks()) == (["pressed"], (20, 21, 20))
    table.answer("slap")
    assert (table.kinds(), table.stacks()) == ([], (20, 19, 20))


def chatters(table, seat, ms, until):
    for at in range(ms, until):
        edge(table, seat, at, (at - ms + 1) % 2)


def test_a_slap_after_a_lost_report_of_a_release_is_asked():
    table = HookedTable(3)
    table.flip(1)
    edge(table, 2, 200, 1)
    table.flip(8)
    table.flip(8)
    edge(table, 2, 300, 1)
    edge(table, 2, 380, 0)
    table.press(3, 400)
    assert table.kinds() == ["first"]
    assert table.slap().winner is None
    table.answer("seat-2")
    assert (table.slap().winner, table.kinds()) == ("seat-2", [])


@pytest.mark.parametrize("others", [True, False])
def test_a_button_held_from_the_start_wins_nothing_by_a_flicker(others):
    table = HookedTable(3)
    table.flip(8)
    table.flip(8)
    edge(table, 2, 200, 0)
    edge(table, 2, 200.3, 1)
    if others:
        table.press(3, 250)
    assert (table.kinds(), table.slap().winner, table.stacks()) == (["first"], None, (20, 20, 20))
    table.answer("seat-3" if others else "nobody")
    assert ([slap.winner for slap in table.state.slaps], table.kinds()) == (["seat-3"] if others else [], [])


def test_a_line_that_chatters_neither_wins_nor_pays_and_the_others_race_on():
    table = HookedTable(3)
    table.flip(8)
    chatters(table, 2, 500, 900)
    assert (table.kinds(), table.stacks()) == (["pressed"], (20, 21, 20))
    table.answer("nothing")
    table.flip(8, after=1000)
    chatters(table, 2, -90, 800)
    table.press(3, 400)
    assert (table.slap().winner, table.kinds()) == ("seat-3", [])
    table.flip(2)
    chatters(table, 2, 100, 500)
    chatters(table, 2, 540, 900)
    assert table.kinds() == ["pressed"]


def test_an_early_press_that_may_be_none_costs_nothing():
    table = HookedTable(3, false_start="wrong")
    table.flip(8)
    table.flip(2)
    chatters(table, 2, 10, 400)
    assert (table.kinds(), table.stacks()) == ([], (20, 20, 20))


def test_software_clocks_are_named():
    table = HookedTable(3)
    table.flip(8)
    table.flip(8)
    for ms, level in ((300, 1), (400, 0)):
        edge(table, 2, ms, level, "software")
    assert table.slap().clock == "software"


def test_an_edge_told_late_amends_the_verdict():
    table = HookedTable(3)
    table.flip(8)
    table.flip(8)
    table.press(2, 310)
    table.flip(5)
    table.flip(7)
    assert (table.state.slaps[0].winner, table.stacks()) == ("seat-2", (19, 22, 19))
    table.seen -= 6000
    table.press(1, 305)
    assert (table.state.slaps[0].winner, table.stacks()) == ("seat-1", (21, 20, 19))


# Taps after the fact


def test_a_tapped_flip_may_come_after_its_slap():
    table = HookedTable(3)
    table.tap(8)
    table.press(2, 2500)
    table.tap(8)
    assert table.kinds() == ["late-tap"]
    assert table.stacks() == (20, 20, 20)
    table.answer("slap")
    assert (table.slap().winner, table.stacks()) == ("seat-2", (20, 22, 20))


def test_twins_told_by_taps_are_told_apart_in_the_question():
    table = HookedTable(3)
    table.tap(8)
    table.press(3, 700)
    table.tap(8, after=1000)
    (asked,) = RULES.questions(table.state)
    assert str(asked.sentence) == "Seat 3 (Cy) slapped: the Fish 8 before or the new Fish 8?"
    said = [(choice.value, str(choice.label), choice.label.to("de")) for choice in asked.choices]
    assert said[:2] == [
        ("slap", "the new Fish 8", "Fish 8 (die neue Karte)"),
        ("before", "the Fish 8 before", "Fish 8 (die Karte davor)"),
    ]


def test_a_slap_of_the_card_before_a_tapped_flip():
    table = HookedTable(3)
    table.tap(8)
    table.press(2, 2500)
    table.tap(8)
    table.answer("before")
    assert table.stacks() == (20, 18, 20)
    assert table.kinds() == []


def won_and_slapped_again(ms, card="net-cast"):
    """Twins, won by seat 2 after 300 ms; seat 3 presses, and the next card is tapped three seconds after the twins."""
    table = HookedTable(3)
    table.tap(8)
    table.tap(8)
    table.press(2, 300)
    table.press(3, ms)
    table.tap(card)
    return table


def test_a_slap_after_a_win_may_be_for_the_next_card_that_is_tapped():
    table = won_and_slapped_again(2500)
    (asked,) = RULES.questions(table.state)
    assert str(asked.sentence) == "Seat 3 (Cy) slapped: Fish 8 or Net Cast?"
    table.answer("slap")
    assert (table.slap().winner, table.slap().why, table.stacks()) == ("seat-3", "net-cast", (19, 21, 22))
    for answer in ("before", "nothing"):
        table = won_and_slapped_again(2500)
        table.answer(answer)
        assert (table.stacks(), table.kinds()) == ((20, 22, 19), [])
    table = won_and_slapped_again(2500, 3)
    table.answer("slap")
    assert (table.meant(), table.stacks()) == ({"seat-3": "wrong"}, (20, 22, 17))


def test_late_slaps_of_the_same_race_are_not_asked_about():
    assert won_and_slapped_again(320).kinds() == []
    assert won_and_slapped_again(1200).kinds() == []


def test_a_slap_before_the_first_card_is_tapped():
    table = HookedTable(3)
    table.press(3, table.now + 2500)
    table.tap("net-cast")
    (asked,) = RULES.questions(table.state)
    assert str(asked.sentence) == "Did Seat 3 (Cy) slap Net Cast?"
    table.answer("slap")
    assert (table.slap().winner, table.stacks()) == ("seat-3", (19, 20, 23))
    table = HookedTable(3)
    table.press(3, table.now - 2500)  # more than five seconds before it
    table.tap("net-cast")
    assert table.kinds() == []


def test_who_was_locked_may_have_slapped_the_next_card_that_is_tapped():
    table = HookedTable(3)
    for card in ("empty-hook", 3, 5):
        table.tap(card)
    table.press(1, 2500)
    table.tap("net-cast")
    assert table.kinds() == ["late-tap"]
    table.answer("slap")
    assert table.slap().winner == "seat-1"
    table = HookedTable(3)
    for card in ("empty-hook", 3):
        table.tap(card)
    table.press(1, 2500)
    table.tap("net-cast")  # for which seat 1 is locked too
    assert table.kinds() == []


def test_a_slap_after_a_passed_card_may_be_for_the_next_one_that_is_tapped():
    table = HookedTable(3)
    table.tap(8)
    table.tap(8)
    table.now += 1000
    table.do(PassCard())
    table.press(3, 2500)
    table.now -= 1000
    table.tap("net-cast")
    assert table.kinds() == ["late-tap"]
    table.answer("slap")
    assert (table.slap().why, table.slap().winner) == ("net-cast", "seat-3")


def test_a_vetoed_slap_is_not_asked_about():
    table = HookedTable(3)
    table.tap("net-cast")
    table.press(3, 2500)
    table.do(Veto())
    table.tap(3)
    assert (table.kinds(), table.state.lake_size) == ([], 2)


def test_a_press_is_ruled_without_being_asked():
    table = HookedTable(3)
    table.flip(8)
    table.press(2, 300)
    assert table.stacks() == (20, 19, 20)
    table.do(RulePress(flip=2, seat="seat-2", press_ns=(table.seen + 300) * MS, meant="nothing"))
    assert table.stacks() == (20, 21, 20)


def test_the_lines_of_a_replay():
    table = HookedTable(3)
    table.flip(8)
    table.flip(8)
    table.press(2, 310)
    table.press(3, 325)
    at = table.seen * MS
    assert verdicts(table.state) == [
        {
            "verdict": "slap",
            "id": 3,
            "t_ns": at + 310 * MS,
            "winner": "seat-2",
            "dead_heat": [],
            "times_ns": {"seat-2": at + 310 * MS, "seat-3": at + 325 * MS},
            "right": True,
            "why": "twins",
            "final_ns": at + 350 * MS,
        }
    ]


def test_the_public_state_does_not_grow_with_the_game():
    table = HookedTable(2)
    for card in (1, 3, 5, 7, 9, 11):
        table.flip(card)
    shown = public(table.state)
    assert [tuple(pair) for pair in shown["stacks"]] == [("seat-1", 28), ("seat-2", 28)]
    assert not {"flips", "stages", "edges", "onsets", "spans", "words"} & set(shown)


def test_a_recount_told_after_a_press_is_as_one_told_before_it():
    """The press was taken for one of the card before until the recount, of a moment before it, was known."""
    told = HookedTable(4)
    for _twin in range(3):
        told.flip(1, after=300)
    told.press(1, 20)
    told.do(Recount(stacks={"seat-1": 0}))
    facts = list(told.facts.values())
    again = RULES.start(told.started)
    for fact in (*facts[:3], facts[-1], *facts[3:-1]):
        again = RULES.apply(again, fact)
    assert again == told.state
