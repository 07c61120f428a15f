"""Slap buttons as they are: contacts that bounce, stay down or stick, and edges that are told late and out of order."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from companion.games.hooked.habits import Habits
from companion.games.hooked.scripted import Button, Delivery
from companion.world import Press

MS = 1_000_000
FREED_AFTER = 2
"""A stuck button is freed at the end of so many flips."""
INTERRUPT_NS = 20_000
"""Edges within this are handled in one interrupt."""


class Buttons:
    """The buttons of a table: which are down, and since when."""

    def __init__(self, seats: Iterable[str], habits: Habits) -> None:
        self.habits = habits
        self._free_ns = dict.fromkeys(seats, 0)
        """When each seat's button is at rest again."""
        self._stuck: dict[str, int] = {}

    def free(self, seat: str, t_ns: int) -> bool:
        """Whether a press would make an edge at all."""
        return seat not in self._stuck and self._free_ns[seat] < t_ns

    def press(self, seat: str, t_ns: int, random: Random, button: Button | None = None) -> tuple[Button, list[Press]]:
        """The edges of a press at ``t_ns``, its release included, and how the button behaved."""
        if button is None:
            button = self._behaves(random)
        # The level is read later than the edge is stamped, so even the first edge of a bouncing press may say "up".
        level = 0 if button == "bounces" and random.random() < 0.1 else 1
        edges = [Press(seat, t_ns, level), *self._bouncing(seat, t_ns, 1, button, random)]
        if button == "stuck":
            self._stuck[seat] = FREED_AFTER
            return button, edges
        down_ns = round((random.uniform(900, 4000) if button == "held" else random.uniform(70, 320)) * MS)
        release = t_ns + down_ns
        edges += [Press(seat, release, 0), *self._bouncing(seat, release, 0, button, random)]
        self._free_ns[seat] = max(edge.t_ns for edge in edges) + 40 * MS
        return button, edges

    def loosened(self, t_ns: int) -> list[Press]:
        """A flip is over at ``t_ns``: the releases of stuck buttons that somebody has freed."""
        freed = []
        for seat in list(self._stuck):
            self._stuck[seat] -= 1
            if self._stuck[seat] <= 0:
                del self._stuck[seat]
                self._free_ns[seat] = t_ns + 40 * MS
                freed.append(Press(seat, t_ns, 0))
        return freed

    def _behaves(self, random: Random) -> Button:
        if random.random() < self.habits.stuck:
            return "stuck"
        if random.random() < self.habits.held:
            return "held"
        return "bounces" if random.random() < 0.7 else "clean"

    def _bouncing(self, seat: str, t_ns: int, level: int, button: Button, random: Random) -> list[Press]:
        """False edges after a change to ``level``; the last of them is ``level`` again.

        The level is read after the edge: between two quick ones it may be read wrongly, so that two equal edges follow
        each other.
        """
        if button == "clean":
            return []
        edges: list[Press] = []
        for _ in range(random.randrange(1, self.habits.bounces + 1)):
            t_ns += round(random.expovariate(1 / 180e3)) + 8_000
            edges.append(Press(seat, t_ns, 1 - level if random.random() < 0.85 else level))
            t_ns += round(random.expovariate(1 / 120e3)) + 8_000
            edges.append(Press(seat, t_ns, level))
        return edges


def delivered(edges: Iterable[Press], habits: Habits, random: Random) -> tuple[Delivery, ...]:
    """When the program is told of each edge, in that order: soon, sometimes late, so not in the order of the edges."""
    told = []
    for edge in sorted(edges, key=lambda press: (press.t_ns, press.seat)):
        wait = random.uniform(0.15, 1.2)
        if random.random() < habits.late:
            wait += random.uniform(0.3, 1.0) * habits.late_ms
        told.append(Delivery(edge.t_ns + round(wait * MS), edge))
    return tuple(sorted(told, key=lambda delivery: delivery.at_ns))
