"""What the pages of Hooked! make of a state: the photo finish, the Lake, the stacks, the sentences."""

from __future__ import annotations

from dataclasses import replace

import hooked_states as states
import msgspec
import pytest
from hooked_states import MS, T0, CardFlipped, FlipRuled, Slap, Vetoed, presses, slap_of, snapshot, won

from web.decks import Decks
from web.hooked.build import build
from web.hooked.model import HookedView, PhotoFinish
from web.hooked.seats import mark
from web.hooked.times import axis, ms

NOW = T0 + 5000 * MS


def view(now: states.Snapshot, now_ns: int = NOW) -> HookedView:
    return build(now, Decks({}), now_ns)


def finish(state: states.State, now_ns: int = NOW, **more: object) -> PhotoFinish:
    found = view(snapshot(state, **more), now_ns).finish
    assert found is not None
    return found


def said(found: PhotoFinish, language: str = "en") -> str:
    return " ".join(sentence.to(language) for sentence in found.sentences)


def test_the_gap_to_the_next_one_stands_large() -> None:
    found = finish(won(6))
    assert (found.kind, found.numeral, str(found.caption)) == ("won", "15", "ms ahead of Chloé")
    assert str(found.heading) == "Bartholomäus was first"
    assert [(tick.seat, tick.since, tick.gap) for tick in found.ticks] == [
        ("seat-2", "312", None),
        ("seat-3", "327", "+15"),
        ("seat-1", "355", "+43"),
        ("seat-6", "402", "+90"),
    ]
    assert said(found) == "Fish Sandwich: #8 Walleye around #9 Coho Salmon. Bartholomäus wins 14 cards."
    assert said(found, "de").startswith("Fisch-Sandwich: Nr. 8 Walleye um Nr. 9")


def test_the_line_begins_when_the_card_could_be_seen_and_keeps_the_order() -> None:
    found = finish(won(6))
    places = [tick.at for tick in found.ticks]
    assert places == sorted(places) and places[0] > 0 and places[-1] < 100
    assert found.appeared is not None and found.appeared.long > 0
    zero = {value: at for at, value in found.scale}[0]
    assert found.appeared.at + found.appeared.long == pytest.approx(zero, abs=0.05)
    assert found.tie is not None and found.tie.at == places[0]


def test_a_lone_slap_shows_how_quick_it_was() -> None:
    slap = slap_of(("net-cast",), "net-cast", True, presses=presses(("seat-1", 287.0, "won")), winner="seat-1")
    found = finish(won(3, slaps=(slap,)))
    assert (found.numeral, str(found.caption)) == ("287", "ms after the card")
    assert found.vetoable
    assert said(found) == "Net Cast: always there to be slapped."


def test_a_dead_heat_looks_like_one() -> None:
    found = finish(states.tied())
    assert (found.kind, found.numeral) == ("tied", "0.4")
    assert str(found.heading) == "Dead heat!"
    assert {name for name, _mark in found.shown} == {"Anna", "Chloé"}
    assert [tick.verdict for tick in found.ticks] == ["tied", "tied", "late"]
    assert found.sound == "tied"


def test_a_wrong_slap_says_why() -> None:
    found = finish(states.wrong())
    assert (found.kind, found.numeral) == ("wrong", "401")
    assert said(found) == (
        "#15 Striped Bass, #6 Brook Trout, #8 Walleye: no twins, no sandwich, no streak. Bartholomäus gives up 2 cards."
    )


def test_the_empty_hook_locks() -> None:
    told = presses(("seat-2", 300.0, "wrong"))
    slap = slap_of(("walleye", "empty-hook"), None, False, presses=told, hooked=("seat-2",))
    found = finish(won(3, slaps=(slap,)))
    assert found.sound == "lockout"
    assert said(found) == "Don’t slap the Empty Hook! Bartholomäus may not slap for two flips."


def test_early_locked_and_software_presses_are_marked() -> None:
    found = finish(states.locked(), software=("seat-6",))
    marks = {tick.seat: (str(tick.label), [str(note) for note in tick.notes]) for tick in found.ticks}
    assert marks["seat-5"] == ("Too early", [])
    assert marks["seat-1"] == ("Locked", [])
    assert marks["seat-4"] == ("First", [])
    assert marks["seat-6"] == ("Later", ["timed by software"])
    assert found.clock == "software"
    assert found.ticks[0].since == "−12"


@pytest.mark.parametrize(("now_ns", "left"), [(T0 + 330 * MS, 22), (T0 + 352 * MS, 0), (NOW, 0)])
def test_a_verdict_is_provisional_until_its_time(now_ns: int, left: int) -> None:
    assert finish(won(6), now_ns).final_in_ms == left
    assert view(snapshot(won(6)), now_ns).settles_in_ms == left


@pytest.mark.parametrize(
    ("fact", "sentence"),
    [
        (FlipRuled(flip=4, card="walleye", t_ns=NOW), "Amended: a card was corrected"),
        (FlipRuled(flip=4, card="walleye", t_ns=T0 + 100 * MS), None),  # before anybody had slapped
        (Vetoed(flip=4, seat="seat-1"), "Amended: vetoed"),
        (FlipRuled(flip=99, card="walleye"), None),
    ],
)
def test_an_amended_verdict_says_so(fact: states.Fact, sentence: str | None) -> None:
    found = finish(states.tied(), facts=(fact,))
    assert (str(found.amended) if found.amended else None) == sentence


def test_an_answer_to_a_question_amends_nothing() -> None:
    now = snapshot(states.tied(), facts=(FlipRuled(flip=4, card="walleye", t_ns=NOW),))
    answered = msgspec.structs.replace(now.facts[-1], answer=1)
    found = view(msgspec.structs.replace(now, facts=(*now.facts[:-1], answered))).finish
    assert found is not None and found.amended is None


def test_nobody_knows_when_a_tapped_card_was_seen() -> None:
    told = presses(("seat-1", 10.0, "won"), ("seat-2", 14.0, "late"))
    slap = slap_of(("walleye",) * 2, "twins", True, timed=False, presses=told, winner="seat-1")
    found = finish(won(3, slaps=(slap,)))
    assert found.appeared is None and found.numeral == "4.0"
    assert [(tick.since, tick.gap) for tick in found.ticks] == [(None, None), (None, "+4.0")]
    alone = replace_slap(slap, presses=told[:1])
    found = finish(won(3, slaps=(alone,)))
    assert (found.numeral, str(found.caption)) == ("–", "nobody knows when the card was seen")


def replace_slap(slap: Slap, **changes: object) -> Slap:
    return msgspec.structs.replace(slap, **changes)


def test_a_told_slap_has_no_time() -> None:
    told = presses(("seat-2", 300.0, "late"), ("seat-3", 320.0, "late"), ("seat-1", 480_000.0, "won"))
    told = (*told[:2], msgspec.structs.replace(told[2], told=True))
    slap = slap_of(("walleye",) * 2, "twins", True, presses=told, winner="seat-1", told=True)
    found = finish(won(3, slaps=(slap,)))
    assert (found.numeral, str(found.caption), found.tie) == ("–", "told by a tap, not timed", None)
    first, *pressed = found.ticks
    assert (first.seat, first.at, first.since, first.gap) == ("seat-1", None, None, None)
    assert [str(note) for note in first.notes] == ["told by a tap, not timed"]
    assert [(tick.since, str(tick.label)) for tick in pressed] == [("300", "Later"), ("320", "Later")]
    assert pressed[1].at is not None and pressed[0].at is not None and pressed[1].at - pressed[0].at > 4
    assert finish(states.middle()).numeral == "18"  # who was told late is no second
    alone = finish(won(3, slaps=(replace_slap(slap, presses=told[2:]),)))
    assert (alone.scale, alone.appeared) == ((), None)


@pytest.mark.parametrize("told", [(("seat-2", 20.0, "early"),), (("seat-2", 250.0, "locked"),)])
def test_a_press_that_counts_for_nothing_does_not_give_away_whether_the_card_may_be_slapped(
    told: tuple[object],
) -> None:
    slap = slap_of(("walleye",) * 2, "twins", True, presses=presses(*told))  # type: ignore[arg-type]
    found = finish(won(3, slaps=(slap,)))
    assert (found.kind, found.sentences) == ("none", ())


def test_a_slappable_card_gives_nothing_away() -> None:
    """Whether the card on top may be slapped is for the players to see."""
    before = view(snapshot(won(3, lake=states.lake("walleye", "walleye"))))
    other = view(snapshot(won(3, lake=states.lake("walleye", "bluegill"))))
    assert replace(before, lake=other.lake, last=None) == replace(other, last=None)


def test_panels() -> None:
    seats = {one.seat: one for one in view(snapshot(states.locked())).seats}
    assert seats["seat-1"].locked == 1 and seats["seat-3"].locked is None
    assert seats["seat-2"].turn
    seats = {one.seat: one for one in view(snapshot(states.out())).seats}
    assert seats["seat-6"].out and not seats["seat-6"].dry
    assert seats["seat-3"].dry and seats["seat-3"].stack == 0


def test_the_lake_shows_its_last_three_cards() -> None:
    lake = view(snapshot(won(3, lake=states.lake("walleye", "net-cast", "bluegill", "brook-trout"), under=5))).lake
    assert [str(card.name) for card in lake.cards] == ["Net Cast", "Bluegill", "Brook Trout"]
    assert [card.number for card in lake.cards] == [None, 2, 6]
    assert lake.size == 9


def test_without_a_match_there_is_an_invitation() -> None:
    assert view(snapshot(None)).phase == "setup"


def test_history_tells_flips_and_slaps() -> None:
    now = snapshot(won(3), facts=(CardFlipped(seat="seat-1", card="walleye"),))
    found = view(now)
    assert found.last is not None and str(found.last.text) == "Anna flipped #8 Walleye"
    assert found.last.page == ("hooked_sheets.card", {"fact": found.last.fact})


def test_the_winner_stands_first() -> None:
    found = view(snapshot(states.over()))
    assert found.phase == "over" and found.winner is not None and found.winner.name == "Bartholomäus"
    assert found.ranking[0].seat == "seat-2" and found.ranking[-1].out


def test_marks_follow_the_seat_and_not_the_player() -> None:
    assert mark("seat-3", ("seat-3", "seat-5")) == 3
    assert mark("captain", ("bosun", "captain")) == 2


def test_times() -> None:
    assert [ms(n) for n in (400_000, 9_940_000, 9_960_000, 312_400_000)] == ["0.4", "9.9", "10", "312"]
    line = axis(0, 0, [])
    assert line.last > line.first
    assert axis(0, 30 * MS, [5000 * MS]).scale[0][1] >= -30
