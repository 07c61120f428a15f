"""The whole program is killed in the middle of play, again and again, and goes on as if nothing had happened.

Real processes, real SIGKILL: the players of the demonstration play fast, this test reads ``/api/state`` as a page
does until a random number of things have happened, and kills. Nothing here looks at the clock to decide.
"""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

KILLS = 20
SPEED = "6"

pytestmark = pytest.mark.slow


class Running:
    """One run of ``companion demo`` on a data folder."""

    def __init__(self, data: Path) -> None:
        command = [sys.executable, "-m", "companion.cli", "demo", "--port", "0", "--data", str(data)]
        self.process = subprocess.Popen(
            [*command, "--condition", "easy", "--speed", SPEED],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # a killed program leaves its shared memory to Python's tracker, which says so
            text=True,
        )
        assert self.process.stdout is not None
        found = None
        while found is None:
            line = self.process.stdout.readline()
            assert line, "the program ended at its start"
            found = re.search(r"http://127\.0\.0\.1:\d+/", line)
        self.address = found.group()

    def state(self) -> dict[str, Any]:
        with urllib.request.urlopen(f"{self.address}api/state") as answer:
            state: dict[str, Any] = json.load(answer)
        return state

    def changes(self) -> Iterator[dict[str, Any]]:
        """The state at the start, then each time something has changed, told by the page's own stream."""
        with urllib.request.urlopen(f"{self.address}events") as stream:
            for line in stream:
                if line.startswith(b"event: page"):
                    yield self.state()

    def eyes(self) -> int | None:
        """The process id of the vision process."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        every = [c for thread in Path(f"/proc/{self.process.pid}/task").iterdir() for c in _children(thread)]
        for child in {*children, *every}:
            if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes():
                return int(child)
        return None

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()


def _children(thread: Path) -> list[str]:
    try:
        return (thread / "children").read_text().split()
    except OSError:
        return []


@contextmanager
def running(data: Path) -> Iterator[Running]:
    run = Running(data)
    try:
        yield run
    finally:
        run.kill()


def shown(state: dict[str, Any]) -> tuple[list[Any], dict[int, Any]]:
    """What a page has shown: the facts as they were written, and the open doubts by their number."""
    facts = [(f["id"], f["fact"]["fact"], f["fact"].get("tile"), f["fact"].get("value")) for f in state["facts"]]
    return facts, {doubt["id"]: doubt["sentence"] for doubt in state["doubts"]}


def check_nothing_lost(before: dict[str, Any], after: dict[str, Any]) -> None:
    facts, doubts = shown(before)
    facts_now, doubts_now = shown(after)
    assert facts_now[: len(facts)] == facts
    answered = {f["fact"].get("doubt") for f in after["facts"]}
    gone = {id for id in doubts if id not in doubts_now} - answered
    later = len(facts_now) > len(facts)
    assert not gone or later, "a doubt that was shown is neither open nor answered, and nothing has happened since"


def check_nothing_twice(state: dict[str, Any]) -> None:
    placed = [
        (f["fact"]["round"], f["fact"]["tile"])
        for f in state["facts"]
        if f["fact"]["fact"] == "TilePlaced" and not f["undone"]
    ]
    revealed = [(f["fact"]["round"], f["fact"]["card"]) for f in state["facts"] if f["fact"]["fact"] == "CardRevealed"]
    assert len(placed) == len(set(placed))
    assert len(revealed) == len(set(revealed))


def test_the_program_is_killed_and_goes_on(tmp_path: Path) -> None:
    moments = random.Random(2026)
    last: dict[str, Any] | None = None
    for _kill in range(KILLS):
        with running(tmp_path) as run:
            wanted = moments.randrange(2, 12)
            playing = (state for state in run.changes() if state["match"] is not None or last is not None)
            for seen, state in enumerate(playing, 1):  # they begin to play once the camera looks
                if last is not None:
                    assert state["match"] == last["match"]
                    check_nothing_lost(last, state)
                check_nothing_twice(state)
                last = state
                if seen >= wanted:
                    break
    assert last is not None
    assert any(f["fact"]["fact"] == "TilePlaced" for f in last["facts"])


def test_the_camera_process_is_killed_and_play_goes_on(tmp_path: Path) -> None:
    moments = random.Random(2027)
    with running(tmp_path) as run:
        changes = run.changes()
        state = next(changes)
        for _kill in range(3):
            for _ in range(moments.randrange(3, 10)):
                state = next(changes)
            pid = run.eyes()
            if pid is not None:
                os.kill(pid, signal.SIGKILL)
            facts = len(state["facts"])
            while len(state["facts"]) <= facts:  # play goes on: new things are seen by a new process
                before, state = state, next(changes)
                check_nothing_lost(before, state)
            check_nothing_twice(state)
