"""The simulated table must not be easier than real light: the naive reader finds no more on it than on the renders."""

import importlib.util
import sys
from pathlib import Path

import pytest
from photos import path_traced, renders_deck, simulated

CONDITIONS = ("easy", "evening", "harsh")


@pytest.fixture(scope="module")
def naive():
    spec = importlib.util.spec_from_file_location("naive_reader", Path(__file__).parents[2] / "naive_reader.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["naive_reader"] = module
    spec.loader.exec_module(module)
    return module


def shares(naive, reader, pictures):
    """Of the visible pieces: how many, the share found, the share read rightly."""
    visible = found = right = 0
    for picture, pieces in pictures:
        one = naive.score(reader.read(picture), pieces)
        visible, found, right = visible + one[0], found + one[1], right + one[2]
    return visible, found / visible, right / visible


def test_a_few_photos(naive):
    """One of each condition: the reader reads both kinds. The comparison that counts is the slow one."""
    deck = renders_deck()
    reader = naive.NaiveReader(deck)
    visible, found, right = shares(naive, reader, (p for name in CONDITIONS for p in path_traced(name, 1)))
    assert visible >= 8
    assert (found, right) == (1, 1)
    visible, found, right = shares(naive, reader, (p for name in CONDITIONS for p in simulated(deck, name, 1, 5)))
    assert visible >= 8
    assert 0.3 < right <= found <= 1


@pytest.mark.slow
@pytest.mark.parametrize("condition", CONDITIONS)
def test_the_naive_reader_finds_no_more_than_on_the_renders(naive, condition, capsys):
    """Equally many photographs of both, condition by condition."""
    deck = renders_deck()
    reader = naive.NaiveReader(deck)
    traced = shares(naive, reader, path_traced(condition, 10))
    drawn = shares(naive, reader, simulated(deck, condition, 10))
    with capsys.disabled():
        for name, (visible, found, right) in (("renders", traced), ("simulator", drawn)):
            print(f"\n{condition:8} {name:9} {visible:4} visible  found {found:6.1%}  right {right:6.1%}", end="")  # noqa: T201
    assert drawn[1] <= traced[1]
    assert drawn[2] <= traced[2]
