"""Buttons and lights of a table of Hook!: the signal sounds, and a held button answers the Black Pirate's question."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from lamps import Lamps
from waiting import reached

from companion.app import games
from companion.app.config import Config
from companion.app.hook_buttons import HookButtons, listening
from companion.app.program import Program
from companion.games.hook.buttons import HOLD_NS, Memory
from companion.games.hook.facts import PlaceTile, TargetChosen
from companion.games.hook.rules import RULES
from companion.table import EndMatch, GameKit, StartMatch, Table
from companion.world import Player, Press
from hardware.buttons import ButtonSpec
from hardware.buttons.gpiozero_buttons import GpioButtons
from hardware.buttons.mock import Fingers, mock_factory
from hardware.buttons.watch import Watch

MS = 1_000_000
SEATS = ("red-pirate", "blue-pirate", "yellow-sailor")
BUTTONS = ("seat-1", "seat-2", "seat-3", "seat-4")
START = StartMatch(game="hook", players=tuple(Player(seat, seat) for seat in SEATS))


class Pressing:
    """A table, its buttons and lamps, and a clock that is set by hand."""

    def __init__(self, table: Table) -> None:
        self.table, self.lamps, self.ms = table, Lamps(), 0
        self.heard = HookButtons(table, BUTTONS, self.lamps, lambda: self.ms * MS)
        table.ask(START)
        self.wait(10)

    def wait(self, ms: int) -> None:
        self.ms += ms
        self.heard.look(())

    def press(self, button: str, held: int = 100) -> None:
        self.heard.look((Press(button, self.ms * MS, 1),))
        self.wait(30)
        self.wait(held - 30)
        self.heard.look((Press(button, self.ms * MS, 0),))
        self.wait(30)

    def place(self, seat: str, card: int, *symbols: str) -> None:
        place = PlaceTile(seat=seat, tile=f"sight-{seat}-1", card=f"target-{card:03}", symbols=symbols)
        assert self.table.ask(place).accepted


@pytest.fixture
def pressing(tmp_path: Path) -> Iterator[Pressing]:
    table = Table(tmp_path / "journal.sqlite", {"hook": GameKit(RULES)}, tmp_path / "pictures")
    table.start()
    yield Pressing(table)
    table.stop()


def test_the_compass_holders_button_gives_the_signal_on_all_lights(pressing: Pressing) -> None:
    assert pressing.lamps.now == {"seat-1": "turn"}
    pressing.press("seat-2")
    assert pressing.lamps.tunes == []
    pressing.press("seat-1")
    assert pressing.lamps.tunes == ["start"]
    assert {seat for seat, name in pressing.lamps.played if name == "start"} == {"seat-1", "seat-2", "seat-3"}
    pressing.place("red-pirate", 1, "none", "none", "none")
    pressing.wait(20)
    assert pressing.lamps.now["seat-1"] == "off"
    pressing.press("seat-1")
    assert pressing.lamps.tunes == ["start"]


def test_a_shooter_presses_through_the_lit_seats_and_holds(pressing: Pressing) -> None:
    for card, (seat, symbol) in enumerate(zip(SEATS, ("none", "black-pirate", "none"), strict=True), 1):
        pressing.place(seat, card, symbol, "none", "none")
    pressing.wait(20)
    assert pressing.lamps.now["seat-3"] == "choose"  # clockwise from the shooter, who comes last
    pressing.press("seat-2")
    assert (pressing.lamps.now["seat-3"], pressing.lamps.now["seat-1"]) == ("off", "choose")
    assert not pressing.table.snapshot().state.now.settled
    pressing.press("seat-2", held=HOLD_NS // MS + 50)
    (chosen,) = [e.fact for e in pressing.table.snapshot().facts if isinstance(e.fact, TargetChosen)]
    assert chosen.victim == "red-pirate"
    assert ("seat-1", "chosen") in pressing.lamps.played
    assert pressing.table.snapshot().state.now.settled
    assert pressing.lamps.now == dict.fromkeys(pressing.lamps.now, "off")


def test_a_tap_whose_release_was_not_reported_chooses_nobody(pressing: Pressing) -> None:
    for card, (seat, symbol) in enumerate(zip(SEATS, ("none", "black-pirate", "none"), strict=True), 1):
        pressing.place(seat, card, symbol, "none", "none")
    pressing.wait(20)
    watch, tap = Watch(BUTTONS), Press("seat-2", pressing.ms * MS, 1)
    watch.edge(tap, tap.t_ns)
    pressing.heard.look((tap,))
    for passed in range(0, 1200, 20):
        level = int(passed < 100)
        pressing.heard.look(watch.look({"seat-2": level}, pressing.ms * MS))
        pressing.wait(20)
    assert pressing.lamps.now["seat-1"] == "choose"  # it was a tap: the next one is lit
    assert not pressing.table.snapshot().state.now.settled


def test_an_answer_on_a_phone_ends_the_choosing(pressing: Pressing) -> None:
    for card, (seat, symbol) in enumerate(zip(SEATS, ("none", "black-pirate", "none"), strict=True), 1):
        pressing.place(seat, card, symbol, "none", "none")
    pressing.wait(20)
    (doubt,) = pressing.table.snapshot().doubts
    assert pressing.table.ask({"command": "Answer", "doubt": doubt.id, "value": "red-pirate"}).accepted
    pressing.press("seat-2", held=HOLD_NS // MS + 50)
    assert pressing.lamps.now["seat-3"] == "off"
    assert len([e for e in pressing.table.snapshot().facts if isinstance(e.fact, TargetChosen)]) == 1


def test_without_a_match_all_is_dark(pressing: Pressing) -> None:
    assert pressing.table.ask(EndMatch()).accepted
    pressing.press("seat-1")
    assert pressing.lamps.tunes == [] and pressing.lamps.now == {"seat-1": "off"}


def test_a_failure_does_not_end_the_listening(pressing: Pressing, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_arguments: object) -> None:
        raise RuntimeError("broken")

    with monkeypatch.context() as patched:
        patched.setattr("companion.app.hook_buttons.step", broken)
        pressing.heard.start()
        pressing.heard.press(Press("seat-1", 1, 1))
        reached(lambda: pressing.heard._memory == Memory())
    reached(lambda: pressing.lamps.now == {"seat-1": "turn"})
    pressing.ms += 5000
    pressing.heard.press(Press("seat-1", pressing.ms * MS, 1))
    reached(lambda: pressing.heard._memory.busy)
    pressing.ms += 30
    reached(lambda: pressing.lamps.tunes == ["start"])
    pressing.heard.stop()


def test_presses_on_the_pins_of_a_program_are_heard(tmp_path: Path) -> None:
    specs = (ButtonSpec("seat-1", 17),)
    factory, lamps = mock_factory(), Lamps()
    fingers = Fingers(specs, factory)
    pressed = GpioButtons(specs, factory, stamped="demo")
    with (
        Program(Config().with_port(0), tmp_path, games.load("hook", None), None, pressed) as program,
        listening(program.table, ["seat-1"], lamps) as heard,
    ):
        program.listeners.append(heard.press)
        assert program.table.ask(START).accepted
        reached(lambda: lamps.now == {"seat-1": "turn"})
        fingers.press("seat-1")
        reached(lambda: lamps.tunes == ["start"])
        fingers.release("seat-1")
