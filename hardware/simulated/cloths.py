"""What the table is made of: wood, dark cloth, pale laminate, patterned cloth, as reflected light (linear BGR).

A surface is drawn once in table millimetres (``TEXELS_PER_MM`` to each) and then seen through the lens.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np

from hardware.simulated.lens import Floats, Lens
from hardware.simulated.warp import affine, sample

TableKind = Literal["wood", "dark", "pale", "patterned"]
KINDS: tuple[TableKind, ...] = ("wood", "dark", "pale", "patterned")
TEXELS_PER_MM = 2.0


@dataclass(frozen=True)
class Surface:
    """The table's reflected share of light at every pixel, and how much it mirrors (0 cloth, 1 like a coated card)."""

    kind: TableKind
    albedo: Floats
    gloss: float


def surface(lens: Lens, kind: TableKind, rng: np.random.Generator) -> Surface:
    """Lay a table of one kind under the camera."""
    ground = lens.ground
    edge = np.concatenate([ground[0], ground[-1], ground[:, 0], ground[:, -1]])
    low = edge.min(0) - 4
    span = edge.max(0) + 4 - low
    width, height = (int(v) for v in np.ceil(span * TEXELS_PER_MM))
    draw = {"wood": _wood, "dark": _dark, "pale": _pale, "patterned": _patterned}[kind]
    texture = np.clip(draw(width, height, rng), 0.004, 0.92).astype(np.float32)
    places = affine(ground, np.array([[1, 0, -low[0]], [0, 1, -low[1]]], np.float64) * TEXELS_PER_MM)
    albedo = sample(texture, places)
    gloss = {"wood": 0.45, "dark": 0.04, "pale": 0.35, "patterned": 0.02}[kind] * float(rng.uniform(0.6, 1.2))
    return Surface(kind, albedo, gloss)


def clouds(width: int, height: int, cell: tuple[float, float], rng: np.random.Generator) -> Floats:
    """Smooth noise of mean 0 and spread about 1 with bumps of ``cell`` texels (x, y)."""
    small = rng.normal(0, 1, (max(4, int(height / cell[1]) + 3), max(4, int(width / cell[0]) + 3))).astype(np.float32)
    return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC), np.float32)


def _colour(rgb: tuple[float, float, float]) -> Floats:
    return np.array(rgb[::-1], np.float32)


def _wood(width: int, height: int, rng: np.random.Generator) -> Floats:
    tones = [(0.33, 0.17, 0.075), (0.46, 0.27, 0.13), (0.20, 0.10, 0.05), (0.52, 0.36, 0.20), (0.27, 0.19, 0.12)]
    base = _colour(tones[int(rng.integers(len(tones)))])
    warp = clouds(width, height, (160, 45), rng) * 10 + clouds(width, height, (60, 25), rng) * 2
    y = np.arange(height, dtype=np.float32)[:, None] + warp
    rings = np.sin(y / rng.uniform(6, 16)) * 0.10 + np.sin(y / rng.uniform(2, 4)) * 0.05
    fibre = clouds(width, height, (90, 2.2), rng) * 0.07 + clouds(width, height, (30, 1.2), rng) * 0.05
    bright = 1 + rings + fibre + clouds(width, height, (200, 120), rng) * 0.06
    image = base * bright[..., None]
    if rng.random() < 0.5:  # planks
        board = int(rng.uniform(60, 140) * TEXELS_PER_MM)
        for k, top in enumerate(range(int(rng.integers(board)), height, board)):
            image[top : top + board] *= np.float32(1 + 0.08 * ((k * 7) % 5 - 2) / 2)
            image[top : top + 2] *= 0.45
    return image if rng.random() < 0.6 else np.ascontiguousarray(np.rot90(_fit(image, height, width)))


def _fit(image: Floats, width: int, height: int) -> Floats:
    return np.asarray(cv2.resize(image, (width, height), interpolation=cv2.INTER_LINEAR), np.float32)


def _dark(width: int, height: int, rng: np.random.Generator) -> Floats:
    tones = [(0.045, 0.048, 0.052), (0.03, 0.045, 0.07), (0.02, 0.06, 0.035), (0.07, 0.02, 0.025), (0.09, 0.085, 0.08)]
    base = _colour(tones[int(rng.integers(len(tones)))])
    weave = clouds(width, height, (1.4, 1.4), rng) * 0.12 + clouds(width, height, (3.5, 3.5), rng) * 0.06
    folds = clouds(width, height, (260, 180), rng) * 0.10
    return np.asarray(base * (1 + weave + folds)[..., None], np.float32)


def _pale(width: int, height: int, rng: np.random.Generator) -> Floats:
    tones = [(0.72, 0.70, 0.66), (0.78, 0.78, 0.77), (0.62, 0.60, 0.54), (0.66, 0.63, 0.58)]
    base = _colour(tones[int(rng.integers(len(tones)))])
    speckle = clouds(width, height, (2.2, 2.2), rng) * 0.025 + clouds(width, height, (30, 30), rng) * 0.012
    return np.asarray(base * (1 + speckle)[..., None], np.float32)


def _patterned(width: int, height: int, rng: np.random.Generator) -> Floats:
    inks = [(0.45, 0.04, 0.04), (0.05, 0.10, 0.32), (0.06, 0.22, 0.09), (0.55, 0.38, 0.06), (0.30, 0.10, 0.28)]
    first, second = rng.permutation(len(inks))[:2]
    ground = np.full((height, width, 3), _colour((0.66, 0.61, 0.52)), np.float32)
    x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    turn = np.float32(rng.uniform(-0.25, 0.25))
    u, v = x * np.cos(turn) + y * np.sin(turn), y * np.cos(turn) - x * np.sin(turn)
    u, v = u + clouds(width, height, (150, 150), rng) * 3, v + clouds(width, height, (150, 150), rng) * 3
    cell = np.float32(rng.uniform(28, 80) * TEXELS_PER_MM)
    style = int(rng.integers(4))
    in_u, in_v = (u % cell) < cell / 2, (v % cell) < cell / 2
    if style == 0:  # chequered
        ground[in_u ^ in_v] = _colour(inks[first])
    elif style == 1:  # gingham: two woven bands mix where they cross
        mix = (in_u.astype(np.float32) + in_v)[..., None] / 2
        ground = ground * (1 - mix) + _colour(inks[first]) * mix
    elif style == 2:  # stripes of two colours
        ground[(u % cell) < cell * 0.35] = _colour(inks[first])
        ground[((u + cell / 2) % cell) < cell * 0.12] = _colour(inks[second])
    else:  # dots and rings
        r = np.hypot((u % cell) - cell / 2, (v % cell) - cell / 2)
        ground[r < cell * 0.22] = _colour(inks[first])
        ground[(r > cell * 0.34) & (r < cell * 0.40)] = _colour(inks[second])
    weave = 1 + clouds(width, height, (1.4, 1.4), rng) * 0.07 + clouds(width, height, (220, 200), rng) * 0.05
    return np.asarray(ground * weave[..., None], np.float32)
