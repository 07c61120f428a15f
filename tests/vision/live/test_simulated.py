"""Whole rounds on the simulated table through the real still-picture reader."""

from __future__ import annotations

import numpy as np
import pytest

from companion import deck
from companion.games.hook import practice_deck
from companion.games.hook.script import Script
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.conditions import BY_NAME
from hardware.simulated.poses import HandPose, PiecePose, TablePose
from vision.catalog import build
from vision.pipeline import Pipeline

SEATS = ("red-pirate", "blue-sailor", "yellow-pirate", "red-sailor")


@pytest.fixture(scope="module")
def pieces():
    return deck.load(practice_deck.folder())


@pytest.fixture(scope="module")
def catalog(pieces):
    return build(pieces)


@pytest.mark.parametrize(("condition", "seed"), [("easy", 0), ("evening", 4)])
def test_a_round_is_read_right_within_five_frames_of_its_last_movement(pieces, catalog, condition, seed):
    camera = SimulatedCamera(pieces, BY_NAME[condition], seed)
    script = Script(pieces, SEATS, BY_NAME[condition], seed).round(1, start_ns=1)
    pipeline = Pipeline(catalog)
    last_movement = max(i for i, frame in enumerate(script.frames) if frame.what != "taken back" and not frame.still)
    for index, keyframe in enumerate(script.frames):
        scene = pipeline.step(camera.look(keyframe.pose, keyframe.t_ns))
        if index == last_movement + 5:
            break
    found = {sighting.id: sighting for sighting in scene.sightings}
    legal = [placement for placement in script.placements if placement.legal and not placement.obliged]
    assert legal
    for placement in legal:
        tile = found[placement.tile]
        assert tile.fresh and tile.sure and tile.over == placement.card
        assert tuple(hole.symbol for hole in tile.holes) == placement.symbols
        assert all(hole.sure for hole in tile.holes)
        assert found[placement.card].covered_by == placement.tile
    assert scene.plane is not None and scene.lost is None


def test_the_table_plane_of_the_simulated_camera_is_found(pieces, catalog):
    camera = SimulatedCamera(pieces, BY_NAME["evening"], 11)
    cards = [piece.id for piece in pieces.of_kind("target-card")][:4]
    spots = [(-110.0, -70.0), (100.0, -60.0), (-90.0, 70.0), (110.0, 80.0)]
    pose = TablePose(tuple(PiecePose(id, x, y, 20.0) for id, (x, y) in zip(cards, spots, strict=True)))
    pipeline = Pipeline(catalog)
    for t_ns in range(1, 6):
        scene = pipeline.step(camera.look(pose, t_ns * 10**8))
    found = {sighting.id: np.mean(sighting.corners_mm, axis=0) for sighting in scene.sightings if sighting.corners_mm}
    for first in range(4):
        for second in range(first):
            seen = np.linalg.norm(found[cards[first]] - found[cards[second]])
            assert seen == pytest.approx(np.hypot(*np.subtract(spots[first], spots[second])), rel=0.03)


def test_a_hand_that_rests_over_a_tile_keeps_it_unread_until_it_leaves(pieces, catalog):
    camera = SimulatedCamera(pieces, BY_NAME["easy"], 5)
    card = PiecePose(pieces.of_kind("target-card")[7].id, 0.0, 0.0, 30.0)
    tile = PiecePose("sight-red-pirate-1", 0.5, 0.5, 31.0, level=1)
    hand = HandPose(5.0, 0.0, 90.0, kind="flat")
    film = [
        *[TablePose()] * 3,
        *[TablePose((card,))] * 4,
        *[TablePose((card, tile), (hand,))] * 8,
        *[TablePose((card, tile))] * 4,
    ]
    pipeline = Pipeline(catalog)
    scenes = [pipeline.step(camera.look(pose, t_ns * 10**8)) for t_ns, pose in enumerate(film, 1)]
    under_hand = scenes[14]
    assert len(under_hand.hands) == 1 and under_hand.hands[0].side == "bottom"
    assert not any(sighting.fresh for sighting in under_hand.sightings)
    assert "sight-red-pirate-1" not in {sighting.id for sighting in under_hand.sightings}
    after = {sighting.id: sighting for sighting in scenes[-1].sightings}
    assert after["sight-red-pirate-1"].sure and after["sight-red-pirate-1"].over == card.id
    truth = camera.truth(film[-1]).piece("sight-red-pirate-1")
    assert tuple(hole.symbol for hole in after["sight-red-pirate-1"].holes) == truth.symbols
