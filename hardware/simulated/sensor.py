"""From light on the sensor to the picture that arrives: drift, shot noise, the sRGB curve, JPEG.

The picture before noise is kept as ``CODE * sqrt(light)``. There shot noise has the same spread everywhere
(0.5 / sqrt(full well) of saturation), so a pool of noise drawn once serves all frames, and exposure and white
balance are one factor a colour.
"""

from __future__ import annotations

import math
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.world import Image
from hardware.simulated.conditions import Condition
from hardware.simulated.lens import Floats

CODE = 4080.0
_ROWS = 32
_ROUND_S = 20.0
"""Table time in which the drift shows its whole range."""


def srgb(linear: NDArray[np.floating]) -> NDArray[np.floating]:
    """The sRGB curve, 0 to 1 on both sides."""
    x = np.clip(linear, 0, 1)
    return np.asarray(np.where(x <= 0.0031308, x * 12.92, 1.055 * x ** (1 / 2.4) - 0.055))


def linear(srgb_value: NDArray[np.floating]) -> NDArray[np.floating]:
    """The inverse of ``srgb``."""
    x = np.asarray(srgb_value)
    return np.asarray(np.where(x <= 0.04045, x / 12.92, ((x + 0.055) / 1.055) ** 2.4))


def encode(light: Floats, out: NDArray[np.int16]) -> None:
    """Light (1 saturates) as the sensor's sqrt code, written into ``out``; ``light`` is used up."""
    cv2.sqrt(light, dst=light)
    cv2.multiply(light, np.full(4, CODE), dst=out, dtype=cv2.CV_16S)


@lru_cache(maxsize=2)
def _pool(height: int, width: int) -> Floats:
    """Noise of spread 1 for all sensors of a size: frames take it from changing places."""
    return np.random.default_rng(20).standard_normal((height, width, 3), np.float32)


class Sensor:
    """One camera's sensor and encoder. ``develop`` is the whole way from code to pixels."""

    def __init__(self, size: tuple[int, int], condition: Condition, rng: np.random.Generator) -> None:
        self.condition = condition
        width, height = size
        spread = 0.5 / math.sqrt(condition.full_well) * CODE
        self._pool: NDArray[np.int16] = np.rint(_pool(height + 64, width + 64) * np.float32(spread)).astype(np.int16)
        self._phases = rng.uniform(0, 2 * math.pi, 3)
        codes = np.arange(65536) / CODE  # all that 16 bits can hold, so that no noise is rounded away on the way
        self._curve: NDArray[np.uint8] = np.rint(srgb(codes * codes) * 255).astype(np.uint8)

    def gains(self, t_ns: int) -> tuple[float, float, float]:
        """Exposure times white balance (blue, green, red) at a time: slow waves, ``drift`` from least to most."""
        s = t_ns / 1e9 / _ROUND_S * 2 * math.pi
        half = math.log1p(self.condition.drift) / 2
        exposure = math.exp(half * math.sin(s + self._phases[0]))
        warm = math.exp(half / 2 * math.sin(s * 0.9 + self._phases[1]))
        return exposure / warm, exposure, exposure * warm

    def develop(self, coded: NDArray[np.int16], t_ns: int, rng: np.random.Generator) -> tuple[Image, bytes]:
        """The picture as it arrives and its JPEG. ``rng`` chooses the frame's noise."""
        picture = self.expose(coded, t_ns, rng)
        done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, self.condition.jpeg])
        if not done:
            raise RuntimeError("OpenCV could not encode a frame as JPEG")
        seen = cv2.imdecode(data, cv2.IMREAD_COLOR)
        return np.asarray(seen, np.uint8), data.tobytes()

    def expose(self, coded: NDArray[np.int16], t_ns: int, rng: np.random.Generator) -> Image:
        """The picture before it is packed as JPEG."""
        height, width = coded.shape[:2]
        dy, dx = int(rng.integers(65)), int(rng.integers(65))
        noise = self._pool[dy : dy + height, dx : dx + width]
        mix = cv2.add if rng.random() < 0.5 else cv2.subtract
        gain = np.array([*(math.sqrt(g) for g in self.gains(t_ns)), 0.0])
        picture = np.empty((height, width, 3), np.uint8)
        for top in range(0, height, _ROWS):  # few rows at a time: it all stays in the processor's cache
            rows = slice(top, min(top + _ROWS, height))
            gained = cv2.multiply(mix(coded[rows], noise[rows]), gain, dtype=cv2.CV_16U)
            self._curve.take(np.asarray(gained, np.uint16), out=picture[rows], mode="clip")
        return picture
