"""Read the symbols that show through a Sight tile's holes.

The holes are read together: a card, its turn and its offset under the tile explain all of them at once, so every card
in every turn and offset is tried (``vision.under``), and the best are compared with the picture under a fitted light.
Each hole is also read for itself; where the two agree the reading is sure.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.deck import Piece
from companion.world import NOTHING, HoleReading, Image
from vision.catalog import Catalog
from vision.colour import compress, explain_pixels
from vision.geometry import Array, Matrix, carry, face_to_picture
from vision.pyramid import Pyramid
from vision.under import MAP, Underlay, centred, underlay

REACH = 0.115
"""How far a card may lie off its tile, parallax included, in short sides."""
TILTS = (-3.0, 0.0, 3.0)
"""Degrees a card may be twisted under its tile."""
KEPT = 48
SHARPNESS = 14.0
SURE = 0.9


@dataclass(frozen=True)
class Under:
    """A card known to lie under a tile, with its corners (face order) in the same picture."""

    id: str
    corners: Array


@dataclass(frozen=True)
class HolesRead:
    """The readings in the order of the tile's holes, and which card they speak for."""

    readings: tuple[HoleReading, ...]
    card: str | None
    card_probability: float
    cards: tuple[tuple[str, float], ...]
    corners: Array | None
    """Of the card below, in its face's order, as the holes tell."""
    misfit: float


@dataclass(frozen=True)
class _Guess:
    card: int
    turn: int
    tilt: float
    places: tuple[tuple[int, int], ...]
    score: float
    singles: tuple[float, ...]


def read_holes(
    pyramid: Pyramid, corners: Array, tile: Piece, catalog: Catalog, under: Under | None = None
) -> HolesRead | None:
    """Read a tile lying at ``corners`` (in its face's order). None if the deck has no symbols or the tile no holes.

    With ``under`` only that card, lying as given, is tried: the reading from what was seen before the tile came.
    """
    below = underlay(catalog, tile)
    if below is None:
        return None
    image, there, scale = pyramid.near(corners, MAP)
    if under is not None:
        under = Under(under.id, ((under.corners + 0.5) * scale - 0.5).astype(np.float32))
    guesses, patches = _search(image, there, tile, below, under)
    if not guesses:
        return None
    return _judge(guesses, patches, below, corners, tile)


def _search(
    image: Image, corners: Array, tile: Piece, below: Underlay, under: Under | None
) -> tuple[list[_Guess], dict[float, NDArray[np.uint8]]]:
    width, height = below.size
    reach = REACH * min(width, height)
    patches: dict[float, NDArray[np.uint8]] = {}
    found: list[_Guess] = []
    cards = range(len(below.faces))
    turns: tuple[int, ...] = tuple(range(4)) if abs(width - height) < 2 else (0, 2)
    shift = np.zeros(2)
    tilts: tuple[float, ...] = TILTS
    if under is not None:
        known = [i for i, face in enumerate(below.faces) if face.piece.id == under.id]
        if not known:
            return [], patches
        cards = range(known[0], known[0] + 1)
        turn, tilt, shift = _pose_of(under.corners, corners, tile, below)
        turns, tilts, reach = (turn,), (tilt,), 0.06 * min(width, height)
    pose = _poses(corners, tile, below, tilts)
    for turn in turns:
        places = [[_turned(p, turn, below.size) for p in row] for row in pose.centres]
        features = []
        for k, tilt in enumerate(tilts):
            cut = _patches(image, pose.to_picture[k], pose.centres[k], below)
            patches[tilt] = cut
            features.append(_turned_features(cut, turn, below))
        found += _match(features, places, cards, turn, tilts, reach, shift, below)
    found.sort(key=lambda guess: -guess.score)
    return found[:KEPT], patches


@dataclass(frozen=True)
class _Poses:
    centres: list[list[tuple[float, float]]]
    """For each tilt, each hole's centre on a card laid centrally below (pixels of the map)."""
    to_picture: list[Matrix]
    """For each tilt, from those pixels to the picture."""


def _poses(corners: Array, tile: Piece, below: Underlay, tilts: tuple[float, ...]) -> _Poses:
    width, height = below.size
    scale = _tile_in_map(tile, below)
    centres, maps = [], []
    for tilt in tilts:
        # face of the tile -> map of the card below, the card twisted by tilt against the tile
        a = np.deg2rad(-tilt)
        spin = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
        stretch = spin @ np.diag(scale)
        to_map = np.eye(3)
        to_map[:2, :2] = stretch
        to_map[:2, 2] = np.array([width / 2, height / 2]) - stretch @ np.array([0.5, 0.5])
        points = np.array([hole.at for hole in tile.holes], np.float32)
        centres.append([(float(x), float(y)) for x, y in carry(to_map, points)])
        maps.append(face_to_picture(corners) @ np.linalg.inv(to_map))
    return _Poses(centres, maps)


def _tile_in_map(tile: Piece, below: Underlay) -> tuple[float, float]:
    card = below.faces[0].piece
    width, height = below.size
    if tile.size_mm is None or card.size_mm is None:
        return float(width), float(height)
    pixels = width / card.size_mm[0]
    return tile.size_mm[0] * pixels, tile.size_mm[1] * pixels


def _turned(point: tuple[float, float], turn: int, size: tuple[int, int]) -> tuple[float, float]:
    """A point seen on a card that lies turned clockwise by quarter turns, in the upright card's own pixels."""
    x, y = point[0] - size[0] / 2, point[1] - size[1] / 2
    for _ in range(turn):
        x, y = y, -x
    return x + size[0] / 2, y + size[1] / 2


def _patches(
    image: Image, to_picture: Matrix, centres: list[tuple[float, float]], below: Underlay
) -> NDArray[np.uint8]:
    """Holes x pixels x 3: the discs around the holes, as BGR."""
    points = np.concatenate([below.offsets + np.array(centre) for centre in centres])
    at = carry(to_picture, points.astype(np.float32))
    cut = cv2.remap(image, at[:, 0][None], at[:, 1][None], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    patches: NDArray[np.uint8] = cut.reshape(len(centres), len(below.offsets), 3)
    return patches


def _turned_features(patches: NDArray[np.uint8], turn: int, below: Underlay) -> Array:
    """Features of patches turned back into the upright card's frame."""
    order = _order(below, turn)
    return centred(compress(patches[:, order]))


def _order(below: Underlay, turn: int) -> NDArray[np.intp]:
    """For each disc pixel of the upright card, which pixel of the turned patch shows it."""
    offsets = below.offsets
    x, y = offsets[:, 0], offsets[:, 1]
    for _ in range(turn):
        x, y = -y, x
    index = {(int(a), int(b)): i for i, (a, b) in enumerate(offsets)}
    return np.array([index[int(a), int(b)] for a, b in zip(x, y, strict=True)])


def _match(
    features: list[Array],
    places: list[list[tuple[float, float]]],
    cards: range,
    turn: int,
    tilts: tuple[float, ...],
    reach: float,
    shift: NDArray[np.float64],
    below: Underlay,
) -> list[_Guess]:
    width, height = below.size
    steps = round(reach)
    drift = np.array(_turned((shift[0] + width / 2, shift[1] + height / 2), turn, below.size))
    drift -= np.array([width / 2, height / 2])
    window = 2 * steps + 1
    found = []
    for tilt, feature, row in zip(tilts, features, places, strict=True):
        joint = np.zeros((len(cards), window, window), np.float32)
        power_seen = np.zeros((), np.float32)
        power_card = np.zeros_like(joint)
        singles = []
        corner = []
        for values, place in zip(feature, row, strict=True):
            left = round(place[0] - 0.5 + drift[0]) - steps
            top = round(place[1] - 0.5 + drift[1]) - steps
            left, top = int(np.clip(left, 0, width - window)), int(np.clip(top, 0, height - window))
            at = np.s_[cards.start : cards.stop, top : top + window, left : left + window]
            product = below.coordinates[at] @ (below.basis @ values)
            own = float(values @ values)
            joint += product
            power_seen = power_seen + own
            power_card += below.power[at]
            singles.append(product / np.sqrt(own * below.power[at] + 1e-3))
            corner.append((left, top))
        score = joint / np.sqrt(power_seen * power_card + 1e-3)
        best = score.reshape(len(cards), -1)
        take = min(3, best.shape[1])
        spots = np.argpartition(-best, take - 1, axis=1)[:, :take]
        flat = np.argsort(-np.take_along_axis(best, spots, 1), axis=None)[:KEPT]
        for f in flat:
            card, spot = int(f) // take, int(spots.flat[f])
            dy, dx = divmod(spot, window)
            found.append(
                _Guess(
                    cards.start + card,
                    turn,
                    tilt,
                    tuple((left + dx, top + dy) for left, top in corner),
                    float(best[card, spot]),
                    tuple(float(s[card, dy, dx]) for s in singles),
                )
            )
    return found


def _judge(
    guesses: list[_Guess], patches: dict[float, NDArray[np.uint8]], below: Underlay, corners: Array, tile: Piece
) -> HolesRead:
    count = len(tile.holes)
    arts, seen, shown, share = [], [], [], []
    width, height = below.size
    for guess in guesses:
        order = _order(below, guess.turn)
        seen.append(patches[guess.tilt][:, order].reshape(-1, 3))
        x = np.array([p[0] for p in guess.places])[:, None] + below.offsets[None, :, 0]
        y = np.array([p[1] for p in guess.places])[:, None] + below.offsets[None, :, 1]
        art = below.pictures[guess.card, np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)]
        arts.append(art.reshape(-1, 3))
        shown.append([below.shown[guess.card, py, px] for px, py in guess.places])
        share.append([below.share[guess.card, py, px] for px, py in guess.places])
    pixels = np.stack(seen).astype(np.float32)
    fit = explain_pixels(pixels, np.stack(arts))
    total = fit.left.mean(axis=1)
    weight = np.exp(-SHARPNESS * (total - total.min()))
    # Several offsets of one card and turn are one hypothesis: only its best counts.
    best_of: dict[tuple[int, int], int] = {}
    for k in np.argsort(total):
        best_of.setdefault((guesses[k].card, guesses[k].turn), int(k))
    chosen = list(best_of.values())
    mass = weight[chosen] / weight[chosen].sum()
    readings = []
    for hole in range(count):
        votes: dict[str, float] = {}
        for k, p in zip(chosen, mass, strict=True):
            name = below.names[shown[k][hole]]
            votes[name] = votes.get(name, 0.0) + float(p)
        ranked = tuple(sorted(votes.items(), key=lambda item: -item[1])[:5])
        name, probability = ranked[0]
        readings.append(HoleReading(name, probability, probability >= SURE, float(share[chosen[0]][hole]), ranked))
    cards: dict[str, float] = {}
    for k, p in zip(chosen, mass, strict=True):
        id = below.faces[guesses[k].card].piece.id
        cards[id] = cards.get(id, 0.0) + float(p)
    ranked_cards = tuple(sorted(cards.items(), key=lambda item: -item[1])[:5])
    return HolesRead(
        tuple(readings), ranked_cards[0][0], ranked_cards[0][1], ranked_cards, None, float(total[chosen[0]])
    )


def _pose_of(card: Array, tile_corners: Array, tile: Piece, below: Underlay) -> tuple[int, float, NDArray[np.float64]]:
    """Turn, tilt and shift (map pixels) of a known card against the tile over it."""
    width, height = below.size
    scale = np.diag([*_tile_in_map(tile, below), 1.0])
    back = scale @ np.linalg.inv(face_to_picture(tile_corners))
    quad = carry(back, card)
    across = (quad[1] - quad[0]) + (quad[2] - quad[3])
    degrees = float(np.degrees(np.arctan2(across[1], across[0])))
    turn = round(degrees / 90) % 4
    tilt = (degrees - 90 * round(degrees / 90)) % 360
    tilt = tilt - 360 if tilt > 180 else tilt
    shift = np.array([scale[0, 0] / 2, scale[1, 1] / 2]) - quad.mean(axis=0)
    a = np.deg2rad(-tilt)
    spin = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    return turn, tilt, spin @ shift


NO_SYMBOL = HoleReading(NOTHING, 0.0, False, 0.0, ((NOTHING, 0.0),))
