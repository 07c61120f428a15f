"""Where decks live: imported ones in the user's data folder, the practice deck in the cache."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from pathlib import Path

import platformdirs

from companion.deck import DeckError
from companion.games.hook import practice_deck as hook
from companion.games.hooked import practice_deck as hooked

PRACTICE = {"practice-hook": hook.folder, "practice-hooked": hooked.folder}
"""Decks the program draws itself, by name."""


FOR_PRINT: dict[str, Callable[[Path], None]] = {
    "hook": lambda folder: hook.write(folder, hook.PRINT_PIXELS),
    "hooked": lambda folder: hooked.write(folder, hooked.PRINT_PIXELS),
}
"""Writes a game's practice deck into a folder, large enough for print."""


def place() -> Path:
    """The folder that holds the imported decks, each in a folder of its own; it may not exist yet."""
    return platformdirs.user_data_path("tabletop-companion") / "decks"


def names() -> list[str]:
    """The imported decks' names, sorted."""
    if not place().is_dir():
        return []
    return sorted(entry.name for entry in place().iterdir() if entry.is_dir() and not entry.name.startswith("."))


def find(name: str) -> Path:
    """The folder of a deck, by its name here or by its path. Raises DeckError with the names there are."""
    if name in PRACTICE:
        return PRACTICE[name]()
    if is_name(name) and (place() / name).is_dir():
        return place() / name
    if Path(name).is_dir():
        return Path(name)
    raise DeckError(f"{name}: no deck of that name, and no such folder. There are: {', '.join([*PRACTICE, *names()])}.")


def is_name(name: str) -> bool:
    """Whether a word can be a deck's name, which is also the name of its folder."""
    return re.fullmatch(r"[a-z0-9][a-z0-9-]{0,59}", name) is not None


def name_for(title: str) -> str:
    """A deck's name made from its title: "Hook! (our copy)" becomes "hook-our-copy"."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:60].strip("-") or "deck"
