"""The thorough check: pictures decoded, look-alikes found, holes and symbols measured, the game's own needs."""

from __future__ import annotations

import shutil
import zlib

import cv2
import numpy as np
import pytest

from companion.decks import check
from companion.decks.likeness import look_alikes
from companion.decks.meeting import meeting, shares


def test_a_sound_deck(maker):
    report = check.examine(maker.folder)
    assert report.problems == []
    assert report.contents == "2 target-card, 1 sight-tile"
    assert report.meeting is not None
    assert (report.meeting.placements, report.meeting.enough, report.meeting.meeting) == (8, 1.0, 1.0)
    said = "\n".join(report.warnings)
    assert "only 2 Target cards where the box has 96" in said
    assert "1 Sight tiles of red-pirate where the box has 3" in said
    assert "0 Sight tiles of blue-sailor where the box has 3" in said
    assert len(report.warnings) == 7


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('"blue-sailor"', '"blue-sailer"', "mark 4 is called 'blue-sailer'. The symbols of Hook! are:"),
        ('owner = "red-pirate"', 'owner = "black-pirate"', "its owner 'black-pirate' is no character."),
        ('owner = "red-pirate"', "number = 1", "values names no owner."),
        (", { at = [0.75, 0.25], radius = 0.13 }", "", "it has 2 holes where a Sight tile has 3."),
        ('kind = "sight-tile"', 'kind = "tile"', "no Sight tiles. Add pieces of kind"),
    ],
)  # fmt: skip
def test_what_hook_needs(maker, old, new, sentence):
    maker.replace(old, new)
    assert any(sentence in problem for problem in check.examine(maker.folder).problems)


def test_a_card_without_marks(maker):
    start = maker.toml.index("marks", maker.toml.index("target-002"))
    maker.replace(maker.toml[start : maker.toml.index("[[piece]]", start)], "\n")
    assert "piece target-002: it has no marks" in check.examine(maker.folder).problems[0]


def test_other_games_are_not_asked_for_hooks_pieces(maker):
    maker.replace('game = "hook"', 'game = "any"')
    maker.replace('"blue-sailor"', '"whale"')
    report = check.examine(maker.folder)
    assert (report.problems, report.warnings) == ([], [])


def test_a_picture_that_ends_early(maker):
    picture = maker.picture("faces/one.png")
    done, data = cv2.imencode(".jpg", cv2.imread(str(picture)))
    assert done
    maker.replace("faces/one.png", "faces/one.jpg")
    (maker.folder / "faces/one.jpg").write_bytes(bytes(data[: len(data) * 2 // 3]))
    (problem,) = check.examine(maker.folder).problems
    assert "piece target-001: the picture faces/one.jpg is cut off." in problem


def test_a_picture_with_a_hole_in_the_middle(maker):
    picture = maker.folder / "faces/two.png"
    data = picture.read_bytes()
    picture.write_bytes(data[:60] + bytes(len(data) - 80) + data[-20:])
    (problem,) = check.examine(maker.folder).problems
    assert "the picture faces/two.png cannot be decoded" in problem


def test_a_picture_beyond_all_size_is_said_once(maker):
    path = maker.folder / "faces/two.png"
    huge = bytearray(path.read_bytes())
    huge[16:24] = (40_000).to_bytes(4, "big") * 2  # width and height
    huge[29:33] = zlib.crc32(huge[12:29]).to_bytes(4, "big")
    path.write_bytes(huge)
    assert [problem.partition(": the picture ")[2] for problem in check.examine(maker.folder).problems] == [
        "faces/two.png is 40000 x 40000 pixels. Make it smaller; about 480 a side is plenty."
    ]


def test_a_missing_picture_is_said_once(maker):
    (maker.folder / "faces/two.png").unlink()
    (problem,) = check.examine(maker.folder).problems
    assert "faces/two.png is missing" in problem


def test_a_picture_of_another_shape_than_the_card(maker):
    maker.picture("faces/one.png", 120, 80)
    assert any(
        "piece target-001: its picture is 120 x 80 pixels, another shape than size_mm = [60.0, 60.0]" in warning
        for warning in check.examine(maker.folder).warnings
    )


def test_faces_like_6_and_9_are_named_with_their_turn(maker):
    face = cv2.imread(str(maker.folder / "faces/one.png"))
    cv2.imwrite(str(maker.folder / "faces/two.png"), cv2.rotate(face, cv2.ROTATE_180))
    said = [warning for warning in check.examine(maker.folder).warnings if "look" in warning]
    assert len(said) == 1
    assert said[0].endswith(
        "pieces target-001 and target-002 look nearly the same when turned by 180 degrees: they may be mixed up."
    )


def test_a_card_whose_turn_cannot_be_told(maker):
    cv2.imwrite(str(maker.folder / "faces/two.png"), np.full((80, 80, 3), 90, np.uint8))
    said = [warning for warning in check.examine(maker.folder).warnings if "its turn cannot be told" in warning]
    assert len(said) == 3


def test_tiles_with_one_face_are_told_apart_by_their_holes(maker):
    shutil.copy(maker.folder / "faces/tile.png", maker.folder / "faces/tile2.png")
    start = maker.toml.index('[[piece]]\nid = "sight')
    twin = maker.toml[start:].replace("pirate-1", "pirate-2").replace("tile.png", "tile2.png")
    maker.toml += "\n" + twin.replace("at = [0.75, 0.25]", "at = [0.75, 0.75]")
    maker.save()
    assert not [w for w in check.examine(maker.folder).warnings if "look nearly the same" in w]
    maker.toml = maker.toml.replace("at = [0.75, 0.75], radius = 0.13", "at = [0.75, 0.25], radius = 0.13")
    maker.save()
    assert [w for w in check.examine(maker.folder).warnings if "sight-red-pirate-2 look nearly the same" in w]


def test_many_look_alikes_are_counted(maker):
    from companion import deck

    piece = deck.load(maker.folder).pieces[2]
    face = cv2.imread(str(maker.folder / piece.face))
    assert len(look_alikes([(piece, face)] * 4)) == 6
    assert look_alikes([]) == []


def test_holes_that_miss_the_symbols_are_warned_of(maker):
    for place in ("[0.25, 0.25]", "[0.75, 0.25]", "[0.25, 0.75]"):
        maker.replace(
            f"at = {place}, radius = 0.13",
            f"at = {place.replace('0.25', '0.5', 1).replace('0.75', '0.5')}, radius = 0.13",
        )
    report = check.examine(maker.folder)
    assert report.meeting is not None
    assert report.meeting.enough == 0
    assert any("holes and symbols do not meet: only in 0% of the placements" in warning for warning in report.warnings)


def test_holes_that_show_half_a_symbol_are_warned_of(maker):
    maker.replace("at = [0.25, 0.25], radius = 0.13", "at = [0.37, 0.25], radius = 0.13")
    report = check.examine(maker.folder)
    assert report.meeting is not None
    assert report.meeting.doubtful == pytest.approx(1 / 3)
    assert any("33% of the holes show about half a symbol" in warning for warning in report.warnings)


def test_shares_agree_with_counted_pixels():
    y, x = np.mgrid[-1:1:801j, -1:1:801j]
    for distance, symbol, hole in [
        (0, 0.3, 0.4),
        (0, 0.4, 0.3),
        (0.2, 0.3, 0.33),
        (0.35, 0.3, 0.33),
        (0.7, 0.3, 0.33),
        (0.2, 0.5, 0.2),
    ]:
        printed = np.hypot(x, y) < symbol
        seen = printed & (np.hypot(x - distance, y) < hole)
        share = shares(np.array([float(distance)]), np.array([symbol]), hole)[0]
        assert share == pytest.approx(seen.sum() / printed.sum(), abs=0.01)


def test_sizes_in_millimetres_count(maker):
    from companion import deck

    # A smaller tile on the same card: its holes lie nearer the middle and miss.
    start = maker.toml.index("sight-red-pirate-1")
    maker.toml = maker.toml[:start] + maker.toml[start:].replace("[60.0, 60.0]", "[30.0, 30.0]")
    maker.save()
    met = meeting(deck.load(maker.folder))
    assert met is not None
    assert met.meeting == 0


def test_nothing_to_measure(maker):
    from companion import deck

    content = deck.load(maker.folder)
    assert meeting(deck.Deck(content.folder, "x", "any", content.of_kind("target-card"))) is None
