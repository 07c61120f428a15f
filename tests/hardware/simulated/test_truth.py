"""The truth about a frame is what the frame shows: outlines, what lies on what, symbols, what hands hide."""

import numpy as np
import pytest
from light_helpers import edge_offset, mean_light

from companion.discs import disc_share
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.conditions import EASY, EVENING, HARSH
from hardware.simulated.poses import HandPose, PiecePose, TablePose
from hardware.simulated.truth import hole_shares, shared_share


@pytest.mark.parametrize(("condition", "seed"), [(EASY, 1), (EVENING, 2), (HARSH, 3)])
def test_outlines_are_where_the_truth_says(plain, condition, seed):
    camera = SimulatedCamera(plain, condition, seed, table="dark")
    pose = TablePose((PiecePose("grey", -70, 50, 17), PiecePose("grey", 75, -50, 250), PiecePose("grey", 0, 0, 45)))
    light = mean_light(camera, pose, 3)
    for piece in camera.truth(pose).pieces:
        offsets = [edge_offset(light, piece.corners, side) for side in range(4)]
        # The piece as a whole to a third of a pixel; single sides may lean by a lit edge or its shadow.
        assert abs(np.mean(offsets)) < 0.45, offsets
        assert max(map(abs, offsets)) < 0.9, offsets


def test_corners_are_in_the_face_s_own_order(plain):
    camera = SimulatedCamera(plain, EASY, 1)
    upright, turned = (camera.truth(TablePose((PiecePose("grey", 0, 0, turn),))).pieces[0].corners for turn in (0, 90))
    assert upright[0][0] < upright[1][0] and upright[0][1] < upright[3][1]
    assert np.allclose(turned[3], upright[0], atol=1.5)  # turned clockwise: its bottom left is at the top left


def test_a_tile_lies_on_its_card_and_shows_its_symbols(plain):
    camera = SimulatedCamera(plain, EVENING, 4)
    pose = TablePose((PiecePose("dotted", 20, 10, 33), PiecePose("tile", 21, 10, 34, level=1)))
    card, tile = camera.truth(pose).pieces
    assert (card.covered_by, tile.over) == ("tile", "dotted")
    assert tile.symbols == ("bomb", "rum", "none")
    assert all(share > 0.9 for share in tile.shares[:2]) and tile.shares[2] == 0
    assert all(0.5 < seen <= 1 for seen in tile.seen[:2])
    quarter = TablePose((PiecePose("dotted", 20, 10, 33), PiecePose("tile", 20, 10, 123, level=1)))
    assert camera.truth(quarter).pieces[1].symbols == ("none", "none", "none")


def test_shares_of_discs():
    assert disc_share((0, 0, 1), (5, 0, 1)) == 0
    assert disc_share((0, 0, 1), (0.1, 0, 2)) == 1
    assert disc_share((0, 0, 2), (0, 0, 1)) == pytest.approx(0.25)
    for x in (0.3, 0.8, 1.2, 1.9):
        assert disc_share((0, 0, 1), (x, 0, 1.1)) == pytest.approx(shared_share((0, 0, 1), [(x, 0, 1.1)]), abs=0.004)


def test_a_symbol_that_shows_by_less_than_half_is_none(plain):
    tile, card = plain.piece("tile"), plain.piece("dotted")
    shares = {}
    for off in (3.0, 7.5):
        (name, share), *_ = hole_shares(PiecePose("tile", off, 0), tile, PiecePose("dotted", 0, 0), card)
        shares[off] = share
        assert name == ("bomb" if share > 0.5 else "none")
    assert shares[3.0] > 0.5 > shares[7.5] > 0.2


def test_hands_hide_what_they_cover(plain):
    camera = SimulatedCamera(plain, EASY, 5)
    pieces = (PiecePose("grey", 0, 0, 10), PiecePose("grey", -120, 0, 10))
    hand = HandPose(0, -10, 90, kind="flat", height_mm=10)
    covered, free = camera.truth(TablePose(pieces, (hand,))).pieces
    assert covered.hidden > 0.3 and free.hidden == 0
    with_hand, without = (camera.look(TablePose(pieces, hands), 0).image.astype(int) for hands in ((hand,), ()))
    x, y = np.mean(covered.corners, axis=0).round().astype(int)
    assert np.abs(with_hand - without)[y - 5 : y + 5, x - 5 : x + 5].mean() > 12


def test_a_piece_at_the_edge_of_the_picture(plain):
    camera = SimulatedCamera(plain, EASY, 6)
    edge = camera.lens.ground[480, 0]
    half = camera.truth(TablePose((PiecePose("grey", float(edge[0]), float(edge[1])),))).pieces[0]
    assert 0.4 < half.in_picture < 0.6


def test_what_a_hand_carries_hides_too(plain):
    camera = SimulatedCamera(plain, EASY, 5)
    carried = PiecePose("tile", 8, 0, 10, lift_mm=26)
    card, tile = camera.truth(TablePose((PiecePose("grey", 0, 0, 10), carried))).pieces
    assert card.hidden > 0.6
    assert (tile.hidden, tile.held, tile.over) == (0, True, None)
    assert card.covered_by is None
