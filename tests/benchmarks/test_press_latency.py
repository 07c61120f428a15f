"""How long it takes from ``Table.press`` until the edge and its fact are on the disk; ``make benchmarks`` only."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "companion" / "support"))

from slap_game import KIT

from companion.table import StartMatch, Table
from companion.world import Player, Press

EDGES = 600


def share(times, part):
    return sorted(times)[int(part * (len(times) - 1))]


@pytest.mark.parametrize("at_once", [1, 8])
def test_from_the_press_to_the_disk(tmp_path, at_once):
    """One edge at a time, and eight that come together (a bounce): in one transaction."""
    table = Table(tmp_path / "journal.sqlite", {"slap": KIT}, tmp_path / "pictures")
    table.start()
    players = (Player("red", "Ruth"), Player("blue", "Bo"))
    assert table.ask(StartMatch(game="slap", players=players)).accepted
    journal = table._owner._journal
    write, kept = journal.write, {}

    def writing(*steps, presses=(), during=None):
        write(*steps, presses=presses, during=during)
        now = time.monotonic_ns()
        kept.update((press.t_ns, now) for press in presses)

    journal.write = writing
    given = {}
    try:
        for number in range(EDGES // at_once):
            together = [Press("red", number * at_once + n + 1, n % 2) for n in range(at_once)]
            for press in together:
                given[press.t_ns] = time.monotonic_ns()
                table.press(press)
            table.settle()
            time.sleep(0.002)
        assert len(table.snapshot().facts) == 1 + len(given)
    finally:
        table.stop()
    times = [(kept[t_ns] - given[t_ns]) / 1e6 for t_ns in given]
    sys.stdout.write(
        f"\n{at_once} at once: p50 {share(times, 0.5):.2f}, p99 {share(times, 0.99):.2f}, "
        f"longest {max(times):.2f} ms from Table.press to the disk\n"
    )
