"""Laying, comparing and weighing faces where it is known what lies there."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.conftest import Table, plain_table
from vision.align import EXACT, ROUGH, align
from vision.catalog import COARSE
from vision.compare import compare
from vision.find import Outline
from vision.identify import View, allowed_faces, first_look, grown, settle
from vision.pyramid import Pyramid
from vision.weigh import misfits

NAMES = ("card-1", "tile-red-1", "tile-blue-2")
OFF = np.array([[3, -2], [-2, 3], [2, 2], [-3, -2]], np.float32)
"""What a guess is off, in pixels of a piece 120 wide."""


@pytest.fixture(scope="module")
def table(deck) -> Table:
    table = plain_table(deck)
    for place, name in enumerate(NAMES):
        table.lay(name, 150 + 200 * place, 300, 20.0 * place)
    return table


def laid_quads(table: Table) -> np.ndarray:
    return np.stack([table.laid[name] for name in NAMES])


@pytest.mark.parametrize("size", [ROUGH, EXACT])
def test_guesses_some_per_cent_off_are_laid_within_a_pixel_together_as_each_alone(deck, catalog, size):
    table = plain_table(deck)
    cards = ("card-1", "card-4", "card-7")
    quads = np.stack([table.lay(name, 150 + 200 * place, 300, 20.0 * place) for place, name in enumerate(cards)])
    pyramid, faces = Pyramid(table.photo()), [catalog.face_of(name) for name in cards]
    moved, likeness = align(pyramid, quads + OFF, faces, catalog, size)
    assert np.abs(moved - quads).max() < 1.5
    assert likeness.min() > 0.85
    for k, face in enumerate(faces):
        alone, _ = align(pyramid, quads[k : k + 1] + OFF, [face], catalog, size)
        assert np.abs(alone[0] - moved[k]).max() < 0.02


def test_where_nothing_is_alike_the_guess_does_not_run_away(table, catalog):
    corners = np.array([[[700, 500], [800, 500], [800, 600], [700, 600]]], np.float32)
    moved, _ = align(Pyramid(table.photo()), corners, [catalog.faces[0]], catalog)
    assert np.abs(moved - corners).max() < 0.3 * 100


def glaring(photo: np.ndarray, at: np.ndarray, reach: float) -> np.ndarray:
    """The light of a lamp mirrored on whatever lies at ``at``."""
    y, x = np.mgrid[: photo.shape[0], : photo.shape[1]]
    glare = 110 * np.exp(-((x - at[0]) ** 2 + (y - at[1]) ** 2) / (2 * reach**2))
    return np.clip(photo * 0.7 + glare[..., None], 0, 255).astype(np.uint8)


def test_under_glare_a_piece_is_still_most_like_itself_and_named(table, catalog):
    quads = laid_quads(table)
    photo = table.photo()
    for quad in quads:
        photo = glaring(photo, quad.mean(axis=0) + np.array([15, -10]), 50.0)
    view = View(Pyramid(photo), catalog, allowed_faces(catalog, None))
    for name, scores in zip(NAMES, compare(view.pyramid.cuts(quads, COARSE), catalog), strict=True):
        assert catalog.faces[int(scores[0].argmax())].piece.id == name
    outlines = [Outline(quad, 1.0) for quad in grown(quads, 1.03)]
    picks = [pick for pick in first_look(view, outlines) if pick is not None]
    best = [candidates[0] for candidates in settle(view, outlines, picks)]
    assert [one.face.piece.id for one in best] == list(NAMES)
    assert min(one.confidence for one in best) > 0.9


def test_the_face_that_lies_there_misfits_least_at_all_pixels_and_at_some(table, catalog):
    crops = Pyramid(table.photo()).cuts(laid_quads(table), COARSE)
    entries = [(k, catalog.face_of(name).index, 0) for k in range(3) for name in NAMES]
    for quick in (True, False):
        misfit, _ = misfits(crops, entries, catalog, quick=quick)
        square = misfit.reshape(3, 3)
        assert (square.argmin(axis=1) == np.arange(3)).all()
        assert np.diag(square).max() < 0.5 * (square + 9 * np.eye(3)).min()


def test_a_turned_face_is_weighed_as_it_lies(table, catalog):
    crop = Pyramid(table.photo()).cuts(laid_quads(table)[:1], COARSE)
    face = catalog.face_of(NAMES[0]).index
    for turn in range(4):
        turned = np.rot90(crop, -turn, axes=(1, 2))
        misfit, _ = misfits(turned, [(0, face, other) for other in range(4)], catalog, quick=False)
        assert misfit.argmin() == turn
