"""The simulated players: legal and wrong placements as often as the condition says, and the truth about them."""

import math
from collections import Counter

import numpy as np
import pytest

from companion.app.intervals import Share
from companion.deck import load
from companion.games.hook import players, practice_deck, seating, ways
from companion.games.hook.names import BARE_MM, CHARACTERS, CROOKED_DEG
from companion.games.hook.script import MOST_FRAMES, Script
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.conditions import EASY, EVENING, HARSH

ALL = pytest.mark.parametrize("condition", [EASY, EVENING, HARSH], ids=lambda c: c.name)


@pytest.fixture(scope="module")
def deck():
    return load(practice_deck.folder())


@pytest.fixture(scope="module")
def rounds(deck):
    """Sixty tables a condition, two rounds of each."""
    found = {}
    for condition in (EASY, EVENING, HARSH):
        found[condition.name] = [
            Script(deck, CHARACTERS[: 3 + seed % 4], condition, seed).round(number)
            for seed in range(60)
            for number in (1, 2)
        ]
    return found


def test_a_seed_always_plays_the_same_round(deck):
    one, other = (Script(deck, CHARACTERS[:4], HARSH, 5) for _ in range(2))
    assert one.round(3) == other.round(3)
    assert one.round(3) != one.round(4)
    assert Script(deck, CHARACTERS[:4], HARSH, 6).round(3) != one.round(3)


def test_cards_are_dealt_evenly_and_each_comes_once(deck):
    script = Script(deck, CHARACTERS[:5], EASY, 1)
    assert script.rounds == 19
    cards = [card for number in range(1, 20) for card, _ in script.round(number).cards]
    assert len(cards) == len(set(cards)) == 95
    with pytest.raises(ValueError, match="19 rounds"):
        script.round(20)


def test_only_those_still_in_play(deck):
    script = Script(deck, CHARACTERS[:4], HARSH, 2)
    still_in = (CHARACTERS[0], CHARACTERS[2])
    for number in range(1, 8):
        one = script.round(number, playing=still_in)
        assert {seat for _, seat in one.cards} == set(still_in)
        assert {p.seat for p in one.placements} <= set(still_in)
        assert all(p.tile.startswith(f"sight-{p.seat}-") for p in one.placements)


@ALL
def test_frames(rounds, condition):
    for one in rounds[condition.name]:
        assert len(one.frames) <= MOST_FRAMES
        times = [frame.t_ns for frame in one.frames]
        assert times == sorted(set(times))
        assert one.frames[0].what == "empty" and one.frames[-1].what == "taken back"
        at_rest = [frame for frame in one.frames if frame.what == "rest" and frame.still]
        assert len(at_rest) >= 2 and one.frames[-2].still  # everybody can see how it ended
        for frame in one.frames:
            if frame.still:
                assert not frame.pose.hands
                assert all(piece.lift_mm == 0 and piece.moving == (0, 0) for piece in frame.pose.pieces)


@ALL
def test_truth_is_the_camera_s_truth(deck, condition):
    """What was laid and shows, told by the script, is what the geometry of the last resting frame says."""
    script = Script(deck, CHARACTERS[:4], condition, 3)
    camera = SimulatedCamera(deck, condition, 3)
    compared = 0
    for number in range(1, 6):
        one = script.round(number)
        lying = camera.truth(one.frames[-2].pose)
        for placement in one.placements:
            if placement.legal and not any(p.moved and p.tile == placement.tile for p in one.placements):
                tile = lying.piece(placement.tile)
                assert tile.over == placement.card
                assert tile.symbols == placement.symbols
                assert tile.shares == pytest.approx(placement.shares, abs=0.001)
                compared += 1
        cards = {piece.id for piece in lying.pieces if piece.kind == "target-card"}
        assert cards == {card for card, _ in one.cards}
    assert compared >= 15


@ALL
def test_legal_tiles_are_off_by_no_more_than_the_condition_says(rounds, condition):
    off_mm, off_deg = [], []
    for one in rounds[condition.name]:
        for p in (p for p in one.placements if p.legal):
            assert p.bare_mm <= min(condition.off_mm, players.LEGAL_BARE_MM) + 0.01
            assert p.turn_off_deg <= condition.off_deg + 0.01
            off_mm.append(p.bare_mm)
            off_deg.append(p.turn_off_deg)
    assert max(off_mm) > 0.85 * min(condition.off_mm, players.LEGAL_BARE_MM)
    assert max(off_deg) > 0.85 * condition.off_deg
    assert np.mean(off_mm) > 0.3 * condition.off_mm  # not only now and then


@ALL
def test_mistakes_are_as_frequent_as_the_condition_says(rounds, condition):
    placements = sum(len({p.seat for p in one.placements}) for one in rounds[condition.name])
    mistakes = sum(len(one.mistakes) for one in rounds[condition.name])
    low, high = Share(mistakes, placements).interval(0.99)
    assert low <= condition.wrong <= high


@ALL
def test_what_is_called_wrong_is_wrong(rounds, condition):
    for one in rounds[condition.name]:
        faults = [fault for p in one.placements for fault in p.faults]
        assert Counter(faults) == Counter(m for m in one.mistakes)
        for p in one.placements:
            assert ("crooked" in p.faults) == (p.turn_off_deg > CROOKED_DEG)
            if p.faults in ((), ("bare",)):
                assert ("bare" in p.faults) == (p.bare_mm > BARE_MM)
            assert ("no-card" in p.faults) == (p.card is None)
            pose = next(piece for piece in one.frames[p.frame].pose.pieces if piece.id == p.tile and piece.lift_mm == 0)
            assert ("black-side" in p.faults) == (not pose.face_up)


def test_every_kind_of_mistake_is_made(deck):
    made = Counter()
    for seed in range(150):
        script = Script(deck, CHARACTERS[: 3 + seed % 3], HARSH, 1000 + seed)
        made.update(m for number in (1, 2) for m in script.round(number).mistakes)
    assert set(made) == set(players.MISTAKES)


@ALL
def test_cards_lie_as_close_as_the_condition_says(rounds, condition, deck):
    size = players.card_size(deck)
    gaps = []
    for one in rounds[condition.name]:
        cards = {card for card, _ in one.cards}
        spots = [(p.x_mm, p.y_mm, p.turn_deg) for p in one.frames[4].pose.pieces if p.id in cards]
        gaps.append(seating.closest(spots, size))
    assert min(gaps) >= condition.gap_mm - 0.05
    assert np.median(gaps) < 1.3 * condition.gap_mm + 1


@ALL
def test_a_hand_rests_over_a_piece_as_often_as_the_condition_says(rounds, condition):
    resting = sum(any(f.what == "rest" and f.pose.hands for f in one.frames) for one in rounds[condition.name])
    low, high = Share(resting, len(rounds[condition.name])).interval(0.99)
    assert low - 0.03 <= condition.hand_rests <= high + 0.03  # a round full of other trouble has no time for it


def test_the_hand_that_rests_hides_something(deck):
    hidden = []
    for seed in range(25):
        script, camera = Script(deck, CHARACTERS[:3], HARSH, seed), None
        for number in (1, 2):
            one = script.round(number)
            frame = next((f for f in one.frames if f.what == "rest" and f.pose.hands), None)
            if frame is not None:
                camera = camera or SimulatedCamera(deck, HARSH, seed)
                hidden.append(max(piece.hidden for piece in camera.truth(frame.pose).pieces))
        if len(hidden) >= 4:
            break
    assert len(hidden) >= 3
    assert np.mean(hidden) > 0.25


def test_nothing_lies_on_the_cards(rounds, deck):
    size = players.card_size(deck)
    for one in rounds["harsh"][::6]:
        pose = one.frames[4].pose
        cards = {card for card, _ in one.cards}
        spots = [(p.x_mm, p.y_mm, p.turn_deg) for p in pose.pieces if p.id in cards]
        for thing in pose.clutter:
            assert all(math.hypot(thing.x_mm - x, thing.y_mm - y) > 30 for x, y, _ in spots)
        for piece in (p for p in pose.pieces if p.id not in cards):
            assert all(seating.closest([spot, (piece.x_mm, piece.y_mm, piece.turn_deg)], size) > 0 for spot in spots)


def test_players_choose_better_than_chance(rounds, deck):
    chosen = [players.worth(p.symbols, p.seat) for one in rounds["easy"] for p in one.placements if p.legal]
    random = []
    cards, tiles = deck.of_kind("target-card"), deck.of_kind("sight-tile")
    for i in range(200):
        tile = tiles[i % 18]
        sight = ways.sight(tile, cards[(7 * i) % 96], i % 4)
        random.append(players.worth(sight, str(tile.values["owner"])))
    assert np.mean(chosen) > np.mean(random) + 1


def test_somebody_beaten_to_a_card_goes_to_another(rounds):
    beaten = [(one, seat) for one in rounds["easy"] for seat in one.beaten]
    assert len(beaten) >= 5
    for one, seat in beaten:
        (placement,) = [p for p in one.placements if p.seat == seat]
        assert placement.legal
        carried = next(p for p in one.frames[placement.frame - 1].pose.pieces if p.id == placement.tile)
        card = next(p for p in one.frames[placement.frame].pose.pieces if p.id == placement.card)
        assert carried.lift_mm > 0
        assert math.hypot(carried.x_mm - card.x_mm, carried.y_mm - card.y_mm) > 30
