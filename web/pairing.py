"""Pairing a phone with the PIN, and each browser's own language and theme."""

from __future__ import annotations

from flask import Blueprint, redirect, request, session, url_for
from werkzeug.wrappers import Response

from companion.words import LANGUAGES, _, n_
from web.act import safe_back
from web.context import here, page, paired
from web.guard import COOKIE
from web.speech import THEMES

bp = Blueprint("pairing", __name__)


@bp.get("/pair")
def pair() -> str:
    """Where the PIN is typed."""
    return page("pair.html", sentence=None, done=paired())


@bp.post("/pair")
def try_pin() -> Response | tuple[str, int]:
    """Pair this browser: on to the game when the PIN is right, 403 when wrong, 429 when tried too often."""
    pairing = here().pairing
    token = pairing.try_pin(request.form.get("pin", ""))
    if token is not None:
        session[COOKIE] = token
        session.permanent = True
        return redirect(url_for("pages.board"), 303)
    wait = pairing.wait_s()
    if wait:
        sentence = n_(
            "Too many wrong PINs. Try again in {count} second.",
            "Too many wrong PINs. Try again in {count} seconds.",
            wait,
        )
        return page("pair.html", sentence=sentence, done=False), 429
    return page("pair.html", sentence=_("That is not the PIN. It stands on the TV."), done=False), 403


@bp.post("/unpair")
def unpair() -> Response:
    """Let this browser only watch again."""
    session.pop(COOKIE, None)
    return redirect(url_for("pages.board"), 303)


@bp.post("/look")
def look() -> Response:
    """Choose the language and the theme of this browser."""
    if request.form.get("language") in LANGUAGES:
        session["language"] = request.form["language"]
    if request.form.get("theme") in THEMES:
        session["theme"] = request.form["theme"]
    session.permanent = True
    return redirect(safe_back(request.form.get("back"), url_for("pages.board")), 303)
