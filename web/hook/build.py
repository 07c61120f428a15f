"""From a snapshot of the table to what the pages of Hook! show."""

from __future__ import annotations

from typing import Any

from companion.core.facts import Doubt
from companion.games.hook.names import SPACES, colour_of, seat_name, side_of, symbol_name, team_name
from companion.games.hook.state import Placement, Round, Seat, State
from companion.table import Snapshot
from companion.table.cut import MARGIN
from companion.words import _
from web.doubts import doubt_view
from web.history import last_step, undone_step
from web.hook.decks import DeckBook, Decks
from web.hook.history import TONGUE
from web.hook.model import (
    Action,
    DoubtView,
    Finish,
    HookView,
    SeatView,
    Space,
)
from web.hook.picture import picture
from web.hook.sight import sight
from web.hook.status import status
from web.hook.told import ending, story

GAME = "hook"
TV_ROW = 34
"""About how many letters stand in a row of the story on the TV."""


def build(snapshot: Snapshot, decks: Decks) -> HookView:
    """Everything the pages show of this snapshot; without a match of Hook!, the invitation to set one up."""
    state = snapshot.state if snapshot.game == GAME and snapshot.match is not None else None
    if not isinstance(state, State) or snapshot.started is None:
        return HookView(
            version=snapshot.version,
            match=None,
            phase="setup",
            round=0,
            rounds=0,
            status=status(snapshot, None),
            picture=picture(snapshot, {}),
            notices=snapshot.notices,
        )
    book = decks.get(snapshot.started.deck)
    now = state.now
    told = now if now.placements or state.round == 1 else state.rounds[state.round - 2]
    lines = story(state, told)
    seats = tuple(_seat(state, seat, now, book) for seat in state.seats)
    names = {seat.seat: seat.name for seat in seats}
    return HookView(
        version=snapshot.version,
        match=snapshot.match,
        phase="over" if state.over else "play",
        round=state.round,
        rounds=state.of,
        status=status(snapshot, state),
        seats=seats,
        story=lines,
        story_round=told.number,
        story_rows=sum(1 + len(str(line.text)) // TV_ROW for line in lines),
        doubts=tuple(_doubt(doubt, names, book) for doubt in snapshot.doubts),
        picture=picture(snapshot, names),
        actions=actions(state),
        last=last_step(snapshot, TONGUE),
        redo=undone_step(snapshot, TONGUE),
        conflicts=tuple(conflict.why for conflict in snapshot.conflicts),
        notices=snapshot.notices,
        finish=_finish(state, seats) if state.over else None,
    )


def _seat(state: State, seat: Seat, now: Round, book: DeckBook) -> SeatView:
    placement = now.placement_of(seat.seat) or _asked(now, seat.seat)
    missing = seat.seat in now.missing and bool(now.placements)
    return SeatView(
        seat=seat.seat,
        character=seat_name(seat.seat),
        name=seat.name or str(seat_name(seat.seat)),
        colour=colour_of(seat.seat),
        order=side_of(seat.seat).removesuffix("s"),
        team=team_name(seat.team) if state.setup.team_play != "none" else None,
        balls=seat.balls,
        spaces=tuple(Space(n, f"ball-{seat.seat}-{n}", SPACES - n < seat.balls) for n in range(SPACES, 0, -1)),
        parrots=seat.parrots,
        won=seat.won,
        compass=seat.compass and not state.over,
        out=seat.out is not None,
        cover=seat.cover,
        cover_label=symbol_name(seat.cover) if seat.cover else None,
        sight=sight(now, placement, book) if placement is not None and placement.symbols else None,
        waiting=_("Waiting for the tile") if missing else None,
        winner=state.over and seat.seat in state.winners,
    )


def _asked(now: Round, seat: str) -> Placement | None:
    return next((p for p in reversed(now.placements) if p.seat == seat and p.status == "asked"), None)


def _doubt(doubt: Doubt, names: dict[str, str], book: DeckBook) -> DoubtView:
    question = doubt.question
    decides = None if question.seat is None else names.get(question.seat) or seat_name(question.seat)
    return doubt_view(doubt, decides, book, _ring(question.about, book))


def _ring(about: dict[str, Any], book: DeckBook) -> tuple[float, float, float] | None:
    """Where in the picture of a doubt the hole lies that it is about. Pictures are cut upright around the tile."""
    hole = about.get("hole")
    places = book.holes(str(about.get("tile", "")))
    if not isinstance(hole, int) or not 0 <= hole < len(places):
        return None
    x, y = places[hole].at
    whole = 1 + 2 * MARGIN
    return 100 * (x + MARGIN) / whole, 100 * (y + MARGIN) / whole, 100 * 2.3 * places[hole].radius / whole


def actions(state: State) -> tuple[Action, ...]:
    """The big buttons of the moment."""
    if state.over:
        return ()
    found: list[Action] = []
    if state.phase == "resolved":
        found.append(Action(_("Next round"), {"command": "NextRound"}, "primary"))
    return tuple(found)


def _finish(state: State, seats: tuple[SeatView, ...]) -> Finish:
    winners = tuple(seat for seat in seats if seat.winner)
    ranking = sorted(seats, key=lambda s: (not s.winner, s.out, -s.parrots, -s.won, s.balls))
    return Finish(winners, tuple(ranking), ending(state))
