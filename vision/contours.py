"""Quads and discs of a piece's size among the contours of a mask."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Array, area, clockwise, is_convex


@dataclass
class Cues:
    """Outlines that masks suggest, as quads."""

    quads: list[Array] = field(default_factory=list)
    rounds: list[Array] = field(default_factory=list)


def collect(
    mask: NDArray[np.uint8], cues: Cues, low: float, high: float, aspects: tuple[float, ...], round_too: bool
) -> None:
    """Add to ``cues`` the outlines in a mask (0/255) with a short side from ``low`` to ``high`` pixels."""
    contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    for contour in contours:
        if len(contour) < 4:
            continue
        _x, _y, width, height = cv2.boundingRect(contour)
        if min(width, height) < 0.8 * low or max(width, height) > 6 * high:
            continue
        hull = np.asarray(cv2.convexHull(contour), np.int32)
        hull_area = cv2.contourArea(hull)
        if hull_area < 0.6 * low * low:
            continue
        if round_too and (disc := _disc(hull, hull_area)) is not None and sized(disc, low, high, (1.0,)):
            cues.rounds.append(disc)
        quad = _quad_of(hull, hull_area)
        if quad is not None and sized(quad, low, high, aspects):
            cues.quads.append(quad)


def _quad_of(hull: NDArray[np.int32], hull_area: float) -> Array | None:
    around = cv2.arcLength(hull, True)
    for tolerance in (0.03, 0.06):
        corners = cv2.approxPolyDP(hull, tolerance * around, True).reshape(-1, 2)
        if len(corners) == 4:
            quad = clockwise(corners.astype(np.float32))
            return quad if is_convex(quad) and area(quad) > 0.8 * hull_area else None
    box = cv2.minAreaRect(hull)
    if hull_area > 0.87 * max(box[1][0] * box[1][1], 1.0):
        return clockwise(cv2.boxPoints(box).astype(np.float32))
    return None


def _disc(hull: NDArray[np.int32], hull_area: float) -> Array | None:
    """The parallelogram around an ellipse, if the hull is one."""
    if len(hull) < 8:
        return None
    (x, y), (wide, tall), angle = cv2.fitEllipse(hull)
    fits = hull_area / max(np.pi * wide * tall / 4, 1.0)
    if not 0.94 < fits < 1.06 or min(wide, tall) < 0.5 * max(wide, tall):
        return None
    # A rectangle's hull also has an ellipse of nearly its area; its outline strays from it.
    points = hull.reshape(-1, 2).astype(np.float32) - np.array([x, y], np.float32)
    turn = np.deg2rad(angle)
    across = points @ np.array([np.cos(turn), np.sin(turn)]) / (wide / 2)
    along = points @ np.array([-np.sin(turn), np.cos(turn)]) / (tall / 2)
    if np.abs(np.hypot(across, along) - 1).max() > 0.08:
        return None
    return clockwise(cv2.boxPoints(((x, y), (wide, tall), angle)).astype(np.float32))


def sized(quad: Array, low: float, high: float, aspects: tuple[float, ...]) -> bool:
    """Whether a quad may be a piece of one of the aspects with a short side from ``low`` to ``high``."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = quad.tolist()
    top, right = math.hypot(bx - ax, by - ay), math.hypot(cx - bx, cy - by)
    bottom, left = math.hypot(dx - cx, dy - cy), math.hypot(ax - dx, ay - dy)
    if min(top, bottom) < 0.6 * max(top, bottom) or min(left, right) < 0.6 * max(left, right):
        return False
    short, long = sorted(((top + bottom) / 2, (left + right) / 2))
    if short < low or short > high:
        return False
    return any(aspect / 1.45 < long / short < aspect * 1.45 for aspect in aspects)
