from __future__ import annotations

import numpy as np
import pytest

from vision import light
from vision.motion import CELL, MotionWatch


def scene(seed=0, base=(90.0, 110.0, 140.0)):
    rng = np.random.default_rng(seed)
    return np.clip(rng.normal(base, 12, (240, 320, 3)), 0, 255).astype(np.uint8)


def under(picture, gains):
    return np.clip(picture * np.array(gains), 0, 255).astype(np.uint8)


GRID = (30, 40)


@pytest.mark.parametrize("gains", [(1.0, 1.0, 1.0), (1.1, 1.0, 0.9), (0.8, 0.8, 0.8), (1.3, 1.2, 1.1)])
def test_the_gain_of_each_channel_is_found(gains):
    then = scene()
    found = light.gain(light.means(under(then, gains), GRID), light.means(then, GRID))
    assert np.allclose(found, gains, atol=0.02)


def test_the_gain_is_not_misled_by_hands_over_half_the_picture():
    then = scene()
    now = under(then, (1.05, 1.05, 1.05))
    now[:, :150] = (200, 170, 150)
    found = light.gain(light.means(now, GRID), light.means(then, GRID))
    assert np.allclose(found, 1.05, atol=0.02)


def test_a_clipped_table_keeps_its_gain_when_all_cards_are_new():
    then = np.full((240, 320, 3), 255, np.uint8)
    now = then.copy()
    then[40:90, 40:280] = (40, 90, 160)
    now[40:90, 40:280] = (160, 60, 40)
    gain = light.gain(light.means(now, GRID), light.means(then, GRID))
    differs = light.differing(now, light.scaled(then, gain))
    assert not differs[120:].any()
    assert differs[50:80, 60:260].all()


def test_clipped_pixels_are_no_change_whatever_the_gain():
    bright = np.full((80, 80, 3), 255, np.uint8)
    assert not light.differing(bright, light.scaled(bright, np.array([0.85, 0.85, 0.85], np.float32))).any()


def test_a_shadow_is_faint_and_a_coloured_thing_solid():
    then = scene()
    now = then.copy()
    now[50:100, 50:100] = under(then[50:100, 50:100], (0.75, 0.75, 0.75))
    now[150:200, 150:200] = (60, 60, 200)
    differs = light.differing(now, then)
    solid = light.solid(now, then, differs)
    assert (differs[50:100, 50:100] > 0).mean() > 0.9 and (differs[150:200, 150:200] > 0).mean() > 0.9
    assert (solid[50:100, 50:100] > 0).mean() < 0.1
    assert (solid[150:200, 150:200] > 0).mean() > 0.9
    assert not light.solid(now, then, np.zeros_like(differs)).any()


def big(picture):
    return np.repeat(np.repeat(picture, 4, axis=0), 4, axis=1)


def test_what_comes_has_changed_until_it_is_settled_and_leaves_a_ghost():
    watch = MotionWatch()
    bare = scene()
    for _ in range(2):
        motion = watch.step(big(bare))
    watch.settle(np.ones(GRID, bool))
    watch.empty(np.ones(GRID, bool))
    there = bare.copy()
    there[80:160, 80:160] = (30, 30, 220)
    moved = watch.step(big(there))
    inside = np.zeros(GRID, bool)
    inside[80 // CELL : 160 // CELL, 80 // CELL : 160 // CELL] = True
    assert moved.moving[inside].all() and not moved.moving[~inside].any()
    for count in range(1, 4):
        motion = watch.step(big(there))
        assert not motion.moving.any() and motion.changed[inside].all()
        assert (motion.still[inside] == count).all()
    assert watch.bare_again(inside) == 0
    blob = np.zeros((240, 320), np.uint8)
    blob[80:160, 80:160] = 255
    assert not watch.ghost(blob)
    watch.settle(inside)
    assert not watch.step(big(there)).changed.any()
    gone = watch.step(big(bare))
    assert gone.moving[inside].all()
    watch.step(big(bare))
    assert watch.bare_again(inside) == 1
    assert watch.ghost(blob)


def test_another_size_starts_anew_and_everything_counts_as_changed():
    watch = MotionWatch()
    for _ in range(2):
        watch.step(big(scene()))
    watch.settle(np.ones(GRID, bool))
    assert watch.step(big(scene())[:480]).changed.all()


def test_disturbed_cells_count_as_changed():
    watch = MotionWatch()
    for _ in range(2):
        watch.step(big(scene()))
    watch.settle(np.ones(GRID, bool))
    assert not watch.step(big(scene())).changed.any()
    watch.disturb()
    assert watch.step(big(scene())).changed.all()
