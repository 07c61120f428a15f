"""The file: durable, one owner, bounded trust in what it finds."""

import os
import sqlite3
import subprocess
import sys
from datetime import UTC, datetime

import pytest
from played import Played, same
from tally_game import Add

from companion.core.journal import DoubtRow, FactRow, Journal, JournalError, MatchRow, Step
from companion.core.schema import MIGRATIONS
from companion.world import Press


def noon():
    return datetime(2026, 1, 2, 12, 0, 0, tzinfo=UTC)


def step(id, **fields):
    return Step(id, 1, 7, facts=(FactRow(id, "Added", b'{"fact":"Added"}'),), **fields)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "data" / "journal.sqlite"


def begun(path):
    journal = Journal(path, wall=noon)
    journal.write(step(1, begins=MatchRow(1, "tally", 1)))
    return journal


def test_what_is_written_is_read_back_by_the_next(path):
    journal = begun(path)
    journal.write(step(2, doubts=(DoubtRow(1, "opened", 7, b"{}", "a.jpg"), DoubtRow(2, "closed", 8))))
    journal.write_presses(1, [Press("red", 9, 1), Press("blue", 9, 0, "software")])
    journal.close()
    journal = Journal(path)
    assert journal.notice is None
    assert journal.matches() == (MatchRow(1, "tally", 1, "2026-01-02T12:00:00Z"),)
    assert journal.facts(1) == (
        (1, FactRow(1, "Added", b'{"fact":"Added"}')),
        (2, FactRow(2, "Added", b'{"fact":"Added"}')),
    )
    assert journal.doubts(1) == (
        (2, DoubtRow(1, "opened", 7, b"{}", "a.jpg")),
        (2, DoubtRow(2, "closed", 8)),
    )
    assert journal.presses(1) == (Press("red", 9, 1), Press("blue", 9, 0, "software"))
    assert (journal.next_step, journal.next_match) == (3, 2)
    journal.close()


def test_the_log_is_synced_with_every_commit(path):
    journal = begun(path)
    assert journal._db.execute("PRAGMA synchronous").fetchone()[0] == 2  # FULL
    assert journal._db.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
    journal.close()


def test_a_step_is_written_whole_or_not_at_all(path):
    journal = begun(path)
    twice = FactRow(1, "Added", b"{}")  # the id exists: the second row of the step fails
    with pytest.raises(JournalError, match="cannot be written"):
        journal.write(Step(2, 1, 7, facts=(FactRow(2, "Added", b"{}"), twice)))
    assert [fact.id for _step, fact in journal.facts(1)] == [1]
    journal.write(step(2))
    assert [fact.id for _step, fact in journal.facts(1)] == [1, 2]
    journal.close()


def test_steps_follow_each_other(path):
    journal = begun(path)
    with pytest.raises(ValueError, match="does not follow"):
        journal.write(step(3))
    journal.close()


def test_a_second_owner_is_refused_and_told_who_has_it(path):
    journal = begun(path)
    code = (
        "import sys; from pathlib import Path; from companion.core.journal import Journal, JournalError\n"
        "try:\n    Journal(Path(sys.argv[1]))\nexcept JournalError as error:\n    print(error)"
    )
    run = [sys.executable, "-c", code, str(path)]
    said = subprocess.run(run, capture_output=True, text=True, check=True).stdout
    assert f"in use by another Tabletop Companion (process {os.getpid()})" in said
    journal.close()
    assert subprocess.run(run, capture_output=True, text=True, check=True).stdout == ""


def damaged_copies(path):
    """Ways in which a journal has been seen broken, each applied to a sound one."""
    sound = path.read_bytes()
    page = 4096
    yield "the header is zeros", bytes(100) + sound[100:]
    yield "all zeros", bytes(len(sound))
    yield "cut in the middle", sound[: len(sound) // 2 // page * page]
    yield "a page of noise", sound[:page] + bytes((i * 37 + 11) % 256 for i in range(page)) + sound[2 * page :]
    yield "the schema is noise", sound[:100] + bytes((i * 41 + 7) % 256 for i in range(page - 100)) + sound[page:]
    yield "text instead", b"This was a journal once. " * 500


def test_a_damaged_journal_is_set_aside_never_deleted(path):
    begun(path).close()
    for what, content in list(damaged_copies(path)):
        path.write_bytes(content)
        before = set(path.parent.iterdir())
        journal = Journal(path, wall=noon)
        assert journal.notice is not None, what
        aside = set(path.parent.glob("journal-damaged-20260102T120000*.sqlite")) - before
        assert [file.read_bytes() for file in aside] == [content], what
        assert str(next(iter(aside))) in str(journal.notice)
        assert journal.matches() == (), what
        journal.write(step(1, begins=MatchRow(1, "tally", 1)))
        journal.close()
        again = Journal(path)
        assert again.notice is None and len(again.facts(1)) == 1, what
        again.close()


def test_a_lost_file_whose_log_is_left_is_set_aside_with_it(path):
    journal = begun(path)
    log = path.with_name("journal.sqlite-wal").read_bytes()
    journal.close()
    path.write_bytes(b"")
    path.with_name("journal.sqlite-wal").write_bytes(log)
    journal = Journal(path, wall=noon)
    assert journal.notice is not None
    assert (path.parent / "journal-damaged-20260102T120000.sqlite-wal").read_bytes() == log
    journal.close()


@pytest.mark.parametrize("kind", ["text", "other database"])
def test_somebody_elses_file_is_left_alone(path, kind):
    path.parent.mkdir()
    if kind == "text":
        path.write_text("Dear diary")
    else:
        db = sqlite3.connect(path)
        db.execute("CREATE TABLE recipe(name TEXT)")
        db.commit()
        db.close()
    content = path.read_bytes()
    with pytest.raises(JournalError, match="is not a journal of the Tabletop Companion"):
        Journal(path)
    assert path.read_bytes() == content
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_newer_programs_journal_is_left_alone(path):
    begun(path).close()
    newer = (*MIGRATIONS, "CREATE TABLE later(id INTEGER PRIMARY KEY) STRICT;")
    Journal(path, migrations=newer).close()
    with pytest.raises(JournalError, match="written by a newer Tabletop Companion"):
        Journal(path)


def test_an_older_journal_is_taken_further_with_its_content(path):
    begun(path).close()
    newer = (*MIGRATIONS, "ALTER TABLE match ADD COLUMN place TEXT; UPDATE match SET place = 'home';")
    journal = Journal(path, migrations=newer)
    assert journal._db.execute("SELECT id, place FROM match").fetchall() == [(1, "home")]
    assert len(journal.facts(1)) == 1
    journal.close()


def test_a_migration_that_fails_changes_nothing(path):
    begun(path).close()
    broken = (*MIGRATIONS, "ALTER TABLE match ADD COLUMN place TEXT; SELECT name FROM nowhere;")
    with pytest.raises(JournalError, match="no such table"):
        Journal(path, migrations=broken)
    journal = Journal(path)
    assert len(journal.facts(1)) == 1
    journal.close()


def test_a_folder_that_cannot_be_written_says_so(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(JournalError, match=r"cannot be written: .*Check the folder and the disk"):
        Journal(tmp_path / "file" / "journal.sqlite")


@pytest.mark.parametrize("there", [False, True], ids=["empty folder", "with a journal"])
def test_a_read_only_folder_says_so(path, there):
    path.parent.mkdir(mode=0o755)
    if there:
        begun(path).close()
    path.parent.chmod(0o555)
    code = (
        "import os, sys\nfrom pathlib import Path\nfrom companion.core.journal import Journal, JournalError\n"
        "os.geteuid() == 0 and os.setuid(65534)\n"  # root may write anywhere
        "try:\n    Journal(Path(sys.argv[1]))\nexcept JournalError as error:\n    print(error)"
    )
    for folder in (path.parent, *path.parents):  # the way there must be open to nobody
        if folder.owner() == path.parent.owner() and folder != path.parent and str(folder).startswith("/tmp/"):
            folder.chmod(0o755)
    try:
        run = [sys.executable, "-c", code, str(path)]
        said = subprocess.run(run, capture_output=True, text=True, check=True).stdout
    finally:
        path.parent.chmod(0o755)
    assert "cannot be written: Permission denied. Check the folder and the disk." in said


def test_a_full_disk_loses_nothing_and_play_goes_on_when_there_is_room(tmp_path):
    played = Played(tmp_path / "journal.sqlite")
    played.do(Add(seat="red", number=1))
    before = played.match
    played.journal._db.execute("PRAGMA max_page_count = 1")  # SQLite's own way to run out of room
    said = None
    for number in range(500):
        before = played.match
        try:
            played.do(Add(seat=("blue", "red")[number % 2], number=0, tile="x" * 200))
        except JournalError as error:
            said = str(error)
            break
    assert said is not None and "disk is full" in said
    assert played.match is before
    assert same(played.resumed(), before)
    played.journal._db.execute("PRAGMA max_page_count = 1000000")
    played.do(Add(seat="blue", number=1) if before.state.log[-1][1] == "red" else Add(seat="red", number=1))
    assert same(played.resumed(), played.match)
    played.journal.close()
