"""Things on the table that are no pieces to be read: each a solid body with a picture on top, but for the glass."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache

import cv2
import numpy as np

from hardware.simulated import glass, pieces
from hardware.simulated.faces import Body, Faces
from hardware.simulated.layers import Layer
from hardware.simulated.lens import Floats, Lens, turn_matrix
from hardware.simulated.light import Light
from hardware.simulated.poses import Clutter, ClutterKind, PiecePose

_TEXELS = 3.0
EXTENT: dict[ClutterKind, tuple[float, float]] = {
    "glass": (70.0, 70.0),
    "phone": (72.0, 148.0),
    "die": (16.0, 16.0),
    "cannonball": (14.0, 14.0),
    "stack": (66.0, 66.0),
    "overview": (57.0, 88.0),
    "hit-card": (63.0, 88.0),
    "pen": (9.0, 142.0),
}
"""How much room each kind takes, in mm."""


def draw(lens: Lens, light: Light, faces: Faces, thing: Clutter, level: int) -> tuple[Layer, ...]:
    """The layers of one thing; none when out of the picture."""
    if thing.kind == "glass":
        return glass.draw(lens, light, thing, level)
    if thing.kind == "stack":
        return _stack(lens, light, faces, thing, level)
    pose = PiecePose(thing.kind, thing.x_mm, thing.y_mm, thing.turn_deg)
    return pieces.draw(lens, light, _body(thing.kind, thing.variant), pose, bottom=0.0, level=level, glare=False)


def _stack(lens: Lens, light: Light, faces: Faces, thing: Clutter, level: int) -> tuple[Layer, ...]:
    """Cards face down on each other, not quite flush."""
    rng = np.random.default_rng(thing.variant)
    cards = [piece for piece in faces.deck.pieces if piece.kind != "sight-tile"] or list(faces.deck.pieces)
    back = faces.body(cards[0].id, face_up=False)
    bottom = 0.0
    layers: list[Layer] = []
    parts = int(rng.integers(1, 4))
    if thing.cards:
        parts = min(parts, thing.cards)
    for k in range(parts):
        thick = thing.cards * back.thickness / parts if thing.cards else float(rng.uniform(0.8, 4.0))
        body = replace(back, thickness=thick)
        dx, dy = turn_matrix(thing.turn_deg) @ rng.uniform(-1.6, 1.6, 2)
        pose = PiecePose("stack", thing.x_mm + dx, thing.y_mm + dy, thing.turn_deg + rng.uniform(-3, 3))
        layers += pieces.draw(lens, light, body, pose, bottom=bottom, level=level + k, glare=False)
        bottom += body.thickness
    return tuple(layers)


@lru_cache(maxsize=64)
def _body(kind: ClutterKind, variant: int) -> Body:
    width, height = EXTENT[kind]
    rng = np.random.default_rng(variant)
    shape = (round(height * _TEXELS), round(width * _TEXELS), 3)
    if kind == "cannonball":
        tone = float(rng.choice([0.012, 0.02, 0.05, 0.16]))
        return Body(np.full(shape, tone, np.float32), width, height, width / 2, 2.0, (), _grey(tone + 0.05))
    if kind == "die":
        dye = _pick(rng, [(0.75, 0.74, 0.70), (0.5, 0.03, 0.03), (0.03, 0.08, 0.4), (0.02, 0.02, 0.02)])
        return Body(_pips(np.full(shape, dye, np.float32), rng), width, height, 2.2, 16.0, (), dye * 0.8)
    if kind == "pen":
        dye = _pick(rng, [(0.02, 0.03, 0.2), (0.35, 0.02, 0.02), (0.02, 0.02, 0.02), (0.6, 0.45, 0.05)])
        across = np.linspace(-1, 1, shape[1], dtype=np.float32)
        texture = np.full(shape, dye, np.float32) * (1 - 0.7 * across**2)[None, :, None]
        texture[: shape[0] // 12] = 0.45
        return Body(texture, width, height, 4.0, 8.0, (), dye)
    if kind == "phone":
        return Body(_screen(shape, rng), width, height, 9.0, 8.0, (), _grey(0.03))
    texture = _overview(shape, rng) if kind == "overview" else _hit_card(shape, rng)
    return Body(texture, width, height, 3.0, 0.4, (), _grey(0.6))


def _grey(tone: float) -> Floats:
    return np.full(3, tone, np.float32)


def _pick(rng: np.random.Generator, inks: list[tuple[float, float, float]]) -> Floats:
    return np.array(inks[int(rng.integers(len(inks)))][::-1], np.float32)


def _pips(texture: Floats, rng: np.random.Generator) -> Floats:
    size = texture.shape[0]
    ink = 0.02 if float(texture.mean()) > 0.1 else 0.75
    spots = {
        1: [(0, 0)],
        2: [(-1, -1), (1, 1)],
        3: [(-1, -1), (0, 0), (1, 1)],
        4: [(-1, -1), (1, 1), (-1, 1), (1, -1)],
        5: [(-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)],
        6: [(-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0)],
    }
    for x, y in spots[int(rng.integers(1, 7))]:
        place = (round(size * (0.5 + 0.27 * x)), round(size * (0.5 + 0.27 * y)))
        cv2.circle(texture, place, round(size * 0.09), (ink, ink, ink), -1, cv2.LINE_AA)
    return texture


def _screen(shape: tuple[int, int, int], rng: np.random.Generator) -> Floats:
    """A phone: dark glass, or lit with a picture and rows of icons."""
    texture = np.full(shape, 0.015, np.float32)
    edge = round(4 * _TEXELS)
    inner = texture[edge:-edge, edge:-edge]
    if rng.random() < 0.5:
        down = np.linspace(0, 1, inner.shape[0], dtype=np.float32)[:, None, None]
        inner[:] = rng.uniform(0.1, 0.9, 3).astype(np.float32) * (1 - down) + rng.uniform(0.1, 0.9, 3) * down
        for row in range(5):
            for column in range(4):
                x, y = (0.14 + 0.24 * column) * inner.shape[1], (0.12 + 0.15 * row) * inner.shape[0]
                colour = rng.uniform(0, 1, 3).tolist()
                cv2.circle(inner, (round(x), round(y)), round(4.5 * _TEXELS), colour, -1, cv2.LINE_AA)
    return texture


def _overview(shape: tuple[int, int, int], rng: np.random.Generator) -> Floats:
    """A card of small print: icons with lines of text beside them."""
    paper = rng.uniform(0.55, 0.8)
    texture = np.full(shape, (paper * 0.85, paper * 0.95, paper), np.float32)
    height, width = shape[:2]
    for row in range(7):
        y = round(height * (0.1 + 0.125 * row))
        colour = rng.uniform(0.02, 0.5, 3).tolist()
        cv2.circle(texture, (round(width * 0.15), y), round(width * 0.07), colour, -1, cv2.LINE_AA)
        for line in (-1, 0, 1):
            end = round(width * rng.uniform(0.6, 0.93))
            cv2.line(texture, (round(width * 0.3), y + 8 * line), (end, y + 8 * line), (0.1, 0.1, 0.1), 2, cv2.LINE_AA)
    cv2.rectangle(texture, (4, 4), (width - 5, height - 5), (0.2, 0.25, 0.3), 3, cv2.LINE_AA)
    return texture


def _hit_card(shape: tuple[int, int, int], rng: np.random.Generator) -> Floats:
    """A Hit card for decks that bring none: nine numbered spaces, some under Cannonball tiles."""
    ink = _pick(rng, [(0.5, 0.04, 0.05), (0.65, 0.42, 0.04), (0.03, 0.10, 0.42)])
    texture = np.full(shape, ink, np.float32)
    height, width = shape[:2]
    cv2.circle(texture, (width // 2, round(height * 0.17)), round(width * 0.2), (0.6, 0.68, 0.72), -1, cv2.LINE_AA)
    balls = int(rng.integers(0, 6))
    numbers = np.zeros(shape, np.uint8)
    for k in range(9):
        place = (round(width * (0.2 + 0.3 * (k % 3))), round(height * (0.44 + 0.2 * (k // 3))))
        tone = 0.02 if k < balls else 0.7
        cv2.circle(texture, place, round(width * 0.11), (tone, tone, tone), -1, cv2.LINE_AA)
        if k >= balls:
            corner = (place[0] - round(width * 0.05), place[1] + round(width * 0.06))
            cv2.putText(numbers, str(9 - k), corner, cv2.FONT_HERSHEY_SIMPLEX, width / 220, (255, 255, 255), 3)
    texture[numbers > 127] = 0.02
    angle = math.radians(float(rng.uniform(-20, 20)))
    nose = (round(width / 2 + 20 * math.sin(angle)), round(height * 0.17))
    cv2.circle(texture, nose, round(width * 0.05), (0.05, 0.05, 0.05), -1, cv2.LINE_AA)
    return texture
