"""A whole game of Hooked! in lockstep: script, simulated camera, vision, watcher, rules and journal; presses injected.

Nothing runs on a clock. Every flip is compared with the truth, then put right, and the players do as they are told.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from companion.app.hooked_score import Read, judgement, reading, unasked
from companion.app.hooked_truth import Truth, barred, carried_out, imagined, landed, put_right, recount, swept, truth_of
from companion.app.lake_evening import LakeEvening, thinned
from companion.core.facts import Command, MatchStarted, Question, RuleBroken
from companion.core.journal import Journal
from companion.core.match import Match, begin, play
from companion.deck import Deck
from companion.games.hooked.deck_rules import options
from companion.games.hooked.facts import RuleFlip
from companion.games.hooked.rules import RULES, press
from companion.games.hooked.script import MoveScript, Shown
from companion.games.hooked.scripted import Delivery
from companion.games.hooked.state import Slap
from companion.games.hooked.watcher import TURNED_NS, HookedWatcher
from companion.world import Frame, Player
from hardware.simulated.conditions import Condition
from vision.catalog import Catalog

WAITS = 4
"""So many times the players wait a moment for a card to be read, while hands leave."""


class Judged(msgspec.Struct, frozen=True):
    """A flip compared with the truth. ``asked`` are the kinds of questions that it opened, ``bad`` sentences about what
    was wrong and nobody asked. ``slap`` is the verdict in the end, after everything was put right."""

    number: int
    truth: Truth
    read: Read
    told: tuple[str, ...]
    asked: tuple[str, ...]
    slap: Slap | None
    verdict: Read | None
    bad: tuple[str, ...]


class HookedEvening(LakeEvening):
    """One table, one camera, one match. ``journal`` is a new file."""

    def __init__(self, deck: Deck, catalog: Catalog, condition: Condition, seed: int, journal: Path) -> None:
        self.match: Match | None = None
        self._deliveries: deque[Delivery] = deque()
        self._opened: dict[str, Question] = {}
        self.refused: list[str] = []
        self.lost: list[str] = []
        """Moments in which not all cards were accounted for."""
        super().__init__(deck, catalog, condition, seed)
        self.watcher = HookedWatcher(TURNED_NS)
        self.journal = Journal(journal)
        started = MatchStarted(
            game="hooked",
            rules=RULES.version,
            players=tuple(Player(seat, seat) for seat in self.seats),
            options=options(deck),
            deck=deck.name,
        )
        first = begin(1, RULES, started, step=self.journal.next_step, t_ns=self.script.t_ns)
        self.journal.write(first.step)
        self.match = first.match
        self.state = first.match.state

    def close(self) -> None:
        """Close the journal."""
        self.journal.close()

    def flips(self, count: int | None) -> Iterator[Judged]:
        """Play so many flips (None: all), fewer when the game ends before."""
        number = 0
        while not self.state.over and (count is None or number < count):
            if self.state.turn is None or not self.script.stacks[self.state.turn]:
                return
            number += 1
            yield self.play_flip(number, self.state.turn)

    def play_flip(self, number: int, seat: str) -> Judged:
        """One flip until everything about it is known, and the cards lie as it says."""
        replay = self.state.stages[-1].after.replay if self.state.stages else None
        flip = self.script.next_flip(seat, locked=barred(self.script, self.state, seat), out=self.state.out)
        truth = truth_of(flip)
        self._opened.clear()
        self._deliveries = deque(sorted((*self._deliveries, *flip.deliveries), key=lambda d: d.at_ns))
        self._watch(flip.frames)
        for _ in range(WAITS):
            self._watch(self.script.rest(0.4))
            if landed(self.state, truth):
                break
        self._deliver(self.script.t_ns)
        cards = landed(self.state, truth)
        ours = {card.fact for card in cards}
        read = reading(truth, cards, {q.kind for q in self._opened.values() if q.about.get("flip") in ours})
        put_right(self.say, self._now, truth)
        asked = bool(self._opened)
        facts = {card.fact for card in landed(self.state, truth)}
        slap = next((s for s in reversed(self.state.slaps) if s.id in facts), None)
        verdict = judgement(
            truth,
            slap,
            asked=asked,
            only=replay.seats if replay is not None else None,
            swept=swept(self.state, truth),
        )
        bad = (*read.bad, *verdict.bad, *self._carry_out(truth, facts), *self.lost)
        self.lost.clear()
        told = tuple(card.card for card in cards)
        kinds = tuple(question.kind for question in self._opened.values())
        return Judged(number, truth, read.read, told, kinds, slap, verdict.read, bad)

    def _carry_out(self, truth: Truth, facts: set[int]) -> list[str]:
        """The players do with their cards as the referee says; what is wrong then is said, and put right."""
        bad = []
        for move in carried_out(self.script, self.state):
            self._act(move)
            self._deliver(self.script.t_ns)
            told = imagined(self.state, truth, facts)
            for card in unasked(told, self._opened.values()):
                bad.append(f"{card.card} was told as flipped, but cards were only moved ({move.what})")
            for card in told:
                if not self.say(RuleFlip(flip=card.fact, counts=False)):
                    facts.add(card.fact)
        self._deliver(self.script.t_ns)
        apart = recount(self.script, self.state)
        if apart is not None and not self.state.over:
            bad.append(f"the cards lie as {self.script.stacks}, not as {dict(self.state.stacks)}")
            self.say(apart)
        return bad

    def say(self, command: Command, t_ns: int | None = None) -> bool:
        """One command to the match; False when it is refused (``refused`` has the sentences)."""
        assert self.match is not None
        try:
            self.match = play(self.journal, self.match, command, t_ns=t_ns or self.script.t_ns)
        except RuleBroken as broken:
            self.refused.append(f"{type(command).__name__}: {broken}")
            return False
        self.state = self.match.state
        self._opened |= {question.key: question for question in self.match.questions}
        counted = sum(stack for _seat, stack in self.state.stacks) + self.state.lake_size
        if counted != self.state.setup.total:
            self.lost.append(f"{counted} of {self.state.setup.total} cards after {type(command).__name__}")
        return True

    def _now(self) -> Match:
        assert self.match is not None
        return self.match

    def look(self, shown: Shown) -> Frame:
        """What the camera gives of a moment."""
        return self.camera.look(shown.pose, shown.t_ns)

    def hear(self, delivery: Delivery) -> None:
        """The program is told of an edge."""
        self.say(press(delivery.press), delivery.press.t_ns)

    def _act(self, move: MoveScript) -> None:
        self._watch((*move.frames, *self.script.rest(0.4)))

    def _watch(self, frames: Sequence[Shown]) -> None:
        if self.match is None:  # the bare table, before the match begins
            super()._watch(frames)
            return
        for shown in thinned(frames, self.stride):
            self._deliver(shown.t_ns)
            scene = self.pipeline.step(self.look(shown))
            self.memory, commands = self.watcher.step(self.memory, scene, self.state)
            for command in commands:
                self.say(command, scene.t_ns)

    def _deliver(self, until_ns: int) -> None:
        while self._deliveries and self._deliveries[0].at_ns <= until_ns:
            self.hear(self._deliveries.popleft())
