"""What the pipeline asks of the still-picture functions: a thin seam, so that both sides can change alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Protocol

import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.deck import Piece
from companion.world import Image, Quad, Sighting
from vision.catalog import Catalog
from vision.find import Outline, find
from vision.holes import Under
from vision.look import LEAST, SURE, as_bgr, prepare, read
from vision.plane import Plane
from vision.regions import Box
from vision.track import Corners

NAMED = 0.3
"""Least confidence with which a piece is followed by its name."""

Keep = Callable[[Corners], bool]
Below = Callable[[Corners], tuple[str, Corners] | None]


class Reader(Protocol):
    """Names the pieces of a still picture. ``pieces`` are all it knows, by id."""

    pieces: Mapping[str, Piece]

    def look(
        self,
        image: Image,
        *,
        expected: frozenset[str] | None = None,
        plane: Plane | None = None,
        keep: Keep | None = None,
        known: Sequence[Corners] = (),
        search: bool = True,
        below: Below | None = None,
    ) -> tuple[Sighting, ...]:
        """Everything card-shaped in ``image``. ``expected`` are the ids that may lie there (None: all), ``keep`` says
        which outlines are worth reading, ``known`` are outlines where pieces were seen before; without ``search``
        only those are read. ``below`` tells which card (id, corners) was seen at a place before."""


class StillReader:
    """The still-picture functions over a catalog."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self.pieces: Mapping[str, Piece] = {piece.id: piece for piece in catalog.deck.pieces}
        prepare(catalog)

    def look(
        self,
        image: Image,
        *,
        expected: frozenset[str] | None = None,
        plane: Plane | None = None,
        keep: Keep | None = None,
        known: Sequence[Corners] = (),
        search: bool = True,
        below: Below | None = None,
    ) -> tuple[Sighting, ...]:
        """``vision.look`` on a part of a frame."""
        image = as_bgr(image)
        # Without a search the finder gets a picture in which there is nothing to find.
        found = find(
            image if search else image[:1, :1],
            aspects=self._catalog.aspects,
            round_too=self._catalog.has_round,
            side_px=self._side_px(image, plane),
        )
        outlines = [Outline(np.asarray(quad, np.float32), 1.0) for quad in known]
        outlines += [one for one in found.outlines if keep is None or keep(np.asarray(one.corners, np.float64))]
        seen = read(
            image,
            replace(found, outlines=outlines),
            self._catalog,
            expected=expected,
            plane=plane,
            below=None if below is None else lambda tile: _under(below, tile),
        )
        return tuple(_identity_alone(sighting) for sighting in seen)

    def _side_px(self, image: Image, plane: Plane | None) -> tuple[float, float] | None:
        """The bounds of a piece's short side in pixels, where the plane tells the scale."""
        shorts = [min(piece.size_mm) for piece in self.pieces.values() if piece.size_mm is not None]
        if plane is None or len(shorts) < len(self.pieces):
            return None
        x, y = image.shape[1] / 2, image.shape[0] / 2
        a, b, c = plane.to_mm([(x, y), (x + 10, y), (x, y + 10)])
        per_mm = 20 / max(float(np.linalg.norm(b - a) + np.linalg.norm(c - a)), 1e-6)
        return 0.7 * min(shorts) * per_mm, 1.4 * max(shorts) * per_mm


def _under(below: Below, tile: NDArray[np.float32]) -> Under | None:
    known = below(np.asarray(tile, np.float64))
    return None if known is None else Under(known[0], np.asarray(known[1], np.float32))


def _identity_alone(sighting: Sighting) -> Sighting:
    """A tile's confidence without its holes': those are voted on for themselves. What is hardly known is not named."""
    if sighting.id is not None and sighting.covered_by is None and not sighting.holes and sighting.confidence < NAMED:
        return msgspec.structs.replace(sighting, id=None, kind=None)
    if not sighting.holes:
        return sighting
    holes = max(min(hole.confidence for hole in sighting.holes), LEAST)
    confidence = min(1.0, sighting.confidence / holes)
    if confidence < NAMED:
        return msgspec.structs.replace(
            sighting, id=None, kind=None, holes=(), over=None, confidence=confidence, sure=False
        )
    return msgspec.structs.replace(sighting, confidence=confidence, sure=confidence >= SURE)


def _moved(known: tuple[str, Corners] | None, by: Corners) -> tuple[str, Corners] | None:
    return None if known is None else (known[0], known[1] + by)


def look_in(
    reader: Reader,
    image: Image,
    box: Box,
    *,
    expected: frozenset[str] | None,
    plane: Plane | None,
    keep: Keep,
    known: Sequence[Corners],
    search: bool,
    below: Below,
) -> tuple[Sighting, ...]:
    """Read one box of a frame; corners everywhere are pixels of the whole frame. Pieces that the box cuts are left
    out, unless the frame cuts them too."""
    left, top, right, bottom = box
    height, width = image.shape[:2]
    corner = np.array([left, top], np.float64)
    seen = reader.look(
        image[top:bottom, left:right],
        expected=expected,
        plane=plane.moved(left, top) if plane is not None else None,
        keep=lambda quad: keep(quad + corner),
        known=[quad - corner for quad in known],
        search=search,
        below=lambda tile: _moved(below(tile + corner), -corner),
    )
    kept = []
    for sighting in seen:
        corners = tuple((x + left, y + top) for x, y in sighting.corners)
        cut = any(
            (x < left + 3 and left > 0)
            or (x > right - 4 and right < width)
            or (y < top + 3 and top > 0)
            or (y > bottom - 4 and bottom < height)
            for x, y in corners
        )
        if not cut:
            quad: Quad = (corners[0], corners[1], corners[2], corners[3])
            kept.append(msgspec.structs.replace(sighting, corners=quad))
    return tuple(kept)
