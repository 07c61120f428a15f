"""Decks that the program draws itself: rasterised from our SVG, kept once in the user's cache, whole or not at all."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import platformdirs
import resvg_py

from companion import deck
from companion.world import Image

JPEG_QUALITY = 92
Write = Callable[[Path], None]
"""Draws a deck into a folder, ``deck.toml`` last."""


def kept(name: str, write: Write) -> Path:
    """The folder ``name`` that holds a deck drawn by ``write``, drawn first if need be.

    ``name`` has to change with what is drawn. The folder lies in the user's cache, or in a private temporary folder
    where the cache cannot be written. Several processes may ask at once: one draws and puts its copy in place whole,
    the others wait for it.
    """
    for parent in parents():
        target = parent / name
        if _whole(target):
            return target
        try:
            return _place(parent, target, write)
        except OSError:
            continue
    return _private(write)


def rasterise(svg: str, width: int) -> Image:
    """An SVG of ours as a BGR picture ``width`` pixels wide; what is clear becomes black."""
    png = resvg_py.svg_to_bytes(svg_string=svg, width=width, skip_system_fonts=True)
    picture = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
    if picture is None:
        raise ValueError("the drawing could not be rasterised")
    return picture.astype(np.uint8, copy=False)


def jpeg(picture: Image) -> bytes:
    """A picture as a JPEG file."""
    done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    if not done:
        raise ValueError("the picture could not be written as JPEG")
    return bytes(data)


def versions() -> str:
    """What rasterises and writes the pictures: another version of it may draw otherwise."""
    return f"{resvg_py.__version__} {cv2.__version__}"


def parents() -> tuple[Path, ...]:
    """Where decks are kept, best first."""
    return (
        platformdirs.user_cache_path("tabletop-companion") / "practice-decks",
        Path(tempfile.gettempdir()) / f"tabletop-companion-{os.getuid()}",
    )


def _whole(target: Path) -> bool:
    """Whether a deck lies there and is ours: cleaners of temporary folders delete file by file, others plant files."""
    try:
        mine = target.stat().st_uid == os.getuid()
    except OSError:
        return False
    return mine and not deck.examine(target)[0]


def _place(parent: Path, target: Path, write: Write) -> Path:
    parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    if parent.stat().st_uid != os.getuid():
        raise PermissionError(f"{parent} belongs to somebody else")
    with _alone(parent):
        if _whole(target):  # drawn by somebody else while we waited
            return target
        draft = Path(tempfile.mkdtemp(prefix=".draft-", dir=parent))
        aside = draft.with_name(f"{draft.name}-aside")
        try:
            write(draft)
            if target.exists():
                target.rename(aside)
            draft.rename(target)
        finally:
            shutil.rmtree(draft, ignore_errors=True)
            shutil.rmtree(aside, ignore_errors=True)
    return target


@contextmanager
def _alone(parent: Path) -> Iterator[None]:
    """Only one process at a time draws into a cache; should it die, its lock goes with it."""
    handle = os.open(parent, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


@cache
def _private(write: Write) -> Path:
    place = Path(tempfile.mkdtemp(prefix="tabletop-companion-"))
    write(place)
    return place
