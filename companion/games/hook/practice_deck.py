"""The practice deck for Hook!: drawn by us, written as an ordinary deck folder.

96 Target cards, 18 Sight tiles, 6 Hit cards and the Compass, the same on every machine. ``folder`` keeps one copy
in the user's cache and draws it anew when the art changes, so that it costs a few seconds once.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from companion.games import drawn
from companion.games.hook import art, layout
from companion.games.hook.art import cards as faces

CARD_MM = (60.0, 60.0)
HIT_CARD_MM = (63.0, 88.2)
PIXELS = 420
PRINT_PIXELS = 709
"""300 dots an inch on 60 millimetres."""
NAME = "Hook! practice deck"


def folder() -> Path:
    """The practice deck's folder, drawn first if need be."""
    return drawn.kept(f"hook-{_fingerprint()}", write)


def write(folder: Path, pixels: int = PIXELS) -> None:
    """Draw the deck into ``folder``, which is created, each face ``pixels`` wide.

    Takes a few seconds, for print half a minute. Raises OSError where it cannot write.
    """
    pictures = folder / "faces"
    pictures.mkdir(parents=True, exist_ok=True)
    for name, svg in _pictures():
        (pictures / name).write_bytes(drawn.jpeg(drawn.rasterise(svg, pixels)))
    # Last, so that a folder with a deck.toml is a whole one.
    (folder / "deck.toml").write_text(_toml(), encoding="utf-8", newline="\n")


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
    digest = hashlib.sha256(drawn.versions().encode())
    here = Path(__file__).parent
    for source in sorted([*here.glob("art/*.py"), here / "layout.py", here / "practice_deck.py", Path(drawn.__file__)]):
        digest.update(source.read_bytes())
    return digest.hexdigest()[:12]
