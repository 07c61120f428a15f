"""Slap races while everything else is busy: vision at full rate, a game being played, two dozen pages listening.

The real program, real processes. Races are planned beforehand, so that their winners are known; each button has a
thread that hands every edge over when its time has come, as a kernel's reader does. Nothing that is checked depends on
how fast the machine is; the times are printed. ``LOAD_SECONDS`` says how long it takes (5 if it is not set).
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from races import MS, bounce, edges
from slap_game import Edge, Opened, Pressed, press

from companion.app import games, program
from companion.app.config import Config
from companion.app.simulated_players import SimulatedPlayers
from companion.core.facts import Command, Fact
from companion.core.journal import Journal
from companion.core.race import DEFAULTS, Verdict, judge, onsets
from companion.deck import Deck
from companion.games.hook.rules import Hook
from companion.games.hook.watcher import HookWatcher
from companion.table import GameKit, Table
from companion.world import Press
from hardware.simulated.conditions import EASY
from vision.messages import Source

SUPPORT = Path(__file__).parents[1] / "support"
SECONDS = float(os.environ.get("LOAD_SECONDS", "5"))
BROWSERS = 24
EVERY_NS = 300 * MS
SEATS = ("seat-1", "seat-2", "seat-3", "seat-4", "seat-5")

pytestmark = pytest.mark.slow


class SlapHook(Hook):
    """Hook! with buttons that mean nothing: every edge is a fact and the game goes on as it is."""

    facts = (*Hook.facts, Opened, Pressed)
    commands = (*Hook.commands, Edge)

    def decide(self, state: Any, command: Command) -> Sequence[Fact]:
        if isinstance(command, Edge):
            return (Pressed(seat=command.seat, level=command.level, clock=command.clock),)
        return super().decide(state, command)


class Planned:
    """One race as it will be: its edges by time, and who is first. It is over before the next begins."""

    def __init__(self, rng: random.Random, opened_ns: int) -> None:
        self.opened_ns, self.closed_ns = opened_ns, opened_ns + EVERY_NS
        self.edges: list[Press] = []
        self.needed: dict[str, Press] = {}
        truth = {}
        common = opened_ns + rng.randrange(60, 90) * MS
        for seat in SEATS:
            t_ns = common + (rng.randrange(3 * MS) if rng.random() < 0.4 else int(min(abs(rng.gauss(0, 30)), 90) * MS))
            pressed = bounce(rng, t_ns)
            line = edges(rng, seat, [*pressed, *bounce(rng, t_ns + rng.randrange(15, 70) * MS)])
            self.edges += line
            self.needed[seat] = next(edge for edge in line if edge.t_ns == pressed[-1])
            truth[seat] = t_ns
        self.edges.sort(key=lambda edge: edge.t_ns)
        earliest = min(truth.values())
        self.first = {seat for seat, t_ns in truth.items() if t_ns - earliest <= DEFAULTS.tie_ns}

    def judged(self, heard: Sequence[Press]) -> Verdict:
        return judge(onsets(heard), opened_ns=self.opened_ns, closed_ns=self.closed_ns)


class Clocked:
    """When each edge was handed over and when it was on the disk, in monotonic ns."""

    def __init__(self, table: Table) -> None:
        self.given: dict[Press, int] = {}
        self.kept: dict[Press, int] = {}
        self._table = table
        journal = table._owner._journal  # type: ignore[union-attr]
        write = journal.write

        def writing(*steps: Any, presses: Sequence[Press] = (), during: int | None = None) -> None:
            write(*steps, presses=presses, during=during)
            now = time.monotonic_ns()
            for one in presses:
                self.kept.setdefault(one, now)

        journal.write = writing  # type: ignore[method-assign]

    def play(self, edges: Sequence[Press]) -> None:
        """Hand over the edges of one line, each when its time has come."""
        for edge in edges:
            time.sleep(max(0.0, (edge.t_ns - time.monotonic_ns()) / 1e9))
            self.given.setdefault(edge, time.monotonic_ns())
            self._table.press(edge)


@pytest.fixture
def deck() -> Deck:
    return games.load("hook", None)


@pytest.fixture
def running(tmp_path: Path, deck: Deck, monkeypatch: pytest.MonkeyPatch):
    """The program with a game going on and all pages open."""
    kit = GameKit(SlapHook(), HookWatcher.for_deck(deck), press=press)
    monkeypatch.setattr(program.games, "kits", lambda _deck: {"hook": kit})
    source = Source("hardware.table_camera:open_simulated", {"deck_folder": str(deck.folder), "condition": "easy"})
    with program.Program(Config().with_port(0), tmp_path, deck, source) as run:
        assert run.vision is not None
        players = SimulatedPlayers(run.table, deck, EASY, 1, run.vision.feed)
        players.start()
        port = run.local_address.rstrip("/").rsplit(":", 1)[1]
        command = [sys.executable, str(SUPPORT / "browsers.py"), "127.0.0.1", port, str(BROWSERS)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as browsers:
            assert browsers.stdout is not None
            assert int(browsers.stdout.readline()) == BROWSERS
            run.browsers = browsers  # type: ignore[attr-defined]
            yield run
        players.stop()


def share(times: list[float], part: float) -> float:
    return sorted(times)[min(len(times) - 1, int(part * len(times)))]


def told(name: str, times: list[float]) -> str:
    figures = ", ".join(f"p{part * 100:g} {share(times, part):.1f}" for part in (0.5, 0.9, 0.99))
    return f"{name}: {figures}, longest {max(times):.1f} ms ({len(times)})\n"


def test_every_slap_is_kept_and_judged_as_without_load(running: Any, tmp_path: Path) -> None:
    table = running.table
    while table.snapshot().match is None or table.snapshot().camera.camera == "none":
        time.sleep(0.1)
    scenes: set[int] = set()
    see = table.see
    running.vision._on_scene = lambda scene, picture: (scenes.add(scene.sequence), see(scene, picture))
    clocked = Clocked(table)
    rng = random.Random(7)
    begin = time.monotonic_ns() + 500 * MS
    plan = [Planned(rng, begin + number * EVERY_NS) for number in range(int(SECONDS * 1e9 / EVERY_NS))]
    lines = [[edge for race in plan for edge in race.edges if edge.seat == seat] for seat in SEATS]
    threads = [threading.Thread(target=clocked.play, args=(line,), name="button") for line in lines]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    table.settle()
    match = table.snapshot().match
    facts = [
        Press(entry.fact.seat, entry.fact.t_ns, entry.fact.level, entry.fact.clock)
        for entry in table.snapshot().facts
        if isinstance(entry.fact, Pressed)
    ]
    changes, _nothing = running.browsers.communicate()
    running.vision.stop()
    table.stop()
    journal = Journal(tmp_path / "journal.sqlite")
    kept = journal.presses(match)
    journal.close()

    def key(edge: Press) -> tuple[Any, ...]:
        return (edge.t_ns, edge.seat, edge.level)

    every = sorted((edge for race in plan for edge in race.edges), key=key)
    assert sorted(kept, key=key) == every
    assert sorted(facts, key=key) == every
    for race in plan:
        verdict = race.judged([edge for edge in kept if race.opened_ns <= edge.t_ns < race.closed_ns])
        assert verdict == race.judged(race.edges)
        assert {verdict.winner, *verdict.dead_heat} - {None} == race.first
    assert min(int(number) for number in changes.split()) > 0
    assert scenes

    needed = [race.needed[seat] for race in plan for seat in race.first]
    span = (plan[-1].closed_ns - begin) / 1e9
    sys.stdout.write(
        f"\n{len(plan)} races, {len(every)} edges, {len(scenes) / span:.1f} scenes a second, "
        f"{min(map(int, changes.split()))} changes on the slowest page\n"
        + told("edge to its thread", [(clocked.given[edge] - edge.t_ns) / MS for edge in every])
        + told("table to disk", [(clocked.kept[edge] - clocked.given[edge]) / MS for edge in every])
        + told("last needed edge to disk", [(clocked.kept[edge] - edge.t_ns) / MS for edge in needed])
    )
