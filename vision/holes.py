"""Read the symbols that show through a Sight tile's holes.

The holes are read together: a card, its turn and its offset under the tile explain all of them at once, so every card
in every turn and offset is tried (``vision.propose``), the best are fitted exactly (``vision.fit``) and compared with
the picture under a fitted light. What they say about each hole is weighed by how well they explain it
(``vision.judge``).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from companion.deck import Piece
from vision.catalog import Catalog, Face
from vision.fit import DEEP, KNOWN, QUICK, Stages, fit
from vision.geometry import Array
from vision.judge import SURE, HolesRead, judge
from vision.lit import blurred_face, light_of
from vision.pose import Layout, layout, pose_of, see, unturned
from vision.propose import Proposals, likeliest, try_all
from vision.pyramid import Pyramid
from vision.under import BLURS, blurs

__all__ = ["HolesRead", "Under", "prepare_reading", "read_holes"]


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


WAYS = (Way(0.09, 0.3, 64, QUICK, 0.38), Way(0.12, 0.6, 64, QUICK, 0.5), Way(0.12, 1.0, 400, DEEP, np.inf))
"""One after the other until enough is explained."""


@dataclass(frozen=True)
class Under:
    """A card known to lie under a tile, with its corners (face order) in the same picture."""

    id: str
    corners: Array


def read_holes(
    pyramid: Pyramid,
    corners: Array,
    tile: Piece,
    catalog: Catalog,
    *,
    under: Under | None = None,
    elsewhere: frozenset[str] = frozenset(),
) -> HolesRead | None:
    """Read a tile lying at ``corners`` (in its face's order). None if the deck has no symbols or the tile no holes.

    With ``under`` only that card, lying about as given, is tried: the reading from what was seen before the tile came.
    ``elsewhere`` names cards that are known to lie in other places and so cannot lie here.
    """
    over = layout(catalog, tile)
    if over is None:
        return None
    seen = see(pyramid, corners, over)
    light, level = light_of(pyramid, corners, tile, catalog)

    def fitted(proposals: Proposals, stages: Stages) -> HolesRead:
        return judge(over, seen, fit(over, seen, *proposals, level, stages), light, corners)

    if under is not None:
        proposal = _as_known(under, corners, over)
        return None if proposal is None else fitted(proposal, KNOWN)
    read: HolesRead | None = None
    for way in WAYS:
        tried = try_all(over, seen, elsewhere, way.reach)
        further = fitted(likeliest(tried, way.margin, way.most), way.stages)
        if read is None or further.unexplained <= read.unexplained + 0.01:
            read = further
        if read.unexplained < way.enough and read.card_probability > SURE:
            break
    return read


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
