"""The journal's file from outside: whose it is, who holds it, and setting a damaged one aside."""

from __future__ import annotations

import fcntl
import os
from datetime import datetime
from pathlib import Path
from typing import Literal

APPLICATION_ID = 0x54434A4C
"""Stands in the header of every journal ("TCJL"), so that no other program's database is taken for one."""

_MAGIC = b"SQLite format 3\x00"
_ID_AT = 68


def look_at(path: Path) -> Literal["sound", "damaged", "foreign"]:
    """What the header of a file says: nothing there or a journal of ours, a broken one, or somebody else's file.

    Whether a journal of ours is sound inside is for SQLite's own check to say.
    """
    if not path.exists():
        return "sound"
    with path.open("rb") as file:
        header = file.read(100)
    if not header:
        log = Path(f"{path}-wal")
        return "damaged" if log.exists() and log.stat().st_size else "sound"
    if not any(header):
        return "damaged"
    if header.startswith(_MAGIC) and header[_ID_AT : _ID_AT + 4] == APPLICATION_ID.to_bytes(4, "big"):
        return "sound"
    return "foreign"


def set_aside(path: Path, now: datetime) -> Path:
    """Rename a damaged journal and its log, labelled with the time. Returns the new name; nothing is deleted."""
    label = now.strftime("%Y%m%dT%H%M%S")
    number = 1
    while True:
        ending = label if number == 1 else f"{label}-{number}"
        aside = path.with_name(f"{path.stem}-damaged-{ending}{path.suffix}")
        if not aside.exists():
            break
        number += 1
    for ending in ("-wal", "-shm", ""):
        part = Path(f"{path}{ending}")
        if part.exists():
            part.rename(f"{aside}{ending}")
    sync_folder(path.parent)
    return aside


def sync_folder(folder: Path) -> None:
    """Make names in a folder durable (new files, renamings)."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


class LockHeld(Exception):
    """Another process owns the journal."""

    def __init__(self, process: str) -> None:
        super().__init__(process)
        self.process = process


class Lock:
    """Ownership of a journal by one process; ends with it, however it ends. The lock file itself stays."""

    def __init__(self, path: Path) -> None:
        self._file = self.file_for(path).open("a+", encoding="utf-8")
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            self._file.seek(0)
            process = self._file.read(20).strip() or "?"
            self._file.close()
            raise LockHeld(process) from error
        except OSError:
            self._file.close()
            raise
        self._file.truncate(0)
        self._file.write(f"{os.getpid()}\n")
        self._file.flush()

    @staticmethod
    def file_for(path: Path) -> Path:
        """The lock file that belongs to a journal."""
        return Path(f"{path}.lock")

    def release(self) -> None:
        """Let another process have it."""
        self._file.close()
