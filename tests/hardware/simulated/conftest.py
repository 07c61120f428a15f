"""A deck of plain pieces for measuring, and what tests of the simulated table share."""

import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion import deck

sys.path.insert(0, str(Path(__file__).parent / "support"))

PLAIN = """
format = 1
name = "plain"
game = "hook"
[[piece]]
id = "grey"
kind = "target-card"
face = "grey.png"
size_mm = [60.0, 60.0]
[[piece]]
id = "dotted"
kind = "target-card"
face = "dotted.png"
size_mm = [60.0, 60.0]
marks = [ { name = "bomb", at = [0.3, 0.35], radius = 0.1 }, { name = "rum", at = [0.7, 0.6], radius = 0.1 } ]
[[piece]]
id = "tile"
kind = "sight-tile"
face = "black.png"
size_mm = [60.0, 60.0]
holes = [ { at = [0.3, 0.35], radius = 0.13 }, { at = [0.7, 0.6], radius = 0.13 }, { at = [0.7, 0.2], radius = 0.1 } ]
values = { owner = "red-pirate" }
"""


@pytest.fixture(scope="session")
def plain(tmp_path_factory: pytest.TempPathFactory) -> deck.Deck:
    """A grey card, a white card with two small black dots as symbols, a black tile with three holes."""
    folder = tmp_path_factory.mktemp("plain")
    white = np.full((240, 240, 3), 255, np.uint8)
    cv2.imwrite(str(folder / "grey.png"), white * 0 + 150)
    cv2.imwrite(str(folder / "black.png"), white * 0 + 8)
    dotted = white.copy()
    for x, y in ((0.3, 0.35), (0.7, 0.6)):
        cv2.circle(dotted, (round(x * 240 - 0.5), round(y * 240 - 0.5)), 7, (0, 0, 0), -1, cv2.LINE_AA)
    cv2.imwrite(str(folder / "dotted.png"), dotted)
    (folder / "deck.toml").write_text(PLAIN, encoding="utf-8")
    return deck.load(folder)
