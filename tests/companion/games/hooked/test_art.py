"""The drawings of Hooked!: sound SVG that can be inlined, within their cards, all told apart without colour."""

from __future__ import annotations

from itertools import combinations
from xml.etree import ElementTree

import cv2
import numpy as np
import pytest

from companion.games.drawn import rasterise
from companion.games.hooked import art
from companion.games.hooked.art import cards

EVERY = {
    **{f"card {id}": art.card_svg(id, 'A title <&"') for id in art.NAMES},
    **{f"fish {species.id}": art.fish_svg(species.id) for species in art.SPECIES},
    **{f"action {action.id}": art.action_svg(action.id) for action in art.ACTIONS},
    "back": art.back_svg(),
}


@pytest.mark.parametrize("name", EVERY)
def test_is_svg_that_can_be_inlined_and_drawn(name):
    root = ElementTree.fromstring(EVERY[name])
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    for element in root.iter():
        assert element.tag.rpartition("}")[2] in {"svg", "g", "path", "circle"}
        assert not {"id", "style", "class", "href"} & set(element.attrib)
        assert not any("url(" in value or "nan" in value for value in element.attrib.values())
    picture = rasterise(EVERY[name], 126)
    assert picture.shape == (176 if name == "back" or name.startswith("card") else 126, 126, 3)
    assert picture.std() > 15


def test_eighteen_species_in_the_order_of_their_numbers_and_four_actions():
    assert [species.number for species in art.SPECIES] == list(range(1, 19))
    by_id = {species.id: species.number for species in art.SPECIES}
    assert by_id["walleye"] == 8 and by_id["coho-salmon"] == 9
    assert [action.id for action in art.ACTIONS] == ["empty-hook", "catch-and-release", "net-cast", "current-shift"]
    assert len(art.NAMES) == 22


def test_unknown_names():
    for draw in (art.card_svg, art.fish_svg, art.action_svg):
        with pytest.raises(KeyError):
            draw("kraken")


@pytest.mark.parametrize("species", art.SPECIES, ids=lambda s: s.id)
def test_a_fish_stays_on_its_card(species):
    """It may touch the frame, but leaves the pale border, and nearly all of it is seen beside index and name."""
    alone = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 126 176">{cards._fish(species)}</svg>'
    drawn = rasterise(alone, 252).max(axis=2) > 20
    assert drawn.sum() > 0.08 * drawn.size
    border = np.ones_like(drawn)
    border[12:-12, 12:-12] = False
    assert not (drawn & border).any()


def _outline(species):
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 126 176">{cards._fish(species)}</svg>'
    return rasterise(svg, 63).max(axis=2) > 20


def test_outlines_alone_tell_the_fish_apart():
    """Filled black, as in a bad light: no two cover the same ground, even with one card upside down."""
    filled = [_outline(species) for species in art.SPECIES]
    for (i, first), (j, second) in combinations(enumerate(filled), 2):
        for other in (second, second[::-1, ::-1]):
            alike = (first & other).sum() / (first | other).sum()
            assert alike < 0.75, (art.SPECIES[i].id, art.SPECIES[j].id, alike)


def test_faces_differ_without_colour_as_small_as_a_camera_sees_them():
    small = []
    for id in art.NAMES:
        grey = cv2.cvtColor(rasterise(art.card_svg(id), 252), cv2.COLOR_BGR2GRAY)
        picture = cv2.resize(grey, (36, 50), interpolation=cv2.INTER_AREA).astype(np.float64)
        small.append((picture - picture.mean()) / picture.std())
    for first, second in combinations(small, 2):
        assert max(float((first * other).mean()) for other in (second, second[::-1, ::-1])) < 0.8
