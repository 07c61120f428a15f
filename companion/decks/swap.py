"""One folder among decks takes the place of another so that a power cut leaves the old one or the new one, whole.

While a deck is replaced, the old one stands aside under a name of its own, ``.old-NAME``. Should the power go just
then, it is found there (``standing``), and ``tidy`` puts it back.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import time
from pathlib import Path

from companion import reading
from companion.core.files import sync_folder

DRAFT = ".import-"
"""How the name of a deck begins that is not whole yet, as ``tempfile.mkdtemp`` goes on with it."""
_ASIDE = ".old-"
_LEFT_S = 3600
"""A draft of that age was left behind: no import takes so long."""


def put(draft: Path, target: Path) -> None:
    """Rename ``draft`` to ``target``, in place of the folder that is there, if any. OSError changes nothing."""
    _sync(draft)
    aside = target.with_name(_ASIDE + target.name)
    if target.exists():
        target.rename(aside)
    try:
        draft.rename(target)
    except OSError:
        if aside.exists():
            aside.rename(target)
        raise
    sync_folder(target.parent)
    shutil.rmtree(aside, ignore_errors=True)


def standing(place: Path) -> dict[str, Path]:
    """The decks' folders in ``place`` by name, an old one also from aside where there is no new one. Raises OSError."""
    folders = {entry.name: entry for entry in place.iterdir() if reading.is_folder(entry)}
    aside = {name.removeprefix(_ASIDE): folder for name, folder in folders.items() if name.startswith(_ASIDE)}
    return aside | {name: folder for name, folder in folders.items() if not name.startswith(".")}


def tidy(place: Path) -> None:
    """Put back what stands aside without a new one in its place, and remove what else was left behind."""
    with contextlib.suppress(FileNotFoundError):  # another import tidies, too, or has just ended
        for aside in place.glob(f"{_ASIDE}*"):
            target = place / aside.name.removeprefix(_ASIDE)
            if target.exists():
                shutil.rmtree(aside, ignore_errors=True)
            else:
                aside.rename(target)
        for draft in place.glob(f"{DRAFT}????????"):
            if time.time() - draft.stat().st_mtime > _LEFT_S:
                shutil.rmtree(draft, ignore_errors=True)


def _sync(folder: Path) -> None:
    """Bring all that is in a folder, and the names there, onto the disk."""
    for path in (*folder.rglob("*"), folder):
        if path.is_dir():
            sync_folder(path)
            continue
        with path.open("rb") as file:
            os.fsync(file.fileno())
