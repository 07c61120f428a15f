"""The games this program can play, each joined with the deck its camera knows.

A new game is one line in ``GAMES``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from companion import deck, reading
from companion.core.game import Watcher
from companion.deck import Deck, DeckError
from companion.decks import store
from companion.games.hook import practice_deck as hook_deck
from companion.games.hook.deck_rules import parrots_printed
from companion.games.hook.rules import RULES as HOOK
from companion.games.hook.watcher import HookWatcher
from companion.games.hooked import deck_rules as hooked_rules
from companion.games.hooked import practice_deck as hooked_deck
from companion.games.hooked.rules import RULES as HOOKED
from companion.games.hooked.rules import press, public, verdicts
from companion.games.hooked.watcher import TURNED_NS, HookedWatcher
from companion.table import GameKit

ANY = "any"
"""The game of a deck that goes with every game."""


@dataclass(frozen=True, slots=True)
class Game:
    """One game: its rules (as a kit without a watcher), what watches a table with a deck, where its practice deck lies
    (drawn at its first use), the options of a match that come from the deck, whether its cards are laid onto one
    another (``pile``), and whether it is a race, which has windows."""

    kit: GameKit
    watcher: Callable[[Deck], Watcher[Any, Any]]
    practice_deck: Callable[[], Path]
    options: Callable[[Deck], dict[str, Any]]
    pile: bool = False
    race: bool = False


GAMES: dict[str, Game] = {
    "hook": Game(
        GameKit(HOOK), HookWatcher.for_deck, hook_deck.folder, lambda deck: {"parrots": parrots_printed(deck)}
    ),
    "hooked": Game(
        GameKit(HOOKED, press=press, verdicts=verdicts, public=public),
        lambda _deck: HookedWatcher(TURNED_NS),
        hooked_deck.folder,
        hooked_rules.options,
        pile=True,
        race=True,
    ),
}

PLAYABLE = tuple(GAMES)
"""The games that can be played so far."""


def deck_folder(game: str, given: str | None) -> Path:
    """The deck folder to play with: the folder or name given, else the game's practice deck. Raises DeckError."""
    if given is None:
        return GAMES[game].practice_deck()
    folder = Path(given)
    return folder if reading.is_folder(folder) else store.find(given)


def kits(loaded: Deck, windows: Mapping[str, float] | None = None) -> dict[str, GameKit]:
    """All games by name; those that the deck is of with a watcher, the others are played by hand.

    ``windows`` are the times of a race in milliseconds, for matches that do not say otherwise.
    """
    found = {}
    for name, game in GAMES.items():
        watcher = game.watcher(loaded) if loaded.game in (name, ANY) else None
        options = {"windows": dict(windows)} if game.race and windows else {}
        found[name] = replace(game.kit, watcher=watcher, options=options)
    return found


def load(game: str, given: str | None) -> Deck:
    """The deck to play with, read and checked. Raises DeckError."""
    loaded = deck.load(deck_folder(game, given))
    if loaded.game not in (game, ANY):
        raise DeckError(
            f"{loaded.folder}: this deck is of the game {loaded.game}, not {game}. "
            f"Give a deck of {game}, or none to play with the practice deck."
        )
    return loaded


def options(game: str, loaded: Deck) -> dict[str, Any]:
    """The options of a match of this game with this deck; none for a game that is not known here."""
    known = GAMES.get(game)
    return known.options(loaded) if known is not None else {}


def pile(game: str) -> bool:
    """Whether this game lays its cards onto one another."""
    known = GAMES.get(game)
    return known is not None and known.pile
