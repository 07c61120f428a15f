"""Draw what was seen over a picture, for people and for finding faults."""

from __future__ import annotations

import cv2
import numpy as np

from companion.world import Image, Sighting
from vision.geometry import from_quad

SURE, UNSURE, UNKNOWN = (80, 200, 80), (60, 170, 250), (160, 160, 160)


def draw(image: Image, sightings: tuple[Sighting, ...]) -> Image:
    """A copy of the picture with each sighting's outline, its top side marked, its name and its symbols."""
    drawn = image.copy()
    thick = max(1, round(max(image.shape[:2]) / 640))
    for sighting in sightings:
        corners = np.round(from_quad(sighting.corners)).astype(np.int32)
        colour = UNKNOWN if sighting.id is None else SURE if sighting.sure else UNSURE
        cv2.polylines(drawn, [corners.reshape(-1, 1, 2)], True, colour, thick, cv2.LINE_AA)
        cv2.line(drawn, tuple(map(int, corners[0])), tuple(map(int, corners[1])), colour, 3 * thick, cv2.LINE_AA)
        name = sighting.id or ("?" if sighting.face_up else "(back)")
        lines = [f"{name} {sighting.confidence:.2f}"]
        lines += [f"{reading.symbol} {reading.confidence:.2f}" for reading in sighting.holes]
        x, y = (int(value) for value in corners.min(axis=0))
        for number, line in enumerate(lines):
            at = (max(x, 2), max(y - 4, 12) + number * 14 * thick)
            for ink, width in (((0, 0, 0), 3 * thick), ((255, 255, 255), thick)):
                cv2.putText(drawn, line, at, cv2.FONT_HERSHEY_SIMPLEX, 0.4 * thick, ink, width, cv2.LINE_AA)
    return drawn
