"""Through a hole one sees the card below: shifted by parallax, framed by both rims, in the wall's shadow."""

import numpy as np
import pytest
from light_helpers import mean_light

from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.conditions import EASY, HARSH
from hardware.simulated.faces import CARD_MM, TILE_MM
from hardware.simulated.lens import turn_matrix
from hardware.simulated.poses import PiecePose, TablePose

CARD_TOP, TILE_TOP = CARD_MM, CARD_MM + TILE_MM


def world(x, y, turn, at, z, size=60.0):
    """The world point of a place of a face (fractions) at a height."""
    return np.append(turn_matrix(turn) @ ((at[0] - 0.5) * size, (at[1] - 0.5) * size) + (x, y), z)


def dark_middle(light, around, reach, below):
    """The middle of what is darker than ``below`` of the brightest within ``reach`` pixels of a place."""
    x, y = np.round(around).astype(int)
    part = light[y - reach : y + reach + 1, x - reach : x + reach + 1]
    weight = np.clip(below * part.max() - part, 0, None)
    rows, columns = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    return np.array([x + (weight * columns).sum() / weight.sum(), y + (weight * rows).sum() / weight.sum()])


@pytest.mark.parametrize(("place", "seed"), [((-130, -70), 1), ((120, 80), 2), ((0, 0), 3)])
def test_parallax_is_as_computed(plain, place, seed):
    camera = SimulatedCamera(plain, HARSH, seed, table="pale")
    x, y = place
    pose = TablePose((PiecePose("dotted", x, y, 30), PiecePose("tile", x, y, 30, level=1)))
    dot = world(x, y, 30, (0.3, 0.35), CARD_TOP)
    on_card, on_tile = camera.lens.project(np.array([dot, [*dot[:2], TILE_TOP]]))
    light = mean_light(camera, pose, 4)
    seen = dark_middle(light, on_card, 5, 0.7)
    assert np.linalg.norm(seen - on_card) < 0.6
    shift = np.linalg.norm(on_tile - on_card)
    if shift > 1.5:  # away from below the camera the dot must not move with the tile
        assert np.linalg.norm(seen - on_tile) > 0.6 * shift


def test_the_far_wall_shows_and_the_near_one_does_not(plain):
    camera = SimulatedCamera(plain, HARSH, 7, table="pale")
    x, y = 130.0, 0.0
    bare = TablePose((PiecePose("grey", x, y, 0),))
    pose = TablePose((PiecePose("grey", x, y, 0), PiecePose("tile", x, y, 0, level=1)))
    light, card = mean_light(camera, pose, 3), mean_light(camera, bare, 3)
    hole = world(x, y, 0, (0.7, 0.2), TILE_TOP)
    away = np.array([x, y]) - camera.lens.centre[:2]
    away /= np.linalg.norm(away)
    rims = [(*(hole[:2] + away * side * 4.8), hole[2]) for side in (1, -1)]
    bright = []
    for rim in camera.lens.project(np.array(rims)):
        column, row = np.round(rim).astype(int)
        bright.append(float((light / card)[row - 1 : row + 2, column - 1 : column + 2].mean()))
    far, near = bright
    assert far < 0.8 * near or far < 0.45


def test_the_wall_throws_a_crescent_of_shadow(plain):
    camera = SimulatedCamera(plain, EASY, 8, table="pale")
    pose = TablePose((PiecePose("grey", 0, 0, 0), PiecePose("tile", 0, 0, 0, level=1)))
    ratio = mean_light(camera, pose, 3) / mean_light(camera, TablePose((PiecePose("grey", 0, 0, 0),)), 3)
    hole = world(0, 0, 0, (0.3, 0.35), CARD_TOP)
    to_lamp = np.array(camera.light.lamps[0].place[:2]) - hole[:2]
    to_lamp /= np.linalg.norm(to_lamp)
    sides = camera.lens.project(np.array([(*(hole[:2] + to_lamp * side * 7.2), hole[2]) for side in (1, 0, -1)]))
    towards, middle, away = (float(ratio[row, column]) for column, row in np.round(sides).astype(int))
    assert middle > 0.9  # the middle of a hole lies in full light
    assert towards < middle - 0.1  # under the wall on the lamp's side it is darker ...
    assert towards < away - 0.03  # ... than on the other
