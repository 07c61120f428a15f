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
from companion.games.hooked.names import CATCH_AND_RELEASE
from companion.games.hooked.rules import RULES
from companion.games.hooked.script import FlipScript, Script, Shown
from companion.games.hooked.scripted import Nudge
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
END_S = 2.0
"""So long the table is watched after the last act: palms may still lie on its card."""
TAKEN_AT = 15
"""Cards in the Lake at which it is taken, if nobody wins it before."""


class Act(msgspec.Struct, frozen=True):
    """One thing that happened at the Lake. ``card`` is the true one; none for a nudge and when the Lake is taken."""

    sort: Sort
    start_ns: int
    seat: str
    card: str = ""
    seen_ns: int = 0
    moved_mm: float = 0.0
    moved_deg: float = 0.0
    how: str = ""


class Glance(msgspec.Struct, frozen=True):
    """One frame, for whoever wants to look at it."""

    frame: Frame
    scene: Scene
    what: str


class LakeEvening:
    """One table. ``seen`` has the frames of the last act.

    ``stride``: only every so many frames are looked at while something moves (a slower camera).
    """

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
        self.told: list[Flip] = []
        """Everything the watcher has told."""
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

    def play(self, sorts: Sequence[Sort]) -> Iterator[Act]:
        """Such acts in this order (a flip where another is impossible), and takings of the Lake in between."""
        for sort in sorts:
            if self.script.lake >= TAKEN_AT or not any(self.script.stacks.values()):
                yield self._take(self.random.choice(self.seats))
            if sort == "nudge" and self.script.lake:
                yield self._nudge()
            elif sort == "twin" and self._twins_left():
                yield self._twin()
            else:
                yield from self._flip()
        self._watch(self.script.rest(END_S))

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

    def _twins_left(self) -> bool:
        cards, stacks = self.script.stage.lake.cards, self.script.stage.stacks.values()
        return bool(cards) and cards[-1].face_up and any(cards[-1].id in stack for stack in stacks)

    def _twin(self) -> Act:
        """The next player lays a card exactly like the uppermost, as near to it as it may lie."""
        r, top = self.random, self.script.stage.lake.cards[-1]
        way, far, turn = r.uniform(0, 2 * math.pi), r.uniform(*CLOSE_MM), r.uniform(-1.0, 1.0)
        if r.random() < 0.5:
            far, turn = r.uniform(0, 1.5), r.choice((-1, 1)) * r.uniform(*CLOSE_DEG)
        place = (
            round(top.x_mm + far * math.cos(way), 2),
            round(top.y_mm + far * math.sin(way), 2),
            round((top.turn_deg + turn) % 360, 2),
        )
        return self._flipped(self.script.next_flip(self._next(), card=top.id, at=place, quiet=True), "twin")

    def _nudge(self) -> Act:
        r = self.random
        kind: Nudge = r.choice(("push", "slap", "straighten"))
        mm, deg = r.uniform(*PUSHED_MM), r.uniform(-PUSHED_DEG, PUSHED_DEG)
        seat = r.choice(self.seats)
        move = self.script.nudge(kind, seat, mm, deg)
        self._watch((*move.frames, *self.script.rest(0.3)))
        return Act("nudge", move.frames[0].t_ns, seat, "", 0, move.moved_mm, move.moved_deg, kind)

    def _take(self, winner: str) -> Act:
        """The Lake is taken; after a Catch & Release the others' cards begin a new one, face down."""
        released = self.script.stage.faces[-1:] == [CATCH_AND_RELEASE]
        move = self.script.take(winner)
        self._watch((*move.frames, *self.script.rest(0.4)))
        for seat in self.seats:
            if released and seat != winner and self.script.stacks[seat]:
                self._watch((*self.script.pay(seat, 1).frames, *self.script.rest(0.4)))
        self._turn = self.seats.index(winner)
        self._recount()
        return Act("take", move.frames[0].t_ns, winner)

    def _flipped(self, flip: FlipScript, sort: Sort) -> Act:
        self._watch((*flip.frames, *self.script.rest(0.4)))
        self._fact += 1
        fact = CardFlipped(
            id=self._fact,
            t_ns=flip.seen_ns,
            seat=flip.seat,
            card=flip.card,
            seen_ns=flip.seen_ns,
            before_ns=flip.before_ns,
        )
        self.state = RULES.apply(self.state, fact)
        how = "slapped" if flip.slaps else "quiet"
        start = flip.frames[0].t_ns
        return Act(sort, start, flip.seat, flip.card, flip.seen_ns, flip.offset_mm, flip.offset_deg, how)

    def _recount(self) -> None:
        """The rules are told how the cards lie after a slap."""
        self._fact += 1
        turn = self.seats[self._turn % len(self.seats)]
        fact = Recounted(id=self._fact, t_ns=self.script.t_ns, stacks=self.script.stacks, turn=turn)
        self.state = RULES.apply(self.state, fact)

    def _watch(self, frames: Sequence[Shown]) -> None:
        self.seen.clear()
        for shown in thinned(frames, self.stride):
            frame = self.camera.look(shown.pose, shown.t_ns)
            scene = self.pipeline.step(frame)
            self.memory, commands = self.watcher.step(self.memory, scene, self.state)
            self.told += [command for command in commands if isinstance(command, Flip)]
            self.seen.append(Glance(frame, scene, shown.what))


def thinned(frames: Sequence[Shown], stride: int) -> list[Shown]:
    """What is worth a look: every ``stride``-th frame, and of a long rest its last three."""
    kept = []
    for k, shown in enumerate(frames):
        rests = all(frame.still for frame in frames[max(0, k - 3) : k + 1]) and k + 3 < len(frames)
        if not rests and (shown.still or k % stride == 0):
            kept.append(shown)
    return kept
