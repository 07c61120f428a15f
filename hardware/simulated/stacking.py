"""How high each piece lies: on the table, or on what it overlaps of the levels below."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from hardware.simulated.faces import Faces, size_of, thickness_of
from hardware.simulated.lens import outline
from hardware.simulated.poses import PiecePose


def undersides(pieces: Sequence[PiecePose], faces: Faces) -> list[float]:
    """The height of each piece's underside in mm, its lift included."""
    heights = [0.0] * len(pieces)
    order = sorted(range(len(pieces)), key=lambda i: pieces[i].level)
    for i in order:
        base = 0.0
        for j in order:
            if (
                pieces[j].level < pieces[i].level
                and pieces[j].lift_mm <= 0
                and overlap_mm2(pieces[i], pieces[j], faces) > 20
            ):
                base = max(base, heights[j] + thickness_of(faces.piece(pieces[j].id)))
        heights[i] = base + pieces[i].lift_mm
    return heights


def overlap_mm2(a: PiecePose, b: PiecePose, faces: Faces) -> float:
    """The area that two pieces share seen from above (as rectangles)."""
    one, other = size_of(faces.piece(a.id)), size_of(faces.piece(b.id))
    if np.hypot(a.x_mm - b.x_mm, a.y_mm - b.y_mm) > (np.hypot(*one) + np.hypot(*other)) / 2:
        return 0.0
    quads = [outline(p.x_mm, p.y_mm, p.turn_deg, *size)[:, :2].astype(np.float32) for p, size in ((a, one), (b, other))]
    return float(cv2.intersectConvexConvex(quads[0], quads[1])[0])
