"""A match as JSON lines, one step a line: to keep, to send with a question, and to put into another journal.

    {"id": 1, "match": 1, "t_ns": 5, "begins": {"id": 1, "game": "hook", "rules": 1, ...}, "facts": [...], ...}

Facts, questions and commands stand in the lines as they stand in the journal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import msgspec

from companion.core.journal import DoubtEvent, DoubtRow, FactRow, Journal, MatchRow, Step


class _DoubtLine(msgspec.Struct, frozen=True, omit_defaults=True):
    doubt: int
    event: DoubtEvent
    t_ns: int
    question: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    picture: str | None = None


class _StepLine(msgspec.Struct, frozen=True, omit_defaults=True):
    id: int
    match: int
    t_ns: int
    begins: MatchRow | None = None
    command: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    facts: tuple[msgspec.Raw, ...] = ()
    doubts: tuple[_DoubtLine, ...] = ()


class _Numbered(msgspec.Struct):
    fact: str
    id: int


def export(journal: Journal, match: int) -> Iterator[bytes]:
    """The steps of a match, one line each, without line ends."""
    for step in journal.steps(match):
        yield msgspec.json.encode(
            _StepLine(
                step.id,
                step.match,
                step.t_ns,
                step.begins,
                _raw(step.command),
                tuple(msgspec.Raw(fact.json) for fact in step.facts),
                tuple(
                    _DoubtLine(
                        row.doubt,
                        row.event,
                        row.t_ns,
                        _raw(row.question),
                        row.picture,
                    )
                    for row in step.doubts
                ),
            )
        )


def restore(journal: Journal, lines: Iterable[bytes]) -> int:
    """Put a match from lines into a journal, as its newest one, in one transaction. Returns its number there.

    Raises msgspec.ValidationError for lines that are no steps, ValueError where they do not begin a match.
    """
    number = journal.next_match
    steps = []
    for id, line in enumerate(lines, journal.next_step):
        read = msgspec.json.decode(line, type=_StepLine)
        facts = []
        for raw in read.facts:
            named = msgspec.json.decode(raw, type=_Numbered)
            facts.append(FactRow(named.id, named.fact, bytes(raw)))
        doubts = tuple(
            DoubtRow(row.doubt, row.event, row.t_ns, _bytes(row.question), row.picture) for row in read.doubts
        )
        begins = None if read.begins is None else replace(read.begins, id=number)
        command = _bytes(read.command)
        steps.append(Step(id, number, read.t_ns, command, tuple(facts), doubts, begins))
    if not steps or steps[0].begins is None:
        raise ValueError("the first line does not begin a match")
    journal.write(*steps)
    return number


def _raw(data: bytes | None) -> msgspec.Raw | msgspec.UnsetType:
    return msgspec.UNSET if data is None else msgspec.Raw(data)


def _bytes(raw: msgspec.Raw | msgspec.UnsetType) -> bytes | None:
    return bytes(raw) if isinstance(raw, msgspec.Raw) else None
