"""Situations of a game to be looked at: three and six players, long names, somebody out, a doubt, a lost camera."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from playing import SIX, THREE, Playing

from companion import deck
from companion.deck import Deck
from companion.games.hook import practice_deck
from companion.games.hook.facts import PlaceTile
from companion.games.hook.script import Script
from companion.world import Hand, HoleReading, Scene, Sighting
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.conditions import EASY

LONG = (
    ("red-pirate", "Maximiliane-Josephine von Donaumoos"),
    ("yellow-pirate", "Bartholomäus der Schreckliche"),
    ("blue-pirate", "Wilhelmina"),
    ("red-sailor", "Kapitänleutnant Davy"),
    ("yellow-sailor", "Abdurrahmanoğlu"),
    ("blue-sailor", "Jo"),
)


@cache
def practice() -> Deck:
    return deck.load(practice_deck.folder())


@cache
def photo(seats: tuple[str, ...]) -> tuple[Scene, bytes]:
    """A picture of a table at rest, and the scene that belongs to it."""
    script = Script(practice(), seats, EASY, seed=11)
    one = script.round(1)
    frame = next(f for f in reversed(one.frames) if f.what == "rest")
    camera = SimulatedCamera(practice(), EASY, seed=4)
    picture = camera.look(frame.pose, 0)
    sightings = tuple(
        Sighting(
            piece.id,
            piece.kind,
            piece.corners,
            0.99,
            True,
            holes=tuple(HoleReading(s, 0.99, True) for s in piece.symbols) if piece.kind == "sight-tile" else (),
        )
        for piece in camera.truth(frame.pose).pieces
        if piece.kind in ("sight-tile", "target-card") and piece.face_up
    )
    assert picture.jpeg is not None
    return Scene(1, 1, (picture.image.shape[1], picture.image.shape[0]), sightings), picture.jpeg


class Stage(Playing):
    """A table with a camera picture. ``path`` is the page a situation is about, where it is not the board."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.path = "/"
        self.decks = {"small": practice}

    def camera(self, seats: tuple[str, ...]) -> None:
        scene, jpeg = photo(seats)
        self.table.see(scene, jpeg)
        self.table.settle()


def _six(stage: Stage, players: tuple[tuple[str, str], ...] = SIX) -> None:
    stage.start(players)
    stage.camera(tuple(seat for seat, _name in players))
    stage.round(
        red_pirate=["parrot", "blue-pirate", "rum"],
        yellow_pirate=["bomb", "parrot"],
        blue_pirate=["parrot", "parrot", "red-sailor"],
        red_sailor=["yellow-pirate", "blue-sailor", "yellow-pirate"],
        yellow_sailor=["barrel", "parrot"],
        blue_sailor=["red-pirate", "red-pirate", "parrot"],
    )
    seats = [seat for seat, _name in players]

    def each(*numbers: int) -> dict[str, int]:
        return dict(zip(seats, numbers, strict=True))

    stage.recount(
        balls=each(4, 6, 2, 8, 0, 5),
        won=each(5, 3, 8, 2, 4, 6),
        parrots=each(9, 5, 14, 3, 7, 11),
        stacks=each(11, 11, 11, 11, 11, 11),
    )
    stage.place("red-pirate", "barrel", "blue-sailor", "parrot")
    stage.place("yellow-pirate", "bomb", "parrot", "none")
    stage.place("blue-pirate", "red-sailor", "rum", "parrot")
    stage.place("red-sailor", "rum", "rum", "none")
    stage.place("yellow-sailor", "red-pirate", "blue-pirate", "bird-cage")


def six(stage: Stage) -> None:
    _six(stage)
    stage.place("blue-sailor", "parrot", "yellow-pirate", "none")


def long_out(stage: Stage) -> None:
    """Long names, teams, and one player out."""
    _six(stage, LONG)
    stage.recount(balls={"red-sailor": 9})
    stage.place("blue-sailor", "parrot", "yellow-pirate", "none")
    stage.next()
    stage.place("blue-pirate", "rum", "parrot", "none")


def three(stage: Stage) -> None:
    stage.start(THREE)
    stage.camera(tuple(seat for seat, _name in THREE))
    stage.round(red_pirate=["parrot", "blue-sailor", "blue-sailor"], blue_sailor=["bomb"], yellow_pirate=["parrot"])
    stage.place("blue-sailor", "barrel", "red-pirate", "yellow-pirate")
    stage.place("yellow-pirate", "parrot", "red-pirate", "rum")


def doubt(stage: Stage) -> None:
    """A symbol that could be two, and a Black Pirate to be aimed."""

    def unsure(symbols: tuple[str, ...]) -> dict[str, Any]:
        other = "red-pirate" if "yellow" in symbols[0] else "yellow-pirate"
        ranked = (((symbols[0], 0.55), (other, 0.41)), ((symbols[1], 1.0),), ((symbols[2], 1.0),))
        return {"unsure": (0,), "ranked": ranked}

    _badly_seen(stage, unsure)


def glare(stage: Stage) -> None:
    """A Sight tile none of whose holes can be read surely."""

    def dazzled(symbols: tuple[str, ...]) -> dict[str, Any]:
        possible = (symbols, ("bomb", "none", "barrel"), ("parrot", "parrot", "none"), ("rum", "red-sailor", "none"))
        return {"unsure": (0, 1, 2), "ways": {"target-090": possible}}

    _badly_seen(stage, dazzled)


def _badly_seen(stage: Stage, how: Callable[[tuple[str, ...]], dict[str, Any]]) -> None:
    _six(stage)
    scene, jpeg = photo(tuple(seat for seat, _name in SIX))
    tile = next(s for s in scene.sightings if "sight-blue-sailor" in str(s.id))
    symbols = tuple(hole.symbol for hole in tile.holes)
    stage.teller.tell.append(
        PlaceTile(seat="blue-sailor", tile=str(tile.id), card="target-090", symbols=symbols, **how(symbols))
    )
    stage.table.see(msgspec.structs.replace(scene, sequence=2, t_ns=2), jpeg)
    stage.table.settle()


def lost(stage: Stage) -> None:
    stage.start(SIX[:4])
    stage.camera(tuple(seat for seat, _name in SIX[:4]))
    stage.place("red-pirate", "parrot", "blue-pirate", "rum")
    stage.table.status("lost")
    stage.table.settle()


def setup(stage: Stage) -> None:
    """Nothing on the table yet."""


def five(stage: Stage) -> None:
    stage.start(SIX[:5])
    stage.place("red-pirate", "parrot", "blue-pirate", "rum")
    stage.place("yellow-pirate", "bomb", "blue-pirate", "rum")


def finish(stage: Stage) -> None:
    _six(stage)
    stage.place("blue-sailor", "parrot", "yellow-pirate", "none")
    stage.recount(stacks={seat: 0 for seat, _name in SIX}, balls={"red-sailor": 9})


def hole(stage: Stage) -> None:
    """Correcting a symbol."""
    six(stage)
    state = stage.table.snapshot().state
    placement = state.now.placement_of("blue-pirate")
    stage.path = f"/round/{state.round}/{placement.id}/1"


SITUATIONS: dict[str, Callable[[Stage], None]] = {
    "setup": setup,
    "three": three,
    "five": five,
    "six": six,
    "long": long_out,
    "doubt": doubt,
    "glare": glare,
    "lost": lost,
    "finish": finish,
    "hole": hole,
}
__all__ = ["SITUATIONS", "Hand", "Stage"]
