"""A small sound deck for Hook!, to be broken in one way at a time."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest


class Maker:
    """Writes a deck folder of two Target cards and a Sight tile; ``toml`` is its text, to be replaced in part."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "faces").mkdir(parents=True)
        for name in ("one", "two", "tile"):
            self.picture(f"faces/{name}.png")
        self.toml = TOML
        self.save()

    def picture(self, name: str, width: int = 80, height: int = 80) -> Path:
        """A picture of coarse noise, always the same for one name."""
        random = np.random.default_rng([ord(letter) for letter in name])
        coarse = random.integers(0, 256, (8, 8, 3)).astype(np.uint8)
        cv2.imwrite(str(self.folder / name), cv2.resize(coarse, (width, height), interpolation=cv2.INTER_NEAREST))
        return self.folder / name

    def replace(self, old: str, new: str) -> None:
        assert old in self.toml
        self.toml = self.toml.replace(old, new, 1)
        self.save()

    def save(self) -> None:
        (self.folder / "deck.toml").write_text(self.toml, encoding="utf-8")


TOML = """\
format = 1
name = "Ours"
game = "hook"

[[piece]]
id = "target-001"
kind = "target-card"
face = "faces/one.png"
size_mm = [60.0, 60.0]
marks = [ { name = "parrot", at = [0.25, 0.25], radius = 0.12 }, { name = "rum", at = [0.75, 0.25], radius = 0.12 },
          { name = "bomb", at = [0.75, 0.75], radius = 0.12 }, { name = "barrel", at = [0.25, 0.75], radius = 0.12 } ]

[[piece]]
id = "target-002"
kind = "target-card"
face = "faces/two.png"
size_mm = [60.0, 60.0]
marks = [ { name = "rum", at = [0.25, 0.25], radius = 0.12 }, { name = "rum", at = [0.75, 0.25], radius = 0.12 },
          { name = "bomb", at = [0.75, 0.75], radius = 0.12 },
          { name = "blue-sailor", at = [0.25, 0.75], radius = 0.12 } ]

[[piece]]
id = "sight-red-pirate-1"
kind = "sight-tile"
face = "faces/tile.png"
size_mm = [60.0, 60.0]
holes = [ { at = [0.25, 0.25], radius = 0.13 }, { at = [0.75, 0.25], radius = 0.13 },
          { at = [0.25, 0.75], radius = 0.13 } ]
values = { owner = "red-pirate" }
"""


@pytest.fixture
def maker(tmp_path: Path) -> Maker:
    return Maker(tmp_path / "ours")


@pytest.fixture(autouse=True)
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Imported decks go to folders of the test's own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr("companion.decks.store.SYSTEM", tmp_path / "system" / "decks")


@pytest.fixture
def deck_in() -> type[Maker]:
    """Writes such a deck into another folder."""
    return Maker
