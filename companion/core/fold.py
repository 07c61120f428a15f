"""State = fold of the facts, with what was undone and corrected honoured. Pure: the same facts, the same state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from companion.core.codec import META, Codec
from companion.core.facts import Answered, Corrected, Fact, MatchEnded, MatchStarted, Undone
from companion.core.game import Rules


class Entry(msgspec.Struct, frozen=True):
    """One fact as it stands.

    ``fact`` is what counts now (the replacement, where it was corrected; ``original`` is then what was written
    first). ``undone`` facts count for nothing. ``step`` is the number of the command it followed from, ``version``
    the step that last changed how it stands: who corrects it says which version they saw. ``answer`` is the id of
    the ``Answered`` it belongs to: the two are undone together.
    """

    fact: Fact
    step: int
    version: int
    undone: bool = False
    original: Fact | None = None
    answer: int | None = None

    @property
    def id(self) -> int:
        """The number of the fact in its match."""
        return self.fact.id


@dataclass(frozen=True, slots=True)
class Record:
    """A fact as it was written, and the step that wrote it."""

    step: int
    fact: Fact


@dataclass(frozen=True, slots=True)
class Folded:
    """What the facts amount to. ``entries`` are in the order of ids, which begin at 1 without a gap."""

    started: MatchStarted
    ended: bool
    state: Any
    entries: tuple[Entry, ...]


def answers(records: Sequence[Record]) -> dict[int, int]:
    """For each fact that an answer made: the id of its ``Answered``, which stands before it in the same step."""
    found: dict[int, int] = {}
    current: Record | None = None
    for record in records:
        if isinstance(record.fact, Answered):
            current = record
        elif current is not None and record.step == current.step:
            found[record.fact.id] = current.fact.id
    return found


def undone(records: Sequence[Record], answer_of: dict[int, int]) -> frozenset[int]:
    """The ids that do not count. An ``Undone`` that is itself undone undoes nothing."""
    made: dict[int, list[int]] = {}
    for id, answer in answer_of.items():
        made.setdefault(answer, []).append(id)
    gone: set[int] = set()
    for record in reversed(records):  # an Undone always stands after its target, so its own fate is known by now
        fact = record.fact
        if isinstance(fact, Undone) and fact.id not in gone:
            gone.add(fact.target)
            gone.update(made.get(fact.target, ()))
    return frozenset(gone)


def versions(records: Sequence[Record], answer_of: dict[int, int]) -> dict[int, int]:
    """For each fact the step that last changed how it stands."""
    made: dict[int, list[int]] = {}
    for id, answer in answer_of.items():
        made.setdefault(answer, []).append(id)
    by_id = {record.fact.id: record.fact for record in records}
    found: dict[int, int] = {}
    for record in records:
        found[record.fact.id] = record.step
        touched: Fact | None = record.fact
        while isinstance(touched, Undone | Corrected):
            for id in (touched.target, *made.get(touched.target, ())):
                found[id] = record.step
            touched = by_id.get(touched.target)
    return found


def fold(rules: Rules[Any], codec: Codec, records: Sequence[Record]) -> Folded:
    """All of it from the beginning. Raises msgspec.ValidationError where a replacement no longer is a fact."""
    answer_of = answers(records)
    gone = undone(records, answer_of)
    version = versions(records, answer_of)
    corrected = {
        record.fact.target: record.fact  # the last one counts
        for record in records
        if isinstance(record.fact, Corrected) and record.fact.id not in gone
    }
    entries = []
    for record in records:
        fact, original = record.fact, None
        if fact.id in corrected:
            fact, original = codec.replacement(fact, corrected[fact.id].replacement), fact
        entries.append(Entry(fact, record.step, version[fact.id], fact.id in gone, original, answer_of.get(fact.id)))
    started = entries[0].fact
    if not isinstance(started, MatchStarted):
        raise ValueError("a match begins with MatchStarted")
    state = rules.start(started)
    ended = False
    for entry in entries:
        if entry.undone:
            continue
        if isinstance(entry.fact, MatchEnded):
            ended = True
        elif not isinstance(entry.fact, META):
            state = rules.apply(state, entry.fact)
    return Folded(started, ended, state, tuple(entries))


def extend(rules: Rules[Any], folded: Folded, records: Sequence[Record]) -> Folded:
    """The same as folding anew, for facts at the end that change nothing before them."""
    answer_of = answers(records)
    state, ended = folded.state, folded.ended
    for record in records:
        if isinstance(record.fact, MatchEnded):
            ended = True
        elif not isinstance(record.fact, META):
            state = rules.apply(state, record.fact)
    entries = (Entry(record.fact, record.step, record.step, answer=answer_of.get(record.fact.id)) for record in records)
    return Folded(folded.started, ended, state, (*folded.entries, *entries))
