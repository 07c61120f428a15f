"""The practice deck for Hooked!: drawn by us, written as an ordinary deck folder.

Eighteen species three times each and four action cards twice each make 62 cards, the same on every machine.
``folder`` keeps one copy in the user's cache and draws it anew when the art changes.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from companion.games import drawn
from companion.games.hook import art as hook_art
from companion.games.hooked import art

CARD_MM = (63.0, 88.0)
FISH_COPIES = 3
ACTION_COPIES = 2
PIXELS = 420
PRINT_PIXELS = 744
"""300 dots an inch on 63 millimetres."""
NAME = "Hooked! practice deck"


def folder() -> Path:
    """The practice deck's folder, drawn first if need be."""
    return drawn.kept(f"hooked-{_fingerprint()}", write)


def write(folder: Path, pixels: int = PIXELS) -> None:
    """Draw the deck into ``folder``, which is created, each face ``pixels`` wide.

    Takes a second or two. Raises OSError where it cannot write.
    """
    pictures = folder / "faces"
    pictures.mkdir(parents=True, exist_ok=True)
    for id in art.NAMES:
        (pictures / f"{id}.jpg").write_bytes(drawn.jpeg(drawn.rasterise(art.card_svg(id), pixels)))
    (pictures / "back.jpg").write_bytes(drawn.jpeg(drawn.rasterise(art.back_svg(), pixels)))
    # Last, so that a folder with a deck.toml is a whole one.
    (folder / "deck.toml").write_text(_toml(), encoding="utf-8", newline="\n")


def _toml() -> str:
    lines = ["format = 1", f'name = "{NAME}"', 'game = "hooked"', ""]
    for species in art.SPECIES:
        lines += _piece(species.id, "fish-card", FISH_COPIES)
        lines += [f'values = {{ number = {species.number}, name = "{species.name}" }}', ""]
    for action in art.ACTIONS:
        lines += [*_piece(action.id, "action-card", ACTION_COPIES), f'values = {{ name = "{action.name}" }}', ""]
    return "\n".join(lines)


def _piece(id: str, kind: str, copies: int) -> list[str]:
    return [
        "[[piece]]",
        f'id = "{id}"',
        f'kind = "{kind}"',
        f'face = "faces/{id}.jpg"',
        'back = "faces/back.jpg"',
        f"size_mm = [{CARD_MM[0]}, {CARD_MM[1]}]",
        f"copies = {copies}",
    ]


@cache
def _fingerprint() -> str:
    """Changes whenever the code that draws the deck does, or what rasterises it."""
    digest = hashlib.sha256(drawn.versions().encode())
    sources = [Path(__file__), *Path(art.__file__).parent.glob("*.py"), Path(drawn.__file__)]
    sources += [Path(hook_art.__file__).with_name(name) for name in ("palette.py", "digits.py")]
    for source in sorted(sources):
        digest.update(source.read_bytes())
    return digest.hexdigest()[:12]
