"""How high each piece lies: on the table, or on what it overlaps of the levels below; and which ones show at all."""

from __future__ import annotations

import bisect
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.simulated.faces import Faces, size_of, thickness_of
from hardware.simulated.lens import Lens, outline
from hardware.simulated.poses import PiecePose

_PILE = 3
"""From this level on it is worth while to look for what is covered."""
_COARSE = 2
_ROUNDED_MM, _NEAR_MM = 2.2, 2.2
"""What is covered for certain lies so far within a card, and nothing of a lying card reaches farther around it."""


def undersides(pieces: Sequence[PiecePose], faces: Faces) -> list[float]:
    """The height of each piece's underside in mm, its lift included."""
    heights = [0.0] * len(pieces)
    tops: list[tuple[float, int]] = []
    """Top and index of what lies there, the highest first."""
    for i in sorted(range(len(pieces)), key=lambda i: pieces[i].level):
        base = 0.0
        for top, j in tops:
            if pieces[j].level < pieces[i].level and overlap_mm2(pieces[i], pieces[j], faces) > 20:
                base = top
                break
        heights[i] = base + pieces[i].lift_mm
        if pieces[i].lift_mm <= 0:
            bisect.insort(tops, (heights[i] + thickness_of(faces.piece(pieces[i].id)), i), key=lambda entry: -entry[0])
    return heights


def covered(pieces: Sequence[PiecePose], bottoms: Sequence[float], faces: Faces, lens: Lens) -> frozenset[int]:
    """Which pieces of a pile nothing is seen of, neither face nor edge nor shadow, because others lie on them.

    Few others ever show of a high pile; those below need not be drawn. In doubt a piece counts as seen.
    """
    if max((piece.level for piece in pieces), default=0) < _PILE:
        return frozenset()
    outlines = []
    for piece, bottom in zip(pieces, bottoms, strict=True):
        kind = faces.piece(piece.id)
        (width, height), top = size_of(kind), bottom + thickness_of(kind)
        x, y, turn = piece.x_mm, piece.y_mm, piece.turn_deg
        outlines += [
            outline(x, y, turn, width - 2 * _ROUNDED_MM, height - 2 * _ROUNDED_MM, top),
            outline(x, y, turn, width + 2 * _NEAR_MM, height + 2 * _NEAR_MM, top),
            outline(x, y, turn, width + 2 * _NEAR_MM, height + 2 * _NEAR_MM, bottom),
        ]
    seen = lens.project(np.vstack(outlines)).reshape(len(pieces), 3, 4, 2) / _COARSE
    masks: dict[tuple[float, float], NDArray[np.uint8]] = {}
    hidden = set()
    shape = lens.size[1] // _COARSE, lens.size[0] // _COARSE
    for i in sorted(range(len(pieces)), key=lambda i: (pieces[i].lift_mm > 0, pieces[i].level), reverse=True):
        piece, (inner, *around) = pieces[i], seen[i]
        reach = np.asarray(cv2.convexHull(np.vstack(around).astype(np.float32)), np.float32)
        known = [masks[way] for way in {(0.0, 0.0), piece.moving} if way in masks]
        if piece.tilt_deg == 0 and any(_within(reach, mask) for mask in known):
            hidden.add(i)
        elif piece.tilt_deg == 0 and not faces.piece(piece.id).holes and faces.piece(piece.id).shape == "rectangle":
            mask = masks.setdefault(piece.moving, np.zeros(shape, np.uint8))
            cv2.fillConvexPoly(mask, np.round(inner * 16).astype(np.int32), 1, shift=4)
    return frozenset(hidden)


def _within(reach: NDArray[np.float32], mask: NDArray[np.uint8]) -> bool:
    """Whether a convex outline, as far as it is in the picture, lies within a mask."""
    points = reach.reshape(-1, 2)
    low = np.maximum(np.floor(points.min(0)).astype(int) - 1, 0)
    high = np.minimum(np.ceil(points.max(0)).astype(int) + 2, mask.shape[::-1])
    if (low >= high).any():
        return False
    own = np.zeros((high[1] - low[1], high[0] - low[0]), np.uint8)
    cv2.fillConvexPoly(own, np.round((points - low) * 16).astype(np.int32), 1, shift=4)
    return not (own > mask[low[1] : high[1], low[0] : high[0]]).any()


def overlap_mm2(a: PiecePose, b: PiecePose, faces: Faces) -> float:
    """The area that two pieces share seen from above (as rectangles)."""
    one, other = size_of(faces.piece(a.id)), size_of(faces.piece(b.id))
    if np.hypot(a.x_mm - b.x_mm, a.y_mm - b.y_mm) > (np.hypot(*one) + np.hypot(*other)) / 2:
        return 0.0
    quads = [outline(p.x_mm, p.y_mm, p.turn_deg, *size)[:, :2].astype(np.float32) for p, size in ((a, one), (b, other))]
    return float(cv2.intersectConvexConvex(quads[0], quads[1])[0])
