"""What the pieces of a picture tell about each other's place.

All lie on one table and most sizes are known, so a few well-seen pieces give the table plane, and the plane gives every
outline its right shape: a card that peeks out from under a tile no longer pulls the tile's outline askew.
"""

from __future__ import annotations

import numpy as np

from companion.deck import Piece
from vision.align import EXACT, align
from vision.catalog import Catalog
from vision.geometry import Array, Matrix, carry, to_quad
from vision.identify import Candidate
from vision.plane import Plane, from_pieces
from vision.pyramid import Pyramid

TRUSTED = 0.6
"""Likeness from which a piece's outline may speak for the plane."""
FEWEST = 2
WORST_MM = 2.5
"""A piece whose corners are further (root mean square) from the plane's idea of it does not count."""
LOSS = 0.05
"""Likeness a straightened outline may lose; more means that the piece does not lie flat."""


def table_plane(candidates: list[Candidate], size: tuple[int, int]) -> Plane | None:
    """The plane from well-recognised pieces of known size, or None where there are too few or they disagree."""
    good = [c for c in candidates if c.likeness >= TRUSTED and c.face.piece.size_mm is not None]
    if len(good) < FEWEST:
        return None
    pairs = [(to_quad(c.corners), c.face.piece.size_mm) for c in good if c.face.piece.size_mm is not None]
    plane = from_pieces(pairs, size)
    if plane is None:
        return None
    off = [_off_mm(plane.matrix, c.corners, c.face.piece) for c in good]
    limit = max(WORST_MM, 1.5 * float(np.median(off)))
    agreeing = [pair for pair, error in zip(pairs, off, strict=True) if error <= limit]
    if FEWEST <= len(agreeing) < len(pairs):
        plane = from_pieces(agreeing, size) or plane
    return plane


def _off_mm(plane: Matrix, corners: Array, piece: Piece) -> float:
    placed = carry(plane, corners)
    ideal = rigid_mm(placed, piece)
    return float(np.sqrt(((placed - ideal) ** 2).sum(axis=1).mean()))


def rigid_mm(placed: Array, piece: Piece) -> Array:
    """The piece's true rectangle (millimetres) laid over four rough corners as well as it goes."""
    wide, tall = piece.size_mm if piece.size_mm is not None else (1.0, 1.0)
    half = np.array([[-wide, -tall], [wide, -tall], [wide, tall], [-wide, tall]]) / 2
    middle = placed.mean(axis=0)
    about = placed - middle
    dot = float((half * about).sum())
    cross = float((half[:, 0] * about[:, 1] - half[:, 1] * about[:, 0]).sum())
    angle = np.arctan2(cross, dot)
    c, s = np.cos(angle), np.sin(angle)
    rigid: Array = (half @ np.array([[c, s], [-s, c]]) + middle).astype(np.float32)
    return rigid


def straightened(pyramid: Pyramid, candidate: Candidate, catalog: Catalog, plane: Plane | None) -> tuple[Array, float]:
    """The candidate's corners laid exactly: as a rigid piece on the plane if that fits, else freely."""
    if plane is not None and candidate.face.piece.size_mm is not None:
        rigid = rigid_mm(carry(plane.matrix, candidate.corners), candidate.face.piece)
        start = carry(np.linalg.inv(plane.matrix), rigid)
        corners, likeness = align(pyramid, start, candidate.face, catalog, EXACT, rigid=True)
        if likeness > candidate.likeness - LOSS:
            return corners, likeness
    return align(pyramid, candidate.corners, candidate.face, catalog, EXACT)
