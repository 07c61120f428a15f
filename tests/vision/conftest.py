"""A small deck drawn with nothing but random discs and bars, and photographs of it laid on tables."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.deck import Deck, Mark, load
from vision.catalog import Catalog, build
from vision.geometry import Array

PIXELS = 240
SIDE = 120
SYMBOLS = ("disc", "bar", "cross", "ring", "wedge")
INKS = {
    "disc": (40, 40, 200),
    "bar": (200, 80, 30),
    "cross": (30, 30, 30),
    "ring": (40, 150, 40),
    "wedge": (30, 150, 220),
}


def shared() -> Path:
    """The folder of material that is not part of the project."""
    return Path(os.environ.get("SHARED", Path(__file__).parents[3] / "shared")).resolve()


def symbol(face: Array, name: str, at: tuple[float, float], radius: float) -> None:
    x, y, r = (round(value * PIXELS) for value in (*at, radius))
    cv2.circle(face, (x, y), r, (235, 245, 245), -1, cv2.LINE_AA)
    ink = INKS[name]
    s = round(0.6 * r)
    if name == "disc":
        cv2.circle(face, (x, y), s, ink, -1, cv2.LINE_AA)
    elif name == "bar":
        cv2.rectangle(face, (x - s, y - s // 3), (x + s, y + s // 3), ink, -1)
    elif name == "cross":
        cv2.line(face, (x - s, y - s), (x + s, y + s), ink, 5)
        cv2.line(face, (x + s, y - s), (x - s, y + s), ink, 5)
    elif name == "ring":
        cv2.circle(face, (x, y), s, ink, 4, cv2.LINE_AA)
    else:
        cv2.fillPoly(face, [np.array([(x - s, y + s), (x + s, y + s), (x, y - s)])], ink)


def card_face(rng: np.random.Generator) -> tuple[Array, list[Mark]]:
    ground = rng.integers(120, 200, 3)
    face = np.full((PIXELS, PIXELS, 3), ground, np.uint8)
    marks = []
    for row in range(3):
        for column in range(3):
            at = (0.2 + 0.3 * column + rng.uniform(-0.02, 0.02), 0.2 + 0.3 * row + rng.uniform(-0.02, 0.02))
            name = str(rng.choice(SYMBOLS))
            symbol(face, name, at, 0.12)
            marks.append(Mark(name, (round(at[0], 4), round(at[1], 4)), 0.12))
    return face, marks


def tile_face(rng: np.random.Generator, colour: tuple[int, int, int]) -> Array:
    face = np.full((PIXELS, PIXELS, 3), colour, np.uint8)
    cv2.rectangle(face, (0, 0), (PIXELS - 1, PIXELS - 1), (25, 25, 25), 8)
    points = rng.integers(50, PIXELS - 50, (4, 2)).astype(np.int32)
    cv2.polylines(face, [points.reshape(-1, 1, 2)], False, (230, 240, 240), 9, cv2.LINE_AA)
    cv2.circle(face, (60, 170), 22, (240, 240, 230), -1, cv2.LINE_AA)
    return face


def back_face(colour: tuple[int, int, int], every: int) -> Array:
    face = np.full((PIXELS, PIXELS, 3), colour, np.uint8)
    for at in range(-PIXELS, PIXELS, every):
        cv2.line(face, (at, 0), (at + PIXELS, PIXELS), (230, 230, 230), 6, cv2.LINE_AA)
    cv2.circle(face, (PIXELS // 3, PIXELS // 4), PIXELS // 6, (230, 230, 230), -1, cv2.LINE_AA)
    return face


def write_deck(folder: Path) -> Deck:
    rng = np.random.default_rng(7)
    (folder / "faces").mkdir(parents=True)
    cv2.imwrite(str(folder / "faces" / "card-back.png"), back_face((150, 60, 60), 60))
    cv2.imwrite(str(folder / "faces" / "tile-back.png"), back_face((20, 20, 20), 90))
    lines = ["format = 1", 'name = "drawn for a test"', 'game = "any"']

    def piece(id: str, kind: str, face: Array, extra: list[str]) -> None:
        cv2.imwrite(str(folder / "faces" / f"{id}.png"), face)
        lines.extend(["", "[[piece]]", f'id = "{id}"', f'kind = "{kind}"', f'face = "faces/{id}.png"', *extra])

    for number in range(12):
        face, marks = card_face(rng)
        said = ", ".join(f'{{ name = "{m.name}", at = {list(m.at)}, radius = {m.radius} }}' for m in marks)
        piece(
            f"card-{number}",
            "card",
            face,
            ["size_mm = [60.0, 60.0]", 'back = "faces/card-back.png"', f"marks = [ {said} ]"],
        )
    spots = [
        [(0.2, 0.2), (0.8, 0.5), (0.5, 0.8)],
        [(0.5, 0.2), (0.2, 0.5), (0.8, 0.8)],
        [(0.8, 0.2), (0.5, 0.5), (0.2, 0.8)],
    ]
    for owner, colour in (("red", (50, 40, 190)), ("blue", (190, 90, 40))):
        face = tile_face(rng, colour)
        for number, holes in enumerate(spots, 1):
            said = ", ".join(f"{{ at = {list(at)}, radius = 0.12 }}" for at in holes)
            extra = ["size_mm = [60.0, 60.0]", 'back = "faces/tile-back.png"', f"holes = [ {said} ]"]
            piece(f"tile-{owner}-{number}", "sight-tile", face, extra)
    for number in range(3):
        wide = rng.integers(0, 255, (8, 6, 3), np.uint8)
        face = cv2.resize(wide, (200, 280), interpolation=cv2.INTER_CUBIC)
        piece(f"long-{number}", "long", np.asarray(face), ["size_mm = [50.0, 70.0]"])
    for number in range(3):
        face = cv2.resize(rng.integers(0, 255, (7, 7, 3), np.uint8), (PIXELS, PIXELS), interpolation=cv2.INTER_CUBIC)
        piece(f"round-{number}", "round", np.asarray(face), ["size_mm = [60.0, 60.0]", 'shape = "round"'])
    (folder / "deck.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return load(folder)


@dataclass
class Table:
    """A table seen from above, two pixels a millimetre, on which pieces are laid one by one."""

    deck: Deck
    image: Array
    laid: dict[str, Array] = field(default_factory=dict)

    def lay(self, id: str, x: float, y: float, degrees: float = 0.0, *, face_up: bool = True) -> Array:
        """Put a piece's middle at (x, y), turned clockwise. Holes show what was there. Returns its corners."""
        piece = self.deck.piece(id)
        wide, tall = piece.size_mm or (60.0, 60.0)
        a = np.deg2rad(degrees)
        turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
        half = np.array([[-wide, -tall], [wide, -tall], [wide, tall], [-wide, tall]])
        corners = (half @ turn.T + [x, y]).astype(np.float32)
        face = cv2.imread(str(self.deck.folder / str(piece.face if face_up else piece.back)))
        height, width = face.shape[:2]
        mask = np.full((height, width), 255, np.uint8)
        if piece.shape == "round":
            mask[:] = 0
            cv2.circle(mask, (width // 2, height // 2), width // 2 - 1, 255, -1)
        for hole in piece.holes:
            across = hole.at[0] if face_up else 1 - hole.at[0]
            cv2.circle(mask, (round(across * width), round(hole.at[1] * height)), round(hole.radius * width), 0, -1)
        matrix = cv2.getPerspectiveTransform(
            np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32), corners
        )
        size = self.image.shape[1::-1]
        drawn = cv2.warpPerspective(face, matrix, size, flags=cv2.INTER_AREA)
        keep = cv2.warpPerspective(mask, matrix, size)[..., None] / 255.0
        self.image = (drawn * keep + self.image * (1 - keep)).astype(np.uint8)
        self.laid[id] = corners
        return corners

    def photo(self, *, gain: float = 1.0, noise: float = 3.0, blur: float = 0.8, quality: int = 85) -> Array:
        """The table through a camera: light, blur, noise, JPEG."""
        seen = cv2.GaussianBlur(self.image, (0, 0), blur).astype(np.float32) * gain
        seen += np.random.default_rng(3).normal(0, noise, seen.shape)
        _, coded = cv2.imencode(".jpg", np.clip(seen, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, quality])
        return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)


def plain_table(deck: Deck, width: int = 900, height: int = 700) -> Table:
    grain = np.random.default_rng(5).normal(0, 4, (height, width, 1))
    return Table(deck, np.clip(np.array([70, 90, 60]) + grain, 0, 255).astype(np.uint8))


def symbol_under(deck: Deck, table: Table, tile: str, card: str) -> list[str]:
    """The symbol nearest to each hole of a laid tile, by geometry."""
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    to_card = cv2.getPerspectiveTransform(table.laid[card], unit) @ cv2.getPerspectiveTransform(unit, table.laid[tile])
    names = []
    for hole in deck.piece(tile).holes:
        point = cv2.perspectiveTransform(np.array([[hole.at]], np.float64), to_card)[0, 0]
        names.append(min(deck.piece(card).marks, key=lambda m: np.hypot(*(point - m.at))).name)
    return names


@pytest.fixture(scope="session")
def deck(tmp_path_factory: pytest.TempPathFactory) -> Deck:
    return write_deck(tmp_path_factory.mktemp("deck") / "drawn")


@pytest.fixture(scope="session")
def catalog(deck: Deck) -> Catalog:
    return build(deck)
