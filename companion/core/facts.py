"""What is written down: facts of every game, the facts a match itself adds, commands, questions and doubts.

A fact is an observation or a choice, never a judgement. Each game derives its own facts from ``Fact`` and its
own commands from ``Command``. Facts of a match that every game has (start, undo, correction, answer) are here.
"""

from __future__ import annotations

from typing import Any

import msgspec

from companion.words import Text
from companion.world import Player


class Fact(msgspec.Struct, frozen=True, kw_only=True, tag_field="fact", tag=True, gc=False):
    """Base of all facts. ``id`` and ``t_ns`` are given by the match when it is written down; 0 before.

    Like all else of which a long game has thousands, they hold plain data only, so that no circle of references can
    come about: the garbage collector, which halts all threads, is spared the looking.
    """

    id: int = 0
    t_ns: int = 0
    v: int = 1

    @property
    def about(self) -> int:
        """The id of the earlier fact that stands otherwise because of this one; 0: none."""
        return 0


class MatchStarted(Fact, frozen=True, kw_only=True):
    """The first fact: which game by which version of its rules, who sits where (clockwise), and the house rules."""

    game: str
    rules: int
    players: tuple[Player, ...]
    options: dict[str, Any] = {}
    deck: str | None = None


class Undone(Fact, frozen=True, kw_only=True):
    """The fact ``target`` does not count (undoing an ``Undone`` counts it again)."""

    target: int

    @property
    def about(self) -> int:
        return self.target


class Corrected(Fact, frozen=True, kw_only=True):
    """In the place of the fact ``target``, ``replacement`` counts: a fact in its JSON form, without id and time."""

    target: int
    replacement: dict[str, Any]

    @property
    def about(self) -> int:
        return self.target


class Answered(Fact, frozen=True, kw_only=True):
    """Somebody answered the doubt with this id and key. What follows from it is a fact of the game's own."""

    doubt: int
    key: str
    value: str
    by: str | None = None


class MatchEnded(Fact, frozen=True, kw_only=True):
    """The table is done with this match: it was played to its end, or given up. Taken back when it goes on."""


class Command(msgspec.Struct, frozen=True, kw_only=True, tag_field="command", tag=True):
    """Base of all commands: what a tap, the camera or a button asks for. ``decide`` turns it into facts or refuses."""

    t_ns: int = 0


class Undo(Command, frozen=True, kw_only=True):
    """Take back one fact (any fact, not only the last)."""

    target: int


class Redo(Command, frozen=True, kw_only=True):
    """Let an undone fact count again."""

    target: int


class UndoStep(Command, frozen=True, kw_only=True):
    """Take back everything that followed from one command, by the number of that step."""

    step: int


class Correct(Command, frozen=True, kw_only=True):
    """Put ``replacement`` (a fact in JSON form) in the place of a fact."""

    target: int
    replacement: dict[str, Any]


class Answer(Command, frozen=True, kw_only=True):
    """Answer an open doubt."""

    doubt: int
    value: str
    by: str | None = None


class EndMatch(Command, frozen=True, kw_only=True):
    """The table is done with the match."""


class RuleBroken(Exception):
    """A command that the rules do not allow. Carries the sentence that a player is told."""

    def __init__(self, sentence: Text) -> None:
        super().__init__(str(sentence))
        self.sentence = sentence


class Overtaken(RuleBroken):
    """A command that would have been right, had not somebody else been quicker."""


class Choice(msgspec.Struct, frozen=True):
    """One answer to a question. ``symbol`` names a drawing to show with it, where the game has one; ``symbols`` those
    of an answer that is several things at once."""

    value: str
    label: Text
    symbol: str | None = None
    symbols: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET


class Question(msgspec.Struct, frozen=True):
    """What the state leaves open. ``key`` names the same question from one state to the next.

    ``kind`` is the game's own word (symbol, victim, crooked ...); ``seat`` says who may answer (None: anyone);
    ``choices`` have the likely one first; ``obliged`` marks a question that no better eyes could have spared
    (a Black Pirate's victim, a symbol that shows by half). ``facts`` are the facts it is about.
    """

    key: str
    kind: str
    sentence: Text
    choices: tuple[Choice, ...]
    seat: str | None = None
    about: dict[str, Any] = {}
    obliged: bool = False
    facts: tuple[int, ...] = ()


class Doubt(msgspec.Struct, frozen=True):
    """A question as the match asks it: numbered, with a picture (a name for ``Pictures``) where there is one.

    ``version`` is the step that last opened, changed or closed it: whoever answers says which version they saw.
    """

    id: int
    t_ns: int
    question: Question
    picture: str | None = None
    answer: str | None = None
    closed: bool = False
    version: int = 0
