"""Players of Hook! for the simulated table: what they do, moment by moment, and the truth about it.

A round is a sequence of at most ``MOST_FRAMES`` table poses: hands bring Target cards, tiles are laid one after the
other, sometimes wrongly, hands leave, everything is taken back. The truth (what was laid, what it shows, what is
wrong with it) is kept apart from the poses. All of it follows from the seed.

    script = Script(deck, ("red-pirate", "blue-sailor", "yellow-pirate"), EVENING, seed=3)
    one = script.round(1)
    for frame in one.frames:
        camera.look(frame.pose, frame.t_ns)
"""

from __future__ import annotations

from random import Random

from companion.deck import Deck
from companion.games.hook import seating
from companion.games.hook.acting import Acting, Stage
from companion.games.hook.staged import MOST_FRAMES, Keyframe, PlacementTruth, RoundScript
from hardware.simulated.conditions import Condition

__all__ = ["MOST_FRAMES", "Keyframe", "PlacementTruth", "RoundScript", "Script"]


class Script:
    """Players at one table. ``seats`` clockwise from the first Compass holder."""

    def __init__(self, deck: Deck, seats: tuple[str, ...], condition: Condition, seed: int) -> None:
        self.deck = deck
        self.seats = seats
        self.condition = condition
        random = Random(f"{seed} table")
        people = seating.people(seats, random)
        stack = [piece.id for piece in deck.of_kind("target-card")]
        random.shuffle(stack)
        each = len(stack) // len(seats)
        stacks = {seat: stack[i * each : (i + 1) * each] for i, seat in enumerate(seats)}
        self._stage = Stage(deck, condition, seed, people, stacks, {piece.id: piece for piece in deck.pieces})
        self.rounds = each

    def round(
        self,
        number: int,
        playing: tuple[str, ...] | None = None,
        compass: str | None = None,
        balls: dict[str, int] | None = None,
        start_ns: int = 0,
    ) -> RoundScript:
        """Round ``number`` (from 1), played by the seats that are still in. ``balls`` are the hits they have taken.

        Raises ValueError when the stacks are empty.
        """
        if not 1 <= number <= self.rounds:
            raise ValueError(f"there are {self.rounds} rounds, not {number}")
        still_in = tuple(seat for seat in self.seats if playing is None or seat in playing)
        random = Random(f"{self._stage.seed} round {number} {still_in}")
        return Acting(
            self._stage,
            number,
            seats=still_in,
            compass=compass or still_in[0],
            balls=balls or {},
            start_ns=start_ns,
            random=random,
        ).play()
