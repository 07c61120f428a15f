"""A match: one game's rules over an append-only list of facts. A frozen value: every command makes the next one.

``propose`` answers a command with a ``Proposal``: the step to be written and the match as it will be then. Nobody
sees that match before ``Journal.write`` has the step on the disk; ``play`` does both in the right order.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import msgspec

from companion.core import fold as folding
from companion.core.codec import META, Codec, body, tag, tag_of
from companion.core.doubts import Book, Photographer
from companion.core.facts import (
    Answer,
    Answered,
    Command,
    Correct,
    Corrected,
    Doubt,
    Fact,
    MatchEnded,
    MatchStarted,
    Question,
    Redo,
    RuleBroken,
    Undo,
    Undone,
    UndoStep,
)
from companion.core.fold import Entry, Folded, Record
from companion.core.game import Conflict, Rules
from companion.core.journal import FactRow, Journal, MatchRow, Step
from companion.words import Text, _


class CannotFold(Exception):
    """A match that this program cannot continue (other rules, unknown facts). Carries the sentence for people."""

    def __init__(self, sentence: Text) -> None:
        super().__init__(str(sentence))
        self.sentence = sentence


class Overtaken(RuleBroken):
    """A command that would have been right, had not somebody else been quicker."""


class EndMatch(Command, frozen=True, kw_only=True):
    """The table is done with the match."""


@dataclass(frozen=True)
class Match:
    """A match as it stands after its last step. Get one from ``begin``, ``resume`` or a ``Proposal``."""

    number: int
    rules: Rules[Any]
    codec: Codec
    records: tuple[Record, ...]
    folded: Folded
    questions: tuple[Question, ...]
    book: Book

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
    def entries(self) -> tuple[Entry, ...]:
        """All facts in their order, each as it stands."""
        return self.folded.entries

    @property
    def ended(self) -> bool:
        """Whether the table was told to put this match away."""
        return self.folded.ended

    @cached_property
    def over(self) -> bool:
        """Whether the rules say that the game has been decided."""
        return self.rules.over(self.state)

    @cached_property
    def conflicts(self) -> tuple[Conflict, ...]:
        """Facts that a correction has made impossible, and why. They count for nothing."""
        return tuple(self.rules.conflicts(self.state))

    @cached_property
    def doubts(self) -> tuple[Doubt, ...]:
        """The open doubts, in the order in which they should be asked."""
        return tuple(item.doubt(None) for item in self.book.opened())

    @cached_property
    def settled(self) -> tuple[Doubt, ...]:
        """The doubts that are closed, by number, with the answer that closed them if there was one."""
        given = {
            entry.fact.doubt: entry.fact.value
            for entry in self.entries
            if isinstance(entry.fact, Answered) and not entry.undone
        }
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
        facts = self._decide(command)
        return self._with(facts, command, step, command.t_ns or t_ns, photographer)

    def caught_up(self, *, step: int, t_ns: int) -> Proposal:
        """The step that makes the open doubts what the rules ask now. Empty unless a newer program asks otherwise."""
        return self._with((), None, step, t_ns, lambda _question: None)

    def _decide(self, command: Command) -> Sequence[Fact]:
        match command:
            case Undo():
                return (Undone(target=self._undoable(command.target).id),)
            case UndoStep():
                return self._undo_step(command.step)
            case Redo():
                return (Undone(target=self._undoing(command.target)),)
            case Correct():
                return (self._correct(command),)
            case Answer():
                return self._answer(command)
            case EndMatch():
                if self.ended:
                    raise Overtaken(_("This match has already been ended."))
                return (MatchEnded(),)
        if not isinstance(command, self.rules.commands):
            raise RuleBroken(_("{command} is not a command of this game.", command=tag(command)))
        if self.ended:
            raise RuleBroken(_("This match has been ended."))
        return self.rules.decide(self.state, command)

    def _existing(self, id: int) -> Entry:
        entry = self.entry(id)
        if entry is None:
            raise RuleBroken(_("There is no entry number {id} in this match.", id=id))
        return entry

    def _undoable(self, id: int) -> Entry:
        entry = self._existing(id)
        if entry.answer is not None:  # an answer and what it made stand and fall together
            entry = self._existing(entry.answer)
        if isinstance(entry.fact, MatchStarted):
            raise RuleBroken(_("The start of the match cannot be taken back. End the match instead."))
        if entry.undone:
            raise Overtaken(_("That has already been taken back."))
        return entry

    def _undo_step(self, step: int) -> Sequence[Fact]:
        of_step = [entry for entry in self.entries if entry.step == step and entry.answer is None]
        if not of_step:
            raise RuleBroken(_("There is nothing to take back."))
        standing = [entry for entry in of_step if not entry.undone]
        if not standing:
            raise Overtaken(_("That has already been taken back."))
        return [Undone(target=self._undoable(entry.id).id) for entry in reversed(standing)]

    def _undoing(self, id: int) -> int:
        """The id of the ``Undone`` that keeps this fact from counting."""
        entry = self._existing(id)
        target = id if entry.answer is None else entry.answer
        for other in reversed(self.entries):
            if isinstance(other.fact, Undone) and other.fact.target == target and not other.undone:
                return other.id
        raise Overtaken(_("That has not been taken back."))

    def _correct(self, command: Correct) -> Corrected:
        entry = self._existing(command.target)
        if isinstance(entry.fact, Corrected):
            entry = self._existing(entry.fact.target)
        if isinstance(entry.fact, META) and not isinstance(entry.fact, MatchStarted):
            raise RuleBroken(_("That is not something that can be corrected. Take it back instead."))
        if entry.undone:
            raise Overtaken(_("That was taken back. Let it count again first."))
        try:
            new = self.codec.settle(self.codec.replacement(entry.fact, command.replacement))
        except msgspec.ValidationError as error:
            raise RuleBroken(_("That correction cannot be understood: {reason}.", reason=str(error))) from error
        if new == entry.fact:
            raise RuleBroken(_("That is what it says already."))
        if isinstance(entry.fact, MatchStarted):
            self._check_new_start(entry.fact, new)
        elif isinstance(new, META):
            raise RuleBroken(_("That correction would make it another kind of entry."))
        else:
            self.rules.replace(self.state, entry.fact, new)
        return Corrected(target=entry.id, replacement=body(new))

    def _check_new_start(self, old: MatchStarted, new: Fact) -> None:
        if not isinstance(new, MatchStarted) or (new.game, new.rules) != (old.game, old.rules):
            raise RuleBroken(_("The game of a match cannot be changed. Start another match instead."))
        self.rules.check(new)

    def _answer(self, command: Answer) -> Sequence[Fact]:
        item = self.book.get(command.doubt)
        if item is None:
            raise RuleBroken(_("There is no question number {id} in this match.", id=command.doubt))
        question = next((q for q in self.questions if q.key == item.question.key), None)
        if item.closed or question is None:
            raise Overtaken(_("That question has been settled already."))
        if question.seat is not None and command.by not in (None, question.seat):
            raise RuleBroken(_("That question is for another player to answer."))
        made = self.rules.answer(self.state, question, command.value)
        return (Answered(doubt=item.id, key=question.key, value=command.value, by=command.by), *made)

    def _with(
        self, facts: Sequence[Fact], command: Command | None, step: int, t_ns: int, photographer: Photographer
    ) -> Proposal:
        first = len(self.records) + 1
        new = tuple(
            Record(step, self.codec.settle(msgspec.structs.replace(fact, id=id, t_ns=t_ns)))
            for id, fact in enumerate(facts, first)
        )
        records = (*self.records, *new)
        if any(isinstance(record.fact, Undone | Corrected) for record in new):
            folded = folding.fold(self.rules, self.codec, records)
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
    records = (Record(step, fact),)
    folded = folding.fold(rules, codec, records)
    empty = Match(number, rules, codec, (), folded, (), Book())
    proposal = _proposal(
        empty, records, folded, command=command, step=step, t_ns=t_ns, photographer=lambda _question: None
    )
    row = MatchRow(number, rules.name, rules.version)
    return Proposal(dataclasses.replace(proposal.step, begins=row), proposal.match)


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
        records = tuple(Record(step, codec.decode(fact.json)) for step, fact in journal.facts(row.id))
        folded = folding.fold(rules, codec, records)
    except (msgspec.DecodeError, ValueError, LookupError) as error:
        raise CannotFold(
            _("Match {number} cannot be read: {reason}. It is kept as it is.", number=row.id, reason=str(error))
        ) from error
    questions = tuple(rules.questions(folded.state))
    book = Book().after(journal.doubts(row.id)).asking(questions)
    return Match(row.id, rules, codec, records, folded, questions, book)


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


def _proposal(
    match: Match,
    records: tuple[Record, ...],
    folded: Folded,
    *,
    command: Command | None,
    step: int,
    t_ns: int,
    photographer: Photographer,
) -> Proposal:
    questions = tuple(match.rules.questions(folded.state))
    rows = match.book.changes(questions, t_ns, photographer)
    book = match.book.after((step, row) for row in rows).asking(questions)
    after = Match(match.number, match.rules, match.codec, records, folded, questions, book)
    assert (
        isinstance(after.over, bool) and after.conflicts is not None
    )  # so that rules that fail, fail before anything is written
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
