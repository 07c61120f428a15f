"""What cards that were fitted under a tile say of its holes, each weighed by how well it explains the picture."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from companion.world import NOTHING, HoleReading
from vision.colour import ALIKE, explain_even, explain_pixels
from vision.fit import Fitted
from vision.geometry import Array
from vision.pose import Layout, Seen, card_corners
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


def judge(over: Layout, seen: Seen, fitted: Fitted, light: Array, corners: Array) -> HolesRead:
    """The reading of a tile at ``corners``, around whose holes there is such a ``light`` (holes x 3 x 2)."""
    each, plain = _misfits(seen, fitted, light)
    misfit = each.mean(axis=1)
    # Far off the tile is possible but rarer.
    total = misfit + 0.004 * (fitted.placed[:, :2] ** 2).sum(axis=1)
    best = int(total.argmin())
    mass = np.exp(-SHARPNESS * (total - total[best]))
    mass /= mass.sum()
    unexplained = float(each[best].sum() / max(plain.sum(), 1e-3))
    believed = _logistic(TILE_BELIEF, unexplained) * _logistic(HOLE_BELIEF, each[best] / np.maximum(plain, 1e-3))
    cards = _by_card(over.below, fitted, mass)
    dx, dy, tilt = fitted.placed[best].tolist()
    return HolesRead(
        _readings(over.below, fitted, mass, believed),
        cards[0][0],
        over.below.faces[int(fitted.cards[best])].piece.kind,
        cards[0][1],
        cards,
        card_corners(corners, over, int(fitted.turns[best]), (dx, dy, tilt)),
        float(misfit[best]),
        unexplained,
    )


def _misfits(seen: Seen, fitted: Fitted, light: Array) -> tuple[Array, Array]:
    """How badly each card explains each hole (k x holes), and how badly plain paper would."""
    holes, number = seen.exact.shape[:2]
    count = len(fitted.cards)
    pixels = seen.exact.astype(np.float32)
    # Each hole has a light of its own: shadows of its wall, a glare that ends there.
    explained = explain_pixels(
        np.tile(pixels, (count, 1, 1)),
        fitted.arts.reshape(-1, number, 3),
        steep=fitted.steep.reshape(-1, number, 3),
        expected=np.tile(light, (count, 1, 1)),
    )
    each = (explained.left.mean(axis=1) + explained.strain * (ALIKE / number)).reshape(count, holes)
    return each, explain_even(pixels).mean(axis=1)


def _readings(below: Underlay, fitted: Fitted, mass: Array, believed: Array) -> tuple[HoleReading, ...]:
    """What each hole shows, by the votes of the cards that may be below."""
    likely = np.argsort(-mass)
    likely = likely[mass[likely] >= POSSIBLE]
    cards = fitted.cards[likely]
    parts = shares(below, cards[:, None], fitted.centres[likely])
    names = below.marks[cards[:, None], parts.argmax(axis=2), 3].astype(int).tolist()
    largest = parts.max(axis=2).tolist()
    readings = []
    for hole, belief in enumerate(believed.tolist()):
        votes: dict[str, float] = {}
        for k, weight in enumerate(mass[likely].tolist()):
            counts = 1 / (1 + math.exp((NAMED - largest[k][hole]) / VAGUE))
            for said, part in ((below.names[names[k][hole]], counts), (NOTHING, 1 - counts)):
                votes[said] = votes.get(said, 0.0) + weight * part
        ranked = _first_five({name: vote * belief for name, vote in votes.items()})
        name, probability = ranked[0]
        readings.append(HoleReading(name, probability, probability >= SURE, largest[0][hole], ranked))
    return tuple(readings)


def _by_card(below: Underlay, fitted: Fitted, mass: Array) -> tuple[tuple[str, float], ...]:
    by_card: dict[str, float] = {}
    for card, probability in zip(fitted.cards.tolist(), mass.tolist(), strict=True):
        id = below.faces[card].piece.id
        by_card[id] = by_card.get(id, 0.0) + probability
    return _first_five(by_card)


def _first_five(weighed: dict[str, float]) -> tuple[tuple[str, float], ...]:
    return tuple(sorted(weighed.items(), key=lambda item: -item[1])[:5])


def _logistic(shape: tuple[float, float], value: Array | float) -> Array:
    belief: Array = np.asarray(1 / (1 + np.exp(np.minimum(shape[1] * (np.asarray(value) - shape[0]), 80))), np.float32)
    return belief
