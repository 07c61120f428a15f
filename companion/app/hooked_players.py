"""The players of Hooked! in the demonstration: they flip and slap at a human pace, and do as the referee says.

Poses go to the simulated camera and edges to mock pins, each edge with its exact time; from there on everything is as
at a real table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Unpack

from companion.app.hooked_truth import Truth, barred, carried_out, imagined, landed, put_right, recount, truth_of
from companion.app.players import NAMES, Pace, Players
from companion.core.facts import EndMatch
from companion.deck import Deck
from companion.games.hooked.deck_rules import options
from companion.games.hooked.facts import Recount, RuleFlip
from companion.games.hooked.script import Script, Shown
from companion.games.hooked.scripted import Delivery
from companion.games.hooked.state import State
from companion.table import Table
from companion.table.commands import StartMatch
from companion.world import Player, Press
from hardware.buttons.mock import Fingers
from hardware.simulated.conditions import Condition


class MockPresses:
    """Edges on mock pins, in the order in which they are told; each pin ends at the level of its latest edge."""

    def __init__(self, fingers: Fingers) -> None:
        self._fingers = fingers
        self._latest: dict[str, int] = {}

    def __call__(self, edge: Press) -> None:
        """Drive an edge at its own time. A seat without a button has nothing to press."""
        try:
            pin = self._fingers.pin(edge.seat)
        except KeyError:
            return
        pin.repeat(0 if edge.level else 1, edge.t_ns)  # active low
        if edge.t_ns >= self._latest.get(edge.seat, 0):
            self._latest[edge.seat] = edge.t_ns
        else:  # told late: the contact has changed since
            pin.set_silently(edge.level)


class HookedPlayers(Players):
    """``press`` takes the raw edges, with their times."""

    def __init__(
        self,
        table: Table,
        deck: Deck,
        condition: Condition,
        seed: int,
        feed: Callable[[Any], None],
        press: Callable[[Press], None],
        **pace: Unpack[Pace],
    ) -> None:
        super().__init__(table, deck, condition, seed, feed, **pace)
        self._press = press
        self._deliveries: list[Delivery] = []

    def _sit_down(self) -> None:
        random = Random(f"{self._seed} seats {len(self._table.matches())}")
        names = random.sample(NAMES, random.choice((3, 4, 4)))
        players = tuple(Player(f"seat-{n}", name) for n, name in enumerate(names, 1))
        self._table.ask(StartMatch(game="hooked", players=players, options=options(self._deck), deck=self._deck.name))

    def _play_match(self, seats: tuple[str, ...], match: int) -> bool:
        """Play until the match is over or another one lies on the table. False when told to stop."""
        state = self._table.snapshot().state
        if not isinstance(state, State):
            self._say(EndMatch())
            return True
        script = Script(self._deck, seats, self._condition, self._seed + match)
        if state.flips:  # cards dealt anew: nobody remembers how they lay
            self._say(Recount(stacks=script.stacks, turn=state.turn))
        self._deliveries.clear()
        if not self._act(script, script.rest(1.5)):
            return False
        while True:
            snapshot = self._table.snapshot()
            if snapshot.match != match or snapshot.over:
                return True
            state = snapshot.state
            if state.turn is None or not script.stacks.get(state.turn):
                if self._wait(1) or not self._say(Recount(stacks=script.stacks)):
                    return not self._stop.is_set()
                continue
            if not self._flip(script, state, state.turn):
                return False

    def _flip(self, script: Script, state: State, seat: str) -> bool:
        """One flip until everything about it is settled. False when told to stop."""
        flip = script.next_flip(seat, locked=barred(script, state, seat), out=state.out)
        later = self._clock() - flip.frames[0].t_ns
        truth = truth_of(flip, later + self._table.ahead_ns)
        self._deliveries = [*self._deliveries, *(_later(delivery, later) for delivery in flip.deliveries)]
        self._deliveries.sort(key=lambda delivery: delivery.at_ns)
        if not self._film(flip.frames, later) or not self._act(script, script.rest(0.8)):
            return False
        if not self._settle(script, truth):
            return False
        state = self._table.snapshot().state
        if not isinstance(state, State):
            return True
        known = {card.fact for card in landed(state, truth)}
        for move in carried_out(script, state):
            if not self._act(script, (*move.frames, *script.rest(0.4))):
                return False
            now = self._table.snapshot().state
            for card in imagined(now, truth, known) if isinstance(now, State) else ():
                self._say(RuleFlip(flip=card.fact, counts=False))
                known.add(card.fact)
        state = self._table.snapshot().state
        if not isinstance(state, State):
            return True
        apart = recount(script, state)
        if apart is not None and not state.over:
            self._say(apart)
        return not self._wait(0.6)

    def _act(self, script: Script, frames: Sequence[Shown]) -> bool:
        return not frames or self._film(frames, self._clock() - frames[0].t_ns)

    def _film(self, frames: Sequence[Shown], later: int) -> bool:
        """Show frames and press buttons when their time has come. False when told to stop."""
        for shown in frames:
            at_ns = shown.t_ns + later
            self._deliver(at_ns)
            if self._sleep(max(0.0, (at_ns - self._clock()) / 1e9)):
                return False
            self._show(shown.pose)
        self._deliver(self._clock())
        return True

    def _deliver(self, until_ns: int) -> None:
        while self._deliveries and self._deliveries[0].at_ns <= until_ns:
            delivery = self._deliveries.pop(0)
            self._sleep(max(0.0, (delivery.at_ns - self._clock()) / 1e9))
            self._press(delivery.press)

    def _settle(self, script: Script, truth: Truth) -> bool:
        """Leave it to camera and whoever watches, then answer what is open and put right what was misread."""
        for _half in range(int(2 * self._patience_s)):
            snapshot = self._table.snapshot()
            if not isinstance(snapshot.state, State):
                return True
            if landed(snapshot.state, truth) and not snapshot.doubts:
                break
            if not self._act(script, script.rest(0.5)):
                return False
        put_right(self._say, self._table.snapshot, truth)
        return True


def _later(delivery: Delivery, by_ns: int) -> Delivery:
    edge = delivery.press
    return Delivery(delivery.at_ns + by_ns, Press(edge.seat, edge.t_ns + by_ns, edge.level, edge.clock))
