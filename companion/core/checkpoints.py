"""Moving what was committed from the log into the file, on a thread of its own.

SQLite would do it within a commit, now and then, and that commit takes as long as a disk needs to write everything
down: a tenth of a second and more, in the middle of a slap. Nobody waits for this thread.
"""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing, suppress
from pathlib import Path

EVERY = 64
"""So many commits go by before it is worth while. Each is a few pages long."""
PAGES = 4000
"""A log so long SQLite moves within a commit after all: this thread has not managed to."""
AGAIN_S = 0.05
TRIES = 20
"""While something is committed meanwhile the log cannot begin anew, so the rest is moved soon after."""


class Checkpoints:
    """Begins when there is something to do. ``stop`` before the journal is closed."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._commits = 0
        self._due = threading.Event()
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def committed(self) -> None:
        """Called after every commit; returns at once."""
        self._commits += 1
        if self._commits < EVERY:
            return
        self._commits = 0
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="checkpoints", daemon=True)
            self._thread.start()
        self._due.set()

    def stop(self) -> None:
        """Finish what has been begun, and end the thread."""
        self._stopping.set()
        self._due.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        # What cannot be moved stays in the log. If the disk has failed, the next commit says so.
        with suppress(sqlite3.Error), closing(sqlite3.connect(self._path, isolation_level=None)) as db:
            db.execute("PRAGMA synchronous=FULL")
            while not self._stopping.is_set():
                self._due.wait()
                self._due.clear()
                for _try in range(TRIES):
                    _busy, length, moved = db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
                    if length == moved or self._stopping.wait(AGAIN_S):
                        break
