"""How people at the simulated table flip and slap, by condition, and each one's own ways."""

from __future__ import annotations

from random import Random

import msgspec


class Habits(msgspec.Struct, frozen=True):
    """How a table behaves. Probabilities are per flip, those of ``early``, ``wrong`` per flip and player."""

    scatter_mm: float
    """Spread of the places at which cards land."""
    askew_deg: float
    """Spread of their angles around the flipper's own upright."""
    any_angle: float
    """Probability of a card that lands at no particular angle."""
    early: float
    wrong: float
    asleep: float
    """Probability that nobody at all notices a card to be slapped."""
    notices: float
    locked_press: float
    shoved: float
    """Probability that a landing card, and that a palm, shoves those below it."""
    shove_mm: float
    bounces: int
    """At most so many pairs of false edges a press."""
    held: float
    stuck: float
    one_interrupt: float
    late: float
    """Probability that an edge is delivered late."""
    late_ms: float
    quick: float
    """Shortest pauses and movements, as a share of the usual ones."""


HABITS = {
    "easy": Habits(
        scatter_mm=7.0, askew_deg=10.0, any_angle=0.0, early=0.002, wrong=0.004, asleep=0.03, notices=0.95,
        locked_press=0.15, shoved=0.1, shove_mm=1.0, bounces=2, held=0.01, stuck=0.0, one_interrupt=0.01, late=0.01,
        late_ms=6.0, quick=1.0,
    ),
    "evening": Habits(
        scatter_mm=13.0, askew_deg=25.0, any_angle=0.08, early=0.006, wrong=0.01, asleep=0.06, notices=0.88,
        locked_press=0.3, shoved=0.3, shove_mm=2.5, bounces=5, held=0.03, stuck=0.004, one_interrupt=0.03, late=0.03,
        late_ms=25.0, quick=0.75,
    ),
    "harsh": Habits(
        scatter_mm=20.0, askew_deg=40.0, any_angle=0.25, early=0.015, wrong=0.02, asleep=0.1, notices=0.8,
        locked_press=0.4, shoved=0.5, shove_mm=4.0, bounces=9, held=0.06, stuck=0.012, one_interrupt=0.06, late=0.08,
        late_ms=70.0, quick=0.5,
    ),
}  # fmt: skip
"""By the condition's name."""


class Reflexes(msgspec.Struct, frozen=True):
    """One player's ways: reaction time and its spread, and how far the hand follows a card that is turned over."""

    mean_ms: float
    spread_ms: float
    reach: float
    pace: float

    def reaction_ns(self, random: Random) -> int:
        """From the card seen to the contact closed: nearly normal, with a few slow ones, never below 150 ms."""
        slow = random.expovariate(1 / 120) if random.random() < 0.08 else 0.0
        return round(max(150.0, random.gauss(self.mean_ms, self.spread_ms) + slow) * 1e6)


def reflexes(random: Random) -> Reflexes:
    """Somebody's own."""
    return Reflexes(
        random.uniform(250, 450), random.uniform(25, 40), random.uniform(0.15, 0.85), random.uniform(0.85, 1.25)
    )
