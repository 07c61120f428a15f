"""Where people sit at the simulated table, where their Target cards lie, and what else stands about.

Table millimetres as in ``hardware.simulated.poses``: angles grow clockwise as seen from above.
"""

from __future__ import annotations

import math
from random import Random

import numpy as np
from numpy.typing import NDArray

from companion.deck import Deck, Piece
from hardware.simulated.clutter import EXTENT
from hardware.simulated.conditions import Condition
from hardware.simulated.faces import size_of
from hardware.simulated.lens import outline
from hardware.simulated.poses import Clutter, ClutterKind, Colour, HandPose, PiecePose

EDGE_MM = (340.0, 270.0)
"""How far from the middle people's shoulders end: half-axes of an ellipse that lies outside the picture."""
LEAST_RING_MM = 72.0
SHIFT_MM = 8.0
"""How far cards may lie from where those of the round before lay, and room kept free around them."""
BUSY = {"easy": 0.35, "evening": 0.75, "harsh": 1.0}
"""How much lies about, by condition."""
SKINS: tuple[Colour, ...] = (
    (0.72, 0.47, 0.36), (0.62, 0.36, 0.25), (0.50, 0.27, 0.17), (0.36, 0.18, 0.11), (0.20, 0.095, 0.06),
    (0.11, 0.05, 0.03), (0.78, 0.55, 0.45), (0.58, 0.37, 0.21),
)  # fmt: skip
SLEEVES: tuple[Colour, ...] = (
    (0.04, 0.06, 0.16), (0.45, 0.05, 0.05), (0.70, 0.68, 0.64), (0.03, 0.03, 0.03), (0.06, 0.22, 0.10),
    (0.60, 0.42, 0.08), (0.20, 0.20, 0.22), (0.30, 0.08, 0.30), (0.62, 0.30, 0.30), (0.10, 0.35, 0.45),
)  # fmt: skip

Spot = tuple[float, float, float]
"""x, y, turn."""


class Person:
    """One player's body at the table: where the arm comes from, and how the hand looks."""

    def __init__(self, seat: str, angle_deg: float, random: Random) -> None:
        self.seat = seat
        self.angle_deg = angle_deg
        a = math.radians(angle_deg)
        self.x_mm, self.y_mm = EDGE_MM[0] * math.cos(a), EDGE_MM[1] * math.sin(a)
        self.skin = random.choice(SKINS)
        self.sleeve = random.choice(SLEEVES)
        self.left = random.random() < 0.15
        self.size = random.uniform(0.86, 1.08)
        self.look = random.randrange(10_000)

    def hand(
        self, x_mm: float, y_mm: float, *, kind: str = "pinch", speed: float = 0.0, away: float = 0.0, up: float = 20.0
    ) -> HandPose:
        """The hand at a place of the table, or ``away`` (0 to 1) of the way back to its owner.

        ``speed`` is how many mm it travels towards the middle while a frame is exposed (negative: leaves).
        """
        x, y = x_mm + (self.x_mm - x_mm) * away, y_mm + (self.y_mm - y_mm) * away
        dx, dy = self.x_mm - x, self.y_mm - y
        length = math.hypot(dx, dy) or 1.0
        return HandPose(
            x_mm=round(x, 2),
            y_mm=round(y, 2),
            from_deg=round(math.degrees(math.atan2(dy, dx)), 2),
            kind=kind,  # type: ignore[arg-type]
            skin=self.skin,
            sleeve=self.sleeve,
            size=self.size,
            left=self.left,
            height_mm=up,
            moving=(round(-dx / length * speed, 2), round(-dy / length * speed, 2)),
            look=self.look,
        )


def people(seats: tuple[str, ...], random: Random) -> dict[str, Person]:
    """Everybody around the table, clockwise in the order of the seats."""
    start = random.uniform(0, 360)
    return {seat: Person(seat, start + 360 * i / len(seats), random) for i, seat in enumerate(seats)}


def ring(people: list[Person], size: tuple[float, float], condition: Condition, random: Random) -> list[Spot]:
    """A place for each person's Target card: loosely a circle, the nearest neighbours ``gap_mm`` apart."""
    least = condition.gap_mm * random.uniform(1.0, 1.25)
    while True:
        bearings = [person.angle_deg + random.uniform(-1, 1) * 90 / len(people) for person in people]
        wobble = [random.uniform(0.92, 1.12) for _ in people]
        turns = [random.uniform(0, 360) for _ in people]

        def spots(radius: float) -> list[Spot]:
            found = []
            for bearing, wide, turn in zip(bearings, wobble, turns, strict=True):  # noqa: B023
                a = math.radians(bearing)
                found.append((1.22 * radius * wide * math.cos(a), radius * wide * math.sin(a), turn))
            return found

        low, high = 20.0, 260.0
        for _ in range(18):
            middle = (low + high) / 2
            low, high = (middle, high) if closest(spots(middle), size) < least else (low, middle)
        radius = max(high, random.uniform(LEAST_RING_MM, LEAST_RING_MM + 14))
        if radius >= 118:  # farther out the cards would leave the picture
            continue
        if radius > high:  # few cards in a wide circle: two of them still lie close to each other
            mover = random.randrange(len(people))
            own, target = bearings[mover], bearings[(mover + 1) % len(people)]
            way = (target - own + 180) % 360 - 180
            near, far = 0.0, 1.0
            for _ in range(18):
                share = (near + far) / 2
                bearings[mover] = own + way * share
                near, far = (near, share) if closest(spots(radius), size) < least else (share, far)
            bearings[mover] = own + way * near
        return [(round(x, 2), round(y, 2), round(turn, 2)) for x, y, turn in spots(radius)]


def again(ring: list[Spot], random: Random) -> list[Spot]:
    """The same ring in another round: all of it a little elsewhere, each card turned by other quarters."""
    dx, dy = random.uniform(-SHIFT_MM, SHIFT_MM) / 2, random.uniform(-SHIFT_MM, SHIFT_MM) / 2
    return [(round(x + dx, 2), round(y + dy, 2), turn + 90 * random.randrange(4)) for x, y, turn in ring]


def closest(spots: list[Spot], size: tuple[float, float]) -> float:
    """The least gap between any two cards, in mm; 0 when they overlap."""
    quads = [outline(x, y, turn, *size)[:, :2] for x, y, turn in spots]
    pairs = sorted((math.dist(a[:2], b[:2]), i, j) for i, a in enumerate(spots) for j, b in enumerate(spots[:i]))
    best = math.inf
    for apart, i, j in pairs:
        if apart - math.hypot(*size) >= best:  # their corners cannot be closer than that
            break
        best = min(best, gap(quads[i], quads[j]))
    return best


def gap(a: NDArray[np.float64], b: NDArray[np.float64]) -> float:
    """The distance between two convex quads (4 x 2, clockwise as seen); 0 when they overlap."""
    apart = False
    best = math.inf
    for one, other in ((a.tolist(), b.tolist()), (b.tolist(), a.tolist())):
        for i in range(4):
            (x, y), (to_x, to_y) = one[i], one[(i + 1) % 4]
            dx, dy = to_x - x, to_y - y
            length2 = dx * dx + dy * dy
            beyond = True
            for px, py in other:
                along = min(1.0, max(0.0, ((px - x) * dx + (py - y) * dy) / length2))
                best = min(best, math.hypot(px - x - along * dx, py - y - along * dy))
                beyond = beyond and (px - x) * dy - (py - y) * dx > 0
            apart = apart or beyond
    return best if apart else 0.0


class Things:
    """Finds places for what lies about: none on a Target card, none on another."""

    def __init__(self, deck: Deck, cards: list[Spot], size: tuple[float, float], random: Random) -> None:
        self.deck, self.random = deck, random
        room = (size[0] + 2 * SHIFT_MM, size[1] + 2 * SHIFT_MM)
        self._taken = [outline(x, y, turn, *room)[:, :2] for x, y, turn in cards]
        self._things: list[NDArray[np.float64]] = []
        self._for_compass: dict[str, Spot] = {}
        self.pieces: list[PiecePose] = []
        self.clutter: list[Clutter] = []

    def fits(self, x: float, y: float, turn: float, size: tuple[float, float], apart: float = 5.0) -> bool:
        """Take a place if nothing is near."""
        quad = outline(x, y, turn, *size)[:, :2]
        far = 2 * max(*size, 60.0)
        if any(np.hypot(*(quad - other).mean(0)) < far and gap(quad, other) < apart for other in self._taken):
            return False
        self._taken.append(quad)
        self._things.append(quad)
        return True

    def leaves_room(self, spots: list[Spot], size: tuple[float, float]) -> bool:
        """Whether Target cards can lie there without touching any of the things."""
        for x, y, turn in spots:
            quad = outline(x, y, turn, *size)[:, :2]
            if any(np.hypot(*(quad - other).mean(0)) < 160 and gap(quad, other) < 4 for other in self._things):
                return False
        return True

    def put(self, kind: ClutterKind, x: float, y: float, turn: float) -> None:
        """A thing, if there is room for it."""
        if self.fits(x, y, turn, EXTENT[kind], 2.0 if kind == "cannonball" else 5.0):
            self.clutter.append(Clutter(kind, round(x, 1), round(y, 1), round(turn, 1), self.random.randrange(8)))

    def lay(self, piece: Piece, x: float, y: float, turn: float) -> None:
        """A piece of the deck, if there is room for it."""
        if self.fits(x, y, turn, size_of(piece)):
            self.pieces.append(PiecePose(piece.id, round(x, 1), round(y, 1), round(turn, 1)))

    def place_of(self, person: Person, busy: float) -> None:
        """What a player has in front of them: Hit card, stack, room for the Compass."""
        random = self.random
        out, a = random.uniform(0.60, 0.72), math.radians(person.angle_deg)
        x, y, turn = out * person.x_mm, out * person.y_mm, person.angle_deg - 90 + random.uniform(-12, 12)
        left, down = -math.sin(a), math.cos(a)
        hit = [piece for piece in self.deck.of_kind("hit-card") if piece.values.get("owner") == person.seat]
        if random.random() < busy:
            if hit:
                self.lay(hit[0], x, y, turn)
            else:
                self.put("hit-card", x, y, turn)
        if random.random() < busy:
            self.put("stack", x + left * 76, y + down * 76, turn)
        for piece in self.deck.of_kind("compass"):
            spot = (round(x - left * 74, 1), round(y - down * 74, 1), round(turn, 1))
            if self.fits(*spot, size_of(piece)):
                self._for_compass[person.seat] = spot

    def compass(self, seat: str) -> None:
        """The Compass before its holder, if there was room for it."""
        for piece in self.deck.of_kind("compass") if seat in self._for_compass else ():
            self.pieces.append(PiecePose(piece.id, *self._for_compass[seat]))

    def middle(self) -> None:
        """The pile of Cannonball tiles."""
        for _ in range(self.random.randrange(4, 16)):
            far, a = 24 * math.sqrt(self.random.random()), self.random.uniform(0, math.tau)
            self.put("cannonball", 1.3 * far * math.cos(a), far * math.sin(a), 0)

    def others(self, busy: float) -> None:
        """What people leave on tables."""
        kinds: tuple[ClutterKind, ...] = ("glass", "glass", "phone", "die", "die", "die", "overview", "pen")
        for kind in kinds:
            if self.random.random() < busy * 0.45:
                a = self.random.uniform(0, math.tau)
                out = self.random.uniform(0.45, 0.78)
                x, y = out * 1.05 * EDGE_MM[0] * math.cos(a), out * EDGE_MM[1] * math.sin(a)
                self.put(kind, x, y, self.random.uniform(0, 360))
