"""What light falls on a tile and how blurred it is: its own face, which is known, tells."""

from __future__ import annotations

from typing import cast

import cv2
import numpy as np

from companion.deck import Piece
from vision.catalog import Catalog, Face, inner
from vision.colour import explain_pixels
from vision.geometry import Array
from vision.pose import colours_at
from vision.pyramid import Pyramid
from vision.under import BLURS, EXACT

LIT, ROUGH = 450, 200
"""Pixels of a tile that tell its light, and how many of them its blur."""


def light_of(pyramid: Pyramid, corners: Array, tile: Piece, catalog: Catalog) -> tuple[Array, int]:
    """Gain and haze of each colour on the tile around each hole (holes x 3 x 2), and which of the BLURS it shows."""
    arts, places = blurred_face(catalog, catalog.face_of(tile.id))
    seen = colours_at(pyramid, corners, EXACT, places + 0.5)[None].astype(np.float32)
    # A rough fit tells how blurred the picture is, as the light is nearly the same whatever the blur.
    rough = explain_pixels(seen[:, :ROUGH], arts[:, :ROUGH], places=places[:ROUGH].T, steps=1)
    level = int(rough.left.mean(axis=1).argmin())
    gain, haze, *slopes = explain_pixels(seen, arts[level : level + 1], places=places.T).light[0].T
    holes = np.array([hole.at for hole in tile.holes], np.float32) - 0.5
    gains = gain + holes @ np.stack(slopes)
    return np.stack([gains, np.broadcast_to(haze, gains.shape)], axis=-1).astype(np.float32), level


def blurred_face(catalog: Catalog, face: Face) -> tuple[Array, Array]:
    """A face at each of the BLURS (blurs x pixels x 3) at some places (pixels x 2, -0.5 to 0.5)."""
    key = ("blurred", face.index)
    if key not in catalog.cache:
        mask = cv2.resize(face.mask, (EXACT, EXACT), interpolation=cv2.INTER_AREA) > 0.99
        rows, columns = np.nonzero(mask & (inner(EXACT) > 0))
        some = np.random.default_rng(2).permutation(len(rows))[:LIT]
        places = (np.stack([columns[some], rows[some]], axis=1) + 0.5) / EXACT - 0.5
        art = cv2.resize(face.large, (EXACT, EXACT), interpolation=cv2.INTER_AREA)
        arts = [cv2.GaussianBlur(art, (0, 0), sigma)[rows[some], columns[some]] for sigma in BLURS]
        catalog.cache[key] = (np.stack(arts).astype(np.float32), places.astype(np.float32))
    return cast(tuple[Array, Array], catalog.cache[key])
