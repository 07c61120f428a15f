"""A painted table: plain cards of one colour each, tiles with holes, hands as polygons; and a reader of colours."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

import cv2
import numpy as np
import pytest

from companion.deck import Hole, Mark, Piece
from companion.world import Frame, HoleReading, Sighting

SIZE = (640, 480)
SIDE = 80
COLOURS = {"card-red": (40, 40, 220), "card-green": (40, 190, 40), "card-blue": (220, 80, 40), "tile-a": (40, 220, 230)}
SYMBOLS = {"rum": (230, 60, 230), "bomb": (20, 20, 20)}
HOLES = ((0.25, 0.5), (0.75, 0.5))
PIECES = {
    **{
        name: Piece(
            name,
            "card",
            "x.png",
            size_mm=(60.0, 60.0),
            marks=(Mark("rum", HOLES[0], 0.12), Mark("bomb", HOLES[1], 0.12)),
        )
        for name in COLOURS
        if name.startswith("card")
    },
    "tile-a": Piece("tile-a", "tile", "x.png", size_mm=(60.0, 60.0), holes=tuple(Hole(spot, 0.14) for spot in HOLES)),
}


@cache
def grains(size):
    """Five fields of noise: each frame its own, and yet painted quickly."""
    rng = np.random.default_rng(9)
    return [rng.normal(0, 1, (size[1], size[0], 3)).astype(np.float32) for _ in range(5)]


@dataclass
class PaintedTable:
    """What lies where (top-left corners), hands as polygons, light as a gain per channel."""

    cards: dict[str, tuple[int, int]] = field(default_factory=dict)
    tiles: dict[str, tuple[int, int]] = field(default_factory=dict)
    hands: list[list[tuple[int, int]]] = field(default_factory=list)
    hand_colour: tuple[int, int, int] = (120, 150, 200)
    gain: tuple[float, float, float] = (1.0, 1.0, 1.0)
    noise: float = 2.0
    size: tuple[int, int] = SIZE
    marks_swapped: bool = False
    seed: int = 1

    def paint(self) -> np.ndarray:
        self.seed += 1
        grain = cv2.resize(np.random.default_rng(0).normal(0, 7, (60, 80)).astype(np.float32), self.size)
        image = np.full((self.size[1], self.size[0], 3), (70.0, 95.0, 120.0), np.float32) + grain[..., None]
        for name, (x, y) in self.cards.items():
            image[y : y + SIDE, x : x + SIDE] = COLOURS[name]
            for symbol, (fx, fy) in zip(SYMBOLS, HOLES[::-1] if self.marks_swapped else HOLES, strict=True):
                cv2.circle(image, (int(x + fx * SIDE), int(y + fy * SIDE)), 10, SYMBOLS[symbol], -1)
        for name, (x, y) in self.tiles.items():
            tile = image.copy()
            tile[y : y + SIDE, x : x + SIDE] = COLOURS[name]
            mask = np.zeros(image.shape[:2], np.uint8)
            mask[y : y + SIDE, x : x + SIDE] = 255
            for fx, fy in HOLES:
                cv2.circle(mask, (int(x + fx * SIDE), int(y + fy * SIDE)), 11, 0, -1)
            image[mask > 0] = tile[mask > 0]
        for hand in self.hands:
            cv2.fillPoly(image, [np.array(hand, np.int32)], self.hand_colour)
        image = image * np.array(self.gain, np.float32) + self.noise * grains(self.size)[self.seed % 5]
        return np.clip(image, 0, 255).astype(np.uint8)


class ColourReader:
    """Reads the painted table by colour alone; counts how often it was asked."""

    def __init__(self) -> None:
        self.pieces = PIECES
        self.asked: list[tuple[int, int]] = []

    def look(self, image, *, expected=None, plane=None, keep=None, known=(), search=True, below=None):
        self.asked.append((image.shape[1], image.shape[0]))
        found = []
        hue = cv2.cvtColor(image, cv2.COLOR_BGR2HSV)
        for name, colour in COLOURS.items():
            if expected is not None and name not in expected:
                continue
            want = int(cv2.cvtColor(np.uint8([[colour]]), cv2.COLOR_BGR2HSV)[0, 0, 0])
            apart = np.abs(hue[..., 0].astype(int) - want)
            mask = ((np.minimum(apart, 180 - apart) < 7) & (hue[..., 1] > 120)).astype(np.uint8) * 255
            mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
            outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
            for outline in outlines:
                x, y, w, h = cv2.boundingRect(outline)
                if abs(w - SIDE) > 6 or abs(h - SIDE) > 6:
                    continue
                corners = ((x, y), (x + w, y), (x + w, y + h), (x, y + h))
                holes = tuple(self._hole(image, x + fx * w, y + fy * h) for fx, fy in HOLES if PIECES[name].holes)
                found.append(Sighting(name, PIECES[name].kind, corners, 0.95, True, holes=holes))
        return tuple(found)

    def _hole(self, image, x, y):
        colour = image[int(y) - 3 : int(y) + 4, int(x) - 3 : int(x) + 4].reshape(-1, 3).mean(axis=0)
        apart = {name: float(np.abs(colour - value).sum()) for name, value in SYMBOLS.items()}
        name = min(apart, key=apart.__getitem__)
        symbol = name if apart[name] < 120 else "none"
        return HoleReading(symbol, 0.9, True, ranked=((symbol, 0.9),))


@pytest.fixture
def painted():
    return PaintedTable()


@pytest.fixture
def reader():
    return ColourReader()


@pytest.fixture
def film(painted):
    """Gives the painted table as frames, a fifteenth of a second apart."""

    class Film:
        t_ns = 0

        def frame(self, **changes):
            for name, value in changes.items():
                setattr(painted, name, value)
            self.t_ns += 66_000_000
            return Frame(self.t_ns, painted.paint())

    return Film()
