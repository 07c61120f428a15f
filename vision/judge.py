"""What cards that were fitted under tiles say of the holes, each weighed by how well it explains the picture."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.world import NOTHING, HoleReading
from vision.colour import ALIKE, brightening, explain_even, explain_pixels
from vision.fit import Fitted
from vision.geometry import Array
from vision.pose import Tile, card_corners
from vision.under import Underlay, shares

SHARPNESS = 10.0
"""How fast probability falls with the mean misfit."""
NAMED, VAGUE = 0.46, 0.025
"""Share of a symbol from which it counts (the rule says half), and how exactly a share is measured (logistic)."""
SURE = 0.9
TILE_BELIEF, HOLE_BELIEF = (0.66, 16.0), (1.2, 8.0)
"""Middle and steepness of the logistic that turns the part of the picture a card leaves unexplained (against plain
paper: 0 all is explained, 1 no better than plain) into belief, for the whole tile and for each hole."""
POSSIBLE = 1e-4
"""Probability from which a card has a say."""


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


def judge(tiles: Sequence[Tile], fitted: Fitted) -> list[HolesRead]:
    """The readings of tiles of which each has candidates. All have equally many holes over the same cards."""
    each, plain = _misfits(tiles, fitted)
    misfit = np.add.reduce(each, axis=1) / np.float32(each.shape[1])
    # Far off the tile is possible but rarer.
    total = misfit + 0.004 * np.add.reduce(fitted.placed[:, :2] ** 2, axis=1)
    shown = shares(tiles[0].over.below, fitted.cards[:, None], fitted.centres)
    ends = np.searchsorted(fitted.tiles, np.arange(len(tiles) + 1)).tolist()
    result = []
    for tile, bare, begin, end in zip(tiles, plain, ends, ends[1:], strict=False):
        below = tile.over.below
        likely = begin + np.argsort(total[begin:end])
        best = int(likely[0])
        mass = np.exp(SHARPNESS * (total[best] - total[likely]))
        mass /= mass.sum()
        unexplained = float(each[best].sum() / max(bare.sum(), 1e-3))
        believed = _logistic(TILE_BELIEF, unexplained) * _logistic(HOLE_BELIEF, each[best] / np.maximum(bare, 1e-3))
        cards = _by_card(below, fitted.cards[likely], mass)
        dx, dy, tilt = fitted.placed[best].tolist()
        read = HolesRead(
            _readings(below, fitted.cards[likely], shown[likely], mass, believed),
            cards[0][0],
            below.faces[int(fitted.cards[best])].piece.kind,
            cards[0][1],
            cards,
            card_corners(tile.corners, tile.over, int(fitted.turns[best]), (dx, dy, tilt)),
            float(misfit[best]),
            unexplained,
        )
        result.append(read)
    return result


def _misfits(tiles: Sequence[Tile], fitted: Fitted) -> tuple[Array, Array]:
    """How badly each card explains each hole (k x holes), and how badly plain paper would (tiles x holes)."""
    pixels = np.stack([tile.seen.exact for tile in tiles])
    light = np.stack([tile.light for tile in tiles])
    holes, number = pixels.shape[1:3]
    gains = np.repeat(brightening(pixels.reshape(len(tiles), -1)), holes).reshape(-1, holes)
    # Each hole has a light of its own: shadows of its wall, a glare that ends there.
    explained = explain_pixels(
        pixels[fitted.tiles].reshape(-1, number, 3),
        fitted.arts.reshape(-1, number, 3),
        gains=gains[fitted.tiles].reshape(-1),
        steep=fitted.steep.reshape(-1, number, 3),
        expected=light[fitted.tiles].reshape(-1, 3, 2),
    )
    each = (np.add.reduce(explained.left, axis=1) + explained.strain * np.float32(ALIKE)) / np.float32(number)
    plain = np.add.reduce(explain_even(pixels.reshape(-1, number, 3), gains=gains.reshape(-1)), axis=1)
    return each.reshape(-1, holes), plain.reshape(-1, holes) / np.float32(number)


def _readings(
    below: Underlay, cards: NDArray[np.intp], shown: Array, mass: Array, believed: Array
) -> tuple[HoleReading, ...]:
    """What each hole shows, by the votes of the cards that may be below, the likeliest first. ``shown`` (k x holes x
    symbols) is how much of each of their symbols is seen."""
    names = below.marks[cards[:, None], shown.argmax(axis=2), 3].astype(int).tolist()
    largest = shown.max(axis=2).tolist()
    voters = [(k, weight) for k, weight in enumerate(mass.tolist()) if weight >= POSSIBLE]
    readings = []
    for hole, belief in enumerate(believed.tolist()):
        votes: dict[str, float] = {}
        for k, weight in voters:
            counts = 1 / (1 + math.exp((NAMED - largest[k][hole]) / VAGUE))
            for said, part in ((below.names[names[k][hole]], counts), (NOTHING, 1 - counts)):
                votes[said] = votes.get(said, 0.0) + weight * part
        ranked = _first_five({name: vote * belief for name, vote in votes.items()})
        name, probability = ranked[0]
        readings.append(HoleReading(name, probability, probability >= SURE, largest[0][hole], ranked))
    return tuple(readings)


def _by_card(below: Underlay, cards: NDArray[np.intp], mass: Array) -> tuple[tuple[str, float], ...]:
    by_card: dict[str, float] = {}
    for card, probability in zip(cards.tolist(), mass.tolist(), strict=True):
        id = below.faces[card].piece.id
        by_card[id] = by_card.get(id, 0.0) + probability
    return _first_five(by_card)


def _first_five(weighed: dict[str, float]) -> tuple[tuple[str, float], ...]:
    return tuple(sorted(weighed.items(), key=lambda item: -item[1])[:5])


def _logistic(shape: tuple[float, float], value: Array | float) -> Array:
    belief: Array = np.asarray(1 / (1 + np.exp(np.minimum(shape[1] * (np.asarray(value) - shape[0]), 80))), np.float32)
    return belief
