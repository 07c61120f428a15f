"""The facts of a match as a list that people can read, undo and redo: what is the same for every game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from companion.core import fold
from companion.core.facts import Answered, Corrected, Fact, MatchEnded, MatchStarted, Undone
from companion.table import Snapshot
from companion.words import Text, _
from web.model import Entry


@dataclass(frozen=True)
class Tongue:
    """How a game tells its facts. ``told`` leaves out what is no line of its own; ``page``: where one is corrected;
    ``corrected``: whether something else is said of it by another fact."""

    says: Callable[[Fact, Snapshot], Text]
    page: Callable[[fold.Entry, Snapshot], tuple[str, dict[str, int]] | None]
    round: Callable[[Fact], int | None] = lambda _fact: None
    told: Callable[[Fact], bool] = lambda _fact: True
    corrected: Callable[[Fact, Snapshot], bool] = lambda _fact, _snapshot: False


def entries(snapshot: Snapshot, tongue: Tongue) -> Iterator[Entry]:
    """All steps of the match, the newest first. What only undoes or belongs to an answer has no line of its own."""
    conflicts = {conflict.fact: conflict.why for conflict in snapshot.conflicts}
    for entry in reversed(snapshot.facts):
        if isinstance(entry.fact, Undone | MatchStarted | MatchEnded) or entry.answer is not None:
            continue
        if not tongue.told(entry.fact):
            continue
        yield Entry(
            fact=entry.id,
            version=entry.version,
            step=entry.step,
            round=_round(entry, snapshot, tongue),
            text=says(entry, snapshot, tongue),
            undone=entry.undone,
            corrected=entry.original is not None or tongue.corrected(entry.fact, snapshot),
            conflict=conflicts.get(entry.id),
            page=tongue.page(entry, snapshot),
        )


def correction(snapshot: Snapshot, kinds: tuple[type[Fact], ...]) -> fold.Entry | None:
    """The last thing that was written down, if it puts something right: a ``Corrected``, or one of ``kinds``.

    What answers a question puts nothing right: nothing had been claimed yet.
    """
    last = snapshot.facts[-1] if snapshot.facts else None
    if last is None or last.undone or last.answer is not None:
        return None
    return last if isinstance(last.fact, (Corrected, *kinds)) else None


def last_step(snapshot: Snapshot, tongue: Tongue) -> Entry | None:
    """What the undo button would take back."""
    return next((entry for entry in entries(snapshot, tongue) if not entry.undone), None)


def undone_step(snapshot: Snapshot, tongue: Tongue) -> Entry | None:
    """What the redo button would bring back: the last undone thing, as long as nothing new has happened since."""
    for entry in reversed(snapshot.facts):
        if entry.undone:
            continue
        if not isinstance(entry.fact, Undone):
            return None
        target = snapshot.facts[entry.fact.target - 1]
        if not isinstance(target.fact, Undone):
            return next((line for line in entries(snapshot, tongue) if line.fact == target.id), None)
    return None


def says(entry: fold.Entry, snapshot: Snapshot, tongue: Tongue) -> Text:
    """One entry in one sentence."""
    fact = entry.fact
    if isinstance(fact, Answered):
        made = [other.fact for other in snapshot.facts if other.answer == entry.id]
        return _("Answer: {what}", what=tongue.says(made[0], snapshot)) if made else _("An answer")
    if isinstance(fact, Corrected):
        return tongue.says(snapshot.facts[fact.target - 1].fact, snapshot)
    if isinstance(fact, MatchEnded):
        return _("The game was put away")
    return tongue.says(fact, snapshot)


def _round(entry: fold.Entry, snapshot: Snapshot, tongue: Tongue) -> int | None:
    fact = entry.fact
    if isinstance(fact, Corrected):
        fact = snapshot.facts[fact.target - 1].fact
    if isinstance(fact, Answered):
        made = next((e.fact for e in snapshot.facts if e.answer == entry.id), None)
        return tongue.round(made) if made is not None else None
    return tongue.round(fact)
