"""What an edge costs by the rules of Hooked!, early in a match and late; ``make benchmarks`` only."""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "companion" / "support"))

from slapped_evening import Evening

from companion.app import games
from companion.core.match import begin
from companion.games.hooked.deck_rules import options
from companion.games.hooked.rules import RULES, press
from companion.table.presses import hear

RACES, SOME, FACTS = 60, 6, 2000
MOST = 2.0
"""So many times what it costs in the beginning, at most: it was a hundred when all was judged anew."""


def test_an_edge_late_in_a_match_costs_what_it_costs_in_the_beginning():
    evening = Evening(7, RACES, options(games.load("hooked", None)))
    match = begin(1, RULES, evening.started, step=1, t_ns=1).match
    costs = []
    step = 2
    for race in evening.races(10**12):
        for flip in race.flips:
            match, step = match.propose(flip, step=step, t_ns=flip.t_ns).match, step + 1
        begun = time.process_time()
        for edge in race.edges:
            heard = hear(match, press, (edge,), step)
            match, step = heard.match, step + len(heard.steps)
        costs.append((time.process_time() - begun) / len(race.edges))
    assert len(match.entries) > FACTS
    early, late = min(costs[:SOME]), min(costs[-SOME:])
    sys.stdout.write(
        f"\nan edge: {early * 1e6:.0f} us in the beginning, {late * 1e6:.0f} us after {len(match.entries)} facts\n"
    )
    assert late < MOST * early
