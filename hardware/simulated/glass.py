"""A drinking glass: nearly clear walls, a bright rim, and what is in it."""

from __future__ import annotations

import numpy as np

from hardware.simulated.layers import Layer, around, cut
from hardware.simulated.lens import Floats, Lens, outline
from hardware.simulated.light import Light
from hardware.simulated.poses import Clutter
from hardware.simulated.shapes import cover, disc
from hardware.simulated.warp import affine, thrice

_HIGH, _FOOT, _RIM = 95.0, 26.0, 34.0
_DRINKS = ((0.02, 0.05, 0.10), (0.03, 0.30, 0.62), (0.62, 0.66, 0.66), (0.01, 0.01, 0.03), (0.10, 0.05, 0.32))


def draw(lens: Lens, light: Light, thing: Clutter, level: int) -> tuple[Layer, ...]:
    """The layer of a glass; none when out of the picture."""
    x, y = thing.x_mm, thing.y_mm
    heights = np.linspace(0, _HIGH, 7)
    rings = [outline(x, y, 0, 2 * _RIM + 12, 2 * _RIM + 12, float(z)) for z in heights]
    rect = around(lens.project(np.vstack(rings)), 4, lens.size)
    if rect is None:
        return ()
    ground = cut(lens.ground, rect)
    pixel = 1 / lens.scale(x, y, _HIGH / 2)

    def ring(z: float) -> Floats:
        radius = _FOOT + (_RIM - _FOOT) * z / _HIGH
        return disc(affine(ground, lens.local(x, y, 0, z)), 0, 0, radius)

    inside = ring(0.0)
    for z in heights[1:]:
        inside = np.asarray(np.minimum(inside, ring(float(z))), np.float32)
    wall = cover(inside, pixel)
    edge = wall * np.exp(-np.abs(inside) / 2.2)
    rim = cover(np.abs(ring(_HIGH)) - np.float32(0.9), pixel)
    foot = cover(np.abs(ring(1.0)) - np.float32(1.6), pixel)
    full = 18 + (thing.variant * 13) % 55
    drink = cover(ring(float(full)) + np.float32(1.5), pixel)
    lit = cut(light.field, rect)
    veil = 0.10 * wall + 0.30 * edge + 0.45 * rim + 0.15 * foot
    body = 0.85 * drink * (1 - veil)
    dye = np.array(_DRINKS[thing.variant % len(_DRINKS)], np.float32)
    colour = lit * (veil * 0.62)[..., None] + lit * dye * body[..., None]
    spark = np.exp(-((ring(_HIGH) + 0.5) ** 2) / 2) * _facing(lens, light, ground, thing)
    colour += (spark * 0.9)[..., None] * lit
    keep = thrice(np.asarray((1 - veil) * (1 - 0.85 * drink), np.float32))
    dim = np.asarray(1 - 0.28 * cover(ring(0.0), 14.0) - 0.12 * wall, np.float32)
    return (Layer(rect, level, thrice(dim), keep, np.asarray(colour, np.float32)),)


def _facing(lens: Lens, light: Light, ground: Floats, thing: Clutter) -> Floats:
    """Where the rim turns towards the first lamp."""
    at = affine(ground, lens.local(thing.x_mm, thing.y_mm, 0, _HIGH))
    lamp = np.array(light.lamps[0].place[:2]) - (thing.x_mm, thing.y_mm)
    lamp /= np.hypot(*lamp) or 1
    cosine = (at @ lamp.astype(np.float32)) / (np.sqrt((at * at).sum(-1)) + np.float32(1e-3))
    return np.asarray(np.clip(cosine, 0, 1) ** 8, np.float32)
