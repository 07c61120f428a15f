"""How each game is demonstrated on the simulated table: with pages and players, headless, or into a recording."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec

from companion.app import headless, hooked_headless, hooked_record, record
from companion.app.config import Config
from companion.app.hooked_players import HookedPlayers, MockPresses
from companion.app.lights import lit
from companion.app.players import Players
from companion.app.program import Program
from companion.app.simulated_players import SimulatedPlayers
from companion.deck import Deck
from companion.words import Text, _
from hardware.buttons import ButtonsConfig
from hardware.buttons.mock import Fingers
from hardware.buttons.opening import open_buttons, open_gpio
from hardware.buttons.wiring import BUZZER_PIN, WIRING
from hardware.lights import Lights
from hardware.simulated.conditions import BY_NAME, Condition
from vision.messages import Source

Headless = Callable[[Deck, str, int, int | None, Callable[[str], object]], int]
Recorded = Callable[[Path, Deck, Condition, int, int], Iterator[Text]]


@dataclass(frozen=True, slots=True)
class Wish:
    """What is to be demonstrated: with which deck, where the journal is, in which light, from which seed, how fast."""

    config: Config
    data: Path
    deck: Deck
    condition: str
    seed: int
    speed: float

    @property
    def source(self) -> Source:
        """The simulated camera."""
        options = {"deck_folder": str(self.deck.folder), "condition": self.condition, "seed": self.seed}
        return Source("hardware.table_camera:open_simulated", options)


@contextmanager
def hook(wish: Wish) -> Iterator[tuple[Program, Players]]:
    """A program with a table of Hook!, and its players, who have not begun yet."""
    with Program(wish.config, wish.data, wish.deck, wish.source) as program:
        assert program.vision is not None
        light = BY_NAME[wish.condition]
        yield (
            program,
            SimulatedPlayers(program.table, wish.deck, light, wish.seed, program.vision.feed, speed=wish.speed),
        )


@contextmanager
def hooked(wish: Wish) -> Iterator[tuple[Program, Players]]:
    """The same for Hooked!, with buttons and lights on gpiozero's mock pins."""
    wiring = ButtonsConfig(buttons=WIRING, buzzer_pin=BUZZER_PIN, stamped="demo")
    gpio = open_gpio(wiring)
    try:
        lights = Lights(wiring.light_pins, gpio.factory, buzzer=BUZZER_PIN)
        try:
            with (
                Program(wish.config, wish.data, wish.deck, wish.source, open_buttons(wiring, gpio)) as program,
                lit(program.table, lights),
            ):
                assert program.vision is not None
                press = MockPresses(Fingers(WIRING, gpio.factory))
                light = BY_NAME[wish.condition]
                yield (
                    program,
                    HookedPlayers(
                        program.table, wish.deck, light, wish.seed, program.vision.feed, press, speed=wish.speed
                    ),
                )
        finally:
            lights.close()
    finally:
        gpio.close()


@dataclass(frozen=True, slots=True)
class Demonstration:
    """``play`` opens a program and its players; ``headless`` plays in lockstep and gives the exit status. ``record``
    records so many rounds (``rounds`` unless said otherwise) and tells of each in a line."""

    play: Callable[[Wish], AbstractContextManager[tuple[Program, Players]]]
    headless: Headless
    record: Recorded
    rounds: int


def _rounds(out: Path, deck: Deck, condition: Condition, seed: int, rounds: int) -> Iterator[Text]:
    for played in record.record(out, deck, condition, seed, rounds):
        yield _("Round {number}: {frames} frames", number=played.truth.number, frames=len(played.seen))


def _flips(out: Path, deck: Deck, condition: Condition, seed: int, flips: int) -> Iterator[Text]:
    for flip in hooked_record.record(out, deck, condition, seed, flips):
        yield _("{number}: {seat} flipped {card}", number=flip.number, seat=flip.truth.seat, card=flip.truth.card)


DEMONSTRATIONS = {
    "hook": Demonstration(hook, headless.run_headless, _rounds, 3),
    "hooked": Demonstration(hooked, hooked_headless.run_headless, _flips, 20),
}


def of_game(config: Config, game: str) -> Config:
    """The config, but of the game that is demonstrated."""
    return msgspec.structs.replace(config, game=game)
