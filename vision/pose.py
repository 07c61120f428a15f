"""How a card lies under a tile, and what a tile's holes look like in the card's frame.

All lengths are map pixels (``vision.under.MAP`` a short side of a card). A pose is a quarter turn, then a small tilt
about the card's middle and a small shift.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.deck import Piece
from companion.world import Image
from vision.geometry import Array, Matrix, carry, face_to_picture
from vision.pyramid import Pyramid
from vision.under import EXACT, MAP, Underlay


@dataclass(frozen=True)
class Seen:
    """What the picture shows in a tile's holes."""

    centres: Array
    """holes x 2: each hole's centre on a card lying upright and centrally below, relative to that card's middle."""
    coarse: NDArray[np.uint8]
    """holes x pixels x 3, at ``below.offsets``."""
    exact: NDArray[np.uint8]
    """holes x pixels x 3, at ``below.exact_offsets``."""


def tile_scale(tile: Piece, below: Underlay) -> tuple[float, float]:
    """Width and height of the tile in map pixels."""
    card = below.faces[0].piece
    width, height = below.size
    if tile.size_mm is None or card.size_mm is None:
        return float(width), float(height)
    pixels = width / card.size_mm[0]
    return tile.size_mm[0] * pixels, tile.size_mm[1] * pixels


def see(pyramid: Pyramid, corners: Array, tile: Piece, below: Underlay) -> Seen:
    """Cut the discs within a tile's holes out of the picture."""
    wide, tall = tile_scale(tile, below)
    at = np.array([hole.at for hole in tile.holes])
    centres = ((at - 0.5) * [wide, tall]).astype(np.float32)
    # from map pixels about the tile's middle to the picture
    to_face = np.array([[1 / wide, 0, 0.5], [0, 1 / tall, 0.5], [0, 0, 1]])
    soft, there, _ = pyramid.near(corners, MAP // 2)
    coarse = _cut(soft, face_to_picture(there) @ to_face, centres, below.offsets.astype(np.float32))
    image, there, _ = pyramid.near(corners, EXACT)
    offsets = below.exact_offsets.astype(np.float32) * (MAP / EXACT)
    exact = _cut(image, face_to_picture(there) @ to_face, centres, offsets)
    return Seen(centres, coarse, exact)


def _cut(image: Image, matrix: Matrix, centres: Array, offsets: Array) -> NDArray[np.uint8]:
    points = (centres[:, None] + offsets[None]).reshape(-1, 2)
    at = carry(matrix, points)
    cut = cv2.remap(image, at[:, 0][None], at[:, 1][None], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cut, np.uint8).reshape(len(centres), len(offsets), 3)


def unturned(points: Array, turn: int) -> Array:
    """Points about the middle of a card turned clockwise by quarter turns, in the upright card's frame."""
    x, y = points[..., 0], points[..., 1]
    for _ in range(turn % 4):
        x, y = y, -x
    return np.stack([x, y], axis=-1)


def pose_of(card: Array, tile_corners: Array, tile: Piece, below: Underlay) -> tuple[int, float, Array]:
    """Turn, tilt in degrees and shift (card against tile, map pixels) of a card seen at ``card`` under a tile."""
    wide, tall = tile_scale(tile, below)
    back = np.diag([wide, tall, 1.0]) @ np.linalg.inv(face_to_picture(tile_corners))
    quad = carry(back, card)
    across = (quad[1] - quad[0]) + (quad[2] - quad[3])
    degrees = float(np.degrees(np.arctan2(across[1], across[0])))
    quarter = round(degrees / 90)
    shift: Array = (quad.mean(axis=0) - np.array([wide / 2, tall / 2])).astype(np.float32)
    return quarter % 4, degrees - 90 * quarter, shift


def card_corners(
    tile_corners: Array, tile: Piece, below: Underlay, turn: int, placed: tuple[float, float, float]
) -> Array:
    """Corners in the picture, in the card's own order, of the card that a fit (dx, dy, tilt in radians) puts there.

    The fit maps hole places to the card: card = turn-back(spin(tilt) hole) + (dx, dy).
    """
    width, height = below.size
    dx, dy, tilt = placed
    own = np.array([[-width, -height], [width, -height], [width, height], [-width, height]], np.float32) / 2
    moved = own - np.array([dx, dy], np.float32)
    c, s = np.cos(-tilt), np.sin(-tilt)
    spun = np.stack([c * moved[:, 0] - s * moved[:, 1], s * moved[:, 0] + c * moved[:, 1]], axis=1)
    about = unturned(spun, -turn % 4)
    wide, tall = tile_scale(tile, below)
    return carry(face_to_picture(tile_corners), about / np.array([wide, tall]) + 0.5)
