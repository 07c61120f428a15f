"""Cutting the picture of a doubt out of a frame: the piece in question, upright, with a margin."""

from __future__ import annotations

import cv2
import numpy as np

from companion.core.facts import Question
from companion.world import Quad, Scene, Sighting

SIDE = 320
"""Pixels of the longer side of the piece in the picture."""

MARGIN = 0.2
"""Of the piece's side, added all around, so that one sees what lies beneath and beside."""


def subject(question: Question, scene: Scene) -> Sighting | None:
    """The piece in this scene that a question is about: its tile, else its card."""
    for role in ("tile", "card"):
        id = question.about.get(role)
        if id is not None:
            for sighting in scene.sightings:
                if sighting.id == id:
                    return sighting
    return None


def cut(jpeg: bytes, corners: Quad) -> bytes | None:
    """The piece with these corners as an upright JPEG; None where the frame cannot be read or the corners are flat."""
    image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    quad = np.asarray(corners, np.float32)
    if image is None or cv2.contourArea(quad) < 1.0:
        return None
    width = (np.linalg.norm(quad[1] - quad[0]) + np.linalg.norm(quad[2] - quad[3])) / 2
    height = (np.linalg.norm(quad[3] - quad[0]) + np.linalg.norm(quad[2] - quad[1])) / 2
    scale = SIDE / max(width, height)
    w, h = width * scale, height * scale
    x, y = w * MARGIN, h * MARGIN
    upright = np.asarray([(x, y), (x + w, y), (x + w, y + h), (x, y + h)], np.float32)
    warp = cv2.getPerspectiveTransform(quad, upright)
    size = (round(w + 2 * x), round(h + 2 * y))
    picture = cv2.warpPerspective(image, warp, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 88])
    return data.tobytes() if done else None
