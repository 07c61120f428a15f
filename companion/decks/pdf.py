"""A very small PDF writer: pages with pictures, lines and a line of text, placed in millimetres."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

POINT = 72 / 25.4
"""Points in a millimetre."""
_ROUND = 0.5523
"""Where the handles of four curves stand that make a circle."""


class Picture(NamedTuple):
    """An RGB JPEG, placed: ``key`` says which, x and y are its top left corner on the page."""

    key: str
    x: float
    y: float
    width: float
    height: float


class Line(NamedTuple):
    """A thin black line between two places."""

    x1: float
    y1: float
    x2: float
    y2: float


class Ring(NamedTuple):
    """A thin circle."""

    x: float
    y: float
    radius: float


class Words(NamedTuple):
    """A line of text in 8-point Helvetica, which every reader has; what Latin-1 lacks becomes a question mark."""

    x: float
    y: float
    text: str


Item = Picture | Line | Ring | Words


class Page(NamedTuple):
    """What lies on one page; places count from its top left corner."""

    items: Sequence[Item]


def document(pages: Sequence[Page], jpegs: dict[str, tuple[bytes, int, int]], size_mm: tuple[float, float]) -> bytes:
    """The PDF's bytes. ``jpegs`` gives for each key the data, width and height in pixels; each is stored once."""
    keys = sorted({item.key for page in pages for item in page.items if isinstance(item, Picture)})
    names = {key: f"P{index}" for index, key in enumerate(keys)}
    # Objects 1 to 3 are catalogue, page tree and font; then the pictures; then two objects a page.
    first_page = 4 + len(keys)
    pictures = " ".join(f"/{names[key]} {4 + index} 0 R" for index, key in enumerate(keys))
    kids = " ".join(f"{first_page + 2 * index} 0 R" for index in range(len(pages)))
    box = f"[0 0 {size_mm[0] * POINT:.3f} {size_mm[1] * POINT:.3f}]"
    resources = f"<< /Font << /F 3 0 R >> /XObject << {pictures} >> >>"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} /MediaBox {box} /Resources {resources} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    for key in keys:
        data, width, height = jpegs[key]
        objects.append(
            _stream(
                f"/Type /XObject /Subtype /Image /Width {width} /Height {height} /ColorSpace /DeviceRGB "
                "/BitsPerComponent 8 /Filter /DCTDecode",
                data,
            )
        )
    for index, page in enumerate(pages):
        objects.append(f"<< /Type /Page /Parent 2 0 R /Contents {first_page + 2 * index + 1} 0 R >>".encode())
        objects.append(_stream("", _content(page, names, size_mm[1]).encode("latin-1", "replace")))
    return _file(objects)


def _content(page: Page, names: dict[str, str], height: float) -> str:
    """Drawing commands; PDF counts from the bottom left corner, in points."""
    drawn = ["0.6 w"]
    for item in page.items:
        match item:
            case Picture(key, x, y, width, tall):
                left, bottom = x * POINT, (height - y - tall) * POINT
                matrix = f"{width * POINT:.3f} 0 0 {tall * POINT:.3f} {left:.3f} {bottom:.3f} cm"
                drawn.append(f"q {matrix} /{names[key]} Do Q")
            case Line(x1, y1, x2, y2):
                start, end = _place(x1, y1, height), _place(x2, y2, height)
                drawn.append(f"{start} m {end} l S")
            case Ring(x, y, radius):
                drawn.append(_ring(x, y, radius, height))
            case Words(x, y, text):
                said = text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
                drawn.append(f"BT /F 8 Tf {_place(x, y, height)} Td ({said}) Tj ET")
    return "\n".join(drawn)


def _place(x: float, y: float, height: float) -> str:
    return f"{x * POINT:.3f} {(height - y) * POINT:.3f}"


def _ring(x: float, y: float, radius: float, height: float) -> str:
    def at(dx: float, dy: float) -> str:
        return _place(x + dx * radius, y + dy * radius, height)

    drawn = f"{at(1, 0)} m"
    corners = ((1, 0), (0, 1), (-1, 0), (0, -1), (1, 0))
    for (ax, ay), (bx, by) in pairwise(corners):
        drawn += f" {at(ax + bx * _ROUND, ay + by * _ROUND)} {at(bx + ax * _ROUND, by + ay * _ROUND)} {at(bx, by)} c"
    return f"{drawn} S"


def _stream(entries: str, data: bytes) -> bytes:
    return f"<< {entries} /Length {len(data)} >>\nstream\n".encode() + data + b"\nendstream"


def _file(objects: list[bytes]) -> bytes:
    out = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
    offsets = []
    for number, content in enumerate(objects, 1):
        offsets.append(len(out))
        out += f"{number} 0 obj\n".encode() + content + b"\nendobj\n"
    start = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    for offset in offsets:
        out += f"{offset:010} 00000 n \n".encode()
    out += f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n".encode()
    return bytes(out)
