"""A sequence that shares what it has in common with longer ones: to whoever reads it, a tuple."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.growing import Growing

PLACES = st.integers(-9, 9)


@given(st.lists(st.integers(), max_size=8), PLACES, PLACES, st.sampled_from((1, 2, -1)))
def test_it_reads_like_a_tuple(items, one, other, step):
    growing, like = Growing(items), tuple(items)
    assert (len(growing), list(growing), list(reversed(growing))) == (len(like), list(like), list(reversed(like)))
    assert growing[one:other:step] == like[one:other:step]
    assert bool(growing) == bool(like)
    if -len(like) <= one < len(like):
        assert growing[one] == like[one]
    else:
        with pytest.raises(IndexError):
            growing[one]


@given(st.lists(st.tuples(st.integers(0, 20), st.lists(st.integers(), max_size=3)), max_size=20))
def test_none_changes_when_longer_ones_are_made_of_it(steps):
    made = [((), Growing())]
    for which, more in steps:
        like, growing = made[which % len(made)]
        made.append(((*like, *more), growing.plus(more)))
    assert all(tuple(growing) == like for like, growing in made)


@given(st.lists(st.integers(), max_size=8), st.integers(0, 8), st.integers())
def test_something_is_put_between(items, place, item):
    growing = Growing(items)
    place = min(place, len(items))
    longer = growing.inserted(place, item)
    assert longer == Growing([*items[:place], item, *items[place:]])
    assert growing == Growing(items)
    assert hash(longer) == hash(longer.plus(()))


def test_a_longer_one_costs_no_copy():
    growing = Growing(range(1000))
    longer = growing.plus([1]).plus([2])
    assert longer._items is growing._items
    assert sys.getsizeof(longer) < 100
