"""Faces in different light."""

from __future__ import annotations

import numpy as np
import pytest

from vision.colour import explain_even, explain_pixels, features


def faces(number: int = 4) -> np.ndarray:
    rng = np.random.default_rng(1)
    return np.repeat(np.repeat(rng.integers(20, 230, (number, 8, 8, 3)), 4, axis=1), 4, axis=2).astype(np.uint8)


def test_features_do_not_feel_gain_and_slope_of_light():
    (face,) = faces(1)
    slope = np.linspace(0.8, 1.2, 32)[None, :, None]
    lit = np.clip(face * slope * [0.6, 0.9, 1.0], 0, 255).astype(np.uint8)
    a, b = features(np.stack([face, lit]))
    assert a @ b / (np.linalg.norm(a) * np.linalg.norm(b)) > 0.97


@pytest.mark.parametrize("gain", [0.2, 0.6, 1.0, 1.5])
def test_the_right_face_is_explained_best_under_any_exposure(gain):
    arts = faces()
    crop = np.clip(arts[2] * gain * [1.0, 0.9, 0.7], 0, 255).astype(np.uint8)
    flat = arts.reshape(4, -1, 3).astype(np.float32)
    left = explain_pixels(crop.reshape(1, -1, 3).astype(np.float32), flat).left.mean(axis=1)
    assert left.argmin() == 2
    assert left[2] < 0.5 * np.delete(left, 2).min()


@pytest.mark.parametrize("gain", [0.3, 1.0, 1.6])
def test_an_even_face_is_explained_like_any_other(gain):
    pixels = np.minimum(np.random.default_rng(2).normal(160, 40, (2, 120, 3)) * gain, 255).astype(np.float32)
    as_any = explain_pixels(pixels, np.full_like(pixels, 200.0)).left.mean(axis=1)
    assert explain_even(pixels).mean(axis=1) == pytest.approx(as_any, abs=0.01)
