"""The sheets of Hooked!: a flip by hand, a flip or a slap put right, recount, and why a stack is what it is."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, abort, request, url_for
from werkzeug.wrappers import Response

from companion.games.hooked.decide import newest
from companion.games.hooked.facts import CardFlipped
from companion.games.hooked.landing import reading, said, slaps_told
from companion.games.hooked.state import Slap, State
from companion.table import About
from web.act import as_page, change, form_match, too_late
from web.context import here, page, snapshot
from web.context import view as any_view
from web.hooked.build import book_of, finish_of, state_of
from web.hooked.cards import Cards
from web.hooked.model import AnglerView, HookedView, PhotoFinish
from web.shown import Values, numbers, out_of_date, text

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


def _about(fact: int) -> str:
    """What a form about a fact sends: which one, and the version of it that is shown."""
    return f"fact:{fact}:{snapshot().facts[fact - 1].version}"


@bp.get("/flip")
def flip() -> str:
    """Which card was flipped? For play without a camera, or where it has missed one."""
    after = newest(state())
    chosen = request.args.get("seat") or (view().turn or view().seats[0]).seat
    return page("hooked/flip.html", cards=_cards().all, chosen=chosen, after=after)


@bp.post("/flip")
def flipped() -> Response | tuple[str, int]:
    """Write down a flip that was tapped. A tap does not say when the card could be seen."""
    command = {"command": "Flip", "seat": request.form.get("seat", ""), "card": request.form.get("card", "")}
    tap = {**command, "source": "tap", "after": request.form.get("after", type=int)}
    return as_page(change(tap, None, form_match()), url_for("pages.board"), url_for("hooked_sheets.flip"))


@bp.get("/flip/<int:fact>")
def card(fact: int) -> str:
    """A flip to be put right: another card, another seat, or no flip at all."""
    now = state()
    entry = next((e for e in snapshot().facts if e.id == fact), None)
    if entry is None or not isinstance(entry.fact, CardFlipped):
        abort(404)
    seat, reads = reading(now, entry.fact)
    return page(
        "hooked/card.html",
        fact=fact,
        seen_version=entry.version,
        about=_about(fact),
        now=_cards().view(reads),
        seat=seat,
        picture=entry.fact.picture,
        undone=entry.undone,
        no_flip=said(now.words, fact).counts is False,
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
    if "none" in request.form or "counts" in request.form:
        command["counts"] = "counts" in request.form
    about = About("fact", fact, request.form.get("version", 0, type=int))
    again = url_for("hooked_sheets.card", fact=fact)
    return as_page(change(command, about, form_match()), url_for("pages.board"), again)


def _finish(slap: Slap) -> PhotoFinish:
    return finish_of(snapshot(), state(), _cards(), here().settings.clock(), slap)


@bp.get("/slap/<int:moment>")
def moment(moment: int) -> str:
    """One judged moment: its photo finish, and what of it can be put right."""
    now = state()
    slap = next((one for one in now.slaps if one.moment == moment), None) or abort(404)
    told = slaps_told(now.words, slap.id)
    return page(
        "hooked/moment.html",
        f=_finish(slap),
        about=_about(slap.id),
        told={(word.seat, word.t_ns): (word.id, _about(word.id)) for word in told},
        flips=slap.flips,
        right=slap.right,
        others=[other.moment for other in now.slaps],
    )


@bp.get("/why/<seat>")
def why(seat: str) -> str:
    """The moments that made one player's stack, the newest first."""
    now = state()
    angler = _angler(seat)
    about = [s for s in reversed(now.slaps) if seat in dict(s.moved) or any(p.seat == seat for p in s.presses)]
    moments = [(_finish(slap), dict(slap.moved).get(seat, 0)) for slap in about]
    return page("hooked/why.html", s=angler, moments=moments)


def _counts(now: State) -> Values:
    """The fields of the recount form as they are now."""
    stacks = {f"stack-{seat}": stack for seat, stack in now.stacks}
    return {**stacks, "lake": now.lake_size, "direction": now.direction, "turn": now.turn or ""}


@bp.get("/recount")
def recount() -> str:
    """Put the stacks right from what lies on the table."""
    return page("hooked/recount.html", shown=text(_counts(state())))


@bp.post("/recount")
def counted() -> Response | tuple[str, int]:
    """Only what was changed is written down, so that a recount of one number leaves the others derived."""
    now, again = _counts(state()), url_for("hooked_sheets.recount")
    if out_of_date(now):
        return as_page(too_late(), again)
    command: dict[str, Any] = {"command": "Recount", "stacks": {}}
    for name, value in numbers(now).items():
        if name in ("lake", "direction"):
            command[name] = value
        else:
            command["stacks"][name.removeprefix("stack-")] = value
    if request.form.get("turn"):  # empty: whose turn it is follows from the rest
        command["turn"] = request.form["turn"]
    return as_page(change(command, None, form_match()), url_for("pages.board"), again)
