"""A painted table for piles: cards of a small deck pasted onto each other, hands as plain shapes, a little noise."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.deck import Deck, load
from companion.world import Frame

SIZE = (960, 720)
PER_MM = 2.0
CARD_MM = (63.0, 88.0)
FACE = (126, 176)
Picture = NDArray[np.uint8]


@dataclass(frozen=True)
class Lying:
    """A card: which one ("back": face down), its middle in mm from the middle of the picture, its turn in degrees."""

    id: str
    x: float = 0.0
    y: float = 0.0
    turn: float = 0.0

    def moved(self, x: float, y: float, turn: float = 0.0) -> Lying:
        return replace(self, x=self.x + x, y=self.y + y, turn=self.turn + turn)


@dataclass(frozen=True)
class Palm:
    """A hand: its tips in mm from the middle, and the direction (degrees) of the arm."""

    x: float
    y: float
    way: float


def face(number: int) -> Picture:
    """A playing card drawn with chance: white rim, a black line, a coloured ground, big shapes, a number."""
    rng = np.random.default_rng(number)
    width, height = 252, 352
    picture = np.full((height, width, 3), 245, np.uint8)
    ground = tuple(int(v) for v in rng.integers(70, 210, 3))
    cv2.rectangle(picture, (14, 14), (width - 15, height - 15), ground, -1)
    cv2.rectangle(picture, (14, 14), (width - 15, height - 15), (20, 20, 20), 4, cv2.LINE_AA)
    for _ in range(7):
        x, y = int(rng.integers(40, width - 40)), int(rng.integers(40, height - 40))
        ink = tuple(int(v) for v in rng.integers(0, 255, 3))
        axes = (int(rng.integers(12, 60)), int(rng.integers(12, 60)))
        cv2.ellipse(picture, (x, y), axes, float(rng.uniform(0, 180)), 0, 360, ink, -1, cv2.LINE_AA)
    cv2.putText(picture, str(number), (30, 70), cv2.FONT_HERSHEY_SIMPLEX, 1.8, (0, 0, 0), 5, cv2.LINE_AA)
    return picture


def back() -> Picture:
    """What a card shows that lies face down: a white rim, rings on blue."""
    width, height = 252, 352
    picture = np.full((height, width, 3), 245, np.uint8)
    cv2.rectangle(picture, (14, 14), (width - 15, height - 15), (140, 80, 30), -1)
    for radius in range(20, 120, 25):
        cv2.circle(picture, (width // 2, height // 2), radius, (220, 190, 150), 5, cv2.LINE_AA)
    return picture


def deck(folder: Path, count: int = 6) -> Deck:
    """A deck of that many cards, three of each."""
    (folder / "faces").mkdir(parents=True)
    lines = ["format = 1", 'name = "Piles"', 'game = "any"']
    for number in range(count):
        cv2.imwrite(str(folder / "faces" / f"{number}.png"), face(number))
        lines += ["[[piece]]", f'id = "card-{number}"', 'kind = "card"', f'face = "faces/{number}.png"', "copies = 3"]
        lines += [f"size_mm = [{CARD_MM[0]}, {CARD_MM[1]}]"]
    (folder / "deck.toml").write_text("\n".join(lines), encoding="utf-8")
    return load(folder)


class Painted:
    """The table. Each ``frame`` has noise of its own."""

    def __init__(self, seed: int = 0, noise: float = 2.0, blur: float = 0.7) -> None:
        rng = np.random.default_rng(seed)
        grain = cv2.GaussianBlur(rng.normal(0, 40, (SIZE[1], SIZE[0])).astype(np.float32), (0, 0), 6)
        ground = np.array([95, 130, 165], np.float32) + grain[..., None] * 3
        self._table = np.clip(ground, 0, 255).astype(np.uint8)
        self._grain = np.round(rng.normal(0, noise, (SIZE[1], SIZE[0], 3))).astype(np.int16)
        self._blur, self._rng = blur, rng
        self._faces: dict[str, Picture] = {}
        self.t_ns = 1_000_000_000

    def picture(self, pile: tuple[Lying, ...], palms: tuple[Palm, ...] = (), held: Lying | None = None) -> Picture:
        picture = self._table.copy()
        for card in pile:
            self._lay(picture, card, 1.0)
        if held is not None:
            self._lay(picture, held, 1.06)
        for palm in palms:
            _cover(picture, palm)
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), self._blur), np.uint8)
        noise = np.roll(self._grain, tuple(int(k) for k in self._rng.integers(0, 700, 2)), axis=(0, 1))
        return np.asarray(cv2.add(picture, noise, dtype=cv2.CV_8U), np.uint8)

    def frame(self, pile: tuple[Lying, ...], palms: tuple[Palm, ...] = (), held: Lying | None = None) -> Frame:
        self.t_ns += 66_666_667
        return Frame(self.t_ns, self.picture(pile, palms, held))

    def corners(self, card: Lying) -> NDArray[np.float32]:
        """Where a card lies in the picture, as its face has them."""
        return np.asarray(_outline(card, 1.0) - 0.5, np.float32)

    def _face(self, id: str) -> Picture:
        if id not in self._faces:
            art = back() if id == "back" else face(int(id.split("-")[1]))
            self._faces[id] = np.asarray(cv2.resize(art, FACE, interpolation=cv2.INTER_AREA))
        return self._faces[id]

    def _lay(self, picture: Picture, card: Lying, scale: float) -> None:
        art = self._face(card.id)
        width, height = FACE
        own = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
        place = (_outline(card, scale) - 0.5).astype(np.float32)
        low = np.maximum(np.floor(place.min(axis=0)).astype(int) - 4, 0)
        high = np.minimum(np.ceil(place.max(axis=0)).astype(int) + 5, SIZE)
        if (high <= low).any():
            return
        part = picture[low[1] : high[1], low[0] : high[0]]
        size = (int(high[0] - low[0]), int(high[1] - low[1]))
        shadow = np.zeros((size[1], size[0]), np.float32)
        cv2.fillConvexPoly(shadow, np.round((place - low + 0.7) * 16).astype(np.int32), 1.0, cv2.LINE_AA, 4)
        shadow = cv2.GaussianBlur(shadow, (0, 0), 0.8)[..., None] * 0.45
        matrix = cv2.getPerspectiveTransform(own, place - low.astype(np.float32))
        seen = cv2.warpPerspective(art, matrix, size, flags=cv2.INTER_LINEAR).astype(np.float32)
        cover = cv2.warpPerspective(np.ones(art.shape[:2], np.float32), matrix, size)[..., None]
        part[:] = (part * (1 - shadow) * (1 - cover) + seen * cover).astype(np.uint8)


def _cover(picture: Picture, palm: Palm) -> None:
    way = math.radians(palm.way)
    along, across = np.array([math.cos(way), math.sin(way)]), np.array([-math.sin(way), math.cos(way)])
    tips = np.array([palm.x, palm.y])
    for k in (-1, 0, 1):
        start = tips + across * k * 20
        _bar(picture, start, start + along * 80, 9, (110, 140, 205))
    _bar(picture, tips + along * 80, tips + along * 140, 36, (105, 135, 200))
    _bar(picture, tips + along * 140, tips + along * 700, 34, (60, 40, 30))


def _bar(
    picture: Picture, a: NDArray[np.float64], b: NDArray[np.float64], wide: float, ink: tuple[int, int, int]
) -> None:
    one, other = (tuple(int(v) for v in _pixels(point)) for point in (a, b))
    cv2.line(picture, one, other, ink, round(wide * 2 * PER_MM), cv2.LINE_AA)


def _pixels(point: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(point * PER_MM + np.array(SIZE) / 2, np.float64)


def _outline(card: Lying, scale: float) -> NDArray[np.float64]:
    a = math.radians(card.turn)
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(CARD_MM) / 2 * scale
    turned = half @ np.array([[math.cos(a), math.sin(a)], [-math.sin(a), math.cos(a)]])
    return _pixels(turned + np.array([card.x, card.y]))
