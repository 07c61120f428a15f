"""Draws one card or tile: its printed top, its edges, the walls of its holes, and the shadow it throws.

Everything is exact for the ray of each pixel: the outline at the height of the top, what shows of the side walls,
and through a hole that part of the plane below which neither rim hides. Shadows follow the ray from the plane
below to each lamp, so a hole's wall throws its crescent onto the card under it.
"""

from __future__ import annotations

import cv2
import numpy as np

from hardware.simulated.faces import Body
from hardware.simulated.layers import Layer, around, cut, smear, travel_px
from hardware.simulated.lens import Floats, Lens, outline
from hardware.simulated.light import Light
from hardware.simulated.poses import PiecePose
from hardware.simulated.shapes import cover, disc, rectangle

COAT = 0.9
"""How much a coated card mirrors of a lamp."""


def draw(lens: Lens, light: Light, body: Body, pose: PiecePose, bottom: float, level: int, glare: bool) -> Layer | None:
    """The layer of one piece whose underside is ``bottom`` mm above the table; None when out of the picture."""
    top = bottom + body.thickness
    x, y, turn = pose.x_mm, pose.y_mm, pose.turn_deg
    reach = 4 + 2.5 * top
    corners = [outline(x, y, turn, body.width + 2 * r, body.height + 2 * r, z) for r, z in ((0, top), (reach, bottom))]
    rect = around(lens.project(np.vstack(corners)), 3 + travel_px(pose.moving, lens) / 2, lens.size)
    if rect is None:
        return None
    ground = np.ascontiguousarray(cut(lens.ground, rect))
    pixel = 1 / lens.scale(x, y, top)
    on_top: Floats = cv2.transform(ground, lens.local(x, y, turn, top))
    at_foot: Floats = cv2.transform(ground, lens.local(x, y, turn, bottom))
    halfway = (on_top + at_foot) / 2
    shape = (body.width, body.height, body.corner)
    edge_top, edge_foot = rectangle(on_top, *shape), rectangle(at_foot, *shape)
    outside = np.minimum(np.minimum(edge_top, edge_foot), rectangle(halfway, *shape))
    printed = cover(edge_top, pixel)
    present = cover(outside, pixel)
    through = np.zeros_like(printed)
    shut = np.zeros_like(printed)
    for hx, hy, r in body.holes:
        rim, foot = disc(on_top, hx, hy, r), disc(at_foot, hx, hy, r)
        opened = cover(rim, pixel)
        through += opened * cover(foot, pixel)
        printed *= 1 - opened
        np.maximum(shut, _nook(foot, 1.6) * cover(foot, pixel), out=shut)
    present *= 1 - np.minimum(through, 1)
    lit = cut(light.field, rect)
    texels = body.texture.shape[1] / body.width
    places = np.empty_like(on_top)
    places[..., 0] = on_top[..., 0] * texels + (body.texture.shape[1] - 1) / 2
    places[..., 1] = on_top[..., 1] * texels + (body.texture.shape[0] - 1) / 2
    face = cv2.remap(body.texture, places, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    printed = np.minimum(printed, present)
    wall = np.maximum(present - printed, 0)
    colour = face * printed[..., None] + (wall * _wall_light(body, lens, light, pose, halfway))[..., None] * body.core
    colour *= lit
    if glare:
        shine = light.mirrored(ground)
        if shine is not None:
            colour += shine * (printed * COAT)[..., None]
    shade = _shade(lens, light, body, pose, bottom, ground, outside, shut)
    keep = np.repeat((1 - present)[..., None], 3, axis=2)
    if travel_px(pose.moving, lens) >= 1:
        colour, keep = (smear(a, pose.moving, lens, x, y) for a in (colour, keep))
    return Layer(rect, level, shade, keep, colour)


def _nook(distance: Floats, reach: float) -> Floats:
    """How much a wall at that distance keeps from the sky, 0 to 0.5."""
    return np.asarray(0.45 * np.exp(-np.abs(distance) / np.float32(reach)), np.float32)


def _wall_light(body: Body, lens: Lens, light: Light, pose: PiecePose, halfway: Floats) -> Floats:
    """How much light a wall gets: those that face the strongest lamp more, the insides of holes less."""
    lamp = light.lamps[0].place
    to = np.array([lamp[0] - pose.x_mm, lamp[1] - pose.y_mm])
    turn = np.deg2rad(-pose.turn_deg)
    c, s = np.cos(turn), np.sin(turn)
    to = np.array([c * to[0] - s * to[1], s * to[0] + c * to[1]]) / lamp[2]
    out = np.full(halfway.shape[:2], 0.45, np.float32)
    for hx, hy, r in body.holes:
        dx, dy = (hx - halfway[..., 0]) / r, (hy - halfway[..., 1]) / r
        near = (dx * dx + dy * dy) < 1.3
        facing = np.clip(dx * np.float32(to[0]) + dy * np.float32(to[1]), 0, 1)
        np.copyto(out, 0.28 + 0.6 * facing, where=near)
    return out


def _shade(
    lens: Lens, light: Light, body: Body, pose: PiecePose, bottom: float, ground: Floats, outside: Floats, shut: Floats
) -> Floats:
    """What the piece leaves of the light on the plane below it (H x W x 3)."""
    x, y, turn = pose.x_mm, pose.y_mm, pose.turn_deg
    top, low = bottom + body.thickness, max(0.0, bottom - pose.lift_mm)
    near = body.thickness / (body.thickness + pose.lift_mm)
    around_it = _nook(outside, 0.7 * body.thickness + 0.2) * (outside > 0)
    nook = np.maximum(around_it, shut) * np.float32(near)
    if body.thickness < 1:
        nook *= np.float32(0.5)
    left = np.repeat((1 - nook)[..., None], 3, axis=2)
    back = lens.local(x, y, turn, 0.0)
    turned = back[:, :2]
    for lamp, share in zip(light.lamps, light.shares(x, y), strict=True):
        ray = lens.toward(lamp.place, low, top)
        into_piece = np.hstack([turned @ ray[:, :2], turned @ ray[:, 2:] + back[:, 2:]])
        at: Floats = cv2.transform(ground, into_piece)
        solid = rectangle(at, body.width, body.height, body.corner)
        for hx, hy, r in body.holes:
            np.maximum(solid, -disc(at, hx, hy, r), out=solid)
        soft = max(0.35, 2 * lamp.radius_mm / lamp.place[2] * (top - low))
        left *= 1 - cover(solid, soft)[..., None] * share
    return left
