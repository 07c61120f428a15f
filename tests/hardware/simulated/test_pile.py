"""A pile of playing cards: how it is stacked and drawn, and a card that is turned over in the hand."""

import random

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from companion import deck
from hardware.simulated import camera as cameras
from hardware.simulated import tilted
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.conditions import EASY, EVENING, HARSH
from hardware.simulated.faces import THIN_CARD_MM
from hardware.simulated.motion import between, film
from hardware.simulated.poses import Clutter, HandPose, PiecePose, TablePose
from hardware.simulated.stacking import undersides

CARD = """
[[piece]]
id = "{id}"
kind = "fish-card"
face = "{id}.png"
back = "back.png"
size_mm = [63.0, 88.0]
copies = 3
"""


@pytest.fixture(scope="module")
def cards(tmp_path_factory):
    """Six plain cards in different greys with a dark bar at their top, and a blue back."""
    folder = tmp_path_factory.mktemp("cards")
    text = 'format = 1\nname = "cards"\ngame = "hooked"\n'
    for k in range(6):
        face = np.full((176, 126, 3), 90 + 28 * k, np.uint8)
        face[8:40, 8:-8] = 20
        cv2.imwrite(str(folder / f"fish-{k}.png"), face)
        text += CARD.format(id=f"fish-{k}")
    cv2.imwrite(str(folder / "back.png"), np.full((176, 126, 3), (160, 60, 20), np.uint8))
    (folder / "deck.toml").write_text(text, encoding="utf-8")
    return deck.load(folder)


def pile(count, seed, spread):
    rng = random.Random(seed)
    return tuple(
        PiecePose(
            f"fish-{k % 6}",
            round(rng.gauss(0, spread), 1),
            round(rng.gauss(0, spread), 1),
            round(rng.uniform(0, 360), 1),
            level=k,
        )
        for k in range(count)
    )


def test_a_pile_is_as_high_as_its_cards(cards):
    faces = SimulatedCamera(cards, EASY, 1).faces
    heights = undersides(pile(20, 1, 4), faces)
    assert heights == pytest.approx([THIN_CARD_MM * k for k in range(20)])
    beside = (*pile(3, 1, 4), PiecePose("fish-5", 150, 0, level=3))
    assert undersides(beside, faces)[3] == 0
    held = (*pile(3, 1, 4), PiecePose("fish-5", 0, 0, level=3, lift_mm=20))
    assert undersides(held, faces)[3] == pytest.approx(20 + 3 * THIN_CARD_MM)


@pytest.mark.parametrize(("condition", "count", "spread"), [(EASY, 12, 2), (EVENING, 24, 6), (HARSH, 40, 14)])
def test_what_is_covered_need_not_be_drawn(cards, condition, count, spread, monkeypatch):
    """The picture is the same to the last bit."""
    pieces = pile(count, 2, spread)
    pose = TablePose(pieces, (HandPose(20, 10, 80, "flat"),))
    spared = SimulatedCamera(cards, condition, 5)
    sparing = spared.look(pose, 0).image
    assert count < 40 or spared._piled(pieces)[1]
    monkeypatch.setattr(cameras, "covered", lambda *_: frozenset())
    assert np.array_equal(sparing, SimulatedCamera(cards, condition, 5).look(pose, 0).image)


def test_of_a_neat_pile_most_is_covered(cards):
    camera = SimulatedCamera(cards, EASY, 5)
    pieces = tuple(PiecePose(f"fish-{k % 6}", 0.2 * (k % 3), 0, 12, level=k) for k in range(20))
    assert len(camera._piled(pieces)[1]) == 0  # every edge shows a little
    cross = tuple(replace(p, turn_deg=12.0 + 90 * (k > 17), x_mm=0.0) for k, p in enumerate(pieces))
    top = tuple(PiecePose("fish-0", dx, dy, 12, level=20) for dx in (-20, 20) for dy in (-25, 25))
    assert len(camera._piled((*cross[:18], *top))[1]) >= 17


def test_moving_cards_hide_only_what_moves_with_them(cards):
    camera = SimulatedCamera(cards, EASY, 5)
    big = tuple(PiecePose("fish-0", dx, dy, 0, level=8) for dx in (-20, 20) for dy in (-25, 25))
    low = tuple(PiecePose(f"fish-{k}", 0, 0, 0, level=k) for k in range(4))
    going = tuple(replace(p, moving=(6.0, 0.0)) for p in big)
    assert len(camera._piled((*low, *big))[1]) == 4
    assert len(camera._piled((*low, *going))[1]) == 0
    assert len(camera._piled((*(replace(p, moving=(6.0, 0.0)) for p in low), *going))[1]) == 4


def test_the_uppermost_card_is_seen_whole_and_copies_do_not_mix(cards):
    camera = SimulatedCamera(cards, EASY, 3, table="dark")
    pieces = (*pile(9, 4, 8), PiecePose("fish-2", 0, 0, 0, level=9))
    image = camera.look(TablePose(pieces), 0).image
    top = camera.truth(TablePose(pieces)).pieces[-1]
    assert top.id == "fish-2" and top.covered_by is None
    corners = np.array(top.corners, np.float32)
    flat = np.array([[0, 0], [126, 0], [126, 176], [0, 176]], np.float32)
    seen = cv2.warpPerspective(image, cv2.getPerspectiveTransform(corners, flat), (126, 176)).mean(2)
    assert seen[60:160, 15:110].std() < 8
    assert seen[16:32, 20:106].mean() < 0.5 * seen[60:160, 15:110].mean()


def test_a_pile_shades_what_is_under_it(cards):
    camera = SimulatedCamera(cards, EVENING, 3, table="pale")
    one = camera.look(TablePose((PiecePose("fish-5", 0, 0),)), 0).image.astype(int)
    stack = tuple(PiecePose("fish-5", 0, 0, 0, level=k) for k in range(20))
    many = camera.look(TablePose(stack), 0).image.astype(int)
    assert np.abs(one - many).max() > 30


@pytest.mark.parametrize("tilt", [-60, -20, 20, 70])
def test_a_tilted_card_is_where_the_truth_says(cards, tilt):
    camera = SimulatedCamera(cards, EASY, 3, table="dark")
    held = PiecePose("fish-5", 30, -10, 25, True, 1, 40, tilt_deg=tilt)
    bare = camera.look(TablePose(), 0).image.astype(int)
    image = camera.look(TablePose((held,)), 0).image
    truth = camera.truth(TablePose((held,))).pieces[0]
    assert truth.held
    corners = np.array(truth.corners, np.float32)
    inside = np.zeros(image.shape[:2], np.uint8)
    cv2.fillConvexPoly(inside, np.round(corners).astype(np.int32), 1)
    core = cv2.erode(inside, np.ones((7, 7))) > 0
    changed = np.abs(image.astype(int) - bare).max(2) > 25
    assert changed[core].mean() > 0.8
    flat = np.array([[0, 0], [126, 0], [126, 176], [0, 176]], np.float32)
    seen = cv2.warpPerspective(image, cv2.getPerspectiveTransform(corners, flat), (126, 176)).mean(2)
    assert seen[18:30, 20:106].mean() < 0.6 * seen[60:160, 15:110].mean()


def test_the_upper_edge_of_a_tilted_card_rises():
    up = tilted.corners(PiecePose("a", 0, 0, tilt_deg=30), 60, 80, 10.0)
    assert up[:2, 2] == pytest.approx([50, 50]) and up[2:, 2] == pytest.approx([10, 10])
    down = tilted.corners(PiecePose("a", 0, 0, tilt_deg=-30), 60, 80, 10.0)
    assert down[:2, 2] == pytest.approx([10, 10]) and down[2:, 2] == pytest.approx([50, 50])


def test_a_card_nearly_level_looks_like_a_level_one(cards):
    camera = SimulatedCamera(cards, EASY, 3, table="wood")
    level, askew = (
        camera.look(TablePose((PiecePose("fish-3", 10, 5, 40, lift_mm=20, tilt_deg=tilt),)), 0).image.astype(int)
        for tilt in (0.0, 0.2)
    )
    assert np.abs(level - askew).mean() < 1.0


def test_palms_lie_over_held_cards_and_high_piles(cards):
    camera = SimulatedCamera(cards, EASY, 3, table="dark")
    pieces = (*pile(60, 1, 3), PiecePose("fish-5", 0, 0, level=61, lift_mm=3))
    hands = (HandPose(0, -40, 90, "flat"), HandPose(40, 0, 180, "flat", look=4, height_mm=40))
    camera.look(TablePose(pieces, hands), 0)
    assert camera.truth(TablePose(pieces, hands)).pieces[-1].hidden > 0.5
    levels = [layer.level for layers in camera._layers_of(TablePose(pieces, hands)).values() for layer in layers]
    assert levels[-1] == max(levels)


def test_a_film_moves_every_copy_on_its_own():
    a = PiecePose("fish-0", 0, 0, level=0)
    b = PiecePose("fish-0", 50, 0, level=1, lift_mm=20)
    before, after = TablePose((a, b)), TablePose((a, replace(b, x_mm=90.0)))
    half = between(before, after, 0.5)
    assert [p.x_mm for p in half.pieces] == [0, 70]
    moving = [pose for _, pose in film([(0, before), (10**9, after)])]
    assert all(len(pose.pieces) == 2 and pose.pieces[0].moving == (0, 0) for pose in moving)
    assert any(pose.pieces[1].moving[0] > 0 for pose in moving)


def test_a_stack_is_as_high_as_it_has_cards(cards):
    camera = SimulatedCamera(cards, EASY, 3, table="pale")

    def seen(count):
        return camera.look(TablePose(clutter=(Clutter("stack", 120, 60, 0, 3, count),)), 0).image.astype(int)

    assert np.abs(seen(31) - seen(4)).max() > 30
