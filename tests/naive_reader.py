"""The naive reader: what anybody would write first. The simulated table must not be easier for it than real light.

Quads from Canny edges and from what differs from the background's colour; each is dewarped and compared by NCC,
holes masked, with every face of the deck in four turns.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np

from companion.deck import Deck

SIDE = 48
KINDS = ("target-card", "sight-tile")


@dataclass
class Found:
    id: str
    corners: np.ndarray
    score: float


class NaiveReader:
    def __init__(self, deck: Deck) -> None:
        self.names: list[tuple[str, int]] = []
        rows, masks = [], []
        for piece in deck.pieces:
            if piece.kind not in KINDS:
                continue
            face = cv2.imread(str(deck.folder / piece.face), cv2.IMREAD_COLOR)
            face = cv2.resize(face, (SIDE, SIDE), interpolation=cv2.INTER_AREA).astype(np.float32)
            mask = np.ones((SIDE, SIDE), np.float32)
            for hole in piece.holes:
                at = (round(hole.at[0] * SIDE), round(hole.at[1] * SIDE))
                cv2.circle(mask, at, round(hole.radius * SIDE) + 1, 0, -1)
            for turn in range(4):
                its = np.repeat(np.rot90(mask, -turn)[..., None], 3, axis=2)
                turned = np.rot90(face, -turn)
                mean = (turned * its).sum((0, 1)) / its.sum((0, 1))
                for level in (mean.mean(), mean):  # with its colour, and without
                    row = ((turned - level) * its).ravel()
                    rows.append(row / (np.linalg.norm(row) + 1e-6))
                masks.append(its.ravel())
                self.names.append((piece.id, turn))
        self.rows, self.masks = np.array(rows, np.float32), np.array(masks, np.float32)
        self.counts = self.masks.sum(1)

    def read(self, image: np.ndarray) -> list[Found]:
        """All quads that look like a piece, the best face of each."""
        grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        quads = self._apart(_edge_quads(grey) + _background_quads(image))
        kept: list[Found] = []
        for found in sorted((self._name(image, quad) for quad in quads), key=lambda f: -f.score):
            if found.score > 0.25 and all(
                np.hypot(*(found.corners.mean(0) - other.corners.mean(0))) > 40 for other in kept
            ):
                kept.append(found)
        return kept

    def _name(self, image: np.ndarray, quad: np.ndarray) -> Found:
        target = np.array([[0, 0], [SIDE, 0], [SIDE, SIDE], [0, SIDE]], np.float32) - 0.5
        matrix = cv2.getPerspectiveTransform(quad.astype(np.float32), target)
        crop = cv2.warpPerspective(image, matrix, (SIDE, SIDE), flags=cv2.INTER_AREA).astype(np.float32).ravel()
        power, sums = self.masks @ (crop * crop), (self.masks.reshape(-1, SIDE * SIDE, 3) * crop.reshape(-1, 3)).sum(1)
        tinted = power - sums.sum(1) ** 2 / self.counts
        plain = power - (sums**2).sum(1) / (self.counts / 3)
        scores = (self.rows @ crop).reshape(-1, 2) / np.sqrt(np.maximum(np.stack([tinted, plain], 1), 1))
        scores = scores.mean(1)
        best = int(scores.argmax())
        name, turn = self.names[best]
        return Found(name, np.roll(quad, -turn, axis=0), float(scores[best]))

    def _apart(self, quads: list[np.ndarray]) -> list[np.ndarray]:
        """Without those that are nearly the same."""
        kept: list[np.ndarray] = []
        for quad in quads:
            if all(np.abs(quad - other).max() > 4 for other in kept):
                kept.append(quad)
        return kept


def _edge_quads(grey: np.ndarray) -> list[np.ndarray]:
    quads = []
    for sigma, low, high in ((1.2, 30, 90), (1.2, 15, 45), (2.0, 60, 150)):
        edges = cv2.Canny(cv2.GaussianBlur(grey, (0, 0), sigma), low, high)
        edges = cv2.morphologyEx(edges, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
        contours = cv2.findContours(edges, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)[-2]
        quads += [quad for contour in contours if (quad := _quad(contour)) is not None]
    return quads


def _background_quads(image: np.ndarray) -> list[np.ndarray]:
    lab = cv2.cvtColor(cv2.GaussianBlur(image, (0, 0), 2), cv2.COLOR_BGR2LAB).astype(np.float32)
    small = lab[::8, ::8].reshape(-1, 3)
    distance = np.linalg.norm(lab - np.median(small, axis=0), axis=2)
    quads = []
    for limit in (18, 30, 45):
        mask = cv2.morphologyEx((distance > limit).astype(np.uint8), cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
        contours = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[-2]
        quads += [quad for contour in contours if (quad := _quad(contour)) is not None]
    return quads


def _quad(contour: np.ndarray) -> np.ndarray | None:
    hull = cv2.convexHull(contour)
    if not 80**2 < cv2.contourArea(hull) < 210**2:
        return None
    shape = cv2.approxPolyDP(hull, 0.05 * cv2.arcLength(hull, True), True).reshape(-1, 2).astype(np.float64)
    if len(shape) != 4:
        return None
    sides = [math.dist(shape[i], shape[i - 1]) for i in range(4)]
    if max(sides) > 1.25 * min(sides):
        return None
    across = shape - shape.mean(0)
    return shape[np.argsort(np.arctan2(across[:, 1], across[:, 0]))]


def score(found: list[Found], pieces: list[dict]) -> tuple[int, int, int]:
    """Of the visible pieces ({"id", "corners", "over"?, "hidden"?}): how many, how many found, how many right."""
    covered = {p["over"] for p in pieces if p.get("over")}
    visible = [p for p in pieces if p["id"] not in covered and not p.get("hidden")]
    seen = right = 0
    for p in visible:
        corners = np.array(p["corners"], np.float64)
        best = max(found, key=lambda f: overlap(f.corners, corners), default=None)
        if best is None or overlap(best.corners, corners) < 0.6:
            continue
        seen += 1
        side = math.dist(corners[0], corners[1])
        right += best.id == p["id"] and float(np.abs(best.corners - corners).max()) < 0.2 * side
    return len(visible), seen, right


def overlap(a: np.ndarray, b: np.ndarray) -> float:
    """Intersection over union of two quads."""
    hulls = [cv2.convexHull(q.astype(np.float32).reshape(-1, 1, 2)) for q in (a, b)]
    common = cv2.intersectConvexConvex(*hulls)[0]
    return float(common / (cv2.contourArea(hulls[0]) + cv2.contourArea(hulls[1]) - common + 1e-9))
