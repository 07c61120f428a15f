"""What each game gives to the pages, and which one is on the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.table import Snapshot
from web.decks import Decks
from web.history import Tongue
from web.model import View


@dataclass(frozen=True, eq=False)
class Pages:
    """How one game looks.

    ``build`` makes the view of a snapshot as it is at a moment (monotonic ns). Its fragments are the templates in
    the folder of its name, else those in ``shared``. ``brand`` is the drawing of its sign. ``words`` is what its
    templates use besides; ``drawings`` are SVG symbols that only this game needs.
    """

    game: str
    title: str
    brand: str
    build: Callable[[Snapshot, Decks, int], View]
    tongue: Tongue
    words: Mapping[str, Any] = field(default_factory=dict)
    drawings: Mapping[str, str] = field(default_factory=dict)


class Shelf:
    """The games that have pages, by name. ``of`` a snapshot without a game is the first one."""

    def __init__(self, games: tuple[Pages, ...]) -> None:
        self._games = {pages.game: pages for pages in games}
        self._first = games[0]

    def of(self, snapshot: Snapshot) -> Pages:
        """The pages of the game on the table."""
        return self._games.get(snapshot.game or "", self._first) if snapshot.match is not None else self._first

    @property
    def all(self) -> tuple[Pages, ...]:
        """Every game, the first one first."""
        return tuple(self._games.values())
