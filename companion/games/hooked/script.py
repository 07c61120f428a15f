"""Players of Hooked! for the simulated table: what they do, frame by frame, which buttons they press, and the truth.

The script plays the cards and the people, not the rules: the caller says who flips, who is locked or out, and what a
judged slap makes of the stacks (``pay``, ``take``, ``give``). All of it follows from the seed and those calls.

    script = Script(deck, ("seat-1", "seat-2", "seat-3"), EVENING, seed=3)
    flip = script.next_flip("seat-1")
    for frame in flip.frames:
        camera.look(frame.pose, frame.t_ns)
    flip.deliveries                    # raw edges, with the time at which the program is told of each
    script.take("seat-2")              # who won the Lake takes it away
"""

from __future__ import annotations

from collections.abc import Collection
from functools import partial

from companion.deck import Deck
from companion.games.hooked import flipping, handling
from companion.games.hooked.buttons import Buttons, delivered
from companion.games.hooked.scripted import FlipScript, MoveScript, Nudge, Shown, SlapTruth, What
from companion.games.hooked.slapping import reason, slaps
from companion.games.hooked.stage import MS, SECOND, STEP_NS, Event, Place, Stage, offset
from companion.world import Press
from hardware.simulated.conditions import Condition
from hardware.simulated.lens import turn_matrix

__all__ = ["STEP_NS", "FlipScript", "MoveScript", "Script", "Shown", "SlapTruth"]

MOSTLY = 0.6
"""A card is seen by the camera when so much of it is open."""


class Script:
    """Players at one table. ``seats`` clockwise; the deck is shuffled and dealt as evenly as it goes."""

    def __init__(
        self, deck: Deck, seats: tuple[str, ...], condition: Condition, seed: int, *, start_ns: int = 0
    ) -> None:  # fmt: skip
        self.deck, self.seats = deck, seats
        self.stage = Stage(deck, seats, condition, seed, start_ns)
        self.buttons = Buttons(seats, self.stage.habits)
        self._number = 0

    @property
    def t_ns(self) -> int:
        """The time of the next frame."""
        return self.stage.t_ns

    @property
    def stacks(self) -> dict[str, int]:
        """How many cards each seat's stack really has."""
        return {seat: len(cards) for seat, cards in self.stage.stacks.items()}

    @property
    def lake(self) -> int:
        """How many cards really lie in the Lake, those put under it included."""
        return len(self.stage.lake.cards)

    def rest(self, seconds: float) -> tuple[Shown, ...]:
        """Nothing happens for so long, but for hands that are still leaving."""
        return self.stage.film(self.t_ns + round(seconds * SECOND), lambda _: "rest")

    def next_flip(
        self,
        seat: str,
        *,
        locked: Collection[str] = (),
        out: Collection[str] = (),
        card: str | None = None,
        at: Place | None = None,
        quiet: bool = False,
    ) -> FlipScript:
        """``seat`` flips its top card; the presses of ``locked`` and ``out`` seats do not count.

        ``card`` puts that card on top first (from any stack), ``at`` says where it comes to lie. ``quiet``: nobody
        slaps. Edges may be delivered after the last frame: a held button is let go seconds later. Raises ValueError
        when there is no such card to flip.
        """
        stage = self.stage
        if card is not None:
            stage.bring(card, seat)
        if not stage.stacks[seat]:
            raise ValueError(f"{seat} has no cards to flip")
        self._number += 1
        random, habits, lake = stage.random, stage.habits, stage.lake
        id, place = stage.stacks[seat][0], at or flipping.landing(stage, seat)
        apart: list[tuple[float, float]] = []
        move, hand = flipping.turning(stage, seat, id, place)
        start_ns, shown_ns, lands_ns = move.track.start_ns, move.shown_ns(), move.track.end_ns
        stage.faces.append(id)
        stage.hands.append(hand)
        why = reason(stage.faces, self.deck)
        edges: list[Press] = self.buttons.loosened(stage.t_ns)
        slapped: list[SlapTruth] = []
        if not quiet:
            slapped, more = slaps(
                stage.reflexes, habits, self.buttons, why=why, tempting=self._tempting(), shown_ns=shown_ns,
                locked=locked, out=out, random=random,
            )  # fmt: skip
            edges += more

        def land() -> None:
            apart.append(offset(lake.cards[-1] if lake.cards else None, place))
            lake.land(id, *place)

        events: list[Event] = [(start_ns, lambda: stage.draw(seat, 1)), (lands_ns, land)]
        if at is None and random.random() < habits.shoved:
            events.insert(1, (lands_ns, partial(self._give_way, 3, *flipping.shove(stage, 0.5))))
        ends_ns = max(lands_ns + round(random.uniform(0.35, 0.7) * SECOND), hand.track.end_ns)
        for order, slap in enumerate(slapped):
            on_ns = max(slap.t_ns + round(random.uniform(50, 130) * MS), lands_ns)
            stage.hands.append(flipping.slapping_palm(stage, slap.seat, on_ns, order, busy=slap.seat == seat))
            ends_ns = max(ends_ns, on_ns + 450 * MS)
            if random.random() < habits.shoved:
                events.append((on_ns, partial(self._give_way, random.randrange(1, 6), *flipping.shove(stage, 1.0))))

        def what(t_ns: int) -> What:
            if t_ns >= lands_ns:
                if t_ns < lands_ns + STEP_NS:
                    return "lands"
                return "slap" if any(t_ns >= slap.t_ns for slap in slapped) else "hand leaves"
            if t_ns < hand.track.start_ns:
                return "rest"
            return "hand in" if t_ns < shown_ns - 150 * MS else "turning"

        frames = stage.film(ends_ns, what, [(move, len(lake.cards) + 1)], events)
        told = delivered(edges, habits, random)
        return FlipScript(
            self._number, seat, id, frames, told, shown_ns, lands_ns, *_seen(frames, lands_ns), why, tuple(slapped),
            *apart[0],
        )  # fmt: skip

    def pay(self, seat: str, count: int) -> MoveScript:
        """``seat`` puts its top cards face down under the Lake."""
        return handling.pay(self.stage, seat, count)

    def take(self, winner: str) -> MoveScript:
        """``winner`` draws the whole Lake to its stack and puts it face down under it."""
        return handling.take(self.stage, winner)

    def give(self, seat: str, winner: str, count: int = 1) -> MoveScript:
        """``seat`` hands its top cards over to the bottom of ``winner``'s stack."""
        return handling.give(self.stage, seat, winner, count)

    def nudge(self, kind: Nudge, seat: str, mm: float, deg: float = 0.0) -> MoveScript:
        """Nothing is flipped: somebody pushes the Lake ``mm`` away and turns it by ``deg``, slaps a palm on it (its
        three upper cards give way so much), or straightens its uppermost card. ValueError when the Lake is empty."""
        return handling.nudge(self.stage, kind, seat, mm, deg)

    def twins(
        self, species: str, seats: tuple[str, str], dx_mm: float, dy_mm: float, turn_deg: float,
        *, at: Place | None = None,
    ) -> tuple[FlipScript, FlipScript]:  # fmt: skip
        """Forced twins that nobody slaps: the second seat lays the species on the first one's, so much moved (in the
        lower card's own millimetres) and turned."""
        first = self.next_flip(seats[0], card=species, at=at, quiet=True)
        below = self.stage.lake.cards[-1]
        x, y = turn_matrix(below.turn_deg) @ (dx_mm, dy_mm) + (below.x_mm, below.y_mm)
        place = round(float(x), 2), round(float(y), 2), round((below.turn_deg + turn_deg) % 360, 2)
        return first, self.next_flip(seats[1], card=species, at=place, quiet=True)

    def _give_way(self, count: int, dx: float, dy: float, turn: float) -> None:
        """The uppermost cards are shoved."""
        self.stage.lake.shift(len(self.stage.lake.cards) - count, dx, dy, turn)

    def _tempting(self) -> bool:
        """Whether the last card nearly is one to be slapped: an Empty Hook, or numbers two apart."""
        last = self.stage.faces[-2:]
        if last[-1] == "empty-hook":
            return True
        numbers = [int(number) for id in last if (number := self.deck.piece(id).values.get("number")) is not None]
        return len(numbers) == 2 and abs(numbers[0] - numbers[1]) == 2


def _seen(frames: tuple[Shown, ...], lands_ns: int) -> tuple[int, int]:
    """The first frame in which the card lies mostly open (else the first in which it lies), and the one before."""
    lies = [frame for frame in frames if frame.t_ns >= lands_ns]
    first = next((frame for frame in lies if frame.open_share >= MOSTLY), lies[0])
    return first.t_ns, first.t_ns - STEP_NS
