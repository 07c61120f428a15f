"""Compare pictures of the same thing taken in different light.

A camera sees a face through a gain for each colour, a slope of light across it, some haze, and it clips what is too
bright. ``features`` takes away what light changes; ``explain_pixels`` fits the light and says how much is left over.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from vision.geometry import Array

Bytes = NDArray[np.uint8]

GAIN_SPREAD, HAZE_SPREAD = 0.3, 0.08
"""How far the light in a hole is from that on the tile around it: relative, and of 255."""
ALIKE = 8.0
"""How many neighbouring pixels tell the same."""
OFF = 0.6
"""Pixels by which a face is usually off where it was laid."""
BRIGHT = 220.0
"""Where the bright parts of a crop are brought before misfits are measured."""
CENSORED = 0.02
"""What a saturated pixel weighs before it is known whether the face explains it."""
CLIP = 248.0
"""From this value on a channel counts as saturated (JPEG ripples a little below 255)."""
STEPS = 3
"""How often light and weights are fitted in turn."""


def compress(pictures: Bytes) -> Array:
    """Values on a scale where a change of gain is nearly a shift: logarithmic with a soft foot for noise."""
    return _TABLE[pictures]


_TABLE: Array = np.log(np.arange(256, dtype=np.float32) + 24.0)


@cache
def planes(size: int) -> Array:
    """Six orthonormal pictures (6 x size*size) that span what light does across a face: a constant, its slopes and its
    bends. A lamp's glare on a glossy tile bends a lot."""
    y, x = np.mgrid[:size, :size] / size - 0.5
    smooth = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y]).reshape(6, -1)
    q, _ = np.linalg.qr(smooth.T)
    return np.ascontiguousarray(q.T, np.float32)


def features(pictures: Bytes, mask: Array | None = None, *, bends: bool = True) -> Array:
    """Light-free features of square crops (n x s x s x 3), n x (s*s*3), not normalised in length.

    Each channel loses its mean, its slopes and, unless they are wanted, its bends. ``mask`` (s x s, 0 or 1) blanks what
    is not to be looked at.
    """
    number, size = pictures.shape[0], pictures.shape[1]
    values = compress(pictures).transpose(0, 3, 1, 2).reshape(number * 3, size * size)
    basis = planes(size) if bends else planes(size)[:3]
    if mask is not None:
        flat = mask.reshape(-1)
        q, _ = np.linalg.qr((basis * flat).T)
        basis = np.ascontiguousarray(q.T, np.float32)
        values = values * flat
    values = values - (values @ basis.T) @ basis
    return np.ascontiguousarray(values.reshape(number, -1), np.float32)


@dataclass(frozen=True)
class Fit:
    """How candidates explain a crop: ``left`` (k x pixels), the squared misfit in units of what is usual, capped."""

    left: Array
    light: Array
    """k x 3 x terms: for each colour gain, haze (of 255) and, if asked for, slopes of the gain over the face."""
    strain: Array
    """k: how unusual that light is against the one expected, squared and per colour; 0 where none was."""


def explain_pixels(
    seen: Array | Bytes,
    arts: Array,
    places: Array | None = None,
    *,
    gains: Array | None = None,
    steep: Array | None = None,
    expected: Array | None = None,
    spread: float = 14.0,
    cap: float = 6.0,
    steps: int = STEPS,
) -> Fit:
    """Fit light to each candidate face and measure what remains: ``seen`` (1 or k) x pixels x 3, ``arts`` k x pixels x
    3 (float, 0 to 255).

    Per channel the model is min(255, gain * face + slopes + haze), fitted robustly; without ``places`` (2 x pixels,
    or k x 2 x pixels, within -0.5 to 0.5) there are no slopes of light. ``gains`` (k) are what makes each picture about
    as bright as usual; without, ``seen`` is one picture. ``steep`` (like ``arts``) is how much the face changes over a
    pixel: there a misfit counts less, as no face lies exactly. ``expected`` (k x 3 x 2) is the gain and haze
    to be expected.
    """
    count, pixels = arts.shape[:2]
    terms = 2 if places is None else 4
    values, clipped = _brought_up(seen, gains)
    any_clipped = bool(clipped.any())
    # What is fitted and what it is fitted to in one array: a single product then makes all the sums of a step.
    rows = np.empty((count, 3, terms + 1, pixels), np.float32)
    basis = rows[:, :, :terms]
    rows[:, :, 0] = arts.transpose(0, 2, 1)
    rows[:, :, 1] = 255.0
    if places is not None:
        np.multiply(rows[:, :, :1], places[..., None, :, :], out=rows[:, :, 2:4])
    rows[:, :, terms] = values
    across = rows.transpose(0, 1, 3, 2)
    weight: Array = np.where(clipped, np.float32(CENSORED), np.float32(1.0))
    # Gain may be large, the haze small, the slopes gentle.
    ridge, prior = _RIDGE[:terms, :terms], _PRIOR[:terms]
    if expected is not None:
        sigma = np.full(expected.shape, HAZE_SPREAD, np.float32)
        sigma[..., 0] = np.maximum(GAIN_SPREAD * expected[..., 0], 0.05)
        stiff = np.float32(spread**2 * ALIKE) / sigma**2
        ridge = stiff[..., None] * _EYE
        prior = stiff * expected
    usual: Array | np.float32 = np.float32(spread**2)
    if steep is not None:
        usual = usual + (np.float32(OFF) * np.ascontiguousarray(steep.transpose(0, 2, 1), np.float32)) ** 2
    coefficients: Array = np.zeros((count, 3, terms), np.float32)
    wrong: Array = np.zeros((count, 3, pixels), np.float32)
    for step in range(steps):
        sums = (basis * weight[:, :, None]) @ across
        right = sums[..., terms:] + prior[..., None]
        coefficients = np.linalg.solve(sums[..., :terms] + ridge, right)[..., 0]
        wrong = (coefficients[:, :, None] @ basis)[:, :, 0]
        np.minimum(wrong, np.float32(255.0), out=wrong)
        explained = clipped & (wrong >= CLIP) if any_clipped else None
        wrong -= values
        wrong *= wrong
        wrong /= usual
        if step < steps - 1:
            weight = 1 / (1 + wrong)
            if explained is not None:
                weight[explained] = 0
    np.minimum(wrong, np.float32(cap), out=wrong)
    misfit = (wrong[:, 0] + wrong[:, 1] + wrong[:, 2]) / 3
    strain: Array = np.zeros(count, np.float32)
    if expected is not None:
        strain = (((coefficients - expected) / sigma) ** 2).sum(axis=(1, 2)) / 3
    return Fit(misfit, coefficients, strain)


def explain_even(seen: Array | Bytes, *, gains: Array | None = None, spread: float = 14.0, cap: float = 6.0) -> Array:
    """The misfit (k x pixels) that ``explain_pixels`` finds for a face of one colour."""
    values, clipped = _brought_up(seen, gains)
    weight: Array = np.where(clipped, np.float32(CENSORED), np.float32(1.0))
    wrong: Array = np.zeros_like(values)
    for _ in range(STEPS):
        total = np.maximum(np.add.reduce(weight, axis=2), np.float32(1e-3))
        level = np.minimum(np.einsum("kcn,kcn->kc", weight, values) / total, np.float32(255.0))[..., None]
        wrong = (values - level) ** 2 / np.float32(spread**2)
        weight = 1 / (1 + wrong)
        weight[clipped & (level >= CLIP)] = 0
    np.minimum(wrong, np.float32(cap), out=wrong)
    return (wrong[:, 0] + wrong[:, 1] + wrong[:, 2]) / 3


def _brought_up(seen: Array | Bytes, gains: Array | None) -> tuple[Array, NDArray[np.bool_]]:
    """Colours (k x 3 x pixels) made about as bright as usual, and which of them were saturated.

    A misfit counts by how much light there is: a dark picture of a wrong face is not a good one.
    """
    values = np.array(seen.transpose(0, 2, 1), np.float32, order="C")
    clipped = values >= CLIP
    values *= (brightening(values.reshape(1, -1)) if gains is None else gains)[:, None, None]
    return values, clipped


_RIDGE: Array = np.diag(np.array([1e3, 4e5, 4e5, 4e5], np.float32))
_PRIOR: Array = np.array([1e3, 0, 0, 0], np.float32)
_EYE: Array = np.eye(2, dtype=np.float32)


def brightening(pictures: Array | Bytes) -> Array:
    """What brings each picture's (k x values) bright parts, its 98th percentile, to where misfits are measured."""
    at = 0.98 * (pictures.shape[1] - 1)
    low = int(at)
    high = min(low + 1, pictures.shape[1] - 1)
    # For a few thousand values much faster than numpy's percentile.
    parted = np.partition(pictures, (low, high), axis=1)[:, [low, high]].astype(np.float32)
    bright = parted[:, 0] + (parted[:, 1] - parted[:, 0]) * np.float32(at - low)
    gains: Array = np.minimum(np.maximum(np.float32(BRIGHT) / np.maximum(bright, 1), 1), 4)
    return gains
