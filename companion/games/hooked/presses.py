"""From presses to slaps: which card each press was for.

Between the last frame without a card and the first with it the card landed at some moment nobody knows, and for
``false_start_ns`` after that a press cannot have been for it. So every flip has a zone, from ``before_ns`` to
``seen_ns`` + false start: a press in it is early for that card. If it came more than the false start after
``before_ns``, it may also have been in time: then it is ``open`` (a question, where it decides anything). A flip told
by a tap has no zone; the tap may have come seconds after the card.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

import msgspec

from companion.core.facts import Fact
from companion.core.race import Onset, Windows
from companion.games.hooked.facts import CardFlipped, PressRuled, Recounted

SAME_NS = 50_000_000
"""A ruling holds for a press that late edges moved by no more than this."""
LATE_TAP_NS = 5_000_000_000
"""A tapped flip may have landed so long before the tap."""
SAME_RACE_NS = 1_000_000_000
"""Who presses so soon after the winner was in the same race."""


class Aimed(msgspec.Struct, frozen=True, gc=False):
    """A press, and how it stands to its card: early, or ``open``: early or in time. ``ruled``: a person said so."""

    onset: Onset
    early: bool = False
    open: bool = False
    ruled: bool = False


class Span(msgspec.Struct, frozen=True, gc=False):
    """When a card landed: after ``before_ns`` (nobody can have been in time before ``early_ns``), at the latest
    ``seen_ns``; who presses from ``clear_ns`` on was in time."""

    before_ns: int
    seen_ns: int
    early_ns: int
    clear_ns: int


def at(fact: Fact) -> int:
    """When something happened on the table."""
    return fact.seen_ns or fact.t_ns if isinstance(fact, CardFlipped) else fact.t_ns


def spans(flips: Sequence[CardFlipped | Recounted], windows: Windows, known: Sequence[Span]) -> tuple[Span, ...]:
    """When the cards landed, oldest first; the first ones are ``known``. What comes later never begins earlier."""
    found = list(known)
    latest = found[-1].before_ns if found else 0
    for fact in flips[len(known) :]:
        seen = at(fact)
        before = seen
        wait = 0
        if isinstance(fact, CardFlipped) and fact.source == "camera":
            before = min(fact.before_ns, seen) or seen
            wait = windows.false_start_ns
        latest = max(latest, before)
        found.append(Span(latest, max(latest, seen), latest + wait, max(latest, seen) + wait))
    return tuple(found)


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
    found = _known_from_others(found)
    return sorted(found, key=lambda press: (press.onset.t_ns, press.onset.seat))


def _known_from_others(found: list[Aimed]) -> list[Aimed]:
    """What people said of one press says something of others: none before an early one was in time, none after one in
    time was early."""
    early_to = max((press.onset.t_ns for press in found if press.ruled and press.early), default=None)
    timely_from = min((press.onset.t_ns for press in found if press.ruled and not press.early), default=None)
    known = []
    for press in found:
        t_ns = press.onset.t_ns
        if press.open and timely_from is not None and t_ns >= timely_from:
            known.append(Aimed(press.onset, ruled=True))
        elif press.open and early_to is not None and t_ns <= early_to:
            known.append(Aimed(press.onset, early=True, ruled=True))
        else:
            known.append(press)
    return known
