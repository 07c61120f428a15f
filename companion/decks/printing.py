"""A deck on paper: every piece in its true size, with crop marks and the holes to punch out."""

from __future__ import annotations

from pathlib import Path

import cv2

from companion.deck import Deck, DeckError, Piece
from companion.decks import pdf
from companion.words import _

PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
MARGIN = 6.0
GAP = 4.0
"""Between pieces; the crop marks stand in it."""
FOOT = 8.0
RULER = 50.0
JPEG_QUALITY = 95


def render(deck: Deck, paper: str, *, backs: bool = False, language: str = "en") -> bytes:
    """The PDF of a whole deck; ``backs`` adds a page behind each page, to be printed double-sided on the long edge.

    Raises DeckError for a piece without a size or too large for the paper, and for a picture that cannot be decoded.
    """
    size = PAPERS[paper]
    sheets = _sheets(deck, size)
    if backs:
        sheets = [side for sheet in sheets for side in (sheet, _behind(sheet, size[0]))]
    keys = sorted({name for sheet in sheets for _piece, name, _x, _y in sheet if name is not None})
    jpegs = {name: _jpeg(deck.folder / name) for name in keys}
    pages = []
    for number, sheet in enumerate(sheets, 1):
        front = not backs or number % 2 == 1
        items: list[pdf.Item] = [item for placed in sheet for item in _drawn(placed, front=front)]
        foot = _(
            "{deck}, page {page} of {pages}. Print at 100 %; the line to the left is {length} mm long.",
            deck=deck.name,
            page=number,
            pages=len(sheets),
            length=f"{RULER:g}",
        )
        items += _foot(foot.to(language), size[1])
        pages.append(pdf.Page(items))
    return pdf.document(pages, jpegs, size)


_Placed = tuple[Piece, str | None, float, float]
"""A piece, the picture printed there (none where it has no back), and its top left corner in millimetres."""


def _size(piece: Piece) -> tuple[float, float]:
    if piece.size_mm is None:
        raise DeckError(f"piece {piece.id} has no size_mm. Give its width and height in millimetres to print it.")
    return piece.size_mm


def _sheets(deck: Deck, paper: tuple[float, float]) -> list[list[_Placed]]:
    """Pieces in the deck's order, in rows; a piece of another size starts a row of its own."""
    sheets: list[list[_Placed]] = [[]]
    x = y = MARGIN
    row: tuple[float, float] | None = None
    for piece in [copy for each in deck.pieces for copy in [each] * each.copies]:
        width, height = _size(piece)
        if width > paper[0] - 2 * MARGIN or height > paper[1] - 2 * MARGIN - FOOT:
            raise DeckError(f"piece {piece.id} is {width:g} x {height:g} mm, larger than the paper.")
        if row is not None and ((width, height) != row or x + width > paper[0] - MARGIN):
            x, y = MARGIN, y + row[1] + GAP
        if y + height > paper[1] - MARGIN - FOOT:
            sheets.append([])
            x = y = MARGIN
        sheets[-1].append((piece, piece.face, x, y))
        x, row = x + width + GAP, (width, height)
    return sheets


def _behind(sheet: list[_Placed], width: float) -> list[_Placed]:
    """What is printed on the other side of a sheet: everything mirrored from left to right."""
    return [(piece, piece.back, width - x - _size(piece)[0], y) for piece, _face, x, y in sheet]


def _drawn(placed: _Placed, *, front: bool) -> list[pdf.Item]:
    piece, name, x, y = placed
    width, height = _size(piece)
    items: list[pdf.Item] = [pdf.Picture(name, x, y, width, height)] if name is not None else []
    if not front:
        return items
    if piece.shape == "round":
        items.append(pdf.Ring(x + width / 2, y + height / 2, width / 2))
    else:
        items += _crop_marks(x, y, width, height)
    items += [pdf.Ring(x + hole.at[0] * width, y + hole.at[1] * height, hole.radius * width) for hole in piece.holes]
    return items


def _crop_marks(x: float, y: float, width: float, height: float) -> list[pdf.Item]:
    """Two short lines at each corner, outside the piece."""
    far, near = GAP / 2, 0.5
    marks: list[pdf.Item] = []
    for cx, side in ((x, -1), (x + width, 1)):
        for cy, up in ((y, -1), (y + height, 1)):
            marks.append(pdf.Line(cx + side * near, cy, cx + side * far, cy))
            marks.append(pdf.Line(cx, cy + up * near, cx, cy + up * far))
    return marks


def _foot(words: str, height: float) -> list[pdf.Item]:
    y = height - MARGIN
    ends: list[pdf.Item] = [pdf.Line(x, y - 1.5, x, y + 1.5) for x in (MARGIN, MARGIN + RULER)]
    return [pdf.Line(MARGIN, y, MARGIN + RULER, y), *ends, pdf.Words(MARGIN + RULER + 4, y + 1, words)]


def _jpeg(path: Path) -> tuple[bytes, int, int]:
    """Any picture as an RGB JPEG, upright, with its size in pixels."""
    picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if picture is None:
        raise DeckError(f"{path}: the picture cannot be decoded. Save it again as JPEG or PNG.")
    done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    if not done:
        raise DeckError(f"{path}: the picture cannot be made a JPEG. Save it again as JPEG or PNG.")
    return bytes(data), picture.shape[1], picture.shape[0]
