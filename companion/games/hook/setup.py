"""Who plays, and how: free-for-all or teams, and what a match of Hook! may be started with.

Options of ``MatchStarted``: ``teams`` ("none", "colour" or "sides"; left out, the players' teams say it) and
``parrots`` (parrots printed on each Target card, by its id; left out, those in sight count).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.core.facts import MatchStarted, RuleBroken
from companion.games.hook.names import CHARACTERS, MOST_PARROTS, ROUNDS, colour_of, side_of
from companion.games.hook.state import Setup
from companion.words import _
from companion.world import Player

OPTIONS = ("teams", "parrots")
TEAM_PLAY = ("none", "colour", "sides")


def check(started: MatchStarted) -> None:
    """Refuse an impossible set-up with a sentence."""
    players = started.players
    seats = [player.seat for player in players]
    if len(seats) not in ROUNDS:
        raise RuleBroken(_("Hook! is for 3 to 6 players."))
    if any(seat not in CHARACTERS for seat in seats):
        raise RuleBroken(_("Every player takes one of the six Hit cards: three pirates, three sailors."))
    if len(set(seats)) < len(seats):
        raise RuleBroken(_("Every player takes another character."))
    asked = started.options.get("teams")
    if asked is not None and asked not in TEAM_PLAY:
        raise RuleBroken(_("Teams are by colour, or pirates against sailors."))
    shown = shown_teams(players)
    if shown is None or (asked is not None and shown not in ("none", asked)):
        raise RuleBroken(_("Teams are by colour, or pirates against sailors."))
    play = asked or shown
    if play != "none":
        _check_teams(seats, play)
    unknown = sorted(str(option) for option in started.options if option not in OPTIONS)
    if unknown:
        raise RuleBroken(_("Hook! has no house rule {option}.", option=unknown[0]))
    parrots = started.options.get("parrots", {})
    if not isinstance(parrots, Mapping) or any(
        type(n) is not int or not 0 <= n <= MOST_PARROTS for n in parrots.values()
    ):
        raise RuleBroken(_("The deck does not say how many parrots are printed on each Target card."))


def _check_teams(seats: Sequence[str], play: str) -> None:
    if len(seats) not in (4, 6):
        raise RuleBroken(_("Teams are possible with 4 or 6 players."))
    sizes = [sum(other == team for other in _teams(seats, play)) for team in set(_teams(seats, play))]
    if play == "colour" and set(sizes) != {2}:
        raise RuleBroken(_("In colour teams, a pirate and a sailor of the same colour play together."))
    if (play == "sides" and len(sizes) != 2) or len(set(sizes)) != 1:
        raise RuleBroken(_("There must be as many pirates as sailors."))


def _teams(seats: Sequence[str], play: str) -> tuple[str, ...]:
    if play == "colour":
        return tuple(colour_of(seat) for seat in seats)
    if play == "sides":
        return tuple(side_of(seat) for seat in seats)
    return tuple(seats)


def shown_teams(players: Sequence[Player]) -> str | None:
    """The kind of teams that the players' own ``team`` fields show; None when they show none we know."""
    if all(player.team is None for player in players):
        return "none"
    for play in TEAM_PLAY:
        pairs = {(player.team, team) for player, team in zip(players, _of(players, play), strict=True)}
        if len(pairs) == len({a for a, _b in pairs}) == len({b for _a, b in pairs}):
            return play
    return None


def _of(players: Sequence[Player], play: str) -> tuple[str, ...]:
    return _teams([player.seat for player in players], play)


def setup(started: MatchStarted) -> Setup:
    """The set-up of a match, for any ``MatchStarted`` that ``check`` lets pass."""
    players = started.players
    play = started.options.get("teams") or shown_teams(players) or "none"
    return Setup(
        seats=tuple(player.seat for player in players),
        names=tuple(player.name for player in players),
        teams=_of(players, play),
        team_play=play,
        parrots=_parrots(started.options.get("parrots", {})),
        rounds=ROUNDS.get(len(players), 1),
    )


def _parrots(given: Any) -> dict[str, int]:
    return {str(card): int(n) for card, n in given.items()} if isinstance(given, Mapping) else {}
