"""Many evenings at the simulated table: seeds that follow from the commit, and the processes that play them."""

from __future__ import annotations

import hashlib
import multiprocessing
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import TypeVar

from companion import deck as decks
from companion.deck import Deck
from vision.catalog import Catalog, build

CONDITIONS = ("easy", "evening", "harsh")

T = TypeVar("T")
D = TypeVar("D")


def seed_of(origin: str, condition: str, evening: int) -> int:
    """The seed of an evening: another for every commit, the same on every machine."""
    digest = hashlib.sha256(f"{origin} {condition} {evening}".encode()).digest()
    return int.from_bytes(digest[:4], "big")


@cache
def loaded(folder: str) -> tuple[Deck, Catalog]:
    """A deck and what the vision makes of it, once for a process."""
    deck = decks.load(Path(folder))
    return deck, build(deck)


def run(play: Callable[[T], D], todo: list[T], jobs: int) -> Iterator[D]:
    """Play evenings, so many at a time, as they are done. ``play`` is a function of a module."""
    if jobs <= 1:
        yield from map(play, todo)
        return
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        yield from pool.imap_unordered(play, todo)
