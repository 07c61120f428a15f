"""The open questions of a match: numbered, with a picture, opened and closed as the state changes.

All doubts follow from the state. After every step the questions of the rules are compared, by their keys, with the
open doubts; the differences are written down with the facts that made them. A question that comes back (an answer
was undone) is the same doubt again, with its number and picture.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import msgspec

from companion.core.facts import Doubt, Question
from companion.core.journal import DoubtRow

Photographer = Callable[[Question], str | None]
"""Takes the picture of a doubt that is about to be written down, and gives its name; None where there is none."""


@dataclass(frozen=True, slots=True)
class Item:
    """One doubt: as it was last asked. ``raw`` is the question's JSON, by which two are compared."""

    id: int
    t_ns: int
    question: Question
    raw: bytes
    picture: str | None
    closed: bool
    version: int

    def doubt(self, answer: str | None) -> Doubt:
        """What pages see of it."""
        return Doubt(self.id, self.t_ns, self.question, self.picture, answer, self.closed, self.version)


@dataclass(frozen=True, slots=True)
class Book:
    """All doubts of a match by number, and the numbers of the open ones in the order in which they are asked."""

    items: dict[int, Item] = field(default_factory=dict)
    order: tuple[int, ...] = ()

    def get(self, id: int) -> Item | None:
        """The doubt of that number."""
        return self.items.get(id)

    def opened(self) -> tuple[Item, ...]:
        """The open doubts, in the order in which they should be asked."""
        return tuple(self.items[id] for id in self.order)

    def changes(self, questions: Sequence[Question], t_ns: int, photographer: Photographer) -> tuple[DoubtRow, ...]:
        """What has to be written so that the open doubts are these questions."""
        by_key = {item.question.key: item for item in self.items.values()}
        rows: list[DoubtRow] = []
        number = max(self.items, default=0)
        asked = set()
        for question in _first_of_each_key(questions):
            asked.add(question.key)
            raw = msgspec.json.encode(question)
            item = by_key.get(question.key)
            if item is None:
                number += 1
                rows.append(DoubtRow(number, "opened", t_ns, raw, photographer(question)))
            elif item.closed:
                rows.append(DoubtRow(item.id, "reopened", t_ns, raw, item.picture or photographer(question)))
            elif item.raw != raw:
                rows.append(DoubtRow(item.id, "changed", t_ns, raw, item.picture))
        gone = [item for item in self.opened() if item.question.key not in asked]
        return (*(DoubtRow(item.id, "closed", t_ns) for item in gone), *rows)

    def after(self, rows: Iterable[tuple[int, DoubtRow]]) -> Book:
        """The book after what was written, each row with its step. ``order`` follows with ``asking``."""
        items = dict(self.items)
        for step, row in rows:
            old = items.get(row.doubt)
            if row.question is not None:
                question = msgspec.json.decode(row.question, type=Question)
                t_ns = row.t_ns if old is None else old.t_ns
                items[row.doubt] = Item(row.doubt, t_ns, question, row.question, row.picture, False, step)
            elif old is not None:
                items[row.doubt] = Item(old.id, old.t_ns, old.question, old.raw, old.picture, True, step)
        return Book(items, tuple(item.id for item in items.values() if not item.closed))

    def asking(self, questions: Sequence[Question]) -> Book:
        """The same book, its open doubts in the order of the questions."""
        place = {question.key: index for index, question in reversed(list(enumerate(questions)))}
        order = sorted(self.order, key=lambda id: place.get(self.items[id].question.key, len(place)))
        return Book(self.items, tuple(order))


def _first_of_each_key(questions: Sequence[Question]) -> Iterable[Question]:
    return {question.key: question for question in reversed(questions)}.values().__reversed__()
