"""Slaps of a card that a tap told of only after them, and that did nothing to the card before."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from companion.core.race import Onset
from companion.games.hooked.case import effect
from companion.games.hooked.landing import Landing, Sources
from companion.games.hooked.presses import LATE_TAP_NS, SAME_RACE_NS, between, ruling
from companion.games.hooked.state import Ask, Reason, Stage


def untold(sources: Sources, n: int, before: Stage | None, landing: Landing, reason: Reason) -> tuple[Ask, ...]:
    """The questions whether presses that did nothing before card ``n`` was tapped were slaps of it, where that matters.

    They came when no card lay there, when it was settled already (but not in the same race), or from who was locked for
    it. Those that did something to the card before are asked about with that card.
    """
    card, slap = landing.card, before.slap if before is not None else None
    assert card is not None
    top = before.landed.top if before is not None else None
    presses = slap.presses if slap is not None else ()
    counted = {(p.seat, p.t_ns) for p in presses if p.verdict in ("won", "tied", "wrong")}
    asked = {p.seat for p in presses if p.verdict == "unsure"} | set(slap.vetoed if slap is not None else ())
    races = [p.t_ns + SAME_RACE_NS for p in presses if p.verdict in ("won", "tied")]
    earliest = max((sources.spans[n].seen_ns - LATE_TAP_NS, *races))
    found: dict[str, Ask] = {}
    for onset in _before(sources, n):
        seat, t_ns = onset.seat, onset.t_ns
        if t_ns < earliest or seat in asked or seat in found or (seat, t_ns) in counted:
            continue
        if ruling(sources.words, onset) or effect(sources.setup, landing.table, reason, seat) == "ignored":
            continue
        ask = Ask("pressed", card.fact, seat, card.card, press_ns=t_ns)
        found[seat] = msgspec.structs.replace(ask, kind="late-tap", other=top.card, other_flip=top.fact) if top else ask
    return tuple(found.values())


def _before(sources: Sources, n: int) -> Iterable[Onset]:
    """The presses between the card before (or the beginning) and card ``n``."""
    if n == 0:
        return between(sources.onsets, sources.spans[0].seen_ns - LATE_TAP_NS, sources.spans[0].seen_ns)
    return [press.onset for press in sources.presses(n - 1) if not press.early]
