"""A deck folder that is wrong is refused with the file, the piece and what to mend."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion import deck
from companion.deck import DeckError
from companion.picture_size import UnreadablePicture, picture_size


def test_a_sound_deck_loads(maker):
    content = deck.load(maker.folder)
    assert [piece.id for piece in content.pieces] == ["target-001", "target-002", "sight-red-pirate-1"]
    assert content.piece("target-001").marks[1] == deck.Mark("rum", (0.75, 0.25), 0.12)
    assert [piece.id for piece in content.of_kind("sight-tile")] == ["sight-red-pirate-1"]


@pytest.mark.parametrize(
    ("old", "new", "piece", "sentence"),
    [
        ('name = "Ours"', "name = Ours", "", "not readable as TOML"),
        ("format = 1", "format = 2", "", "format = 2, but this program reads format = 1."),
        ("format = 1", "", "", "it lacks the field format"),
        ('game = "hook"', 'game = "chess"', "", "game = 'chess' is not a game we know. Use one of: hook,"),
        ('id = "target-002"', 'id = "target-001"', "target-001", "another piece has the same id."),
        ('id = "target-002"', 'id = " "', " ", "its id is empty."),
        ('id = "target-002"', "", "number 2", "it lacks the field id"),
        ('kind = "sight-tile"', "kind = 7", "sight-red-pirate-1", "Expected str, got int (in kind)"),
        ('kind = "sight-tile"', 'kind = "target-card"', "sight-red-pirate-1", "a target-card has no holes."),
        ("values = {", "colour = {", "sight-red-pirate-1", "there is no field called colour"),
        ("faces/two.png", "faces/three.png", "target-002", "the picture faces/three.png is missing. Add it"),
        ("faces/two.png", "../two.png", "target-002", "face = '../two.png' lies outside the deck folder."),
        ("faces/two.png", "/etc/hostname", "target-002", "face = '/etc/hostname' lies outside the deck folder."),
        ("faces/two.png", "two\\u0000.png", "target-002", "cannot be read"),
        ("faces/two.png", "x" * 300, "target-002", "cannot be read (File name too long)"),
        ("[0.25, 0.25], radius = 0.13", "[0.1, 0.25], radius = 0.13", "sight-red-pirate-1", "hole 1 at [0.1, 0.25]"),
        ("[0.25, 0.25], radius = 0.13", "[1.7, 0.25], radius = 0.13", "sight-red-pirate-1", "hole 1 at [1.7, 0.25]"),
        ("[0.75, 0.75], radius = 0.12", "[nan, 0.75], radius = 0.12", "target-001", "mark 3 (bomb) at [nan"),
        ("radius = 0.13", "radius = 13", "sight-red-pirate-1", "hole 1: radius 13.0 must be a fraction of the face"),
        ("[60.0, 60.0]", "[60.0, 0.6]", "target-001", "size_mm = [60.0, 0.6] is no size of a card."),
        ("[60.0, 60.0]", "[nan, 60.0]", "target-001", "is no size of a card."),
        ('face = "faces/two.png"', 'face = "faces/two.png"\ncopies = 0', "target-002", "copies = 0. Use 1 or more"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_the_place(maker, old, new, piece, sentence):
    maker.replace(old, new)
    problems, _ = deck.examine(maker.folder)
    assert len(problems) == 1
    assert str(maker.folder / "deck.toml") in problems[0]
    assert sentence in problems[0]
    if piece:
        assert f"piece {piece}:" in problems[0]
    with pytest.raises(DeckError) as refused:
        deck.load(maker.folder)
    assert str(refused.value) == problems[0]


def test_all_problems_are_listed_at_once(maker):
    maker.replace("faces/one.png", "faces/none.png")
    maker.replace('game = "hook"', 'game = "chess"')
    (maker.folder / "faces/tile.png").unlink()
    problems, content = deck.examine(maker.folder)
    assert len(problems) == 3
    assert content is not None


def test_no_folder_no_list_no_pieces(tmp_path):
    assert "there is no such folder" in deck.examine(tmp_path / "nowhere")[0][0]
    assert "A deck folder needs a deck.toml" in deck.examine(tmp_path)[0][0]
    (tmp_path / "deck.toml").write_text('format = 1\nname = "x"\ngame = "any"\npiece = []\n')
    assert "no pieces" in deck.examine(tmp_path)[0][0]
    (tmp_path / "deck.toml").write_bytes(b'name = "\xff"')
    assert "not readable as TOML" in deck.examine(tmp_path)[0][0]


@pytest.mark.parametrize("endless", ["9" * 10_000, "[" * 5000])
def test_numbers_and_brackets_without_end_are_no_toml(tmp_path, endless):
    (tmp_path / "deck.toml").write_text(f"format = {endless}\n")
    assert "deck.toml: not readable as TOML (" in deck.examine(tmp_path)[0][0]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "is empty"),
        (b"GIF89a" + bytes(50), "is neither a JPEG nor a PNG"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIH", "is cut off or damaged"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF", "is cut off or damaged"),
        (b"\xff\xd8\xff\xda\0\x04\0\0\0", "is cut off or damaged"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(8), "has no pixels"),
    ],
)
def test_an_unreadable_picture_is_refused_from_its_header(maker, content, sentence):
    (maker.folder / "faces/two.png").write_bytes(content)
    problems, _ = deck.examine(maker.folder)
    assert problems == [
        f"{maker.folder / 'deck.toml'}: piece target-002: the picture faces/two.png {sentence}. "
        "Save it again as JPEG or PNG."
    ]


def test_pictures_too_small_and_too_large(maker):
    maker.picture("faces/two.png", 80, 40)
    maker.picture("faces/tile.png", 9000, 64)
    problems, _ = deck.examine(maker.folder)
    assert "the picture faces/two.png is only 80 x 40 pixels. It needs 60 or more a side." in problems[0]
    assert "the picture faces/tile.png is 9000 x 64 pixels. Make it smaller" in problems[1]


@pytest.mark.parametrize("ending", [".png", ".jpg"])
def test_sizes_are_read_from_headers(tmp_path, ending):
    path = tmp_path / f"a{ending}"
    cv2.imwrite(str(path), np.zeros((70, 123, 3), np.uint8))
    assert picture_size(path) == (123, 70)


def test_a_jpeg_with_a_large_preview_and_a_progressive_one(tmp_path):
    done, data = cv2.imencode(".jpg", np.zeros((70, 123, 3), np.uint8), [cv2.IMWRITE_JPEG_PROGRESSIVE, 1])
    assert done
    path = tmp_path / "a.jpg"
    # A camera's preview: an APP1 segment that holds bytes looking like another frame, and fill bytes before it.
    preview = b"\xff\xff\xe1" + (20000 + 2).to_bytes(2, "big") + b"\xff\xc0\0\x0b\x08\0\1\0\1".ljust(20000, b"\0")
    path.write_bytes(bytes(data[:2]) + preview + bytes(data[2:]))
    assert picture_size(path) == (123, 70)
    path.write_bytes(path.read_bytes()[:20010])
    with pytest.raises(UnreadablePicture):
        picture_size(path)
