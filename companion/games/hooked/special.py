"""Scripts that measure vision: twins as hard as they come, and nudges with nothing flipped.

Both play on a ``Script`` and hand out what happens in order, so that all frames can be seen; which flips are the twins
of interest says ``FlipScript.why``, how far they lie apart ``offset_mm`` and ``offset_deg``.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from random import Random

from companion.games.hooked.script import Script
from companion.games.hooked.scripted import FlipScript, MoveScript, Nudge

LEAST_MM, LEAST_DEG = 2.0, 1.0
"""No second twin lies closer than one of these to the first."""
NUDGES: tuple[Nudge, ...] = ("push", "slap", "straighten")


def twins(script: Script, count: int, *, seed: int = 0, most_below: int = 6) -> Iterator[FlipScript | MoveScript]:
    """So many twins, each on up to ``most_below`` other cards: first barely moved, then barely turned, then a little of
    both, then anywhere at any angle, and again. After each somebody takes the Lake."""
    random = Random(f"{seed} twins")
    fish = [piece.id for piece in script.deck.of_kind("fish-card")]
    for number in range(count):
        yield from _pile(script, random.randint(0, most_below), random)
        species = random.choice([id for id in fish if script.stage.faces.count(id) < 2])
        seats = random.choice(script.seats), random.choice(script.seats)
        yield from script.twins(species, seats, *_apart(number % 4, random))
        yield script.take(random.choice(script.seats))


def nudges(script: Script, count: int, *, seed: int = 0, most_below: int = 12) -> Iterator[FlipScript | MoveScript]:
    """So many nudges, each of a Lake of 1 to ``most_below`` cards, small ones and large ones."""
    random = Random(f"{seed} nudges")
    for number in range(count):
        if script.lake == 0 or number % 5 == 0:
            if script.lake:
                yield script.take(random.choice(script.seats))
            yield from _pile(script, random.randint(1, most_below), random)
        sign = random.choice((-1, 1))
        mm, deg = (0.3, 0.2) if random.random() < 0.15 else (random.uniform(1, 18), sign * random.uniform(0, 20))
        yield script.nudge(NUDGES[number % 3], random.choice(script.seats), mm, deg)


def _pile(script: Script, cards: int, random: Random) -> Iterator[FlipScript]:
    """Cards that nobody slaps."""
    for _ in range(cards):
        seats = [seat for seat, left in script.stacks.items() if left > 1]
        yield script.next_flip(random.choice(seats), quiet=True)


def _apart(sort: int, random: Random) -> tuple[float, float, float]:
    """How far the second of two twins lies from the first: x, y, turn."""
    if sort == 0:
        far, turn = random.uniform(LEAST_MM, 4), random.uniform(-0.8, 0.8)
    elif sort == 1:
        far, turn = random.uniform(0, 0.5), random.choice((-1, 1)) * random.uniform(LEAST_DEG, 3)
    elif sort == 2:
        far, turn = random.uniform(3, 15), random.uniform(-10, 10)
    else:
        far, turn = random.uniform(0, 30), random.uniform(0, 360)
        far = max(far, LEAST_MM)
    a = random.uniform(0, math.tau)
    return far * math.cos(a), far * math.sin(a), turn
