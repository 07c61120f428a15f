"""Which of several cards that lie over each other is uppermost: where two share a place, the one that is seen there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.world import Image
from vision.catalog import Catalog
from vision.colour import compress
from vision.geometry import Array
from vision.track import Corners

LEAST = 150
"""Pixels that two cards must share for it to be seen which lies on the other."""
CLEARLY = 0.15
"""By so much the upper one must be more like what is seen there (correlation)."""
RIM = 0.93
"""Part of a card that is compared: its edge may be off by a little."""

Arts = Mapping[str, Image]


def arts_of(catalog: Catalog | None) -> Arts:
    """The fronts of a deck by their ids."""
    return {} if catalog is None else {face.piece.id: face.large for face in catalog.faces if face.up}


def lies_on(
    picture: Image, upper: tuple[str, Corners], lower: tuple[str, Corners], arts: Arts, hidden: Image | None = None
) -> bool:
    """Whether one card (id, corners in the picture) surely lies on another: where they overlap it is the one that is
    seen. ``hidden`` (0/255) is what hands cover. False where they do not meet, or cannot be told apart."""
    if upper[0] not in arts or lower[0] not in arts:
        return False
    low = np.floor(np.maximum(upper[1].min(axis=0), lower[1].min(axis=0))).astype(int).clip(0)
    high = np.ceil(np.minimum(upper[1].max(axis=0), lower[1].max(axis=0))).astype(int) + 1
    high = np.minimum(high, (picture.shape[1], picture.shape[0]))
    if (high - low).min() < 3:
        return False
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    shared = _inside(upper[1] - low, size) & _inside(lower[1] - low, size)
    if hidden is not None:
        shared &= hidden[low[1] : high[1], low[0] : high[0]] == 0
    if np.count_nonzero(shared) < LEAST:
        return False
    seen = compress(np.asarray(cv2.GaussianBlur(picture[low[1] : high[1], low[0] : high[0]], (0, 0), 1.0)))[shared]
    one, other = (_likeness(seen, _drawn(arts[id], quad - low, size)[shared]) for id, quad in (upper, lower))
    return one > other + CLEARLY


def resemblance(picture: Image, card: tuple[str, Corners], arts: Arts, hidden: Image | None = None) -> float:
    """How alike (correlation, -1 to 1) a card (id, corners in the picture) and what is seen at its place are, where no
    hand hides it (``hidden``, 0/255). 0 where too little is seen, or the card's face is not known."""
    low = np.floor(card[1].min(axis=0)).astype(int).clip(0)
    high = np.minimum(np.ceil(card[1].max(axis=0)).astype(int) + 1, (picture.shape[1], picture.shape[0]))
    if card[0] not in arts or (high - low).min() < 3:
        return 0.0
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    open = _inside(card[1] - low, size)
    if hidden is not None:
        open &= hidden[low[1] : high[1], low[0] : high[0]] == 0
    if np.count_nonzero(open) < LEAST:
        return 0.0
    seen = compress(np.asarray(cv2.GaussianBlur(picture[low[1] : high[1], low[0] : high[0]], (0, 0), 1.0)))[open]
    return _likeness(seen, _drawn(arts[card[0]], card[1] - low, size)[open])


def not_beneath(
    picture: Image,
    cards: Sequence[tuple[str, Corners]],
    others: Sequence[tuple[str, Corners]],
    arts: Arts,
    hidden: Image | None = None,
) -> list[int]:
    """The indices of those cards on which surely none of the others lies."""  # fmt: skip
    return [
        k
        for k, card in enumerate(cards)
        if not any(other is not card and lies_on(picture, other, card, arts, hidden) for other in others)
    ]


def _inside(quad: Corners, size: tuple[int, int]) -> NDArray[np.bool_]:
    mask = np.zeros((size[1], size[0]), np.uint8)
    middle = quad.mean(axis=0)
    cv2.fillConvexPoly(mask, np.round(middle + (quad - middle) * RIM).astype(np.int32), 1)
    return mask > 0


def _drawn(art: Image, quad: Corners, size: tuple[int, int]) -> Array:
    """A face where it lies, as it would be seen there."""
    height, width = art.shape[:2]
    scale = float(np.linalg.norm(quad[1] - quad[0])) / width
    if scale < 0.7:
        art = np.asarray(cv2.resize(art, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
        height, width = art.shape[:2]
    own = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(own, quad.astype(np.float32))
    drawn = cv2.warpPerspective(art, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return compress(np.asarray(cv2.GaussianBlur(drawn, (0, 0), 1.0), np.uint8))


def _likeness(seen: Array, art: Array) -> float:
    """Correlation of colours (n x 3), each channel's mean taken away: light is even where two cards meet."""
    a, b = seen - seen.mean(axis=0), art - art.mean(axis=0)
    return float((a * b).sum() / max(float(np.sqrt((a * a).sum() * (b * b).sum())), 1e-6))
