"""What shows through a tile's holes when the card underneath is known: geometry alone, no pixels.

The card's outline was measured while it lay open, the tile's when it had come to rest. The tile's upper side is some
millimetres nearer to the camera, so its outline is first moved to where it would stand on the table (parallax).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.deck import Piece
from companion.world import NOTHING, Quad
from vision.plane import Plane, project

RISE_MM = 2.3
"""How far a tile's upper side is above the face of the card under it."""
HALF = 0.5
"""A symbol counts when more than this share of it shows."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Shown:
    """What one hole shows: the name of the symbol that counts (or ``NOTHING``), and the share of the symbol that
    shows most (0 to 1), whether or not it is enough to count. ``likely`` is that symbol's name."""

    symbol: str
    share: float
    likely: str


def shown(tile: Piece, tile_quad: Quad, card: Piece, card_quad: Quad, plane: Plane | None) -> tuple[Shown, ...]:
    """What shows through each hole of ``tile`` (in the order of its holes) with ``card`` underneath."""
    places = hole_places(tile, tile_quad, card_quad, plane)
    width, height = _size(card)
    tile_width = _size(tile)[0]
    found = []
    for (x, y), hole in zip(places, tile.holes, strict=True):
        best, name = 0.0, NOTHING
        for mark in card.marks:
            apart = math.hypot((x - mark.at[0]) * width, (y - mark.at[1]) * height)
            share = overlap(apart, mark.radius * width, hole.radius * tile_width)
            if share > best:
                best, name = share, mark.name
        found.append(Shown(name if best > HALF else NOTHING, best, name))
    return tuple(found)


def hole_places(tile: Piece, tile_quad: Quad, card_quad: Quad, plane: Plane | None) -> Floats:
    """Where on the card (fractions of its face, n x 2) the middles of the tile's holes lie, seen from above."""
    unit = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
    spots = np.array([hole.at for hole in tile.holes], np.float64).reshape(-1, 2)
    upper, lower = np.array(tile_quad, np.float64), np.array(card_quad, np.float64)
    if plane is not None:
        eye = plane.camera_mm()
        upper = plane.to_mm(upper)
        upper = eye[:2] + (upper - eye[:2]) * (1 - RISE_MM / max(eye[2], 10 * RISE_MM))
        lower = plane.to_mm(lower)
    onto = cv2.getPerspectiveTransform(unit, upper.astype(np.float32))
    back = cv2.getPerspectiveTransform(lower.astype(np.float32), unit)
    return project(np.asarray(back, np.float64) @ np.asarray(onto, np.float64), spots)


def overlap(apart: float, mark: float, hole: float) -> float:
    """The share of a disc of radius ``mark`` that lies within a disc of radius ``hole``, their middles ``apart``."""
    if apart >= mark + hole:
        return 0.0
    if apart <= abs(mark - hole):
        return min(1.0, (hole / mark) ** 2)
    first = mark**2 * np.arccos((apart**2 + mark**2 - hole**2) / (2 * apart * mark))
    second = hole**2 * np.arccos((apart**2 + hole**2 - mark**2) / (2 * apart * hole))
    kite = 0.5 * np.sqrt((mark + hole - apart) * (apart + mark - hole) * (apart - mark + hole) * (apart + mark + hole))
    return float((first + second - kite) / (np.pi * mark**2))


def _size(piece: Piece) -> tuple[float, float]:
    return piece.size_mm if piece.size_mm is not None else (1.0, 1.0)
