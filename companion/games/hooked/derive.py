"""From observations to the state: every stage is derived from the one before.

A new observation changes the card it is about, the one before (whose presses end where it lands), the one before that
(of which an early press of its follower may be a slap) and all that follow; the stages before these stay as they are.
"""

from __future__ import annotations

from bisect import bisect_right, insort

import msgspec

from companion.core.facts import Fact
from companion.games.hooked import lake, stacks
from companion.games.hooked.facts import FACTS, CardFlipped, Pressed, Recounted
from companion.games.hooked.landing import Sources
from companion.games.hooked.presses import at, spans, with_edge
from companion.games.hooked.stages import opening, stage
from companion.games.hooked.state import Ask, Conflict, Setup, Stage, State
from companion.words import _
from companion.world import Press

replace = msgspec.structs.replace


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
        press = Press(fact.seat, fact.t_ns, fact.level, fact.clock)
        edges, onsets, since = with_edge(state.edges, state.onsets, press, state.setup.windows)
        changed = onsets != state.onsets
        state = replace(state, edges=edges, onsets=onsets)
        return _derived(state, _flip_at(state, since)) if changed else state
    if isinstance(fact, FACTS):
        ids = [flip.id for flip in state.flips]
        about = getattr(fact, "flip", 0)
        return _derived(replace(state, words=(*state.words, fact)), ids.index(about) if about in ids else len(ids))
    return state


def _flip_at(state: State, t_ns: int) -> int:
    """The last flip that landed before a moment."""
    return bisect_right(state.spans, t_ns, key=lambda span: span.before_ns) - 1


def _derived(state: State, changed: int) -> State:
    """The state with the stages from the second before ``changed`` on derived anew."""
    first = max(0, min(changed, len(state.stages)) - 2)
    sources = Sources(
        setup=state.setup,
        flips=state.flips,
        spans=state.spans,
        onsets=state.onsets,
        words=state.words,
        ids=frozenset(flip.id for flip in state.flips),
    )
    stages = list(state.stages[:first])
    for n in range(first, len(state.flips)):
        stages.append(stage(sources, n, stages[-1] if stages else None))
    return _summary(replace(state, stages=tuple(stages)))


def _summary(state: State) -> State:
    """The public part of the state, from its stages."""
    setup = state.setup
    last = state.stages[-1] if state.stages else None
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
        slaps=tuple(stage.slap for stage in state.stages if stage.slap is not None),
        over=over,
        winner=last.winner if last is not None and over else None,
        fastest=min((s.fastest for s in state.stages if s.fastest), key=lambda best: best[1], default=None),
        asks=_open(state, state.stages),
        conflicts=_conflicts(state),
    )


def _open(state: State, stages: tuple[Stage, ...]) -> tuple[Ask, ...]:
    """The open questions, oldest first, each while something depends on it."""
    slapped = {
        card.fact
        for stage in stages
        if stage.slap is not None and not stage.reason.sure
        for card in stage.landed.lake[-lake.DEPTH :]
        if any(press.verdict == "unsure" for press in stage.slap.presses)
    }
    matter = slapped | {card.fact for card in (stages[-1].after.lake[-lake.DEPTH :] if stages else ())}
    counted = max((n for n, one in enumerate(stages) if _is_count(one)), default=0)
    found: dict[tuple[str, int, str, int], Ask] = {}
    for n, one in enumerate(stages):
        for ask in one.asks:
            kind = "card" if ask.kind == "copies" else ask.kind
            if (ask.flip in matter) if kind == "card" else (n >= counted):
                found.setdefault((kind, ask.flip, ask.seat, ask.press_ns), ask)
    return tuple(found.values())


def _is_count(stage: Stage) -> bool:
    """Whether everything was counted anew, so that no earlier question about who has which cards matters."""
    return isinstance(stage.fact, Recounted) and not stage.conflicts


def _conflicts(state: State) -> tuple[Conflict, ...]:
    """Facts that count for nothing: flips and counts that cannot be, and what was said about no flip that counts."""
    found = [conflict for stage in state.stages for conflict in stage.conflicts]
    alive = {stage.fact.id for stage in state.stages if isinstance(stage.fact, CardFlipped) and not stage.dead}
    why = _("The card that this is about does not count.")
    found += [Conflict(fact.id, why) for fact in state.words if getattr(fact, "flip", 0) not in alive]
    return tuple(found)
