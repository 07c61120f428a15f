"""Find the outlines of everything card-shaped in a picture.

Several cues vote (edges of each colour channel at two strengths, a local threshold, straight lines that make
rectangles), because each fails on some table: closed outlines on patterned cloth or where pieces touch, thresholds
under a lamp. Whatever they suggest is fitted to the picture's edges and kept if enough of its border is one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.world import Image
from vision.contours import Cues, collect, sized
from vision.edges import refine
from vision.geometry import Array, area, is_convex, shared_of_smaller, sides
from vision.lines import rectangles, segments, square_corners

WORK = 640
"""Long side, in pixels, of the picture in which outlines are looked for."""
BRIGHT = 200.0
"""Where the bright parts of a dark picture are brought."""
SUPPORT = 0.3
"""Least share of the border that must show an edge."""
MOST = 300
"""Outlines that are reported."""
MOST_CORNERS = 120
"""Corners that are completed to a piece's size."""
MOST_LINED = 140
"""Rectangles suggested by lines alone that are looked at."""
SMALLEST = 24.0
"""Shortest side of a piece there; smaller ones cannot be read."""


@dataclass(frozen=True)
class Outline:
    """Something card-shaped: corners in pixels, clockwise as displayed, not yet in the order of a face.

    ``support`` is the share of the border where the picture has an edge. A round piece's corners are those of
    the square (seen in perspective: parallelogram) around it.
    """

    corners: Array
    support: float
    shape: Literal["rectangle", "round"] = "rectangle"


@dataclass(frozen=True)
class Found:
    """What ``find`` saw: the outlines, best supported first, and what is needed to look again."""

    outlines: list[Outline]
    small: Image
    shrink: float
    edges: NDArray[np.uint8]
    """Where the small picture has strong edges."""
    sizes: tuple[float, float]
    """Least and greatest short side, in pixels of the small picture."""
    aspects: tuple[float, ...]


def find_pieces(
    image: Image,
    *,
    aspects: tuple[float, ...] = (1.0,),
    round_too: bool = False,
    side_px: tuple[float, float] | None = None,
) -> list[Outline]:
    """Outlines of card-shaped things in ``image`` (BGR, any size), best supported first.

    ``aspects`` are the long-to-short side ratios of the pieces looked for, ``round_too`` looks for discs as well,
    ``side_px`` bounds the length of a short side if the scale is known.
    """
    found = find(image, aspects=aspects, round_too=round_too, side_px=side_px)
    return found.outlines + lined(found, lines_of(found), [outline.corners for outline in found.outlines])


def find(
    image: Image,
    *,
    aspects: tuple[float, ...] = (1.0,),
    round_too: bool = False,
    side_px: tuple[float, float] | None = None,
) -> Found:
    """The first look: closed outlines only. ``lined`` and ``complete`` look again where it left something."""
    if image.ndim != 3 or min(image.shape[:2]) < 2 * SMALLEST:
        return Found([], image, 1.0, np.zeros(image.shape[:2], np.uint8), (1.0, 1.0), aspects)
    shrink = min(1.0, WORK / max(image.shape[:2]))
    small = cv2.resize(image, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA) if shrink < 1 else image
    small = _brightened(np.asarray(cv2.GaussianBlur(small, (3, 3), 0), np.uint8))
    low, high = (SMALLEST, 0.95 * min(small.shape[:2]))
    if side_px is not None:
        low, high = max(low, side_px[0] * shrink), min(high, side_px[1] * shrink)
    cues = Cues()
    edges, masks = _masks(small)
    for mask in masks:
        collect(mask, cues, low, high, aspects, round_too)
    quads = _picked(sorted(cues.quads, key=area, reverse=True))
    found = _refined(small, quads, shrink)
    found += [Outline(_lifted(corners, shrink), 1.0, "round") for corners in _picked(cues.rounds)]
    found.sort(key=lambda outline: -outline.support)
    kept = _of_all_sizes([abs(area(outline.corners)) for outline in found], MOST)
    return Found([found[k] for k in kept], small, shrink, edges, (low, high), aspects)


def unexplained(found: Found, taken: list[Array]) -> float:
    """The share of the picture that is a strong edge not within (or next to) what is ``taken``."""
    left = found.edges.copy()
    for quad in taken:
        middle = quad.mean(axis=0)
        around = ((middle + (quad - middle) * 1.15 + 0.5) * found.shrink - 0.5).round().astype(np.int32)
        cv2.fillConvexPoly(left, around.reshape(-1, 1, 2), 0)
    return cv2.countNonZero(left) / max(left.size, 1)


def lines_of(found: Found) -> Array:
    """The straight lines of the small picture."""
    if min(found.small.shape[:2]) < 2:
        return np.zeros((0, 2, 2), np.float32)
    return segments(np.asarray(cv2.cvtColor(found.small, cv2.COLOR_BGR2GRAY), np.uint8), 0.6 * found.sizes[0])


def lined(found: Found, lines: Array, taken: list[Array]) -> list[Outline]:
    """Outlines that pairs of lines suggest where nothing ``taken`` lies: on patterned cloth, or where pieces touch."""
    low, high = found.sizes
    quads = [quad for quad in rectangles(lines) if sized(quad, low, high, found.aspects) and is_convex(quad)]
    quads = [quads[k] for k in _of_all_sizes([abs(area(quad)) for quad in quads], MOST_LINED)]
    outlines = _refined(found.small, _picked(quads), found.shrink)
    return [o for o in outlines if all(shared_of_smaller(o.corners, quad) < 0.6 for quad in taken)]


def complete(
    found: Found, lines: Array, shapes: Sequence[Callable[[Array], Array]], taken: list[Array]
) -> list[Outline]:
    """Outlines of known size at the square corners of lines, where nothing ``taken`` lies: pieces whose border is
    partly hidden, or broken by the pattern of a cloth.

    Each of ``shapes`` turns corners (n x 4 x 2, pixels, the corner first, then along a side) into outlines of a piece.
    """
    middle = np.array(found.small.shape[1::-1], np.float32) / 2 / found.shrink
    somewhere = (middle + np.array([[0, 0], [9, 0], [9, 9], [0, 9]], np.float32))[None]
    longest = max(float(sides(shape(somewhere)[0]).max()) for shape in shapes) * found.shrink if shapes else 0.0
    lengths = np.linalg.norm(lines[:, 1] - lines[:, 0], axis=1)
    corners = _lifted(square_corners(lines[lengths < 1.4 * longest]), found.shrink)
    for quad in taken:
        corners = corners[~_within(corners[:, 0], quad, 3.0)]
    corners = corners[:MOST_CORNERS]
    if not len(corners):
        return []
    quads = (np.concatenate([shape(corners) for shape in shapes]) + 0.5) * found.shrink - 0.5
    quads = quads[_distinct(quads, 0.05)].astype(np.float32)
    again = _refined(found.small, list(quads), found.shrink)
    return [o for o in again if all(shared_of_smaller(o.corners, quad) < 0.4 for quad in taken)]


def _within(points: Array, quad: Array, margin: float) -> NDArray[np.bool_]:
    """Which points lie in a clockwise convex quad, at least ``margin`` pixels from its sides."""
    along = np.roll(quad, -1, axis=0) - quad
    away = points[:, None] - quad[None]
    cross = along[None, :, 0] * away[..., 1] - along[None, :, 1] * away[..., 0]
    return np.asarray((cross > margin * np.linalg.norm(along, axis=1)).all(axis=1))


def _brightened(picture: Image) -> Image:
    """A dark picture as a camera with more light would have seen it, so that steps in it count the same."""
    bright = float(np.percentile(picture[::8, ::8], 98))
    if bright > BRIGHT:
        return picture
    return np.asarray(cv2.convertScaleAbs(picture, alpha=min(BRIGHT / max(bright, 1.0), 4.0)), np.uint8)


def _of_all_sizes(areas: list[float], most: int) -> list[int]:
    """Which to keep, earlier ones first, but no more than a quarter of one size: the checks of a cloth are many and
    all alike."""
    counts: dict[int, int] = {}
    kept: list[int] = []
    for k, size in enumerate(areas):
        group = round(math.log(max(size, 1.0)) / math.log(1.35))
        counts[group] = counts.get(group, 0) + 1
        if counts[group] <= most // 4 and len(kept) < most:
            kept.append(k)
    return kept


def _masks(small: Image) -> tuple[NDArray[np.uint8], list[NDArray[np.uint8]]]:
    """The strong edges, and the masks whose contours may be outlines."""
    gray = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8)
    strong, weak = np.zeros_like(gray), np.zeros_like(gray)
    for channel in cv2.split(small):
        dx, dy = cv2.Sobel(channel, cv2.CV_16S, 1, 0), cv2.Sobel(channel, cv2.CV_16S, 0, 1)
        strong |= np.asarray(cv2.Canny(dx, dy, 60, 150), np.uint8)
        weak |= np.asarray(cv2.Canny(dx, dy, 25, 70), np.uint8)
    mean = cv2.boxFilter(gray, -1, (51, 51), borderType=cv2.BORDER_REPLICATE)
    darker = (cv2.subtract(mean, gray) > 6).astype(np.uint8) * 255
    masks = [cv2.dilate(strong, np.ones((3, 3), np.uint8)), weak, darker]
    return strong, [np.asarray(mask, np.uint8) for mask in masks]


def _distinct(quads: Array, same: float = 0.07) -> list[int]:
    """Which quads to keep so that no two are nearly the same (corners within ``same`` of the side); earlier first."""
    apart = np.full((len(quads), len(quads)), np.inf, np.float32)
    values = np.ascontiguousarray(quads.reshape(-1, 8).T, np.float32)
    for turn in range(4):
        shifted = np.roll(values, -2 * turn, axis=0)
        farthest = np.zeros_like(apart)
        # Value by value: numpy is slow at reducing short axes.
        for one, other in zip(shifted, values, strict=True):
            np.maximum(farthest, np.abs(np.subtract.outer(one, other)), out=farthest)
        np.minimum(apart, farthest, out=apart)
    sizes = np.sqrt(np.abs([area(quad) for quad in quads]))
    alike = apart < 1.5 * same * sizes
    kept: list[int] = []
    for index in range(len(quads)):
        if not alike[kept, index].any():
            kept.append(index)
    return kept


def _picked(quads: list[Array], same: float = 0.07) -> list[Array]:
    return [quads[k] for k in _distinct(np.stack(quads), same)] if quads else []


def _lifted(corners: Array, shrink: float) -> Array:
    return ((corners + 0.5) / shrink - 0.5).astype(np.float32)


def _refined(small: Image, quads: list[Array], shrink: float) -> list[Outline]:
    if not quads:
        return []
    refined, supports = refine(small, np.stack(quads))
    middles = refined.mean(axis=1)
    inside = ((middles >= 0) & (middles < np.array(small.shape[1::-1]))).all(axis=1)
    order = [k for k in np.argsort(-supports) if supports[k] >= SUPPORT and inside[k] and is_convex(refined[k])]
    if not order:
        return []
    # Several cues see the same piece: one outline each, the best supported.
    kept = [order[k] for k in _distinct(refined[order], 0.03)]
    return [Outline(_lifted(refined[k], shrink), float(supports[k])) for k in kept]
