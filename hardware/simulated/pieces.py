"""Draws one card or tile: its printed top, its edges, the walls of its holes, and the shadow it throws.

Everything is exact for the ray of each pixel: the outline at the height of the top, what shows of the side walls,
and through a hole that part of the plane below which neither rim hides. Shadows follow the ray from the plane
below to each lamp, so a hole's wall throws its crescent onto the card under it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hardware.simulated.faces import Body
from hardware.simulated.layers import Layer, around, cut, smear, travel_px
from hardware.simulated.lens import Floats, Lens, outline
from hardware.simulated.light import Lamp, Light
from hardware.simulated.poses import PiecePose
from hardware.simulated.shapes import cover, disc, rectangle
from hardware.simulated.warp import affine, sample, thrice

COAT = 0.9
"""How much a coated card mirrors of a lamp."""


def draw(
    lens: Lens, light: Light, body: Body, pose: PiecePose, *, bottom: float, level: int, glare: bool
) -> tuple[Layer, ...]:
    """The layer of one piece whose underside is ``bottom`` mm above the table; none when out of the picture."""
    top = bottom + body.thickness
    x, y, turn = pose.x_mm, pose.y_mm, pose.turn_deg
    margin = 3 + travel_px(pose.moving, lens) / 2
    rect = around(lens.project(_reach(light, body, pose, bottom)), margin, lens.size)
    if rect is None:
        return ()
    ground = cut(lens.ground, rect)
    pixel = 1 / lens.scale(x, y, top)
    on_top = affine(ground, lens.local(x, y, turn, top))
    at_foot = affine(ground, lens.local(x, y, turn, bottom))
    halfway = np.asarray((on_top + at_foot) * np.float32(0.5), np.float32)
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
    face = sample(body.texture, places)
    printed = np.minimum(printed, present)
    wall = np.maximum(present - printed, 0)
    colour = face * printed[..., None] + (wall * _wall_light(body, lens, light, pose, halfway))[..., None] * body.core
    colour *= lit
    if glare:
        shine = light.mirrored(ground)
        if shine is not None:
            colour += shine * (printed * COAT)[..., None]
    shade = _shade(lens, light, body, pose, bottom, ground, outside, shut)
    if travel_px(pose.moving, lens) >= 1:
        colour, present = (smear(a, pose.moving, lens, x, y) for a in (colour, present))
    keep = thrice(1 - present)
    return (Layer(rect, level, shade, keep, np.asarray(colour, np.float32)),)


def _reach(light: Light, body: Body, pose: PiecePose, bottom: float) -> NDArray[np.float64]:
    """World points around the piece and all its shadows."""
    x, y, turn = pose.x_mm, pose.y_mm, pose.turn_deg
    top, low = bottom + body.thickness, max(0.0, bottom - pose.lift_mm)
    near = 7.0 if body.thickness > 1 else 2.5
    found = [outline(x, y, turn, body.width, body.height, top)]
    found.append(outline(x, y, turn, body.width + 2 * near, body.height + 2 * near, low))
    for lamp in light.lamps:
        k = (top - low) / (lamp.place[2] - top)
        soft = _soft(lamp, top - low)
        shadow = outline(x - (lamp.place[0] - x) * k, y - (lamp.place[1] - y) * k, turn, body.width, body.height, low)
        middle = shadow.mean(0)
        found.append(middle + (shadow - middle) * (1 + k + 2 * soft / min(body.width, body.height)))
    return np.vstack(found)


def _soft(lamp: Lamp, high: float) -> float:
    """How wide the edge of a shadow is that falls from ``high`` mm."""
    return max(0.35, 2 * lamp.radius_mm / lamp.place[2] * high)


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
    around_it = _nook(outside, min(0.7 * body.thickness + 0.2, 2.0)) * (outside > 0)
    nook = np.maximum(around_it, shut) * np.float32(near)
    if body.thickness < 1:
        nook *= np.float32(0.5)
    left = thrice(1 - nook)
    back = lens.local(x, y, turn, 0.0)
    turned = back[:, :2]
    for lamp, share in zip(light.lamps, light.shares(x, y), strict=True):
        ray = lens.toward(lamp.place, low, top)
        into_piece = np.hstack([turned @ ray[:, :2], turned @ ray[:, 2:] + back[:, 2:]])
        at = affine(ground, into_piece)
        solid = rectangle(at, body.width, body.height, body.corner)
        for hx, hy, r in body.holes:
            np.maximum(solid, -disc(at, hx, hy, r), out=solid)
        soft = _soft(lamp, top - low)
        left *= 1 - cover(solid, soft)[..., None] * share
    return left
