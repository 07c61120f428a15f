"""Lamps over the table: how bright and of which colour each place is, and where a lamp is mirrored.

All light is linear. ``Light.field`` is what a perfectly white thing sends back at every pixel, in units of the
sensor's saturation, with the camera's exposure and white balance already in it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np

from hardware.simulated.conditions import Condition
from hardware.simulated.lens import Floats, Lens

PAPER = 0.85
LUMA = np.array([0.0722, 0.7152, 0.2126], np.float32)
"""Weights of linear blue, green and red in brightness."""
_COARSE = 8
_USUAL_TABLE = 0.25


@dataclass(frozen=True)
class Lamp:
    """A lamp: place (mm), colour (linear BGR, brightness 1), and how much of the light is its own."""

    place: tuple[float, float, float]
    colour: Floats
    radius_mm: float
    weight: float
    falloff: float

    def at(self, ground: Floats) -> Floats:
        """Its light (H x W x 3) at points of the table."""
        dx, dy = ground[..., 0] - self.place[0], ground[..., 1] - self.place[1]
        lamp_z = self.place[2]
        f = (1 + (dx * dx + dy * dy) / lamp_z**2) ** np.float32(-1.5 * self.falloff)
        return np.asarray(self.weight * f[..., None] * self.colour, np.float32)


@dataclass(frozen=True)
class Glare:
    """Where a coated surface mirrors a lamp into the camera."""

    place: tuple[float, float]
    radius_mm: float
    strength: Floats


@dataclass(frozen=True)
class Light:
    """All light of one evening as one camera sees it."""

    lamps: tuple[Lamp, ...]
    ambient: Floats
    exposure: Floats
    glares: tuple[Glare, ...]
    field: Floats
    half: Floats
    """``field`` of every second pixel."""

    def shares(self, x: float, y: float) -> list[Floats]:
        """How much of the light at a place comes from each lamp directly, by colour."""
        here = np.array([[[x, y]]], np.float32)
        each = [lamp.at(here)[0, 0] for lamp in self.lamps]
        total = sum(each, self.ambient.copy())
        return [np.asarray(one / total, np.float32) for one in each]

    def mirrored(self, ground: Floats) -> Floats | None:
        """The light (H x W x 3) that a perfect coat adds at these points of the table; None where it is dark."""
        total: Floats | None = None
        for glare in self.glares:
            seen = _near(ground, glare)
            if seen is None:
                continue
            rows, columns = seen
            part = ground[rows, columns]
            d2 = (part[..., 0] - glare.place[0]) ** 2 + (part[..., 1] - glare.place[1]) ** 2
            if total is None:
                total = np.zeros((*ground.shape[:2], 3), np.float32)
            total[rows, columns] += np.exp(d2 / np.float32(-(glare.radius_mm**2)))[..., None] * glare.strength
        return total


def _near(ground: Floats, glare: Glare) -> tuple[slice, slice] | None:
    """Rows and columns in which a reflection makes a difference."""
    coarse = ground[::_COARSE, ::_COARSE]
    reach = 2.6 * glare.radius_mm + 8
    near = ((coarse - np.array(glare.place, np.float32)) ** 2).sum(-1) < reach**2
    if not near.any():
        return None
    rows, columns = (np.flatnonzero(near.any(axis)) * _COARSE for axis in (1, 0))
    return (
        slice(max(0, int(rows[0]) - _COARSE), int(rows[-1]) + 2 * _COARSE),
        slice(max(0, int(columns[0]) - _COARSE), int(columns[-1]) + 2 * _COARSE),
    )


def kelvin(temperature: float) -> Floats:
    """The colour of a black body as linear BGR of brightness 1 (Kim et al. 2002, 1667 to 25000 K)."""
    t = temperature
    if t < 4000:
        x = -0.2661239e9 / t**3 - 0.2343589e6 / t**2 + 0.8776956e3 / t + 0.179910
    else:
        x = -3.0258469e9 / t**3 + 2.1070379e6 / t**2 + 0.2226347e3 / t + 0.240390
    if t < 2222:
        y = -1.1063814 * x**3 - 1.34811020 * x**2 + 2.18555832 * x - 0.20219683
    elif t < 4000:
        y = -0.9549476 * x**3 - 1.37418593 * x**2 + 2.09137015 * x - 0.16748867
    else:
        y = 3.0817580 * x**3 - 5.87338670 * x**2 + 3.75112997 * x - 0.37001483
    xyz = np.array([x / y, 1.0, (1 - x - y) / y])
    to_rgb = np.array([[3.2406, -1.5372, -0.4986], [-0.9689, 1.8758, 0.0415], [0.0557, -0.2040, 1.0570]])
    bgr = np.maximum((to_rgb @ xyz)[::-1], 0.02)
    return np.asarray(bgr / float(bgr @ LUMA), np.float32)


def light(lens: Lens, condition: Condition, rng: np.random.Generator, table: float = _USUAL_TABLE) -> Light:
    """Draw lamps, exposure, white balance and reflections for a condition.

    ``table`` is how much light the table sends back: a camera that meters the whole picture overexposes the cards on
    a dark cloth and leaves those on a pale table dull.
    """
    coarse = np.ascontiguousarray(lens.ground[::_COARSE, ::_COARSE])
    colours = (
        [kelvin(condition.kelvin[0]), kelvin(condition.kelvin[1])]
        if condition.mixed
        else [kelvin(float(rng.uniform(*condition.kelvin)))]
    )
    rng.shuffle(colours)
    while True:  # until lamps are found that make the wanted difference, without a pool of light under one of them
        lamps, ambient = _lamps(colours, rng)

        def field_of(falloff: float) -> Floats:
            own = (replace(lamp, falloff=falloff).at(coarse) for lamp in lamps)  # noqa: B023
            return np.asarray(sum(own, start=ambient), np.float32)  # noqa: B023

        low, high = 0.0, 7.0
        if _ratio(field_of(high)) < condition.light_ratio:
            continue
        for _ in range(30):
            mid = (low + high) / 2
            low, high = (mid, high) if _ratio(field_of(mid)) < condition.light_ratio else (low, mid)
        break
    chosen = tuple(replace(lamp, falloff=high) for lamp in lamps)
    field = field_of(high)
    middle = field[field.shape[0] // 4 : -field.shape[0] // 4, field.shape[1] // 4 : -field.shape[1] // 4]
    mean = middle.reshape(-1, 3).mean(0)
    off = rng.normal(0, 0.25 * (1 - condition.balance[0]) + 0.02, 3)
    balance = (float(mean @ LUMA) / mean) ** rng.uniform(*condition.balance) * np.exp(off - off.mean())
    balance /= float((mean * balance) @ LUMA) / float(mean @ LUMA)
    metered = (_USUAL_TABLE / table) ** 0.2
    exposure = np.asarray(balance * metered * rng.uniform(*condition.paper) / float(mean @ LUMA) / PAPER, np.float32)
    full = np.asarray(_enlarge(field * exposure, lens), np.float32)
    glares = tuple(
        _glare(condition, chosen, mean, rng) for _ in range(rng.integers(*condition.glare_patches, endpoint=True))
    )
    glares = tuple(Glare(g.place, g.radius_mm, g.strength * exposure) for g in glares)
    return Light(chosen, ambient, exposure, glares, full, np.ascontiguousarray(full[::2, ::2]))


def _lamps(colours: list[Floats], rng: np.random.Generator) -> tuple[list[Lamp], Floats]:
    """A lamp of each colour on different sides of the table, and the light from everywhere."""
    ambient = np.asarray(np.mean(colours, axis=0) * rng.uniform(0.18, 0.35), np.float32)
    start = rng.uniform(0, 360)
    lamps = []
    for i, colour in enumerate(colours):
        a, out = math.radians(start + 180 * i + rng.uniform(-40, 40)), rng.uniform(180, 420)
        place = (out * math.cos(a), out * math.sin(a), float(rng.uniform(520, 900)))
        weight = 1.0 if i == 0 else float(rng.uniform(0.25, 0.55))
        lamps.append(Lamp(place, colour, float(rng.uniform(30, 110)), weight, 1.0))
    return lamps, ambient


def _ratio(field: Floats) -> float:
    bright = field @ LUMA
    return float(bright.max() / bright.min())


def _glare(condition: Condition, lamps: tuple[Lamp, ...], mean: Floats, rng: np.random.Generator) -> Glare:
    lamp = lamps[int(rng.integers(len(lamps)))]
    a, out = rng.uniform(0, 2 * math.pi), rng.uniform(40, 150)
    strength = lamp.colour * float(mean @ LUMA) * rng.uniform(0.35, 0.9)
    place = (1.25 * out * math.cos(a), out * math.sin(a))
    return Glare(
        place, float(rng.uniform(18, 34 if condition.glare_cards < 2 else 45)), np.asarray(strength, np.float32)
    )


def _enlarge(coarse: Floats, lens: Lens) -> Floats:
    """From every eighth pixel (first of each block) to all of them."""
    height, width = lens.ground.shape[:2]
    x, y = np.meshgrid(np.arange(width, dtype=np.float32) / _COARSE, np.arange(height, dtype=np.float32) / _COARSE)
    grown = cv2.copyMakeBorder(coarse, 0, 1, 0, 1, cv2.BORDER_REPLICATE)
    edge_y, edge_x = grown.shape[0] - 1, grown.shape[1] - 1
    grown[edge_y] = 2 * grown[edge_y - 1] - grown[edge_y - 2]
    grown[:, edge_x] = 2 * grown[:, edge_x - 1] - grown[:, edge_x - 2]
    return np.asarray(cv2.remap(grown, x, y, cv2.INTER_LINEAR), np.float32)
