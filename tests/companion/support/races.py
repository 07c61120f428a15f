"""Simulated slap races: what fingers and contacts do, and what a kernel would report of it.

A line is a list of moments at which its contact truly changes. The kernel stamps each of them exactly and reads the
level a little later, so levels between two close edges are often wrong; the last one of a bounce never is.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from companion.core.race import DEFAULTS
from companion.world import Press

MS = 1_000_000
OPENED = 1_000 * MS
SEATS = ("seat-1", "seat-2", "seat-3", "seat-4", "seat-5", "seat-6")


def bounce(rng: random.Random, t_ns: int, longest_ns: int = 6 * MS) -> list[int]:
    """An odd number of changes from ``t_ns`` on: contacts that bounce and then rest."""
    pairs = rng.choice((0, 0, 1, 1, 2, 3, 5, 8))
    length = int(longest_ns * rng.random() ** 2)
    power = rng.choice((1, 3))
    changes = sorted(t_ns + int(length * rng.random() ** power) for _ in range(2 * pairs))
    return [t_ns, *(max(change, t_ns + 1_000 * at) for at, change in enumerate(changes, 1))]


def edges(rng: random.Random, seat: str, changes: list[int], down: bool = False) -> list[Press]:
    """What the kernel reports of a line that changes at these moments: levels are read late, some twice."""
    reported = []
    for at, t_ns in enumerate(changes):
        true = (at % 2 == 0) != down
        later = changes[at + 1] if at + 1 < len(changes) else t_ns + 1_000 * MS
        if later - t_ns < 6 * MS and rng.random() < 0.3:
            true = rng.random() < 0.5
        elif later < t_ns + int(rng.expovariate(1 / 80_000)):
            true = not true
        reported.append(Press(seat, t_ns, int(true)))
        if rng.random() < 0.05:
            reported.append(reported[-1])
    return reported


@dataclass
class Race:
    """One race: all edges, and who truly pressed when (first presses after ``OPENED`` only)."""

    edges: list[Press] = field(default_factory=list)
    truth: dict[str, int] = field(default_factory=dict)
    glitches: set[str] = field(default_factory=set)
    """Seats with a glitch shortly before their press."""

    @property
    def first(self) -> tuple[str, ...]:
        """Everyone who pressed within the tie window of the earliest."""
        earliest = min(self.truth.values(), default=0)
        found = (seat for seat, t_ns in self.truth.items() if t_ns - earliest <= DEFAULTS.tie_ns)
        return tuple(sorted(found, key=lambda seat: (self.truth[seat], seat)))


def chatter(rng: random.Random, seat: str, t_ns: int) -> list[Press]:
    """What a line reports whose contact is loose: edges for long, one upon the other."""
    apart, found = rng.choice((2 * MS, 8 * MS, 25 * MS)), []
    until = t_ns + rng.randrange(400, 900) * MS
    while t_ns < until:
        found.append(Press(seat, t_ns, rng.randrange(2)))
        t_ns += 1 + int(apart * rng.random())
    return found


def race(rng: random.Random, opened_ns: int = OPENED, *, plain: bool = False, faults: float = 0.0) -> Race:
    """A race of two to six seats. ``plain``: bounces only, everyone presses once and lets go. ``faults``: how many of
    the buttons chatter, flicker while they are held from the start, or lost the report of their release before."""
    made = Race()
    common = opened_ns + rng.randrange(150, 400) * MS
    close = rng.random() < 0.5
    for seat in SEATS[: rng.randrange(2, 7)]:
        fault = rng.choice(("chatters", "flickers", "lost")) if faults and rng.random() < faults else None
        tried_ns = opened_ns - 950 * MS
        if fault is not None:
            made.glitches.add(seat)
        if fault == "chatters":
            made.edges += chatter(rng, seat, common - rng.randrange(300) * MS)
            continue
        if fault == "flickers":
            made.edges += [Press(seat, common, 0), Press(seat, common + rng.randrange(1, 290) * MS // 10, 1)]
            continue
        what = 1.0 if plain or fault else rng.random()
        if what < 0.05:  # held since before, and never let go
            made.edges += edges(rng, seat, bounce(rng, opened_ns - rng.randrange(60, 900) * MS))
            continue
        if what < 0.10:  # held since before, let go in the middle of the race
            changes = bounce(rng, opened_ns - rng.randrange(60, 900) * MS)
            changes += bounce(rng, common + rng.randrange(-40 * MS, 40 * MS))
            made.edges += edges(rng, seat, changes)
            continue
        if what < 0.13:  # stuck since the program began: only its coming up is heard of
            made.edges += edges(rng, seat, bounce(rng, common + rng.randrange(-40 * MS, 40 * MS), 4 * MS), down=True)
            continue
        if what < 0.16:  # somebody who only makes glitches
            t_ns = common + rng.randrange(-90 * MS, 40 * MS)
            made.edges += edges(rng, seat, [t_ns, t_ns + rng.randrange(10_000, 400_000)])
            continue
        # Everybody has tried the button before, so that it is known to be up.
        made.edges += [Press(seat, tried_ns, 1), Press(seat, tried_ns + 100 * MS, 0)][: 1 if fault == "lost" else 2]
        t_ns = common + (rng.choice((0, rng.randrange(3 * MS))) if close else int(abs(rng.gauss(0, 30)) * MS))
        changes = []
        if what < 0.30:
            glitch = t_ns - rng.randrange(5 * MS, 19 * MS)
            changes += [glitch, glitch + rng.randrange(10_000, 400_000)]
            made.glitches.add(seat)
        elif what < 0.36:  # a glitch well before says nothing
            glitch = t_ns - rng.randrange(21 * MS, 140 * MS)
            changes += [glitch, glitch + rng.randrange(10_000, 400_000)]
        changes += bounce(rng, t_ns)
        up = t_ns + rng.randrange(15, 120) * MS
        changes += bounce(rng, up)
        if not plain and rng.random() < 0.1:  # slaps once more
            again = up + rng.randrange(45, 90) * MS
            changes += bounce(rng, again) + bounce(rng, again + 50 * MS)
        made.edges += edges(rng, seat, changes)
        made.truth[seat] = t_ns
    return made
