"""The simulated table of Hooked!: who sits where, their stacks, the Lake as it lies, and what stands about."""

from __future__ import annotations

import math
from random import Random

from msgspec.structs import replace

from companion.games.hook import seating
from companion.games.hook.seating import Person
from hardware.simulated.poses import Clutter, ClutterKind, PiecePose

STACK_AT = 0.66
"""Where a stack lies, as a share of the way to its owner."""
LAKE_FREE_MM = 135.0
"""Nothing stands so near to the middle of the Lake."""
CARD_HIGH_MM = 0.3


class Lake:
    """The cards in the middle, the lowest first, each where it lies."""

    def __init__(self, x_mm: float, y_mm: float) -> None:
        self.x_mm, self.y_mm = x_mm, y_mm
        self.cards: list[PiecePose] = []

    @property
    def high_mm(self) -> float:
        """About how high the pile is."""
        return CARD_HIGH_MM * len(self.cards)

    def lying(self) -> tuple[PiecePose, ...]:
        """The cards as they lie."""
        return tuple(self.cards)

    def land(self, id: str, x: float, y: float, turn: float) -> None:
        """A card comes to lie on top, face up."""
        self.cards.append(PiecePose(id, round(x, 2), round(y, 2), round(turn % 360, 2), level=len(self.cards)))

    def slip_under(self, id: str, x: float, y: float, turn: float) -> None:
        """A card comes to lie face down under all others."""
        card = PiecePose(id, round(x, 2), round(y, 2), round(turn % 360, 2), face_up=False)
        self.cards = [card, *(replace(other, level=other.level + 1) for other in self.cards)]

    def shift(self, first: int, dx: float, dy: float, turn: float) -> None:
        """The cards from index ``first`` on are shoved, and turned about the uppermost one's middle, together."""
        if not self.cards:
            return
        top = self.cards[-1]
        a = math.radians(turn)
        c, s = math.cos(a), math.sin(a)
        for i in range(max(0, first), len(self.cards)):
            card = self.cards[i]
            x, y = card.x_mm - top.x_mm, card.y_mm - top.y_mm
            self.cards[i] = replace(
                card,
                x_mm=round(top.x_mm + c * x - s * y + dx, 2),
                y_mm=round(top.y_mm + s * x + c * y + dy, 2),
                turn_deg=round((card.turn_deg + turn) % 360, 2),
            )


class Table:
    """People, stacks and things that stay where they are all evening."""

    def __init__(self, seats: tuple[str, ...], condition: str, random: Random) -> None:
        self.people: dict[str, Person] = seating.people(seats, random)
        self.lake = Lake(round(random.uniform(-14, 14), 1), round(random.uniform(-12, 12), 1))
        self._askew = {seat: random.uniform(-9, 9) for seat in seats}
        self._variants = {seat: random.randrange(1000) for seat in seats}
        self._things = self._place(seating.BUSY.get(condition, 0.75), random)

    def stack_spot(self, seat: str) -> tuple[float, float, float]:
        """Where a seat's stack lies: x, y, turn."""
        person = self.people[seat]
        turn = person.angle_deg - 90 + self._askew[seat]
        return round(STACK_AT * person.x_mm, 1), round(STACK_AT * person.y_mm, 1), round(turn % 360, 1)

    def clutter(self, counts: dict[str, int]) -> tuple[Clutter, ...]:
        """The stacks, as high as they are, and the things."""
        stacks = tuple(
            Clutter("stack", *self.stack_spot(seat), self._variants[seat], cards=count)
            for seat, count in counts.items()
            if count
        )
        return (*stacks, *self._things)

    def _place(self, busy: float, random: Random) -> tuple[Clutter, ...]:
        """Glasses and the like, clear of the Lake and the stacks."""
        kinds: tuple[ClutterKind, ...] = ("glass", "glass", "phone", "die", "die", "pen", "overview")
        taken = [self.stack_spot(seat)[:2] for seat in self.people]
        found: list[Clutter] = []
        for kind in kinds:
            if random.random() >= busy * 0.5:
                continue
            for _ in range(20):
                a, out = random.uniform(0, math.tau), random.uniform(0.5, 0.85)
                x, y = out * seating.EDGE_MM[0] * math.cos(a), out * seating.EDGE_MM[1] * math.sin(a)
                clear = math.hypot(x - self.lake.x_mm, y - self.lake.y_mm) > LAKE_FREE_MM
                if clear and all(math.hypot(x - tx, y - ty) > 95 for tx, ty in taken):
                    taken.append((x, y))
                    turn, variant = round(random.uniform(0, 360), 1), random.randrange(8)
                    found.append(Clutter(kind, round(x, 1), round(y, 1), turn, variant))
                    break
        return tuple(found)
