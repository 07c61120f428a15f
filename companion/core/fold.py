"""State = fold of the facts, with what was undone and corrected honoured. Pure: the same facts, the same state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from companion.core.codec import META, Codec
from companion.core.facts import Answered, Corrected, Fact, MatchEnded, MatchStarted, Undone
from companion.core.game import Rules
from companion.core.growing import Growing


class Entry(msgspec.Struct, frozen=True, gc=False):
    """One fact as it stands.

    ``fact`` is what counts now (the replacement, where it was corrected; ``original`` is then what was written
    first). ``undone`` facts count for nothing. ``step`` is the number of the command it followed from, ``version``
    the step that last changed how it stands, or said something about it: who corrects it says which version they saw.
    ``answer`` is the id of the ``Answered`` it belongs to: the two are undone together.
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


class Record(msgspec.Struct, frozen=True, gc=False):
    """A fact as it was written, and the step that wrote it."""

    step: int
    fact: Fact


STRIDE = 16
"""After so many facts a state is kept, so that undoing something recent need not fold the whole match."""
NEAR = 16
"""So many kept states in a row are so close together; the next ones are twice as far apart, and so on."""


class Folded(msgspec.Struct, frozen=True, gc=False):
    """What the facts amount to. ``entries`` are in the order of ids, which begin at 1 without a gap.

    ``kept`` are states on the way, each with the number of facts it comes after: many near the end and few far from it,
    since most of what is undone is recent. ``given`` is the answer that stands to a doubt.
    """

    started: MatchStarted
    ended: bool
    given: Mapping[int, str]
    state: Any
    entries: Growing[Entry]
    kept: tuple[tuple[int, Any], ...]


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
        touching = [record.fact] if record.fact.about else []
        while touching:
            about = touching.pop().about
            for id in (about, *made.get(about, ())):
                if id in by_id and found.get(id) != record.step:
                    found[id] = record.step
                    touching.append(by_id[id])
    return found


def fold(rules: Rules[Any], codec: Codec, records: Sequence[Record], before: Folded | None = None) -> Folded:
    """The facts folded anew; ``before`` is what fewer of them amounted to, and spares what they have in common.

    Raises msgspec.ValidationError where a replacement is no fact (any more), ValueError where no match begins.
    """
    entries = Growing(_entries(codec, records))
    started = entries[0].fact
    if not isinstance(started, MatchStarted):
        raise ValueError("a match begins with MatchStarted")
    kept: tuple[tuple[int, Any], ...] = ()
    if before is not None:
        alike = _alike(before.entries, entries)
        kept = tuple(one for one in before.kept if one[0] <= alike)
    done, state = kept[-1] if kept else (0, rules.start(started))
    return _run(rules, started, state, kept, entries, done, _ended(entries), _given(entries))


def extend(rules: Rules[Any], folded: Folded, records: Sequence[Record]) -> Folded:
    """The same as folding anew, for facts at the end that undo and correct nothing before them."""
    answer_of = answers(records)
    new = tuple(Entry(one.fact, one.step, one.step, answer=answer_of.get(one.fact.id)) for one in records)
    entries = folded.entries.plus(new)
    said = [(one.fact.about, one.step) for one in records if one.fact.about]
    if said:
        stand = list(entries)
        for id, step in said:
            stand[id - 1] = msgspec.structs.replace(stand[id - 1], version=step)
        entries = Growing(stand)
    answered = _given(new)
    given = {**folded.given, **answered} if answered else folded.given
    ended = folded.ended or _ended(new)
    return _run(rules, folded.started, folded.state, folded.kept, entries, len(folded.entries), ended, given)


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


def _given(entries: Sequence[Entry]) -> dict[int, str]:
    return {
        entry.fact.doubt: entry.fact.value for entry in entries if isinstance(entry.fact, Answered) and not entry.undone
    }


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
    kept: tuple[tuple[int, Any], ...],
    entries: Growing[Entry],
    done: int,
    ended: bool,
    given: Mapping[int, str],
) -> Folded:
    for number, entry in enumerate(entries[done:], done + 1):
        if not entry.undone and not isinstance(entry.fact, META):
            state = rules.apply(state, entry.fact)
        if number % STRIDE == 0:
            kept = (*(one for one in kept if _worth_keeping(one[0], number)), (number, state))
    return Folded(started, ended, given, state, entries, kept)


def _worth_keeping(number: int, now: int) -> bool:
    """Whether the state after ``number`` facts is still kept when there are ``now``: the older, the fewer."""
    doubled = ((now - number) // (STRIDE * NEAR)).bit_length()
    return number % (STRIDE << doubled) == 0
