"""Hands with fingers, forearm and sleeve: soft bodies over the table that throw soft shadows."""

from __future__ import annotations

import math
from functools import lru_cache

import cv2
import numpy as np

from hardware.simulated.layers import Layer, Rect, around, bands, cut, grow, smear, travel_px
from hardware.simulated.lens import Affine, Floats, Lens, into, then, turn_matrix
from hardware.simulated.light import Lamp, Light
from hardware.simulated.poses import HandPose
from hardware.simulated.shapes import cover
from hardware.simulated.warp import affine, enlarge, sample, thrice

_TEXELS = 1.0
_VEIL_MM = 10.0
_WIDTH, _LENGTH, _AHEAD = 190.0, 560.0, 40.0
"""A sprite's extent in mm: across, along, and how far it reaches beyond the finger tips."""


class _Sprite:
    """A hand drawn once, finger tips at the origin, forearm towards +y: distance, skin and cloth, slopes."""

    def __init__(self, pose: HandPose) -> None:
        rng = np.random.default_rng(pose.look)
        columns, rows = int(_WIDTH * _TEXELS), int(_LENGTH * _TEXELS)
        x = (np.arange(columns, dtype=np.float32) + 0.5) / _TEXELS - _WIDTH / 2
        y = (np.arange(rows, dtype=np.float32) + 0.5) / _TEXELS - _AHEAD
        px, py = np.meshgrid(x / np.float32(pose.size), y / np.float32(pose.size))
        if pose.left:
            px = -px
        bones = _bones(pose.kind, rng)
        front = slice(0, int((_AHEAD + 200 * pose.size) * _TEXELS))  # beyond there is only the forearm
        fx, fy = px[front], py[front]
        height, distance = _pile([_capsule(px, py, (12, 150, 14, 700, 27, 36))])
        hand_height, hand = _pile([_capsule(fx, fy, bone) for bone in bones])
        np.maximum(height[front], hand_height, out=height[front])
        np.minimum(distance[front], hand, out=distance[front])
        cuff = float(rng.uniform(165, 250))
        cloth = _capsule(px, py, (12, cuff, 16, 700, float(rng.uniform(36, 44)), float(rng.uniform(48, 62))))
        cloth[py < cuff] = 60
        sleeve_height, sleeve = _pile([cloth])
        is_cloth = (sleeve < 0) & (py >= cuff)
        both = np.where(is_cloth, np.maximum(height, sleeve_height), height)
        self.distance = np.minimum(distance, sleeve).astype(np.float32) * np.float32(pose.size)
        soft = cv2.GaussianBlur(both, (0, 0), 1.6)
        gy, gx = np.gradient(soft)
        grain = rng.normal(0, 1, (rows // 3 + 2, columns // 3 + 2)).astype(np.float32)
        mottle = cv2.resize(grain, (columns, rows), interpolation=cv2.INTER_CUBIC) * 0.03
        tone = np.array(pose.skin[::-1], np.float32)
        red = np.array([0.92, 0.94, 1.08], np.float32)
        skin_colour = tone * (1 + mottle[..., None])
        joints = np.zeros_like(px)
        for bone in bones:
            joints[front] += np.exp(-((fx - bone[0]) ** 2 + (fy - bone[1]) ** 2) / np.float32(60))
        skin_colour = skin_colour * (1 + np.clip(joints, 0, 1)[..., None] * (red - 1))
        dye = np.array(pose.sleeve[::-1], np.float32)
        weave = 1 + 0.08 * np.sin(py * 1.9 + px * 0.3) * (pose.look % 2)
        if pose.look % 3 == 1:
            weave = weave * np.where((py % 22) < 9, 0.55, 1)
        folds = 1 + 0.10 * np.sin(py / 9 + 2 * np.sin(px / 17))
        albedo = np.where(is_cloth[..., None], dye * (weave * folds)[..., None], skin_colour)
        edge = is_cloth & (py < cuff + 5)
        albedo[edge] *= 0.6
        self.albedo = np.clip(albedo, 0.01, 0.9).astype(np.float32)
        self.slope = np.stack([gx, gy], -1).astype(np.float32)
        self.veil = cover(self.distance, _VEIL_MM)


def draw(lens: Lens, light: Light, pose: HandPose, level: int) -> tuple[Layer, ...]:
    """The layers of one hand and its shadow, in bands; none when out of the picture."""
    sprite = _sprite(
        HandPose(0, 0, 0, pose.kind, pose.skin, pose.sleeve, round(pose.size, 2), pose.left, look=pose.look)
    )
    turn, high = pose.from_deg - 90, pose.height_mm
    frame = np.array([[-0.5, 0.0], [0.5, 0.0], [0.5, 1.0], [-0.5, 1.0]]) * (_WIDTH, _LENGTH) - (0, _AHEAD)
    flat = frame @ turn_matrix(turn).T + (pose.x_mm, pose.y_mm)
    points = lens.project(np.vstack([np.hstack([flat, np.full((4, 1), z)]) for z in (0.0, high)]))
    rect = around(points, 4 + travel_px(pose.moving, lens), lens.size)
    if rect is None:
        return ()
    texel = then(into(pose.x_mm, pose.y_mm, turn), np.array([[1, 0, _WIDTH / 2], [0, 1, _AHEAD]]) * _TEXELS)
    texel[:, 2] -= 0.5
    hand = _Hand(sprite, pose, lens, light, then(lens.at_height(high), texel), texel)
    return tuple(hand.layer(part, level) for part in hand.parts(rect))


class _Hand:
    """A sprite in its place: ``to_skin`` leads from ``ground`` to its texels as seen, ``texel`` from the table."""

    def __init__(
        self, sprite: _Sprite, pose: HandPose, lens: Lens, light: Light, to_skin: Affine, texel: Affine
    ) -> None:  # fmt: skip
        self.sprite, self.pose, self.lens, self.light, self.to_skin = sprite, pose, lens, light, to_skin
        self.shares = light.shares(pose.x_mm, pose.y_mm)
        self.shadows = [then(lens.toward(lamp.place, 0.0, pose.height_mm), texel) for lamp in light.lamps]
        self.moves = travel_px(pose.moving, lens) >= 1
        self.pixel = 1 / lens.scale(pose.x_mm, pose.y_mm, pose.height_mm)

    def parts(self, rect: Rect) -> list[Rect]:
        """Where in a rectangle there is anything of it, band by band."""
        ground = np.ascontiguousarray(self.lens.half[::4, ::4])
        touched = sample(self.sprite.distance, affine(ground, self.to_skin), 60.0) < _VEIL_MM / 2 + 6
        for lamp, shadow in zip(self.light.lamps, self.shadows, strict=True):
            touched |= sample(self.sprite.distance, affine(ground, shadow), 60.0) < self._soft(lamp) / 2 + 6
        slack = 8 + math.ceil(travel_px(self.pose.moving, self.lens) / 16) * 8
        found = []
        for left, top, right, bottom in bands([rect], self.lens.size):
            rows = touched[max(0, (top - slack) // 8) : (bottom + slack) // 8 + 1]
            columns = np.flatnonzero(rows.any(0)) * 8
            if columns.size:
                start = max(left, int(columns[0]) - slack) // 2 * 2
                end = min(right, int(columns[-1]) + slack + 8)
                if start < end:
                    found.append((start, top, end, bottom))
        return found

    def layer(self, rect: Rect, level: int) -> Layer:
        """The part of it in one rectangle (left and top even)."""
        if self.moves:  # drawn with what is around it, so that the streak runs on
            margin = 2 * math.ceil(travel_px(self.pose.moving, self.lens) / 4) + 4
            wide = grow(rect, margin, self.lens.size)
            both = self._streak(wide)
            inner = (rect[0] - wide[0], rect[1] - wide[1], rect[2] - wide[0], rect[3] - wide[1])
            both = np.ascontiguousarray(cut(both, inner))
            alpha, colour = both[..., 3], np.ascontiguousarray(both[..., :3])
        else:
            distance = sample(self.sprite.distance, affine(cut(self.lens.ground, rect), self.to_skin), 60.0)
            alpha = cover(distance, 1.6 * self.pixel)
            skin = enlarge(self._skin(rect), (rect[2] - rect[0], rect[3] - rect[1]))
            colour = skin * alpha[..., None]
        return Layer(rect, level, self._shade(rect), thrice(1 - alpha), colour)

    def _streak(self, rect: Rect) -> Floats:
        """Colour and cover (H x W x 4) with motion blur."""
        distance = sample(self.sprite.distance, affine(_half(self.lens.half, rect), self.to_skin), 60.0)
        alpha = cover(distance, 3.0 * self.pixel)
        both = np.asarray(cv2.merge([*cv2.split(self._skin(rect) * alpha[..., None]), alpha]), np.float32)
        way = (self.pose.moving[0] / 2, self.pose.moving[1] / 2)
        both = smear(both, way, self.lens, self.pose.x_mm, self.pose.y_mm)
        return enlarge(both, (rect[2] - rect[0], rect[3] - rect[1]))

    def _skin(self, rect: Rect) -> Floats:
        """Lit skin and cloth, every second pixel."""
        seen = affine(_half(self.lens.half, rect), self.to_skin)
        turn = self.pose.from_deg - 90
        bright = _bright(self.sprite, seen, self.pose, turn, self.light, self.shares)
        return np.asarray(sample(self.sprite.albedo, seen) * bright * _half(self.light.half, rect), np.float32)

    def _shade(self, rect: Rect) -> Floats:
        """What it leaves of the light below it (H x W x 3): soft shadows, and dusk close around it."""
        ground = _half(self.lens.half, rect)
        shade = thrice(1 - 0.35 * sample(self.sprite.veil, affine(ground, self.to_skin), 0.0))
        for lamp, shadow, share in zip(self.light.lamps, self.shadows, self.shares, strict=True):
            dark = cover(sample(self.sprite.distance, affine(ground, shadow), 60.0), self._soft(lamp))
            shade *= 1 - dark[..., None] * share
        return enlarge(shade, (rect[2] - rect[0], rect[3] - rect[1]))

    def _soft(self, lamp: Lamp) -> float:
        return max(6.0, 2 * lamp.radius_mm / lamp.place[2] * self.pose.height_mm)


def _half(image: Floats, rect: Rect) -> Floats:
    """Every second pixel of a rectangle, from an array that holds only those."""
    return image[rect[1] // 2 : (rect[3] + 1) // 2, rect[0] // 2 : (rect[2] + 1) // 2]


def _bright(sprite: _Sprite, seen: Floats, pose: HandPose, turn: float, light: Light, shares: list[Floats]) -> Floats:
    """How much of the light each place of the skin sends back, by its slope towards each lamp (H x W x 3)."""
    slope = sample(sprite.slope, seen)
    back = turn_matrix(turn).astype(np.float32)
    nx, ny = -(slope @ back[0]), -(slope @ back[1])
    upright = 1 / np.sqrt(1 + nx * nx + ny * ny)
    bright = (0.55 + 0.45 * upright)[..., None] * (1 - sum(shares, np.zeros(3, np.float32)))
    for lamp, share in zip(light.lamps, shares, strict=True):
        to = np.array([lamp.place[0] - pose.x_mm, lamp.place[1] - pose.y_mm, lamp.place[2]])
        to = (to / np.linalg.norm(to)).astype(np.float32)
        facing = np.clip((nx * to[0] + ny * to[1] + to[2]) * upright, 0, 1)
        bright += (facing / to[2])[..., None] * share
    return np.asarray(bright, np.float32)


@lru_cache(maxsize=48)
def _sprite(pose: HandPose) -> _Sprite:
    return _Sprite(pose)


Bone = tuple[float, float, float, float, float, float]
"""From (x, y) to (x, y) with the radius at each end, mm."""


def _bones(kind: str, rng: np.random.Generator) -> list[Bone]:
    """Fingers, thumb and palm as tapered capsules."""
    spread = float(rng.uniform(0.8, 1.2))
    tips: list[tuple[float, float]]
    knuckles: list[tuple[float, float]]
    if kind == "flat":
        tips = [(-30, 18), (-11, 2), (9, 0), (28, 12)]
        knuckles = [(-24, 72), (-8, 64), (9, 64), (25, 72)]
        thumb: list[Bone] = [(-62 * spread, 92, -46, 116, 9, 11), (-46, 116, -18, 146, 11, 14)]
    elif kind == "point":
        tips = [(-16, 0), (2, 58), (16, 62), (28, 70)]
        knuckles = [(-16, 66), (2, 72), (16, 76), (28, 82)]
        thumb = [(-30, 74, -36, 104, 9, 11), (-36, 104, -12, 140, 11, 14)]
    elif kind == "fist":
        tips = [(-26, 22), (-9, 12), (9, 12), (26, 20)]
        knuckles = [(-24, 52), (-8, 48), (8, 48), (24, 54)]
        thumb = [(-8, 26, -36, 40, 9, 10), (-36, 40, -22, 92, 10, 14)]
    else:  # pinch: thumb and first finger meet at the origin
        tips = [(-3, -2), (10, 2), (22, 12), (33, 30)]
        knuckles = [(-4, 62), (12, 62), (26, 68), (36, 78)]
        thumb = [(-9, 4, -34, 44, 8.5, 10), (-34, 44, -16, 98, 10, 15)]
    radii = [7.6, 8.2, 8.0, 6.8]
    bones: list[Bone] = []
    for (tx, ty), (kx, ky), r in zip(tips, knuckles, radii, strict=True):
        ax, bx = tx * spread, kx * (0.9 + 0.1 * spread)
        mx, my = (ax + bx) / 2 + 1.5, (ty + ky) / 2
        bones += [(ax, ty, mx, my, r * 0.92, r * 1.04), (mx, my, bx, ky, r, r * 1.15)]
    palm_y = max(k[1] for k in knuckles)
    bones += thumb
    bones += [(kx, ky, 6 + (kx - 6) * 0.55, palm_y + 62, 10.5, 14) for kx, ky in knuckles]
    bones += [(-4, palm_y + 50, 10, 170, 20, 26), (14, palm_y + 50, 12, 170, 20, 26)]
    return bones


def _capsule(px: Floats, py: Floats, bone: Bone) -> Floats:
    """Distance to a tapered capsule, its radius in the last place (H x W x 2)."""
    ax, ay, bx, by, ra, rb = bone
    dx, dy = bx - ax, by - ay
    length2 = dx * dx + dy * dy
    t = np.clip(((px - ax) * dx + (py - ay) * dy) / length2, 0, 1)
    radius = ra + (rb - ra) * t
    away = np.sqrt((px - ax - t * dx) ** 2 + (py - ay - t * dy) ** 2)
    return np.stack([away - radius, radius], -1).astype(np.float32)


def _pile(parts: list[Floats]) -> tuple[Floats, Floats]:
    """Height of the uppermost surface and distance to the outline."""
    height = np.zeros(parts[0].shape[:2], np.float32)
    distance = np.full(parts[0].shape[:2], 1e3, np.float32)
    for part in parts:
        d, r = part[..., 0], part[..., 1]
        bump = np.sqrt(np.clip(r * r - np.clip(d + r, 0, None) ** 2, 0, None)) + 0.4 * r
        np.maximum(height, bump * (d < 0), out=height)
        np.minimum(distance, d, out=distance)
    return height, distance
