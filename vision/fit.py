"""Fit the best few cards under a tile exactly: shift and tilt by Gauss-Newton, all candidates at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.colour import compress
from vision.geometry import Array
from vision.pose import Seen, unturned
from vision.under import EXACT, MAP, Atlas, Underlay, blurs

STAGES = ((0.1, 2, 8), (0.4, 2, 4))
"""Share of the pixels, steps, and how many candidates go on."""
DEEP_STAGES = ((0.25, 2, 60), (0.5, 2, 16), (1.0, 2, 8))
"""The same where the quick way has not explained enough."""
PRIOR_SHIFT = 3.0
"""Map pixels by which a card is usually off its tile."""
PRIOR_TILT = 0.05
"""Radians by which a card is usually twisted."""

_PRIOR = np.diag([1 / PRIOR_SHIFT**2, 1 / PRIOR_SHIFT**2, 1 / PRIOR_TILT**2]).astype(np.float32)
_LONGEST = np.array([1.5, 1.5, 0.04], np.float32)
_Picture = TypeVar("_Picture", NDArray[np.uint8], Array)


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


def fit(
    seen: Seen,
    below: Underlay,
    cards: NDArray[np.intp],
    turns: NDArray[np.intp],
    start: Array,
    level: int,
    *,
    deep: bool = False,
) -> Fitted:
    """Move each candidate from ``start`` (k x 3) to where its symbols fit the discs best, and keep the best few."""
    placed = start.astype(np.float32)
    atlas = blurs(below, level)
    for share, rounds, keep in DEEP_STAGES if deep else STAGES:
        placed, left = _settled(seen, below, atlas, cards, turns, placed, rounds, share)
        if len(cards) > keep:
            chosen = np.argsort(left)[:keep]
            placed, cards, turns = placed[chosen], cards[chosen], turns[chosen]
    points = _points(seen, below, turns, 1.0)
    at, _ = _places(points, placed, below, cards)
    arts = _sample(atlas.picture, at).astype(np.float32)
    steep = _sample(atlas.steep, at).astype(np.float32)
    _, spun = _places(_four(seen.centres)[turns], placed, below, cards)
    on_card = spun.transpose(0, 2, 1) + placed[:, None, :2] + np.array(below.size, np.float32) / 2
    return Fitted(cards, turns, placed, arts, steep, on_card.astype(np.float32))


def _points(seen: Seen, below: Underlay, turns: NDArray[np.intp], part: float) -> Array:
    """For each candidate the disc pixels about the middle of the upright card (k x 2 x n, map pixels)."""
    inside = below.exact_offsets[: _count(below, part)].astype(np.float32) * (MAP / EXACT)
    return _four((seen.centres[:, None] + inside[None]).reshape(-1, 2))[turns]


def _four(points: Array) -> Array:
    """Points (n x 2) in the frame of a card in each quarter turn, 4 x 2 x n."""
    return np.stack([unturned(points, turn).T for turn in range(4)])


def _count(below: Underlay, part: float) -> int:
    return max(round(len(below.exact_offsets) * part), 6)


def _settled(
    seen: Seen,
    below: Underlay,
    atlas: Atlas,
    cards: NDArray[np.intp],
    turns: NDArray[np.intp],
    placed: Array,
    rounds: int,
    part: float,
) -> tuple[Array, Array]:
    """Gauss-Newton on compressed colours with one gain a candidate. Returns the places and how much was left."""
    count = len(cards)
    points = _points(seen, below, turns, part)
    by_hole = compress(seen.exact[:, : _count(below, part)])
    # Colours before pixels, so that every operation runs along the pixels.
    values = np.ascontiguousarray((by_hole - by_hole.mean(axis=1, keepdims=True)).transpose(2, 0, 1))
    pixels = values[0].size
    jacobian = np.empty((count, 3, 3, pixels), np.float32)
    flat = jacobian.reshape(count, 3, -1)
    for _ in range(rounds):
        at, spun = _places(points, placed, below, cards)
        logs, gx, gy = (_sample(picture, at).transpose(0, 2, 1) for picture in (atlas.logs, *atlas.slopes))
        gain, wrong = _wrong(values, logs)
        wrong = wrong.reshape(count, 1, -1)
        square = wrong**2
        variance = (1.2 * np.sqrt(square.mean(axis=2, keepdims=True)) + np.float32(0.02)) ** 2
        gain *= np.float32(EXACT / MAP)
        np.multiply(gx, gain, out=jacobian[:, 0])
        np.multiply(gy, gain, out=jacobian[:, 1])
        np.multiply(jacobian[:, 1], spun[:, None, 0], out=jacobian[:, 2])
        jacobian[:, 2] -= jacobian[:, 0] * spun[:, None, 1]
        weighted = flat / (1 + square / variance)
        noise = variance * np.float32(6.0 * part)  # neighbouring pixels tell the same
        normal = weighted @ flat.transpose(0, 2, 1) + _PRIOR * noise
        right = (weighted @ wrong.transpose(0, 2, 1))[..., 0] - (placed @ _PRIOR) * noise[:, 0]
        step = np.linalg.solve(normal, right[..., None])[..., 0]
        placed = placed + np.minimum(np.maximum(step, -_LONGEST), _LONGEST)
    at, _ = _places(points, placed, below, cards)
    _, wrong = _wrong(values, _sample(atlas.logs, at).transpose(0, 2, 1))
    capped = np.minimum(wrong**2, np.float32(0.1)).reshape(count, -1).mean(axis=1)
    return placed, capped


def _wrong(values: Array, logs: Array) -> tuple[Array, Array]:
    """Gain (k x 1 x pixels) and residual (k x 3 x pixels) of candidates, each hole with a light of its own.

    ``values`` 3 x holes x pixels of a hole, without their level; ``logs`` k x 3 x pixels.
    """
    split = np.ascontiguousarray(logs).reshape(len(logs), *values.shape)
    split -= np.einsum("kchn->kch", split)[..., None] / np.float32(values.shape[2])
    power = np.einsum("kchn,kchn->kh", split, split)
    gain = np.einsum("kchn,chn->kh", split, values) / np.maximum(power, np.float32(1e-6))
    gain = np.minimum(np.maximum(gain, np.float32(0.1)), np.float32(1.5))
    split *= gain[:, None, :, None]
    np.subtract(values, split, out=split)
    return np.repeat(gain, values.shape[2], axis=1)[:, None], split.reshape(logs.shape)


def _places(points: Array, placed: Array, below: Underlay, cards: NDArray[np.intp]) -> tuple[Array, Array]:
    """Where candidates look in the atlas (k x 2 x n), and the spun points in map pixels."""
    c, s = np.cos(placed[:, 2]), np.sin(placed[:, 2])
    spun = np.stack([c, -s, s, c], axis=1).reshape(-1, 2, 2) @ points
    scale = np.float32(EXACT / MAP)
    shift = (placed[:, :2] + np.array(below.size, np.float32) / 2) * scale - np.float32(0.5) + below.origins[cards]
    return spun * scale + shift[..., None], spun


def _sample(picture: _Picture, at: Array) -> _Picture:
    """Bilinear samples, k x n x 3."""
    sampled = cv2.remap(picture, at[:, 0], at[:, 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(sampled, picture.dtype)
