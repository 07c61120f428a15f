"""How a card lies under a tile, and what a tile's holes look like in the card's frame.

Lengths are map pixels (``vision.under.MAP`` a short side of a card) where nothing else is said. A pose is a quarter
turn, then a small tilt about the card's middle and a small shift.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.deck import Piece
from vision.catalog import Catalog
from vision.geometry import Array, carry, face_to_picture
from vision.pyramid import Pyramid
from vision.under import EXACT, MAP, Underlay, underlay

TURN_BACK: Array = np.array([[[1, 0], [0, 1]], [[0, 1], [-1, 0]], [[-1, 0], [0, -1]], [[0, -1], [1, 0]]], np.float32)
"""4 x 2 x 2: from a card so many quarter turns clockwise to an upright one, about the middle."""


@dataclass(frozen=True)
class Layout:
    """A tile over the cards that may lie below it."""

    below: Underlay
    size: tuple[float, float]
    """Width and height of the tile."""
    centres: Array
    """holes x 2: each hole's centre on a card lying upright and centrally below, relative to that card's middle."""
    coarse: Array
    """(holes * pixels) x 2: the discs of ``below.offsets`` on the tile, as fractions of its face."""
    exact: Array
    """The same of ``below.exact_offsets``."""
    points: Array
    """2 x holes x pixels: the latter in pixels of the atlas, as ``centres``."""


@dataclass(frozen=True)
class Seen:
    """What the picture shows in a tile's holes: holes x pixels x 3."""

    coarse: NDArray[np.uint8]
    exact: NDArray[np.uint8]


@dataclass(frozen=True)
class Tile:
    """A tile in a picture, with all that is known before anything is said of the card below."""

    over: Layout
    corners: Array
    """In its face's order."""
    seen: Seen
    light: Array
    """holes x 3 x 2: gain and haze of each colour on the tile around each hole."""
    level: int
    """Which of the BLURS the picture shows."""


def layout(catalog: Catalog, tile: Piece) -> Layout | None:
    """How a tile's holes lie over the cards of the deck; None if it has none, or no card carries symbols."""
    key = ("layout", tile.id)
    if key not in catalog.cache:
        below = underlay(catalog, tile)
        catalog.cache[key] = None if below is None else _layout(tile, below)
    return cast(Layout | None, catalog.cache[key])


def _layout(tile: Piece, below: Underlay) -> Layout:
    size = np.array(_tile_size(tile, below))
    centres = (np.array([hole.at for hole in tile.holes]) - 0.5) * size
    exact = centres[:, None] + below.exact_offsets * (MAP / EXACT)
    return Layout(
        below,
        (float(size[0]), float(size[1])),
        centres.astype(np.float32),
        ((centres[:, None] + below.offsets) / size + 0.5).reshape(-1, 2),
        (exact / size + 0.5).reshape(-1, 2),
        np.ascontiguousarray((exact * (EXACT / MAP)).transpose(2, 0, 1), np.float32),
    )


def _tile_size(tile: Piece, below: Underlay) -> tuple[float, float]:
    card = below.faces[0].piece
    width, height = below.size
    if tile.size_mm is None or card.size_mm is None:
        return float(width), float(height)
    pixels = width / card.size_mm[0]
    return tile.size_mm[0] * pixels, tile.size_mm[1] * pixels


def see(pyramid: Pyramid, corners: Array, over: Layout) -> Seen:
    """Cut the discs within the holes of a tile lying at ``corners`` out of the picture."""
    holes = len(over.centres)
    coarse = colours_at(pyramid, corners, MAP // 2, over.coarse)
    exact = colours_at(pyramid, corners, EXACT, over.exact)
    return Seen(coarse.reshape(holes, -1, 3), exact.reshape(holes, -1, 3))


def colours_at(pyramid: Pyramid, corners: Array, size: int, points: Array) -> NDArray[np.uint8]:
    """Colours (n x 3) at points of a piece (n x 2, fractions of its face), as fine as in a cut of that size."""
    picture, there, _ = pyramid.near(corners, size)
    at = carry(face_to_picture(there), points)
    cut = cv2.remap(picture, at[:, :1], at[:, 1:], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cut, np.uint8).reshape(len(points), -1)


def unturned(points: Array, turn: int) -> Array:
    """Points about the middle of a card turned clockwise by quarter turns, in the upright card's frame."""
    upright: Array = points @ TURN_BACK[turn % 4].T
    return upright


def pose_of(card: Array, tile_corners: Array, over: Layout) -> tuple[int, float, Array]:
    """Turn, tilt in degrees and shift (card against tile) of a card seen at ``card`` under a tile."""
    wide, tall = over.size
    back = np.diag([wide, tall, 1.0]) @ np.linalg.inv(face_to_picture(tile_corners))
    quad = carry(back, card)
    across = (quad[1] - quad[0]) + (quad[2] - quad[3])
    degrees = float(np.degrees(np.arctan2(across[1], across[0])))
    quarter = round(degrees / 90)
    shift: Array = (quad.mean(axis=0) - np.array([wide / 2, tall / 2])).astype(np.float32)
    return quarter % 4, degrees - 90 * quarter, shift


def card_corners(tile_corners: Array, over: Layout, turn: int, placed: tuple[float, float, float]) -> Array:
    """Corners in the picture, in the card's own order, of the card that a fit (dx, dy, tilt in radians) puts there.

    The fit maps hole places to the card: card = turn-back(spin(tilt) hole) + (dx, dy).
    """
    width, height = over.below.size
    dx, dy, tilt = placed
    own = np.array([[-width, -height], [width, -height], [width, height], [-width, height]], np.float32) / 2
    moved = own - np.array([dx, dy], np.float32)
    c, s = np.cos(-tilt), np.sin(-tilt)
    spun = np.stack([c * moved[:, 0] - s * moved[:, 1], s * moved[:, 0] + c * moved[:, 1]], axis=1)
    about = unturned(spun, -turn % 4)
    return carry(face_to_picture(tile_corners), about / np.array(over.size) + 0.5)
