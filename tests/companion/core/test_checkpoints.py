"""The log beside the journal: long from the start, and moved into the file while nobody waits for it."""

from __future__ import annotations

import itertools
import shutil
import sqlite3
import threading
from contextlib import closing

from waiting import reached

from companion.core.checkpoints import EVERY
from companion.core.database import LOG_BYTES
from companion.core.journal import Journal
from companion.world import Press

PATIENCE_S = 60


def presses_in(path):
    with closing(sqlite3.connect(path)) as db:
        return db.execute("SELECT count(*) FROM press").fetchone()[0]


def write(journal, count):
    for number in range(count):
        journal.write_presses(None, (Press("seat-1", number, 1),))


def test_the_log_is_as_long_at_the_start_as_it_gets_later(tmp_path):
    journal = Journal(tmp_path / "journal.sqlite")
    log = tmp_path / "journal.sqlite-wal"
    assert log.stat().st_size == LOG_BYTES
    write(journal, 3)
    assert log.stat().st_size == LOG_BYTES
    journal.close()
    assert not log.exists()


def test_what_a_killed_program_left_in_a_long_log_is_found(tmp_path):
    journal = Journal(tmp_path / "journal.sqlite")
    write(journal, 3)
    (tmp_path / "left").mkdir()
    for file in ("journal.sqlite", "journal.sqlite-wal"):
        shutil.copy(tmp_path / file, tmp_path / "left" / file)
    journal.close()
    again = Journal(tmp_path / "left" / "journal.sqlite")
    assert len(again.presses(None)) == 3
    again.close()


def test_another_thread_moves_the_log_into_the_file(tmp_path):
    journal = Journal(tmp_path / "journal.sqlite")
    try:
        write(journal, EVERY)
        copies = (tmp_path / f"alone-{number}.sqlite" for number in itertools.count())
        reached(lambda: presses_in(shutil.copy(tmp_path / "journal.sqlite", next(copies))) == EVERY, PATIENCE_S, 0.1)
    finally:
        journal.close()
    assert "checkpoints" not in {thread.name for thread in threading.enumerate()}
