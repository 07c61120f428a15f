"""Hooked! joined to the program: options, states as they are told, mock pins, and a demonstration that plays."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from waiting import reached

from companion.app import games
from companion.app.config import Config, Windows
from companion.app.hooked_headless import run_headless
from companion.app.hooked_players import MockPresses
from companion.app.program import Program
from companion.games.hooked.facts import Flip
from companion.table.commands import StartMatch
from companion.world import Player, Press
from hardware.buttons import ButtonsConfig
from hardware.buttons.mock import Fingers
from hardware.buttons.opening import open_buttons, open_gpio
from hardware.buttons.wiring import WIRING

PATIENCE_S = 300


def seen(state: dict[str, Any]) -> list[dict[str, Any]]:
    """The flips that the camera has told."""
    flips = (fact["fact"] for fact in state["facts"] if fact["fact"]["fact"] == "CardFlipped")
    return [flip for flip in flips if flip["source"] == "camera"]


def test_presses_on_mock_pins_reach_the_rules_with_their_own_times(tmp_path: Path) -> None:
    deck = games.load("hooked", None)
    config = Config(game="hooked", windows=Windows(tie=0.5)).with_port(0)
    wiring = ButtonsConfig(buttons=WIRING, stamped="demo")
    gpio = open_gpio(wiring)
    try:
        with Program(config, tmp_path, deck, None, open_buttons(wiring, gpio)) as program:
            press = MockPresses(Fingers(WIRING, gpio.factory))
            players = (Player("seat-1", "Ada"), Player("seat-2", "Bo"))
            options = games.options("hooked", deck)
            assert program.table.ask(StartMatch(game="hooked", players=players, options=options)).accepted
            assert program.table.snapshot().state.setup.windows.tie_ns == 500_000
            begin = time.monotonic_ns() - 2_000_000_000
            for seat, at in (("seat-1", 0), ("seat-2", 1_000_000_000)):
                t_ns = begin + at
                flip = Flip(card="walleye", seat=seat, seen_ns=t_ns, before_ns=t_ns - 66_000_000, t_ns=t_ns)
                assert program.table.ask(flip).accepted
            for seat, ms, level in (("seat-2", 1302, 1), ("seat-1", 1300, 1), ("seat-1", 1380, 0), ("seat-2", 1370, 0)):
                press(Press(seat, begin + ms * 1_000_000, level))
            program.table.settle()
            (slap,) = program.table.snapshot().state.slaps
            assert (slap.winner, slap.why, slap.clock) == ("seat-1", "twins", "kernel")
            assert abs(slap.presses[0].t_ns - begin - 1_300_000_000) < 2_000
            with urllib.request.urlopen(f"{program.local_address}api/state") as answer:
                told = json.load(answer)["state"]
            assert told["lake"] == [] and "edges" not in told and "stages" not in told
    finally:
        gpio.close()


def test_a_few_flips_are_read_rightly_without_pages() -> None:
    said: list[str] = []
    status = run_headless(games.load("hooked", None), "easy", 1, 3, said.append)
    assert status == 0, said
    assert said[-2].startswith("3 flips: ")
    assert said[-1] == "All cards: 62."


def test_the_camera_of_the_demonstration_tells_the_flips_on_the_page(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "companion.cli", "demo", "--game", "hooked", "--condition", "easy", "--port", "0"]
    background = ["sh", "-c", 'trap "" INT; exec "$@"', "sh", *command]  # as a shell starts what ends in "&"
    process = subprocess.Popen(
        [*background, "--data", str(tmp_path)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert process.stdout is not None
    try:
        said = ""
        while (found := re.search(r"http://127\.0\.0\.1:\d+/", said)) is None:
            line = process.stdout.readline()
            assert line, said
            said += line
        state: dict[str, Any] = {}
        page = f"{found.group()}api/state"

        def flipped() -> bool:
            with urllib.request.urlopen(page) as answer:
                state.update(json.load(answer))
            return len(seen(state)) > 0  # on a busy machine the players have to say some themselves

        reached(flipped, PATIENCE_S, every_s=0.5)
        assert state["game"] == "hooked"
        assert state["trouble"] is None and not state["notices"]
    finally:
        process.send_signal(signal.SIGINT)
        try:
            rest = process.communicate(timeout=60)[0]
        finally:
            process.kill()  # whatever went wrong, nothing plays on
    assert "The demonstration has ended." in rest
    assert "Traceback" not in rest
