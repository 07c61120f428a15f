"""What follows from a command: the shared commands are decided here, the others by the rules of the game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from companion.core.codec import META, body, tag
from companion.core.facts import (
    Answer,
    Answered,
    Command,
    Correct,
    Corrected,
    EndMatch,
    Fact,
    MatchEnded,
    MatchStarted,
    Overtaken,
    Redo,
    RuleBroken,
    Undo,
    Undone,
    UndoStep,
)
from companion.core.fold import Entry
from companion.words import _

if TYPE_CHECKING:
    from companion.core.match import Match


def decide(match: Match, command: Command) -> Sequence[Fact]:
    """The facts that follow from a command, not yet numbered.

    Raises RuleBroken when the rules forbid it, and Overtaken when something that has happened since does.
    """
    match command:
        case Undo():
            return (Undone(target=_undoable(match, command.target).id),)
        case UndoStep():
            return _undo_step(match, command.step)
        case Redo():
            return [Undone(target=id) for id in _undoing(match, command.target)]
        case Correct():
            return (_correct(match, command),)
        case Answer():
            return _answer(match, command)
        case EndMatch():
            if match.ended:
                raise Overtaken(_("This match has already been ended."))
            return (MatchEnded(),)
    if not isinstance(command, match.rules.commands):
        raise RuleBroken(_("{command} is not a command of this game.", command=tag(command)))
    if match.ended:
        raise RuleBroken(_("This match has been ended."))
    return match.rules.decide(match.state, command)


def _existing(match: Match, id: int) -> Entry:
    entry = match.entry(id)
    if entry is None:
        raise RuleBroken(_("There is no entry number {id} in this match.", id=id))
    return entry


def _undoable(match: Match, id: int) -> Entry:
    entry = _existing(match, id)
    if entry.answer is not None:  # an answer and what it made stand and fall together
        entry = _existing(match, entry.answer)
    if isinstance(entry.fact, MatchStarted):
        raise RuleBroken(_("The start of the match cannot be taken back. End the match instead."))
    if entry.undone:
        raise Overtaken(_("That has already been taken back."))
    return entry


def _undo_step(match: Match, step: int) -> Sequence[Fact]:
    of_step = [entry for entry in match.entries if entry.step == step and entry.answer is None]
    if not of_step:
        raise RuleBroken(_("There is nothing to take back."))
    standing = [entry for entry in of_step if not entry.undone]
    if not standing:
        raise Overtaken(_("That has already been taken back."))
    return [Undone(target=_undoable(match, entry.id).id) for entry in reversed(standing)]


def _undoing(match: Match, id: int) -> Sequence[int]:
    """The ids of all ``Undone`` that keep this fact from counting: several, where one was itself taken back before."""
    entry = _existing(match, id)
    target = id if entry.answer is None else entry.answer
    found = [e.id for e in match.entries if isinstance(e.fact, Undone) and e.fact.target == target and not e.undone]
    if not found:
        raise Overtaken(_("That has not been taken back."))
    return found


def _correct(match: Match, command: Correct) -> Corrected:
    entry = _existing(match, command.target)
    if isinstance(entry.fact, Corrected):
        entry = _existing(match, entry.fact.target)
    if isinstance(entry.fact, META) and not isinstance(entry.fact, MatchStarted):
        raise RuleBroken(_("That is not something that can be corrected. Take it back instead."))
    if entry.undone:
        raise Overtaken(_("That was taken back. Let it count again first."))
    try:
        new = match.codec.settle(match.codec.replacement(entry.fact, command.replacement))
    except msgspec.ValidationError as error:
        raise RuleBroken(_("That correction cannot be understood: {reason}.", reason=str(error))) from error
    if new == entry.fact:
        raise RuleBroken(_("That is what it says already."))
    if isinstance(entry.fact, MatchStarted):
        _check_new_start(match, entry.fact, new)
    elif isinstance(new, META):
        raise RuleBroken(_("That correction would make it another kind of entry."))
    else:
        match.rules.replace(match.state, entry.fact, new)
    return Corrected(target=entry.id, replacement=body(new))


def _check_new_start(match: Match, old: MatchStarted, new: Fact) -> None:
    if not isinstance(new, MatchStarted) or (new.game, new.rules) != (old.game, old.rules):
        raise RuleBroken(_("The game of a match cannot be changed. Start another match instead."))
    match.rules.check(new)


def _answer(match: Match, command: Answer) -> Sequence[Fact]:
    item = match.book.get(command.doubt)
    if item is None:
        raise RuleBroken(_("There is no question number {id} in this match.", id=command.doubt))
    question = next((q for q in match.questions if q.key == item.question.key), None)
    if item.closed or question is None:
        raise Overtaken(_("That question has been settled already."))
    if question.seat is not None and command.by not in (None, question.seat):
        raise RuleBroken(_("That question is for another player to answer."))
    made = match.rules.answer(match.state, question, command.value)
    return (Answered(doubt=item.id, key=question.key, value=command.value, by=command.by), *made)
