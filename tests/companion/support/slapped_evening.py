"""An evening of Hooked! planned beforehand: every 300 ms two cards alike come into the Lake and everybody slaps.

The plan knows when every finger comes down, so it knows who is first; ``slaps`` are the verdicts of the rules on the
same cards and edges, told one by one in the order of their times, with nothing else going on. The plan's own times
begin at ``ORIGIN_NS``; whatever is played begins when it is told to.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
from races import MS, bounce, edges

from companion.core.facts import Fact, MatchStarted
from companion.core.race import DEFAULTS
from companion.games.hooked.facts import Flip
from companion.games.hooked.rules import RULES, press
from companion.games.hooked.state import Slap, State
from companion.world import Player, Press

replace = msgspec.structs.replace

ORIGIN_NS = 1_000_000 * MS
EVERY_NS = 300 * MS
SEATS = ("seat-1", "seat-2", "seat-3", "seat-4", "seat-5")
SEEN_MS = (38, 88)
"""When the two cards of a race are seen, after its beginning; the frame before comes ``FRAME_MS`` earlier."""
FRAME_MS = 33
TOLD_MS = 60
"""So long after the frame the vision has told of a card."""
FIRST_MS = (192, 215)
"""When the first finger comes down: after the false-start limit of the second card."""
BOUNCE_NS = 3 * MS
"""No contact rests open so long in its bouncing that the press would be in doubt."""


@dataclass(frozen=True)
class Race:
    """Its flips and edges by time; ``first`` are the seats within the tie window of ``earliest_ns``."""

    flips: tuple[Flip, ...]
    edges: tuple[Press, ...]
    first: frozenset[str]
    earliest_ns: int

    @property
    def final_ns(self) -> int:
        """From when on nothing that is in time can change the verdict."""
        return self.earliest_ns + DEFAULTS.settle_ns

    def later(self, by_ns: int) -> Race:
        """The same race so much later."""
        flips = tuple(
            replace(one, t_ns=one.t_ns + by_ns, seen_ns=one.seen_ns + by_ns, before_ns=one.before_ns + by_ns)
            for one in self.flips
        )
        edges = tuple(replace(edge, t_ns=edge.t_ns + by_ns) for edge in self.edges)
        return Race(flips, edges, self.first, self.earliest_ns + by_ns)


class Evening:
    """So many races. ``cards`` are what the deck says of itself, ``slaps`` the verdicts, oldest first."""

    def __init__(self, seed: int, races: int, cards: Mapping[str, Any]) -> None:
        self._random = random.Random(seed)
        self._fish = sorted(id for id, card in cards["cards"].items() if card["kind"] == "fish")
        # Shared, so that after every race the Lake is empty and whoever is first in the next one wins it.
        self.options = {**cards, "dead_heat": "share"}
        self.players = tuple(Player(seat, seat) for seat in SEATS)
        self.started = MatchStarted(game="hooked", rules=RULES.version, players=self.players, options=self.options)
        self._state: State = RULES.start(self.started)
        self._facts = 1
        self._races = [self._race(ORIGIN_NS + number * EVERY_NS) for number in range(races)]
        self.slaps = self._state.slaps

    def races(self, begin_ns: int) -> list[Race]:
        """The races as they are played from ``begin_ns`` on."""
        return [race.later(begin_ns - ORIGIN_NS) for race in self._races]

    def _race(self, opened_ns: int) -> Race:
        """A race, judged as soon as it is planned."""
        r = self._random
        fish = r.choice(self._fish)
        flips = tuple(self._flip(opened_ns + seen * MS, fish) for seen in SEEN_MS)
        common = opened_ns + r.randrange(*FIRST_MS) * MS
        truth = {seat: common + self._behind() for seat in SEATS}
        if r.random() < 0.6:  # else somebody would soon have all the cards
            poorest = min(SEATS, key=lambda seat: (self._state.stack(seat), r.random()))
            truth[poorest] = common - r.randrange(2 * MS)
        earliest = min(truth.values())
        # Before the first card everybody lets go of the button, so that it is known to be up.
        found = [Press(seat, opened_ns, 0) for seat in SEATS] if opened_ns == ORIGIN_NS else []
        for seat, t_ns in truth.items():
            up = bounce(r, t_ns + r.randrange(15, 70) * MS, BOUNCE_NS)
            found += edges(r, seat, [*bounce(r, t_ns, BOUNCE_NS), *up])
        found = in_order(found)
        for command in (*flips, *map(press, found)):
            for fact in RULES.decide(self._state, command):
                self._tell(fact, command.t_ns)
        first = frozenset(seat for seat, t_ns in truth.items() if t_ns - earliest <= DEFAULTS.tie_ns)
        return Race(flips, tuple(found), first, earliest)

    def _behind(self) -> int:
        """How long after the common moment somebody slaps: often nearly at once."""
        r = self._random
        return r.randrange(3 * MS) if r.random() < 0.4 else int(min(abs(r.gauss(0, 30)), 50) * MS)

    def _flip(self, seen_ns: int, fish: str) -> Flip:
        return Flip(
            card=fish,
            seat=SEATS[0],
            seat_sure=False,  # whose turn it is
            seen_ns=seen_ns,
            before_ns=seen_ns - FRAME_MS * MS,
            t_ns=seen_ns + TOLD_MS * MS,
        )

    def _tell(self, fact: Fact, t_ns: int) -> None:
        self._facts += 1
        self._state = RULES.apply(self._state, replace(fact, id=self._facts, t_ns=t_ns))


def judged(slap: Slap, begin_ns: int) -> Slap:
    """A verdict in the plan's own times, without the numbers that flips have by the order in which facts came."""
    by_ns = ORIGIN_NS - begin_ns
    presses = tuple(replace(press, t_ns=press.t_ns + by_ns) for press in slap.presses)
    final_ns = None if slap.final_ns is None else slap.final_ns + by_ns
    timed = replace(slap, seen_ns=slap.seen_ns + by_ns, before_ns=slap.before_ns + by_ns, final_ns=final_ns)
    return replace(timed, id=0, flips=(), moment=0, presses=presses)


def in_order(edges: Iterable[Press]) -> list[Press]:
    """Edges of all lines by time, as one kernel reports them."""
    return sorted(edges, key=lambda edge: (edge.t_ns, edge.seat, edge.level))
