"""The tables of the journal. ``user_version`` of the file counts how many of the migrations it has had."""

from __future__ import annotations

TABLES = ("match", "step", "fact", "doubt", "press")

MIGRATIONS: tuple[str, ...] = (
    """
    CREATE TABLE match (
        id INTEGER PRIMARY KEY,
        game TEXT NOT NULL,
        rules INTEGER NOT NULL,
        created TEXT NOT NULL
    ) STRICT;
    CREATE TABLE step (
        id INTEGER PRIMARY KEY,
        match INTEGER NOT NULL REFERENCES match(id),
        t_ns INTEGER NOT NULL,
        boot TEXT NOT NULL,
        wall TEXT NOT NULL,
        command TEXT
    ) STRICT;
    CREATE TABLE fact (
        match INTEGER NOT NULL REFERENCES match(id),
        id INTEGER NOT NULL,
        step INTEGER NOT NULL REFERENCES step(id),
        tag TEXT NOT NULL,
        json TEXT NOT NULL,
        PRIMARY KEY (match, id)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE doubt (
        number INTEGER PRIMARY KEY,
        match INTEGER NOT NULL REFERENCES match(id),
        doubt INTEGER NOT NULL,
        step INTEGER NOT NULL REFERENCES step(id),
        event TEXT NOT NULL,
        t_ns INTEGER NOT NULL,
        question TEXT,
        picture TEXT
    ) STRICT;
    CREATE INDEX doubt_of_match ON doubt(match, number);
    CREATE TABLE press (
        number INTEGER PRIMARY KEY,
        match INTEGER,
        seat TEXT NOT NULL,
        t_ns INTEGER NOT NULL,
        level INTEGER NOT NULL,
        clock TEXT NOT NULL,
        boot TEXT NOT NULL
    ) STRICT;
    """,
)
"""Each entry takes the tables one version further. Entries are only ever added: statements end with a semicolon."""
