"""From observations to the state: every stage is derived from the one before.

A new observation changes the card it is about, the one before (whose presses end where it lands), the one before that
(of which an early press of its follower may be a slap) and all that follow; the stages before these stay as they are.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Sequence

import msgspec

from companion.core.facts import Fact
from companion.games.hooked import lake, stacks
from companion.games.hooked.facts import (
    FACTS,
    CardFlipped,
    CardPassed,
    Pressed,
    PressRuled,
    Recounted,
    SlapTold,
    Vetoed,
)
from companion.games.hooked.landing import Sources
from companion.games.hooked.lines import with_edge
from companion.games.hooked.presses import SAME_NS, at, spans
from companion.games.hooked.stages import opening, stage
from companion.games.hooked.state import Ask, Conflict, Past, Setup, Stage, State
from companion.words import Text, _
from companion.world import Press

replace = msgspec.structs.replace

DOES_NOT_COUNT = _("The card that this is about does not count.")
WON_BEFORE = _("The card that this is about was won with the one before it.")


def beginning(setup: Setup) -> State:
    """The state before anything happened."""
    return _summary(State(setup, setup.seats, ()))


def add(state: State, fact: Fact) -> State:
    """The state with one more observation, of whatever moment."""
    if isinstance(fact, CardFlipped | Recounted):
        flips = list(state.flips)
        insort(flips, fact, key=lambda one: (at(one), one.id))
        place = flips.index(fact)
        landed = spans(flips, state.setup.windows, state.spans[:place])
        return _derived(replace(state, flips=tuple(flips), spans=landed), place)
    if isinstance(fact, Pressed):
        if fact.seat not in state.setup.seats:
            return state  # nobody that plays: a button moved elsewhere, or a seat that a correction took out
        press = Press(fact.seat, fact.t_ns, fact.level, fact.clock)
        edges, onsets, changed_ns = with_edge(state.edges, state.onsets, press, state.setup.windows)
        state = replace(state, edges=edges, onsets=onsets)
        return state if changed_ns is None else _derived(state, _flip_at(state, changed_ns))
    if isinstance(fact, FACTS):
        ids = [flip.id for flip in state.flips]
        about = getattr(fact, "flip", 0)
        changed = ids.index(about) if about in ids else len(ids)
        if isinstance(fact, PressRuled):  # the press is no more one of the card that it was for until now
            changed = min(changed, _flip_at(state, fact.press_ns - SAME_NS))
        return _derived(replace(state, words=(*state.words, fact)), changed)
    return state


def _flip_at(state: State, t_ns: int) -> int:
    """The place of the first flip that presses from a moment on may be for: the last that landed before it, or one
    that somebody says such a press was for."""
    place = bisect_right(state.spans, t_ns, key=lambda span: span.before_ns) - 1
    ruled = {word.flip for word in state.words if isinstance(word, PressRuled) and word.press_ns >= t_ns - SAME_NS}
    return (
        next((n for n, flip in enumerate(state.flips[: max(place, 0)]) if flip.id in ruled), place) if ruled else place
    )


def _derived(state: State, changed: int) -> State:
    """The state with the stages from the second before ``changed`` on derived anew."""
    first = max(0, min(changed, len(state.stages)) - 2)
    sources = Sources(
        setup=state.setup,
        flips=state.flips,
        spans=state.spans,
        onsets=state.onsets,
        words=state.words,
        ids=frozenset(flip.id for flip in state.flips) if state.words else frozenset(),
    )
    stages = list(state.stages[:first])
    past = stages[-1].past if stages else Past()
    kept = state.slaps[: past.slaps]
    for n in range(first, len(state.flips)):
        new = stage(sources, n, stages[-1] if stages else None)
        past = _with(past, n, new)
        stages.append(replace(new, past=past))
    slaps = tuple(one.slap for one in stages[first:] if one.slap is not None)
    return _summary(replace(state, stages=tuple(stages), slaps=(*kept, *slaps)))


def _with(past: Past, n: int, new: Stage) -> Past:
    """What all stages amount to with one more."""
    counted = isinstance(new.fact, Recounted) and not new.conflicts
    return Past(
        slaps=past.slaps + (new.slap is not None),
        fastest=min((best for best in (past.fastest, new.fastest) if best), key=lambda best: best[1], default=None),
        asking=(*past.asking, n) if new.asks else past.asking,
        unsure=(*past.unsure, n) if new.needs else past.unsure,
        counted=n if counted else past.counted,
        conflicts=(*past.conflicts, *new.conflicts) if new.conflicts else past.conflicts,
    )


def _summary(state: State) -> State:
    """The public part of the state, from its stages."""
    setup = state.setup
    last = state.stages[-1] if state.stages else None
    past = last.past if last is not None else Past()
    table = last.after if last is not None else opening(setup)
    over = last is not None and last.over
    return replace(
        state,
        stacks=tuple(zip(setup.seats, table.stacks, strict=True)),
        lake=table.lake,
        under=table.under,
        direction=table.direction,
        turn=None if over else stacks.turn(setup, table),
        locks=table.locks,
        out=table.out,
        replay=None if over else table.replay,
        over=over,
        winner=last.winner if last is not None and over else None,
        fastest=past.fastest,
        asks=_open(state.stages, past),
        conflicts=_conflicts(state, past),
    )


def _open(stages: tuple[Stage, ...], past: Past) -> tuple[Ask, ...]:
    """The open questions, oldest first, each while something depends on it.

    Questions from before a recount ask who had which cards, which does not matter any more.
    """
    if not past.asking:
        return ()
    table = stages[-1].after
    matter = {flip for n in past.unsure for flip in stages[n].needs}
    matter |= {*lake.unknown(table), *(one.flip for one in table.perhaps)}
    found: dict[tuple[str, int, str, int], Ask] = {}
    for n in past.asking:
        for ask in stages[n].asks:
            kind = "card" if ask.kind == "copies" else ask.kind
            if kind in ("unslapped", "end") and stages[-1].over:
                continue  # a card that came later has settled it
            if (ask.flip in matter) if kind == "card" else (n >= past.counted):
                found.setdefault((kind, ask.flip, ask.seat, ask.press_ns), ask)
    return tuple(found.values())


def _conflicts(state: State, past: Past) -> tuple[Conflict, ...]:
    """Facts that count for nothing: flips and counts that cannot be, and what was said about no flip that counts."""
    if not state.words:
        return past.conflicts
    alive = {stage.fact.id for stage in state.stages if isinstance(stage.fact, CardFlipped) and not stage.dead}
    shut = unslapped(state.stages)
    said = []
    for fact in state.words:
        flip = getattr(fact, "flip", 0)
        if flip not in alive or (flip in shut and isinstance(fact, SlapTold | CardPassed | Vetoed)):
            said.append(Conflict(fact.id, shut.get(flip, DOES_NOT_COUNT)))
    return (*past.conflicts, *said)


def unslapped(stages: Sequence[Stage]) -> dict[int, Text]:
    """The flips that nobody can have slapped, and why: those that do not count, or were won with the card before."""
    befores = (None, *stages)
    return {
        stage.fact.id: WON_BEFORE if before is not None and before.swept else DOES_NOT_COUNT
        for before, stage in zip(befores, stages, strict=False)
        if isinstance(stage.fact, CardFlipped) and not stage.counts
    }
