"""How fast the vision is, as ratios to plain OpenCV on the same frame, so that machines can be compared.

The primitive is what any card finder does first: gray, 5 x 5 Gaussian, adaptive threshold (mean, 51, 10), contours;
one thread, decoding excluded, a 1280 x 960 frame with six Target cards under six Sight tiles. Medians of one run.

``idle_ratio``: a frame in which nothing changed. ``read_ratio``: a frame in which all twelve pieces are read for the
first time, on a table that was seen empty before. ``first_look_ratio``: the same on a table never seen before.
"""

from __future__ import annotations

import itertools
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

import cv2
import numpy as np

from companion import deck
from companion.games.hook import practice_deck
from companion.world import Frame, Image
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.conditions import BY_NAME
from hardware.simulated.poses import PiecePose, TablePose
from vision.catalog import build
from vision.pipeline import Pipeline
from vision.reading import StillReader

IDLE_LIMIT, READ_LIMIT = 0.6, 8.0
"""What a frame without a change, and one read from corner to corner, may cost in primitives."""
TEMPLATES = 240
_EVERY_NS = 66_000_000
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


def measure(condition: str = "evening", seed: int = 3, repeats: int = 9) -> dict[str, Any]:
    """All figures: ``idle_ratio``, ``read_ratio``, ``identify_ms_240``, ``primitive_ms`` and what they are made of.
    ``pieces_named`` is the least number named in any of the frames read.

    Measured in a process of its own, because the number of threads of a matrix product is fixed when it starts.
    """
    command = [sys.executable, "-m", "companion.app.bench", condition, str(seed), str(repeats)]
    done = subprocess.run(command, env=os.environ | ONE_THREAD, stdout=subprocess.PIPE, check=True)
    figures: dict[str, Any] = json.loads(done.stdout)
    return figures


def _measure(condition: str, seed: int, repeats: int) -> dict[str, Any]:
    cv2.setNumThreads(1)
    pieces = deck.load(practice_deck.folder())
    catalog = build(pieces)
    camera = SimulatedCamera(pieces, BY_NAME[condition], seed)
    bare = [camera.look(TablePose(), t_ns * _EVERY_NS) for t_ns in range(1, 4)]
    frames = [camera.look(_table(pieces, camera, seed), t_ns * _EVERY_NS) for t_ns in range(4, 12)]
    image = frames[0].image
    primitive_ms: list[float] = []
    idle_ms: list[float] = []
    read_ms: list[float] = []
    first_ms: list[float] = []
    warm = Pipeline(catalog)
    times = itertools.count(1)

    def step(pipeline: Pipeline, frame: Frame) -> float:
        stamped = Frame(next(times) * _EVERY_NS, frame.image, frame.jpeg)
        return _timed(lambda: pipeline.step(stamped))

    for frame in itertools.islice(itertools.cycle(frames), 12):
        step(warm, frame)
    named = 12
    # Each round measures all three, so that a machine that slows down slows them down alike.
    for turn in range(repeats):
        primitive_ms += [_timed(lambda: primitive(image)) for _ in range(5)]
        idle_ms += [step(warm, frame) for frame in frames]
        for before, taken in ((bare, read_ms), (bare[:0], first_ms)):
            fresh = Pipeline(catalog)
            for frame in (*before, frames[turn % 8]):
                step(fresh, frame)
            taken.append(step(fresh, frames[(turn + 1) % 8]))
            scene = fresh.step(Frame(next(times) * _EVERY_NS, frames[(turn + 2) % 8].image))
            named = min(named, sum(sighting.id is not None for sighting in scene.sightings))
    base = median(primitive_ms)
    return {
        "idle_ratio": round(median(idle_ms) / base, 3),
        "read_ratio": round(median(read_ms) / base, 2),
        "identify_ms_240": round(identify_ms(image), 2),
        "primitive_ms": round(base, 2),
        "first_look_ratio": round(median(first_ms) / base, 2),
        "idle_ms": round(median(idle_ms), 2),
        "read_ms": round(median(read_ms), 1),
        "pieces_named": named,
        "condition": condition,
        "frame": [image.shape[1], image.shape[0]],
        "opencv": cv2.__version__,
        "machine": f"{platform.machine()}, Python {platform.python_version()}",
    }


def primitive(image: Image) -> int:
    """The yardstick: gray, blur, adaptive threshold, contours. Returns how many contours there are."""
    gray = cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), (5, 5), 0)
    mask = cv2.adaptiveThreshold(gray, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, 51, 10)
    contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    return len(contours)


def identify_ms(image: Image, repeats: int = 15) -> float:
    """Naming one crop among 240 faces of noise, in milliseconds (median)."""
    with tempfile.TemporaryDirectory() as folder:
        catalog = build(deck.load(_noise_deck(Path(folder))))
    face = catalog.faces[7]
    scene = image.copy()
    scene[300:420, 500:620] = cv2.resize(face.large, (120, 120), interpolation=cv2.INTER_AREA)
    corners = np.array([(499.5, 299.5), (619.5, 299.5), (619.5, 419.5), (499.5, 419.5)], np.float64)
    reader = StillReader(catalog)

    def once() -> list[str | None]:
        return [sighting.id for sighting in reader.look(scene, known=[corners], search=False)]

    if once() != [face.piece.id]:
        raise RuntimeError("the bench does not recognise its own crop")
    return median(_timed(once) for _ in range(repeats))


def _noise_deck(folder: Path) -> Path:
    random = np.random.default_rng(0)
    lines = ['format = 1\nname = "noise"\ngame = "any"']
    for number in range(TEMPLATES):
        blocks = random.integers(0, 256, (8, 8, 3)).astype(np.uint8)
        cv2.imwrite(str(folder / f"{number}.png"), cv2.resize(blocks, (96, 96), interpolation=cv2.INTER_CUBIC))
        lines.append(f'[[piece]]\nid = "noise-{number}"\nkind = "card"\nface = "{number}.png"')
    (folder / "deck.toml").write_text("\n".join(lines), encoding="utf-8")
    return folder


def _table(pieces: deck.Deck, camera: SimulatedCamera, seed: int) -> TablePose:
    """Six Target cards in two rows, each under a tile of another character."""
    random = Random(seed)
    cards = [piece.id for piece in pieces.of_kind("target-card")]
    tiles = pieces.of_kind("sight-tile")
    owners = sorted({str(tile.values["owner"]) for tile in tiles})
    placed = []
    for place in range(6):
        x, y = (place % 3 - 1) * 115.0, (place // 3 - 0.5) * 130.0
        turn = random.uniform(0, 360)
        tile = next(tile for tile in tiles if tile.values["owner"] == owners[place])
        placed.append(PiecePose(random.choice(cards[16 * place : 16 * place + 16]), x, y, turn))
        off = camera.condition.off_mm / 2
        placed.append(
            PiecePose(tile.id, x + random.uniform(-off, off), y + random.uniform(-off, off), turn + 1.0, level=1)
        )
    return TablePose(tuple(placed))


def _timed(action: Callable[[], Any]) -> float:
    start = time.perf_counter()
    action()
    return (time.perf_counter() - start) * 1000


if __name__ == "__main__":
    json.dump(_measure(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])), sys.stdout)
