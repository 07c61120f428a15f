"""Comparing two small pictures of one place under light that has changed a little.

Exposure and white balance scale each colour channel; the scale is estimated from the cells that agree best, so that
neither hands nor clipped highlights mislead it. What is left over is weighed against the brightness.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.world import Image

FAINT = 0.11
"""Relative difference that counts as a change (noise of a harsh frame stays below it, a card does not)."""
STRONG = 0.34
"""Relative difference that a soft shadow seldom makes."""
COLOURED = 0.16
"""Difference of a channel against the others, relative, that no shadow makes."""
FLOOR = 14.0
"""Added to the brightness, so that noise in the dark does not count."""
CLIPPED = 234
"""From this value on a pixel may be brighter than it can say."""
AGREES = 0.03
"""Relative difference within which two cells are taken for the same."""

HARDLY = 0.008
"""Gains nearer to 1 than this are not worth applying."""

Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]
Bytes = NDArray[np.uint8]


def means(small: Bytes | Floats, grid: tuple[int, ...]) -> Floats:
    """The mean colour of every cell of a grid of (rows, columns)."""
    return np.asarray(cv2.resize(small, (grid[1], grid[0]), interpolation=cv2.INTER_AREA), np.float32)


def gain(now: Floats, then: Floats, where: Mask | None = None) -> Floats:
    """The gain of each channel from ``then`` to ``now`` (means of cells). Cells outside ``where`` do not count."""
    # Colours before cells: numpy is slow at reducing short axes.
    a, b = now.reshape(-1, 3).T, then.reshape(-1, 3).T
    if where is not None:
        a, b = a[:, where.ravel()], b[:, where.ravel()]
    if a.shape[1] < 12:
        return np.ones(3, np.float32)
    ratio = np.divide(a + 1, b + 1, order="C")
    usual = np.median(ratio[:, ::2], axis=1)
    # Most cells agree with the usual ratio: no need to ask which of several explains more.
    agree = np.maximum.reduce(np.abs(ratio - usual[:, None])) < AGREES
    if np.count_nonzero(agree) < 0.7 * agree.size:
        usual = np.array([_contested(mine, other) for mine, other in zip(a, b, strict=True)])
    return np.asarray(np.clip(usual, 0.5, 2.0), np.float32)


def _contested(a: Floats, b: Floats) -> float:
    """The gain of one channel where much has changed: of a few guesses the one that most cells agree with."""
    counted = (a > 18) & (b > 18)
    a, b = a[counted], b[counted]
    free = (a < CLIPPED) & (b < CLIPPED)
    if np.count_nonzero(free) < 12:
        return 1.0
    ratios = a[free] / b[free]
    counts, edges = np.histogram(ratios, bins=34, range=(0.66, 1.5))
    most = int(np.convolve(counts, (1, 1, 1), "same").argmax())
    near = ratios[(ratios >= edges[max(most - 1, 0)]) & (ratios <= edges[min(most + 2, 34)])]
    guesses = [1.0, float(np.median(ratios))]
    if len(near):
        guesses.append(float(np.median(near)))
    agreeing = [np.count_nonzero(np.abs(a - np.minimum(b * g, 255)) < AGREES * (b + FLOOR)) for g in guesses]
    return guesses[int(np.argmax(agreeing))]


def scaled(picture: Bytes, by: Floats) -> Bytes:
    """A picture with its channels scaled, clipped to what a picture can say."""
    if np.abs(by - 1).max() < HARDLY:
        return picture
    table = np.clip(np.round(np.arange(256)[:, None] * by), 0, 255).astype(np.uint8)
    return np.asarray(cv2.LUT(picture, table.reshape(1, 256, 3)), np.uint8)


def differing(now: Image, then: Image) -> Bytes:
    """A mask (0/255) of pixels that differ by more than noise; both under the same light (``scaled``)."""
    difference = cv2.absdiff(now, then)
    _, clipped = cv2.threshold(now, CLIPPED, 255, cv2.THRESH_BINARY)
    if cv2.countNonZero(clipped.reshape(-1)):
        # What is clipped may have been clipped before as well, whatever the gain says.
        _, bright = cv2.threshold(then, CLIPPED - 40, 255, cv2.THRESH_BINARY)
        brighter = cv2.bitwise_and(cv2.bitwise_and(clipped, bright), cv2.compare(now, then, cv2.CMP_GT))
        difference = cv2.subtract(difference, brighter)
    b, g, r = cv2.split(difference)
    worst = cv2.max(cv2.max(b, g), r)
    gray = cv2.cvtColor(then, cv2.COLOR_BGR2GRAY)
    limit = cv2.convertScaleAbs(gray, alpha=FAINT, beta=FAINT * FLOOR)
    return np.asarray(cv2.compare(worst, limit, cv2.CMP_GT), np.uint8)


def solid(now: Image, then: Image, among: Bytes) -> Bytes:
    """Of the pixels of a mask, those (0/255) that differ in a way no shadow does: much, or in colour."""
    result = np.zeros(among.shape, np.uint8)
    x, y, width, height = cv2.boundingRect(among)
    if not width:
        return result
    part = np.s_[y : y + height, x : x + width]
    a, b = now[part].astype(np.float32), then[part].astype(np.float32)
    bright = cv2.transform(b, _MEAN) + FLOOR
    ratio = (cv2.transform(a, _MEAN) + FLOOR) / bright
    off = [
        cv2.absdiff(mine, cv2.multiply(other, ratio)) for mine, other in zip(cv2.split(a), cv2.split(b), strict=True)
    ]
    colour = cv2.max(cv2.max(off[0], off[1]), off[2])
    strong = (np.abs(ratio - 1) > STRONG) | (colour > COLOURED * np.maximum(bright, 40))
    result[part] = np.where(strong, among[part], np.uint8(0))
    return result


_MEAN = np.full((1, 3), 1 / 3, np.float32)


def strongest(picture: NDArray[Any]) -> NDArray[Any]:
    """The largest of each pixel's three channels (rows x columns x 3); much faster than a reduction."""
    b, g, r = cv2.split(picture)
    return np.asarray(cv2.max(cv2.max(b, g), r))
