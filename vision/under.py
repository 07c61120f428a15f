"""What a hole can show: every card's surface, as small round patches at every place, in a few numbers each.

A tile's hole shows a disc of the card below. ``Underlay`` holds, for each card that carries symbols and each place on
it, the disc there, described by its coordinates in a basis learned from the deck itself (principal components), and
which symbol the disc would show. A hole's patch is then compared with all of them by one matrix product.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.deck import Piece
from companion.world import NOTHING
from vision.catalog import Catalog, Face
from vision.colour import compress
from vision.geometry import Array

MAP = 48
"""Pixels a short side of the cards in these maps."""
PARTS = 24
"""Numbers that describe a disc."""
RIM = 0.82
"""Part of a hole's radius that is compared: outside it the wall and its shadow show."""
NAMED = 0.45
"""A symbol is named when at least this share of it shows (the rule says half; near it the share decides)."""


@dataclass(frozen=True)
class Underlay:
    """All cards under holes of one radius (in short sides of a card). ``places`` are pixel centres of MAP grids."""

    faces: tuple[Face, ...]
    size: tuple[int, int]
    """Width and height of a card's grid."""
    offsets: NDArray[np.intp]
    """Disc pixels as (dx, dy), m x 2."""
    basis: Array
    """PARTS x (3 * m)."""
    coordinates: Array
    """cards x height x width x PARTS; discs reaching over the edge repeat the edge."""
    power: Array
    """cards x height x width: squared length of the disc's features."""
    names: tuple[str, ...]
    shown: NDArray[np.int16]
    """cards x height x width: index into ``names`` of what a hole centred there shows."""
    share: Array
    """cards x height x width: how much of the best symbol shows there, 0 to 1."""
    pictures: Array
    """cards x height x width x 3, as float."""


def underlay(catalog: Catalog, tile: Piece) -> Underlay | None:
    """The cards that may lie under a tile with holes, or None if no card of the deck carries symbols."""
    faces = tuple(f for f in catalog.faces if f.up and f.piece.marks and not f.piece.holes)
    if not faces or not tile.holes:
        return None
    ratio = _ratio(tile, faces[0].piece)
    radius = max(hole.radius for hole in tile.holes) * ratio
    key = ("underlay", round(radius, 3))
    if key not in catalog.cache:
        catalog.cache[key] = _make(faces, radius)
    return cast(Underlay, catalog.cache[key])


def _ratio(tile: Piece, card: Piece) -> float:
    """Width of the tile in widths of the card."""
    if tile.size_mm is None or card.size_mm is None:
        return 1.0
    return tile.size_mm[0] / card.size_mm[0]


def disc(radius_px: float) -> NDArray[np.intp]:
    """Integer offsets (dx, dy) within a disc."""
    reach = math.ceil(radius_px)
    dy, dx = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    inside = np.hypot(dx, dy) <= radius_px
    return np.stack([dx[inside], dy[inside]], axis=1)


def centred(patches: Array) -> Array:
    """Patches (n x m x 3, compressed values) without their mean in each channel, as n x (3 * m)."""
    level = patches - patches.mean(axis=1, keepdims=True)
    flat: Array = level.transpose(0, 2, 1).reshape(len(patches), -1)
    return flat


def _make(faces: tuple[Face, ...], radius: float) -> Underlay:
    aspect = faces[0].aspect
    width, height = (round(MAP * max(aspect, 1)), round(MAP / min(aspect, 1)))
    wide = width  # radii are fractions of the width
    radius_px = radius * wide
    offsets = disc(radius_px * RIM)
    pictures = np.stack([cv2.resize(f.large, (width, height), interpolation=cv2.INTER_AREA) for f in faces])
    reach = int(np.abs(offsets).max())
    values = compress(np.pad(pictures, ((0, 0), (reach, reach), (reach, reach), (0, 0)), mode="edge"))
    rng = np.random.default_rng(0)
    count = len(faces)
    pick = rng.integers(0, [count, height, width], (3000, 3))
    sample = _discs(values, pick, offsets, reach)
    _, _, rows = np.linalg.svd(sample.T @ sample)
    basis = np.ascontiguousarray(rows[:PARTS], np.float32)
    coordinates = np.empty((count, height, width, len(basis)), np.float32)
    power = np.empty((count, height, width), np.float32)
    every = np.stack(np.mgrid[0:1, :height, :width], axis=-1).reshape(-1, 3)
    for card in range(count):
        every[:, 0] = card
        patches = _discs(values, every, offsets, reach)
        coordinates[card] = (patches @ basis.T).reshape(height, width, -1)
        power[card] = (patches**2).sum(axis=1).reshape(height, width)
    names, shown, share = _labels(faces, width, height, radius_px)
    return Underlay(
        faces, (width, height), offsets, basis, coordinates, power, names, shown, share, pictures.astype(np.float32)
    )


def _discs(values: Array, places: NDArray[np.intp], offsets: NDArray[np.intp], reach: int) -> Array:
    rows = places[:, 1, None] + reach + offsets[None, :, 1]
    columns = places[:, 2, None] + reach + offsets[None, :, 0]
    return centred(values[places[:, 0, None], rows, columns])


def _labels(
    faces: tuple[Face, ...], width: int, height: int, radius_px: float
) -> tuple[tuple[str, ...], NDArray[np.int16], Array]:
    names = (NOTHING, *sorted({mark.name for face in faces for mark in face.piece.marks}))
    shown = np.zeros((len(faces), height, width), np.int16)
    share = np.zeros((len(faces), height, width), np.float32)
    y, x = np.mgrid[:height, :width] + 0.5
    for card, face in enumerate(faces):
        for mark in face.piece.marks:
            away = np.hypot(x - mark.at[0] * width, y - mark.at[1] * height)
            part = covered_part(away, mark.radius * width, radius_px)
            better = part > share[card]
            share[card][better] = part[better]
            shown[card][better] = names.index(mark.name)
    shown[share < NAMED] = 0
    return names, shown, share


def covered_part(away: Array, mark: float, hole: float) -> Array:
    """The part of a round mark of radius ``mark`` seen through a hole of radius ``hole``, centres ``away`` apart."""
    d = np.clip(np.asarray(away, np.float64), 1e-6, None)
    a = np.arccos(np.clip((d**2 + mark**2 - hole**2) / (2 * d * mark), -1, 1))
    b = np.arccos(np.clip((d**2 + hole**2 - mark**2) / (2 * d * hole), -1, 1))
    lens = mark**2 * (a - np.sin(2 * a) / 2) + hole**2 * (b - np.sin(2 * b) / 2)
    part: Array = np.clip(lens / (np.pi * mark**2), 0, 1).astype(np.float32)
    return part
