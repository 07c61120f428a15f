"""Read the symbols that show through a Sight tile's holes.

The holes are read together: a card, its turn and its offset under the tile explain all of them at once, so every card
in every turn and offset is tried (``vision.propose``), the best are fitted exactly (``vision.fit``) and compared with
the picture under a fitted light. What they say about each hole is weighed by how well they explain it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import cv2
import numpy as np

from companion.deck import Piece
from companion.world import NOTHING, HoleReading
from vision.catalog import Catalog, Face, inner
from vision.colour import ALIKE, explain_pixels
from vision.fit import DEEP, KNOWN, QUICK, Fitted, fit
from vision.geometry import Array
from vision.pose import Seen, card_corners, pose_of, see, unturned
from vision.propose import close, likeliest, try_all
from vision.pyramid import Pyramid
from vision.under import BLURS, EXACT, Underlay, blurs, shares, underlay

MOST, MANY = 64, 400
"""Cards in a turn that are fitted, at most, at first; and when those explain little."""
LIT = 450
"""Pixels of a tile that tell its light and blur."""
GOOD = 0.5
"""Unexplained part above which more cards are tried."""
SHARPNESS = 10.0
"""How fast probability falls with the mean misfit."""
NAMED, VAGUE = 0.46, 0.025
"""Share of a symbol from which it counts (the rule says half), and how exactly a share is measured (logistic)."""
SURE = 0.9
TILE_BELIEF, HOLE_BELIEF = (0.66, 16.0), (1.2, 8.0)
"""Middle and steepness of the logistic that turns the part of the picture a card leaves unexplained (against plain
paper: 0 all is explained, 1 no better than plain) into belief, for the whole tile and for each hole."""


@dataclass(frozen=True)
class Under:
    """A card known to lie under a tile, with its corners (face order) in the same picture."""

    id: str
    corners: Array


@dataclass(frozen=True)
class HolesRead:
    """The readings in the order of the tile's holes, and which card they speak for."""

    readings: tuple[HoleReading, ...]
    card: str
    kind: str
    card_probability: float
    cards: tuple[tuple[str, float], ...]
    corners: Array
    """Of the card below, in its face's order, as the holes tell."""
    misfit: float
    """How badly the best card explains the holes: about 0.5 is good."""
    unexplained: float
    """The part of the picture that this card leaves unexplained, 0 to 1 (or more: worse than plain paper)."""


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
    below = underlay(catalog, tile)
    if below is None:
        return None
    seen = see(pyramid, corners, tile, below)
    light, level = _light(pyramid, corners, tile, catalog)
    if under is not None:
        known = [k for k, face in enumerate(below.faces) if face.piece.id == under.id]
        if not known:
            return None
        turn, tilt, shift = pose_of(under.corners, corners, tile, below)
        start = np.array([[*-unturned(shift, turn), -np.deg2rad(tilt)]], np.float32)
        fitted = fit(seen, below, np.array(known[:1]), np.array([turn]), start, level, KNOWN)
        return _judge(seen, below, fitted, corners, tile, light)
    tried = try_all(seen, below, elsewhere)
    first = _judge(seen, below, fit(seen, below, *close(tried, MOST), level, QUICK), corners, tile, light)
    if first.unexplained < GOOD and first.card_probability > SURE:
        return first
    deep = _judge(seen, below, fit(seen, below, *likeliest(tried, MANY), level, DEEP), corners, tile, light)
    return deep if deep.unexplained <= first.unexplained + 0.01 else first


def prepare_reading(catalog: Catalog, face: Face) -> None:
    """Make what ``read_holes`` needs of a tile before it is met."""
    _blurred_face(catalog, face)
    below = underlay(catalog, face.piece)
    if below is not None:
        for level in range(len(BLURS)):
            blurs(below, level)


def _light(pyramid: Pyramid, corners: Array, tile: Piece, catalog: Catalog) -> tuple[Array, int]:
    """Gain and haze of each colour on the tile around each hole (holes x 3 x 2), and which of the BLURS it shows."""
    face = catalog.face_of(tile.id)
    arts, spots = _blurred_face(catalog, face)
    at = (spots / EXACT - 0.5).T.astype(np.float32)
    crop = pyramid.cut(corners, EXACT)[spots[:, 1].astype(int), spots[:, 0].astype(int)]
    explained = explain_pixels(crop[None].astype(np.float32), arts, places=at)
    level = int(explained.left.mean(axis=1).argmin())
    bright = explained.light[level]
    holes = np.array([hole.at for hole in tile.holes], np.float32) - 0.5
    gain = bright[None, :, 0] + holes[:, :1] * bright[None, :, 2] + holes[:, 1:] * bright[None, :, 3]
    light = np.stack([gain, np.broadcast_to(bright[None, :, 1], gain.shape)], axis=-1).astype(np.float32)
    return light, level


def _blurred_face(catalog: Catalog, face: Face) -> tuple[Array, Array]:
    """A face at each of the BLURS (blurs x pixels x 3) at some places of an EXACT x EXACT crop (pixels x 2)."""
    key = ("blurred", face.index)
    if key not in catalog.cache:
        mask = cv2.resize(face.mask, (EXACT, EXACT), interpolation=cv2.INTER_AREA) > 0.99
        rows, columns = np.nonzero(mask & (inner(EXACT) > 0))
        some = np.random.default_rng(2).permutation(len(rows))[:LIT]
        spots = np.stack([columns[some], rows[some]], axis=1) + 0.5
        art = cv2.resize(face.large, (EXACT, EXACT), interpolation=cv2.INTER_AREA)
        arts = [cv2.GaussianBlur(art, (0, 0), sigma)[rows[some], columns[some]] for sigma in BLURS]
        catalog.cache[key] = (np.stack(arts).astype(np.float32), spots)
    return cast(tuple[Array, Array], catalog.cache[key])


def _judge(seen: Seen, below: Underlay, fitted: Fitted, corners: Array, tile: Piece, light: Array) -> HolesRead:
    cards, turns = fitted.cards, fitted.turns
    # Each hole has a light of its own: shadows of its wall, a glare that ends there.
    holes, number = seen.exact.shape[:2]
    pixels = seen.exact.astype(np.float32)
    arts = fitted.arts.reshape(-1, number, 3)
    explained = explain_pixels(
        np.tile(pixels, (len(cards), 1, 1)),
        arts,
        steep=fitted.steep.reshape(-1, number, 3),
        expected=np.tile(light, (len(cards), 1, 1)),
    )
    each = (explained.left.mean(axis=1) + explained.strain * (ALIKE / number)).reshape(len(cards), holes)
    misfit = each.mean(axis=1)
    # Far off the tile is possible but rarer.
    total = misfit + 0.004 * (fitted.placed[:, :2] ** 2).sum(axis=1)
    mass = np.exp(-SHARPNESS * (total - total.min()))
    mass /= mass.sum()
    best = int(total.argmin())
    plain = explain_pixels(pixels, np.full_like(pixels, 200.0)).left.mean(axis=1)
    parts_shown = shares(below, cards[:, None], fitted.centres)
    left_over = float(each[best].sum() / max(plain.sum(), 1e-3))
    believed = _logistic(TILE_BELIEF, left_over) * _logistic(HOLE_BELIEF, each[best] / np.maximum(plain, 1e-3))
    votes: list[dict[str, float]] = [{} for _ in tile.holes]
    share = np.zeros(len(tile.holes))
    for k in np.argsort(-mass):
        if mass[k] < 1e-4 and k != best:
            continue
        parts = parts_shown[k]
        which = parts.argmax(axis=1)
        for hole, part in enumerate(parts.max(axis=1)):
            name = below.names[int(below.marks[cards[k], which[hole], 3])]
            counts = 1 / (1 + np.exp((NAMED - float(part)) / VAGUE))
            for said, weight in ((name, counts), (NOTHING, 1 - counts)):
                votes[hole][said] = votes[hole].get(said, 0.0) + float(mass[k] * weight)
        if k == best:
            share = parts.max(axis=1)
    readings = []
    for hole, vote in enumerate(votes):
        ranked = tuple(sorted(((n, p * float(believed[hole])) for n, p in vote.items()), key=lambda item: -item[1])[:5])
        name, probability = ranked[0]
        readings.append(HoleReading(name, probability, probability >= SURE, float(share[hole]), ranked))
    by_card: dict[str, float] = {}
    for card, p in zip(cards, mass, strict=True):
        id = below.faces[card].piece.id
        by_card[id] = by_card.get(id, 0.0) + float(p)
    ranked_cards = tuple(sorted(by_card.items(), key=lambda item: -item[1])[:5])
    dx, dy, tilt = (float(value) for value in fitted.placed[best])
    place = card_corners(corners, tile, below, int(turns[best]), (dx, dy, tilt))
    return HolesRead(
        tuple(readings),
        ranked_cards[0][0],
        below.faces[int(cards[best])].piece.kind,
        ranked_cards[0][1],
        ranked_cards,
        place,
        float(misfit[best]),
        left_over,
    )


def _logistic(shape: tuple[float, float], value: Array | float) -> Array:
    belief: Array = np.asarray(1 / (1 + np.exp(np.minimum(shape[1] * (np.asarray(value) - shape[0]), 80))), np.float32)
    return belief
