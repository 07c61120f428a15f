"""What changed on the table, by cells of a coarse grid, with slow drifts of light taken out.

A frame is shrunk to about 320 pixels a side and compared twice: with the frame before (what *moves*) and with
the picture of what had settled (what has *changed*). Exposure and white balance drift: each colour channel's
gain is estimated from the cells' means (a median, so that hands do not count) and divided out, and settled places
follow slowly. Differences are relative to the brightness, so that shadows' depths and bright spots weigh alike.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.world import Image

SMALL_WIDTH = 320
"""Width in pixels of the picture that is compared."""
CELL = 8
"""Side of a cell in pixels of the small picture."""
FAINT = 0.11
"""Relative difference that counts as a change (noise of a harsh frame stays below it, a card does not)."""
STRONG = 0.34
"""Relative difference that a soft shadow seldom makes."""
COLOURED = 0.16
"""Difference of a channel against the others, relative, that no shadow makes."""
FLOOR = 14.0
"""Added to the brightness, so that noise in the dark does not count."""
BUSY = 0.16
"""Share of a cell's pixels that must differ."""

Mask = NDArray[np.bool_]
Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Motion:
    """What a frame shows, as masks of cells (rows x columns) and one mask of small pixels.

    ``moving``: differs from the frame before. ``changed``: differs from what had settled. ``still``: how many
    frames in a row nothing moved in the cell. ``solid``: small pixels that differ in a way no shadow does.
    ``scale``: small pixels per frame pixel. ``flipped``: most of the picture changed at once.
    """

    moving: Mask
    changed: Mask
    still: NDArray[np.int32]
    solid: NDArray[np.uint8]
    scale: float
    flipped: bool
    level: float


def shrink(image: Image) -> Image:
    """A small copy, about ``SMALL_WIDTH`` wide, of every so many rows: cheap, and clean enough after a blur."""
    step = max(1, image.shape[1] // SMALL_WIDTH)
    width, height = _small_size(image.shape)
    rows = image[step // 2 :: step] if step > 1 else image
    small = cv2.resize(rows, (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(cv2.blur(small, (3, 3)), np.uint8)


def _small_size(shape: tuple[int, ...]) -> tuple[int, int]:
    scale = min(1.0, SMALL_WIDTH / shape[1])
    return max(CELL, round(shape[1] * scale)), max(CELL, round(shape[0] * scale))


def cells_of(mask: NDArray[np.uint8], grid: tuple[int, int]) -> NDArray[np.float32]:
    """The share (0 to 1) of set pixels of a 0/255 mask in every cell of a grid of (rows, columns)."""
    shares = cv2.resize(mask, (grid[1], grid[0]), interpolation=cv2.INTER_AREA)
    return np.asarray(shares, np.float32) / np.float32(255)


class MotionWatch:
    """Remembers the frame before and what has settled. One for a camera; sizes may change, it then starts anew."""

    def __init__(self) -> None:
        self._before: Image | None = None
        self._settled: Floats | None = None
        self._under: Floats | None = None
        self._known: Mask | None = None
        self._still: NDArray[np.int32] | None = None

    def step(self, image: Image) -> Motion:
        """Compare a frame (BGR, at least 64 pixels a side) with the one before and with what has settled."""
        small = shrink(image)
        rows, columns = -(-small.shape[0] // CELL), -(-small.shape[1] // CELL)
        level = float(small.mean())
        before = self._before
        self._before = small
        if before is None or before.shape != small.shape or self._settled is None or self._still is None:
            self._settled = small.astype(np.float32)
            self._under = self._settled.copy()
            self._known = np.zeros((rows, columns), bool)
            self._still = np.zeros((rows, columns), np.int32)
            everything = np.ones((rows, columns), bool)
            nothing = np.zeros(small.shape[:2], np.uint8)
            return Motion(
                everything, everything, self._still.copy(), nothing, small.shape[1] / image.shape[1], True, level
            )
        assert self._known is not None and self._under is not None
        grid = (rows, columns)
        means = _means(small, grid)
        gain = _gain(means, _means(before, grid), None)
        moved, _ = _compare(small, before, gain, solid=False)
        moving = cells_of(moved, grid) > BUSY
        flipped = bool(moving.mean() > 0.6)
        self._still = np.where(_grown(moving), 0, self._still + 1).astype(np.int32)
        gain = _gain(means, _means(self._settled, grid), ~moving)
        differs, solid = _compare(small, self._settled, gain, solid=True)
        differing = cells_of(differs, grid) > BUSY
        changed = differing | ~self._known
        assert solid is not None
        self._follow(small, gain, calm=~_grown(differing) & (self._still > 0))
        return Motion(moving, changed, self._still.copy(), solid, small.shape[1] / image.shape[1], flipped, level)

    def _follow(self, small: Image, gain: Floats, calm: Mask) -> None:
        """Settled places follow the light; hidden ones at least its gain."""
        assert self._settled is not None and self._under is not None
        if np.abs(gain - 1).max() > 0.004:
            scale = np.array([*gain, 0.0], np.float64)
            cv2.multiply(self._settled, scale, dst=self._settled)
            cv2.multiply(self._under, scale, dst=self._under)
        if calm.all():
            cv2.accumulateWeighted(small, self._settled, 0.2)
        else:
            cv2.accumulateWeighted(small, self._settled, 0.2, mask=_spread(calm, small.shape))

    def settle(self, cells: Mask, *, bare: Mask | None = None) -> None:
        """Take these cells as they are now for settled; where ``bare``, no piece lies there: remember the table."""
        if self._before is None or self._settled is None or self._known is None or self._under is None:
            return
        now = self._before.astype(np.float32)
        cv2.copyTo(now, _spread(cells, now.shape), self._settled)
        self._known |= cells
        if bare is not None and bare.any():
            cv2.copyTo(now, _spread(bare, now.shape), self._under)

    def disturb(self, cells: Mask | None = None) -> None:
        """Forget that these cells (all) had settled: they count as changed until they are settled again."""
        if self._known is not None:
            self._known &= ~cells if cells is not None else False

    def bare_again(self, cells: Mask) -> float:
        """How much of these cells looks like the bare table that was once seen there (0 to 1)."""
        if self._before is None or self._under is None or not cells.any():
            return 0.0
        grid = cells.shape
        gain = _gain(_means(self._before, grid), _means(self._under, grid), None)
        differs, _ = _compare(self._before, self._under, gain, solid=False)
        return float(1 - (cells_of(differs, grid)[cells] > BUSY).mean())

    def ghost(self, blob: NDArray[np.uint8]) -> bool:
        """Whether a blob (0/255, small pixels) is the place of something that *left*: its outline is an edge of
        the settled picture and none of the present one."""
        if self._before is None or self._settled is None:
            return False
        ring = cv2.morphologyEx(blob, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)) > 0
        ring[:2], ring[-2:], ring[:, :2], ring[:, -2:] = False, False, False, False
        if not ring.any():
            return False
        now = _edges(self._before)[ring].mean()
        then = _edges(np.clip(self._settled, 0, 255).astype(np.uint8))[ring].mean()
        return bool(now < 0.6 * then)


def _edges(small: Image) -> Floats:
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
    across = cv2.Sobel(grey, cv2.CV_32F, 1, 0, ksize=3)
    down = cv2.Sobel(grey, cv2.CV_32F, 0, 1, ksize=3)
    return np.asarray(cv2.magnitude(across, down), np.float32)


def _means(small: NDArray[np.uint8] | Floats, grid: tuple[int, ...]) -> Floats:
    return np.asarray(cv2.resize(small, (grid[1], grid[0]), interpolation=cv2.INTER_AREA), np.float32)


def _gain(now: Floats, then: Floats, where: Mask | None) -> Floats:
    """The gain of each channel from ``then`` to ``now``, a median over cells that are neither dark nor clipped."""
    gains = np.ones(3, np.float32)
    for channel in range(3):
        a, b = now[..., channel], then[..., channel]
        usable = (b > 18) & (b < 238) & (a > 18) & (a < 238)
        if where is not None:
            usable &= where
        if np.count_nonzero(usable) >= 24:
            gains[channel] = np.median(a[usable] / b[usable])
    return np.clip(gains, 0.5, 2.0)


def _compare(
    small: Image, other: NDArray[np.uint8] | Floats, gain: Floats, *, solid: bool
) -> tuple[NDArray[np.uint8], NDArray[np.uint8] | None]:
    """Masks (0/255) of small pixels: those that differ at all, and those that differ as no soft shadow does."""
    now = small.astype(np.float32)
    then = np.asarray(cv2.multiply(other, np.array([*gain, 0.0], np.float64), dtype=cv2.CV_32F), np.float32)
    difference = cv2.absdiff(now, then)
    b, g, r = cv2.split(difference)
    worst = cv2.max(cv2.max(b, g), r)
    bright = _brightness(then) + np.float32(FLOOR)
    faint = np.asarray(cv2.compare(worst, bright * np.float32(FAINT), cv2.CMP_GT), np.uint8)
    if not solid:
        return faint, None
    if not faint.any():
        return faint, faint
    ratio = (_brightness(now) + np.float32(FLOOR)) / bright
    b, g, r = cv2.split(cv2.absdiff(now, then * ratio[..., None]))
    colour = cv2.max(cv2.max(b, g), r)
    strong = (np.abs(ratio - 1) > STRONG) | (colour > COLOURED * np.maximum(bright, 40))
    return faint, np.where((faint > 0) & strong, np.uint8(255), np.uint8(0))


def _brightness(small: Floats) -> Floats:
    third = np.full((1, 3), 1 / 3, np.float32)
    return np.asarray(cv2.transform(small, third), np.float32).reshape(small.shape[:2])


def _grown(cells: Mask) -> Mask:
    """The cells and their neighbours."""
    return cv2.dilate(cells.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0


def _spread(cells: Mask, shape: tuple[int, ...]) -> NDArray[np.uint8]:
    """A mask of cells as a mask of small pixels (0/255)."""
    mask = cv2.resize(cells.astype(np.uint8), (shape[1], shape[0]), interpolation=cv2.INTER_NEAREST)
    return np.asarray(mask, np.uint8) * np.uint8(255)
