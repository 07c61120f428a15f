"""The pieces of a deck as things: printed faces in linear light, thickness, holes, edges.

Faces are read when first needed and kept at about the resolution at which the camera sees them.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from companion.deck import Deck, Piece
from hardware.simulated.lens import Floats
from hardware.simulated.sensor import linear

CARD_MM = 0.4
THIN_CARD_MM = 0.3
"""Playing cards: 62 of them are as high as two fingers are thick."""
TILE_MM = 2.0
_PLAYING_CARDS = ("fish-card", "action-card")
_CORNER_MM, _ROUND_CORNER_MM = 1.5, 3.0
_SIZE_MM = (57.0, 57.0)
"""The size of pieces whose deck gives none."""
_INK = 0.9
"""White paper does not send everything back."""


@dataclass(frozen=True)
class Body:
    """One side of a piece: its picture (linear BGR), size and corner radius in mm, thickness, holes (x, y, r in mm from
    the middle), the colour of its edges."""

    texture: Floats
    width: float
    height: float
    corner: float
    thickness: float
    holes: tuple[tuple[float, float, float], ...]
    core: Floats


def size_of(piece: Piece) -> tuple[float, float]:
    """Width and height in mm."""
    return piece.size_mm or _SIZE_MM


def thickness_of(piece: Piece) -> float:
    """Thickness in mm: Sight tiles are punched cardboard, playing cards thin."""
    if piece.kind in _PLAYING_CARDS:
        return THIN_CARD_MM
    return TILE_MM if piece.kind == "sight-tile" else CARD_MM


class Faces:
    """All faces and backs of a deck at one resolution."""

    def __init__(self, deck: Deck, texels_per_mm: float) -> None:
        self.deck = deck
        self._by_id = {piece.id: piece for piece in deck.pieces}
        self._texels = texels_per_mm
        self._bodies: dict[tuple[str, bool], Body] = {}

    def piece(self, id: str) -> Piece:
        """The deck's piece of that id; KeyError where there is none."""
        return self._by_id[id]

    def body(self, id: str, face_up: bool = True) -> Body:
        """One side of a piece. Its back is the deck's picture, black for Sight tiles, or a plain pattern."""
        key = (id, face_up)
        if key not in self._bodies:
            self._bodies[key] = self._read(self._by_id[id], face_up)
        return self._bodies[key]

    def _read(self, piece: Piece, face_up: bool) -> Body:
        width, height = size_of(piece)
        texels = (max(8, round(width * self._texels)), max(8, round(height * self._texels)))
        tile = piece.kind == "sight-tile"
        name = piece.face if face_up else piece.back
        if name is not None:
            image = cv2.imread(str(self.deck.folder / name), cv2.IMREAD_COLOR)
            if image is None:
                raise ValueError(f"{self.deck.folder / name}: OpenCV cannot read this picture")
            light = linear(image.astype(np.float32) / 255).astype(np.float32) * np.float32(_INK)
        elif tile:
            light = np.full((64, 64, 3), 0.012, np.float32)
        else:
            light = card_back()
        shrinks = light.shape[1] > texels[0]
        texture = cv2.resize(light, texels, interpolation=cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR)
        side = 1 if face_up else -1
        holes = tuple((side * (h.at[0] - 0.5) * width, (h.at[1] - 0.5) * height, h.radius * width) for h in piece.holes)
        core = np.array([0.20, 0.27, 0.33] if tile else [0.62, 0.66, 0.68], np.float32)
        corner = _ROUND_CORNER_MM if piece.kind in _PLAYING_CARDS else _CORNER_MM
        corner = width / 2 if piece.shape == "round" else corner
        return Body(np.asarray(texture, np.float32), width, height, corner, thickness_of(piece), holes, core)


def card_back() -> Floats:
    """A back for decks that bring none: a frame and crossing lines in navy."""
    image = np.full((256, 256, 3), (0.22, 0.09, 0.04), np.float32)
    for k in range(-256, 512, 24):
        cv2.line(image, (k, 0), (k + 256, 256), (0.34, 0.17, 0.09), 2, cv2.LINE_AA)
        cv2.line(image, (k + 256, 0), (k, 256), (0.34, 0.17, 0.09), 2, cv2.LINE_AA)
    cv2.rectangle(image, (6, 6), (249, 249), (0.6, 0.62, 0.64), 7, cv2.LINE_AA)
    return image
