"""A match: one game's rules over an append-only list of facts. A frozen value: every command makes the next one.

``propose`` answers a command with a ``Proposal``: the step to be written and the match as it will be then. Nobody
sees that match before ``Journal.write`` has the step on the disk; ``play`` does both in the right order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import msgspec

from companion.core import fold as folding
from companion.core.codec import Codec, tag, tag_of
from companion.core.decide import decide
from companion.core.doubts import Book, Photographer
from companion.core.facts import (
    Command,
    Corrected,
    Doubt,
    Fact,
    MatchEnded,
    MatchStarted,
    Question,
    Undone,
)
from companion.core.fold import Entry, Folded, Record
from companion.core.game import Conflict, Rules
from companion.core.growing import Growing
from companion.core.journal import DoubtRow, FactRow, Journal, MatchRow, Step
from companion.words import Text, _


class CannotFold(Exception):
    """A match that this program cannot continue (other rules, unknown facts). Carries the sentence for people."""

    def __init__(self, sentence: Text) -> None:
        super().__init__(str(sentence))
        self.sentence = sentence


@dataclass(frozen=True)
class Match:
    """A match as it stands after its last step. Get one from ``begin``, ``resume`` or a ``Proposal``."""

    number: int
    rules: Rules[Any]
    codec: Codec
    records: Growing[Record]
    folded: Folded
    questions: tuple[Question, ...]
    book: Book
    over: bool = False
    """Whether the rules say that the game has been decided."""
    conflicts: tuple[Conflict, ...] = ()
    """Facts that a correction has made impossible, and why. They count for nothing."""

    # what it is now

    @property
    def started(self) -> MatchStarted:
        """The set-up, as corrected."""
        return self.folded.started

    @property
    def state(self) -> Any:
        """The game's own state."""
        return self.folded.state

    @property
    def entries(self) -> Sequence[Entry]:
        """All facts in their order, each as it stands."""
        return self.folded.entries

    @property
    def ended(self) -> bool:
        """Whether the table was told to put this match away."""
        return self.folded.ended

    @cached_property
    def doubts(self) -> tuple[Doubt, ...]:
        """The open doubts, in the order in which they should be asked."""
        return tuple(item.doubt(None) for item in self.book.opened())

    @cached_property
    def settled(self) -> tuple[Doubt, ...]:
        """The doubts that are closed, by number, with the answer that closed them if there was one."""
        given = self.folded.given
        return tuple(item.doubt(given.get(item.id)) for item in self.book.items.values() if item.closed)

    def entry(self, id: int) -> Entry | None:
        """The fact of that id as it stands."""
        return self.entries[id - 1] if 0 < id <= len(self.entries) else None

    # what comes next

    def propose(
        self, command: Command, *, step: int, t_ns: int, photographer: Photographer = lambda _question: None
    ) -> Proposal:
        """What follows from a command. Raises RuleBroken when the rules, or what has happened since, forbid it.

        ``t_ns`` is now; a command that says when it happened counts for then. Pictures of doubts that open are
        taken (and must be on the disk) before this returns.
        """
        facts = decide(self, command)
        return self._with(facts, command, step, command.t_ns or t_ns, photographer)

    def caught_up(self, *, step: int, t_ns: int) -> Proposal:
        """The step that makes the open doubts what the rules ask now. Empty unless a newer program asks otherwise."""
        return self._with((), None, step, t_ns, lambda _question: None)

    def _with(
        self, facts: Sequence[Fact], command: Command | None, step: int, t_ns: int, photographer: Photographer
    ) -> Proposal:
        first = len(self.records) + 1
        new = tuple(
            Record(step, self.codec.settle(msgspec.structs.replace(fact, id=id, t_ns=t_ns)))
            for id, fact in enumerate(facts, first)
        )
        records = self.records.plus(new)
        if any(isinstance(record.fact, Undone | Corrected) for record in new):
            folded = folding.fold(self.rules, self.codec, records, self.folded)
        else:
            folded = folding.extend(self.rules, self.folded, new)
        return _proposal(self, records, folded, command=command, step=step, t_ns=t_ns, photographer=photographer)


@dataclass(frozen=True)
class Proposal:
    """A step to be written, and the match after it."""

    step: Step
    match: Match

    @property
    def empty(self) -> bool:
        """Whether nothing follows, so that nothing need be written."""
        return not self.step.facts and not self.step.doubts


def begin(
    number: int,
    rules: Rules[Any],
    started: MatchStarted,
    *,
    step: int,
    t_ns: int,
    command: Command | None = None,
) -> Proposal:
    """A new match. Raises RuleBroken for an impossible set-up."""
    rules.check(started)
    codec = Codec(rules.facts)
    fact = codec.settle(msgspec.structs.replace(started, id=1, t_ns=t_ns, game=rules.name, rules=rules.version))
    records = Growing([Record(step, fact)])
    folded = folding.fold(rules, codec, records)
    empty = Match(number, rules, codec, Growing(), folded, (), Book())
    proposal = _proposal(
        empty, records, folded, command=command, step=step, t_ns=t_ns, photographer=lambda _question: None
    )
    row = MatchRow(number, rules.name, rules.version)
    return Proposal(msgspec.structs.replace(proposal.step, begins=row), proposal.match)


def resume(journal: Journal, row: MatchRow, rules: Rules[Any]) -> Match:
    """A match exactly as it was after its last step. CannotFold says why it cannot be continued."""
    if rules.version != row.rules or rules.name != row.game:
        raise CannotFold(
            _(
                "Match {number} was played by version {old} of the rules of {game}, and this program has version "
                "{new}. It is kept, but cannot be continued here.",
                number=row.id,
                old=row.rules,
                game=row.game,
                new=rules.version,
            )
        )
    codec = Codec(rules.facts)
    try:
        records = Growing(Record(step, codec.decode(fact.json)) for step, fact in journal.facts(row.id))
        folded = folding.fold(rules, codec, records)
    except (msgspec.DecodeError, ValueError, LookupError) as error:
        raise CannotFold(
            _("Match {number} cannot be read: {reason}. It is kept as it is.", number=row.id, reason=str(error))
        ) from error
    questions = tuple(rules.questions(folded.state))
    book = Book().after(journal.doubts(row.id)).asking(questions)
    empty = Match(row.id, rules, codec, Growing(), folded, (), Book())
    return _after(empty, records, folded, questions, book)


def is_ended(journal: Journal, number: int) -> bool:
    """Whether the table is done with a match, told without its rules."""
    codec = Codec(())
    records = [
        Record(step, codec.decode(row.json))
        for step, row in journal.facts(number)
        if row.tag in (tag_of(MatchEnded), tag_of(Undone))
    ]
    gone = folding.undone(records, {})
    return any(isinstance(record.fact, MatchEnded) and record.fact.id not in gone for record in records)


def play(
    journal: Journal,
    match: Match,
    command: Command,
    *,
    t_ns: int,
    photographer: Photographer = lambda _question: None,
) -> Match:
    """Propose, write, and only then hand on. RuleBroken or JournalError: the match is as before."""
    proposal = match.propose(command, step=journal.next_step, t_ns=t_ns, photographer=photographer)
    if not proposal.empty:
        journal.write(proposal.step)
    return proposal.match


def _after(
    match: Match, records: Growing[Record], folded: Folded, questions: tuple[Question, ...], book: Book
) -> Match:
    """The match after a step, with all of the rules' judgement, asked here so that rules that fail do so before
    anything is written."""
    rules, state = match.rules, folded.state
    over, conflicts = rules.over(state), tuple(rules.conflicts(state))
    return Match(match.number, rules, match.codec, records, folded, questions, book, over, conflicts)


def _proposal(
    match: Match,
    records: Growing[Record],
    folded: Folded,
    *,
    command: Command | None,
    step: int,
    t_ns: int,
    photographer: Photographer,
) -> Proposal:
    questions = tuple(match.rules.questions(folded.state))
    rows: tuple[DoubtRow, ...] = ()
    book = match.book
    if questions != tuple(item.question for item in book.opened()):
        rows = book.changes(questions, t_ns, photographer)
        book = book.after((step, row) for row in rows).asking(questions)
    after = _after(match, records, folded, questions, book)
    facts = [record.fact for record in records[len(match.records) :]]
    return Proposal(
        Step(
            step,
            match.number,
            t_ns,
            None if command is None else msgspec.json.encode(command),
            tuple(FactRow(fact.id, tag(fact), match.codec.encode(fact)) for fact in facts),
            rows,
        ),
        after,
    )
