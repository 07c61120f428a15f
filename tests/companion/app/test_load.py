"""Slap races while everything else is busy: vision at full rate, cards coming into the Lake, 24 pages listening.

The real program with real processes, and a real match of Hooked!. The races are planned beforehand, so that their
winners are known. One thread hands every edge over when its time has come, stamped as the kernel stamps it, as the
library of the pins does; another tells of the cards. The vision reads a film of a Lake at which people play. What it
reads is watched as ever and then left out, because the cards of the races are planned. Nothing that is checked depends
on how fast the machine is; the times are printed. ``LOAD_SECONDS`` says how long it takes.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from slapped_evening import EVERY_NS, ORIGIN_NS, SEATS, Evening, Race, in_order, judged
from waiting import reached

from companion.app import games, program
from companion.app.config import Config
from companion.core.facts import Command
from companion.core.journal import Journal
from companion.deck import Deck
from companion.games.hooked.deck_rules import options
from companion.games.hooked.facts import Pressed
from companion.games.hooked.script import Script
from companion.games.hooked.watcher import HookedWatcher
from companion.table.commands import StartMatch
from companion.world import Press
from hardware.simulated.conditions import EASY
from vision.messages import Source

SUPPORT = Path(__file__).parents[1] / "support"
SECONDS = float(os.environ.get("LOAD_SECONDS", "3"))
BROWSERS = 24
MS = 1_000_000
PATIENCE_S = 60
"""However slow the machine, the vision has seen something after so long."""


class Onlooker(HookedWatcher):
    """Watches as ever, and keeps to itself what it sees."""

    def step(self, memory: Any, scene: Any, state: Any) -> tuple[Any, tuple[Command, ...]]:
        memory, _commands = super().step(memory, scene, state)
        return memory, ()


class Film:
    """A Lake that is played, shown to the camera over and over."""

    def __init__(self, deck: Deck) -> None:
        script = Script(deck, SEATS, EASY, 3)
        shown = [frame for seat in SEATS for frame in script.next_flip(seat).frames]
        shown += script.take(SEATS[0]).frames
        begin = shown[0].t_ns
        self._poses = [((one.t_ns - begin) / 1e9, msgspec.to_builtins(one.pose)) for one in shown]

    def show(self, feed: Any, over: threading.Event) -> None:
        while not over.is_set():
            begin = time.monotonic()
            for at_s, pose in self._poses:
                if over.wait(max(0.0, begin + at_s - time.monotonic())):
                    return
                feed(pose)


class Clocked:
    """When each edge was handed over and when it was on the disk, in monotonic ns. ``cpu_s``: what the table's thread
    had computed at its first write and at the last one, in seconds."""

    def __init__(self, table: Any) -> None:
        self.given: dict[Press, int] = {}
        self.kept: dict[Press, int] = {}
        self.refused: list[Any] = []
        self._table = table
        journal = table._owner._journal
        write = journal.write
        self.cpu_s = [0.0, 0.0]

        def writing(*steps: Any, presses: Sequence[Press] = (), during: int | None = None) -> None:
            write(*steps, presses=presses, during=during)
            now = time.monotonic_ns()
            self.cpu_s = [self.cpu_s[0] or time.thread_time(), time.thread_time()]
            for one in presses:
                self.kept.setdefault(one, now)

        journal.write = writing

    def press(self, edges: Sequence[Press]) -> None:
        """Hand over the edges, each when its time has come."""
        for edge in edges:
            sleep_until(edge.t_ns)
            self.given.setdefault(edge, time.monotonic_ns())
            self._table.press(edge)

    def flip(self, flips: Sequence[Command]) -> None:
        """Tell of the cards."""
        for flip in flips:
            sleep_until(flip.t_ns)
            reply = self._table.ask(flip)
            if not reply.accepted:
                self.refused.append(reply.sentence)

    def settled(self, race: Race) -> int:
        """How long after the settling window all that was stamped in it was on the disk."""
        return max(self.kept[edge] for edge in race.edges if edge.t_ns <= race.final_ns) - race.final_ns


def sleep_until(t_ns: int) -> None:
    wait_ns = t_ns - time.monotonic_ns()
    if wait_ns > 0:  # else go on at once: the library, too, tells of all that it has read before it lets go
        time.sleep(wait_ns / 1e9)


@pytest.fixture
def deck() -> Deck:
    return games.load("hooked", None)


@pytest.fixture
def running(tmp_path: Path, deck: Deck, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The program with a Lake before its camera and all pages open."""
    kits = games.kits

    def with_onlooker(*given: Any) -> Any:
        made = kits(*given)
        return {**made, "hooked": replace(made["hooked"], watcher=Onlooker())}

    monkeypatch.setattr(program.games, "kits", with_onlooker)
    source = Source("hardware.table_camera:open_simulated", {"deck_folder": str(deck.folder), "condition": "easy"})
    film, over = Film(deck), threading.Event()
    with program.Program(Config(game="hooked").with_port(0), tmp_path, deck, source) as run:
        assert run.vision is not None
        playing = threading.Thread(target=film.show, args=(run.vision.feed, over), name="film")
        playing.start()
        port = run.local_address.rstrip("/").rsplit(":", 1)[1]
        command = [sys.executable, str(SUPPORT / "browsers.py"), "127.0.0.1", port, str(BROWSERS)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as browsers:
            try:
                assert browsers.stdout is not None
                assert int(browsers.stdout.readline()) == BROWSERS
                run.browsers = browsers  # type: ignore[attr-defined]
                yield run
            finally:
                over.set()
                playing.join()
                browsers.kill()


def priority(process: int) -> int:
    return os.getpriority(os.PRIO_PROCESS, process)


def share(times: list[float], part: float) -> float:
    return sorted(times)[min(len(times) - 1, int(part * len(times)))]


def told(name: str, times: list[float]) -> str:
    figures = ", ".join(f"p{part * 100:g} {share(times, part):.1f}" for part in (0.5, 0.9, 0.99))
    return f"{name}: {figures}, longest {max(times):.1f} ms ({len(times)})\n"


def test_every_slap_is_kept_and_judged_as_without_load(running: Any, deck: Deck, tmp_path: Path) -> None:
    table = running.table
    evening = Evening(7, int(SECONDS * 1e9 / EVERY_NS), options(deck))
    start = StartMatch(game="hooked", players=evening.players, options=evening.options, deck=deck.name)
    assert table.ask(start).accepted
    reached(lambda: table.snapshot().scene is not None, PATIENCE_S)
    assert priority(running.vision.pid) > priority(0)  # a greater number is a lower priority
    scenes: set[int] = set()
    see = table.see
    running.vision._on_scene = lambda scene, picture: (scenes.add(scene.sequence), see(scene, picture))
    clocked = Clocked(table)
    begin = time.monotonic_ns() + 500 * MS
    races = evening.races(begin)
    every = in_order(edge for race in races for edge in race.edges)
    threads = [
        threading.Thread(target=clocked.press, args=(every,), name="pins"),
        threading.Thread(target=clocked.flip, args=([flip for race in races for flip in race.flips],), name="camera"),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    table.settle()
    snapshot = table.snapshot()
    reached(lambda: bool(scenes), PATIENCE_S)
    changes, _nothing = running.browsers.communicate()
    running.vision.stop()
    table.stop()
    journal = Journal(tmp_path / "journal.sqlite")
    kept = journal.presses(snapshot.match)
    journal.close()

    assert clocked.refused == []
    assert in_order(kept) == every
    pressed = [entry.fact for entry in snapshot.facts if isinstance(entry.fact, Pressed)]
    assert in_order(Press(fact.seat, fact.t_ns, fact.level, fact.clock) for fact in pressed) == every
    assert [judged(slap, begin) for slap in snapshot.state.slaps] == [judged(slap, ORIGIN_NS) for slap in evening.slaps]
    assert [{slap.winner, *slap.dead_heat} - {None} for slap in snapshot.state.slaps] == [race.first for race in races]
    assert min(int(number) for number in changes.split()) > 0
    assert scenes

    span = len(races) * EVERY_NS / 1e9
    sys.stdout.write(
        f"\n{len(races)} races, {len(every)} edges, {len(scenes) / span:.1f} scenes a second, "
        f"{min(map(int, changes.split()))} changes on the slowest page, "
        f"{(clocked.cpu_s[1] - clocked.cpu_s[0]) / span:.0%} of a core for the table\n"
        + told("edge to its thread", [(clocked.given[edge] - edge.t_ns) / MS for edge in every])
        + told("table to disk", [(clocked.kept[edge] - clocked.given[edge]) / MS for edge in every])
        + told("edge to disk", [(clocked.kept[edge] - edge.t_ns) / MS for edge in every])
        + told("verdict on the disk after the settling window", [clocked.settled(race) / MS for race in races])
    )
