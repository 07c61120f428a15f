"""When a game of Hook! is over, and who has won."""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.games.hook.state import Moment, Setup

How = Literal["last", "parrots", "cards", "shared", "nobody"]


class Ending(msgspec.Struct, frozen=True):
    """How the game ended; ``winners`` are seats, eliminated members of a winning team among them."""

    how: How
    teams: tuple[str, ...]
    winners: tuple[str, ...]


class Score(msgspec.Struct, frozen=True):
    """A team's (or single player's) score: what its members who are still in have collected."""

    team: str
    members: tuple[str, ...]
    surviving: tuple[str, ...]
    parrots: int
    cards: int


def scores(setup: Setup, moment: Moment) -> tuple[Score, ...]:
    """Every team's score at this moment, in clockwise order of their first member."""
    out = []
    for team in dict.fromkeys(setup.teams):
        members = tuple(s for s, t in zip(setup.seats, setup.teams, strict=True) if t == team)
        alive = [s for s in moment.standings if s.seat in members and s.out is None]
        out.append(
            Score(
                team=team,
                members=members,
                surviving=tuple(s.seat for s in alive),
                parrots=sum(s.parrots for s in alive),
                cards=sum(s.won for s in alive),
            )
        )
    return tuple(out)


def stacks_empty(moment: Moment) -> bool:
    """Whether somebody who is still in has no Target card left to turn up."""
    return any(s.stack <= 0 for s in moment.standings if s.out is None)


def ending(setup: Setup, moment: Moment) -> Ending | None:
    """How the game has ended at this moment; None while it goes on.

    The last one standing wins before parrots are counted. Then most parrots, most collected cards, shared.
    """
    table = scores(setup, moment)
    standing = [score for score in table if score.surviving]
    if not standing:
        return Ending("nobody", (), ())
    if len(standing) == 1:
        return _won("last", standing)
    if not stacks_empty(moment):
        return None
    most = max(score.parrots for score in standing)
    best = [score for score in standing if score.parrots == most]
    if len(best) == 1:
        return _won("parrots", best)
    most = max(score.cards for score in best)
    best = [score for score in best if score.cards == most]
    return _won("cards" if len(best) == 1 else "shared", best)


def _won(how: How, best: list[Score]) -> Ending:
    return Ending(how, tuple(s.team for s in best), tuple(m for s in best for m in s.members))
