"""Lights and buzzer follow the verdicts of Hooked!, once they are final and never for old ones."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from hooked_table import MS, HookedTable
from lamps import Lamps

from companion.app.lights import LATE_NS, TableLights, outcome, standing
from companion.games.hooked.state import State


def watching(clock) -> tuple[TableLights, Lamps]:
    lamps = Lamps()
    table = SimpleNamespace(subscribe=lambda: SimpleNamespace(closed=True, close=lambda: None), clock=clock)
    return TableLights(table, lamps), lamps  # type: ignore[arg-type]


def test_each_light_says_how_its_seat_stands() -> None:
    table = HookedTable(3)
    assert standing(table.state) == {"seat-1": "turn", "seat-2": "armed", "seat-3": "armed"}
    table.flip("empty-hook")
    assert standing(table.state) == {"seat-1": "locked", "seat-2": "turn", "seat-3": "armed"}


def test_a_verdict_is_played_when_it_is_final_and_once() -> None:
    table = HookedTable(3)
    table.flip(5)
    table.flip(5)
    table.press(2, 310)
    table.press(3, 330)
    final = table.slap().final_ns
    assert final is not None
    now = [final - 1]
    lights, lamps = watching(lambda: now[0])
    lights.show(table.state)
    assert ("seat-2", "won") not in lamps.played and not lamps.tunes
    now[0] = final
    lights.show(table.state)
    lights.show(table.state)
    assert lamps.played.count(("seat-2", "won")) == 1
    assert lamps.tunes == ["won"]
    assert lamps.now == standing(table.state)


def test_wrong_slaps_and_dead_heats_have_signs_of_their_own() -> None:
    table = HookedTable(3)
    table.flip(5)
    table.press(2, 310)
    assert outcome(table.slap()) == ({"seat-2": "wrong"}, "wrong")
    table.flip(9)
    table.flip(9)
    table.press(1, 300)
    table.press(3, 300.2)
    assert outcome(table.slap()) == ({"seat-1": "tied", "seat-3": "tied"}, "tied")


def test_a_false_start_is_a_wrong_slap_only_where_it_is_paid_for() -> None:
    for rule, shown in (("wrong", {"seat-3": "wrong"}), ("ignored", {})):
        table = HookedTable(3, false_start=rule)
        table.flip("net-cast")
        table.press(3, 20)
        assert outcome(table.slap()) == (shown, "wrong" if shown else None)
        table.press(2, 300)  # wins a card of everybody
        assert outcome(table.slap()) == ({"seat-2": "won", **shown}, "won")


def test_what_is_long_over_is_not_played() -> None:
    table = HookedTable(2)
    table.flip(5)
    table.press(2, 310)
    lights, lamps = watching(lambda: table.now * MS + 10 * LATE_NS)
    lights.show(table.state)
    assert not lamps.tunes
    assert lamps.now == standing(table.state)


class Snapshots:
    """A subscription to these, one after the other."""

    closed = False

    def __init__(self, *states: tuple[int, State]) -> None:
        self._left = [SimpleNamespace(match=match, state=state) for match, state in states]

    def wait(self, _timeout: float | None) -> SimpleNamespace | None:
        self.closed = len(self._left) <= 1
        return self._left.pop(0) if self._left else None


def test_the_next_match_plays_a_slap_that_is_like_one_of_the_last() -> None:
    table = HookedTable(3)
    table.flip(5)
    table.flip(5)
    table.press(2, 310)
    final, lamps = table.slap().final_ns, Lamps()
    snapshots = Snapshots((1, table.state), (1, table.state), (2, table.state))
    TableLights(SimpleNamespace(subscribe=lambda: snapshots, clock=lambda: final), lamps)._run()  # type: ignore[arg-type]
    assert lamps.tunes == ["won", "won"]
