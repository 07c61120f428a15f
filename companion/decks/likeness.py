"""Faces that a camera could mix up: nearly the same picture, perhaps in another turn, like a 6 and a 9."""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.deck import Piece
from companion.world import Image

THUMB = 24
BLOCKS = 6
LEAST_DIFFERENCE = 10.0
"""Grey levels by which at least one of the 36 parts of two faces must differ on average."""


class Alike(NamedTuple):
    """Two faces that hardly differ when the second is turned by so many degrees; one and the same for ``first``."""

    first: str
    second: str
    turn_deg: int


def look_alikes(faces: list[tuple[Piece, Image]]) -> list[Alike]:
    """All pairs of faces that hardly differ in some turn.

    A face with marks or holes that looks the same when turned makes a pair with itself: its turn matters.
    """
    found = []
    thumbs = [_thumb(piece, face) for piece, face in faces]
    by_turn = {turn: np.stack([_turned(thumb, turn) for thumb in thumbs]) for turn in range(4)} if thumbs else {}
    for index, (piece, face) in enumerate(faces):
        for turn in (0, 1, 2, 3):
            differences = _difference(thumbs[index], by_turn[turn][index:])
            for other in np.flatnonzero(differences < LEAST_DIFFERENCE):
                second, second_face = faces[index + int(other)]
                if turn % 2 and not (_square(piece, face) and _square(second, second_face)):
                    continue
                itself = other == 0
                if itself and (turn == 0 or not (piece.marks or piece.holes)):
                    continue
                found.append(Alike(piece.id, second.id, turn * 90))
    return found


def _square(piece: Piece, face: Image) -> bool:
    width, height = piece.size_mm or (face.shape[1], face.shape[0])
    return bool(abs(width - height) < 0.05 * max(width, height))


def _thumb(piece: Piece, face: Image) -> NDArray[np.float32]:
    """A small version of the face; holes are black, since whatever lies there is not to be seen on the table."""
    side = THUMB * 8
    small = cv2.resize(face, (side, side), interpolation=cv2.INTER_AREA)
    for hole in piece.holes:
        middle = round(hole.at[0] * side), round(hole.at[1] * side)
        cv2.circle(small, middle, round(hole.radius * side), (0, 0, 0), -1)
    if piece.shape == "round":
        mask = np.zeros((side, side), np.uint8)
        cv2.circle(mask, (side // 2, side // 2), side // 2, 255, -1)
        small[mask == 0] = 0
    return cv2.resize(small, (THUMB, THUMB), interpolation=cv2.INTER_AREA).astype(np.float32)


def _turned(thumb: NDArray[np.float32], quarters: int) -> NDArray[np.float32]:
    return np.ascontiguousarray(np.rot90(thumb, -quarters))


def _difference(thumb: NDArray[np.float32], others: NDArray[np.float32]) -> NDArray[np.float32]:
    """For each other thumb, the mean difference in the part where it differs most."""
    part = THUMB // BLOCKS
    apart = np.abs(others - thumb).mean(axis=3)
    blocks = apart.reshape(len(others), BLOCKS, part, BLOCKS, part).mean(axis=(2, 4))
    return np.asarray(blocks.reshape(len(others), -1).max(axis=1), np.float32)
