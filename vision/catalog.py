"""Everything about a deck that the vision needs, computed once: faces, masks, features to compare with.

Nothing here knows a game: where symbols and holes are is the deck's data, what they look like is cut from its faces.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.deck import Deck, DeckError, Piece
from vision.colour import features
from vision.geometry import Array

TINY = 16
"""Pixels a side of the crops that tell at a glance what is worth a look."""
COARSE = 32
"""Pixels a side of the crops that are compared with every face."""
FINE = 48
"""Pixels a side of the crops that settle alignment."""
RIM = 0.07
"""Share of the face at each edge that says nothing about identity: borders, shadows, a crop slightly off."""
LARGE = 96
"""Pixels across a face (its short side) kept for reading symbols."""


@dataclass(frozen=True)
class Face:
    """One side of a piece. ``art`` is FINE x FINE, ``large`` keeps its aspect; BGR. ``mask`` is 0 at holes."""

    index: int
    piece: Piece
    up: bool
    aspect: float
    """Width by height."""
    art: NDArray[np.uint8]
    large: NDArray[np.uint8]
    mask: Array
    """FINE x FINE: 1 where the face itself is to be seen."""
    size_mm: tuple[float, float] | None
    """As the deck says; where no piece has a size but all have one aspect, in units of their height."""


@dataclass(frozen=True)
class Catalog:
    """A deck, ready to be recognised. Make it with ``build``."""

    deck: Deck
    faces: tuple[Face, ...]
    tiny: Array
    """faces x (TINY * TINY * 3): features of unit length, blank where masked."""
    coarse: Array
    """The same at faces x (COARSE * COARSE * 3)."""
    arts: Array
    """faces x COARSE x COARSE x 3, as float."""
    masks: Array
    """faces x COARSE x COARSE: 1 where the face is compared; 0 at holes and at the rim."""
    aspects: tuple[float, ...]
    """Long-to-short side ratios that occur among rectangles."""
    has_round: bool
    cache: dict[object, object] = field(default_factory=dict, compare=False, repr=False)
    """Things derived from faces on first use, by their makers' keys."""

    def face_of(self, id: str) -> Face:
        """The front of a piece; KeyError if the deck has no such piece."""
        for face in self.faces:
            if face.up and face.piece.id == id:
                return face
        raise KeyError(id)


def build(deck: Deck) -> Catalog:
    """Read a deck's pictures. Raises DeckError naming the picture that cannot be read."""
    faces: list[Face] = []
    backs: set[str] = set()
    for piece in deck.pieces:
        faces.append(_face(deck, piece, len(faces), piece.face, up=True))
        if piece.back is not None and piece.back not in backs:
            backs.add(piece.back)
            faces.append(_face(deck, piece, len(faces), piece.back, up=False))
    if all(face.size_mm is None for face in faces) and len({round(face.aspect, 2) for face in faces}) == 1:
        faces = [replace(face, size_mm=(face.aspect, 1.0)) for face in faces]
    small = np.stack([cv2.resize(face.art, (COARSE, COARSE), interpolation=cv2.INTER_AREA) for face in faces])
    small_masks = np.stack([_small_mask(face, COARSE) for face in faces])
    rectangles = {round(max(f.aspect, 1 / f.aspect), 2) for f in faces if f.piece.shape == "rectangle"}
    return Catalog(
        deck=deck,
        faces=tuple(faces),
        tiny=_unit_features(faces, TINY),
        coarse=_unit_features(faces, COARSE),
        arts=small.astype(np.float32),
        masks=small_masks,
        aspects=_spread_out(rectangles),
        has_round=any(face.piece.shape == "round" for face in faces),
    )


def _small_mask(face: Face, size: int) -> Array:
    shown = cv2.resize(face.mask, (size, size), interpolation=cv2.INTER_AREA) > 0.5
    mask: Array = (shown * inner(size)).astype(np.float32)
    return mask


def _unit_features(faces: list[Face], size: int) -> Array:
    rows = []
    for face in faces:
        small = np.asarray(cv2.resize(face.art, (size, size), interpolation=cv2.INTER_AREA), np.uint8)
        rows.append(features(small[None], _small_mask(face, size)))
    unit = np.concatenate(rows)
    unit /= np.maximum(np.linalg.norm(unit, axis=1, keepdims=True), 1e-6)
    return unit


def _spread_out(aspects: set[float]) -> tuple[float, ...]:
    kept: list[float] = []
    for aspect in sorted(aspects):
        if not kept or aspect > kept[-1] * 1.05:
            kept.append(aspect)
    return tuple(kept)


def _face(deck: Deck, piece: Piece, index: int, name: str, *, up: bool) -> Face:
    path = deck.folder / name
    try:
        data = np.fromfile(path, np.uint8)
        picture = cv2.imdecode(data, cv2.IMREAD_COLOR) if data.size else None
    except (OSError, cv2.error):
        picture = None
    if picture is None:
        raise DeckError(f"{path}: piece {piece.id}: this picture cannot be read. Save it again as JPEG or PNG.")
    height, width = picture.shape[:2]
    wide, tall = piece.size_mm if piece.size_mm is not None else (float(width), float(height))
    aspect = 1.0 if piece.shape == "round" else wide / tall
    short = LARGE / min(aspect, 1.0), LARGE * max(aspect, 1.0)
    size = (round(short[1]) if aspect >= 1 else LARGE, LARGE if aspect >= 1 else round(short[0]))
    large = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    art = cv2.resize(picture, (FINE, FINE), interpolation=cv2.INTER_AREA)
    mask = face_mask(piece, FINE, aspect, holes=up)
    small, kept = np.asarray(art, np.uint8), np.asarray(large, np.uint8)
    return Face(index, piece, up, aspect, small, kept, mask, piece.size_mm)


def face_mask(piece: Piece, size: int, aspect: float, *, holes: bool = True) -> Array:
    """size x size: 1 where the piece's own face shows, 0 at its holes (drawn a little large) and beyond a disc.

    A radius is a fraction of the face's width; holes are round on the real piece, whatever its aspect.
    """
    y, x = (np.mgrid[:size, :size].astype(np.float32) + 0.5) / size
    mask = np.ones((size, size), np.float32)
    if piece.shape == "round":
        mask[np.hypot(x - 0.5, y - 0.5) > 0.49] = 0
    if holes:
        for hole in piece.holes:
            mask[np.hypot(x - hole.at[0], (y - hole.at[1]) / aspect) < hole.radius + 0.4 / size] = 0
    return mask


def inner(size: int) -> Array:
    """size x size: 0 at the rim of a face, else 1."""
    at = (np.arange(size) + 0.5) / size
    inside = ((at > RIM) & (at < 1 - RIM)).astype(np.float32)
    square: Array = np.outer(inside, inside)
    return square
