"""Outlines of what has come to the table, from the difference to the empty table.

On a patterned cloth edges say little, but the cloth is there before the cards are: what differs from it is a card.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.world import Image
from vision import light
from vision.motion import spread
from vision.regions import Box

FILLS = 0.86
"""Share of its upright-or-turned rectangle that a card's outline fills at least."""

STEP = 0.12
"""Difference of colour across the edge of a piece, at least, as a share of the brightness there."""

Corners = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Arrivals:
    """What has come to a part of the table. ``quads`` are 4 x 2 frame pixels, clockwise; ``left`` is how much of what
    differs no quad covers, in pieces; ``known`` False where the empty table was not seen everywhere."""

    quads: tuple[Corners, ...]
    left: float
    known: bool


class EmptyTable:
    """The table without pieces, in half size, as far as it has been seen."""

    def __init__(self) -> None:
        self._picture: Image | None = None
        self._seen: NDArray[np.bool_] | None = None
        self._halved: tuple[Image, Image] | None = None

    def take(self, image: Image, cells: NDArray[np.bool_]) -> None:
        """Nothing lies on these cells of a frame."""
        half = self._half(image)
        if self._picture is None or self._seen is None or self._picture.shape != half.shape:
            self._picture, self._seen = half.copy(), cells.copy()
            return
        self._seen |= cells
        cv2.copyTo(half, spread(cells, half.shape), self._picture)

    def arrivals(self, image: Image, box: Box, side: float) -> Arrivals:
        """What has come to ``box``; ``side`` is the usual side of a piece in pixels."""
        half = self._half(image)
        if self._picture is None or self._seen is None or self._picture.shape != half.shape:
            return Arrivals((), 0.0, False)
        left, top, right, bottom = box[0] // 2, box[1] // 2, -(-box[2] // 2), -(-box[3] // 2)
        part = np.s_[top:bottom, left:right]
        mask = differing(half[part], self._picture[part])
        seen = spread(self._seen, half.shape)[part]
        known = bool(seen.size) and cv2.countNonZero(seen) > 0.98 * seen.size
        mask = np.asarray(cv2.bitwise_and(mask, seen), np.uint8)
        found, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        quads: list[Corners] = []
        for contour in found:
            quad = _quad(np.asarray(contour, np.int32), side / 2)
            if quad is not None:
                quads.append((quad + (left, top) + 0.5) * 2 - 0.5)
                middle = quad.mean(axis=0)
                cv2.fillConvexPoly(mask, np.round(middle + (quad - middle) * 1.12).astype(np.int32), 0)
        return Arrivals(tuple(quads), 4 * cv2.countNonZero(mask) / max(side * side, 1.0), known)

    def _half(self, image: Image) -> Image:
        """A frame in half size; asked for several times a frame."""
        if self._halved is None or self._halved[0] is not image:
            half = cv2.resize(image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
            self._halved = image, np.asarray(half, np.uint8)
        return self._halved[1]


def differing(now: Image, then: Image) -> NDArray[np.uint8]:
    """Where two pictures differ (0/255), after the light between them has been made equal and specks removed."""
    # Colours before pixels: numpy is slow at reducing short axes.
    a, b = (picture[::10, ::10].reshape(-1, 3).T.astype(np.float32, order="C") for picture in (now, then))
    usable = (np.minimum(a, b).min(axis=0) > 18) & (np.maximum(a, b).max(axis=0) < light.CLIPPED)
    gains = _mode(a[:, usable] / b[:, usable]) if np.count_nonzero(usable) > 60 else np.ones(3, np.float32)
    mask = cv2.medianBlur(light.differing(now, light.scaled(then, gains)), 5)
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8)), np.uint8)


def framed(image: Image, quad: Corners) -> bool:
    """Whether three sides of a quad (frame pixels) at least are edges of something: means along each side, within and
    without, so that the table's own pattern counts for little."""
    middle = quad.mean(axis=0)
    along = (np.arange(40) + 0.5)[:, None] / 40 * 0.8 + 0.1
    edges = 0
    for a, b in zip(quad, np.roll(quad, -1, axis=0), strict=True):
        points = a + (b - a) * along
        means = [_mean(image, middle + (points - middle) * factor) for factor in (0.76, 0.82, 0.88, 1.12, 1.18, 1.24)]
        step = np.abs(np.mean(means[:3], axis=0) - np.mean(means[3:], axis=0)).max()
        edges += bool(step > STEP * max(float(np.mean(means)), 1.0))
    return edges >= 3


def _mean(image: Image, points: Corners) -> NDArray[np.float64]:
    height, width = image.shape[:2]
    x, y = np.round(points).astype(int).T
    inside = (x >= 0) & (y >= 0) & (x < width) & (y < height)
    return np.asarray(image[y[inside], x[inside]].mean(axis=0) if inside.any() else np.zeros(3), np.float64)


def _mode(ratio: NDArray[np.float32]) -> NDArray[np.float32]:
    """The commonest gain of each channel (3 x n): what has not changed is the largest group that agrees."""
    gains = np.ones(3, np.float32)
    for channel, own in enumerate(ratio):
        # Bins of 1/40 from 0.6 on, one more at each end for what is out of the question.
        bins = np.minimum(np.maximum((own - np.float32(0.575)) * 40, 0), 41).astype(np.intp)
        counts = np.bincount(bins, minlength=42)[1:41]
        smooth = np.convolve(counts, (1, 2, 1), "same")
        near = own[np.abs(own - np.float32(0.6125 + int(smooth.argmax()) / 40)) < 0.05]
        gains[channel] = np.median(near) if len(near) else 1.0
    return gains


def _quad(contour: NDArray[np.int32], side: float) -> Corners | None:
    """The four corners of a contour about as large as a piece, if it is one."""
    area = cv2.contourArea(contour)
    if not 0.5 * side * side < area < 2.2 * side * side:
        return None
    hull = cv2.convexHull(contour)
    whole = cv2.contourArea(hull)
    box = cv2.minAreaRect(hull)
    if whole < FILLS * max(box[1][0] * box[1][1], 1.0):
        return None
    around = cv2.arcLength(hull, True)
    for tolerance in (0.03, 0.05, 0.08):
        simple = np.asarray(cv2.approxPolyDP(hull, tolerance * around, True), np.float64).reshape(-1, 2)
        if len(simple) == 4:
            return _clockwise(simple)
    return _clockwise(np.asarray(cv2.boxPoints(box), np.float64))


def _clockwise(quad: Corners) -> Corners:
    """The corners in clockwise order as displayed (y down)."""
    x, y = quad[:, 0], quad[:, 1]
    signed = float(x @ np.roll(y, -1) - y @ np.roll(x, -1))
    return quad if signed > 0 else quad[::-1].copy()
