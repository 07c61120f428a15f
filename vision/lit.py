"""What light falls on a tile and how blurred it is: its own face, which is known, tells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import cv2
import numpy as np

from companion.deck import Piece
from vision.catalog import Catalog, Face, inner
from vision.colour import brightening, explain_pixels
from vision.geometry import Array
from vision.pose import colours_at
from vision.pyramid import Pyramid
from vision.under import BLURS, EXACT

LIT, ROUGH = 450, 200
"""Pixels of a tile that tell its light, and how many of them its blur."""


def lights_of(pyramid: Pyramid, lying: Sequence[tuple[Array, Piece]], catalog: Catalog) -> list[tuple[Array, int]]:
    """Of tiles at their corners gain and haze of each colour around each hole (holes x 3 x 2), and which of the BLURS
    they show."""
    faces = [blurred_face(catalog, catalog.face_of(tile.id)) for _, tile in lying]
    arts, places = np.stack([art for art, _ in faces]), np.stack([place for _, place in faces])
    seen = np.stack([colours_at(pyramid, at[0], EXACT, own + 0.5) for at, own in zip(lying, places, strict=True)])
    along = places.transpose(0, 2, 1)
    # A rough fit tells how blurred the picture is, as the light is nearly the same whatever the blur.
    some, kinds = seen[:, :ROUGH], len(BLURS)
    rough = explain_pixels(
        np.repeat(some, kinds, axis=0),
        arts[:, :, :ROUGH].reshape(-1, ROUGH, 3),
        places=np.repeat(along[..., :ROUGH], kinds, axis=0),
        gains=np.repeat(brightening(some.reshape(len(some), -1)), kinds),
        steps=1,
    )
    levels = rough.left.sum(axis=1).reshape(-1, kinds).argmin(axis=1)
    gains = brightening(seen.reshape(len(seen), -1))
    fitted = explain_pixels(seen, arts[np.arange(len(arts)), levels], places=along, gains=gains)
    result = []
    for (_, tile), (gain, haze, *slopes), level in zip(
        lying, fitted.light.transpose(0, 2, 1), levels.tolist(), strict=True
    ):
        holes = np.array([hole.at for hole in tile.holes], np.float32) - 0.5
        around = gain + holes @ np.array(slopes)
        light = np.stack([around, np.broadcast_to(haze, around.shape)], axis=-1).astype(np.float32)
        result.append((light, level))
    return result


def blurred_face(catalog: Catalog, face: Face) -> tuple[Array, Array]:
    """A face at each of the BLURS (blurs x pixels x 3) at some places (pixels x 2, -0.5 to 0.5)."""
    key = ("blurred", face.index)
    if key not in catalog.cache:
        mask = cv2.resize(face.mask, (EXACT, EXACT), interpolation=cv2.INTER_AREA) > 0.99
        rows, columns = np.nonzero(mask & (inner(EXACT) > 0))
        some = np.resize(np.random.default_rng(2).permutation(len(rows)), LIT)  # some twice where there are fewer
        places = (np.stack([columns[some], rows[some]], axis=1) + 0.5) / EXACT - 0.5
        art = cv2.resize(face.large, (EXACT, EXACT), interpolation=cv2.INTER_AREA)
        arts = [cv2.GaussianBlur(art, (0, 0), sigma)[rows[some], columns[some]] for sigma in BLURS]
        catalog.cache[key] = (np.stack(arts).astype(np.float32), places.astype(np.float32))
    return cast(tuple[Array, Array], catalog.cache[key])
