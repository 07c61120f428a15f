"""A whole evening of Hook! in lockstep: players' script, simulated camera, vision, watcher, rules and journal.

Nothing runs on a clock: each pose of the script is one frame, each frame one step of everything. The players' truth
answers what the table is asked, after the round was compared with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import msgspec

from companion.app.score import Evidence, RoundScore, score
from companion.app.truthful import put_right
from companion.core.facts import Command, MatchStarted, Question, RuleBroken
from companion.core.journal import Journal
from companion.core.match import Match, begin, play
from companion.deck import Deck
from companion.games.hook.deck_rules import parrots_printed
from companion.games.hook.facts import MoveTile, PlaceTile
from companion.games.hook.names import CHARACTERS
from companion.games.hook.resting import Rest
from companion.games.hook.rules import RULES
from companion.games.hook.script import RoundScript, Script
from companion.games.hook.watcher import HookWatcher
from companion.world import Frame, Player, Scene
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.conditions import Condition
from vision.catalog import Catalog
from vision.pipeline import Pipeline

PAUSE_NS = 20_000_000_000
"""Between two rounds people count and talk."""


class Seen(msgspec.Struct, frozen=True):
    """One frame of a round as it was read, for whoever wants to look at it."""

    index: int
    frame: Frame
    scene: Scene
    commands: tuple[Command, ...]


class Played(msgspec.Struct, frozen=True):
    """A round that was played: compared with the truth, and everything that was seen."""

    score: RoundScore
    truth: RoundScript
    seen: tuple[Seen, ...]


def seats_of(seed: int) -> tuple[str, ...]:
    """Three to six characters, in an order that follows from the seed."""
    random = Random(f"{seed} seats")
    return tuple(random.sample(CHARACTERS, random.randrange(3, 7)))


class Evening:
    """One table, one camera, one match. ``journal`` is a new file; ``keep_frames`` keeps the pictures in ``Played``."""

    def __init__(
        self,
        deck: Deck,
        catalog: Catalog,
        condition: Condition,
        seed: int,
        journal: Path,
        *,
        seats: tuple[str, ...] | None = None,
        keep_frames: bool = False,
    ) -> None:
        self.seats = seats or seats_of(seed)
        self.script = Script(deck, self.seats, condition, seed)
        self.camera = SimulatedCamera(deck, condition, seed)
        self.pipeline = Pipeline(catalog)
        self.watcher = HookWatcher.for_deck(deck)
        self.memory = self.watcher.start()
        self.journal = Journal(journal)
        self.random = Random(f"{seed} answers")
        self._keep_frames = keep_frames
        self._t_ns = 1_000_000_000
        started = MatchStarted(
            game="hook",
            rules=RULES.version,
            players=tuple(Player(seat, seat) for seat in self.seats),
            options={"parrots": parrots_printed(deck)},
        )
        first = begin(1, RULES, started, step=self.journal.next_step, t_ns=self._t_ns)
        self.journal.write(first.step)
        self.match: Match = first.match
        self.refused: list[str] = []

    def rounds(self, count: int) -> Iterator[Played]:
        """Play so many rounds, fewer when the game ends before."""
        for number in range(1, count + 1):
            if self.match.over or number > self.script.rounds:
                return
            yield self.play_round(number)

    def play_round(self, number: int) -> Played:
        """Play one round, compare it with the truth, then answer and put right whatever differs."""
        last = self.match.state.rounds[-1]
        moment = last.end if number > last.number else last.begin
        balls = {standing.seat: standing.balls for standing in moment.standings}
        truth = self.script.round(number, moment.playing, moment.compass, balls, self._t_ns)
        opened: dict[str, Question] = {}
        told: dict[str, int] = {}
        sureness: dict[str, float] = {}
        rests: dict[str, Rest] = {}
        seen = []
        for index, keyframe in enumerate(truth.frames):
            frame = self.camera.look(keyframe.pose, keyframe.t_ns)
            scene = self.pipeline.step(frame)
            commands = self.see(scene)
            for command in commands:
                if isinstance(command, PlaceTile | MoveTile):
                    told.setdefault(f"{command.tile} {isinstance(command, MoveTile)}", index)
                if isinstance(command, PlaceTile):
                    rests |= self._rest_of(command.tile)
            for sighting in scene.sightings:
                if sighting.id is not None and sighting.holes:
                    sureness[sighting.id] = min(sighting.confidence, *(hole.confidence for hole in sighting.holes))
            opened |= {q.key: q for q in self.match.questions if q.about.get("round") == number}
            if self._keep_frames:
                seen.append(Seen(index, frame, scene, commands))
        self._t_ns = truth.frames[-1].t_ns + PAUSE_NS
        latency = {
            index: told[f"{p.tile} {p.moved}"] - _readable_from(truth, p.frame)
            for index, p in enumerate(truth.placements)
            if f"{p.tile} {p.moved}" in told
        }
        compared = score(
            self.match.state.rounds[number - 1] if number <= len(self.match.state.rounds) else self.match.state.now,
            [q for q in self.match.questions if q.about.get("round") == number],
            opened.values(),
            truth,
            Evidence(rests, sureness, latency),
        )
        put_right(self.say, lambda: self.match, truth, self.random)
        return Played(compared, truth, tuple(seen))

    def see(self, scene: Scene) -> tuple[Command, ...]:
        """One step of the watcher, and what follows from it."""
        self.memory, commands = self.watcher.step(self.memory, scene, self.match.state)
        for command in commands:
            self.say(command, scene.t_ns)
        return commands

    def say(self, command: Command, t_ns: int | None = None) -> bool:
        """One command to the match; False when it is refused (``refused`` has the sentences)."""
        try:
            self.match = play(self.journal, self.match, command, t_ns=t_ns or self._t_ns)
        except RuleBroken as broken:
            self.refused.append(f"{type(command).__name__}: {broken}")
            return False
        return True

    def close(self) -> None:
        """Close the journal."""
        self.journal.close()

    def _rest_of(self, tile: str) -> dict[str, Rest]:
        told = self.memory.told_of(tile)
        return {tile: told.rest} if told is not None and told.rest is not None else {}


def _readable_from(truth: RoundScript, frame: int) -> int:
    """The first frame from which a placement lies with nothing moving any more: counted from the last movement."""
    return next((i for i in range(frame, len(truth.frames)) if truth.frames[i].still), len(truth.frames)) - 1
