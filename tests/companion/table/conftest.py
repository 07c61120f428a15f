"""A table on which the tiny game of ``support`` is played."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from tally_game import RULES, TallyWatcher

from companion.table import GameKit, StartMatch, Table
from companion.world import Player, Scene, Sighting


class Clock:
    """Monotonic nanoseconds that go on only when told."""

    def __init__(self):
        self.now = 1_000

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def start():
    players = (Player("red", "Ruth"), Player("blue", "Bo"))
    return StartMatch(game="tally", players=players, options={"limit": 20})


@pytest.fixture
def make(tmp_path, clock):
    """Makes running tables on one journal; they are stopped afterwards."""
    tables = []

    def make(**kits):
        kits = kits or {"tally": GameKit(RULES, TallyWatcher())}
        table = Table(tmp_path / "journal.sqlite", kits, tmp_path / "pictures", clock)
        table.start()
        tables.append(table)
        return table

    yield make
    for table in tables:
        table.stop()


@pytest.fixture
def table(make):
    return make()


@pytest.fixture
def see(table):
    """Shows pieces to the table, and waits until it has looked."""
    numbers = iter(range(1, 1000))

    def see(*ids, jpeg=None, **fields):
        corners = fields.pop("corners", ((10, 10), (60, 10), (60, 60), (10, 60)))
        number = next(numbers)
        sightings = tuple(Sighting(id, "tile", corners, 0.9, True) for id in ids)
        table.see(Scene(number * 100, number, (320, 240), sightings, **fields), jpeg)
        table.settle()
        return table.snapshot()

    return see
