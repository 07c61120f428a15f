"""From a snapshot of the table to what the pages of Hooked! show."""

from __future__ import annotations

from companion.core.facts import Doubt
from companion.games.hooked.locks import locked_by
from companion.games.hooked.state import Slap, State
from companion.table import Snapshot
from web.decks import DeckBook, Decks
from web.doubts import doubt_view
from web.history import last_step, undone_step
from web.hooked.cards import Cards
from web.hooked.history import TONGUE, namer
from web.hooked.model import AnglerView, HookedView, LakeView, PhotoFinish
from web.hooked.photo import photo
from web.hooked.picture import picture
from web.hooked.seats import mark
from web.hooked.status import status
from web.hooked.times import ms
from web.model import DoubtView

GAME = "hooked"
SHOWN = 3


def state_of(snapshot: Snapshot) -> State | None:
    """The state of the match of Hooked! on the table, if there is one."""
    if snapshot.game != GAME or snapshot.match is None or not isinstance(snapshot.state, State):
        return None
    return snapshot.state


def book_of(snapshot: Snapshot, decks: Decks) -> DeckBook:
    """The deck a match is played with; a match that names none has no pictures."""
    name = snapshot.started.deck if snapshot.started else None
    return decks.get(name if name is not None else "")


def build(snapshot: Snapshot, decks: Decks, now_ns: int) -> HookedView:
    """Everything the pages show of this snapshot; without a match of Hooked!, the invitation to set one up."""
    state = state_of(snapshot)
    if state is None or snapshot.started is None:
        return HookedView(
            version=snapshot.version,
            match=None,
            phase="setup",
            status=status(snapshot, None, None),
            picture=picture(snapshot),
            notices=snapshot.notices,
        )
    names = namer(snapshot)
    book = book_of(snapshot, decks)
    cards = Cards(state.setup.cards, book)
    seats = tuple(_angler(state, seat, names) for seat in state.seats)
    by_seat = {one.seat: one for one in seats}
    turn = by_seat.get(state.turn or "")
    finish = finish_of(snapshot, state, cards, now_ns, state.slaps[-1]) if state.slaps else None
    return HookedView(
        version=snapshot.version,
        match=snapshot.match,
        phase="over" if state.over else "play",
        status=status(snapshot, state, turn),
        seats=seats,
        lake=LakeView(
            tuple(cards.view(c.card, fact=c.fact, by=names.get(c.seat)) for c in state.lake[-SHOWN:]),
            state.lake_size,
            state.under,
        ),
        direction=state.direction,
        turn=turn,
        finish=finish,
        fastest=(by_seat[state.fastest[0]], ms(state.fastest[1])) if state.fastest else None,
        settles_in_ms=finish.final_in_ms if finish else 0,
        doubts=tuple(_doubt(doubt, names, book) for doubt in snapshot.doubts),
        picture=picture(snapshot),
        last=last_step(snapshot, TONGUE),
        redo=undone_step(snapshot, TONGUE),
        conflicts=tuple(conflict.why for conflict in snapshot.conflicts),
        notices=snapshot.notices,
        winner=by_seat.get(state.winner or "") if state.over else None,
        ranking=tuple(sorted(seats, key=lambda s: (not s.winner, s.out, -s.stack))) if state.over else (),
    )


def finish_of(snapshot: Snapshot, state: State, cards: Cards, now_ns: int, slap: Slap) -> PhotoFinish:
    """The photo finish of one judged moment."""
    names = namer(snapshot)
    return photo(slap, state, lambda seat: names.get(seat, seat), cards, snapshot, now_ns)


def _angler(state: State, seat: str, names: dict[str, str]) -> AnglerView:
    stack = dict(state.stacks).get(seat, 0)
    out = seat in state.out
    left = dict(state.locks).get(seat)
    return AnglerView(
        seat=seat,
        name=names.get(seat, seat),
        mark=mark(seat, state.seats),
        stack=stack,
        turn=state.turn == seat and not state.over,
        locked=None if left is None else left - 1,
        locked_by=None if left is None else locked_by(state, seat),
        out=out,
        dry=stack == 0 and not out,
        winner=state.over and state.winner == seat,
    )


def _doubt(doubt: Doubt, names: dict[str, str], book: DeckBook) -> DoubtView:
    seat = doubt.question.seat
    return doubt_view(doubt, None if seat is None else names.get(seat, seat), book)
