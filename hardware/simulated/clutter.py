"""Things on the table that are no pieces to be read."""

from __future__ import annotations

import numpy as np

from hardware.simulated.layers import Layer, around, cut
from hardware.simulated.lens import Lens, outline
from hardware.simulated.light import Light
from hardware.simulated.poses import Clutter
from hardware.simulated.shapes import cover, disc, rectangle
from hardware.simulated.warp import affine


def draw(lens: Lens, light: Light, thing: Clutter, level: int) -> tuple[Layer, ...]:
    """The layer of one thing; none when out of the picture."""
    round_thing = thing.kind in ("glass", "cannonball")
    width, height, high = {
        "glass": (66.0, 66.0, 90.0), "phone": (72.0, 148.0, 8.0), "die": (15.0, 15.0, 15.0),
        "cannonball": (14.0, 14.0, 2.0), "stack": (57.0, 57.0, 9.0), "overview": (57.0, 88.0, 0.4),
        "hit-card": (63.0, 88.0, 0.4), "pen": (9.0, 140.0, 9.0),
    }[thing.kind]  # fmt: skip
    base = outline(thing.x_mm, thing.y_mm, thing.turn_deg, width + 2 * high, height + 2 * high)
    top = outline(thing.x_mm, thing.y_mm, thing.turn_deg, width, height, high)
    rect = around(lens.project(np.vstack([base, top])), 3, lens.size)
    if rect is None:
        return ()
    ground = np.ascontiguousarray(cut(lens.ground, rect))
    at = affine(ground, lens.local(thing.x_mm, thing.y_mm, thing.turn_deg, high))
    foot = affine(ground, lens.local(thing.x_mm, thing.y_mm, thing.turn_deg, 0.0))
    edge = disc(at, 0, 0, width / 2) if round_thing else rectangle(at, width, height, 2.0)
    side = disc(foot, 0, 0, width / 2) if round_thing else rectangle(foot, width, height, 2.0)
    pixel = 1 / lens.scale(thing.x_mm, thing.y_mm)
    alpha = cover(np.minimum(edge, side), pixel)[..., None]
    tone = np.array([0.02, 0.02, 0.02] if thing.variant % 2 == 0 else [0.2, 0.2, 0.2], np.float32)
    colour = np.asarray(alpha * tone * cut(light.field, rect), np.float32)
    shade = np.repeat((1 - 0.5 * cover(side, 6.0))[..., None], 3, axis=2)
    return (Layer(rect, level, shade, np.repeat(1 - alpha, 3, axis=2), colour),)
