"""Fit the best few cards under a tile exactly: shift and tilt by Gauss-Newton, all candidates at once."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.colour import compress
from vision.geometry import Array
from vision.pose import TURN_BACK, Layout, Seen
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

    cards: NDArray[np.intp]
    turns: NDArray[np.intp]
    placed: Array
    middles: Array
    """k x 2: the middle of each card in the atlas."""

    def at(self, points: Array) -> tuple[Array, Array]:
        """Where points about the tile's middle (2 x n) fall in the atlas, and about the card's middle; k x 2 x n."""
        c, s = np.cos(self.placed[:, 2]), np.sin(self.placed[:, 2])
        spin = np.stack([c, -s, s, c], axis=1).reshape(-1, 2, 2) @ TURN_BACK[self.turns]
        spun = (spin.reshape(-1, 2) @ points).reshape(len(spin), 2, -1)
        return spun + (self.placed[:, :2] + self.middles)[..., None], spun

    def moved(self, by: Array) -> _Laid:
        return replace(self, placed=self.placed + by)

    def best(self, left: Array, number: int) -> _Laid:
        chosen = np.argsort(left)[:number]
        return _Laid(self.cards[chosen], self.turns[chosen], self.placed[chosen], self.middles[chosen])


def fit(
    over: Layout,
    seen: Seen,
    cards: NDArray[np.intp],
    turns: NDArray[np.intp],
    start: Array,
    level: int,
    stages: Stages,
) -> Fitted:
    """Move each candidate from ``start`` (k x 3) to where its symbols fit the discs best, and keep the best few."""
    below = over.below
    atlas = blurs(below, level)
    half = np.array(below.size, np.float32) / 2 * _SCALE
    laid = _Laid(cards, turns, start * _UNIT, below.origins[cards] + half - np.float32(0.5))
    # A stage that would choose all of them is left out.
    for share, steps, keep in (*(stage for stage in stages[:-1] if len(cards) > stage[2]), stages[-1]):
        number = max(round(len(below.exact_offsets) * share), 6)
        discs = _Discs(over, seen, number)
        for _ in range(steps):
            laid = _stepped(laid, discs, atlas.logs, share)
        if len(laid.cards) > keep:
            laid = laid.best(_left(laid, discs, atlas.logs), keep)
    at, _ = laid.at(over.points.reshape(2, -1))
    _, spun = laid.at(over.centres.T * _SCALE)
    centres = (spun + (laid.placed[:, :2] + half)[..., None]).transpose(0, 2, 1) / _SCALE
    return Fitted(
        laid.cards,
        laid.turns,
        laid.placed / _UNIT,
        _sample(atlas.picture, at),
        _sample(atlas.steep, at),
        centres,
    )


class _Discs:
    """Some pixels of each hole's disc: ``points`` 2 x (holes * pixels) about the tile's middle, ``values`` 3 x holes x
    pixels, compressed, without their level."""

    def __init__(self, over: Layout, seen: Seen, number: int) -> None:
        self.points = over.points[:, :, :number].reshape(2, -1)
        values = compress(seen.exact[:, :number]).transpose(2, 0, 1)
        self.values = np.ascontiguousarray(values - values.mean(axis=2, keepdims=True))


def _stepped(laid: _Laid, discs: _Discs, logs: Array, share: float) -> _Laid:
    """One step of Gauss-Newton on compressed colours."""
    count = len(laid.cards)
    at, spun = laid.at(discs.points)
    # Colours before pixels, so that every operation runs along the pixels.
    layers = np.ascontiguousarray(_sample(logs, at).transpose(0, 2, 1))
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


def _left(laid: _Laid, discs: _Discs, logs: Array) -> Array:
    """How much of the discs each candidate does not explain."""
    at, _ = laid.at(discs.points)
    _, wrong = _wrong(discs.values, np.ascontiguousarray(_sample(logs, at)[..., :3].transpose(0, 2, 1)))
    left: Array = np.minimum(wrong**2, np.float32(0.1)).reshape(len(wrong), -1).sum(axis=1)
    return left


def _wrong(values: Array, logs: Array) -> tuple[Array, Array]:
    """Gain (k x 1 x 1 x pixels) and residual (k x 3 x pixels) of candidates, each hole with a light of its own.

    ``values`` 3 x holes x pixels of a hole, without their level; ``logs`` k x 3 x pixels.
    """
    split = logs.reshape(len(logs), *values.shape)
    split = split - np.add.reduce(split, axis=3, keepdims=True) / np.float32(values.shape[2])
    power = np.einsum("kchn,kchn->kh", split, split)
    gain = np.einsum("kchn,chn->kh", split, values) / np.maximum(power, np.float32(1e-6))
    gain = np.minimum(np.maximum(gain, np.float32(0.1)), np.float32(1.5))
    split *= gain[:, None, :, None]
    np.subtract(values, split, out=split)
    return np.repeat(gain, values.shape[2], axis=1)[:, None, None], split.reshape(logs.shape)


def _sample(picture: Array | NDArray[np.uint8], at: Array) -> Array:
    """Bilinear samples, k x n x layers."""
    sampled = cv2.remap(picture, at[:, 0], at[:, 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(sampled, np.float32)
