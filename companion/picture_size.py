"""How large a picture is, from its header alone: JPEG and PNG, without decoding a pixel."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

_PNG = b"\x89PNG\r\n\x1a\n"
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""Markers that start a frame and so carry its size; the three left out are tables."""


class UnreadablePicture(ValueError):
    """A file that is no JPEG or PNG, or is cut off before its size; the message ends the sentence "the picture ..."."""


def picture_size(path: Path) -> tuple[int, int]:
    """Width and height in pixels as stored (EXIF orientation not applied). Raises UnreadablePicture or OSError."""
    with path.open("rb") as file:
        start = file.read(8)
        if not start:
            raise UnreadablePicture("is empty")
        if start == _PNG:
            size = _png(file)
        elif start[:2] == b"\xff\xd8":
            file.seek(2)
            size = _jpeg(file)
        else:
            raise UnreadablePicture("is neither a JPEG nor a PNG")
    if min(size) < 1:
        raise UnreadablePicture("has no pixels")
    return size


def _png(file: BinaryIO) -> tuple[int, int]:
    header = file.read(16)
    if len(header) < 16 or header[4:8] != b"IHDR":
        raise UnreadablePicture("is cut off or damaged")
    return int.from_bytes(header[8:12], "big"), int.from_bytes(header[12:16], "big")


def _jpeg(file: BinaryIO) -> tuple[int, int]:
    while True:
        marker = file.read(2)
        if len(marker) < 2 or marker[0] != 0xFF:
            raise UnreadablePicture("is cut off or damaged")
        if marker[1] == 0xFF:  # fill bytes may stand before a marker
            file.seek(-1, 1)
            continue
        if marker[1] == 0x01 or 0xD0 <= marker[1] <= 0xD8:
            continue
        length = int.from_bytes(file.read(2), "big")
        if marker[1] in _FRAMES:
            frame = file.read(5)
            if len(frame) < 5:
                raise UnreadablePicture("is cut off or damaged")
            return int.from_bytes(frame[3:5], "big"), int.from_bytes(frame[1:3], "big")
        if length < 2 or marker[1] in {0xD9, 0xDA}:
            raise UnreadablePicture("is cut off or damaged")
        file.seek(length - 2, 1)
