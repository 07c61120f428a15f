"""What is on the table but is not read, markers, faces and backs, heights."""

import numpy as np
import pytest

from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.cloths import KINDS
from hardware.simulated.clutter import EXTENT
from hardware.simulated.conditions import EASY, EVENING, HARSH
from hardware.simulated.faces import CARD_MM, TILE_MM
from hardware.simulated.markers import places
from hardware.simulated.poses import Clutter, HandPose, PiecePose, TablePose
from hardware.simulated.stacking import undersides
from vision import plane


@pytest.fixture(scope="module")
def camera(plain):
    return SimulatedCamera(plain, EVENING, 2, table="pale")


@pytest.mark.parametrize("kind", EXTENT)
def test_clutter_shows_where_it_stands(camera, kind):
    bare = camera.look(TablePose(), 0).image.astype(int)
    seen = camera.look(TablePose(clutter=(Clutter(kind, 40, -30, 25, 1),)), 0).image.astype(int)
    changed = np.abs(seen - bare).max(2) > 25
    x, y = np.round(camera.lens.project(np.array([[40.0, -30.0, 1.0]]))[0]).astype(int)
    assert changed[y - 8 : y + 8, x - 8 : x + 8].mean() > 0.15
    rows, columns = np.nonzero(changed)
    scale = camera.lens.scale(40, -30)
    reach = (np.hypot(*EXTENT[kind]) / 2 + 60) * scale
    far = np.hypot(rows - y, columns - x) > reach
    assert far.mean() < 0.02


def test_things_out_of_the_picture_cost_nothing(camera):
    far = TablePose(
        (PiecePose("grey", 900, 0),), (HandPose(-2000, 0, 180),), (Clutter("glass", 0, 3000), Clutter("die", 999, 999))
    )
    bare, same = (camera.look(pose, 0).image.astype(int) for pose in (TablePose(), far))
    assert np.abs(bare - same).mean() < 3
    assert all(piece.in_picture == 0 for piece in camera.truth(far).pieces)


@pytest.mark.parametrize("kind", KINDS)
def test_every_table_can_be_drawn_and_differs(plain, kind):
    pictures = [SimulatedCamera(plain, EASY, seed, table=kind).look(TablePose(), 0).image for seed in (1, 2)]
    assert pictures[0].std() > 1
    assert np.abs(pictures[0].astype(int) - pictures[1]).mean() > 2


def test_a_dark_cloth_is_darker_than_a_pale_table(plain):
    dark, pale = (SimulatedCamera(plain, EASY, 4, table=kind).table.albedo.mean() for kind in ("dark", "pale"))
    assert dark < 0.12
    assert pale > 0.5


def test_a_tile_lies_as_high_as_what_is_under_it(camera):
    pieces = (
        PiecePose("grey", 0, 0),
        PiecePose("tile", 2, 0, level=1),
        PiecePose("tile", 4, 0, level=2),
        PiecePose("tile", 200, 0, level=1),
        PiecePose("tile", -2, 0, level=1, lift_mm=26),
    )
    heights = undersides(pieces, camera.faces)
    assert heights == pytest.approx([0, CARD_MM, CARD_MM + TILE_MM, 0, CARD_MM + 26])


def test_the_black_side_shows_mirrored_holes(camera):
    body, back = camera.faces.body("tile"), camera.faces.body("tile", face_up=False)
    assert [(-x, y, r) for x, y, r in body.holes] == list(back.holes)
    assert back.texture.max() < 0.05
    card = camera.faces.body("grey", face_up=False)
    assert card.texture.std() > 0.01 and card.holes == ()


@pytest.mark.parametrize("condition", [EASY, HARSH], ids=lambda c: c.name)
def test_markers_lie_where_the_vision_expects_them(plain, condition):
    camera = SimulatedCamera(plain, condition, 3, table="wood", markers=True)
    found = plane.find_markers(camera.look(TablePose(), 0).image)
    assert len(found) >= 2  # reading all four in any light is the vision's part
    for number, corners in found.items():
        local = plane.marker_corners_mm(number) - (plane.WIDTH_MM / 2, plane.HEIGHT_MM / 2)
        wanted = camera.lens.project(np.column_stack([local, np.full(4, 0.1)]))
        assert np.abs(corners - wanted).max() < 2.0
    middles = [plane.marker_corners_mm(n).mean(0) - (plane.WIDTH_MM / 2, plane.HEIGHT_MM / 2) for n in range(4)]
    assert np.allclose(middles, places())


def test_the_plane_is_the_table_s(camera):
    pixels = camera.lens.project(np.array([[50.0, 40.0, 0.0], [-90.0, -60.0, 0.0]]))
    lifted = np.column_stack([pixels, np.ones(2)]) @ camera.plane().T
    assert lifted[:, :2] / lifted[:, 2:] == pytest.approx(np.array([[50.0, 40.0], [-90.0, -60.0]]), abs=1.0)
