"""The board, on the TV and on phones, and the forms that stand on it."""

from __future__ import annotations

import segno
from flask import Blueprint, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response

from companion.core.facts import Answer
from companion.table import About
from web.act import about_of, as_page, change, form_command, form_match, safe_back
from web.context import here, language, page, paired, snapshot, view
from web.guard import is_local, phones_come_by

bp = Blueprint("pages", __name__)


@bp.get("/")
def board() -> str:
    """The game, with the controls on a paired phone."""
    return _board(tv=False)


@bp.get("/tv")
def tv() -> str:
    """The game for the big screen: no controls, nothing scrolls."""
    return _board(tv=True)


def _board(*, tv: bool) -> str:
    fragments = here().painter.fragments(snapshot(), (paired(), language()))
    own = here().settings.address()
    address = (request.host_url if not own or phones_come_by(request.host) else own).rstrip("/")
    return page(
        "board.html",
        live=True,
        tv=tv,
        v=view(),
        fragments=fragments,
        address=own,
        join_text=address.removeprefix("http://"),
        qr=qr_code(f"{address}/pair") if tv else "",
        pin=here().settings.pin if tv and (paired() or is_local()) else None,
    )


def qr_code(text: str) -> Markup:
    """A QR code as SVG: dark on parchment, with its quiet zone."""
    code = segno.make(text, error="m", micro=False)
    svg = code.svg_inline(scale=4, border=3, dark="#1b130b", light="#efe2c4", omitsize=True, svgclass="qr")
    return Markup(svg)


@bp.post("/act")
def act() -> Response | tuple[str, int]:
    """A button: the command in a hidden field, and what it is about."""
    command = form_command(request.form.get("command", ""))
    reply = change(command, about_of(request.form.get("about", "")), form_match())
    return as_page(reply, safe_back(request.form.get("back"), url_for("pages.board")))


@bp.post("/doubts/<int:doubt>")
def answer(doubt: int) -> Response | tuple[str, int]:
    """The answer to an open question."""
    about = About("doubt", doubt, request.form.get("version", 0, type=int))
    value = request.form.get("value", "")
    reply = change(Answer(doubt=doubt, value=value, by=request.form.get("by") or None), about, form_match())
    return as_page(reply, url_for("pages.board"))
