"""Opening the journal's SQLite file: checked, migrated, and set so that what is committed is on the disk."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from companion.core.checkpoints import PAGES
from companion.core.files import APPLICATION_ID
from companion.core.schema import TABLES

LOG_BYTES = 4_300_000
"""So long is the log made at the start: several times what is in it when it is moved into the file and begins anew."""


class Damage(sqlite3.DatabaseError):
    """What the check of the file found."""


class TooNew(Exception):
    """The file has had more migrations than this program knows."""


def is_damage(error: sqlite3.DatabaseError) -> bool:
    """Whether an error says that the file itself is broken (and not the disk, the folder or the permissions)."""
    code = getattr(error, "sqlite_errorcode", None)
    broken = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
    return isinstance(error, Damage) or (code is not None and code & 0xFF in broken)


def connect(path: Path, migrations: Sequence[str]) -> sqlite3.Connection:
    """Open or make the file. Raises sqlite3.Error (see ``is_damage``) and TooNew."""
    db = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=1.0)
    try:
        version = int(db.execute("PRAGMA user_version").fetchone()[0])
        if version > len(migrations):
            raise TooNew(version)
        if version:
            found = db.execute("PRAGMA quick_check(1)").fetchone()[0]
            if found != "ok":
                raise Damage(found)
        db.execute("PRAGMA synchronous=FULL")
        # Before the switch to WAL, so that a new file's name tag is in its header and not only in the log.
        _migrate(db, version, migrations)
        names = {row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if not names.issuperset(TABLES):
            raise Damage("tables are missing")
        mode = db.execute("PRAGMA journal_mode=WAL").fetchone()[0]
        if mode != "wal":
            raise sqlite3.OperationalError(f"journal mode is {mode}")
        db.execute(f"PRAGMA wal_autocheckpoint={PAGES}")
        db.execute("SELECT count(*) FROM sqlite_master").fetchone()  # now there is a log, with all it had before
        _lengthen(path.with_name(path.name + "-wal"))
    except BaseException:
        db.close()
        raise
    return db


def _lengthen(log: Path) -> None:
    """Fill the log up with zeros, which SQLite knows for nothing of its own.

    What overwrites a file is on the disk at once. What makes one longer has to wait for all else that the file system
    is about to write down: twice as long on most disks, and ten times where others write much.
    """
    with suppress(OSError), log.open("r+b", buffering=0) as file:
        missing = LOG_BYTES - file.seek(0, os.SEEK_END)
        if missing > 0:
            file.write(bytes(missing))
            os.fsync(file.fileno())


def _migrate(db: sqlite3.Connection, version: int, migrations: Sequence[str]) -> None:
    if version == len(migrations):
        return
    db.execute("BEGIN IMMEDIATE")
    try:
        for migration in migrations[version:]:
            for statement in migration.split(";"):
                if statement.strip():
                    db.execute(statement)
        db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        db.execute(f"PRAGMA user_version = {len(migrations)}")
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise
