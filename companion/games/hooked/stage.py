"""The stage of a simulated evening: the table as it is now, the hands over it, and the film of what happens next."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from companion.deck import Deck
from companion.games.hooked.habits import HABITS, reflexes
from companion.games.hooked.moves import CardMove, HandMove, open_share
from companion.games.hooked.scripted import Shown, What
from companion.games.hooked.seated import Table
from hardware.simulated.conditions import Condition
from hardware.simulated.faces import size_of
from hardware.simulated.poses import PiecePose, TablePose

STEP_NS = 66_666_667
"""Fifteen frames a second."""
SECOND = 1_000_000_000
MS = 1_000_000
PLAYED = ("fish-card", "action-card")
"""What the deck may have besides is not played with."""
Place = tuple[float, float, float]
"""x, y, turn."""
Event = tuple[int, Callable[[], object]]
"""When, and what happens to the table then."""


class Stage:
    """People, stacks, Lake, and the moment of the next frame."""

    def __init__(self, deck: Deck, seats: tuple[str, ...], condition: Condition, seed: int, start_ns: int) -> None:
        self.deck, self.seats = deck, seats
        self.habits = HABITS.get(condition.name, HABITS["evening"])
        self.random = Random(f"{seed} hooked")
        self.table = Table(seats, condition.name, self.random)
        self.lake = self.table.lake
        self.people = self.table.people
        self.reflexes = {seat: reflexes(self.random) for seat in seats}
        cards = [piece.id for piece in deck.pieces if piece.kind in PLAYED for _ in range(piece.copies)]
        self.random.shuffle(cards)
        self.stacks = {seat: cards[i :: len(seats)] for i, seat in enumerate(seats)}
        self.faces: list[str] = []
        """The cards flipped into the present Lake."""
        self.hands: list[HandMove] = []
        self.t_ns = start_ns
        self._size = size_of(deck.pieces[0])

    def soon(self, least: float, most: float) -> int:
        """A moment so many seconds from now."""
        return self.t_ns + round(self.random.uniform(least, most) * SECOND)

    def near(self, seat: str, x: float, y: float, mm: float) -> tuple[float, float]:
        """The place so far from (x, y) in the direction of a seat."""
        person = self.people[seat]
        length: float = (person.x_mm**2 + person.y_mm**2) ** 0.5
        return x + person.x_mm / length * mm, y + person.y_mm / length * mm

    def draw(self, seat: str, count: int) -> list[str]:
        """Take so many cards off the top of a stack; fewer when it has not so many."""
        taken, self.stacks[seat] = self.stacks[seat][:count], self.stacks[seat][count:]
        return taken

    def bring(self, card: str, seat: str) -> None:
        """Put a card on top of a stack, from where it is next in its own or another; ValueError when there is none."""
        for owner in (seat, *(other for other in self.seats if other != seat)):
            if card in self.stacks[owner]:
                self.stacks[owner].remove(card)
                if owner != seat and self.stacks[seat]:
                    self.stacks[owner].append(self.stacks[seat].pop())
                self.stacks[seat].insert(0, card)
                return
        raise ValueError(f"all copies of {card} lie in the Lake")

    def empty_lake(self) -> list[str]:
        """Everything is taken out of the Lake: the cards that lay there."""
        cards = [card.id for card in self.lake.cards]
        self.lake.cards.clear()
        self.faces.clear()
        return cards

    def film(
        self,
        until_ns: int,
        what: Callable[[int], What],
        cards: Sequence[tuple[CardMove, int]] = (),
        events: Sequence[Event] = (),
    ) -> tuple[Shown, ...]:
        """Frames from now to ``until_ns``, and until the last event, each of which happens before the first frame at or
        after its time. ``cards`` are those carried, with their level."""
        waiting = sorted(events, key=lambda event: event[0])
        frames = []
        while self.t_ns <= until_ns or waiting:
            while waiting and waiting[0][0] <= self.t_ns:
                waiting.pop(0)[1]()
            frames.append(self._frame(what(self.t_ns), cards))
            self.t_ns += STEP_NS
        return tuple(frames)

    def _frame(self, what: What, cards: Sequence[tuple[CardMove, int]]) -> Shown:
        t_ns = self.t_ns
        self.hands = [hand for hand in self.hands if hand.track.end_ns > t_ns]
        hands = tuple(hand for move in self.hands if (hand := move.pose(t_ns)) is not None)
        carried = tuple(
            card for move, level in cards if t_ns < move.track.end_ns and (card := move.pose(t_ns, level)) is not None
        )
        lying = self.lake.lying()
        clutter = self.table.clutter({seat: len(stack) for seat, stack in self.stacks.items()})
        still = not hands and not carried and not any(piece.moving != (0.0, 0.0) for piece in lying)
        share = open_share(lying[-1], hands, self._size) if lying else 1.0
        return Shown(t_ns, TablePose(lying + carried, hands, clutter), what, still, share)


def offset(below: PiecePose | None, place: Place) -> tuple[float, float]:
    """How far a place lies from a card (mm, degrees); noughts where there is none."""
    if below is None:
        return 0.0, 0.0
    apart = ((place[0] - below.x_mm) ** 2 + (place[1] - below.y_mm) ** 2) ** 0.5
    return round(apart, 2), round(abs((place[2] - below.turn_deg + 180) % 360 - 180), 2)
