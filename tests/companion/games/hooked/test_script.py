"""The simulated evening of Hooked!: frames, presses, and a truth that agrees with both."""

from collections import Counter

import numpy as np
import pytest

from companion.deck import load
from companion.games.hooked import practice_deck, special
from companion.games.hooked.buttons import Buttons, delivered
from companion.games.hooked.habits import HABITS
from companion.games.hooked.script import STEP_NS, Script
from companion.games.hooked.slapping import reason
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.conditions import EASY, EVENING, HARSH

MS = 1_000_000
SEATS = ("seat-1", "seat-2", "seat-3", "seat-4")
ALL = pytest.mark.parametrize("condition", [EASY, EVENING, HARSH], ids=lambda c: c.name)


@pytest.fixture(scope="module")
def deck():
    return load(practice_deck.folder())


def play(deck, condition, seed, flips=30):
    """An evening by rough rules: whoever slapped rightly first takes the Lake. All that happened, in order."""
    script = Script(deck, SEATS, condition, seed)
    happened = []
    for number in range(flips):
        seat = SEATS[number % 4]
        if not script.stacks[seat]:
            continue
        flip = script.next_flip(seat, locked=SEATS[:1] if number % 7 == 0 else ())
        happened.append(flip)
        wrong = [slap for slap in flip.slaps if slap.sort == "wrong"]
        right = [slap for slap in flip.slaps if slap.sort == "right"]
        happened += [script.pay(slap.seat, 2) for slap in wrong]
        if right:
            happened.append(script.take(right[0].seat))
    return script, happened


@pytest.fixture(scope="module")
def evenings(deck):
    return {c.name: [play(deck, c, seed) for seed in range(8)] for c in (EASY, EVENING, HARSH)}


def flips(evenings, condition):
    return [f for _, happened in evenings[condition.name] for f in happened if hasattr(f, "slaps")]


def test_a_seed_always_plays_the_same_evening(deck):
    assert play(deck, HARSH, 5, 6)[1] == play(deck, HARSH, 5, 6)[1]
    assert play(deck, HARSH, 5, 6)[1] != play(deck, HARSH, 6, 6)[1]


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_all_cards_are_dealt_as_evenly_as_it_goes(deck, players):
    script = Script(deck, tuple(f"seat-{i}" for i in range(1, players + 1)), EASY, 1)
    counts = list(script.stacks.values())
    assert sum(counts) == 62 and max(counts) - min(counts) <= 1
    cards = Counter(id for stack in script.stage.stacks.values() for id in stack)
    assert cards == {piece.id: piece.copies for piece in deck.pieces}


@ALL
def test_no_card_is_lost(evenings, deck, condition):
    for script, _ in evenings[condition.name]:
        cards = Counter(id for stack in script.stage.stacks.values() for id in stack)
        cards.update(card.id for card in script.stage.lake.cards)
        assert cards == {piece.id: piece.copies for piece in deck.pieces}
        assert sum(script.stacks.values()) + script.lake == 62


@ALL
def test_fifteen_frames_a_second_without_a_gap(evenings, condition):
    for _, happened in evenings[condition.name]:
        times = np.array([frame.t_ns for one in happened for frame in one.frames])
        assert (np.diff(times) == STEP_NS).all()


@ALL
def test_a_card_is_turned_over_in_the_hand_and_lies_from_its_moment_on(evenings, condition):
    for flip in flips(evenings, condition):
        held = [[p for p in f.pose.pieces if p.lift_mm > 0] for f in flip.frames]
        first = next(i for i, pieces in enumerate(held) if pieces)
        assert not held[first][0].face_up
        assert all(len(pieces) <= 1 for pieces in held)
        assert any(pieces and pieces[0].tilt_deg for pieces in held)
        for frame, pieces in zip(flip.frames, held, strict=True):
            if pieces:
                assert frame.t_ns < flip.lands_ns
                assert pieces[0].id == flip.card
                assert frame.pose.hands
            if frame.t_ns >= flip.lands_ns:
                top = max(frame.pose.pieces, key=lambda p: p.level)
                assert (top.id, top.face_up, top.lift_mm) == (flip.card, True, 0)
        assert 20 * MS < flip.lands_ns - flip.shown_ns < 300 * MS
        assert flip.lands_ns <= flip.seen_ns
        assert flip.before_ns == flip.seen_ns - STEP_NS


@ALL
def test_still_frames_have_no_hands_and_nothing_moves(evenings, condition):
    shown = [f for _, happened in evenings[condition.name] for one in happened for f in one.frames]
    assert sum(f.still for f in shown) > 0.1 * len(shown)
    for frame in shown:
        if frame.still:
            assert not frame.pose.hands
            assert all(p.lift_mm == 0 and p.moving == (0, 0) for p in frame.pose.pieces)


def test_what_may_be_slapped(deck):
    assert reason(["walleye", "walleye"], deck) == "twins"
    assert reason(["walleye", "net-cast", "walleye"], deck) == "sandwich"
    assert reason(["walleye", "coho-salmon"], deck) == "streak"
    assert reason(["coho-salmon", "walleye"], deck) == "streak"
    assert reason(["walleye", "net-cast", "coho-salmon"], deck) is None
    assert reason(["white-sturgeon", "yellow-perch"], deck) is None
    assert reason(["net-cast"], deck) == "net-cast"
    assert reason(["empty-hook", "empty-hook"], deck) is None
    assert reason(["walleye"], deck) is None


@ALL
def test_people_react_to_what_they_see(evenings, condition):
    all_flips = flips(evenings, condition)
    right = [slap for flip in all_flips for slap in flip.slaps if slap.sort == "right"]
    after = np.array([slap.after_ns for slap in right]) / 1e6
    assert after.min() >= 149
    assert 230 < np.median(after) < 430
    assert len(right) > 1.5 * sum(flip.why is not None for flip in all_flips)
    for flip in all_flips:
        for slap in flip.slaps:
            assert slap.t_ns == flip.shown_ns + slap.after_ns
            assert (slap.sort == "right") <= (flip.why is not None)
            assert (slap.sort == "wrong") <= (flip.why is None)
            assert slap.sort != "early" or slap.after_ns < 100 * MS
        assert [s.t_ns for s in flip.slaps] == sorted(s.t_ns for s in flip.slaps)


def test_a_hard_evening_has_everything_that_goes_wrong(deck):
    script = Script(deck, SEATS, HARSH, 3)
    sorts, buttons, together, nobody = Counter(), Counter(), 0, 0
    for number in range(160):
        if script.lake > 12:
            script.stage.stacks["seat-1"] += script.stage.empty_lake()
        seat = next(s for s in SEATS[number % 4 :] + SEATS if script.stacks[s])
        flip = script.next_flip(seat, locked=("seat-2",) if number % 3 == 0 else (), out=("seat-4",))
        sorts.update(slap.sort for slap in flip.slaps)
        buttons.update(slap.button for slap in flip.slaps)
        together += any(slap.one_interrupt for slap in flip.slaps)
        nobody += flip.why is not None and not flip.slaps
        assert all(slap.sort == "out" for slap in flip.slaps if slap.seat == "seat-4" and slap.sort != "early")
    assert set(sorts) >= {"right", "wrong", "early", "locked"}
    assert set(buttons) == {"clean", "bounces", "held", "stuck"}
    assert together >= 2 and nobody >= 2


@ALL
def test_palms_come_down_after_the_presses(evenings, condition):
    for flip in flips(evenings, condition):
        palms = [sum(h.kind == "flat" for h in f.pose.hands) for f in flip.frames if f.t_ns < flip.end_ns]
        if len(flip.slaps) > 1:
            assert max(palms) >= 2
            last = max(slap.t_ns for slap in flip.slaps)
            assert flip.frames[-1].open_share < 0.5 or flip.end_ns > last + 400 * MS


@ALL
def test_the_share_that_is_open_is_about_what_the_camera_sees(deck, condition):
    script, camera = Script(deck, SEATS, condition, 4), SimulatedCamera(deck, condition, 4)
    off = []
    for number in range(3):
        flip = script.next_flip(SEATS[number])
        for frame in flip.frames[::3]:
            if frame.t_ns >= flip.lands_ns:
                off.append(1 - camera.truth(frame.pose).pieces[-1].hidden - frame.open_share)
    assert np.abs(off).mean() < 0.2


@ALL
def test_edges_of_a_press(condition):
    import random

    for seed in range(200):
        buttons = Buttons(SEATS, HABITS[condition.name])
        kind, edges = buttons.press("seat-1", 10**9, random.Random(seed))
        assert edges[0].t_ns == 10**9
        assert edges[0].level == 1 or kind == "bounces"
        assert [e.t_ns for e in edges] == sorted(e.t_ns for e in edges)
        soon = [e for e in edges if e.t_ns < 10**9 + 20 * MS]
        assert soon[-1].level == 1 and soon[-1].t_ns < 10**9 + 12 * MS
        assert (len(soon) == 1) == (kind == "clean")
        assert (edges[-1].level == 0) == (kind != "stuck")
        if kind == "held":
            assert edges[-1].t_ns > 10**9 + 800 * MS
        assert not buttons.free("seat-1", 10**9 + 30 * MS)
        assert buttons.free("seat-2", 10**9)


def test_a_stuck_button_makes_no_edges_until_somebody_frees_it():
    import random

    buttons = Buttons(SEATS, HABITS["harsh"])
    kind, edges = buttons.press("seat-1", 10**9, random.Random(1), "stuck")
    assert kind == "stuck" and all(edge.t_ns < 10**9 + 20 * MS for edge in edges)
    assert buttons.loosened(2 * 10**9) == []
    assert not buttons.free("seat-1", 3 * 10**9)
    (freed,) = buttons.loosened(4 * 10**9)
    assert (freed.seat, freed.level) == ("seat-1", 0)
    assert buttons.free("seat-1", 5 * 10**9)


@ALL
def test_edges_are_told_later_than_they_are_made(evenings, condition):
    told = [d for flip in flips(evenings, condition) for d in flip.deliveries]
    waits = np.array([d.at_ns - d.press.t_ns for d in told]) / 1e6
    assert waits.min() > 0 and np.median(waits) < 2
    assert waits.max() > 3
    for flip in flips(evenings, condition):
        assert [d.at_ns for d in flip.deliveries] == sorted(d.at_ns for d in flip.deliveries)


def test_on_a_hard_evening_edges_are_told_out_of_order(evenings):
    mixed = 0
    for flip in flips(evenings, HARSH):
        times = [d.press.t_ns for d in flip.deliveries]
        mixed += times != sorted(times)
        assert [e.t_ns for e in flip.edges] == sorted(times)
    assert mixed > 5


def test_late_edges_are_still_all_told():
    import random

    from companion.world import Press

    edges = [Press("seat-1", 1000 * i, i % 2) for i in range(400)]
    told = delivered(edges, HABITS["harsh"], random.Random(2))
    assert sorted(d.press.t_ns for d in told) == [edge.t_ns for edge in edges]


@ALL
def test_the_winner_takes_everything(deck, condition):
    script = Script(deck, SEATS, condition, 2)
    for seat in SEATS:
        script.next_flip(seat, quiet=True)
    script.pay("seat-2", 2)
    before = script.stacks["seat-3"]
    taken = script.take("seat-3")
    assert script.lake == 0
    assert script.stacks["seat-3"] == before + 6
    assert any(len(f.pose.pieces) == 6 and all(p.lift_mm > 0 for p in f.pose.pieces) for f in taken.frames)
    assert taken.frames[-1].pose.pieces == ()
    assert script.next_flip("seat-1", quiet=True).offset_mm == 0


def test_cards_are_paid_face_down_under_the_lake(deck):
    script = Script(deck, SEATS, EVENING, 2)
    for seat in SEATS:
        script.next_flip(seat, quiet=True)
    before = script.stacks["seat-2"]
    paid = script.pay("seat-2", 2)
    assert script.stacks["seat-2"] == before - 2
    lying = paid.frames[-1].pose.pieces
    assert [p.face_up for p in lying] == [False, False, True, True, True, True]
    assert [p.level for p in lying] == list(range(6))
    assert all(p.moving == (0, 0) for p in lying)
    script.stage.stacks["seat-2"] = script.stage.stacks["seat-2"][:1]
    script.pay("seat-2", 2)
    assert script.stacks["seat-2"] == 0 and script.lake == 7
    with pytest.raises(ValueError, match="no cards"):
        script.next_flip("seat-2")


def test_cards_are_handed_over(deck):
    script = Script(deck, SEATS, EVENING, 2)
    given = script.give("seat-1", "seat-3")
    assert (script.stacks["seat-1"], script.stacks["seat-3"]) == (15, 16)
    assert any(p.lift_mm > 0 and not p.face_up for f in given.frames for p in f.pose.pieces)


@ALL
@pytest.mark.parametrize("kind", ["push", "slap", "straighten"])
def test_a_nudge_flips_nothing(deck, condition, kind):
    script = Script(deck, SEATS, condition, 6)
    for seat in SEATS:
        script.next_flip(seat, quiet=True)
    before = [card.id for card in script.stage.lake.cards]
    nudge = script.nudge(kind, "seat-2", 5.0, 8.0)
    assert [card.id for card in script.stage.lake.cards] == before
    assert nudge.moved_mm == pytest.approx(5, abs=0.1) and nudge.moved_deg == pytest.approx(8, abs=0.1)
    assert any(f.pose.hands for f in nudge.frames) and nudge.frames[-1].still
    with pytest.raises(ValueError, match="no card"):
        Script(deck, SEATS, condition, 6).nudge(kind, "seat-2", 5.0)


def test_twins_lie_as_far_apart_as_asked(deck):
    script = Script(deck, SEATS, HARSH, 6)
    for dx, dy, turn in ((2, 0, 0), (0, 0, 1), (0, -12, 170)):
        first, second = script.twins("walleye", ("seat-1", "seat-2"), dx, dy, turn, at=(0, 0, 30))
        assert first.card == second.card == "walleye"
        assert second.why == "twins" and not second.slaps
        assert second.offset_mm == pytest.approx(np.hypot(dx, dy), abs=0.02)
        assert second.offset_deg == pytest.approx(turn, abs=0.02)
        script.take("seat-1")
    script.twins("walleye", ("seat-1", "seat-2"), 2, 0, 0)
    with pytest.raises(ValueError, match="lie in the Lake"):
        script.twins("walleye", ("seat-1", "seat-2"), 2, 0, 0)


def test_special_scripts_measure_what_they_say(deck):
    apart = []
    for act in special.twins(Script(deck, SEATS, EVENING, 1), 12):
        if hasattr(act, "why") and act.why == "twins" and act.offset_mm < 31:
            apart.append((act.offset_mm, act.offset_deg))
    assert len(apart) >= 12
    assert sum(mm < 4.1 and deg < 1 for mm, deg in apart) >= 3
    assert sum(mm < 0.6 and deg < 3.1 for mm, deg in apart) >= 3
    kinds = Counter()
    for act in special.nudges(Script(deck, SEATS, EVENING, 1), 12):
        if not hasattr(act, "why"):
            kinds[act.what] += 1
    assert all(kinds[kind] == 4 for kind in ("push", "slap", "straighten"))
