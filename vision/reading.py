"""What the pipeline asks of the still-picture functions: a thin seam, so that both sides can change alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

import msgspec

from companion.deck import Piece
from companion.world import Image, Quad, Sighting
from vision.catalog import Catalog
from vision.look import SURE, look
from vision.plane import Plane
from vision.regions import Box


class Reader(Protocol):
    """Names the pieces of a still picture. ``pieces`` are all it knows, by id."""

    pieces: Mapping[str, Piece]

    def look(
        self, image: Image, *, expected: frozenset[str] | None = None, plane: Plane | None = None
    ) -> tuple[Sighting, ...]:
        """Everything card-shaped in ``image``; ``expected`` are the ids that may lie there (None: all)."""


class StillReader:
    """The still-picture functions over a catalog."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self.pieces: Mapping[str, Piece] = {piece.id: piece for piece in catalog.deck.pieces}

    def look(
        self, image: Image, *, expected: frozenset[str] | None = None, plane: Plane | None = None
    ) -> tuple[Sighting, ...]:
        """``vision.look.look`` on a part of a frame."""
        seen = look(image, self._catalog, expected=expected)
        return tuple(_identity_alone(sighting) for sighting in seen)


def _identity_alone(sighting: Sighting) -> Sighting:
    """A tile's confidence without its holes': those are voted on for themselves."""
    if not sighting.holes:
        return sighting
    confidence = min(1.0, sighting.confidence / max(min(hole.confidence for hole in sighting.holes), 1e-6))
    return msgspec.structs.replace(sighting, confidence=confidence, sure=confidence >= SURE)


def look_in(
    reader: Reader, image: Image, box: Box, expected: frozenset[str] | None, plane: Plane | None
) -> tuple[Sighting, ...]:
    """Read one box of a frame. Pieces that the box cuts are left out, unless the frame cuts them too."""
    left, top, right, bottom = box
    height, width = image.shape[:2]
    whole = (left, top, right, bottom) == (0, 0, width, height)
    part = image if whole else image[top:bottom, left:right]
    shifted = plane if plane is None or whole else plane.moved(left, top)
    seen = reader.look(part, expected=expected, plane=shifted)
    if whole:
        return seen
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
