"""An evening at the Lake in lockstep: the players' script, the simulated camera, the vision and the watcher of Hooked!.

Natural flips, forced twins (a card laid almost exactly on its like) and nudges take turns; the truth is told to the
rules after each of them, so that one mistake is counted once.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from random import Random
from typing import Literal

import msgspec

from companion.core.facts import MatchStarted
from companion.deck import Deck
from companion.games.hooked.deck_rules import options
from companion.games.hooked.facts import CardFlipped, Flip, Recounted
from companion.games.hooked.rules import RULES
from companion.games.hooked.script import FlipScript, Script, Shown
from companion.games.hooked.state import State
from companion.games.hooked.watcher import HookedWatcher
from companion.world import Frame, Player, Scene
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.conditions import Condition
from vision.catalog import Catalog
from vision.pile_pipeline import PilePipeline

Sort = Literal["flip", "twin", "nudge", "take"]
PUSHED_MM, PUSHED_DEG = (1.0, 8.0), 5.0
CLOSE_MM, CLOSE_DEG = (2.0, 6.0), (1.0, 4.0)
"""How far a forced twin lies from its like: so many mm, or so many degrees."""
TAKEN_AT = 15
"""Cards in the Lake at which it is taken, if nobody wins it before."""


class Act(msgspec.Struct, frozen=True):
    """One thing that happened at the Lake, and what was made of it. ``card`` is the true one; none for a nudge."""

    sort: Sort
    card: str
    seat: str
    told: tuple[Flip, ...]
    seen_ns: int = 0
    moved_mm: float = 0.0
    moved_deg: float = 0.0
    what: str = ""


class Glance(msgspec.Struct, frozen=True):
    """One frame, for whoever wants to look at it."""

    frame: Frame
    scene: Scene
    what: str


class LakeEvening:
    """One table. ``seen`` has the frames of the last act."""

    def __init__(self, deck: Deck, catalog: Catalog, condition: Condition, seed: int, *, stride: int = 1) -> None:
        self.random = Random(f"{seed} lake evening")
        self.stride = stride
        self.seats = tuple(f"seat-{k + 1}" for k in range(self.random.randrange(2, 7)))
        self.script = Script(deck, self.seats, condition, seed, start_ns=1_000_000_000)
        self.camera = SimulatedCamera(deck, condition, seed)
        self.pipeline = PilePipeline(catalog)
        self.watcher = HookedWatcher()
        self.memory = self.watcher.start()
        self.seen: list[Glance] = []
        started = MatchStarted(
            game="hooked",
            rules=RULES.version,
            players=tuple(Player(seat, seat) for seat in self.seats),
            options=options(deck),
        )
        self.state: State = RULES.start(started)
        self._fact = 0
        self._turn = 0
        self._watch(self.script.rest(0.4))

    def acts(self, count: int) -> Iterator[Act]:
        """So many acts, takings of the Lake not counted but handed out too."""
        number = 0
        while number < count:
            if self.script.lake >= TAKEN_AT or not any(self.script.stacks.values()):
                yield self._take(self.random.choice(self.seats))
            sort = self.random.choice(("flip", "flip", "twin", "nudge"))
            act = None
            if sort == "nudge" and self.script.lake:
                act = self._nudge()
            elif sort == "twin" and self.script.lake:
                act = self._twin()
            for done in act or self._flip():
                number += done.sort != "take"
                yield done

    def _next(self) -> str:
        for _ in self.seats:
            seat = self.seats[self._turn % len(self.seats)]
            self._turn += 1
            if self.script.stacks[seat]:
                return seat
        raise ValueError("nobody has a card")

    def _flip(self) -> Iterator[Act]:
        flip = self.script.next_flip(self._next())
        yield self._flipped(flip, "flip")
        slap = next((slap for slap in flip.slaps if slap.sort == "right"), None)
        wrong = [slap.seat for slap in flip.slaps if slap.sort == "wrong"]
        for seat in wrong:
            if self.script.stacks[seat]:
                self._watch(self.script.pay(seat, min(2, self.script.stacks[seat])).frames)
        if slap is not None and flip.why is not None and self.script.lake > 3:
            yield self._take(slap.seat)
        elif wrong:
            self._recount()

    def _twin(self) -> Iterator[Act] | None:
        """The next player lays a card exactly like the uppermost, as near as it may lie; None where none is left."""
        top = self.script.stage.lake.cards[-1]
        if top.id not in {id for cards in self.script.stage.stacks.values() for id in cards}:
            return None
        r = self.random
        way, far, turn = r.uniform(0, 2 * math.pi), r.uniform(*CLOSE_MM), r.uniform(-1.0, 1.0)
        if r.random() < 0.5:
            far, turn = r.uniform(0, 1.5), r.choice((-1, 1)) * r.uniform(*CLOSE_DEG)
        place = (
            round(top.x_mm + far * math.cos(way), 2),
            round(top.y_mm + far * math.sin(way), 2),
            round((top.turn_deg + turn) % 360, 2),
        )
        flip = self.script.next_flip(self._next(), card=top.id, at=place, quiet=True)
        return iter((self._flipped(flip, "twin"),))

    def _nudge(self) -> Iterator[Act]:
        r = self.random
        kind = r.choice(("push", "slap", "straighten"))
        mm, deg = r.uniform(*PUSHED_MM), r.uniform(-PUSHED_DEG, PUSHED_DEG)
        seat = r.choice(self.seats)
        move = self.script.nudge(kind, seat, mm, deg)  # type: ignore[arg-type]
        told = self._watch((*move.frames, *self.script.rest(0.3)))
        yield Act("nudge", "", seat, told, 0, move.moved_mm, move.moved_deg, kind)

    def _take(self, winner: str) -> Act:
        move = self.script.take(winner)
        told = self._watch((*move.frames, *self.script.rest(0.4)))
        self._turn = self.seats.index(winner)
        self._recount()
        return Act("take", "", winner, told)

    def _flipped(self, flip: FlipScript, sort: Sort) -> Act:
        told = self._watch((*flip.frames, *self.script.rest(0.5)))
        self._fact += 1
        fact = CardFlipped(
            id=self._fact, t_ns=flip.seen_ns, seat=flip.seat, card=flip.card, seen_ns=flip.seen_ns, before_ns=flip.before_ns
        )
        self.state = RULES.apply(self.state, fact)
        what = "quick" if flip.offset_mm or flip.offset_deg else "first"
        return Act(sort, flip.card, flip.seat, told, flip.seen_ns, flip.offset_mm, flip.offset_deg, what)

    def _recount(self) -> None:
        """The rules are told how the cards lie after a slap."""
        self._fact += 1
        turn = self.seats[self._turn % len(self.seats)]
        fact = Recounted(id=self._fact, t_ns=self.script.t_ns, stacks=self.script.stacks, turn=turn)
        self.state = RULES.apply(self.state, fact)

    def _watch(self, frames: Sequence[Shown]) -> tuple[Flip, ...]:
        told: list[Flip] = []
        self.seen.clear()
        for shown in thinned(frames, self.stride):
            frame = self.camera.look(shown.pose, shown.t_ns)
            scene = self.pipeline.step(frame)
            self.memory, commands = self.watcher.step(self.memory, scene, self.state)
            told += [command for command in commands if isinstance(command, Flip)]
            self.seen.append(Glance(frame, scene, shown.what))
        return tuple(told)


def thinned(frames: Sequence[Shown], stride: int) -> list[Shown]:
    """Every so many frames where nothing lies still for long; of a rest its first and its last three."""
    kept = []
    for k, shown in enumerate(frames):
        resting = all(f.still for f in frames[max(0, k - 2) : k + 3])
        if not resting and k % stride == 0:
            kept.append(shown)
        elif resting and (k >= len(frames) - 1):
            kept.append(shown)
    return kept
