"""The append-only log on disk: several matches in one SQLite file, each step one durable transaction.

A step is everything that follows from one command: facts, doubts opened and closed. It is on the disk
(``synchronous=FULL``) when ``write`` returns, or not at all. Nothing is ever changed or deleted; a damaged file is
set aside under another name and a new one begun. One process at a time owns a journal (a lock on ``<name>.lock``,
which the kernel lets go when the process dies, however it dies).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import msgspec

from companion.core.checkpoints import Checkpoints
from companion.core.database import TooNew, connect, is_damage
from companion.core.files import Lock, LockHeld, look_at, set_aside
from companion.core.schema import MIGRATIONS
from companion.core.writing import insert_presses, insert_steps
from companion.words import Text, _
from companion.world import Press

DoubtEvent = Literal["opened", "changed", "closed", "reopened"]


class JournalError(Exception):
    """The journal cannot be opened, read or written. Carries the sentence that people are told."""

    def __init__(self, sentence: Text) -> None:
        super().__init__(str(sentence))
        self.sentence = sentence


class FactRow(msgspec.Struct, frozen=True, gc=False):
    """A fact as it is stored: its number in the match, its tag, its JSON."""

    id: int
    tag: str
    json: bytes


class DoubtRow(msgspec.Struct, frozen=True, gc=False):
    """What happened to a doubt. ``question`` is its JSON, stored when it is opened, changed or asked again."""

    doubt: int
    event: DoubtEvent
    t_ns: int
    question: bytes | None = None
    picture: str | None = None


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match of this journal. ``created`` is a wall-clock label (UTC), not a time to reckon with."""

    id: int
    game: str
    rules: int
    created: str = ""


class Step(msgspec.Struct, frozen=True, gc=False):
    """What follows from one command, to be written as a whole. ``begins`` stands on the first step of a match."""

    id: int
    match: int
    t_ns: int
    command: bytes | None = None
    facts: tuple[FactRow, ...] = ()
    doubts: tuple[DoubtRow, ...] = ()
    begins: MatchRow | None = None


class Journal:
    """An open journal. Use it from one thread at a time. ``notice`` says if a damaged file was set aside."""

    def __init__(
        self,
        path: Path,
        *,
        boot: str = "",
        wall: Callable[[], datetime] = lambda: datetime.now(UTC),
        migrations: Sequence[str] = MIGRATIONS,
    ) -> None:
        self.path = path
        self.notice: Text | None = None
        self._boot = boot
        self._wall = wall
        self._checkpoints = Checkpoints(path)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            kept_here = Lock.file_for(path).exists()
            found = look_at(path)
            if found == "foreign" and not kept_here:
                raise JournalError(
                    _("{path} is not a journal of the Tabletop Companion. Give another file name.", path=str(path))
                )
            self._lock = Lock(path)
        except LockHeld as held:
            raise JournalError(
                _(
                    "The journal {path} is in use by another Tabletop Companion (process {process}). Stop that one "
                    "first.",
                    path=str(path),
                    process=held.process,
                )
            ) from held
        except OSError as error:
            raise JournalError(_cannot_write(path, error)) from error
        try:
            self._db = self._open(found != "sound", migrations)
            self.next_step = int(self._value("SELECT coalesce(max(id), 0) + 1 FROM step"))
        except TooNew as error:
            self._lock.release()
            raise JournalError(
                _(
                    "The journal {path} was written by a newer Tabletop Companion. Update this one, or give another "
                    "file name.",
                    path=str(path),
                )
            ) from error
        except sqlite3.Error as error:
            self._lock.release()
            raise JournalError(_cannot_write(path, error)) from error
        except BaseException:
            self._lock.release()
            raise

    # opening

    def _open(self, damaged: bool, migrations: Sequence[str]) -> sqlite3.Connection:
        if not damaged:
            try:
                return connect(self.path, migrations)
            except sqlite3.DatabaseError as error:
                if not is_damage(error):
                    raise
        try:
            aside = set_aside(self.path, self._wall())
        except OSError as error:
            raise JournalError(_cannot_write(self.path, error)) from error
        self.notice = _(
            "The journal was damaged. It was set aside as {aside} and a new one begun; earlier matches are in the old "
            "file.",
            aside=str(aside),
        )
        return connect(self.path, migrations)

    # writing

    def write(self, *steps: Step, presses: Sequence[Press] = (), during: int | None = None) -> None:
        """Append the steps, and the raw edges heard ``during`` a match, as one transaction; on disk when this returns.
        JournalError: nothing was written."""
        for offset, step in enumerate(steps):
            if step.id != self.next_step + offset:
                raise ValueError(f"step {step.id} does not follow step {self.next_step + offset - 1}")
        with self._transaction() as db:
            self._insert_presses(db, during, presses)
            insert_steps(db, steps, boot=self._boot, wall=self._label())
        self.next_step += len(steps)

    def write_presses(self, match: int | None, presses: Sequence[Press]) -> None:
        """Keep raw button edges, in the order of their arrival."""
        with self._transaction() as db:
            self._insert_presses(db, match, presses)

    def _insert_presses(self, db: sqlite3.Connection, match: int | None, presses: Sequence[Press]) -> None:
        insert_presses(db, match, presses, boot=self._boot)

    # reading

    @property
    def next_match(self) -> int:
        """The number that the next match gets."""
        return int(self._value("SELECT coalesce(max(id), 0) + 1 FROM match"))

    def matches(self) -> tuple[MatchRow, ...]:
        """All matches, oldest first."""
        with self._reading() as db:
            rows = db.execute("SELECT id, game, rules, created FROM match ORDER BY id").fetchall()
        return tuple(MatchRow(*row) for row in rows)

    def facts(self, match: int) -> tuple[tuple[int, FactRow], ...]:
        """The facts of a match in their order, each with the step that wrote it."""
        with self._reading() as db:
            rows = db.execute("SELECT step, id, tag, json FROM fact WHERE match = ? ORDER BY id", (match,)).fetchall()
        return tuple((step, FactRow(id, tag, json.encode())) for step, id, tag, json in rows)

    def doubts(self, match: int) -> tuple[tuple[int, DoubtRow], ...]:
        """What happened to the doubts of a match, in order, each with the step that wrote it."""
        with self._reading() as db:
            rows = db.execute(
                "SELECT step, doubt, event, t_ns, question, picture FROM doubt WHERE match = ? ORDER BY number",
                (match,),
            ).fetchall()
        return tuple(
            (step, DoubtRow(doubt, event, t_ns, None if question is None else question.encode(), picture))
            for step, doubt, event, t_ns, question, picture in rows
        )

    def steps(self, match: int) -> tuple[Step, ...]:
        """All steps of a match, oldest first, as they were written."""
        row = next((row for row in self.matches() if row.id == match), None)
        with self._reading() as db:
            rows = db.execute("SELECT id, t_ns, command FROM step WHERE match = ? ORDER BY id", (match,)).fetchall()
        facts, doubts = self.facts(match), self.doubts(match)
        return tuple(
            Step(
                id,
                match,
                t_ns,
                None if command is None else command.encode(),
                tuple(fact for step, fact in facts if step == id),
                tuple(doubt for step, doubt in doubts if step == id),
                row if index == 0 else None,
            )
            for index, (id, t_ns, command) in enumerate(rows)
        )

    def presses(self, match: int | None) -> tuple[Press, ...]:
        """The raw button edges of a match (None: outside any) in the order of their arrival."""
        with self._reading() as db:
            rows = db.execute(
                "SELECT seat, t_ns, level, clock FROM press WHERE match IS ? ORDER BY number", (match,)
            ).fetchall()
        return tuple(Press(*row) for row in rows)

    def latest_ns(self) -> int:
        """The latest time that is written down, whatever boot it is of; 0 when there is none."""
        return self._value(
            "SELECT max((SELECT coalesce(max(t_ns), 0) FROM step), (SELECT coalesce(max(t_ns), 0) FROM press))"
        )

    def close(self) -> None:
        """Let go of the file. What was written stays."""
        self._checkpoints.stop()
        self._db.close()
        self._lock.release()

    # helpers

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        try:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise
        except sqlite3.Error as error:
            raise JournalError(_cannot_write(self.path, error)) from error
        self._checkpoints.committed()

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        try:
            yield self._db
        except sqlite3.Error as error:
            raise JournalError(
                _("The journal {path} cannot be read: {reason}.", path=str(self.path), reason=str(error))
            ) from error

    def _value(self, query: str) -> int:
        with self._reading() as db:
            return int(db.execute(query).fetchone()[0])

    def _label(self) -> str:
        return self._wall().strftime("%Y-%m-%dT%H:%M:%SZ")


def _cannot_write(path: Path, error: Exception) -> Text:
    reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
    code = getattr(error, "sqlite_errorcode", None)
    if code is not None and code & 0xFF == sqlite3.SQLITE_FULL:
        return _("The disk is full: nothing more can be written to {path}. Make room, then try again.", path=str(path))
    return _(
        "The journal {path} cannot be written: {reason}. Check the folder and the disk.", path=str(path), reason=reason
    )
