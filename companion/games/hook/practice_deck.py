"""The practice deck for Hook!: drawn by us, written as an ordinary deck folder.

96 Target cards, 18 Sight tiles, 6 Hit cards and the Compass, the same on every machine. ``folder`` keeps one copy
in the user's cache and draws it anew when the art changes, so that it costs a few seconds once.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import platformdirs
import resvg_py

from companion import deck
from companion.games.hook import art, layout
from companion.games.hook.art import cards as faces
from companion.world import Image

CARD_MM = (60.0, 60.0)
HIT_CARD_MM = (63.0, 88.2)
PIXELS = 420
PRINT_PIXELS = 709
"""300 dots an inch on 60 millimetres."""
JPEG_QUALITY = 92
NAME = "Hook! practice deck"


def folder() -> Path:
    """The practice deck's folder, drawn first if need be.

    It lies in the user's cache, or in a private temporary folder where the cache cannot be written. Several processes
    may ask at once: one draws and puts its copy in place whole, the others wait for it.
    """
    for parent in _parents():
        target = parent / f"hook-{_fingerprint()}"
        if _whole(target):
            return target
        try:
            return _place(parent, target)
        except OSError:
            continue
    return _private()


def write(folder: Path, pixels: int = PIXELS) -> None:
    """Draw the deck into ``folder``, which is created, each face ``pixels`` wide.

    Takes a few seconds, for print half a minute. Raises OSError where it cannot write.
    """
    pictures = folder / "faces"
    pictures.mkdir(parents=True, exist_ok=True)
    for name, svg in _pictures():
        (pictures / name).write_bytes(_jpeg(rasterise(svg, pixels)))
    # Last, so that a folder with a deck.toml is a whole one.
    (folder / "deck.toml").write_text(_toml(), encoding="utf-8", newline="\n")


def rasterise(svg: str, width: int) -> Image:
    """An SVG of ours as a BGR picture ``width`` pixels wide; what is clear becomes black."""
    png = resvg_py.svg_to_bytes(svg_string=svg, width=width, skip_system_fonts=True)
    picture = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
    if picture is None:
        raise ValueError("the drawing could not be rasterised")
    return picture.astype(np.uint8, copy=False)


def _jpeg(picture: Image) -> bytes:
    done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    if not done:
        raise ValueError("the picture could not be written as JPEG")
    return bytes(data)


def _pictures() -> Iterator[tuple[str, str]]:
    for card in layout.cards():
        yield f"{card.id}.jpg", faces.target_card(card)
    yield "back.jpg", faces.card_back()
    for tile in layout.tiles():
        yield f"{tile.id}.jpg", faces.sight_tile(tile, layout.HOLE_RADIUS)
    yield "sight-back.jpg", faces.tile_back()
    for name in art.CHARACTERS:
        yield f"hit-{name}.jpg", art.hit_card_svg(name)
        yield f"hit-{name}-back.jpg", art.hit_card_svg(name, spaces=False)
    yield "compass.jpg", faces.compass_card()


def _toml() -> str:
    lines = ["format = 1", f'name = "{NAME}"', 'game = "hook"', ""]
    for card in layout.cards():
        marks = ", ".join(
            f'{{ name = "{s.name}", at = [{s.at[0]:.4f}, {s.at[1]:.4f}], radius = {s.radius:.4f} }}'
            for s in card.symbols
        )
        lines += [*_piece(card.id, "target-card", "back", CARD_MM), f"marks = [ {marks} ]", ""]
    for tile in layout.tiles():
        holes = ", ".join(f"{{ at = [{x:.4f}, {y:.4f}], radius = {layout.HOLE_RADIUS} }}" for x, y in tile.holes)
        lines += [*_piece(tile.id, "sight-tile", "sight-back", CARD_MM), f"holes = [ {holes} ]"]
        lines += [f'values = {{ owner = "{tile.owner}", number = {tile.number} }}', ""]
    for name in art.CHARACTERS:
        spaces = ", ".join(f"[{x / 100:.2f}, {y / 140:.4f}]" for x, y, _ in faces.SPACES)
        lines += _piece(f"hit-{name}", "hit-card", f"hit-{name}-back", HIT_CARD_MM)
        lines += [f'values = {{ owner = "{name}", spaces = [ {spaces} ] }}', ""]
    return "\n".join([*lines, *_piece("compass", "compass", "back", CARD_MM), ""])


def _piece(id: str, kind: str, back: str, size_mm: tuple[float, float]) -> list[str]:
    return [
        "[[piece]]",
        f'id = "{id}"',
        f'kind = "{kind}"',
        f'face = "faces/{id}.jpg"',
        f'back = "faces/{back}.jpg"',
        f"size_mm = [{size_mm[0]}, {size_mm[1]}]",
    ]


@cache
def _fingerprint() -> str:
    """Changes whenever the code that draws the deck does, or what rasterises it."""
    digest = hashlib.sha256(f"{resvg_py.__version__} {cv2.__version__}".encode())
    here = Path(__file__).parent
    for source in sorted([*here.glob("art/*.py"), here / "layout.py", here / "practice_deck.py"]):
        digest.update(source.read_bytes())
    return digest.hexdigest()[:12]


def _parents() -> tuple[Path, ...]:
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


def _place(parent: Path, target: Path) -> Path:
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
def _private() -> Path:
    place = Path(tempfile.mkdtemp(prefix="tabletop-companion-"))
    write(place)
    return place
