"""The three conditions under which the simulated table is seen, number by number."""

from __future__ import annotations

import msgspec


class Condition(msgspec.Struct, frozen=True):
    """How hard a table is to read. Pairs are the ends of a range from which a camera draws its own value."""

    name: str
    light_ratio: float
    """Brightest to darkest place of the table that is in the picture."""
    kelvin: tuple[float, float]
    mixed: bool
    """True: two lamps, one of each end of ``kelvin``; else one lamp of a temperature in between."""
    tilt_deg: float
    """Camera off vertical."""
    glare_cards: int
    """How many cards a reflection of a lamp may lie on at the same time."""
    glare_patches: tuple[int, int]
    full_well: float
    """Electrons at saturation: shot noise has the variance signal / full_well."""
    blur_px: float
    jpeg: int
    off_mm: float
    off_deg: float
    """How far a tile that is meant to lie on its card may be off."""
    gap_mm: float
    """The least gap between neighbouring cards."""
    hand_rests: float
    """Probability that a hand rests over a piece when the round is read."""
    wrong: float
    """Probability that a placement is wrong or illegal."""
    drift: float
    """How far exposure and white balance wander within a round, from least to most."""
    paper: tuple[float, float]
    """Exposure: how bright a white paper in the middle of the table is; 1 saturates."""
    balance: tuple[float, float]
    """How much of the lamps' colour the camera's white balance takes out; 1 is all."""
    card_px: tuple[float, float]
    """The side of a card in the middle of the picture."""


EASY = Condition(
    name="easy",
    light_ratio=1.3,
    kelvin=(4000.0, 6500.0),
    mixed=False,
    tilt_deg=4.0,
    glare_cards=0,
    glare_patches=(1, 1),
    full_well=9000.0,
    blur_px=0.5,
    jpeg=92,
    off_mm=1.0,
    off_deg=1.0,
    gap_mm=25.0,
    hand_rests=0.0,
    wrong=1 / 50,
    drift=0.02,
    paper=(0.75, 1.35),
    balance=(0.9, 1.0),
    card_px=(125.0, 155.0),
)
EVENING = Condition(
    name="evening",
    light_ratio=2.5,
    kelvin=(2700.0, 5000.0),
    mixed=False,
    tilt_deg=10.0,
    glare_cards=1,
    glare_patches=(1, 1),
    full_well=3000.0,
    blur_px=0.8,
    jpeg=85,
    off_mm=2.5,
    off_deg=3.0,
    gap_mm=12.0,
    hand_rests=1 / 10,
    wrong=1 / 30,
    drift=0.08,
    paper=(0.6, 1.5),
    balance=(0.7, 1.0),
    card_px=(122.0, 148.0),
)
HARSH = Condition(
    name="harsh",
    light_ratio=4.0,
    kelvin=(2700.0, 6500.0),
    mixed=True,
    tilt_deg=18.0,
    glare_cards=4,
    glare_patches=(2, 3),
    full_well=900.0,
    blur_px=1.3,
    jpeg=72,
    off_mm=4.0,
    off_deg=4.0,
    gap_mm=4.0,
    hand_rests=1 / 4,
    wrong=1 / 20,
    drift=0.20,
    paper=(0.6, 1.8),
    balance=(0.6, 1.0),
    card_px=(120.0, 142.0),
)
BY_NAME = {condition.name: condition for condition in (EASY, EVENING, HARSH)}
