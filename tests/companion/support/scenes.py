"""Hand-made Scenes of a Hook! table, and a match that watches them: cards in a row, tiles on them."""

import math

from hook_table import full, started

from companion.core.facts import RuleBroken
from companion.core.match import begin
from companion.games.hook.facts import Pose
from companion.games.hook.rules import RULES
from companion.games.hook.watcher import HookWatcher
from companion.world import HoleReading, Scene, Sighting

SIDE = 120.0
"""Pixels a card: 2 a millimetre."""


def quad(x, y, turn=0.0, side=SIDE):
    a = math.radians(turn)
    c, s = math.cos(a) * side / 2, math.sin(a) * side / 2
    return tuple((x + dx * c - dy * s, y + dx * s + dy * c) for dx, dy in ((-1, -1), (1, -1), (1, 1), (-1, 1)))


def place(number):
    """Where card ``number`` lies."""
    return 200.0 + 180.0 * (number % 5), 250.0 + 200.0 * (number // 5 % 3)


def card(number, by=None, **more):
    fields = {"sure": True, "confidence": 1.0, "covered_by": by} | more
    return Sighting(f"target-{number:03}", "target-card", quad(*place(number)), **fields)


def tile(seat, number, *symbols, which=1, turn=0.0, dx=0.0, dy=0.0, unsure=(), at=None, on=True, **more):
    """The tile ``which`` of a seat on card ``number``; ``dx``, ``dy`` in mm; ``at``: elsewhere on the table."""
    x, y = place(number) if at is None else at
    holes = tuple(
        HoleReading(
            full(s) if s != "none" else s, 0.6 if i in unsure else 0.98, i not in unsure, 0.0 if s == "none" else 0.95
        )
        for i, s in enumerate(symbols or ("rum", "parrot", "none"))
    )
    fields = {"sure": not unsure, "confidence": 0.98} | more
    name = f"sight-{full(seat)}-{which}"
    over = f"target-{number:03}" if on and at is None else None
    return Sighting(
        name, "sight-tile", quad(x + 2 * dx, y + 2 * dy, turn), over=over, holes=holes, ranked=((name, 0.99),), **fields
    )


class Watched:
    """A match of Hook! that is watched. ``see`` shows some scenes; ``new`` are the facts of this run."""

    def __init__(self, *seats):
        self.match = begin(1, RULES, started(*(seats or ("RP", "BP", "YS"))), step=1, t_ns=1).match
        self.step = 1
        self.watcher = HookWatcher()
        self.memory = self.watcher.start()
        self.sequence = 0
        self.commands = []

    def restart(self):
        self.memory = self.watcher.start()

    def see(self, *sightings, times=1, **fields):
        made = []
        for _ in range(times):
            self.sequence += 1
            scene = Scene(self.sequence * 10, self.sequence, (1280, 960), tuple(sightings), **fields)
            self.memory, commands = self.watcher.step(self.memory, scene, self.match.state)
            made += commands
            for command in commands:
                self.do(command)
        self.commands += made
        return made

    def do(self, command):
        try:
            self.step += 1
            self.match = self.match.propose(command, step=self.step, t_ns=self.sequence * 10 + 1).match
        except RuleBroken:
            return False
        return True

    @property
    def state(self):
        return self.match.state

    def poses(self, round=None):
        """The poses of a round as they count now."""
        return [fact for fact in self.state.rounds[(round or self.state.round) - 1].raw if isinstance(fact, Pose)]

    def kinds(self):
        """The kinds of the open questions."""
        return [question.kind for question in self.match.questions]

    def facts(self):
        """What is written down, without numbers and times."""
        return [(type(e.fact).__name__, strip(e.fact)) for e in self.match.entries if not e.undone]


def strip(fact):
    return {name: getattr(fact, name) for name in fact.__struct_fields__ if name not in ("id", "t_ns", "target")}
