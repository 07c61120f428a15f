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
from vision import light
from vision.light import Floats, Mask
from vision.portrait import Portrait, portrait

SMALL_WIDTH = 320
"""Width in pixels of the picture that is compared."""
CELL = 8
"""Side of a cell in pixels of the small picture."""
BUSY = 0.16
"""Share of a cell's pixels that must differ."""


@dataclass(frozen=True, slots=True)
class Motion:
    """What a frame shows, as masks of cells (rows x columns) and one mask of small pixels.

    ``moving``: differs from the frame before. ``changed``: differs from what had settled. ``still``: how many
    frames in a row nothing moved in the cell. ``faint``: small pixels that differ from what had settled; ``solid``:
    those that differ in a way no shadow does. ``scale``: small pixels per frame pixel. ``flipped``: most of the
    picture changed at once.
    """

    moving: Mask
    changed: Mask
    still: NDArray[np.int32]
    faint: NDArray[np.uint8]
    solid: NDArray[np.uint8]
    scale: float
    flipped: bool


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
        self._seen_empty: Mask = np.zeros((0, 0), bool)
        self._follows = 0
        self._bytes: tuple[Image, Floats] | None = None
        self._means: Floats | None = None
        self._bare: NDArray[np.uint8] | None = None

    def step(self, image: Image) -> Motion:
        """Compare a frame (BGR, at least 64 pixels a side) with the one before and with what has settled."""
        small = shrink(image)
        rows, columns = -(-small.shape[0] // CELL), -(-small.shape[1] // CELL)
        before = self._before
        self._before, self._bare = small, None
        if before is None or before.shape != small.shape or self._settled is None or self._still is None:
            self._settled = small.astype(np.float32)
            self._bytes = self._means = None
            self._under = self._settled.copy()
            self._known = np.zeros((rows, columns), bool)
            self._seen_empty = np.zeros((rows, columns), bool)
            self._still = np.zeros((rows, columns), np.int32)
            everything = np.ones((rows, columns), bool)
            nothing = np.zeros(small.shape[:2], np.uint8)
            return Motion(
                everything,
                everything,
                self._still.copy(),
                nothing,
                nothing,
                small.shape[1] / image.shape[1],
                True,
            )
        assert self._known is not None and self._under is not None
        grid = (rows, columns)
        means = light.means(small, grid)
        gain = light.gain(means, self._means if self._means is not None else light.means(before, grid))
        self._means = means
        moved = light.differing(small, light.scaled(before, gain))
        moving = cells_of(moved, grid) > BUSY
        flipped = bool(np.count_nonzero(moving) > 0.6 * moving.size)
        self._still = np.where(_grown(moving), 0, self._still + 1).astype(np.int32)
        some = bool(moving.any())
        settled, settled_means = self._as_bytes(grid)
        gain = light.gain(means, settled_means, ~moving if some else None)
        then = light.scaled(settled, gain)
        differs = light.differing(small, then)
        differing = cells_of(differs, grid) > BUSY
        changed = differing | ~self._known
        solid = light.solid(small, then, differs) if differing.any() else np.zeros_like(differs)
        self._follows += 1
        if self._follows % 4 == 0 or np.abs(gain - 1).max() > 0.015:
            self._follow(small, gain, calm=~_grown(differing) & (self._still > 0))
        return Motion(moving, changed, self._still.copy(), differs, solid, small.shape[1] / image.shape[1], flipped)

    def _as_bytes(self, grid: tuple[int, int]) -> tuple[Image, Floats]:
        """The settled picture as bytes, and its cells' means; kept until it changes."""
        assert self._settled is not None
        if self._bytes is None:
            picture = np.asarray(cv2.convertScaleAbs(self._settled), np.uint8)
            self._bytes = picture, light.means(picture, grid)
        return self._bytes

    def _follow(self, small: Image, gain: Floats, calm: Mask) -> None:
        """Settled places follow the light; hidden ones at least its gain."""
        assert self._settled is not None and self._under is not None
        self._bytes = None
        if np.abs(gain - 1).max() > 0.004:
            scale = np.array([*gain, 0.0], np.float64)
            cv2.multiply(self._settled, scale, dst=self._settled)
            cv2.multiply(self._under, scale, dst=self._under)
        if calm.all():
            cv2.accumulateWeighted(small, self._settled, 0.2)
        else:
            cv2.accumulateWeighted(small, self._settled, 0.2, mask=spread(calm, small.shape))

    def settle(self, cells: Mask) -> None:
        """Take these cells as they are now for settled."""
        if self._before is None or self._settled is None or self._known is None or self._under is None:
            return
        now = self._before.astype(np.float32)
        cv2.copyTo(now, spread(cells, now.shape), self._settled)
        self._bytes = None
        self._known |= cells

    def empty(self, cells: Mask) -> None:
        """No piece lies on these cells: remember the table there."""
        if self._before is not None and self._under is not None and cells.any():
            cv2.copyTo(self._before.astype(np.float32), spread(cells, self._before.shape), self._under)
            self._seen_empty |= cells
            self._bare = None

    def disturb(self, cells: Mask | None = None) -> None:
        """Forget that these cells (all) had settled: they count as changed until they are settled again."""
        if self._known is not None:
            self._known &= ~cells if cells is not None else False

    def bare(self) -> NDArray[np.uint8]:
        """Small pixels (0/255) of the present frame that look like the bare table that was once seen there."""
        assert self._before is not None and self._under is not None
        if self._bare is None:
            grid = self._seen_empty.shape
            under = np.asarray(cv2.convertScaleAbs(self._under), np.uint8)
            gain = light.gain(light.means(self._before, grid), light.means(under, grid), self._seen_empty)
            same = cv2.bitwise_not(light.differing(self._before, light.scaled(under, gain)))
            self._bare = np.asarray(cv2.bitwise_and(same, spread(self._seen_empty, self._before.shape)), np.uint8)
        return self._bare

    def bare_again(self, cells: Mask) -> float:
        """How much of these cells looks like the bare table that was once seen there (0 to 1)."""
        if self._before is None or self._under is None or not cells.any():
            return 0.0
        shares = cells_of(self.bare(), (cells.shape[0], cells.shape[1]))
        return float((shares >= 1 - BUSY)[cells].mean())

    def has_come(self, cells: Mask) -> bool:
        """Whether most of these cells were seen empty once and do not look like it any more."""
        return bool(cells.any()) and self._seen_empty[cells].mean() > 0.5 and self.bare_again(cells) < 0.5

    def portrait(self, quad: NDArray[np.float64]) -> Portrait:
        """What a quad (4 x 2 small pixels) of the present frame looks like."""
        assert self._before is not None
        return portrait(self._before, quad)

    def ghost(self, blob: NDArray[np.uint8]) -> bool:
        """Whether a blob (0/255, small pixels) is the place of something that *left*: its outline is an edge of
        the settled picture and none of the present one."""
        if self._before is None or self._settled is None:
            return False
        ring = cv2.morphologyEx(blob, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)) > 0
        ring[:2], ring[-2:], ring[:, :2], ring[:, -2:] = False, False, False, False
        if not ring.any():
            return False
        x, y, wide, tall = cv2.boundingRect(ring.astype(np.uint8))
        part = np.s_[max(0, y - 1) : y + tall + 1, max(0, x - 1) : x + wide + 1]  # an edge is seen from its neighbours
        now = _edges(self._before[part])[ring[part]].mean()
        then = _edges(np.clip(self._settled[part], 0, 255).astype(np.uint8))[ring[part]].mean()
        return bool(now < 0.6 * then)


def _edges(small: Image) -> Floats:
    """Strength of edges, the strongest of the channels: a red hand on brown wood has none in grey."""
    across = cv2.Sobel(small, cv2.CV_32F, 1, 0, ksize=3)
    down = cv2.Sobel(small, cv2.CV_32F, 0, 1, ksize=3)
    return np.asarray(light.strongest(np.hypot(across, down)), np.float32)


def _grown(cells: Mask) -> Mask:
    """The cells and their neighbours."""
    return cv2.dilate(cells.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0


def spread(cells: Mask, shape: tuple[int, ...]) -> NDArray[np.uint8]:
    """A mask of cells as a mask of small pixels (0/255)."""
    mask = cv2.resize(cells.astype(np.uint8), (shape[1], shape[0]), interpolation=cv2.INTER_NEAREST)
    return np.asarray(mask, np.uint8) * np.uint8(255)
