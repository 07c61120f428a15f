"""Whether the holes of a deck's Sight tiles meet the symbols of its Target cards."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.deck import Deck, Piece

COUNTS, DOUBTFUL = 0.6, 0.4
"""A symbol counts when more than half of it shows; shares between these two have to be asked about."""


class Meeting(NamedTuple):
    """What every tile sees on every card in every turn, laid exactly on it."""

    placements: int
    enough: float
    """Share of placements in which at least all holes but one show more than 60 % of a symbol."""
    meeting: float
    """Share of holes that show more than 60 % of a symbol."""
    doubtful: float
    """Share of holes that show between 40 and 60 % of their symbol: each is a question at the table."""


def shares(distance: NDArray[np.float64], symbol: NDArray[np.float64], hole: float) -> NDArray[np.float64]:
    """How much of a round symbol shows through a round hole: the common area of two discs over the symbol's.

    ``distance`` between the middles, ``symbol`` and ``hole`` radii, all in one unit; arrays broadcast. 0 to 1.
    """
    d, r = np.broadcast_arrays(np.maximum(distance, 1e-9), symbol)
    a = np.clip((d * d + r * r - hole * hole) / (2 * d * r), -1, 1)
    b = np.clip((d * d + hole * hole - r * r) / (2 * d * hole), -1, 1)
    kite = np.maximum((-d + r + hole) * (d + r - hole) * (d - r + hole) * (d + r + hole), 0)
    lens = r * r * np.arccos(a) + hole * hole * np.arccos(b) - np.sqrt(kite) / 2
    inside = np.minimum(1.0, (hole / r) ** 2)
    share = np.where(d <= np.abs(r - hole), inside, np.where(d >= r + hole, 0.0, lens / (math.pi * r * r)))
    return np.asarray(share, np.float64)


def meeting(deck: Deck) -> Meeting | None:
    """Measure the deck; None where it has no tiles with holes or no cards with marks."""
    cards = [piece for piece in deck.pieces if piece.marks]
    tiles = [piece for piece in deck.pieces if piece.holes]
    if not cards or not tiles:
        return None
    marks = np.concatenate([_places([mark.at for mark in card.marks], card) for card in cards])
    radii = np.concatenate([[mark.radius * _size(card)[0] for mark in card.marks] for card in cards])
    starts = np.cumsum([0, *(len(card.marks) for card in cards[:-1])])
    best: list[NDArray[np.float64]] = []
    enough = 0
    for tile in tiles:
        for quarters in range(4):
            holes = _turned(_places([hole.at for hole in tile.holes], tile), quarters)
            seen = []
            for (x, y), hole in zip(holes, tile.holes, strict=True):
                share = shares(np.hypot(marks[:, 0] - x, marks[:, 1] - y), radii, hole.radius * _size(tile)[0])
                seen.append(np.maximum.reduceat(share, starts))  # the best symbol of each card
            enough += int(((np.array(seen) > COUNTS).sum(axis=0) >= len(seen) - 1).sum())
            best += seen
    every = np.concatenate(best)
    doubtful = (every >= DOUBTFUL) & (every <= COUNTS)
    placements = 4 * len(tiles) * len(cards)
    return Meeting(placements, enough / placements, float((every > COUNTS).mean()), float(doubtful.mean()))


def _size(piece: Piece) -> tuple[float, float]:
    return piece.size_mm or (1.0, 1.0)


def _places(at: list[tuple[float, float]], piece: Piece) -> NDArray[np.float64]:
    """From fractions of the face to lengths from its middle."""
    return (np.array(at, np.float64).reshape(-1, 2) - 0.5) * _size(piece)


def _turned(places: NDArray[np.float64], quarters: int) -> NDArray[np.float64]:
    for _ in range(quarters):
        places = np.stack([-places[:, 1], places[:, 0]], axis=1)
    return places
