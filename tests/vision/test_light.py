"""The small arithmetic that every frame goes through."""

from __future__ import annotations

import numpy as np

from vision.light import strongest
from vision.motion import MotionWatch


def test_the_strongest_channel_of_each_pixel() -> None:
    rng = np.random.default_rng(1)
    picture = rng.integers(0, 256, (12, 17, 3)).astype(np.uint8)
    assert (strongest(picture) == picture.max(axis=2)).all()
    values = rng.normal(size=(5, 7, 3)).astype(np.float32)
    assert (strongest(values) == values.max(axis=2)).all()


def test_the_place_that_something_has_left_is_a_ghost_and_what_has_come_is_none() -> None:
    table = np.full((240, 320, 3), 150, np.uint8)
    there = table.copy()
    there[100:200, 80:160] = 40
    blob = np.zeros(table.shape[:2], np.uint8)
    blob[100:200, 80:160] = 255
    for first, then, left in ((there, table, True), (table, there, False)):
        watch = MotionWatch()
        watch.step(first)
        watch.step(then)
        assert watch.ghost(blob) is left
