"""Confidence intervals against published values."""

import math

import pytest

from companion.app.intervals import Share


@pytest.mark.parametrize(
    ("hits", "n", "low", "high"),
    [
        (0, 10, 0.0, 0.3085),  # Newcombe, Statistics in Medicine 17 (1998), and the rule 1 - (a/2)^(1/n)
        (1, 29, 0.0009, 0.1776),
        (15, 148, 0.0578, 0.1617),
        (81, 263, 0.2527, 0.3676),
        (10, 10, 0.6915, 1.0),
    ],
)
def test_published_intervals(hits, n, low, high):
    assert Share(hits, n).interval() == pytest.approx((low, high), abs=6e-5)


def test_nothing_counted_says_nothing():
    assert Share(0, 0).interval() == (0.0, 1.0)
    assert math.isnan(Share(0, 0).value)


def test_shares_add_and_print():
    share = Share(1, 500) + Share(1, 500)
    assert share.per_thousand() == "2 = 2.0 in 1,000 (0.2 to 7.2)"
    assert Share(199, 200).percent().startswith("99.5 % (97.")
