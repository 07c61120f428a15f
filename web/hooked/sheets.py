"""The sheets of Hooked!: a flip by hand, a flip or a slap put right, recount, and why a stack is what it is."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, abort, request, url_for
from werkzeug.wrappers import Response

from companion.games.hooked.facts import CardFlipped
from companion.games.hooked.state import State
from companion.table import About
from web.act import as_page, change, form_match
from web.context import here, page, snapshot
from web.context import view as any_view
from web.hooked.build import book_of, finish_of, state_of
from web.hooked.cards import Cards
from web.hooked.model import AnglerView, HookedView

bp = Blueprint("hooked_sheets", __name__, url_prefix="/hooked")


def state() -> State:
    """The match of Hooked! on the table, or 404."""
    return state_of(snapshot()) or abort(404)


def view() -> HookedView:
    """What the pages show of it."""
    found = any_view()
    assert isinstance(found, HookedView)
    return found


def _cards() -> Cards:
    return Cards(state().setup.cards, book_of(snapshot(), here().decks))


def _angler(seat: str) -> AnglerView:
    return next((one for one in view().seats if one.seat == seat), None) or abort(404)


@bp.get("/flip")
def flip() -> str:
    """Which card was flipped? For play without a camera, or where it has missed one."""
    state()
    chosen = request.args.get("seat") or (view().turn or view().seats[0]).seat
    return page("hooked/flip.html", cards=_cards().all, chosen=chosen)


@bp.post("/flip")
def flipped() -> Response | tuple[str, int]:
    """Write down a flip that was tapped. A tap does not say when the card could be seen."""
    command = {"command": "Flip", "seat": request.form.get("seat", ""), "card": request.form.get("card", "")}
    return as_page(change({**command, "source": "tap"}, None, form_match()), url_for("pages.board"))


@bp.get("/flip/<int:fact>")
def card(fact: int) -> str:
    """A flip to be put right: another card, another seat, or no flip at all."""
    state()
    entry = next((e for e in snapshot().facts if e.id == fact), None)
    if entry is None or not isinstance(entry.fact, CardFlipped):
        abort(404)
    flip = entry.fact
    return page(
        "hooked/card.html",
        fact=fact,
        seen_version=entry.version,
        now=_cards().view(flip.card),
        seat=flip.seat,
        picture=flip.picture,
        undone=entry.undone,
        cards=_cards().all,
    )


@bp.post("/flip/<int:fact>")
def edit(fact: int) -> Response | tuple[str, int]:
    """Another card or seat for a flip; what the form leaves as it was stays. Every slap on it is judged anew."""
    state()
    command: dict[str, Any] = {"command": "RuleFlip", "flip": fact}
    for name in ("card", "seat"):
        if request.form.get(name):
            command[name] = request.form[name]
    if "none" in request.form:
        command["counts"] = False
    about = About("fact", fact, request.form.get("version", 0, type=int))
    return as_page(change(command, about, form_match()), url_for("pages.board"))


@bp.get("/slap/<int:flip>")
def moment(flip: int) -> str:
    """One judged moment: its photo finish, and what of it can be put right."""
    found = finish_of(snapshot(), state(), _cards(), here().settings.clock(), flip) or abort(404)
    flips = [e.id for e in snapshot().facts if isinstance(e.fact, CardFlipped) and not e.undone and e.id <= flip]
    return page(
        "hooked/moment.html",
        f=found,
        flips=flips[-len(found.cards) :] if found.cards else [],
        others=[other.id for other in state().slaps],
    )


@bp.get("/why/<seat>")
def why(seat: str) -> str:
    """The moments that made one player's stack, the newest first."""
    now = state()
    angler = _angler(seat)
    clock = here().settings.clock()
    about = [s for s in reversed(now.slaps) if seat in dict(s.moved) or any(p.seat == seat for p in s.presses)]
    found = [finish_of(snapshot(), now, _cards(), clock, slap.id) for slap in about]
    moved = [dict(slap.moved).get(seat, 0) for slap in about]
    return page("hooked/why.html", s=angler, moments=list(zip(found, moved, strict=True)))


@bp.get("/recount")
def recount() -> str:
    """Put the stacks right from what lies on the table."""
    return page("hooked/recount.html", state=state())


@bp.post("/recount")
def counted() -> Response | tuple[str, int]:
    """Only what was changed is written down, so that a recount of one number leaves the others derived."""
    now = state()
    stacks = {}
    for seat, was in now.stacks:
        value = request.form.get(f"stack-{seat}", type=int)
        if value is not None and value != was:
            stacks[seat] = value
    command: dict[str, Any] = {"command": "Recount", "stacks": stacks}
    lake = request.form.get("lake", type=int)
    if lake is not None and lake != now.lake_size:
        command["lake"] = lake
    turn = request.form.get("turn")
    if turn and turn != now.turn:
        command["turn"] = turn
    direction = request.form.get("direction", type=int)
    if direction in (1, -1) and direction != now.direction:
        command["direction"] = direction
    return as_page(change(command, None, form_match()), url_for("pages.board"))
