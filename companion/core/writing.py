"""How steps and edges become rows of the journal."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import TYPE_CHECKING

from companion.world import Press

if TYPE_CHECKING:
    from companion.core.journal import Step

ROWS = 50
"""So many rows are inserted with one statement, at most."""


def insert_steps(db: sqlite3.Connection, steps: Sequence[Step], *, boot: str, wall: str) -> None:
    """Write down steps with all that belongs to them. ``wall`` is the label of now."""
    begun = [step.begins for step in steps if step.begins is not None]
    _insert(db, "match(id, game, rules, created)", [(row.id, row.game, row.rules, wall) for row in begun])
    _insert(
        db,
        "step(id, match, t_ns, boot, wall, command)",
        [(step.id, step.match, step.t_ns, boot, wall, _text(step.command)) for step in steps],
    )
    _insert(
        db,
        "fact(match, id, step, tag, json)",
        [(step.match, fact.id, step.id, fact.tag, _text(fact.json)) for step in steps for fact in step.facts],
    )
    _insert(
        db,
        "doubt(match, doubt, step, event, t_ns, question, picture)",
        [
            (step.match, row.doubt, step.id, row.event, row.t_ns, _text(row.question), row.picture)
            for step in steps
            for row in step.doubts
        ],
    )


def insert_presses(db: sqlite3.Connection, match: int | None, presses: Sequence[Press], *, boot: str) -> None:
    """Write down raw edges, in the order of their arrival."""
    _insert(
        db,
        "press(match, seat, t_ns, level, clock, boot)",
        [(match, press.seat, press.t_ns, press.level, press.clock, boot) for press in presses],
    )


def _insert(db: sqlite3.Connection, into: str, rows: Sequence[tuple[object, ...]]) -> None:
    """Insert rows in their order, many with one statement: around each one the interpreter is let go and asked for
    again, which another busy thread makes slow."""
    for begin in range(0, len(rows), ROWS):
        some = rows[begin : begin + ROWS]
        places = ", ".join([f"({', '.join('?' * len(some[0]))})"] * len(some))
        db.execute(f"INSERT INTO {into} VALUES {places}", [value for row in some for value in row])


def _text(data: bytes | None) -> str | None:
    return None if data is None else data.decode()
