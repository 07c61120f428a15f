"""Pictures of single things, laid over each other: first what they shade, then what they cover.

A layer knows a rectangle of the frame. Only rectangles in which something changed are put together again.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.simulated.lens import Floats, Lens

BAND = 96
Rect = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels, the last two exclusive."""


@dataclass(frozen=True)
class Layer:
    """``shade`` multiplies what lies below (H x W x 3), then ``keep`` of it stays and ``colour`` is added."""

    rect: Rect
    level: int
    shade: Floats | None
    keep: Floats
    colour: Floats


def around(points: NDArray[np.float64], margin: float, size: tuple[int, int]) -> Rect | None:
    """The rectangle of the frame that holds the points and a margin; None when it lies outside."""
    low, high = points.min(0) - margin, points.max(0) + margin
    rect = (
        max(0, math.floor(low[0])),
        max(0, math.floor(low[1])),
        min(size[0], math.ceil(high[0]) + 1),
        min(size[1], math.ceil(high[1]) + 1),
    )
    return rect if rect[2] - rect[0] > 1 and rect[3] - rect[1] > 1 else None


def meet(a: Rect, b: Rect) -> Rect | None:
    """Where two rectangles overlap."""
    rect = (max(a[0], b[0]), max(a[1], b[1]), min(a[2], b[2]), min(a[3], b[3]))
    return rect if rect[0] < rect[2] and rect[1] < rect[3] else None


def join(a: Rect, b: Rect) -> Rect:
    """The rectangle around both."""
    return min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3])


def grow(rect: Rect, by: int, size: tuple[int, int]) -> Rect:
    """The rectangle with a margin, within the frame."""
    return max(0, rect[0] - by), max(0, rect[1] - by), min(size[0], rect[2] + by), min(size[1], rect[3] + by)


def cut(image: Floats, rect: Rect) -> Floats:
    """The part of a frame-sized array within a rectangle."""
    return image[rect[1] : rect[3], rect[0] : rect[2]]


def bands(rects: Iterable[Rect], size: tuple[int, int]) -> list[Rect]:
    """The rectangles as pieces of the frame's fixed bands, ``BAND`` rows each, that do not overlap."""
    found: list[Rect] = []
    all_of_them = list(rects)
    for top in range(0, size[1], BAND):
        bottom = min(top + BAND, size[1])
        spans = sorted((r[0], r[2]) for r in all_of_them if r[1] < bottom and r[3] > top)
        start: int | None = None
        end = 0
        for left, right in spans:
            if start is None:
                start, end = left, right
            elif left > end:
                found.append((start, top, end, bottom))
                start, end = left, right
            else:
                end = max(end, right)
        if start is not None:
            found.append((start, top, end, bottom))
    return found


class Desk:
    """Where layers are laid over each other: one small piece of the frame at a time, always in the same memory."""

    def __init__(self, size: tuple[int, int], margin: int) -> None:
        shape = (BAND + 2 * margin, size[0], 3)
        self._light, self._spare = np.empty(shape, np.float32), np.empty(shape, np.float32)

    def compose(self, table: Floats, layers: Iterable[Layer], rect: Rect) -> Floats:
        """The light in a piece of the frame: the lit table and all layers, level by level. Good until next time."""
        width, height = rect[2] - rect[0], rect[3] - rect[1]
        out = self._light[:height, :width]
        np.copyto(out, cut(table, rect))
        by_level: dict[int, list[tuple[Layer, Rect]]] = {}
        for layer in layers:
            common = meet(layer.rect, rect)
            if common is not None:
                by_level.setdefault(layer.level, []).append((layer, common))
        for level in sorted(by_level):
            for layer, common in by_level[level]:
                if layer.shade is not None:
                    target = _inside(out, rect, common)
                    target *= _inside(layer.shade, layer.rect, common)
            for layer, common in by_level[level]:
                target = _inside(out, rect, common)
                target *= _inside(layer.keep, layer.rect, common)
                target += _inside(layer.colour, layer.rect, common)
        return out

    def blur(self, light: Floats, sigma: float) -> Floats:
        """A composed piece out of focus. Good until next time."""
        out = self._spare[: light.shape[0], : light.shape[1]]
        return np.asarray(cv2.GaussianBlur(light, (0, 0), sigma, dst=out, borderType=cv2.BORDER_REPLICATE), np.float32)


def smear(image: Floats, moving: tuple[float, float], lens: Lens, x: float, y: float) -> Floats:
    """Motion blur: what travels ``moving`` mm during the exposure leaves a streak."""
    ends = lens.project(np.array([[x, y, 0.0], [x + moving[0], y + moving[1], 0.0]]))
    step = ends[1] - ends[0]
    length = float(np.hypot(*step))
    if length < 1:
        return image
    half = math.ceil(length / 2) + 1
    kernel = np.zeros((2 * half + 1, 2 * half + 1), np.float32)
    middle = np.array([half, half], float)
    start, end = (middle - step / 2) * 16, (middle + step / 2) * 16
    cv2.line(kernel, start.round().astype(int).tolist(), end.round().astype(int).tolist(), 1.0, 1, cv2.LINE_AA, 4)
    return np.asarray(cv2.filter2D(image, -1, kernel / kernel.sum(), borderType=cv2.BORDER_REPLICATE), np.float32)


def travel_px(moving: tuple[float, float], lens: Lens) -> float:
    """About how many pixels a thing travels during the exposure."""
    return math.hypot(*moving) * lens.scale(0, 0)


def _inside(out: Floats, rect: Rect, part: Rect) -> Floats:
    return out[part[1] - rect[1] : part[3] - rect[1], part[0] - rect[0] : part[2] - rect[0]]
