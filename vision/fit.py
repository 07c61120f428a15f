"""Fit the best few cards under a tile exactly: shift and tilt by Gauss-Newton, all candidates at once."""

from __future__ import annotations

from dataclasses import dataclass

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
    arts = _sample(atlas.picture, at)
    steep = _sample(atlas.steep, at)
    centres = np.stack([unturned(seen.centres, int(turn)) for turn in turns])
    _, spun = _places(centres, placed, below, cards)
    on_card = spun + placed[:, None, :2] + np.array(below.size, np.float32) / 2
    return Fitted(cards, turns, placed, arts, steep, on_card.astype(np.float32))


def _points(seen: Seen, below: Underlay, turns: NDArray[np.intp], part: float) -> Array:
    """For each candidate the disc pixels about the middle of the upright card (k x n x 2, map pixels)."""
    inside = below.exact_offsets[: _count(below, part)].astype(np.float32) * (MAP / EXACT)
    about = (seen.centres[:, None] + inside[None]).reshape(-1, 2)
    four = np.stack([unturned(about, turn) for turn in range(4)])
    return four[turns]


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
    holes = len(by_hole)
    values = (by_hole - by_hole.mean(axis=1, keepdims=True)).reshape(-1, 3)
    prior = np.diag([1 / PRIOR_SHIFT**2, 1 / PRIOR_SHIFT**2, 1 / PRIOR_TILT**2]).astype(np.float32)
    for _ in range(rounds):
        at, spun = _places(points, placed, below, cards)
        logs, gx, gy = (_sample(picture, at) for picture in (atlas.logs, *atlas.slopes))
        gain, wrong = _wrong(values, logs, holes)
        spread = 1.2 * np.sqrt((wrong**2).mean(axis=(1, 2), keepdims=True)) + np.float32(0.02)
        weight = (1 / (1 + (wrong / spread) ** 2)).reshape(count, 1, -1)
        jacobian = np.empty((count, 3, *wrong.shape[1:]), np.float32)
        jacobian[:, 0], jacobian[:, 1] = gx, gy
        jacobian[:, 2] = gy * spun[..., 0:1] - gx * spun[..., 1:2]
        jacobian *= gain[:, None] * np.float32(EXACT / MAP)
        flat = jacobian.reshape(count, 3, -1)
        weighted = flat * weight
        noise = (spread.reshape(-1, 1, 1) ** 2) * (6.0 * part)  # neighbouring pixels tell the same
        normal = weighted @ flat.transpose(0, 2, 1) + prior * noise
        right = (weighted @ wrong.reshape(count, -1, 1))[..., 0] - (placed @ prior) * noise[:, 0]
        step = np.linalg.solve(normal, right[..., None])[..., 0]
        placed = (placed + np.clip(step, [-1.5, -1.5, -0.04], [1.5, 1.5, 0.04])).astype(np.float32)
    at, _ = _places(points, placed, below, cards)
    _, wrong = _wrong(values, _sample(atlas.logs, at), holes)
    capped = np.minimum(wrong**2, np.float32(0.1)).mean(axis=(1, 2))
    return placed, capped


def _wrong(values: Array, logs: Array, holes: int) -> tuple[Array, Array]:
    """Gain (k x holes * pixels x 1) and residual of candidates, each hole with a light of its own.

    ``logs`` loses its level in each hole, in place.
    """
    count, number = logs.shape[0], logs.shape[1] // holes
    split = logs.reshape(count, holes, number, 3)
    split -= split.mean(axis=2, keepdims=True)
    seen = values.reshape(holes, number, 3)
    power = np.einsum("khnc,khnc->kh", split, split)
    gain = np.einsum("khnc,hnc->kh", split, seen) / np.maximum(power, 1e-6)
    gain = np.clip(gain, 0.1, 1.5).astype(np.float32)
    spread_out = np.repeat(gain, number, axis=1)[..., None]
    return spread_out, values[None] - spread_out * logs


def _places(points: Array, placed: Array, below: Underlay, cards: NDArray[np.intp]) -> tuple[Array, Array]:
    """Where candidates look in the atlas (k x n x 2), and the spun points in map pixels."""
    c, s = np.cos(placed[:, 2])[:, None], np.sin(placed[:, 2])[:, None]
    spun = np.empty_like(points)
    spun[..., 0] = c * points[..., 0] - s * points[..., 1]
    spun[..., 1] = s * points[..., 0] + c * points[..., 1]
    scale = np.float32(EXACT / MAP)
    shift = (placed[:, :2] + np.array(below.size, np.float32) / 2) * scale - np.float32(0.5) + below.origins[cards]
    return spun * scale + shift[:, None], spun


def _sample(picture: NDArray[np.uint8] | Array, at: Array) -> Array:
    count, number = at.shape[:2]
    sampled = cv2.remap(picture, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    samples: Array = np.asarray(sampled, np.float32).reshape(count, number, 3)
    return samples
