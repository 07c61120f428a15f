"""A Lake staged on the simulated table, moment by moment, to measure how well it is read: flips, forced twins, nudges.

Not a game: nobody slaps for cards and no rule is asked. Each act begins and ends at rest. All follows from the seed.
"""

from __future__ import annotations

import math
from random import Random
from typing import Literal

import msgspec
from msgspec.structs import replace

from companion.deck import Deck
from hardware.simulated.conditions import Condition
from hardware.simulated.poses import HandKind, HandPose, PiecePose, TablePose

What = Literal["flip", "twin", "nudge", "take"]
Nudge = Literal["push", "slap", "straighten"]
FRAME_NS = 120_000_000
MOST_CARDS = 14
"""Cards of a Lake before somebody takes it."""
LEAST_MM, LEAST_DEG = 2.0, 1.0
"""A twin lies at least so far, or turned so far, from the card below it."""
SCATTER_MM = {"easy": 7.0, "evening": 13.0, "harsh": 20.0}
ASKEW_DEG = {"easy": 10.0, "evening": 25.0, "harsh": 40.0}
ANY_ANGLE = {"easy": 0.0, "evening": 0.08, "harsh": 0.25}
SHOVED = {"easy": 0.1, "evening": 0.3, "harsh": 0.5}
SHOVE_MM = {"easy": 1.0, "evening": 2.5, "harsh": 4.0}
SKINS = ((0.62, 0.36, 0.25), (0.75, 0.5, 0.38), (0.35, 0.2, 0.13), (0.5, 0.3, 0.2), (0.8, 0.6, 0.5), (0.25, 0.14, 0.09))
SLEEVES = ((0.1, 0.15, 0.3), (0.5, 0.1, 0.1), (0.05, 0.05, 0.05), (0.6, 0.6, 0.55), (0.1, 0.3, 0.12), (0.4, 0.3, 0.15))


class Moment(msgspec.Struct, frozen=True):
    """One frame. ``open``: most of the card that is uppermost afterwards can be seen where it lies."""

    t_ns: int
    pose: TablePose
    open: bool = True


class Act(msgspec.Struct, frozen=True):
    """What happened from one rest to the next. ``seen_ns`` is 0 where no card came; ``hard``: a twin that is placed
    almost exactly on the card below."""

    what: What
    seat: str
    moments: tuple[Moment, ...]
    card: str = ""
    nudge: Nudge | None = None
    seen_ns: int = 0
    before_ns: int = 0
    moved_mm: float = 0.0
    moved_deg: float = 0.0
    hard: bool = False


class Seat(msgspec.Struct, frozen=True):
    """Who sits where: ``at_deg`` is the direction from the Lake (0 right, 90 the bottom of the picture)."""

    name: str
    at_deg: float
    look: int
    skin: tuple[float, float, float]
    sleeve: tuple[float, float, float]
    left: bool


class Staging:
    """One table for one evening."""

    def __init__(self, deck: Deck, condition: Condition, seed: int) -> None:
        self._random = Random(f"{seed} lake")
        self._name = condition.name
        self._copies = {p.id: p.copies for p in deck.pieces if p.kind in ("fish-card", "action-card")}
        self._sizes = {p.id: p.size_mm or (63.0, 88.0) for p in deck.pieces}
        count = self._random.randrange(2, 7)
        start = self._random.uniform(0, 360)
        self.seats = tuple(self._seat(k, start + 360 * k / count) for k in range(count))
        self._pile: tuple[PiecePose, ...] = ()
        self._level = 0
        self._t_ns = 1_000_000_000
        self._turn = 0

    def _seat(self, k: int, at_deg: float) -> Seat:
        r = self._random
        return Seat(f"seat-{k + 1}", at_deg % 360, r.randrange(12), r.choice(SKINS), r.choice(SLEEVES), r.random() < 0.2)

    def begin(self) -> tuple[Moment, ...]:
        """The empty table."""
        return tuple(self._moment(TablePose()) for _ in range(4))

    def flip(self) -> Act:
        """The next player flips any card."""
        return self._flip("flip")

    def twin(self) -> Act:
        """The next player flips a card that looks exactly like the one on top (any card on an empty Lake, or when no
        copy is left)."""
        return self._flip("twin")

    @property
    def twins_left(self) -> bool:
        """Whether a copy of the card on top is not in the Lake yet."""
        return bool(self._pile) and self._free(self._pile[-1].id)

    @property
    def full(self) -> bool:
        """Whether it is time to take the Lake."""
        return len(self._pile) >= MOST_CARDS

    @property
    def empty(self) -> bool:
        """Whether no card lies there."""
        return not self._pile

    def _free(self, id: str) -> bool:
        return sum(card.id == id for card in self._pile) < self._copies[id]

    def _flip(self, what: What) -> Act:
        r = self._random
        seat = self.seats[self._turn]
        self._turn = (self._turn + 1) % len(self.seats)
        below = self._pile[-1] if self._pile else None
        hard = False
        if what == "twin" and below is not None and self._free(below.id):
            hard = r.random() < 0.5
            card = self._hard(below) if hard else self._landed(below.id, seat)
            while not hard and _apart(card, below) == (True, True):
                card = self._landed(below.id, seat)
        else:
            what = "flip"
            free = [id for id in self._copies if self._free(id)]
            others = [id for id in free if below is None or id != below.id]
            card = self._landed(r.choice(others), seat)
        before = self._pile
        self._level += 1
        after = (*self._shoved(before), card)
        way = math.radians(seat.at_deg)
        out = (math.cos(way), math.sin(way))
        high = replace(card, x_mm=card.x_mm + 130 * out[0], y_mm=card.y_mm + 130 * out[1], lift_mm=45.0, face_up=False,
                       moving=(-9 * out[0], -9 * out[1]))  # fmt: skip
        near = replace(card, x_mm=card.x_mm + 18 * out[0], y_mm=card.y_mm + 18 * out[1], lift_mm=18.0,
                       turn_deg=card.turn_deg + r.uniform(-8, 8), moving=(-4 * out[0], -4 * out[1]))  # fmt: skip
        grip = r.uniform(18, 34)
        moments = [
            self._moment(TablePose(before)),
            self._moment(TablePose((*before, high), (self._hand(seat, high, grip, "pinch", 50.0, -9.0),)), False),
            self._moment(TablePose((*before, near), (self._hand(seat, near, grip, "pinch", 26.0, -4.0),)), False),
        ]
        moments.append(self._moment(TablePose(after, (self._hand(seat, card, grip, "pinch", 12.0, 0.0),)), False))
        leaving = replace(card, x_mm=card.x_mm + 110 * out[0], y_mm=card.y_mm + 110 * out[1])
        moments.append(self._moment(TablePose(after, (self._hand(seat, leaving, grip, "pinch", 25.0, 9.0),))))
        moments += [self._moment(TablePose(after)) for _ in range(2)]
        self._pile = after
        moved = _moved(below, card) if below is not None else (0.0, 0.0)
        return Act(what, seat.name, tuple(moments), card.id, None, moments[4].t_ns, moments[3].t_ns, *moved, hard)

    def nudge(self) -> Act:
        """Somebody pushes the pile, slaps it with a palm, or straightens its uppermost card. Nothing is flipped."""
        r = self._random
        seat = r.choice(self.seats)
        kind: Nudge = r.choice(("push", "slap", "straighten"))
        before, top = self._pile, self._pile[-1]
        x, y, turn = r.gauss(0, 4.0), r.gauss(0, 4.0), r.gauss(0, 3.0)
        if kind == "straighten":
            after = (*before[:-1], _rigid(top, top, x, y, turn))
        elif kind == "push":
            count = len(before) if r.random() < 0.6 else r.randrange(1, len(before) + 1)
            after = (*before[: len(before) - count], *(_rigid(c, top, x, y, turn) for c in before[-count:]))
        else:
            still = r.random() < 0.4
            count = r.randrange(1, len(before) + 1)
            x, y, turn = (0.0, 0.0, 0.0) if still else (x / 2, y / 2, turn / 2)
            after = (*before[: len(before) - count], *(_rigid(c, top, x, y, turn) for c in before[-count:]))
        hand: HandKind = "flat" if kind == "slap" else r.choice(("pinch", "point", "flat"))
        way = math.radians(seat.at_deg)
        out = (math.cos(way), math.sin(way))
        away = replace(top, x_mm=top.x_mm + 120 * out[0], y_mm=top.y_mm + 120 * out[1])
        reach = r.uniform(-40, 10) if kind == "slap" else r.uniform(5, 30)
        moments = [
            self._moment(TablePose(before)),
            self._moment(TablePose(before, (self._hand(seat, away, reach, hand, 40.0, -9.0),))),
            self._moment(TablePose(before, (self._hand(seat, top, reach, hand, 14.0, -1.0),)), False),
            self._moment(TablePose(after, (self._hand(seat, after[-1], reach, hand, 12.0, 0.0),)), False),
            self._moment(TablePose(after, (self._hand(seat, away, reach, hand, 30.0, 9.0),))),
        ]
        moments += [self._moment(TablePose(after)) for _ in range(2)]
        self._pile = after
        return Act("nudge", seat.name, tuple(moments), "", kind, 0, 0, *_moved(top, after[-1]))

    def take(self) -> Act:
        """Somebody takes the whole Lake."""
        seat = self._random.choice(self.seats)
        self._turn = self.seats.index(seat)
        top = self._pile[-1]
        hand = self._hand(seat, top, 0.0, "flat", 15.0, 0.0)
        poses = [TablePose(self._pile), TablePose(self._pile, (hand,)), TablePose((), (hand,)), TablePose(), TablePose()]
        moments = tuple(self._moment(pose) for pose in poses)
        self._pile, self._level = (), 0
        return Act("take", seat.name, moments)

    def _hard(self, below: PiecePose) -> PiecePose:
        """Almost exactly on the card below."""
        r = self._random
        way = r.uniform(0, 2 * math.pi)
        far, turn = r.choice(((r.uniform(2, 5), r.uniform(-1, 1)), (r.uniform(0, 1.5), r.choice((-1, 1)) * r.uniform(1, 4))))
        card = _rigid(below, below, far * math.cos(way), far * math.sin(way), turn)
        return replace(card, level=self._level)

    def _landed(self, id: str, seat: Seat) -> PiecePose:
        r, name = self._random, self._name
        turn = seat.at_deg - 90 + r.gauss(0, ASKEW_DEG[name])
        if r.random() < ANY_ANGLE[name]:
            turn = r.uniform(0, 360)
        x, y = r.gauss(0, SCATTER_MM[name]), r.gauss(0, SCATTER_MM[name])
        return PiecePose(id, round(x, 2), round(y, 2), round(turn % 360, 2), level=self._level)

    def _shoved(self, pile: tuple[PiecePose, ...]) -> tuple[PiecePose, ...]:
        r, name = self._random, self._name
        if not pile or r.random() >= SHOVED[name]:
            return pile
        count = r.randrange(1, len(pile) + 1)
        x, y, turn = r.gauss(0, SHOVE_MM[name] / 2), r.gauss(0, SHOVE_MM[name] / 2), r.gauss(0, 0.7)
        return (*pile[: len(pile) - count], *(_rigid(card, pile[-1], x, y, turn) for card in pile[-count:]))

    def _hand(self, seat: Seat, at: PiecePose, reach: float, kind: HandKind, height: float, speed: float) -> HandPose:
        way = math.radians(seat.at_deg)
        x, y = at.x_mm + reach * math.cos(way), at.y_mm + reach * math.sin(way)
        return HandPose(
            round(x, 2), round(y, 2), round(seat.at_deg, 1), kind, seat.skin, seat.sleeve, 1.0, seat.left, height,
            (round(speed * math.cos(way), 2), round(speed * math.sin(way), 2)), seat.look,
        )  # fmt: skip

    def _moment(self, pose: TablePose, open: bool = True) -> Moment:
        self._t_ns += FRAME_NS
        return Moment(self._t_ns, pose, open)


def _rigid(card: PiecePose, about: PiecePose, x: float, y: float, turn: float) -> PiecePose:
    """A card moved with everything around ``about``'s middle."""
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    dx, dy = card.x_mm - about.x_mm, card.y_mm - about.y_mm
    return replace(
        card,
        x_mm=round(about.x_mm + c * dx - s * dy + x, 3),
        y_mm=round(about.y_mm + s * dx + c * dy + y, 3),
        turn_deg=round((card.turn_deg + turn) % 360, 3),
    )


def _moved(a: PiecePose, b: PiecePose) -> tuple[float, float]:
    return math.hypot(a.x_mm - b.x_mm, a.y_mm - b.y_mm), abs((a.turn_deg - b.turn_deg + 180) % 360 - 180)


def _apart(a: PiecePose, b: PiecePose) -> tuple[bool, bool]:
    mm, deg = _moved(a, b)
    return mm < LEAST_MM, deg < LEAST_DEG
