"""What hands hide."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.world import Hand
from vision.hands import Hands
from vision.hiding import hidden_cells, hidden_share, touched_cells
from vision.motion import CELL, Motion
from vision.visit import enlarged


def motion(rows: int, columns: int) -> Motion:
    no, none = np.zeros((rows, columns), bool), np.zeros((rows * CELL, columns * CELL), np.uint8)
    return Motion(no, no, np.ones((rows, columns), np.int32), none, none, 1.0, False)


def test_a_hand_that_is_partly_like_a_shadow_hides_all_between_and_its_shadow_has_not_come_to_stay() -> None:
    mask = np.zeros((10 * CELL, 10 * CELL), np.uint8)
    mask[2 * CELL : 8 * CELL, 2 * CELL : 8 * CELL] = 255
    solid = np.zeros_like(mask)
    solid[2 * CELL : 5 * CELL : 8, 2 * CELL : 8 * CELL] = 255  # stripes, 8 pixels apart
    hands = Hands((Hand(((0.0, 0.0), (1.0, 0.0), (1.0, 1.0)), "left"),), mask, solid)
    hidden, touched = hidden_cells(hands, motion(10, 10)), touched_cells(hands, motion(10, 10))
    assert hidden[3:4, 3:7].all() and not hidden[6:].any()
    assert touched[2:8, 2:8].all() and touched.sum() == 36
    nobody = Hands((), mask, solid)
    assert not hidden_cells(nobody, motion(10, 10)).any() and not touched_cells(nobody, motion(10, 10)).any()


def test_the_share_of_a_card_that_is_hidden() -> None:
    hidden = np.zeros((100, 100), np.uint8)
    hidden[:, 50:] = 255
    quad = np.array([(20, 20), (80, 20), (80, 80), (20, 80)], float)
    assert 0.45 < hidden_share(quad, hidden) < 0.55
    assert hidden_share(quad + 1000, hidden) == 1.0


@pytest.mark.parametrize("size", [(320, 240), (213, 160), (640, 480)])
def test_a_part_of_a_mask_is_the_same_as_that_part_of_the_whole(size: tuple[int, int]) -> None:
    mask = np.random.default_rng(1).integers(0, 2, size[::-1]).astype(np.uint8) * 255
    whole = cv2.resize(mask, (640, 480), interpolation=cv2.INTER_NEAREST)
    assert (enlarged(mask, (640, 480), (101, 52, 633, 480)) == whole[52:480, 101:633]).all()
