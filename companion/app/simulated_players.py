"""The players of Hook! in the demonstration: they play at a human pace, and answer in the end.

A thread of its own that does what people would: it moves pieces (poses for the simulated camera), waits, and taps.
What the table asks is left to whoever watches for a while; then the players, who know the truth, answer themselves.
"""

from __future__ import annotations

from random import Random

from companion.app.players import NAMES, Players
from companion.app.truthful import put_right
from companion.games.hook.deck_rules import parrots_printed
from companion.games.hook.names import CHARACTERS
from companion.games.hook.script import RoundScript, Script
from companion.games.hook.state import Moment, State
from companion.table.commands import StartMatch
from companion.world import Player
from hardware.simulated.motion import film
from hardware.simulated.poses import TablePose

FRAMES_A_SECOND = 10


class SimulatedPlayers(Players):
    """The players of Hook!."""

    def _sit_down(self) -> None:
        """Start a match with four or so players."""
        random = Random(f"{self._seed} seats {len(self._table.matches())}")
        seats = random.sample(CHARACTERS, random.choice((4, 4, 5)))
        names = random.sample(NAMES, len(seats))
        players = tuple(Player(seat, name) for seat, name in zip(seats, names, strict=True))
        self._table.ask(
            StartMatch(
                game="hook", players=players, options={"parrots": parrots_printed(self._deck)}, deck=self._deck.name
            )
        )

    def _play_match(self, seats: tuple[str, ...], match: int) -> bool:
        """Play until the match is over or another one lies on the table. False when told to stop."""
        script = Script(self._deck, seats, self._condition, self._seed + match)
        played = 0
        while True:
            snapshot = self._table.snapshot()
            if snapshot.match != match or snapshot.over:
                return True
            number, moment = _next_round(snapshot.state, played)
            if number > script.rounds or len(moment.playing) < 2:
                return not self._wait(1)
            balls = {standing.seat: standing.balls for standing in moment.standings}
            truth = script.round(number, moment.playing, moment.compass, balls)
            if not self._play_round(truth):
                return False
            played = number

    def _play_round(self, truth: RoundScript) -> bool:
        """Act a round out; before the pieces are taken back, questions are answered."""
        moments = [(keyframe.t_ns, keyframe.pose) for keyframe in truth.frames]
        lying = [index for index, keyframe in enumerate(truth.frames) if keyframe.what != "taken back"]
        return self._act(moments[: lying[-1] + 1]) and self._settle(truth) and self._act(moments[lying[-1] :])

    def _act(self, moments: list[tuple[int, TablePose]]) -> bool:
        """Show a film of these moments. False when told to stop."""
        for _t_ns, pose in film(moments, FRAMES_A_SECOND):
            self._show(pose)
            if self._wait(1 / FRAMES_A_SECOND):
                return False
        return True

    def _settle(self, truth: RoundScript) -> bool:
        """Leave open questions to whoever watches, then answer them and put right what was misread."""
        for _second in range(int(self._patience_s)):
            if self._settled(truth.number):
                break
            if self._wait(1):
                return False
        put_right(self._say, self._table.snapshot, truth, Random(f"{self._seed} {truth.number}"))
        return not self._wait(4)

    def _settled(self, number: int) -> bool:
        state = self._table.snapshot().state
        if not isinstance(state, State):
            return False
        return state.over or (len(state.rounds) >= number and state.rounds[number - 1].settled)


def _next_round(state: State, played: int) -> tuple[int, Moment]:
    """The round to play now and the table before it: the present one, or the one after it when it is played."""
    present = state.now
    return (present.number, present.begin) if present.number > played else (present.number + 1, present.end)
