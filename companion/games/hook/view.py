"""What pages draw of a state: panels, the round told, the history with its readings, and why a score is what it is.

Pure functions of ``State``; everything they return is a msgspec Struct with ``Text`` for sentences.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from companion.games.hook import facts
from companion.games.hook.ending import Score, scores
from companion.games.hook.names import seat_name, symbol_name, team_name
from companion.games.hook.sentences import Told, headline, result, sum_of, sums, tell
from companion.games.hook.state import Conflict, Placement, Round, Seat, State, Tally
from companion.words import Text, _


class Panel(msgspec.Struct, frozen=True):
    """One player's panel. ``seat`` has the numbers; ``character`` and ``team`` are their names in words."""

    seat: Seat
    character: Text
    team: Text | None
    won: bool
    sums: Text | None
    """The sum of the round that is shown, when it is resolved."""


class Hole(msgspec.Struct, frozen=True):
    """One hole of a reading: what counts now and what the camera saw. ``victim`` of a Black Pirate."""

    hole: int
    symbol: str
    seen: str
    label: Text
    victim: str | None = None


class Reading(msgspec.Struct, frozen=True):
    """A Sight tile of a round as it was read, to be looked at and corrected.

    ``fact`` is the id of the fact that told of it (what ``Correct`` and ``Undo`` take); ``facts`` are the answers too.
    """

    fact: int
    seat: str
    character: Text
    tile: str
    card: str | None
    status: str
    faults: tuple[str, ...]
    holes: tuple[Hole, ...]
    picture: str | None
    facts: tuple[int, ...]


class RoundView(msgspec.Struct, frozen=True):
    """One round for the history. ``facts``: all observations of the round, each with its kind, for undoing."""

    number: int
    settled: bool
    final: bool
    told: tuple[Told, ...]
    sums: tuple[Told, ...]
    readings: tuple[Reading, ...]
    waived: tuple[str, ...]
    conflicts: tuple[Conflict, ...]
    facts: tuple[tuple[int, str], ...]


class Reason(msgspec.Struct, frozen=True):
    """Why a player's balls or parrots changed in one round: ``balls`` and ``parrots`` are what they were after it."""

    round: int
    told: tuple[Told, ...]
    sum: Text
    balls_before: int
    balls: int
    parrots_before: int
    parrots: int
    facts: tuple[int, ...]


class View(msgspec.Struct, frozen=True):
    """Everything the page shows of a match of Hook!."""

    round: int
    of: int
    phase: str
    headline: Text
    compass: str
    panels: tuple[Panel, ...]
    told: tuple[Told, ...]
    told_round: int
    missing: tuple[str, ...]
    scores: tuple[Score, ...]
    team_play: str
    certain: bool
    over: bool
    result: Text | None
    winners: tuple[str, ...]
    ending: str
    boxed: int


def view(state: State) -> View:
    """The whole page. The round told is the present one once anything of it is known, else the one before."""
    shown = told_round(state)
    return View(
        round=state.round,
        of=state.of,
        phase=state.phase,
        headline=headline(state),
        compass=state.compass,
        panels=panels(state),
        told=tell(state.setup, shown),
        told_round=shown.number,
        missing=state.now.missing,
        scores=scores(state.setup, state.now.end if state.now.settled else state.now.begin),
        team_play=state.setup.team_play,
        certain=state.certain,
        over=state.over,
        result=result(state) if state.over else None,
        winners=state.winners,
        ending=state.ending,
        boxed=state.boxed,
    )


def told_round(state: State) -> Round:
    """The round whose sentences are shown."""
    now = state.now
    if now.number > 1 and not now.shots and not now.settled:
        return state.rounds[now.number - 2]
    return now


def panels(state: State) -> tuple[Panel, ...]:
    """A panel for each player, clockwise from the first Compass holder."""
    shown = {told.actor: told.text for told in sums(state.setup, state.now)} if state.now.settled else {}
    return tuple(
        Panel(
            seat=seat,
            character=seat_name(seat.seat),
            team=team_name(seat.team) if state.setup.team_play != "none" else None,
            won=seat.seat in state.winners,
            sums=shown.get(seat.seat),
        )
        for seat in state.seats
    )


def history(state: State) -> tuple[RoundView, ...]:
    """All rounds, the newest first."""
    return tuple(round_view(state, round_) for round_ in reversed(state.rounds) if round_.raw or not round_.dead)


def round_view(state: State, round_: Round) -> RoundView:
    """One round with its sentences, sums and readings."""
    return RoundView(
        number=round_.number,
        settled=round_.settled,
        final=round_.final,
        told=tell(state.setup, round_),
        sums=sums(state.setup, round_) if round_.settled else (),
        readings=tuple(reading(placement) for placement in round_.placements),
        waived=round_.waived,
        conflicts=round_.conflicts,
        facts=tuple((fact.id, type(fact).__name__) for fact in round_.raw),
    )


def reading(placement: Placement) -> Reading:
    """A placement as it was read."""
    return Reading(
        fact=placement.id,
        seat=placement.seat,
        character=seat_name(placement.seat),
        tile=placement.tile,
        card=placement.card,
        status=placement.status,
        faults=placement.faults,
        holes=tuple(
            Hole(hole, symbol, placement.seen[hole], symbol_name(symbol), placement.victims[hole])
            for hole, symbol in enumerate(placement.symbols)
        ),
        picture=placement.picture,
        facts=placement.facts,
    )


def why(state: State, seat: str) -> tuple[Reason, ...]:
    """What made a player's balls and parrots, round by round, each sentence with the facts it rests on."""
    return tuple(_reasons(state, seat))


def _reasons(state: State, seat: str) -> Iterable[Reason]:
    for round_ in state.rounds:
        if round_.dead or (round_.number == state.round and not round_.settled):
            continue
        before, after = round_.begin.of(seat), round_.end.of(seat)
        previous = state.rounds[round_.number - 2].end.of(seat) if round_.number > 1 else before
        mine = [told for told in tell(state.setup, round_) if seat in told.seats]
        tally = round_.tally_of(seat)
        if not mine and (previous.balls, previous.parrots) == (after.balls, after.parrots):
            continue
        yield Reason(
            round=round_.number,
            told=tuple(mine),
            sum=_sum(tally, seat, after.balls),
            balls_before=before.balls,
            balls=after.balls,
            parrots_before=before.parrots,
            parrots=after.parrots,
            facts=tuple(sorted({fact for told in mine for fact in told.facts})),
        )


def _sum(tally: Tally | None, seat: str, balls: int) -> Text:
    if tally is None or tally.after != balls:
        return _("{seat}: recounted, {balls}", seat=seat_name(seat), balls=balls)
    return sum_of(tally)


def recount_sheet(state: State) -> facts.Recount:
    """The recount as it stands, to be filled in: every number as the program believes it to be."""
    return facts.Recount(
        round=state.round,
        after=state.now.settled,
        balls={s.seat: s.balls for s in state.seats},
        won={s.seat: s.won for s in state.seats},
        parrots={s.seat: s.parrots for s in state.seats},
        stacks={s.seat: s.stack for s in state.seats},
        compass=state.compass,
        out=tuple(s.seat for s in state.seats if s.out is not None),
    )
