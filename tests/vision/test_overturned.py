"""Sight tiles with their black side up are known by their holes, in every turn and light."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion import deck as decks
from companion.games.hook import practice_deck
from vision.catalog import COARSE, build
from vision.find import Outline
from vision.identify import Candidate, View, allowed_faces
from vision.overturned import overturned
from vision.pyramid import Pyramid
from vision.seen import DOUBTED, Seen, turned_over, without_copies


@pytest.fixture(scope="module")
def catalog():
    return build(decks.load(practice_deck.folder()))


def black_side(catalog, tile: str, card: str, turn: int, light: float) -> np.ndarray:
    """The crop of a tile lying turned over on a card, as a camera sees it."""
    side = 120
    under = cv2.resize(catalog.face_of(card).large, (side, side)).astype(np.float32)
    picture = np.full((side, side, 3), 18.0, np.float32)
    for hole in catalog.face_of(tile).piece.holes:
        mask = np.zeros((side, side), np.uint8)
        cv2.circle(mask, (round((1 - hole.at[0]) * side), round(hole.at[1] * side)), round(hole.radius * side), 255, -1)
        picture[mask > 0] = under[mask > 0]
    noisy = np.rot90(picture, turn) * light + np.random.default_rng(turn).normal(0, 3, picture.shape)
    small = cv2.resize(np.clip(noisy, 0, 255).astype(np.uint8), (COARSE, COARSE), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)


@pytest.mark.parametrize("turn", range(4))
@pytest.mark.parametrize("light", [0.4, 1.0])
def test_a_black_side_tells_which_tile_it_is(catalog, turn, light):
    right = 0
    tiles = [piece.id for piece in catalog.deck.of_kind("sight-tile")]
    cards = [piece.id for piece in catalog.deck.of_kind("target-card")]
    for number, tile in enumerate(tiles):
        found = overturned(black_side(catalog, tile, cards[5 * number], turn, light), catalog)
        right += found is not None and found[0] == "sight-tile" and found[1][0][0] == tile
    assert right == len(tiles)


def test_no_face_of_the_deck_and_no_plain_thing_is_a_black_side(catalog):
    for face in catalog.faces:
        crop = cv2.resize(face.art, (COARSE, COARSE), interpolation=cv2.INTER_AREA)
        assert overturned(np.asarray(crop, np.uint8), catalog) is None, face.piece.id
    for value in (0, 20, 128, 255):
        assert overturned(np.full((COARSE, COARSE, 3), value, np.uint8), catalog) is None


@pytest.mark.parametrize(("confidence", "turned"), [(0.0, True), (DOUBTED, True), (0.8, False)])
def test_a_name_that_is_not_believed_may_be_the_plain_side_of_a_piece(catalog, confidence, turned):
    """So is one whose best name is another's."""
    picture = cv2.resize(black_side(catalog, "sight-red-pirate-1", "target-005", 0, 1.0), (120, 120))
    corners = np.array([(0, 0), (120, 0), (120, 120), (0, 120)], np.float32)
    face = catalog.face_of("sight-blue-sailor-2")
    one = Seen(Outline(corners, 1.0), (Candidate(face, corners, 1.0, 1.0, 0.5, confidence),), confidence)
    view = View(Pyramid(picture), catalog, allowed_faces(catalog, None))
    (seen,) = turned_over(view, [one])
    assert (seen.turned is not None) == turned


def test_a_name_that_is_the_next_best_is_not_believed(catalog):
    corners = np.array([(0, 0), (120, 0), (120, 120), (0, 120)], np.float32)
    faces = [catalog.face_of(f"sight-blue-sailor-{n}") for n in (1, 2)]
    first, second = (
        Candidate(face, corners, 1.0, 1.0, 0.9, sure) for face, sure in zip(faces, (0.95, 0.9), strict=True)
    )
    seen = [Seen(Outline(corners, 1.0), (first,), 0.95), Seen(Outline(corners + 200, 1.0), (first, second), 0.9)]
    one, other = without_copies(seen, catalog)
    assert (one.confidence, other.candidates[0].face, other.confidence) == (0.95, faces[1], DOUBTED)
