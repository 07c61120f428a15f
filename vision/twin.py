"""A card that looks exactly like the one below it, or the old one pushed? Said as a probability."""

from __future__ import annotations

import math

from vision.shifted import Evidence

STIRRED_MM, STIRRED_DEG = 0.45, 0.3
"""A card that lies nearer than this to where it lay has not been moved: that is how exactly it is measured."""
FLOOR = 0.006
"""Differences (of logarithms) below this are nothing."""
ENOUGH = 40.0
"""From so many mm² of the old card's rim on, what they say counts in full."""
MAYBE = -1.2
"""Logarithm of the odds that leave a doubt."""


def stirred(evidence: Evidence) -> bool:
    """Whether the uppermost card lies otherwise than before."""
    return evidence.move.mm > STIRRED_MM or evidence.move.deg > STIRRED_DEG


def probability(evidence: Evidence) -> float:
    """How likely it is that a card has come which looks exactly like the one below it."""
    if not stirred(evidence):
        return 0.0
    ratio = math.log((min(evidence.went, evidence.under) + FLOOR) / (evidence.stayed + FLOOR))
    odds = 6.0 * (ratio - 0.25)
    unlike = max(evidence.stayed - FLOOR - 1.2 * evidence.noise, 0.0)
    if unlike == 0:
        # What sticks out may well be the old card: where the table looks just like it, it is a doubt.
        odds = max(odds, MAYBE)
    elif odds > 0:
        # It is less unlike the old card than anything else; but is it the old card? If not, it is a doubt.
        odds = max(odds - unlike / 0.004, min(odds, MAYBE))
    return 1 / (1 + math.exp(-min(1.0, evidence.area / ENOUGH) * odds))
