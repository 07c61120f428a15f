"""Opening the journal's SQLite file: checked, migrated, and set so that what is committed is on the disk."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path

from companion.core.files import APPLICATION_ID
from companion.core.schema import TABLES


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
    except BaseException:
        db.close()
        raise
    return db


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
