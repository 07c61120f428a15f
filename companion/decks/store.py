"""Where decks live: imported ones in the user's data folder or the system's, the practice deck in the cache."""

from __future__ import annotations

import contextlib
import re
import unicodedata
from collections.abc import Callable
from pathlib import Path

import platformdirs

from companion.deck import DeckError
from companion.decks import swap
from companion.games.hook import practice_deck as hook
from companion.games.hooked import practice_deck as hooked

PRACTICE = {"practice-hook": hook.folder, "practice-hooked": hooked.folder}
"""Decks the program draws itself, by name."""


FOR_PRINT: dict[str, Callable[[Path], None]] = {
    "hook": lambda folder: hook.write(folder, hook.PRINT_PIXELS),
    "hooked": lambda folder: hooked.write(folder, hooked.PRINT_PIXELS),
}
"""Writes a game's practice deck into a folder, large enough for print."""


SYSTEM = Path("/usr/local/share/tabletop-companion/decks")
"""The decks for every user of this machine, the service's own among them. The same for all of them, so it is not made
from XDG_DATA_DIRS, which differs between a desktop and a service."""


def place() -> Path:
    """The folder that holds this user's imported decks, each in a folder of its own; it may not exist yet."""
    return platformdirs.user_data_path("tabletop-companion") / "decks"


def imported() -> dict[str, Path]:
    """The imported decks' folders by name, sorted: the system's and this user's, whose own counts more."""
    found: dict[str, Path] = {}
    for decks in (SYSTEM, place()):
        with contextlib.suppress(OSError):  # not there yet, or not for this user to see
            found |= swap.standing(decks)
    return {name: found[name] for name in sorted(found)}


def names() -> list[str]:
    """The imported decks' names, sorted."""
    return list(imported())


def find(name: str) -> Path:
    """The folder of a deck, by its name here or by its path.

    Raises DeckError with the names there are. A path that may not be looked at is given back: reading it says why.
    """
    if name in PRACTICE:
        return PRACTICE[name]()
    decks = imported()
    if name in decks:
        return decks[name]
    try:
        if Path(name).is_dir():
            return Path(name)
    except PermissionError:
        return Path(name)
    except OSError:
        pass  # no folder's name: too long, say
    there = f"{name}: no deck of that name, and there is no such folder. There are: {', '.join([*PRACTICE, *decks])}."
    hint = " Another user's are not seen, except when imported with --system." if is_name(name) else ""
    raise DeckError(there + hint)


def is_name(name: str) -> bool:
    """Whether a word can be a deck's name, which is also the name of its folder."""
    return re.fullmatch(r"[a-z0-9][a-z0-9-]{0,59}", name) is not None


def name_for(title: str) -> str:
    """A deck's name made from its title: "Hook! (our copy)" becomes "hook-our-copy"."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:60].strip("-") or "deck"
