"""Our drawings: sound SVG that can be inlined, all told apart at the size a camera sees, and without colour."""

from __future__ import annotations

from itertools import combinations
from xml.etree import ElementTree

import cv2
import numpy as np
import pytest

from companion.games.drawn import rasterise
from companion.games.hook import art, layout
from companion.games.hook.art import cards

EVERY = {
    **{f"symbol {name}": art.symbol_svg(name, 'A title <&"') for name in art.SYMBOLS},
    **{f"character {name}": art.character_svg(name) for name in art.CHARACTERS},
    **{f"hit card {name}": art.hit_card_svg(name) for name in art.CHARACTERS},
    "hit card back": art.hit_card_svg("blue-sailor", spaces=False),
    "symbol on paper": art.symbol_svg("bomb", paper=True),
    "compass": art.compass_svg("Compass"),
    "cannonball": art.cannonball_svg(),
    "logo": art.logo_svg(),
    "target card": cards.target_card(layout.cards()[0]),
    "sight tile": cards.sight_tile(layout.tiles()[0], layout.HOLE_RADIUS),
    "card back": cards.card_back(),
    "tile back": cards.tile_back(),
    "compass card": cards.compass_card(),
}


@pytest.mark.parametrize("name", EVERY)
def test_is_svg_that_can_be_inlined_and_drawn(name):
    root = ElementTree.fromstring(EVERY[name])
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    for element in root.iter():
        # No fonts, scripts or references: nothing clashes with a page or depends on a machine.
        assert element.tag.rpartition("}")[2] in {"svg", "g", "path", "circle"}
        assert not {"id", "style", "class", "href"} & set(element.attrib)
        assert not any("url(" in value or "nan" in value for value in element.attrib.values())
    picture = rasterise(EVERY[name], 100)
    assert picture.shape == (140 if "hit card" in name else 100, 100, 3)
    assert picture.std() > (1 if name == "tile back" else 25)


def test_titles_are_announced_and_decoration_is_not():
    titled = ElementTree.fromstring(art.symbol_svg("rum", 'Bottle "of" <rum> & more'))
    assert titled.get("role") == "img"
    assert titled.get("aria-label") == 'Bottle "of" <rum> & more'
    assert ElementTree.fromstring(art.symbol_svg("rum")).get("aria-hidden") == "true"


def test_unknown_names():
    with pytest.raises(KeyError):
        art.symbol_svg("kraken")
    with pytest.raises(KeyError):
        art.character_svg("rum")
    with pytest.raises(KeyError):
        art.hit_card_svg("black-pirate")


def _seen(name, side):
    """The symbol as printed on ivory, ``side`` pixels across, in grey."""
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-5 -5 110 110">{art.shapes(name)}</svg>'
    paper = svg.replace('110">', '110"><path d="M-5 -5H105V105H-5Z" fill="#fdf5e3"/>', 1)
    large = cv2.cvtColor(rasterise(paper, side * 6), cv2.COLOR_BGR2GRAY)
    return cv2.resize(large, (side, side), interpolation=cv2.INTER_AREA).astype(np.float64)


@pytest.mark.parametrize("name", art.SYMBOLS)
def test_symbols_fill_their_place_and_stay_in_it(name):
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-50 -50 200 200">{art.shapes(name)}</svg>'
    drawn = np.argwhere(rasterise(svg, 200).max(axis=2) > 20)
    (top, left), (bottom, right) = drawn.min(axis=0), drawn.max(axis=0)
    assert min(top, left) >= 48
    assert max(bottom, right) <= 152
    assert max(bottom - top, right - left) >= 85


def test_symbols_differ_without_colour_at_22_pixels_in_any_small_turn():
    grey = {name: _seen(name, 22) for name in art.SYMBOLS}

    def turned(picture, degrees):
        matrix = cv2.getRotationMatrix2D((10.5, 10.5), degrees, 1)
        return cv2.warpAffine(picture, matrix, (22, 22), borderValue=243)

    for first, second in combinations(art.SYMBOLS, 2):
        alike = max(
            np.corrcoef(grey[first].ravel(), turned(grey[second], degrees).ravel())[0, 1]
            for degrees in range(-20, 21, 5)
        )
        assert alike < 0.82, (first, second, alike)


def test_outlines_alone_tell_the_symbols_apart():
    """Filled black, as in a bad light: no two cover the same ground."""
    filled = {name: _seen(name, 44) < 225 for name in art.SYMBOLS}
    for first, second in combinations(art.SYMBOLS, 2):
        both, either = filled[first] & filled[second], filled[first] | filled[second]
        assert both.sum() / either.sum() < 0.86, (first, second)
