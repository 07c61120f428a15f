"""Hands with fingers, forearm and sleeve: soft bodies over the table that throw soft shadows."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np

from hardware.simulated.layers import Layer, around, cut, smear, travel_px
from hardware.simulated.lens import Floats, Lens, into, then, turn_matrix
from hardware.simulated.light import Light
from hardware.simulated.poses import HandPose
from hardware.simulated.shapes import cover

_TEXELS = 1.0
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
        skin = [_capsule(px, py, *bone) for bone in _bones(pose.kind, rng)]
        arm = _capsule(px, py, 12, 150, 14, 700, 27, 36)
        cuff = float(rng.uniform(165, 250))
        cloth = _capsule(px, py, 12, cuff, 16, 700, float(rng.uniform(36, 44)), float(rng.uniform(48, 62)))
        cloth[py < cuff] = 60
        height, distance = _pile([*skin, arm])
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
        for bone in _bones(pose.kind, np.random.default_rng(pose.look)):
            joints += np.exp(-((px - bone[0]) ** 2 + (py - bone[1]) ** 2) / 60)
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
        self.veil = cover(self.distance, 10.0)


def draw(lens: Lens, light: Light, pose: HandPose, level: int) -> Layer | None:
    """The layer of one hand with its shadow; None when out of the picture."""
    sprite = _sprite(
        HandPose(0, 0, 0, pose.kind, pose.skin, pose.sleeve, round(pose.size, 2), pose.left, look=pose.look)
    )
    turn = pose.from_deg - 90
    frame = np.array(
        [[-_WIDTH / 2, -_AHEAD], [_WIDTH / 2, -_AHEAD], [_WIDTH / 2, _LENGTH - _AHEAD], [-_WIDTH / 2, _LENGTH - _AHEAD]]
    )
    flat = frame @ turn_matrix(turn).T + (pose.x_mm, pose.y_mm)
    high = pose.height_mm
    points = lens.project(np.vstack([np.hstack([flat, np.full((4, 1), z)]) for z in (0.0, high)]))
    rect = around(points, 20 + travel_px(pose.moving, lens), lens.size)
    if rect is None:
        return None
    ground = np.ascontiguousarray(cut(lens.ground, rect))
    place = into(pose.x_mm, pose.y_mm, turn)
    texel = np.array([[1, 0, _WIDTH / 2], [0, 1, _AHEAD]]) * _TEXELS - np.array([[0, 0, 0.5], [0, 0, 0.5]])
    seen = cv2.transform(ground, then(then(lens.at_height(high), place), texel))
    far = {"borderMode": cv2.BORDER_CONSTANT}
    distance = cv2.remap(sprite.distance, seen, None, cv2.INTER_LINEAR, borderValue=60.0, **far)
    pixel = 1 / lens.scale(pose.x_mm, pose.y_mm, high)
    alpha = cover(distance, 1.6 * pixel)
    albedo = cv2.remap(sprite.albedo, seen, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    slope = cv2.remap(sprite.slope, seen, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    back = turn_matrix(turn)
    nx, ny = -(slope @ back[0].astype(np.float32)), -(slope @ back[1].astype(np.float32))
    size = 1 / np.sqrt(1 + nx * nx + ny * ny)
    bright = np.full((*alpha.shape, 3), 0.0, np.float32)
    direct = np.zeros(3, np.float32)
    for lamp, share in zip(light.lamps, light.shares(pose.x_mm, pose.y_mm), strict=True):
        to = np.array([lamp.place[0] - pose.x_mm, lamp.place[1] - pose.y_mm, lamp.place[2]])
        to /= np.linalg.norm(to)
        facing = np.clip((nx * np.float32(to[0]) + ny * np.float32(to[1]) + np.float32(to[2])) * size, 0, 1)
        bright += (facing / np.float32(to[2]))[..., None] * share
        direct += share
    bright += (1 - direct) * (0.55 + 0.45 * size)[..., None]
    colour = albedo * bright * cut(light.field, rect) * alpha[..., None]
    shade = np.ones_like(colour)
    for lamp, share in zip(light.lamps, light.shares(pose.x_mm, pose.y_mm), strict=True):
        ray = lens.toward(lamp.place, 0.0, high)
        at = cv2.transform(ground, then(then(ray, place), texel))
        soft = max(6.0, 2 * lamp.radius_mm / lamp.place[2] * high)
        gap = cv2.remap(sprite.distance, at, None, cv2.INTER_LINEAR, borderValue=60.0, **far)
        shade *= 1 - cover(gap, soft)[..., None] * share
    under = cv2.remap(sprite.veil, seen, None, cv2.INTER_LINEAR, borderValue=0.0, **far)
    shade *= (1 - 0.35 * under)[..., None]
    keep = np.repeat((1 - alpha)[..., None], 3, axis=2)
    if travel_px(pose.moving, lens) >= 1:
        colour, keep = (smear(a, pose.moving, lens, pose.x_mm, pose.y_mm) for a in (colour, keep))
    return Layer(rect, level, shade, keep, np.asarray(colour, np.float32))


@lru_cache(maxsize=48)
def _sprite(pose: HandPose) -> _Sprite:
    return _Sprite(pose)


Bone = tuple[float, float, float, float, float, float]
"""From (x, y) to (x, y) with the radius at each end, mm."""


def _bones(kind: str, rng: np.random.Generator) -> list[Bone]:
    """Fingers, thumb and palm as tapered capsules."""
    spread = float(rng.uniform(0.8, 1.2))
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
        tx, kx = tx * spread, kx * (0.9 + 0.1 * spread)
        mx, my = (tx + kx) / 2 + 1.5, (ty + ky) / 2
        bones += [(tx, ty, mx, my, r * 0.92, r * 1.04), (mx, my, kx, ky, r, r * 1.15)]
    palm_y = max(k[1] for k in knuckles)
    bones += thumb
    bones += [(kx, ky, 6 + (kx - 6) * 0.55, palm_y + 62, 10.5, 14) for kx, ky in knuckles]
    bones += [(-4, palm_y + 50, 10, 170, 20, 26), (14, palm_y + 50, 12, 170, 20, 26)]
    return bones


def _capsule(px: Floats, py: Floats, ax: float, ay: float, bx: float, by: float, ra: float, rb: float) -> Floats:
    """Distance to a tapered capsule, its radius in the last place (H x W x 2)."""
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
