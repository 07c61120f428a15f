"""The watcher of Hooked!: turns what the vision tells of the Lake into flips.

Pure: ``step(memory, scene, state)`` gives the next memory and the commands. Which card, when it could be seen and
whether one has come at all the camera tells; who flipped it follows from the turn, unless the hand clearly reached in
from another player's side. Who was not seen (no hand was, or a card came before this one in the same scene) is told as
such: it is whose turn it is by the rules. It never judges: what is doubtful is told with its doubt, and the rules ask.
"""

from __future__ import annotations

import math

import msgspec

from companion.core.facts import Command
from companion.games.hooked.facts import Flip
from companion.games.hooked.state import State
from companion.world import PileChange, Scene, Sighting

MAYBE, SURELY = 0.12, 0.95
"""Below the first probability no card has come, from the second on one has for certain; between them it is asked."""
NAMED = 0.9
"""Confidence from which a card's name is not asked about."""
LEARNED = 2
"""Flips after which it is known from where a seat reaches in."""
HERE, ELSEWHERE = 25.0, 45.0
"""Degrees within which a hand is a seat's own, and beyond which it is not."""
TURNED_NS = 150_000_000
"""So long before a card lies openly in the Lake people see it in the hand that turns it over (nine of ten times 145 to
280 ms on the simulated table); a press in that time is a slap of it, and no false start."""
REMEMBERED = 6
"""Directions that are kept for each seat."""


class Memory(msgspec.Struct, frozen=True):
    """What the watcher remembers: the last change it has told, and from where each seat's hands reached in."""

    t_ns: int = 0
    sides: tuple[tuple[str, tuple[float, ...]], ...] = ()

    def side(self, seat: str) -> float | None:
        """The direction in which a seat sits, once it is known."""
        known = dict(self.sides).get(seat, ())
        return middle(known) if len(known) >= LEARNED else None

    def learning(self, seat: str, direction: float) -> Memory:
        """With one more direction of a seat."""
        sides = dict(self.sides)
        sides[seat] = (*sides.get(seat, ()), direction)[-REMEMBERED:]
        return msgspec.structs.replace(self, sides=tuple(sorted(sides.items())))


class HookedWatcher:
    """A ``companion.core.game.Watcher``. Flips are told to have been seen ``turned_ns`` before they lay openly: by the
    people, from whom no card is hidden while it is turned over."""

    def __init__(self, turned_ns: int = 0) -> None:
        self.turned_ns = turned_ns

    def start(self) -> Memory:
        """Nothing remembered: what lies there is compared with the state."""
        return Memory()

    def step(self, memory: Memory, scene: Scene, state: State) -> tuple[Memory, tuple[Command, ...]]:
        """What this scene adds to the state."""
        if scene.lost is not None or scene.pile is None:
            return memory, ()
        changes = scene.pile.changes
        if changes and changes[-1].t_ns < memory.t_ns:
            memory = msgspec.structs.replace(memory, t_ns=0)  # the camera's clock began anew
        commands: list[Command] = []
        for change in changes:
            if change.t_ns <= memory.t_ns:
                continue
            memory = msgspec.structs.replace(memory, t_ns=change.t_ns)
            if not state.over and _came(change, state, late=bool(commands)):
                memory, flip = _flip(memory, change, state, late=bool(commands))
                commands.append(earlier(flip, self.turned_ns))
        return memory, tuple(commands)


def _came(change: PileChange, state: State, *, late: bool) -> bool:
    """Whether a card has come, or may have."""
    if change.gone or change.came < MAYBE:
        return False
    if change.first and change.came < SURELY and state.lake and not late:
        # The camera has just begun to look: the card that lies there is most likely the one that is known.
        known = state.lake[-1]
        return change.top is not None and change.top.id not in (known.card, *known.maybe)
    return True


def _flip(memory: Memory, change: PileChange, state: State, *, late: bool) -> tuple[Memory, Flip]:
    expected = state.turn or state.seats[0]
    seat, sure = expected, False
    if not late and change.hands:
        seat, sure = _who(memory, change.hands[0], expected, state.seats)
        if seat == expected and change.came >= SURELY:
            memory = memory.learning(seat, change.hands[0])
    card, card_sure, cards = _which(change.top, state)
    flip = Flip(
        t_ns=change.t_ns,
        card=card,
        seat=seat,
        seen_ns=change.seen_ns,
        before_ns=min(change.before_ns, change.seen_ns),
        seat_sure=sure,
        card_sure=card_sure and change.came >= SURELY,
        cards=cards,
    )
    return memory, flip


def earlier(flip: Flip, by_ns: int) -> Flip:
    """A flip that was to be seen so much earlier."""
    seen, before = max(flip.seen_ns - by_ns, 0), max(flip.before_ns - by_ns, 0)
    return msgspec.structs.replace(flip, seen_ns=seen, before_ns=before)


def _who(memory: Memory, direction: float, expected: str, seats: tuple[str, ...]) -> tuple[str, bool]:
    """Who reached in from there, and whether that is beyond doubt: whose turn it is, unless it clearly was another."""
    side = memory.side(expected)
    if side is None or apart(side, direction) <= ELSEWHERE:
        return expected, True
    others = [(apart(known, direction), seat) for seat in seats if (known := memory.side(seat)) is not None]
    near, seat = min(others)
    return (seat, False) if near <= HERE else (expected, False)


def _which(top: Sighting | None, state: State) -> tuple[str, bool, tuple[tuple[str, float], ...]]:
    """The card's id, whether it is beyond doubt, and what else it could be."""
    if top is None or top.id is None:
        return next(iter(state.setup.cards)), False, ()
    ranked = tuple((id, round(p, 3)) for id, p in top.ranked if id in state.setup.cards)
    return top.id, top.confidence >= NAMED, ranked or ((top.id, round(top.confidence, 3)),)


def apart(one: float, other: float) -> float:
    """Degrees between two directions."""
    return abs(math.remainder(one - other, 360.0))


def middle(directions: tuple[float, ...]) -> float:
    """The middle of several directions."""
    x = sum(math.cos(math.radians(d)) for d in directions)
    y = sum(math.sin(math.radians(d)) for d in directions)
    return math.degrees(math.atan2(y, x)) % 360


WATCHER = HookedWatcher()
"""For any deck."""
