"""Whether a verdict was amended after people had seen it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from itertools import islice

from companion.core.fold import Entry
from companion.games.hooked.facts import CardFlipped, FlipRuled, Pressed, PressRuled, Vetoed
from companion.games.hooked.state import Slap, State
from companion.table import Snapshot
from companion.words import Text, _
from web.hooked.times import MS

LATEST_NS = 10_000 * MS
"""No edge is told so late."""


def amended(slap: Slap, snapshot: Snapshot) -> Text | None:
    """Whether the verdict is another one than people first saw: the table said something else about it since.

    What answers a question amends nothing, since the verdict had waited for it; nor does what was said before
    anybody slapped.
    """
    if not isinstance(snapshot.state, State):
        return None
    span = (slap.before_ns or slap.seen_ns, max([slap.seen_ns, *(press.t_ns for press in slap.presses)]) + 1000 * MS)
    about = _cards(snapshot.state, slap)
    facts = [*about, *(fact.id for fact in snapshot.state.words if getattr(fact, "flip", 0) in about)]
    judged_ns = min((press.t_ns for press in slap.presses), default=slap.seen_ns)
    found: Text | None = None
    for entry in (*_recent(snapshot, span[0]), *(snapshot.facts[id - 1] for id in sorted(facts))):
        match entry.fact:
            case CardFlipped() if entry.original is not None and _changed_ns(entry, snapshot) > judged_ns:
                found = _("Amended: a card was corrected")
            case FlipRuled(t_ns=t_ns) if entry.answer is None and t_ns > judged_ns:
                found = _("Amended: a card was corrected")
            case PressRuled(flip=slap.id) if entry.answer is None:
                found = _("Amended: the table ruled on a slap")
            case Pressed(level=1, t_ns=t_ns) if entry.undone and span[0] <= t_ns <= span[1]:
                found = _("Amended: a slap was taken back")
            case Vetoed(flip=slap.id):
                found = _("Amended: vetoed")
            case _:
                pass
    return found


def _changed_ns(entry: Entry, snapshot: Snapshot) -> int:
    """When it was last said how a fact stands."""
    return next(one.fact.t_ns for one in reversed(snapshot.facts) if one.step == entry.version)


def _cards(state: State, slap: Slap) -> set[int]:
    """The flips of the cards that a verdict depends on: the slapped one and the two before it."""
    last = bisect_right(state.spans, slap.seen_ns, key=lambda span: span.seen_ns)
    flips = (flip.id for flip in reversed(state.flips[:last]) if isinstance(flip, CardFlipped))
    return {slap.id, *islice(flips, 3)}


def _recent(snapshot: Snapshot, since_ns: int) -> Iterator[Entry]:
    """The presses since a moment that count for nothing, newest first. All that came before are not looked at."""
    for entry in reversed(snapshot.facts):
        if isinstance(entry.fact, Pressed):
            if entry.fact.t_ns < since_ns - LATEST_NS:
                return
            if entry.undone:
                yield entry
