"""The practice deck as a folder: right, cached, drawn anew when it is damaged, safe when two ask at once."""

from __future__ import annotations

import threading
from collections import Counter

import cv2
import numpy as np
import pytest

from companion import deck
from companion.decks import check
from companion.games import drawn
from companion.games.hook import layout, practice_deck


@pytest.fixture(scope="session")
def practice():
    return practice_deck.folder()


def test_it_passes_the_check(practice):
    report = check.examine(practice)
    assert report.problems == []
    assert report.warnings == []
    assert report.contents == "96 target-card, 18 sight-tile, 6 hit-card, 1 compass"
    assert report.meeting is not None
    assert report.meeting.enough == 1
    assert report.meeting.doubtful == 0
    assert report.meeting.meeting > 0.93


def test_the_list_says_what_is_drawn(practice):
    content = deck.load(practice)
    for card in layout.cards():
        marks = content.piece(card.id).marks
        assert [(mark.name, mark.at, mark.radius) for mark in marks] == [(s.name, s.at, s.radius) for s in card.symbols]
    for tile in layout.tiles():
        piece = content.piece(tile.id)
        assert tuple(hole.at for hole in piece.holes) == tile.holes
        assert piece.values["owner"] == tile.owner
    assert Counter(piece.size_mm for piece in content.pieces) == {(60.0, 60.0): 115, (63.0, 88.2): 6}
    assert len(content.piece("hit-red-sailor").values["spaces"]) == 9


def test_the_cards_look_different_in_every_turn(practice):
    """As a camera sees them: 96 small pictures in four turns, brightness and contrast levelled."""
    content = deck.load(practice)
    small = []
    for piece in content.of_kind("target-card"):
        face = cv2.imread(str(practice / piece.face))
        assert face.shape == (practice_deck.PIXELS, practice_deck.PIXELS, 3)
        small.append(cv2.resize(face, (40, 40), interpolation=cv2.INTER_AREA).astype(np.float64))
    level = np.array([(s - s.mean(axis=(0, 1))) / s.std() for s in small])
    plain = level.reshape(96, -1)
    for quarters in range(4):
        turned = np.rot90(level, quarters, axes=(1, 2)).reshape(96, -1)
        alike = plain @ turned.T / plain.shape[1]
        if quarters == 0:
            np.fill_diagonal(alike, 0)
        assert alike.max() < 0.75


def test_the_black_side_is_black(practice):
    content = deck.load(practice)
    backs = {piece.back for piece in content.of_kind("sight-tile")}
    assert backs == {"faces/sight-back.jpg"}
    assert cv2.imread(str(practice / "faces/sight-back.jpg")).max() < 60


def _fake(folder):
    """A whole deck of one card, quickly."""
    (folder / "faces").mkdir(parents=True, exist_ok=True)
    cv2.imwrite(str(folder / "faces/a.png"), np.full((64, 64, 3), 90, np.uint8))
    (folder / "deck.toml").write_text(
        'format = 1\nname = "x"\ngame = "hook"\n[[piece]]\nid = "a"\nkind = "card"\nface = "faces/a.png"\n'
    )


@pytest.fixture
def quick(monkeypatch, tmp_path):
    """Drawing takes no time and happens in a cache of the test's own; the list of calls is returned."""
    drawings = []

    def write(folder):
        drawings.append(folder)
        _fake(folder)

    monkeypatch.setattr(practice_deck, "write", write)
    monkeypatch.setattr(drawn, "parents", lambda: (tmp_path / "cache", tmp_path / "spare"))
    drawn._private.cache_clear()
    yield drawings
    drawn._private.cache_clear()


def test_it_is_drawn_once(quick, tmp_path):
    first = practice_deck.folder()
    assert practice_deck.folder() == first
    assert first.parent == tmp_path / "cache"
    assert len(quick) == 1
    assert list(first.parent.iterdir()) == [first]


def test_it_is_drawn_anew_when_the_art_changes(quick, monkeypatch):
    first = practice_deck.folder()
    monkeypatch.setattr(practice_deck, "_fingerprint", lambda: "another")
    assert practice_deck.folder() != first
    assert len(quick) == 2


def test_a_copy_with_a_file_missing_is_drawn_anew(quick):
    place = practice_deck.folder()
    (place / "faces/a.png").unlink()
    assert practice_deck.folder() == place
    assert deck.examine(place)[0] == []
    assert len(quick) == 2
    assert list(place.parent.iterdir()) == [place]


def test_two_at_once_both_get_the_one_whole_deck(quick, monkeypatch):
    second_asked = threading.Event()
    alone = drawn._alone

    def waiting(parent):
        if quick:
            second_asked.set()
        return alone(parent)

    def write(folder):
        quick.append(folder)
        assert second_asked.wait(timeout=20)
        _fake(folder)

    monkeypatch.setattr(practice_deck, "write", write)
    monkeypatch.setattr(drawn, "_alone", waiting)
    places, sound = [], []

    def ask():
        place = practice_deck.folder()
        sound.append(deck.examine(place)[0] == [])
        places.append(place)

    first, second = (threading.Thread(target=ask) for _ in range(2))
    first.start()
    while not quick and first.is_alive():
        first.join(timeout=0.01)
    second.start()
    for thread in (first, second):
        thread.join(timeout=20)
    assert len(quick) == 1
    assert sound == [True, True]
    assert places[0] == places[1]
    assert list(places[0].parent.iterdir()) == [places[0]]


def test_when_drawing_fails_nothing_is_left_and_the_next_one_draws(quick, monkeypatch, tmp_path):
    whole = practice_deck.write

    def write(folder):
        (folder / "faces").mkdir()
        raise RuntimeError("out of memory")

    monkeypatch.setattr(practice_deck, "write", write)
    with pytest.raises(RuntimeError):
        practice_deck.folder()
    assert list((tmp_path / "cache").iterdir()) == []
    monkeypatch.setattr(practice_deck, "write", whole)
    assert deck.examine(practice_deck.folder())[0] == []


def test_where_the_cache_cannot_be_written_a_temporary_folder_serves(quick, tmp_path):
    (tmp_path / "cache").write_text("a file where the folder should be")
    assert practice_deck.folder().parent == tmp_path / "spare"


def test_where_nothing_else_can_be_written_a_private_folder_serves(quick, monkeypatch, tmp_path):
    for name in ("cache", "spare"):
        (tmp_path / name).write_text("in the way")
    monkeypatch.setattr(drawn.tempfile, "tempdir", str(tmp_path))
    place = practice_deck.folder()
    assert place.parent == tmp_path
    assert practice_deck.folder() == place
    assert len(quick) == 1


def test_somebody_elses_folder_is_not_trusted(quick, monkeypatch, tmp_path):
    practice_deck.folder()
    monkeypatch.setattr(drawn.os, "getuid", lambda: 12345)
    monkeypatch.setattr(drawn.tempfile, "tempdir", str(tmp_path))
    assert practice_deck.folder().parent == tmp_path
    assert len(quick) == 2
