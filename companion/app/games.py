"""The games this program can play, each joined with the deck its camera knows."""

from __future__ import annotations

from pathlib import Path

from companion import deck
from companion.deck import Deck
from companion.games.hook import practice_deck
from companion.games.hook.rules import RULES as HOOK
from companion.games.hook.watcher import HookWatcher
from companion.table import GameKit

PLAYABLE = ("hook",)
"""The games that can be played so far."""


def deck_folder(game: str, given: str | None) -> Path:
    """The deck folder to play with: the one given, else the game's practice deck (drawn at its first use)."""
    if given is not None:
        return Path(given)
    if game == "hook":
        return practice_deck.folder()
    raise KeyError(game)


def kits(loaded: Deck) -> dict[str, GameKit]:
    """The games that can be played with a deck, by name."""
    return {"hook": GameKit(HOOK, HookWatcher.for_deck(loaded))}


def load(game: str, given: str | None) -> Deck:
    """The deck to play with, read and checked. Raises DeckError."""
    return deck.load(deck_folder(game, given))
