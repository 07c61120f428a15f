"""A card held askew: lifted at one edge, as when it is turned over. Seen through the homography of its own plane."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.simulated.faces import Body
from hardware.simulated.layers import Layer, around, cut, smear, travel_px
from hardware.simulated.lens import Floats, Lens, turn_matrix
from hardware.simulated.light import Light
from hardware.simulated.poses import PiecePose
from hardware.simulated.shapes import cover, rectangle
from hardware.simulated.warp import sample, thrice

Points = NDArray[np.float64]


def corners(pose: PiecePose, width: float, height: float, bottom: float) -> Points:
    """The corners (4 x 3 world points) of a tilted piece, top-left first; the lower of its edges is ``bottom`` high."""
    a = math.radians(pose.tilt_deg)
    local = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (width / 2, height / 2)
    flat = local * (1, math.cos(a)) @ turn_matrix(pose.turn_deg).T + (pose.x_mm, pose.y_mm)
    return np.hstack([flat, (bottom + abs(math.sin(a)) * height / 2 - math.sin(a) * local[:, 1])[:, None]])


def draw(
    lens: Lens, light: Light, body: Body, pose: PiecePose, *, bottom: float, level: int
) -> tuple[Layer, ...]:  # fmt: skip
    """The layer of a tilted piece without holes; none when out of the picture. Its shadow falls on the table."""
    own = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (body.width / 2, body.height / 2)
    placed = corners(pose, body.width, body.height, bottom)
    low = max(0.0, bottom - pose.lift_mm)
    shadows = [_falls(np.array(lamp.place), placed, low) for lamp in light.lamps]
    points = np.vstack([placed, *(np.hstack([s, np.full((4, 1), low)]) for s in shadows)])
    soft = [max(1.0, 2 * lamp.radius_mm / lamp.place[2] * float(placed[:, 2].mean() - low)) for lamp in light.lamps]
    margin = 4 + travel_px(pose.moving, lens) / 2 + max(soft) * lens.scale(0, 0)
    rect = around(lens.project(points), margin, lens.size)
    if rect is None:
        return ()
    ground = cut(lens.ground, rect)
    centre = np.array(lens.centre)
    at = _onto(ground, _falls(centre, placed, 0.0), own)
    distance = rectangle(at, body.width, body.height, body.corner)
    # How many of the card's millimetres a pixel spans across the tilt: an edge is one pixel wide there too.
    pixel = 1 / lens.scale(pose.x_mm, pose.y_mm, float(placed[:, 2].mean())) / math.sqrt(math.cos(_angle(pose)))
    present = cover(distance, pixel)
    texels = body.texture.shape[1] / body.width
    places = at * np.float32(texels)
    places += (np.array(body.texture.shape[1::-1], np.float32) - 1) / 2
    facing = light.shares(pose.x_mm, pose.y_mm)
    normal = _normal(placed)
    bright = 1 - sum(facing, np.zeros(3, np.float32))
    for lamp, share in zip(light.lamps, facing, strict=True):
        to = np.array(lamp.place) - placed.mean(0)
        to /= np.linalg.norm(to)
        bright = bright + np.float32(max(0.0, float(normal @ to)) / to[2]) * share
    colour = sample(body.texture, places) * present[..., None] * cut(light.field, rect) * bright
    left = np.ones((*present.shape, 3), np.float32)
    for shadow, share, wide in zip(shadows, facing, soft, strict=True):
        base = _onto(ground, _seen(centre, shadow, low), own)
        left *= 1 - cover(rectangle(base, body.width, body.height, body.corner), wide)[..., None] * share
    colour = np.asarray(colour, np.float32)
    if travel_px(pose.moving, lens) >= 1:
        colour, present = (smear(a, pose.moving, lens, pose.x_mm, pose.y_mm) for a in (colour, present))
    return (Layer(rect, level, left, thrice(1 - present), colour),)


def _angle(pose: PiecePose) -> float:
    return min(abs(math.radians(pose.tilt_deg)), 1.5)


def _normal(placed: Points) -> Points:
    """The upward normal of four corners."""
    across = np.cross(placed[1] - placed[0], placed[3] - placed[0])
    across /= np.linalg.norm(across)
    return np.asarray(across if across[2] >= 0 else -across)


def _falls(source: Points, points: Points, z: float) -> Points:
    """Where rays from a source above through the points meet the plane at height ``z`` (N x 2)."""
    share = (source[2] - z) / (source[2] - points[:, 2:])
    return np.asarray(source[:2] + (points[:, :2] - source[:2]) * share)


def _seen(centre: Points, points: Points, z: float) -> Points:
    """The points of the table's plane that lie behind points (N x 2) of the plane at height ``z``."""
    return _falls(centre, np.hstack([points, np.full((len(points), 1), z)]), 0.0)


def _onto(ground: Floats, outline: Points, own: Points) -> Floats:
    """Points of the table's plane (H x W x 2) in the piece's own millimetres."""
    matrix = cv2.getPerspectiveTransform(outline.astype(np.float32), own.astype(np.float32))
    return np.asarray(cv2.perspectiveTransform(np.ascontiguousarray(ground), matrix), np.float32)
