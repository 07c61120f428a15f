"""Fit the best few cards under tiles exactly: shift and tilt by Gauss-Newton, all candidates of all tiles at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.colour import compress
from vision.geometry import Array
from vision.pose import TURN_BACK, Tile
from vision.propose import Proposals
from vision.under import EXACT, MAP, blurs

Stages = tuple[tuple[float, int, int], ...]
"""Share of the pixels, steps, and how many candidates go on."""
KNOWN: Stages = ((0.4, 3, 1),)
"""Where the card is known, but only about where it lies."""
QUICK: Stages = ((0.15, 2, 5), (0.4, 2, 4))
DEEP: Stages = ((0.25, 2, 60), (0.5, 2, 16), (1.0, 2, 8))
"""Where the quick way has not explained enough."""
PRIOR_SHIFT = 3.0
"""Map pixels by which a card is usually off its tile."""
PRIOR_TILT = 0.05
"""Radians by which a card is usually twisted."""

_SCALE = np.float32(EXACT / MAP)
_UNIT = np.array([_SCALE, _SCALE, 1], np.float32)
_PRIOR: Array = (1 / (_UNIT * [PRIOR_SHIFT, PRIOR_SHIFT, PRIOR_TILT]) ** 2).astype(np.float32)
_RIDGE: Array = np.diag(_PRIOR)
_LONGEST = _UNIT * np.array([1.5, 1.5, 0.04], np.float32)


@dataclass(frozen=True)
class Fitted:
    """Candidates (k) laid as well as they go: ``placed`` k x 3 (dx, dy in map pixels, tilt in radians)."""

    tiles: NDArray[np.intp]
    """Under which tile each of them is, in order."""
    cards: NDArray[np.intp]
    turns: NDArray[np.intp]
    placed: Array
    arts: Array
    """k x (holes * pixels) x 3: what each card would show, 0 to 255."""
    steep: Array
    """The same shape: how much a card's colour changes over a pixel there."""
    centres: Array
    """k x holes x 2: each hole's centre on the card, map pixels from its top left corner."""


@dataclass(frozen=True)
class _Laid:
    """Candidates while they are fitted; everything in pixels of the atlas."""

    tiles: NDArray[np.intp]
    cards: NDArray[np.intp]
    turns: NDArray[np.intp]
    placed: Array
    middles: Array
    """k x 2: the middle of each card in the atlas."""

    def at(self, points: Array) -> tuple[Array, Array]:
        """Where points about their tiles' middles (k x 2 x n) fall in the atlas, and about the card's middle."""
        c, s = np.cos(self.placed[:, 2]), np.sin(self.placed[:, 2])
        spin = np.array([c, -s, s, c]).T.reshape(-1, 2, 2) @ TURN_BACK[self.turns]
        spun = spin @ points
        return spun + (self.placed[:, :2] + self.middles)[..., None], spun

    def moved(self, by: Array) -> _Laid:
        return replace(self, placed=self.placed + by)

    def __getitem__(self, some: NDArray[np.intp]) -> _Laid:
        return _Laid(self.tiles[some], self.cards[some], self.turns[some], self.placed[some], self.middles[some])


def fit(tiles: Sequence[Tile], proposals: Sequence[Proposals], stages: Stages) -> Fitted:
    """Move each candidate from where it was proposed to where its symbols fit its tile's discs best, and keep the best
    few of each tile. All tiles have equally many holes over the same cards."""
    below = tiles[0].over.below
    half = np.array(below.size, np.float32) / 2 * _SCALE
    cards, turns, start = (np.concatenate(some) for some in zip(*proposals, strict=True))
    owners = np.repeat(np.arange(len(tiles)), [len(some) for some, _, _ in proposals])
    laid = _Laid(owners, cards, turns, start * _UNIT, below.origins[cards] + half - np.float32(0.5))
    atlases = _Atlases(tiles)
    for number, (share, steps, keep) in enumerate(stages, 1):
        # A tile of which all would be kept waits for the last stage.
        counts = np.bincount(laid.tiles)
        busy = np.arange(len(laid.tiles)) if number == len(stages) else np.flatnonzero(counts[laid.tiles] > keep)
        if not len(busy):
            continue
        mine = laid[busy]
        discs = _Discs(tiles, mine.tiles, max(round(len(below.exact_offsets) * share), 6))
        for _ in range(steps):
            mine = _stepped(mine, discs, atlases, share)
        laid.placed[busy] = mine.placed
        if counts.max() > keep:
            left = np.zeros(len(laid.tiles), np.float32)
            left[busy] = _left(mine, discs, atlases)
            laid = laid[_best(laid.tiles, left, keep)]
    points = np.stack([tile.over.points.reshape(2, -1) for tile in tiles])[laid.tiles]
    middles = np.stack([tile.over.centres.T * _SCALE for tile in tiles])[laid.tiles]
    at, _ = laid.at(points)
    _, spun = laid.at(middles)
    centres = (spun + (laid.placed[:, :2] + half)[..., None]).transpose(0, 2, 1) / _SCALE
    return Fitted(
        laid.tiles,
        laid.cards,
        laid.turns,
        laid.placed / _UNIT,
        atlases.sample("picture", laid.tiles, at),
        atlases.sample("steep", laid.tiles, at),
        centres,
    )


def _best(tiles: NDArray[np.intp], left: Array, number: int) -> NDArray[np.intp]:
    """Of each tile's candidates so many that leave least, the best first; ``tiles`` are in order."""
    order = np.lexsort((left, tiles))
    return order[np.arange(len(tiles)) - np.searchsorted(tiles, tiles) < number]


class _Atlases:
    """The picture of all cards as blurred as it is seen on each tile."""

    def __init__(self, tiles: Sequence[Tile]) -> None:
        self._levels = np.array([tile.level for tile in tiles])
        self._made = {level: blurs(tiles[0].over.below, level) for level in set(self._levels.tolist())}

    def sample(self, layer: Literal["picture", "logs", "steep"], tiles: NDArray[np.intp], at: Array) -> Array:
        """Bilinear samples of a layer at the places (k x 2 x n) of candidates under ``tiles``: k x n x colours."""
        if len(self._made) == 1:
            return _sample(getattr(next(iter(self._made.values())), layer), at)
        levels = self._levels[tiles]
        pictures = {level: getattr(atlas, layer) for level, atlas in self._made.items()}
        samples: Array = np.empty((len(at), at.shape[2], next(iter(pictures.values())).shape[2]), np.float32)
        for level, picture in pictures.items():
            mine = np.flatnonzero(levels == level)
            if len(mine):
                samples[mine] = _sample(picture, at[mine])
        return samples


class _Discs:
    """Some pixels of the discs that each candidate (k) must explain: ``points`` k x 2 x (holes * pixels) about the
    tile's middle, ``values`` k x 3 x holes x pixels, compressed, without their level."""

    def __init__(self, tiles: Sequence[Tile], which: NDArray[np.intp], number: int) -> None:
        self.points = np.stack([tile.over.points[:, :, :number].reshape(2, -1) for tile in tiles])[which]
        seen = np.stack([tile.seen.exact[:, :number] for tile in tiles])
        values = np.ascontiguousarray(compress(seen).transpose(0, 3, 1, 2))
        self.values = (values - np.add.reduce(values, axis=3, keepdims=True) / np.float32(number))[which]


def _stepped(laid: _Laid, discs: _Discs, atlases: _Atlases, share: float) -> _Laid:
    """One step of Gauss-Newton on compressed colours."""
    count = len(laid.cards)
    at, spun = laid.at(discs.points)
    # Colours before pixels, so that every operation runs along the pixels.
    layers = np.ascontiguousarray(atlases.sample("logs", laid.tiles, at).transpose(0, 2, 1))
    gain, wrong = _wrong(discs.values, layers[:, :3])
    # The three derivatives and what is wrong in one array, so that one product makes all the sums.
    rows = np.empty((count, 4, 3, layers.shape[2]), np.float32)
    np.multiply(layers[:, 3:].reshape(count, 2, 3, -1), gain, out=rows[:, :2])
    np.multiply(rows[:, 1], spun[:, :1], out=rows[:, 2])
    rows[:, 2] -= rows[:, 0] * spun[:, 1:]
    rows[:, 3] = wrong
    flat = rows.reshape(count, 4, -1)
    square = flat[:, 3:] ** 2
    variance = (1.2 * np.sqrt(square.sum(axis=2, keepdims=True) / square.shape[2]) + np.float32(0.02)) ** 2
    sums = (flat[:, :3] / (1 + square / variance)) @ flat.transpose(0, 2, 1)
    noise = variance * np.float32(6.0 * share)  # neighbouring pixels tell the same
    right = sums[..., 3:] - (laid.placed * _PRIOR)[..., None] * noise
    step = np.linalg.solve(sums[..., :3] + _RIDGE * noise, right)[..., 0]
    return laid.moved(np.minimum(np.maximum(step, -_LONGEST), _LONGEST))


def _left(laid: _Laid, discs: _Discs, atlases: _Atlases) -> Array:
    """How much of the discs each candidate does not explain."""
    at, _ = laid.at(discs.points)
    layers = atlases.sample("logs", laid.tiles, at)[..., :3]
    _, wrong = _wrong(discs.values, np.ascontiguousarray(layers.transpose(0, 2, 1)))
    left: Array = np.minimum(wrong**2, np.float32(0.1)).reshape(len(wrong), -1).sum(axis=1)
    return left


def _wrong(values: Array, logs: Array) -> tuple[Array, Array]:
    """Gain (k x 1 x 1 x pixels) and residual (k x 3 x pixels) of candidates, each hole with a light of its own.

    ``values`` k x 3 x holes x pixels of a hole, without their level; ``logs`` k x 3 x pixels.
    """
    split = logs.reshape(values.shape)
    split = split - np.add.reduce(split, axis=3, keepdims=True) / np.float32(values.shape[3])
    power = np.einsum("kchn,kchn->kh", split, split)
    gain = np.einsum("kchn,kchn->kh", split, values) / np.maximum(power, np.float32(1e-6))
    gain = np.minimum(np.maximum(gain, np.float32(0.1)), np.float32(1.5))
    split *= gain[:, None, :, None]
    np.subtract(values, split, out=split)
    return np.repeat(gain, values.shape[3], axis=1)[:, None, None], split.reshape(logs.shape)


def _sample(picture: Array | NDArray[np.uint8], at: Array) -> Array:
    """Bilinear samples, k x n x layers."""
    sampled = cv2.remap(picture, at[:, 0], at[:, 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(sampled, np.float32)
