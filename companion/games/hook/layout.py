"""Where the symbols of the practice deck stand and where its Sight tiles have their holes: plain, seeded data.

All holes are near one of nine spots: the middle and two rings of four that a quarter turn maps onto themselves, but
that are askew to the edges and to each other. Every symbol stands near a spot too, pushed off it at random. So any
tile in any quarter turn looks at symbols, and yet no two symbols of a card line up. Fractions of the face throughout.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from random import Random
from typing import NamedTuple

from companion.games.hook.names import CHARACTERS, SYMBOLS

SEED = 1735
CARDS = 96
HOLE_RADIUS = 0.13
HOLE_JITTER = 0.008
SYMBOL_RADIUS = (0.110, 0.117)
SYMBOL_JITTER = 0.036
GAP = 0.016
"""Least distance between the papers of two symbols."""
MARGIN = 0.024
"""Least distance between a symbol and the edge of its card."""
MOST_ALIKE = 4
"""Two cards may show the same symbol at no more than this many spots, in any turn."""

_RING_A = (-0.325, -0.06)
_RING_B = (-0.262, -0.333)
_MIDDLE = 8


class Symbol(NamedTuple):
    """One symbol on a Target card: its name, middle, radius, and turn in degrees."""

    name: str
    at: tuple[float, float]
    radius: float
    turn_deg: float


class Card(NamedTuple):
    """A Target card: its symbols and what its ground is drawn from."""

    id: str
    symbols: tuple[Symbol, ...]
    ground: int
    motif: int
    seed: int

    @property
    def parrots(self) -> int:
        """How many parrots are printed on it."""
        return sum(symbol.name == "parrot" for symbol in self.symbols)


class Tile(NamedTuple):
    """A Sight tile of ``owner``: the middles of its three holes."""

    id: str
    owner: str
    number: int
    holes: tuple[tuple[float, float], ...]


def turned(at: tuple[float, float], quarters: int) -> tuple[float, float]:
    """A place on a square face after so many quarter turns clockwise."""
    x, y = at
    for _ in range(quarters % 4):
        x, y = 1 - y, x
    return x, y


@cache
def spots() -> tuple[tuple[float, float], ...]:
    """The nine spots: ring A (0 to 3), ring B (4 to 7), middle (8); a quarter turn adds one within a ring."""
    rings = [turned((0.5 + x, 0.5 + y), quarters) for x, y in (_RING_A, _RING_B) for quarters in range(4)]
    return (*rings, (0.5, 0.5))


def turn_spot(spot: int, quarters: int) -> int:
    """The spot onto which so many quarter turns carry a spot."""
    return spot if spot == _MIDDLE else spot // 4 * 4 + (spot + quarters) % 4


@cache
def cards() -> tuple[Card, ...]:
    """The 96 Target cards, the same on every machine."""
    random = Random(SEED)
    made: list[Card] = []
    faces: list[dict[int, str]] = []
    for index, names in enumerate(_distribution(random)):
        face = _face(names, faces, random)
        faces.append(face)
        places = _places(tuple(face), random)
        symbols = tuple(
            Symbol(name, at, radius, round(random.uniform(-16, 16), 1))
            for name, (at, radius) in zip(face.values(), places, strict=True)
        )
        ground, motif = index % 8, (index // 8 + index * 3) % 8
        made.append(Card(f"target-{index + 1:03}", symbols, ground, motif, random.randrange(1 << 30)))
    return tuple(made)


@cache
def tiles() -> tuple[Tile, ...]:
    """The 18 Sight tiles, three a character; no two have the same holes in any turn."""
    random = Random(SEED + 1)
    triples = _triples()
    random.shuffle(triples)
    made = []
    for index, triple in enumerate(triples[: 3 * len(CHARACTERS)]):
        owner, number = CHARACTERS[index % len(CHARACTERS)], index // len(CHARACTERS) + 1
        quarters = random.randrange(4)
        holes = tuple(_near(spots()[turn_spot(spot, quarters)], HOLE_JITTER, random) for spot in triple)
        made.append(Tile(f"sight-{owner}-{number}", owner, number, holes))
    return tuple(sorted(made, key=lambda tile: (CHARACTERS.index(tile.owner), tile.number)))


def _distribution(random: Random) -> list[list[str]]:
    """The names on each card: one to three parrots, all other symbols equally often, at most two alike."""
    sizes = [9] * 60 + [8] * 36
    parrots = [1] * 44 + [2] * 40 + [3] * 12
    random.shuffle(sizes)
    random.shuffle(parrots)
    others = [name for name in SYMBOLS if name != "parrot"]
    used = dict.fromkeys(others, 0)
    result = []
    for size, count in zip(sizes, parrots, strict=True):
        names = ["parrot"] * count
        while len(names) < size:
            allowed = [name for name in others if names.count(name) < 2]
            # The rarest so far come first, with chance enough that cards do not repeat a pattern.
            name = min(allowed, key=lambda name: used[name] + 3 * names.count(name) + random.uniform(0, 4))
            names.append(name)
            used[name] += 1
        result.append(names)
    return result


def _face(names: list[str], before: list[dict[int, str]], random: Random) -> dict[int, str]:
    """Names by spot, unlike every face before it in every turn; a card with eight symbols leaves one spot out."""
    while True:
        chosen = sorted(random.sample(range(9), len(names)))
        random.shuffle(names)
        face = dict(zip(chosen, names, strict=True))
        if all(alike(face, other) <= MOST_ALIKE for other in before) and _unlike_itself(face):
            return face


def _turns(face: dict[int, str]) -> Iterator[dict[int, str]]:
    for quarters in range(4):
        yield {turn_spot(spot, quarters): name for spot, name in face.items()}


def alike(face: dict[int, str], other: dict[int, str]) -> int:
    """At how many spots two faces show the same symbol, in the turn where they are most alike."""
    return max(sum(other.get(spot) == name for spot, name in turned_face.items()) for turned_face in _turns(face))


def _unlike_itself(face: dict[int, str]) -> bool:
    """Whether its turns can be told apart."""
    same = [sum(face.get(spot) == name for spot, name in turned_face.items()) for turned_face in _turns(face)]
    return max(same[1:]) <= MOST_ALIKE


def _places(chosen: tuple[int, ...], random: Random) -> list[tuple[tuple[float, float], float]]:
    """A middle and a radius near each chosen spot; symbols keep their distance from each other and from the edge."""
    while True:
        places: list[tuple[tuple[float, float], float]] = []
        for spot in chosen:
            for _ in range(60):
                radius = round(random.uniform(*SYMBOL_RADIUS), 4)
                at = _near(spots()[spot], SYMBOL_JITTER, random)
                if all(MARGIN + radius <= c <= 1 - MARGIN - radius for c in at) and all(
                    math.dist(at, other) >= radius + far + GAP for other, far in places
                ):
                    places.append((at, radius))
                    break
        if len(places) == len(chosen):
            return places


def _near(spot: tuple[float, float], most: float, random: Random) -> tuple[float, float]:
    """A place within ``most`` of a spot, spread evenly over that disc."""
    far, angle = most * math.sqrt(random.random()), random.uniform(0, math.tau)
    return round(spot[0] + far * math.cos(angle), 4), round(spot[1] + far * math.sin(angle), 4)


def _triples() -> list[tuple[int, ...]]:
    """Three spots out of nine, each set once whatever its turn, those with the widest bridges between holes first."""
    found: dict[frozenset[int], tuple[int, ...]] = {}
    for triple in combinations(range(9), 3):
        if not any(frozenset(turn_spot(spot, quarters) for spot in triple) in found for quarters in range(4)):
            found[frozenset(triple)] = triple
    return sorted(found.values(), key=_narrowest, reverse=True)[: 3 * len(CHARACTERS)]


def _narrowest(triple: tuple[int, ...]) -> float:
    return min(math.dist(spots()[a], spots()[b]) for a, b in combinations(triple, 2))
