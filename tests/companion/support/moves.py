"""Random but possible moves of the tiny game, for hypothesis; and a journal that lives in memory."""

from __future__ import annotations

import msgspec
from hypothesis import strategies as st
from tally_game import Add, Added, PassTwice

from companion.core.facts import Answer, Command, Correct, EndMatch, Redo, Undo, UndoStep
from companion.core.journal import DoubtRow, FactRow, MatchRow, Step
from companion.core.match import Match

SEATS = st.sampled_from(["red", "blue"])
SMALL = st.integers(0, 9)

MOVES = st.lists(
    st.one_of(
        st.tuples(st.just("add"), SEATS, SMALL),
        st.tuples(st.just("add"), SEATS, SMALL),
        st.tuples(st.just("unsure"), SEATS, SMALL),
        st.tuples(st.just("answer"), st.integers(0, 30), st.integers(0, 1)),
        st.tuples(st.just("undo"), st.integers(0, 60), SMALL),
        st.tuples(st.just("redo"), st.integers(0, 60), SMALL),
        st.tuples(st.just("undo step"), st.integers(0, 60), SMALL),
        st.tuples(st.just("correct"), st.integers(0, 60), SMALL),
        st.tuples(st.just("limit"), st.integers(1, 60), SMALL),
        st.tuples(st.just("pass"), SEATS, SMALL),
        st.tuples(st.just("end"), SEATS, SMALL),
    ),
    max_size=40,
)


def command(match: Match, move) -> Command | None:
    """The move as a command that fits the match as it stands; None where there is nothing it could mean."""
    kind, what, number = move
    facts = len(match.entries)
    match kind:
        case "add":
            return Add(seat=what, number=number)
        case "unsure":
            return Add(seat=what, number=number, tile="t", unsure=(number, number + 1))
        case "answer":
            if not match.doubts:
                return None
            doubt = match.doubts[what % len(match.doubts)]
            return Answer(doubt=doubt.id, value=doubt.question.choices[number].value)
        case "undo":
            return Undo(target=1 + what % facts)
        case "redo":
            undone = [entry.id for entry in match.entries if entry.undone]
            return Redo(target=undone[what % len(undone)]) if undone else None
        case "undo step":
            return UndoStep(step=1 + what % match.records[-1].step)
        case "correct":
            added = [entry for entry in match.entries if isinstance(entry.fact, Added)]
            if not added:
                return None
            entry = added[what % len(added)]
            unsure = [number, number + 2] if number % 4 == 3 else []
            return Correct(target=entry.id, replacement={"seat": "blue", "number": number, "unsure": unsure})
        case "limit":
            players = [{"seat": "red", "name": "R"}, {"seat": "blue", "name": "B"}]
            body = {"game": "tally", "rules": 1, "players": players, "options": {"limit": what}}
            return Correct(target=1, replacement=body)
        case "pass":
            return PassTwice(seat=what)
        case "end":
            return EndMatch()
    raise AssertionError(kind)


def standing(match: Match):
    """What counts, apart from the history of how it came to count."""
    facts = [
        entry.fact
        for entry in match.entries
        if not entry.undone and type(entry.fact).__name__ not in ("Undone", "Corrected")
    ]
    doubts = [(doubt.id, doubt.question, doubt.picture) for doubt in match.doubts]
    return match.started, match.ended, match.over, match.state, match.conflicts, facts, doubts


class MemoryJournal:
    """Keeps the steps of matches as a journal would, without a file."""

    def __init__(self) -> None:
        self.next_step = 1
        self.steps: list[Step] = []

    def write(self, *steps: Step) -> None:
        for step in steps:
            assert step.id == self.next_step
            self.steps.append(msgspec.structs.replace(step))
            self.next_step += 1

    def matches(self) -> tuple[MatchRow, ...]:
        return tuple(step.begins for step in self.steps if step.begins is not None)

    def facts(self, match: int) -> tuple[tuple[int, FactRow], ...]:
        return tuple((step.id, fact) for step in self.steps if step.match == match for fact in step.facts)

    def doubts(self, match: int) -> tuple[tuple[int, DoubtRow], ...]:
        return tuple((step.id, doubt) for step in self.steps if step.match == match for doubt in step.doubts)

    @property
    def next_match(self) -> int:
        return len(self.matches()) + 1
