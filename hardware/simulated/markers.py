"""Four ArUco markers on the table's corners, as ``vision.plane`` wants them: printed squares on paper."""

from __future__ import annotations

import cv2
import numpy as np

from hardware.simulated import pieces
from hardware.simulated.faces import Body
from hardware.simulated.layers import cut
from hardware.simulated.lens import Floats, Lens
from hardware.simulated.light import Light
from hardware.simulated.poses import PiecePose

SIDE_MM = 40.0
WIDTH_MM, HEIGHT_MM = 600.0, 400.0
"""The black squares' side, and the rectangle on whose corners their middles lie: 0 top-left, then clockwise."""
CARD_PX = (101.0, 107.0)
"""With markers the camera looks at more of the table, so cards are smaller."""
_PAPER_MM = 54.0
_CELLS = 6


def places() -> tuple[tuple[float, float], ...]:
    """The middles of markers 0 to 3 in table millimetres."""
    x, y = WIDTH_MM / 2, HEIGHT_MM / 2
    return (-x, -y), (x, -y), (x, y), (-x, y)


def all_seen(lens: Lens) -> bool:
    """Whether the four markers lie inside the picture, with some paper around them."""
    reach = _PAPER_MM / 2
    corners = [(x + i * reach, y + j * reach, 0.0) for x, y in places() for i in (-1, 1) for j in (-1, 1)]
    pixels = lens.project(np.array(corners))
    return bool((pixels > 2).all() and (pixels < np.array(lens.size) - 3).all())


def lay(lit: Floats, lens: Lens, light: Light) -> None:
    """Put the markers onto the lit table (changed in place)."""
    for number, (x, y) in enumerate(places()):
        body = Body(_print(number), _PAPER_MM, _PAPER_MM, 0.5, 0.1, (), np.full(3, 0.7, np.float32))
        pose = PiecePose(f"marker-{number}", x, y)
        for layer in pieces.draw(lens, light, body, pose, bottom=0.0, level=0, glare=False):
            part = cut(lit, layer.rect)
            part *= layer.keep * (1 if layer.shade is None else layer.shade)
            part += layer.colour


def _print(number: int) -> Floats:
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    square = cv2.aruco.generateImageMarker(dictionary, number, _CELLS * 24)
    margin = round(_CELLS * 24 * (_PAPER_MM / SIDE_MM - 1) / 2)
    paper = cv2.copyMakeBorder(square, margin, margin, margin, margin, cv2.BORDER_CONSTANT, value=(255,))
    grey = np.where(paper > 127, np.float32(0.78), np.float32(0.03))
    return np.repeat(grey[..., None], 3, axis=2)
