"""Photographs with the truth: the path-traced ones, and as many of the simulated table with the same deck."""

import json
import os
from pathlib import Path
from random import Random

import cv2
import pytest

from companion.deck import load
from companion.games.hook.names import CHARACTERS
from companion.games.hook.script import Script
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.conditions import BY_NAME

RENDERS = Path(os.environ.get("SHARED", "../shared")) / "renders"


def renders_deck():
    if not (RENDERS / "hook-deck" / "deck.toml").exists():
        pytest.skip(f"the path-traced photographs are not at {RENDERS} (set SHARED)")
    return load(RENDERS / "hook-deck")


def path_traced(condition, count):
    """Pictures and their pieces."""
    lines = map(json.loads, (RENDERS / "hook-photos" / "truth.jsonl").read_text().splitlines())
    for line in [line for line in lines if line["condition"] == condition][:count]:
        yield cv2.imread(str(RENDERS / "hook-photos" / line["photo"])), line["pieces"]


def simulated(deck, condition, count, first=0):
    """Pictures of tables in the middle of a round; pieces in the form of the renders' truth."""
    for seed in range(first, first + count):
        random = Random(seed)
        seats = tuple(random.sample(CHARACTERS, random.randint(3, 6)))
        one = Script(deck, seats, BY_NAME[condition], seed).round(1 + seed % 10)
        camera = SimulatedCamera(deck, BY_NAME[condition], seed)
        frame = random.choice([f for f in one.frames if f.what in ("cards", "tiles come", "rest")])
        picture = camera.look(frame.pose, frame.t_ns).image
        yield picture, [as_render(piece) for piece in camera.truth(frame.pose).pieces if piece.kind in KINDS]


KINDS = ("target-card", "sight-tile")


def as_render(piece):
    unfair = piece.hidden > 0.01 or piece.held or piece.in_picture < 0.99 or not piece.face_up
    return {"id": piece.id, "corners": piece.corners, "over": piece.over, "hidden": 100 * unfair}
