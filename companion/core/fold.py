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


STRIDE = 16
"""After so many facts a state is kept, so that undoing something recent need not fold the whole match."""


@dataclass(frozen=True, slots=True)
class Folded:
    """What the facts amount to. ``entries`` are in the order of ids, which begin at 1 without a gap.

    ``kept[n]`` is the state after the first ``(n + 1) * STRIDE`` facts.
    """

    started: MatchStarted
    ended: bool
    state: Any
    entries: tuple[Entry, ...]
    kept: tuple[Any, ...]


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


def fold(rules: Rules[Any], codec: Codec, records: Sequence[Record], before: Folded | None = None) -> Folded:
    """The facts folded anew; ``before`` is what fewer of them amounted to, and spares what they have in common.

    Raises msgspec.ValidationError where a replacement is no fact (any more), ValueError where no match begins.
    """
    entries = _entries(codec, records)
    started = entries[0].fact
    if not isinstance(started, MatchStarted):
        raise ValueError("a match begins with MatchStarted")
    kept: tuple[Any, ...] = ()
    if before is not None:
        kept = before.kept[: _alike(before.entries, entries) // STRIDE]
    state = kept[-1] if kept else rules.start(started)
    return _run(rules, started, state, kept, entries, len(kept) * STRIDE, _ended(entries))


def extend(rules: Rules[Any], folded: Folded, records: Sequence[Record]) -> Folded:
    """The same as folding anew, for facts at the end that change nothing before them."""
    answer_of = answers(records)
    new = [Entry(record.fact, record.step, record.step, answer=answer_of.get(record.fact.id)) for record in records]
    entries = (*folded.entries, *new)
    ended = folded.ended or _ended(new)
    return _run(rules, folded.started, folded.state, folded.kept, entries, len(folded.entries), ended)


def _entries(codec: Codec, records: Sequence[Record]) -> tuple[Entry, ...]:
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
    return tuple(entries)


def _ended(entries: Sequence[Entry]) -> bool:
    return any(isinstance(entry.fact, MatchEnded) and not entry.undone for entry in entries)


def _alike(old: Sequence[Entry], new: Sequence[Entry]) -> int:
    """How many entries from the beginning count the same in both."""
    number = 0
    for one, other in zip(old, new, strict=False):
        if one.undone != other.undone or (one.fact is not other.fact and one.fact != other.fact):
            break
        number += 1
    return number


def _run(
    rules: Rules[Any],
    started: MatchStarted,
    state: Any,
    kept: tuple[Any, ...],
    entries: tuple[Entry, ...],
    done: int,
    ended: bool,
) -> Folded:
    keep = list(kept)
    for number, entry in enumerate(entries[done:], done + 1):
        if not entry.undone and not isinstance(entry.fact, META):
            state = rules.apply(state, entry.fact)
        if number % STRIDE == 0:
            keep.append(state)
    return Folded(started, ended, state, entries, tuple(keep))
