"""What is true of a rendered frame: outlines in pixels, what lies on what, what shows through the holes.

Which symbol shows through a hole is a matter of where tile and card lie on each other, so ``shares`` is measured
straight from above: it does not depend on where the camera hangs. ``seen`` is the same as the camera sees it.
"""

from __future__ import annotations

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.deck import Piece
from companion.discs import Disc, disc_share
from companion.world import NOTHING, Quad
from hardware.simulated import tilted
from hardware.simulated.faces import Faces, size_of, thickness_of
from hardware.simulated.lens import Floats, Lens, outline, turn_matrix
from hardware.simulated.poses import PiecePose, TablePose
from hardware.simulated.stacking import overlap_mm2, undersides


class PieceTruth(msgspec.Struct, frozen=True, omit_defaults=True):
    """One piece of a frame. ``corners`` are pixels of its top in the face's own order (a piece that lies face
    down: as its back is printed), ``hidden`` the share of its outline that hands, and what they carry, cover."""

    id: str
    kind: str
    corners: Quad
    corners_mm: Quad
    face_up: bool = True
    over: str | None = None
    covered_by: str | None = None
    symbols: tuple[str, ...] = ()
    shares: tuple[float, ...] = ()
    seen: tuple[float, ...] = ()
    hidden: float = 0.0
    in_picture: float = 1.0
    """Share of the outline that lies inside the frame."""
    held: bool = False


class TableTruth(msgspec.Struct, frozen=True):
    """All pieces of a frame, in the order of its pose."""

    pieces: tuple[PieceTruth, ...]

    def piece(self, id: str) -> PieceTruth:
        """The first piece with that id; KeyError where there is none."""
        for piece in self.pieces:
            if piece.id == id:
                return piece
        raise KeyError(id)


def table_truth(
    pose: TablePose, faces: Faces, lens: Lens, hands: Floats | None = None, covered: Floats | None = None
) -> TableTruth:
    """The truth about a frame. ``hands`` is how much of each pixel hands cover, ``covered`` with what they carry."""
    bottoms = undersides(pose.pieces, faces)
    under = [_below(i, pose.pieces, faces) for i in range(len(pose.pieces))]
    found = []
    for i, (piece, bottom) in enumerate(zip(pose.pieces, bottoms, strict=True)):
        kind = faces.piece(piece.id)
        top = bottom + thickness_of(kind)
        if piece.tilt_deg:
            corners = tilted.corners(piece, *size_of(kind), bottom)
        else:
            corners = outline(piece.x_mm, piece.y_mm, piece.turn_deg, *size_of(kind), z=top)
        pixels = lens.project(corners)
        hidden, inside = _hidden(pixels, hands if piece.lift_mm > 0 else covered, lens)
        over = under[i]
        lies_on = [j for j, lower in enumerate(under) if lower == i]
        symbols: tuple[str, ...] = ()
        shares: tuple[float, ...] = ()
        seen: tuple[float, ...] = ()
        if kind.holes:
            reads = []
            for h in range(len(kind.holes)):
                if over is None or piece.lift_mm > 0:
                    reads.append((NOTHING, 0.0, 0.0))
                else:
                    reads.append(_through(piece, kind, h, bottom, pose.pieces[over], bottoms[over], faces, lens))
            symbols, shares, seen = (tuple(column) for column in zip(*reads, strict=True))
        found.append(
            PieceTruth(
                id=piece.id,
                kind=kind.kind,
                corners=_quad(pixels),
                corners_mm=_quad(corners[:, :2]),
                face_up=piece.face_up,
                over=None if over is None else pose.pieces[over].id,
                covered_by=pose.pieces[lies_on[0]].id if lies_on else None,
                symbols=symbols,
                shares=shares,
                seen=seen,
                hidden=round(hidden, 4),
                in_picture=round(inside, 4),
                held=piece.lift_mm > 0,
            )
        )
    return TableTruth(tuple(found))


def hole_shares(
    tile: PiecePose, tile_piece: Piece, card: PiecePose, card_piece: Piece
) -> tuple[tuple[str, float], ...]:
    """For each hole the symbol of which most shows straight from above, and how much of it (0 to 1).

    The symbol is ``NOTHING`` when none shows by more than half; the share is then still that of the best one.
    """
    marks = _marks(card, card_piece)
    found = []
    for x, y, r in _holes(tile, tile_piece):
        found.append(_best([(n, disc_share((mx, my, mr), (x, y, r))) for n, mx, my, mr in marks]))
    return tuple(found)


def shared_share(mark: Disc, discs: list[Disc]) -> float:
    """The share of a mark's disc that lies within all the other discs (to about a thousandth)."""
    step = np.linspace(-1, 1, 81)
    u, v = np.meshgrid(step, step)
    inside = u * u + v * v <= 1
    shown = inside.copy()
    for x, y, r in discs:
        shown &= (u * mark[2] + mark[0] - x) ** 2 + (v * mark[2] + mark[1] - y) ** 2 <= r * r
    return float(shown.sum() / inside.sum())


def _best(options: list[tuple[str, float]]) -> tuple[str, float]:
    name, share = max(options, key=lambda o: o[1], default=(NOTHING, 0.0))
    return (name if share > 0.5 else NOTHING), round(share, 4)


def _marks(card: PiecePose, piece: Piece) -> list[tuple[str, float, float, float]]:
    if not card.face_up:
        return []
    width, height = size_of(piece)
    turn = turn_matrix(card.turn_deg)
    marks = []
    for mark in piece.marks:
        x, y = turn @ ((mark.at[0] - 0.5) * width, (mark.at[1] - 0.5) * height) + (card.x_mm, card.y_mm)
        marks.append((mark.name, float(x), float(y), mark.radius * width))
    return marks


def _holes(tile: PiecePose, piece: Piece) -> list[Disc]:
    width, height = size_of(piece)
    side = 1 if tile.face_up else -1
    turn = turn_matrix(tile.turn_deg)
    holes = []
    for hole in piece.holes:
        at = turn @ (side * (hole.at[0] - 0.5) * width, (hole.at[1] - 0.5) * height) + (tile.x_mm, tile.y_mm)
        holes.append((float(at[0]), float(at[1]), hole.radius * width))
    return holes


def _through(
    tile: PiecePose, tile_piece: Piece, hole: int, bottom: float, card: PiecePose, card_bottom: float,
    faces: Faces, lens: Lens,
) -> tuple[str, float, float]:  # fmt: skip
    """Symbol and share from above, and the share of that same symbol as the camera sees it."""
    card_piece = faces.piece(card.id)
    x, y, r = _holes(tile, tile_piece)[hole]
    marks = _marks(card, card_piece)
    options = [(n, disc_share((mx, my, mr), (x, y, r))) for n, mx, my, mr in marks]
    name, share = _best(options)
    if not options:
        return name, share, 0.0
    index = max(range(len(options)), key=lambda i: options[i][1])
    card_top = card_bottom + thickness_of(card_piece)
    discs = []
    for z in (bottom, bottom + thickness_of(tile_piece)):  # both rims, as they fall on the card for this camera
        k = (lens.centre[2] - card_top) / (lens.centre[2] - z)
        cx, cy = lens.centre[:2]
        discs.append((cx + (x - cx) * k, cy + (y - cy) * k, r * k))
    return name, share, round(shared_share(marks[index][1:], discs), 4)


def _below(i: int, pieces: tuple[PiecePose, ...], faces: Faces) -> int | None:
    """Which piece of a lower level piece ``i`` lies on most, if it lies on one at all."""
    if pieces[i].lift_mm > 0:
        return None
    best, most = None, 60.0
    for j, other in enumerate(pieces):
        if other.level < pieces[i].level and other.lift_mm <= 0:
            area = overlap_mm2(pieces[i], other, faces) + 0.1 * other.level
            if area > most:
                best, most = j, area
    return best


def _hidden(pixels: NDArray[np.float64], hands: Floats | None, lens: Lens) -> tuple[float, float]:
    whole = float(cv2.contourArea(pixels.astype(np.float32)))
    frame = np.array([[0, 0], [lens.size[0], 0], [lens.size[0], lens.size[1]], [0, lens.size[1]]], np.float32)
    inside = float(cv2.intersectConvexConvex(pixels.astype(np.float32), frame)[0]) / max(whole, 1e-6)
    if hands is None or inside <= 0:
        return 0.0, min(inside, 1.0)
    low = np.maximum(np.floor(pixels.min(0)).astype(int), 0)
    high = np.minimum(np.ceil(pixels.max(0)).astype(int) + 1, lens.size)
    mask = np.zeros((high[1] - low[1], high[0] - low[0]), np.uint8)
    cv2.fillConvexPoly(mask, np.round(pixels - low).astype(np.int32), 1)
    part = hands[low[1] : high[1], low[0] : high[0]]
    return float((part * mask).sum() / max(int(mask.sum()), 1)), min(inside, 1.0)


def _quad(points: NDArray[np.float64]) -> Quad:
    a, b, c, d = ((round(float(x), 2), round(float(y), 2)) for x, y in points[:, :2])
    return a, b, c, d
