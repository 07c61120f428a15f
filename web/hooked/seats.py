"""Seats as people tell them apart: a colour (Okabe-Ito), a shape, a pattern and a name, never the colour alone."""

from __future__ import annotations

from collections.abc import Sequence

MARKS = 6


def mark(seat: str, seats: Sequence[str]) -> int:
    """The number (1 to 6) of a seat's colour, shape and pattern: its own number, else its place at the table."""
    last = seat.rpartition("-")[2]
    if last.isdigit() and 1 <= int(last) <= MARKS:
        return int(last)
    return seats.index(seat) % MARKS + 1 if seat in seats else 1
