"""Which cards may lie under tiles, in which turn and how far off: everything tried at once, on the coarse map."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.colour import compress
from vision.geometry import Array
from vision.pose import TURN_BACK, Seen, Tile
from vision.under import PARTS, STEP, Underlay

FAINT = 0.001
"""Variance (of compressed colours) below which a disc shows next to nothing."""

Proposals = tuple[NDArray[np.intp], NDArray[np.intp], Array]
"""Cards, turns and where each lies (k x 3: dx, dy in map pixels, no tilt)."""


@dataclass(frozen=True)
class Tried:
    """How like a tile's holes every card in every turn and offset is."""

    turns: NDArray[np.intp]
    likeness: Array
    """turns x window x window x cards: one row and column each STEP map pixels of offset."""
    offsets: Array
    """turns x 2: the offset (dx, dy) of the window's first row and column."""


def try_all(tiles: Sequence[Tile], elsewhere: frozenset[str], reach: float) -> list[Tried]:
    """Compare the discs of each tile with every card, lying at most ``reach`` (in short sides, parallax included) off
    the tile. All tiles have equally many holes over the same cards.

    ``elsewhere`` names cards that cannot be here.
    """
    below = tiles[0].over.below
    width, height = below.size
    steps = round(reach * min(width, height) / STEP)
    window = 2 * steps + 1
    count = len(below.faces)
    turns = np.arange(4) if abs(width - height) < 2 else np.array([0, 2])
    lowest = np.array([-(-width // STEP), -(-height // STEP)]) - window
    # Where the window of each tile, turn and hole begins on the map, and how far that is from where the hole is.
    centres = np.stack([tile.over.centres for tile in tiles])[:, None]
    places = centres @ TURN_BACK[turns].transpose(0, 2, 1) + np.array(below.size, np.float32) / 2
    corners = np.clip(np.rint((places - 0.5) / STEP).astype(np.intp) - steps, 0, lowest)
    offsets = (corners * STEP + 0.5 - places).mean(axis=2)
    numbers = np.stack([_numbers(tile.seen, below)[:, turns].swapaxes(0, 1) for tile in tiles])
    likeness: Array = np.zeros((len(tiles), len(turns), window, window * count), np.float32)
    # Holes of different tiles and turns often lie over one place of the card: its numbers are read once for all.
    meeting: dict[tuple[int, int], list[tuple[int, int, int]]] = {}
    for which in np.ndindex(*corners.shape[:3]):
        left, top = corners[which].tolist()
        meeting.setdefault((left, top), []).append(which)
    for (left, top), discs in meeting.items():
        part = below.described[top : top + window, :, left * count : (left + window) * count]
        like = np.stack([numbers[which] for which in discs]) @ part
        for k, (tile, turn, _) in enumerate(discs):
            likeness[tile, turn] += like[:, k]
    likeness = likeness.reshape(len(tiles), len(turns), window, window, count)
    gone = [k for k, face in enumerate(below.faces) if face.piece.id in elsewhere and face.piece.copies == 1]
    likeness[..., gone] = -1
    return [Tried(turns, mine, off) for mine, off in zip(likeness, offsets, strict=True)]


def _numbers(seen: Seen, below: Underlay) -> Array:
    """What describes each disc on a card in each turn (holes x 4 x PARTS), of unit length where it shows anything."""
    values = compress(seen.coarse).transpose(0, 2, 1)
    features = (values - values.mean(axis=2, keepdims=True)).reshape(len(values), -1)
    power = np.einsum("hk,hk->h", features, features)
    weight = np.sqrt(power) / (power + np.float32(FAINT * features.shape[1]))
    numbers: Array = (features @ below.basis.reshape(-1, features.shape[1]).T) * weight[:, None]
    return numbers.reshape(len(values), -1, PARTS)


def likeliest(tried: Tried, margin: float, most: int) -> Proposals:
    """The likeliest, best first, down to ``margin`` below the best: usually a few, in bad light ``most``.

    Of each card in each turn the best offset in each quarter of the window counts, as the best of all is not always
    the right one.
    """
    flat = tried.likeness.reshape(-1)
    among = np.flatnonzero(flat > flat.max() - np.float32(margin))
    among = among[np.argsort(-flat[among])]
    which, rows, columns, cards = np.unravel_index(among, tried.likeness.shape)
    middle = tried.likeness.shape[1] // 2
    place = ((which * 2 + (rows >= middle)) * 2 + (columns >= middle)) * tried.likeness.shape[3] + cards
    kept = np.sort(np.unique(place, return_index=True)[1])[:most]
    start = np.zeros((len(kept), 3), np.float32)
    start[:, :2] = tried.offsets[which[kept]] + np.stack([columns[kept], rows[kept]], axis=1) * STEP
    return cards[kept], tried.turns[which[kept]], start
