"""Read the symbols that show through a Sight tile's holes.

A tile's holes are read together: a card, its turn and its offset under the tile explain all of them at once, so every
card in every turn and offset is tried (``vision.propose``), the best are fitted exactly (``vision.fit``) and compared
with the picture under a fitted light. What they say about each hole is weighed by how well they explain it
(``vision.judge``). The tiles of a picture are read together as well, for calls on so few numbers cost more than the
arithmetic.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from companion.deck import Piece
from vision.catalog import Catalog, Face
from vision.fit import DEEP, KNOWN, QUICK, Stages, fit
from vision.geometry import Array
from vision.judge import SURE, HolesRead, judge
from vision.lit import blurred_face, lights_of
from vision.pose import Layout, Tile, layout, pose_of, see, unturned
from vision.propose import Proposals, likeliest, try_all
from vision.pyramid import Pyramid
from vision.under import BLURS, blurs

__all__ = ["HolesRead", "Under", "meet", "prepare_reading", "read_all", "read_holes", "read_known"]


@dataclass(frozen=True)
class Way:
    """How cards that are not known beforehand are looked for."""

    reach: float
    """How far a card may lie off its tile, parallax included, in short sides."""
    margin: float
    """How much less like the holes than the likeliest a card in a turn may be, of at most one a hole."""
    most: int
    """How many are fitted at most."""
    stages: Stages
    enough: float
    """Unexplained part below which the answer is taken."""
    at_once: int
    """How many tiles are read together: numbers that fit no cache are slower than calls."""


WAYS = (Way(0.09, 0.3, 64, QUICK, 0.38, 8), Way(0.12, 0.6, 64, QUICK, 0.5, 4), Way(0.12, 1.0, 400, DEEP, np.inf, 1))
"""One after the other until enough is explained."""


@dataclass(frozen=True)
class Under:
    """A card known to lie under a tile, with its corners (face order) in the same picture."""

    id: str
    corners: Array


def meet(pyramid: Pyramid, lying: Sequence[tuple[Array, Piece]], catalog: Catalog) -> list[Tile | None]:
    """What the picture shows of tiles at their corners (face order). None if the deck has no symbols or a tile no
    holes."""
    overs = [layout(catalog, piece) for _, piece in lying]
    some = [k for k, over in enumerate(overs) if over is not None]
    result: list[Tile | None] = [None] * len(lying)
    lights = lights_of(pyramid, [lying[k] for k in some], catalog) if some else []
    for k, (light, level) in zip(some, lights, strict=True):
        corners, over = lying[k][0], overs[k]
        assert over is not None
        result[k] = Tile(over, corners, see(pyramid, corners, over), light, level)
    return result


def read_known(tile: Tile, under: Under) -> HolesRead | None:
    """The reading of a tile from what was seen before it came: only that card, lying about as given, is tried. None if
    it carries no symbols."""
    proposal = _as_known(under, tile.corners, tile.over)
    return None if proposal is None else judge([tile], fit([tile], [proposal], KNOWN))[0]


def read_all(tiles: Sequence[Tile], elsewhere: frozenset[str] = frozenset()) -> list[HolesRead]:
    """The readings of tiles of whose cards nothing is known but which cannot be here: those ``elsewhere``."""
    reads: list[HolesRead | None] = [None] * len(tiles)
    left = list(range(len(tiles)))
    for way in WAYS:
        for few in _together(tiles, left, way.at_once):
            found = _read(way, [tiles[k] for k in few], elsewhere)
            for k, further in zip(few, found, strict=True):
                before = reads[k]
                if before is None or further.unexplained <= before.unexplained + 0.01:
                    reads[k] = further
        left = [k for k in left if not _enough(reads[k], way)]
    return [read for read in reads if read is not None]


def _together(tiles: Sequence[Tile], some: list[int], most: int) -> list[list[int]]:
    """Which tiles are read together: of equally many holes over the same cards, and at most so many."""
    groups: dict[tuple[int, int], list[int]] = {}
    for k in some:
        over = tiles[k].over
        groups.setdefault((id(over.below), len(over.centres)), []).append(k)
    return [group[k : k + most] for group in groups.values() for k in range(0, len(group), most)]


def _read(way: Way, tiles: list[Tile], elsewhere: frozenset[str]) -> list[HolesRead]:
    proposals = [likeliest(tried, way.margin, way.most) for tried in try_all(tiles, elsewhere, way.reach)]
    return judge(tiles, fit(tiles, proposals, way.stages))


def _enough(read: HolesRead | None, way: Way) -> bool:
    return read is not None and read.unexplained < way.enough and read.card_probability > SURE


def read_holes(
    pyramid: Pyramid, corners: Array, tile: Piece, catalog: Catalog, *, under: Under | None = None
) -> HolesRead | None:
    """Read one tile lying at ``corners`` (in its face's order), if need be with the card known to lie ``under`` it.
    None if the deck has no symbols or the tile no holes."""
    (met,) = meet(pyramid, [(corners, tile)], catalog)
    if met is None:
        return None
    return read_known(met, under) if under is not None else read_all([met])[0]


def _as_known(under: Under, corners: Array, over: Layout) -> Proposals | None:
    """The card as it was seen; None if it carries no symbols."""
    known = [k for k, face in enumerate(over.below.faces) if face.piece.id == under.id]
    turn, tilt, shift = pose_of(under.corners, corners, over)
    start = np.array([[*-unturned(shift, turn), -np.deg2rad(tilt)]], np.float32)
    return (np.array(known[:1]), np.array([turn]), start) if known else None


def prepare_reading(catalog: Catalog, face: Face) -> None:
    """Make what ``read_holes`` needs of a tile before it is met."""
    blurred_face(catalog, face)
    over = layout(catalog, face.piece)
    if over is not None:
        for level in range(len(BLURS)):
            blurs(over.below, level)
