"""A match of the tiny game with its journal, for tests."""

from __future__ import annotations

from pathlib import Path

from tally_game import RULES

from companion.core.facts import Command, MatchStarted
from companion.core.journal import Journal
from companion.core.match import Match, begin, play, resume
from companion.world import Player

PLAYERS = (Player("red", "Ruth"), Player("blue", "Bo"))


def started(**options) -> MatchStarted:
    return MatchStarted(game="tally", rules=1, players=PLAYERS, options=options)


class Played:
    """Plays on a journal and keeps the match as it stands."""

    def __init__(self, place: Path | Journal, rules=RULES, **options) -> None:
        self.journal = Journal(place, boot="test") if isinstance(place, Path) else place
        proposal = begin(self.journal.next_match, rules, started(**options), step=self.journal.next_step, t_ns=5)
        self.journal.write(proposal.step)
        self.match: Match = proposal.match
        self.rules = rules

    def do(self, command: Command) -> Match:
        self.match = play(self.journal, self.match, command, t_ns=self.match.records[-1].fact.t_ns + 10)
        return self.match

    def resumed(self, journal: Journal | None = None) -> Match:
        journal = journal or self.journal
        row = next(row for row in journal.matches() if row.id == self.match.number)
        return resume(journal, row, self.rules)


def same(one: Match, other: Match) -> bool:
    """Whether two matches are the same in everything that anyone can see."""

    def seen(match: Match):
        return (
            match.number,
            match.started,
            match.ended,
            match.over,
            match.state,
            match.entries,
            match.doubts,
            match.settled,
            match.conflicts,
            match.records,
        )

    return seen(one) == seen(other)
