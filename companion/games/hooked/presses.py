"""From raw edges to slaps: which presses there were, and which card each was for.

Between the last frame without a card and the first with it the card landed at some moment nobody knows, and for
``false_start_ns`` after that a press cannot have been for it. So every flip has a zone, from ``before_ns`` to
``seen_ns`` + false start: a press in it is early for that card. If it came more than the false start after
``before_ns``, it may also have been in time: then it is ``open`` (a question, where it decides anything). A flip told
by a tap has no zone; the tap may have come seconds after the card.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Sequence
from itertools import pairwise

import msgspec

from companion.core.facts import Fact
from companion.core.race import Onset, Windows, onsets
from companion.games.hooked.facts import CardFlipped, PressRuled, Recounted
from companion.world import Press

REST_NS = 2_000_000_000
"""A button that was let go so long ago begins anew: nothing before matters to the presses that follow."""
SAME_NS = 50_000_000
"""A ruling holds for a press that late edges moved by no more than this."""
LATE_TAP_NS = 5_000_000_000
"""A tapped flip may have landed so long before the tap."""


class Aimed(msgspec.Struct, frozen=True):
    """A press, and how it stands to its card: early, or ``open``: early or in time. ``ruled``: a person said so."""

    onset: Onset
    early: bool = False
    open: bool = False
    ruled: bool = False


class Span(msgspec.Struct, frozen=True):
    """When a card landed: after ``before_ns`` (nobody can have been in time before ``early_ns``), at the latest
    ``seen_ns``; who presses from ``clear_ns`` on was in time."""

    before_ns: int
    seen_ns: int
    early_ns: int
    clear_ns: int


def at(fact: Fact) -> int:
    """When something happened on the table."""
    return fact.seen_ns or fact.t_ns if isinstance(fact, CardFlipped) else fact.t_ns


def spans(flips: Sequence[CardFlipped | Recounted], windows: Windows) -> list[Span]:
    """When the cards landed, oldest first. What comes later never begins earlier."""
    found: list[Span] = []
    latest = 0
    for fact in flips:
        seen = at(fact)
        before = seen
        wait = 0
        if isinstance(fact, CardFlipped) and fact.source == "camera":
            before = min(fact.before_ns, seen) or seen
            wait = windows.false_start_ns
        latest = max(latest, before)
        found.append(Span(latest, max(latest, seen), latest + wait, max(latest, seen) + wait))
    return found


def with_edge(
    edges: dict[str, tuple[Press, ...]], known: tuple[Onset, ...], edge: Press, windows: Windows
) -> tuple[dict[str, tuple[Press, ...]], tuple[Onset, ...], int]:
    """All edges and presses with one more edge, delivered in any order; and the moment from which they changed."""
    line = list(edges.get(edge.seat, ()))
    if edge in line[-64:] or edge in line:
        return edges, known, edge.t_ns
    kernel_is_new = edge.clock == "kernel" and not any(e.clock == "kernel" for e in line)
    insort(line, edge, key=_when)
    begin = 0 if kernel_is_new else _rest_before(line, line.index(edge))
    since = line[begin].t_ns
    new: list[Onset] = []
    for stretch in _stretches(line, begin):
        new += onsets(stretch, windows)
    kept = [onset for onset in known if onset.seat != edge.seat or onset.t_ns < since]
    found = tuple(sorted((*kept, *new), key=lambda onset: (onset.t_ns, onset.seat)))
    return edges | {edge.seat: tuple(line)}, found, since


def _when(edge: Press) -> tuple[int, int, str]:
    return edge.t_ns, edge.level, edge.clock


def _rests(line: Sequence[Press], place: int, kernel: bool) -> bool:
    """Whether the button was up and at rest for long before this edge, and this edge is one to begin with."""
    before, edge = line[place - 1], line[place]
    at_rest = before.level == 0 and edge.t_ns - before.t_ns >= REST_NS
    return at_rest and (edge.clock == "kernel" or not kernel)


def _rest_before(line: Sequence[Press], place: int) -> int:
    kernel = any(edge.clock == "kernel" for edge in line)
    while place > 0 and not _rests(line, place, kernel):
        place -= 1
    return place


def _stretches(line: Sequence[Press], begin: int) -> list[Sequence[Press]]:
    kernel = any(edge.clock == "kernel" for edge in line)
    marks = [begin, *(p for p in range(begin + 1, len(line)) if _rests(line, p, kernel)), len(line)]
    return [line[one:other] for one, other in pairwise(marks)]


def between(known: Sequence[Onset], after_ns: int, until_ns: int | None) -> Sequence[Onset]:
    """The presses after one moment until another."""
    first = bisect_left(known, after_ns + 1, key=lambda onset: onset.t_ns)
    last = len(known) if until_ns is None else bisect_left(known, until_ns + 1, key=lambda onset: onset.t_ns)
    return known[first:last]


def ruling(words: Sequence[Fact], onset: Onset) -> PressRuled | None:
    """The last thing somebody said about a press."""
    for fact in reversed(words):
        if isinstance(fact, PressRuled) and fact.seat == onset.seat and abs(fact.press_ns - onset.t_ns) <= SAME_NS:
            return fact
    return None


def aimed(
    known: Sequence[Onset], words: Sequence[Fact], flip: int, flips: frozenset[int], span: Span, until_ns: int | None
) -> list[Aimed]:
    """The presses of one card, by time: those until the next card, and those that somebody says were for it."""
    found = []
    for onset in between(known, span.before_ns, until_ns):
        said = ruling(words, onset) if words else None
        if said is not None and (said.meant == "nothing" or (said.flip != flip and said.flip in flips)):
            if said.meant in ("nothing", "slap"):
                continue
            said = None  # early for another card: for this one it is as it is
        if said is not None and said.flip == flip:
            found.append(Aimed(onset, early=said.meant == "early", ruled=True))
            continue
        early = onset.t_ns < span.clear_ns
        found.append(Aimed(onset, early, open=early and onset.t_ns >= span.early_ns))
    for fact in words:
        if isinstance(fact, PressRuled) and fact.flip == flip and fact.meant == "slap":
            near = between(known, fact.press_ns - SAME_NS - 1, fact.press_ns + SAME_NS)
            meant = next((o for o in near if o.seat == fact.seat), None)
            if meant is None or ruling(words, meant) != fact:
                continue
            if not (span.before_ns < meant.t_ns and (until_ns is None or meant.t_ns <= until_ns)):
                found.append(Aimed(meant, ruled=True))
    return sorted(found, key=lambda press: (press.onset.t_ns, press.onset.seat))
