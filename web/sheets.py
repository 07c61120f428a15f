"""The sheets beside the board: why a score is what it is, readings to correct, a tile by hand, recount, history."""

from __future__ import annotations

import msgspec
from flask import Blueprint, abort, request, url_for
from werkzeug.wrappers import Response

from companion.core.facts import Redo, Undo
from companion.games.hook.facts import PlaceTile, Pose, Recount
from companion.games.hook.names import SYMBOLS, symbol_name
from companion.games.hook.state import Placement, Round, State
from companion.table import About
from companion.world import NOTHING
from web.act import as_page, change, form_match, too_late
from web.context import here, page, snapshot
from web.context import view as any_view
from web.decks import DeckBook
from web.history import entries
from web.hook.build import GAME
from web.hook.model import HookView
from web.hook.sight import sight, sights
from web.hook.told import why as why_lines
from web.shown import Values, numbers, out_of_date, text

bp = Blueprint("sheets", __name__)

CHOICES = (*SYMBOLS, NOTHING)


def _state() -> State:
    now = snapshot()
    if now.game != GAME or not isinstance(now.state, State):
        abort(404)
    return now.state


def view() -> HookView:
    """What the pages show of this match of Hook!."""
    found = any_view()
    assert isinstance(found, HookView)
    return found


def _book() -> DeckBook:
    started = snapshot().started
    return here().decks.get(started.deck if started else None)


def _round(state: State, number: int) -> Round:
    if not 1 <= number <= len(state.rounds):
        abort(404)
    return state.rounds[number - 1]


def _placement(state: State, fact: int) -> tuple[Round, Placement]:
    found = ((round, one) for round in state.rounds for one in round.placements if one.id == fact)
    return next(found, None) or abort(404)


def _version(fact: int) -> int:
    facts = snapshot().facts
    return max((facts[id - 1].version for id in (fact,) if 0 < id <= len(facts)), default=0)


@bp.get("/why/<seat>")
def why(seat: str) -> str:
    """What made the score of one player, round by round."""
    state = _state()
    shown = next((s for s in view().seats if s.seat == seat), None)
    if shown is None:
        abort(404)
    return page("why.html", s=shown, rounds=why_lines(state, seat, _book()), v=view())


@bp.get("/round/<int:number>")
def readings(number: int) -> str:
    """Everything that was read in a round, to be corrected."""
    state = _state()
    round = _round(state, number)
    return page(
        "readings.html",
        v=view(),
        number=number,
        last=state.round,
        sights=sights(round, _book()),
        missing=round.missing,
        versions={p.id: _version(p.id) for p in round.placements},
        seats=view().seats,
        tiles={p.id: _book().tiles(p.seat) for p in round.placements},
        cards=_book().cards,
    )


@bp.get("/round/<int:number>/<int:fact>/<int:index>")
def hole(number: int, fact: int, index: int) -> str:
    """What one hole of a tile shows: choose another symbol, or whom its Black Pirate hits."""
    state = _state()
    round, placement = _placement(state, fact)
    if round.number != number or not 0 <= index < len(placement.symbols):
        abort(404)
    return page(
        "hole.html",
        v=view(),
        s=sight(round, placement, _book()),
        index=index,
        now=placement.symbols[index],
        victim=placement.victims[index] if index < len(placement.victims) else None,
        choices=[(name, symbol_name(name)) for name in CHOICES],
        seats=[s for s in view().seats if round.begin.of(s.seat).out is None],
        seen_version=_version(fact),
    )


@bp.post("/round/<int:number>/<int:fact>")
def edit(number: int, fact: int) -> Response | tuple[str, int]:
    """Another card, tile or owner for a placement; what the form leaves as it was stays."""
    _state()
    entry = next((e for e in snapshot().facts if e.id == fact), None)
    if entry is None or not isinstance(entry.fact, Pose):
        abort(404)
    pose = entry.fact
    seat = request.form.get("seat") or pose.seat
    tile = request.form.get("tile") or pose.tile
    if seat != pose.seat and tile == pose.tile:
        tile = _book().tiles(seat)[0]
    parrots = request.form.get("parrots", type=int)
    new = msgspec.structs.replace(
        pose, seat=seat, tile=tile, card=request.form.get("card") or pose.card, seat_sure=True, card_sure=True,
        parrots=pose.parrots if parrots is None else parrots,
    )  # fmt: skip
    body = msgspec.to_builtins(new)
    del body["id"], body["t_ns"]
    about = About("fact", fact, request.form.get("version", 0, type=int))
    reply = change({"command": "Correct", "target": fact, "replacement": body}, about, form_match())
    return as_page(reply, url_for("sheets.readings", number=number))


@bp.get("/place")
def place() -> str:
    """Whose tile is entered by hand?"""
    return page("place.html", v=view(), state=_state())


@bp.get("/place/<seat>")
def place_for(seat: str) -> str:
    """Enter one tile by hand: which, what it shows, how many parrots its card has."""
    state = _state()
    if seat not in state.setup.seats:
        abort(404)
    number = request.args.get("round", state.round, type=int)
    return page(
        "place_for.html",
        v=view(),
        s=next(s for s in view().seats if s.seat == seat),
        number=number,
        tiles=[(tile, _book().holes(tile)) for tile in _book().tiles(seat)],
        cards=_book().cards,
        choices=[(name, symbol_name(name)) for name in (NOTHING, *SYMBOLS)],
    )


@bp.post("/place/<seat>")
def put(seat: str) -> Response | tuple[str, int]:
    """Write down a tile that was entered by hand."""
    form = request.form
    command = PlaceTile(
        seat=seat,
        tile=form.get("tile", ""),
        card=form.get("card") or None,
        symbols=tuple(form.get(f"hole-{index}", NOTHING) for index in range(3)),
        parrots=form.get("parrots", type=int),
        round=form.get("round", 0, type=int),
        source="tap",
    )
    return as_page(change(msgspec.to_builtins(command), None, form_match()), url_for("pages.board"))


def _counts(state: State) -> Values:
    """The fields of the recount form as they are now."""
    found: dict[str, int | str] = {}
    for seat in state.seats:
        of = {"balls": seat.balls, "won": seat.won, "parrots": seat.parrots, "stacks": seat.stack}
        found |= {f"{name}-{seat.seat}": value for name, value in of.items()}
    return found | {"compass": state.compass}


@bp.get("/recount")
def recount() -> str:
    """Put the score right from what lies on the table."""
    return page("recount.html", v=view(), state=_state(), shown=text(_counts(_state())))


@bp.post("/recount")
def counted() -> Response | tuple[str, int]:
    """Only what was changed is written down, so that a recount of one number leaves the others derived."""
    state = _state()
    now, again = _counts(state), url_for("sheets.recount")
    if out_of_date(now):
        return as_page(too_late(), again)
    found: dict[str, dict[str, int]] = {"balls": {}, "won": {}, "parrots": {}, "stacks": {}}
    for field, value in numbers(now, every="everything" in request.form).items():
        name, _dash, seat = field.partition("-")
        found[name][seat] = value
    compass = request.form.get("compass")
    command = Recount(compass=compass if compass != state.compass else None, **found)  # type: ignore[arg-type]
    return as_page(change(msgspec.to_builtins(command), None, form_match()), url_for("pages.board"), again)


@bp.get("/history")
def history() -> str:
    """Everything that was written down, the newest first; each line can be undone and brought back."""
    now = snapshot()
    if now.match is None:
        abort(404)
    return page("history.html", entries=tuple(entries(now, here().painter.games.of(now).tongue)))


@bp.post("/history/<int:fact>/<any(undo, redo):what>")
def turn(fact: int, what: str) -> Response | tuple[str, int]:
    """Take one thing back, or bring it back."""
    about = About("fact", fact, request.form.get("version", 0, type=int))
    command = Undo(target=fact) if what == "undo" else Redo(target=fact)
    return as_page(change(command, about, form_match()), url_for("sheets.history"))
