"""The practice deck of Hooked! as a folder: right, cached, drawn anew when it is damaged."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion import deck
from companion.decks import check
from companion.games import drawn
from companion.games.hooked import art, practice_deck


@pytest.fixture(scope="module")
def practice():
    return practice_deck.folder()


def test_it_passes_the_check(practice):
    report = check.examine(practice)
    assert report.problems == []
    assert report.warnings == []
    assert report.contents == "54 fish-card, 8 action-card"


def test_the_list_says_what_is_drawn(practice):
    content = deck.load(practice)
    assert content.game == "hooked"
    assert len(content.pieces) == 22
    assert sum(piece.copies for piece in content.pieces) == 62
    for piece in content.pieces:
        assert piece.size_mm == (63.0, 88.0)
        assert piece.back == "faces/back.jpg"
        assert piece.values["name"] == art.NAMES[piece.id]
    assert [piece.values["number"] for piece in content.of_kind("fish-card")] == list(range(1, 19))
    assert all("number" not in piece.values for piece in content.of_kind("action-card"))
    face = cv2.imread(str(practice / content.piece("walleye").face))
    assert face.shape == (587, 420, 3)


def test_it_can_be_drawn_for_print(tmp_path, monkeypatch):
    monkeypatch.setattr(practice_deck.drawn, "rasterise", lambda svg, width: np.full((width, width, 3), 90, np.uint8))
    practice_deck.write(tmp_path, practice_deck.PRINT_PIXELS)
    assert deck.examine(tmp_path)[0] == []


@pytest.fixture
def quick(monkeypatch, tmp_path):
    """Drawing takes no time and happens in a cache of the test's own; the list of calls is returned."""
    written = []

    def write(folder):
        written.append(folder)
        (folder / "faces").mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(folder / "faces/a.png"), np.full((64, 64, 3), 90, np.uint8))
        (folder / "deck.toml").write_text(
            'format = 1\nname = "x"\ngame = "hooked"\n[[piece]]\nid = "a"\nkind = "card"\nface = "faces/a.png"\n'
        )

    monkeypatch.setattr(practice_deck, "write", write)
    monkeypatch.setattr(drawn, "parents", lambda: (tmp_path / "cache", tmp_path / "spare"))
    return written


def test_it_is_drawn_once_and_anew_when_damaged(quick, tmp_path):
    first = practice_deck.folder()
    assert practice_deck.folder() == first
    assert first.parent == tmp_path / "cache"
    assert len(quick) == 1
    (first / "faces/a.png").unlink()
    assert practice_deck.folder() == first
    assert len(quick) == 2
    assert list(first.parent.iterdir()) == [first]


def test_it_is_drawn_anew_when_the_art_changes(quick, monkeypatch):
    first = practice_deck.folder()
    monkeypatch.setattr(practice_deck, "_fingerprint", lambda: "another")
    assert practice_deck.folder() != first
    assert len(quick) == 2


def test_where_the_cache_cannot_be_written_another_folder_serves(quick, tmp_path, monkeypatch):
    (tmp_path / "cache").write_text("a file where the folder should be")
    assert practice_deck.folder().parent == tmp_path / "spare"
    (tmp_path / "spare").rename(tmp_path / "gone")
    (tmp_path / "spare").write_text("in the way")
    monkeypatch.setattr(drawn.tempfile, "tempdir", str(tmp_path))
    place = practice_deck.folder()
    assert place.parent == tmp_path
    assert practice_deck.folder() == place
