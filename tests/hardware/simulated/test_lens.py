"""The lens: projection and its inverse, planes at a height, rays to a lamp."""

import numpy as np
import pytest

from hardware.simulated.lens import hang, outline, then
from hardware.simulated.warp import affine

SIZE = (640, 480)


@pytest.fixture(scope="module", params=[(4, 0.0), (10, -0.12), (18, 0.02)])
def lens(request):
    tilt, k1 = request.param
    return hang(SIZE, pixels_per_mm=1.1, height_mm=520, tilt_deg=tilt, tilt_to_deg=130, roll_deg=3, k1=k1, k2=0.02)


def some_pixels(seed=0):
    rng = np.random.default_rng(seed)
    return np.stack([rng.integers(0, SIZE[0], 60), rng.integers(0, SIZE[1], 60)], -1)


def test_ground_is_the_inverse_of_the_projection(lens):
    pixels = some_pixels()
    seen = lens.ground[pixels[:, 1], pixels[:, 0]].astype(float)
    again = lens.project(np.column_stack([seen, np.zeros(len(seen))]))
    assert np.abs(again - pixels).max() < 0.03


def test_a_plane_at_a_height_is_affine_in_the_ground(lens):
    pixels = some_pixels(1)
    seen = lens.ground[pixels[:, 1], pixels[:, 0]].astype(float)
    for z in (0.4, 2.4, 40.0):
        lifted = affine(seen[None].astype(np.float32), lens.at_height(z))[0]
        again = lens.project(np.column_stack([lifted, np.full(len(seen), z)]))
        assert np.abs(again - pixels).max() < 0.03


def test_a_piece_s_own_millimetres(lens):
    corners = outline(37, -22, 25, 60, 50, 2.4)
    pixels = np.round(lens.project(corners)).astype(int)
    seen = lens.ground[pixels[:, 1], pixels[:, 0]].astype(np.float32)
    local = affine(seen[None], lens.local(37, -22, 25, 2.4))[0]
    half_a_pixel = 0.8 / lens.scale(37, -22)
    assert np.allclose(local, [(-30, -25), (30, -25), (30, 25), (-30, 25)], atol=half_a_pixel)


def test_the_ray_to_a_lamp_passes_where_similar_triangles_say(lens):
    lamp = (200.0, -150.0, 700.0)
    point = np.array([[[30.0, 10.0]]], np.float32)
    # A point of the ground is its own image on the plane of height 0.
    passes = affine(point, then(lens.at_height(0), np.eye(3)[:2]))[0, 0]
    assert np.allclose(passes, (30, 10))
    at_two = affine(point, lens.toward(lamp, 0.0, 2.0))[0, 0]
    assert np.allclose(at_two, (30 + (200 - 30) * 2 / 700, 10 + (-150 - 10) * 2 / 700), atol=1e-4)


def test_it_hangs_where_it_was_told_to():
    lens = hang(SIZE, pixels_per_mm=1.3, height_mm=600, tilt_deg=10, tilt_to_deg=40)
    assert lens.centre[2] == 600
    look = lens.rotation.T @ (0, 0, 1)
    assert np.degrees(np.arccos(look[2])) == pytest.approx(10)
    assert np.abs(lens.project(np.zeros((1, 3))) - lens.middle).max() < 1e-6
    assert lens.scale(0, 0) == pytest.approx(1.3, rel=0.03)
