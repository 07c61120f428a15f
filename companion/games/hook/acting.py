"""A round as the players of the simulated table act it: frame by frame, with hands that come, lay and leave."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

import msgspec

from companion.deck import Deck, Piece
from companion.games.hook import players, seating
from companion.games.hook.players import MISTAKES, Choice, Mistake
from companion.games.hook.staged import MOST_FRAMES, Keyframe, PlacementTruth, RoundScript, What
from hardware.simulated.conditions import Condition
from hardware.simulated.poses import HandPose, PiecePose, TablePose
from hardware.simulated.truth import hole_shares

MOST_STILL = 6
SEEN_BEFORE = 3
"""Still frames before a mistake that is one only because of what lay there before."""
FEW = 4
"""With more players than this there are not frames enough in a round for such a mistake."""
RINGS_TRIED = 12
"""Places for the cards that are thought of before they lie about as they did in the round before."""
SECOND = 1_000_000_000
HELD_MM = 26.0
"""How high a carried piece is above the table."""


@dataclass(frozen=True)
class Stage:
    """What stays the same from round to round. ``stacks`` are each seat's Target cards in the order of the rounds."""

    deck: Deck
    condition: Condition
    seed: int
    people: dict[str, seating.Person]
    stacks: dict[str, list[str]]
    pieces: dict[str, Piece]


class Acting:
    """A round being played: the table as it is, and the frames so far."""

    def __init__(
        self, stage: Stage, number: int, *, seats: tuple[str, ...], compass: str, balls: dict[str, int],
        start_ns: int, random: Random,
    ) -> None:  # fmt: skip
        self.stage, self.number, self.seats, self.balls, self.random = stage, number, seats, balls, random
        self.condition = stage.condition
        self.people = {seat: stage.people[seat] for seat in seats}
        size = players.card_size(stage.deck)
        # Hit cards, glasses and the like stay where they are from round to round; only the Compass goes on.
        kept = Random(f"{stage.seed} things {seats}")
        ring = seating.ring(list(self.people.values()), size, self.condition, kept)
        things = seating.Things(stage.deck, ring, size, kept)
        busy = seating.BUSY.get(self.condition.name, 0.75)
        things.middle()
        for person in self.people.values():
            things.place_of(person, busy)
        things.others(busy)
        things.compass(compass)
        rings = (seating.ring(list(self.people.values()), size, self.condition, random) for _ in range(RINGS_TRIED))
        self.spots = next((r for r in rings if things.leaves_room(r, size)), seating.again(ring, random))
        self.clutter = tuple(things.clutter)
        self.lying: list[PiecePose] = list(things.pieces)
        self.cards: dict[str, PiecePose] = {}
        self.free: list[str] = []
        self.frames: list[Keyframe] = []
        self.placements: list[PlacementTruth] = []
        self.missing: list[str] = []
        self.mistakes: list[str] = []
        self.beaten: dict[str, str] = {}
        self.late: list[str] = []
        self.t_ns = start_ns

    def play(self) -> RoundScript:
        self._snap("empty", still=True)
        self._reveal()
        moves = self._lay_tiles()
        self._rest(moves)
        self._take_back()
        return RoundScript(
            self.number,
            tuple((self.stage.stacks[seat][self.number - 1], seat) for seat in self.seats),
            tuple(self.frames),
            tuple(self.placements),
            tuple(self.missing),
            tuple(self.mistakes),
            tuple(self.beaten),
        )

    def _snap(
        self, what: What, hands: tuple[HandPose, ...] = (), held: tuple[PiecePose, ...] = (), still: bool = False
    ) -> None:
        pose = TablePose(tuple(self.lying) + held, hands, self.clutter)
        self.frames.append(Keyframe(self.t_ns, pose, what, still))
        self.t_ns += int(self.random.uniform(0.7, 1.3) * SECOND)

    def _reveal(self) -> None:
        for seat, (x, y, turn) in zip(self.seats, self.spots, strict=True):
            card = self.stage.stacks[seat][self.number - 1]
            self.cards[card] = PiecePose(card, x, y, turn)
        placed = list(zip(self.people.values(), self.cards.values(), strict=True))
        coming = [self._carry(person, card, self.random.uniform(0.25, 0.5)) for person, card in placed]
        self._snap("cards come", tuple(h for h, _ in coming), tuple(p for _, p in coming))
        self.lying += self.cards.values()
        self._snap("cards come", tuple(self._over(person, card) for person, card in placed))
        self._snap(
            "cards come",
            tuple(p.hand(c.x_mm, c.y_mm, away=self.random.uniform(0.3, 0.7), speed=-14) for p, c in placed[::2]),
        )
        self._snap("cards", still=True)
        self._snap("cards", still=True)
        self.free = list(self.cards)

    def _lay_tiles(self) -> list[tuple[str, PiecePose]]:
        """Everybody's tile, two hands at a time. Returns the tiles that will be moved later, where they lie first."""
        order = list(self.seats)
        self.random.shuffle(order)
        leaving: list[HandPose] = []
        moves: list[tuple[str, PiecePose]] = []
        while order:
            group, order = order[:2], order[2:]
            laid = [(seat, pose) for seat in group for pose in self._decide(seat, bool(order), moves)]
            coming = [self._approach(seat, pose) for seat, pose in laid]
            self._snap("tiles come", (*leaving, *(h for h, _ in coming)), tuple(p for _, p in coming))
            self.lying += [pose for _, pose in laid]
            self._snap("tiles come", tuple(self._over(self.people[seat], pose) for seat, pose in laid))
            leaving = [
                self.people[seat].hand(pose.x_mm, pose.y_mm, away=self.random.uniform(0.25, 0.6), speed=-16)
                for seat, pose in laid
            ]
        self._snap("tiles come", tuple(leaving))
        if self.late:
            self._lay_on_taken()
        return moves

    def _lay_on_taken(self) -> None:
        """Somebody slow lays a tile on a card that has one already, after that one was there for all to see."""
        for _ in range(SEEN_BEFORE):
            self._snap("rest", still=True)
        seat = self.late[0]
        tiles = {piece.id: piece for piece in players.tiles_of(self.stage.deck, seat)}
        card = self.random.choice([card for card in self.cards if card not in self.free])
        choice = players.choose(seat, tiles.values(), [self.stage.pieces[card]], 0, self.random)
        pose = self._pose(choice, tiles[choice.tile], "taken")
        self._write(seat, pose, card, ("taken",))
        hand, held = self._carry(self.people[seat], pose, self.random.uniform(0.15, 0.45))
        self._snap("tiles come", (hand,), (held,))
        self.lying.append(pose)
        self._snap("tiles come", (self._over(self.people[seat], pose),))
        self._snap("tiles come", (self.people[seat].hand(pose.x_mm, pose.y_mm, away=0.4, speed=-16),))

    def _decide(self, seat: str, more: bool, moves: list[tuple[str, PiecePose]]) -> list[PiecePose]:
        """What a seat lays; the truth about it is written down here."""
        if not self.free:
            self.missing.append(seat)
            return []
        tiles = {piece.id: piece for piece in players.tiles_of(self.stage.deck, seat)}
        free = [self.stage.pieces[card] for card in self.free]
        choice = players.choose(seat, tiles.values(), free, self.balls.get(seat, 0), self.random)
        wrong = self._mistake(more)
        if wrong == "taken":
            self.late.append(seat)
            return []
        if not wrong and len(self.free) > 1 and self.random.random() < 0.06:
            self.beaten[seat] = self.random.choice([card for card in self.cards if card != choice.card])
        pose = self._pose(choice, tiles[choice.tile], wrong)
        if wrong != "no-card" and choice.card in self.free:
            self.free.remove(choice.card)
        faults: tuple[str, ...] = () if wrong in (None, "second-tile", "moved") else (str(wrong),)
        self._write(seat, pose, None if wrong == "no-card" else choice.card, faults)
        if wrong == "moved":
            moves.append((seat, pose))
        if wrong == "second-tile" and self.free:
            others = [piece for piece in tiles.values() if piece.id != choice.tile]
            free = [self.stage.pieces[card] for card in self.free]
            again = players.choose(seat, others, free, 0, self.random)
            second = self._pose(again, tiles[again.tile], None)
            self.free.remove(again.card)
            self._write(seat, second, again.card, ("second-tile",))
            return [pose, second]
        return [pose]

    def _mistake(self, more: bool) -> Mistake | None:
        if self.random.random() >= self.condition.wrong:
            return None
        possible = [
            m
            for m in MISTAKES
            if (m not in ("taken", "moved") or (more and len(self.seats) <= FEW and not self.mistakes))
            and (m != "second-tile" or (more and len(self.free) > 1))
        ]
        wrong = self.random.choice(possible)
        self.mistakes.append(wrong)
        return wrong

    def _pose(self, choice: Choice, tile: Piece, wrong: Mistake | None) -> PiecePose:
        card = self.cards[choice.card]
        near = [p for p in self.lying if (p.x_mm - card.x_mm) ** 2 + (p.y_mm - card.y_mm) ** 2 < 400]
        under = max((p.level for p in near), default=0)
        pose = players.lay(choice, tile, msgspec.structs.replace(card, level=under), self.condition, self.random)
        if wrong == "no-card":
            return self._beside(pose)
        return players.spoil(pose, card, wrong, self.random) if wrong else pose

    def _beside(self, pose: PiecePose) -> PiecePose:
        """A place on the table that no card is near."""
        size = players.card_size(self.stage.deck)
        while True:
            spot = (round(self.random.uniform(-150, 150), 1), round(self.random.uniform(-115, 115), 1), pose.turn_deg)
            taken = [(p.x_mm, p.y_mm, p.turn_deg) for p in self.lying]
            size_out = (size[0] + 2, size[1] + 2)
            if all(seating.closest([spot, other], size_out) > 6 for other in taken):
                return msgspec.structs.replace(pose, x_mm=spot[0], y_mm=spot[1], level=0)

    def _write(
        self, seat: str, pose: PiecePose, card: str | None, faults: tuple[str, ...], moved: bool = False
    ) -> None:
        tile = self.stage.pieces[pose.id]
        turn, off, bare = players.resting(pose, self.cards[card]) if card else (0.0, 0.0, 0.0)
        shown = (
            hole_shares(pose, tile, self.cards[card], self.stage.pieces[card])
            if card
            else tuple(("none", 0.0) for _ in tile.holes)
        )
        self.placements.append(
            PlacementTruth(
                round=self.number,
                seat=seat,
                tile=pose.id,
                card=card,
                turn_deg=round(turn, 2),
                turn_off_deg=round(off, 2),
                bare_mm=round(bare, 2),
                symbols=tuple(name for name, _ in shown),
                shares=tuple(share for _, share in shown),
                faults=faults,
                obliged=any(0.4 <= share <= 0.6 for _, share in shown),
                frame=len(self.frames) + (not moved),  # the frame in which it is carried comes first
                moved=moved,
            )
        )

    def _rest(self, moves: list[tuple[str, PiecePose]]) -> None:
        """Everything lies; sometimes a tile is moved after all, sometimes a hand rests over a piece for a while."""
        for seat, pose in moves[:1]:
            for _ in range(SEEN_BEFORE):
                self._snap("rest", still=True)
            person = self.people[seat]
            card = next(p.card for p in self.placements if p.tile == pose.id)
            turned = msgspec.structs.replace(pose, turn_deg=round((pose.turn_deg + 90) % 360, 2))
            self._snap("tiles come", (person.hand(pose.x_mm, pose.y_mm, speed=8, away=0.05),))
            self.lying[self.lying.index(pose)] = turned
            self._write(seat, turned, card, ("moved",), moved=True)
            self._snap("tiles come", (self._over(person, turned),))
            self._snap("tiles come", (person.hand(pose.x_mm, pose.y_mm, away=0.5, speed=-15),))
        room = MOST_FRAMES - 1 - len(self.frames)
        if self.random.random() < self.condition.hand_rests and room >= 5:
            seat = self.random.choice(self.seats)
            piece = self.random.choice([p for p in self.lying if p.id.startswith(("target", "sight"))])
            kind = self.random.choice(("flat", "fist", "point", "flat"))
            spot = (piece.x_mm + self.random.uniform(-18, 18), piece.y_mm + self.random.uniform(-18, 18))
            hand = self.people[seat].hand(*spot, kind=kind, up=14)
            for _ in range(2):
                self._snap("rest", (hand,))
            self._snap("rest", (self.people[seat].hand(*spot, kind=kind, away=0.45, speed=-14),))
            room -= 3
        for _ in range(min(room, MOST_STILL)):
            self._snap("rest", still=True)

    def _take_back(self) -> None:
        """Hands gather cards and tiles; half of them are gone already."""
        gone = set(self.random.sample(list(self.cards), len(self.cards) // 2))
        rest = [p for p in self.lying if p.id in self.cards or p.level > 0]
        lifted = [
            p
            for p in rest
            if any((p.x_mm - self.cards[c].x_mm) ** 2 + (p.y_mm - self.cards[c].y_mm) ** 2 < 500 for c in gone)
        ]
        self.lying = [p for p in self.lying if p not in lifted]
        hands = tuple(
            self.people[seat].hand(self.cards[c].x_mm, self.cards[c].y_mm, kind="flat", away=0.15, speed=-16)
            for seat, c in zip(self.seats, sorted(gone), strict=False)
        )
        self._snap("taken back", hands)

    def _carry(self, person: seating.Person, pose: PiecePose, away: float) -> tuple[HandPose, PiecePose]:
        """A hand on its way with a piece."""
        hand = person.hand(pose.x_mm, pose.y_mm, away=away, speed=self.random.uniform(9, 22), up=HELD_MM + 8)
        held = msgspec.structs.replace(
            pose, x_mm=hand.x_mm, y_mm=hand.y_mm, lift_mm=HELD_MM, moving=hand.moving,
            turn_deg=round(pose.turn_deg + self.random.uniform(-20, 20), 1),
        )  # fmt: skip
        return hand, held

    def _approach(self, seat: str, pose: PiecePose) -> tuple[HandPose, PiecePose]:
        """A tile on its way; one that somebody else beats to its card hovers over that card first."""
        lost = self.beaten.get(seat)
        if lost is None:
            return self._carry(self.people[seat], pose, self.random.uniform(0.15, 0.45))
        wanted = msgspec.structs.replace(pose, x_mm=self.cards[lost].x_mm, y_mm=self.cards[lost].y_mm)
        return self._carry(self.people[seat], wanted, self.random.uniform(0.02, 0.1))

    def _over(self, person: seating.Person, pose: PiecePose) -> HandPose:
        """A hand that has just laid a piece and still touches it."""
        return person.hand(
            pose.x_mm + self.random.uniform(-12, 12), pose.y_mm + self.random.uniform(-12, 12), away=0.04, up=16
        )
