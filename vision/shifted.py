"""Two pictures of a pile, before and after hands were at it, with the same face on top: did another card come?

Everything is measured in the frame of the card that was uppermost before: millimetres from its middle, x along its
upper side. A card that has come leaves the old one lying beneath: where the old outline sticks out beyond the new one,
the old card is still to be seen as it was. Whatever was only pushed has taken its rim along.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.world import Image
from vision.colour import compress
from vision.geometry import Array, Matrix

PER_MM = 2.5
"""Pixels a millimetre of the rectified pictures."""
MARGIN_MM = 16.0
"""How far around the card is looked."""
RIM_MM = 0.35
"""Around the new outline nothing is compared: its edge and shadow are new in any case."""
EDGE_MM = 1.6
"""So far around the old outline its edge and shadow reach."""
SHADE_MM, SHADE = 1.6, 0.3
"""So near to the new card its shadow may lie on what is below, and so dark (logarithm)."""
CAP = 0.35
"""Differences (of logarithms) above this are all alike."""
MOST = 2000
"""Pixels of a rim that are compared."""
SHOVES_MM = 6.0
"""A card that lands shoves those below it by no more than this."""

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Move:
    """A rigid movement: ``x``, ``y`` in mm, ``turn`` in radians about the middle of the old card."""

    x: float
    y: float
    turn: float

    @property
    def mm(self) -> float:
        """How far the middle moved."""
        return math.hypot(self.x, self.y)

    @property
    def deg(self) -> float:
        """How far it turned, 0 to 180."""
        return abs(math.degrees(math.remainder(self.turn, 2 * math.pi)))

    def matrix(self) -> Matrix:
        """3 x 3, from where a point was to where it is."""
        c, s = math.cos(self.turn), math.sin(self.turn)
        return np.array([[c, -s, self.x], [s, c, self.y], [0, 0, 1.0]])


@dataclass(frozen=True)
class Evidence:
    """What the rims say. Differences are means of logarithms, 0 (alike) to ``CAP``.

    ``stayed``: how far what sticks out of the new outline differs from the old card lying where it lay; ``went``: from
    what a pile that was pushed would show there; ``under``: from what lay there before the old card came. ``area``: how
    much of the old card sticks out, mm². ``noise``: how far places differ that surely did not change.
    """

    move: Move
    likeness: float
    stayed: float
    went: float
    under: float
    area: float
    noise: float


class Rectified:
    """Pictures seen in the frame of a card: ``corners`` (4 x 2 pixels) are where it lies, ``size`` its mm."""

    def __init__(self, corners: Array, size: tuple[float, float]) -> None:
        self.size = size
        self.width = round((size[0] + 2 * MARGIN_MM) * PER_MM)
        self.height = round((size[1] + 2 * MARGIN_MM) * PER_MM)
        half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(size) / 2
        self.to_pixels = cv2.getPerspectiveTransform(half.astype(np.float32), corners.astype(np.float32))
        self.from_crop = np.array(
            [
                [1 / PER_MM, 0, (0.5 - self.width / 2) / PER_MM],
                [0, 1 / PER_MM, (0.5 - self.height / 2) / PER_MM],
                [0, 0, 1],
            ]
        )
        y, x = np.mgrid[: self.height, : self.width]
        self.x: Floats = ((x + 0.5 - self.width / 2) / PER_MM).astype(np.float32)
        self.y: Floats = ((y + 0.5 - self.height / 2) / PER_MM).astype(np.float32)

    def cut(self, picture: Image, move: Move | None = None) -> Image:
        """The picture in the card's frame, or in that of a card which lies moved like that."""
        matrix = self.to_pixels @ (self.from_crop if move is None else move.matrix() @ self.from_crop)
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        size = (self.width, self.height)
        return np.asarray(cv2.warpPerspective(picture, matrix, size, flags=flags, borderMode=cv2.BORDER_REPLICATE))

    def shown(self, crop: Floats, move: Move, where: NDArray[np.bool_]) -> Floats:
        """What a crop would show at some places (n x 3) if all of it had moved."""
        if not where.any():
            return np.zeros((0, 3), np.float32)
        back = np.linalg.inv(move.matrix())
        x, y = self.x[where], self.y[where]
        across = (back[0, 0] * x + back[0, 1] * y + back[0, 2]) * PER_MM + (self.width / 2 - 0.5)
        along = (back[1, 0] * x + back[1, 1] * y + back[1, 2]) * PER_MM + (self.height / 2 - 0.5)
        found = cv2.remap(
            crop, across.astype(np.float32), along.astype(np.float32), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(found, np.float32).reshape(-1, 3)

    def outside(self, move: Move) -> Floats:
        """How far (mm, negative within) each place is outside of the card after a move."""
        c, s = math.cos(move.turn), math.sin(move.turn)
        dx, dy = self.x - move.x, self.y - move.y
        across, along = np.abs(c * dx + s * dy) - self.size[0] / 2, np.abs(c * dy - s * dx) - self.size[1] / 2
        return np.asarray(np.maximum(across, along), np.float32)

    def guess(self, corners: Array) -> Move:
        """The move that leads to corners in the picture."""
        flat = np.linalg.inv(self.to_pixels) @ np.column_stack([corners, np.ones(4)]).T
        at = (flat[:2] / flat[2]).T
        middle = at.mean(axis=0)
        half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(self.size) / 2
        about = at - middle
        turn = math.atan2(
            float((half[:, 0] * about[:, 1] - half[:, 1] * about[:, 0]).sum()), float((half * about).sum())
        )
        return Move(float(middle[0]), float(middle[1]), turn)


def compare(
    before: Image,
    after: Image,
    corners: Array,
    corners_after: Array,
    size: tuple[float, float],
    *,
    earlier: Image | None = None,
    corners_then: Array | None = None,
    hidden: NDArray[np.uint8] | None = None,
) -> Evidence:
    """Weigh two pictures of the same part of the table. ``corners`` and ``corners_after`` are the uppermost card's in
    both; ``earlier`` shows the pile before that card came, which first lay at ``corners_then`` (as in ``before``, if
    not given). ``hidden`` (0/255) is what hands hide in any of them."""
    frame = Rectified(corners, size)
    then, now = frame.cut(before), frame.cut(after)
    move, likeness = registered(frame, then, after, frame.guess(corners_after), hidden)
    a, b = _light_free(now), _light_free(then)
    seen = np.ones(a.shape[:2], bool) if hidden is None else frame.cut(hidden) < 8
    out_new, out_old = frame.outside(move), frame.outside(Move(0, 0, 0))
    inner = (out_new < -3) & seen
    b = b + _gain(a[inner], frame.shown(b, move, inner))
    around = (out_new > RIM_MM) & seen
    sticking = around & (out_old < 0)
    area = float(np.count_nonzero(sticking)) / PER_MM**2
    band = around & (out_old < EDGE_MM)
    near = band & _grown(sticking)
    if np.count_nonzero(near) >= 20:
        band = near
    far = around & (out_old > EDGE_MM)
    # What was pushed differs around the card as well: most of what is seen there is the table.
    noise = 1.2 * float(np.median(_differs(a[far], b[far]))) if far.any() else CAP
    if np.count_nonzero(band) < 20:
        return Evidence(move, likeness, CAP, CAP, CAP, area, noise)
    band = _thinned(band)
    here = a[band]
    shaded = np.where(out_new[band] < SHADE_MM, np.float32(SHADE), np.float32(0))
    still = _differs(here, b[band], shaded)
    stayed = _shoved(frame, here, b, band, still, shaded, move)
    went = _differs(here, frame.shown(b, move, band), shaded)
    under = went
    if earlier is not None:
        c = _light_free(frame.cut(earlier))
        c = c + _gain(a[far], c[far])
        under = np.minimum(under, _differs(here, c[band], shaded))
        if corners_then is not None:
            # The pile may have been pushed since the card came, and the cards just below it now.
            along = _light_free(frame.cut(earlier, frame.guess(corners_then)))
            along = along + _gain(a[far], along[far])
            under = np.minimum(under, _differs(here, along[band], shaded))
            under = np.minimum(under, _differs(here, frame.shown(along, move, band), shaded))
    return Evidence(move, likeness, stayed, float(went.mean()), float(under.mean()), area, noise)


def _thinned(places: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """At most ``MOST`` of the places, evenly spread."""
    every = -(-np.count_nonzero(places) // MOST)
    if every <= 1:
        return places
    some = np.zeros(places.size, bool)
    some[np.flatnonzero(places)[::every]] = True
    return some.reshape(places.shape)


def _grown(places: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The neighbourhood of where the old card sticks out beyond the new one."""
    reach = round(2 * EDGE_MM * PER_MM) | 1
    return np.asarray(cv2.dilate(places.astype(np.uint8), np.ones((reach, reach), np.uint8)) > 0)


def registered(
    frame: Rectified, then: Image, after: Image, guess: Move, hidden: NDArray[np.uint8] | None = None
) -> tuple[Move, float]:
    """How the card moved, to a small part of a pixel, and how alike it looks there (correlation). ``hidden`` (0/255) is
    what hands hide of the picture after."""
    x, y = np.abs(frame.x) < frame.size[0] / 2 - 2, np.abs(frame.y) < frame.size[1] / 2 - 2
    mask = (x & y).astype(np.uint8) * np.uint8(255)
    if hidden is not None:
        mask[frame.cut(hidden, guess) >= 8] = 0
        if np.count_nonzero(mask) < 0.15 * np.count_nonzero(x & y):
            return guess, -1.0
    one, other = (cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY) for picture in (then, frame.cut(after, guess)))
    criteria = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 30, 1e-4)
    try:
        score, warp = cv2.findTransformECC(
            one, other, np.eye(2, 3, dtype=np.float32), cv2.MOTION_EUCLIDEAN, criteria, mask, 3
        )
    except cv2.error:
        return guess, -1.0
    whole = guess.matrix() @ frame.from_crop @ np.vstack([warp, [0, 0, 1]]) @ np.linalg.inv(frame.from_crop)
    found = Move(float(whole[0, 2]), float(whole[1, 2]), math.atan2(whole[1, 0], whole[0, 0]))
    return found, float(score)


def _shoved(
    frame: Rectified, here: Floats, b: Floats, band: NDArray[np.bool_], still: Floats, shaded: Floats, move: Move
) -> float:
    """How far what shows at ``band`` differs from the old card beneath the new one: where it lay, or shoved a little,
    but never along with the uppermost."""
    least, best = float(still.mean()), Move(0, 0, 0)
    unshoved = least
    for step, turn in ((2.0, 0.02), (1.0, 0.01), (0.5, 0.006), (0.25, 0.003)):
        start = best
        for x in (-step, 0.0, step):
            for y in (-step, 0.0, step):
                for spin in (-turn, 0.0, turn) if step < 2 else (0.0,):
                    trial = Move(start.x + x, start.y + y, start.turn + spin)
                    if trial.mm > SHOVES_MM or math.hypot(trial.x - move.x, trial.y - move.y) < 1.2:
                        continue
                    error = float(np.minimum(still, _differs(here, frame.shown(b, trial, band), shaded)).mean())
                    if error < least:
                        least, best = error, trial
        if least > 0.9 * unshoved and step <= 1:
            break
    return least if least < 0.8 * unshoved else unshoved


def _light_free(picture: Image) -> Floats:
    return np.asarray(compress(np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.8), np.uint8)), np.float32)


def _gain(a: Floats, b: Floats) -> Floats:
    """What must be added to ``b`` (n x 3) so that it is as bright as ``a``."""
    if len(a) < 50:
        return np.zeros(3, np.float32)
    return np.asarray(np.median(a - b, axis=0), np.float32)


def _differs(a: Floats, b: Floats, shaded: Floats | float = 0.0) -> Floats:
    """How far colours (n x 3) differ; ``shaded`` is by how much a shadow may darken each of ``a``."""
    apart = a - b
    shade = np.clip(-_middle(apart), 0, shaded)
    lit = np.abs(apart + shade[:, None])
    return np.asarray(np.minimum(np.maximum(np.maximum(lit[:, 0], lit[:, 1]), lit[:, 2]), CAP), np.float32)


def _middle(values: Floats) -> Floats:
    """The median of three (n x 3); much faster than sorting."""
    a, b, c = values[:, 0], values[:, 1], values[:, 2]
    return np.asarray(np.maximum(np.minimum(a, b), np.minimum(np.maximum(a, b), c)), np.float32)
