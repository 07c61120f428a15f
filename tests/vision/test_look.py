"""Everything together: name, turn, symbols, doubt."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys

import cv2
import numpy as np
import pytest

from companion.deck import load
from tests.vision.conftest import plain_table, shared, symbol_under
from vision.catalog import build
from vision.drawing import draw
from vision.geometry import from_quad, overlap
from vision.look import look


def seen_at(sightings, corners):
    """The uppermost sighting there."""
    there = [s for s in sightings if s.covered_by is None and overlap(from_quad(s.corners), corners) > 0.7]
    return there[0] if there else None


def off(sighting, corners) -> float:
    return float(np.linalg.norm(from_quad(sighting.corners) - corners, axis=1).max())


@pytest.mark.parametrize("degrees", [0, 33, 90, 171, 270])
def test_a_card_is_named_with_its_turn(deck, catalog, degrees):
    table = plain_table(deck)
    corners = table.lay("card-4", 400, 350, degrees)
    sighting = seen_at(look(table.photo(), catalog), corners)
    assert sighting.id == "card-4"
    assert sighting.sure
    assert off(sighting, corners) < 6


@pytest.mark.parametrize("gain", [0.35, 1.0, 1.7])
def test_light_does_not_change_the_reading(deck, catalog, gain):
    table = plain_table(deck)
    wanted = {
        id: table.lay(id, 150 + 200 * k, 250 + 60 * k, 25 * k)
        for k, id in enumerate(["card-1", "card-7", "long-2", "round-0"])
    }
    sightings = look(table.photo(gain=gain), catalog)
    assert {id: seen_at(sightings, corners).id for id, corners in wanted.items()} == {id: id for id in wanted}


@pytest.mark.parametrize(
    ("tile", "card", "turn"),
    [("tile-red-1", "card-2", 90), ("tile-red-3", "card-9", 0), ("tile-blue-2", "card-5", 180)],
)
def test_a_tile_tells_its_owner_its_holes_and_what_shows(deck, catalog, tile, card, turn):
    table = plain_table(deck)
    table.lay("card-0", 160, 160)
    table.lay("card-11", 700, 200, 40)
    table.lay(card, 400, 420, turn + 12)
    corners = table.lay(tile, 404, 418, 10)
    sighting = seen_at(look(table.photo(), catalog), corners)
    assert sighting.id == tile
    assert [reading.symbol for reading in sighting.holes] == symbol_under(deck, table, tile, card)
    assert sighting.over == card
    assert sighting.sure


@pytest.mark.parametrize("turned", ["card-11", "tile-blue-3"])
def test_what_lies_face_down_names_no_piece(deck, catalog, turned):
    """All cards have one back, as all tiles have: the first of each may lie elsewhere, or under a tile."""
    table = plain_table(deck)
    table.lay(turned, 160, 160, face_up=False)
    table.lay("card-0", 400, 420, 12)
    corners = table.lay("tile-red-1", 404, 418, 10)
    sightings = look(table.photo(), catalog)
    assert seen_at(sightings, table.laid[turned]).id is None
    sighting = seen_at(sightings, corners)
    assert (sighting.over, sighting.sure) == ("card-0", True)
    assert [reading.symbol for reading in sighting.holes] == symbol_under(deck, table, "tile-red-1", "card-0")


def test_a_back_that_looks_alike_both_ways_is_a_sure_one(deck, tmp_path):
    shutil.copytree(deck.folder, tmp_path / "deck")
    path = str(tmp_path / "deck" / "faces" / "card-back.png")
    back = cv2.imread(path)
    back[len(back) // 2 :] = back[len(back) // 2 - 1 :: -1, ::-1]
    cv2.imwrite(path, back)
    alike = load(tmp_path / "deck")
    table = plain_table(alike)
    corners = table.lay("card-3", 300, 350, 10, face_up=False)
    sighting = seen_at(look(table.photo(), build(alike)), corners)
    assert (sighting.id, sighting.face_up, sighting.sure) == (None, False, True)


def test_a_thing_that_is_like_a_back_is_not_called_by_the_first_name(deck, catalog):
    table = plain_table(deck)
    corners = table.lay("card-3", 300, 350, 10, face_up=False)
    cv2.circle(table.image, (300, 350), 45, (60, 160, 90), -1)
    sighting = seen_at(look(table.photo(), catalog), corners)
    assert (sighting.id, sighting.ranked) == (None, ())


def test_the_card_under_a_tile_is_reported_as_covered(deck, catalog):
    table = plain_table(deck)
    below = table.lay("card-2", 400, 420, 95)
    table.lay("tile-red-1", 404, 418, 10)
    covered = [s for s in look(table.photo(), catalog) if s.covered_by == "tile-red-1"]
    assert [s.id for s in covered] == ["card-2"]
    assert off(covered[0], below) < 10


def test_a_tile_on_the_bare_table_is_not_read_surely(deck, catalog):
    table = plain_table(deck)
    corners = table.lay("tile-blue-1", 400, 400, 5)
    sighting = seen_at(look(table.photo(), catalog), corners)
    assert sighting.id == "tile-blue-1"
    assert not sighting.sure


def test_a_card_of_another_deck_gets_no_name(deck, catalog):
    table = plain_table(deck)
    corners = table.lay("card-4", 400, 350, 10)
    others = frozenset(piece.id for piece in deck.pieces) - {"card-4"}
    sighting = seen_at(look(table.photo(), catalog, expected=others), corners)
    assert sighting is None or sighting.id is None or not sighting.sure


def test_a_piece_is_on_the_table_no_more_often_than_the_deck_has_it(deck, catalog):
    table = plain_table(deck)
    table.lay("card-4", 200, 350, 10)
    table.lay("card-4", 600, 350, 200)
    sure = [s for s in look(table.photo(), catalog) if s.id == "card-4" and s.sure]
    assert len(sure) == 1


def test_turning_the_photo_turns_the_corners(deck, catalog):
    table = plain_table(deck)
    table.lay("card-6", 300, 300, 30)
    photo = table.photo()
    (upright,) = [s for s in look(photo, catalog) if s.id == "card-6"]
    (sideways,) = [s for s in look(np.ascontiguousarray(np.rot90(photo, -1)), catalog) if s.id == "card-6"]
    expected = [(photo.shape[0] - 1 - y, x) for x, y in upright.corners]
    assert np.abs(np.array(sideways.corners) - np.array(expected)).max() < 3


def test_a_plane_adds_millimetres(deck, catalog):
    table = plain_table(deck)
    table.lay("card-6", 300, 300, 30)
    (sighting,) = [s for s in look(table.photo(), catalog, plane=np.diag([0.5, 0.5, 1.0])) if s.id == "card-6"]
    first, second = np.array(sighting.corners_mm[:2])
    assert np.linalg.norm(first - second) == pytest.approx(60, abs=1.5)


@pytest.mark.parametrize(
    "image",
    [
        np.zeros((0, 0, 3), np.uint8),
        np.zeros((5, 5, 3), np.uint8),
        np.zeros((600, 800), np.uint8),
        np.full((600, 800, 3), 255, np.uint8),
        np.random.default_rng(0).integers(0, 255, (300, 400, 3), np.uint8),
        np.zeros((100, 2000, 4), np.uint8),
    ],
    ids=["empty", "tiny", "gray", "white", "noise", "alpha"],
)
def test_pictures_without_pieces_name_none(catalog, image):
    assert [s for s in look(image, catalog) if s.sure] == []


def test_a_gray_photo_is_still_read(deck, catalog):
    table = plain_table(deck)
    table.lay("card-6", 300, 300, 30)
    gray = cv2.cvtColor(table.photo(), cv2.COLOR_BGR2GRAY)
    assert "card-6" in [s.id for s in look(gray, catalog)]


def test_drawing_leaves_the_photo_alone(deck, catalog):
    table = plain_table(deck)
    table.lay("card-6", 300, 300, 30)
    photo = table.photo()
    before = photo.copy()
    drawn = draw(photo, look(photo, catalog))
    assert np.array_equal(photo, before)
    assert drawn.shape == photo.shape
    assert not np.array_equal(drawn, photo)


def test_path_traced_photos(tmp_path):
    """Some of the photographs with the truth beside them, with the bars of the whole set."""
    renders = shared() / "renders"
    if not renders.is_dir():
        pytest.skip(f"{renders} is not there: set SHARED to the folder that holds renders/")
    run = subprocess.run(
        [
            sys.executable,
            renders / "score_look.py",
            renders / "hook-photos/truth.jsonl",
            renders / "hook-photos",
            renders / "hook-deck",
            "6",
        ],
        env={"COMPANION": f"{sys.executable} -m companion.cli", "PATH": ""},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr


def test_the_command_prints_one_line_a_photo(deck, catalog, tmp_path):
    table = plain_table(deck)
    table.lay("card-2", 400, 420, 95)
    corners = table.lay("tile-red-1", 404, 418, 10)
    photo = tmp_path / "a.jpg"
    cv2.imwrite(str(photo), table.photo())
    run = command("--deck", deck.folder, "--json", "--draw", tmp_path / "out", photo)
    assert run.returncode == 0, run.stderr
    (line,) = map(json.loads, run.stdout.splitlines())
    assert line["photo"] == str(photo)
    assert line["ms"] > 0
    tile = next(piece for piece in line["pieces"] if piece["id"] == "tile-red-1")
    assert tile["symbols"] == symbol_under(deck, table, "tile-red-1", "card-2")
    assert np.abs(np.array(tile["corners"]) - corners).max() < 6
    assert (tmp_path / "out" / "a.png").is_file()


def test_the_command_honours_the_way_a_phone_was_held(deck, tmp_path):
    table = plain_table(deck)
    corners = table.lay("card-6", 300, 300, 30)
    _, coded = cv2.imencode(".jpg", np.ascontiguousarray(np.rot90(table.photo())))
    exif = bytes.fromhex("ffe100224578696600004d4d002a00000008000101120003000000010006000000000000")
    jpeg = coded.tobytes()
    photo = tmp_path / "held.jpg"
    photo.write_bytes(jpeg[:2] + exif + jpeg[2:])
    run = command("--deck", deck.folder, "--json", photo)
    (piece,) = [p for p in json.loads(run.stdout)["pieces"] if p["id"] == "card-6"]
    assert np.abs(np.array(piece["corners"]) - corners).max() < 6


def test_the_command_says_what_is_wrong(deck, tmp_path):
    broken = tmp_path / "broken.jpg"
    broken.write_bytes(b"no picture")
    run = command("--deck", deck.folder, broken)
    assert run.returncode == 1
    assert "broken.jpg: this photo cannot be read" in run.stderr
    run = command("--deck", tmp_path / "nowhere", broken)
    assert run.returncode == 1
    assert "there is no such folder" in run.stderr
    assert command("--deck", deck.folder).returncode == 2


def test_the_command_tells_people_in_words(deck, tmp_path):
    table = plain_table(deck)
    table.lay("card-6", 300, 300, 30)
    photo = tmp_path / "a.png"
    cv2.imwrite(str(photo), table.photo())
    run = command("--deck", deck.folder, photo)
    assert run.returncode == 0
    assert "a.png: 1 piece" in run.stdout
    assert "card-6" in run.stdout


def command(*arguments) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "companion.cli", "look", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
    )
