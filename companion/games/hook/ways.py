"""What a Sight tile shows in each way in which it may lie on a Target card."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from companion.deck import Piece
from companion.discs import Disc, disc_share
from companion.games.hook.resting import CARD_MM
from companion.world import NOTHING

Sight = tuple[str, ...]
"""The symbols in the order of the tile's holes, "none" for an empty one."""

UNLIKELY = 0.02
"""Taken as the probability of a symbol that the camera does not name for a hole."""


def ways(tiles: Iterable[Piece], card: Piece) -> tuple[Sight, ...]:
    """The different sights of all these tiles in all four turns, laid exactly on a card."""
    return tuple(dict.fromkeys(sight(tile, card, quarters) for tile in tiles for quarters in range(4)))


def likeliest(sights: Iterable[Sight], ranked: Sequence[Sequence[tuple[str, float]]]) -> tuple[Sight, ...]:
    """Sights with the likeliest first. ``ranked``: names with probabilities for each hole.

    Of those with the same symbols in other holes only one: which hole shows what changes no score, and nobody could
    choose between them.
    """
    holes = [dict(names) for names in ranked]

    def likelihood(shown: Sight) -> float:
        named = zip(holes, shown, strict=False)
        return sum(math.log(max(names.get(name, 0.0), UNLIKELY)) for names, name in named)

    found: dict[Sight, Sight] = {}
    for shown in sorted(sights, key=likelihood, reverse=True):
        found.setdefault(tuple(sorted(shown)), shown)
    return tuple(found.values())


def sight(tile: Piece, card: Piece, quarters: int) -> Sight:
    """The symbols of a tile laid exactly on a card in one of its four turns: those that show by more than half."""
    marks = [(mark.name, _disc(mark.at, mark.radius, card)) for mark in card.marks]
    seen = []
    for hole in tile.holes:
        x, y, radius = _disc(hole.at, hole.radius, tile)
        for _ in range(quarters):
            x, y = -y, x
        share, name = max(((disc_share(mark, (x, y, radius)), name) for name, mark in marks), default=(0.0, NOTHING))
        seen.append(name if share > 0.5 else NOTHING)
    return tuple(seen)


def _disc(at: tuple[float, float], radius: float, piece: Piece) -> Disc:
    """A disc of a face in millimetres from the face's middle."""
    width, height = piece.size_mm or CARD_MM
    return (at[0] - 0.5) * width, (at[1] - 0.5) * height, radius * width
