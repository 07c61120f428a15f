"""The players of Hooked! against the rules, without a camera: what is told, asked and put right, to the end."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from companion.app import games
from companion.app.hooked_evening import HookedEvening
from companion.core.facts import Answered, MatchStarted, Undone
from companion.deck import Deck
from companion.games.hooked.facts import Flip
from companion.games.hooked.rules import RULES
from companion.games.hooked.script import FlipScript
from companion.games.hooked.state import State
from companion.games.hooked.watcher import TURNED_NS, earlier
from hardware.simulated.conditions import BY_NAME


@pytest.fixture(scope="module")
def deck() -> Deck:
    return games.load("hooked", None)


class Seeing(HookedEvening):
    """A camera that cannot err: it tells every flip as it was, unless ``slips`` says what it tells instead."""

    slips: dict[int, str]

    def __init__(self, deck: Deck, seed: int, journal: Path, slips: dict[int, str] | None = None) -> None:
        self.slips = slips or {}
        self._flips: deque[FlipScript] = deque()
        super().__init__(deck, None, BY_NAME["evening"], seed, journal)
        original = self.script.next_flip

        def next_flip(seat, **fields):
            flip = original(seat, **fields)
            self._flips.append(flip)
            return flip

        self.script.next_flip = next_flip

    def _watch(self, frames) -> None:
        for shown in frames:
            self._deliver(shown.t_ns)
            while self._flips and self._flips[0].seen_ns <= shown.t_ns:
                self._tell(self._flips.popleft())

    def _tell(self, flip: FlipScript) -> None:
        told = self.slips.get(flip.number, flip.card)
        if told != "missed":
            before = min(flip.before_ns, flip.lands_ns)  # a hand may hide it for a while when it lies
            lies = Flip(card=told, seat=flip.seat, seen_ns=flip.seen_ns, before_ns=before, t_ns=flip.seen_ns)
            self.say(earlier(lies, TURNED_NS))


@pytest.fixture
def blind(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr("companion.app.lake_evening.PilePipeline", lambda _catalog: SimpleNamespace())
    monkeypatch.setattr("companion.app.lake_evening.SimulatedCamera", lambda *_args: SimpleNamespace())
    yield


@pytest.mark.usefixtures("blind")
@pytest.mark.parametrize("seed", [1, 3, 4, 5])
def test_games_that_are_read_rightly_end_with_a_winner_and_all_cards(seed: int, deck: Deck, tmp_path: Path) -> None:
    evening = Seeing(deck, seed, tmp_path / "journal.sqlite")
    try:
        played = list(evening.flips(None))
        assert not [sentence for flip in played for sentence in flip.bad]
        assert {flip.read for flip in played} <= {"right", "asked"}
        assert sum(evening.script.stacks.values()) + evening.script.lake == 62
        assert evening.state.over
        assert evening.state.winner is not None and evening.script.stacks[evening.state.winner] > 0
        at_every_fact(evening)
    finally:
        evening.close()


def at_every_fact(evening: HookedEvening) -> None:
    """All cards are somewhere after each single fact of the match, as it is in the journal."""
    state: State | None = None
    for record in evening.match.records:
        match record.fact:
            case MatchStarted():
                state = RULES.start(record.fact)
            case Answered() | Undone():
                continue
            case _:
                state = RULES.apply(state, record.fact)
        assert sum(stack for _seat, stack in state.stacks) + state.lake_size == 62
    assert state == evening.state


@pytest.mark.usefixtures("blind")
def test_what_is_misread_or_missed_is_said_and_put_right(deck: Deck, tmp_path: Path) -> None:
    evening = Seeing(deck, 4, tmp_path / "journal.sqlite", {3: "missed", 5: "walleye", 6: "bluegill"})
    try:
        played = list(evening.flips(12))
        assert played[2].read == "missed"
        wrong = {flip.number for flip in played if flip.read == "wrong"}
        assert wrong == {n for n, card in ((5, "walleye"), (6, "bluegill")) if played[n - 1].truth.card != card}
        assert {flip.number for flip in played if flip.bad} >= wrong
        flips = [stage.landed.top.card for stage in evening.state.stages if stage.landed.top is not None]
        assert [card for card in flips if card] == [flip.truth.card for flip in played]
    finally:
        evening.close()
