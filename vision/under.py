"""What a hole can show: every card's surface, ready to be compared with the discs seen through a tile's holes.

``Underlay`` holds each card that carries symbols three times: as numbers that describe the disc around each place of a
coarse grid (principal components learned from the deck itself, for trying everything at once), as one large picture
of all cards side by side (for fitting the best few exactly), and as the list of its symbols.
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
"""Pixels a short side of the cards in the coarse maps."""
STEP = 2
"""Every how many of these pixels a disc is described."""
PARTS = 32
"""Numbers that describe a disc."""
EXACT = 64
"""Pixels a short side of the cards in the large picture."""
BLURS = (0.6, 1.1, 1.7, 2.5)
"""How blurred a picture may be (sigma in pixels of the large picture)."""
SOFT = 1.4
"""Blur (sigma in map pixels) of the coarse maps."""
RIM = 0.82
"""Part of a hole's radius that is compared: outside it the wall and its shadow show."""
MARGIN = 8
"""Pixels around each card in the large picture, so that neighbours do not run into it."""


@dataclass(frozen=True)
class Atlas:
    """The picture of all cards as a camera of some blur sees it."""

    picture: NDArray[np.uint8]
    logs: Array
    """Its compressed colours (``colour.compress``), then their derivatives in x, then in y: nine layers."""
    steep: NDArray[np.uint8]
    """How much each colour changes over a pixel."""


@dataclass(frozen=True)
class Underlay:
    """All cards under holes of one radius. Map and atlas pixels follow the card's own upright frame."""

    faces: tuple[Face, ...]
    size: tuple[int, int]
    """Width and height of a card in map pixels."""
    offsets: NDArray[np.intp]
    """Disc pixels of the map as (dx, dy), m x 2."""
    basis: Array
    """4 x PARTS x (3 * m): for each quarter turn of a card, what makes a disc's numbers of its features."""
    described: Array
    """rows x PARTS x (columns * cards): the numbers of the discs, of unit length (less what the basis leaves out);
    one row and column each STEP map pixels."""
    exact_offsets: NDArray[np.intp]
    """Disc pixels of the large picture as (dx, dy), shuffled: any first part of them is spread over the disc."""
    atlas: NDArray[np.uint8]
    """All cards in a grid, EXACT pixels a short side, MARGIN around each."""
    blurred: dict[int, Atlas]
    """What ``blurs`` has made of it so far."""
    origins: Array
    """cards x 2: where each card's top left corner is in the atlas."""
    names: tuple[str, ...]
    """The symbols' names, after NOTHING."""
    marks: Array
    """cards x most x 4: x, y, radius (map pixels) and name's index of each symbol; radius 0 where there is none."""
    radius: float
    """Of a hole, in map pixels."""


def underlay(catalog: Catalog, tile: Piece) -> Underlay | None:
    """The cards that may lie under a tile with holes, or None if no card of the deck carries symbols."""
    faces = tuple(f for f in catalog.faces if f.up and f.piece.marks and not f.piece.holes)
    if not faces or not tile.holes:
        return None
    radius = max(hole.radius for hole in tile.holes) * _ratio(tile, faces[0].piece)
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
    width, height = round(MAP * max(aspect, 1)), round(MAP / min(aspect, 1))
    radius_px = radius * width  # radii are fractions of the width
    offsets = disc(radius_px * RIM)
    # Soft, so that a card a little off its place on the coarse grid is still like itself.
    small = [cv2.resize(f.large, (width, height), interpolation=cv2.INTER_AREA) for f in faces]
    pictures = np.stack([np.asarray(cv2.GaussianBlur(picture, (0, 0), SOFT), np.uint8) for picture in small])
    basis, described = _describe(pictures, offsets)
    names, marks = _marks(faces, width, height)
    atlas, origins = _atlas(faces, aspect)
    exact = np.random.default_rng(1).permutation(disc(radius_px * RIM * EXACT / MAP), axis=0)
    return Underlay(
        faces=faces,
        size=(width, height),
        offsets=offsets,
        basis=np.stack([_turned_basis(basis, offsets, turn) for turn in range(4)]),
        described=described,
        exact_offsets=exact,
        atlas=atlas,
        blurred={},
        origins=origins,
        names=names,
        marks=marks,
        radius=radius_px,
    )


def _describe(pictures: NDArray[np.uint8], offsets: NDArray[np.intp]) -> tuple[Array, Array]:
    """Basis and numbers of the discs around every STEP-th pixel; at the edge the picture is repeated."""
    count, height, width = pictures.shape[:3]
    reach = int(np.abs(offsets).max())
    values = compress(np.pad(pictures, ((0, 0), (reach, reach), (reach, reach), (0, 0)), mode="edge"))
    pick = np.random.default_rng(0).integers(0, [count, height, width], (3000, 3))
    sample = _discs(values, pick, offsets, reach)
    _, _, axes = np.linalg.svd(sample.T @ sample)
    basis = np.ascontiguousarray(axes[:PARTS], np.float32)
    rows, columns = np.arange(0, height, STEP), np.arange(0, width, STEP)
    described = np.empty((len(rows) * len(columns), count, PARTS), np.float32)
    places = np.zeros((len(described), 3), np.intp)
    places[:, 1:] = np.stack(np.meshgrid(rows, columns, indexing="ij"), axis=-1).reshape(-1, 2)
    for card in range(count):
        places[:, 0] = card
        patches = _discs(values, places, offsets, reach)
        described[:, card] = patches @ basis.T / np.sqrt((patches**2).sum(axis=1, keepdims=True) + np.float32(1e-4))
    return basis, np.ascontiguousarray(described.reshape(len(rows), -1, PARTS).transpose(0, 2, 1))


def _turned_basis(basis: Array, offsets: NDArray[np.intp], turn: int) -> Array:
    """The basis for discs seen on a card so turned: its columns in the order in which the disc's pixels come there."""
    order = np.argsort(_order(offsets, turn))
    return basis.reshape(len(basis), 3, -1)[:, :, order].reshape(basis.shape)


def _discs(values: Array, places: NDArray[np.intp], offsets: NDArray[np.intp], reach: int) -> Array:
    rows = places[:, 1, None] + reach + offsets[None, :, 1]
    columns = places[:, 2, None] + reach + offsets[None, :, 0]
    return centred(values[places[:, 0, None], rows, columns])


def _order(offsets: NDArray[np.intp], turn: int) -> NDArray[np.intp]:
    """For each disc pixel of an upright card, which pixel shows it under a card so turned."""
    x, y = offsets[:, 0], offsets[:, 1]
    for _ in range(turn):
        x, y = -y, x
    index = {(int(a), int(b)): k for k, (a, b) in enumerate(offsets)}
    return np.array([index[int(a), int(b)] for a, b in zip(x, y, strict=True)])


def _marks(faces: tuple[Face, ...], width: int, height: int) -> tuple[tuple[str, ...], Array]:
    names = (NOTHING, *sorted({mark.name for face in faces for mark in face.piece.marks}))
    marks = np.zeros((len(faces), max(len(face.piece.marks) for face in faces), 4), np.float32)
    for card, face in enumerate(faces):
        for k, mark in enumerate(face.piece.marks):
            x, y = mark.at[0] * width, mark.at[1] * height
            marks[card, k] = x, y, mark.radius * width, names.index(mark.name)
    return names, marks


def _atlas(faces: tuple[Face, ...], aspect: float) -> tuple[NDArray[np.uint8], Array]:
    width, height = round(EXACT * max(aspect, 1)), round(EXACT / min(aspect, 1))
    columns = math.ceil(math.sqrt(len(faces) * height / width))
    rows = math.ceil(len(faces) / columns)
    cell = (width + 2 * MARGIN, height + 2 * MARGIN)
    atlas = np.zeros((rows * cell[1], columns * cell[0], 3), np.uint8)
    origins = np.zeros((len(faces), 2), np.float32)
    for k, face in enumerate(faces):
        small = cv2.resize(face.large, (width, height), interpolation=cv2.INTER_AREA)
        framed = cv2.copyMakeBorder(small, MARGIN, MARGIN, MARGIN, MARGIN, cv2.BORDER_REPLICATE)
        left, top = (k % columns) * cell[0], (k // columns) * cell[1]
        atlas[top : top + cell[1], left : left + cell[0]] = framed
        origins[k] = left + MARGIN, top + MARGIN
    return atlas, origins


def blurs(below: Underlay, level: int) -> Atlas:
    """The atlas at one of the BLURS."""
    if level not in below.blurred:
        picture = np.asarray(cv2.GaussianBlur(below.atlas, (0, 0), BLURS[level]), np.uint8)
        logs = compress(picture)
        across = cv2.Sobel(logs, cv2.CV_32F, 1, 0, ksize=3, scale=0.125)
        down = cv2.Sobel(logs, cv2.CV_32F, 0, 1, ksize=3, scale=0.125)
        steep_x = cv2.convertScaleAbs(cv2.Sobel(picture, cv2.CV_16S, 1, 0), alpha=0.125)
        steep_y = cv2.convertScaleAbs(cv2.Sobel(picture, cv2.CV_16S, 0, 1), alpha=0.125)
        steep = np.asarray(cv2.max(steep_x, steep_y), np.uint8)
        below.blurred[level] = Atlas(picture, np.concatenate([logs, across, down], axis=2), steep)
    return below.blurred[level]


def shares(below: Underlay, cards: NDArray[np.intp], centres: Array) -> Array:
    """How much of each symbol of cards (any shape) shows through holes at ``centres`` (that shape x 2, map pixels)."""
    marks = below.marks[cards]
    away = np.hypot(centres[..., None, 0] - marks[..., 0], centres[..., None, 1] - marks[..., 1])
    part = covered_part(away, np.maximum(marks[..., 2], 1e-3), below.radius)
    return np.where(marks[..., 2] > 0, part, 0).astype(np.float32)


def covered_part(away: Array, mark: Array, hole: float) -> Array:
    """The part of round marks of radius ``mark`` seen through a hole of radius ``hole``, centres ``away`` apart."""
    d = np.maximum(np.asarray(away, np.float64), 1e-6)
    a = np.arccos(np.clip((d**2 + mark**2 - hole**2) / (2 * d * mark), -1, 1))
    b = np.arccos(np.clip((d**2 + hole**2 - mark**2) / (2 * d * hole), -1, 1))
    lens = mark**2 * (a - np.sin(2 * a) / 2) + hole**2 * (b - np.sin(2 * b) / 2)
    part: Array = np.clip(lens / (np.pi * mark**2), 0, 1).astype(np.float32)
    return part
