"""What the state already holds about the present round, as the watcher needs it."""

from __future__ import annotations

import msgspec

from companion.games.hook.facts import CardIdentified, PlacementRuled, Pose, SightUnlisted, SymbolRead, TileIdentified
from companion.games.hook.state import State


class Recorded(msgspec.Struct, frozen=True):
    """The present round.

    ``placed`` has the last observed pose of each tile, ``answered`` the tiles about which a person said something,
    ``used`` the cards of earlier rounds, ``before`` the tiles on their cards in those, ``finished`` that no
    tile is waited for.
    """

    round: int
    playing: tuple[str, ...]
    cards: frozenset[str]
    used: frozenset[str]
    placed: dict[str, Pose]
    answered: frozenset[str]
    seats_placed: frozenset[str]
    before: frozenset[tuple[str, str | None]]
    finished: bool

    @property
    def cards_taken(self) -> frozenset[str]:
        """Cards on which a tile was observed."""
        return frozenset(pose.card for pose in self.placed.values() if pose.card is not None)


def recorded(state: State) -> Recorded:
    """The present round of a state."""
    now = state.now
    earlier = [round_ for round_ in state.rounds if round_.number < now.number]
    placed: dict[str, Pose] = {}
    answered: set[str] = set()
    for fact in now.raw:
        match fact:
            case Pose():
                placed[fact.tile] = fact
            case SymbolRead() | SightUnlisted() | PlacementRuled() | TileIdentified() | CardIdentified():
                answered.add(fact.tile)
            case _:
                pass
    return Recorded(
        round=now.number,
        playing=now.begin.playing,
        cards=frozenset(now.cards),
        used=now.begin.used.union(*(round_.cards for round_ in earlier)),
        placed=placed,
        answered=frozenset(answered),
        seats_placed=frozenset(pose.seat for pose in placed.values()),
        before=frozenset((p.tile, p.card) for round_ in earlier for p in round_.placements),
        finished=now.complete,
    )
