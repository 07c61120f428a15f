"""One way for every change: an API call and a form end in the same question to the table."""

from __future__ import annotations

import json
from typing import Any

import msgspec
from flask import Response, flash, jsonify, redirect, request
from werkzeug.wrappers import Response as BaseResponse

from companion.core.facts import Command
from companion.table import About, EndMatch, Reply
from companion.words import Text, _
from web.context import here, language, page, snapshot
from web.guard import Refused, require_paired
from web.state import state_json

NOT_UNDERSTOOD = 422


def change(command: Command | dict[str, Any], about: About | None, match: int | None) -> Reply:
    """Ask the table to do something. Refuses a browser that is not paired (403).

    A press that comes over the network was stamped by no kernel, whatever it says.
    """
    parts = here()
    require_paired(parts.pairing)
    if isinstance(command, dict) and command.get("command") == "Edge":
        command = {**command, "clock": "software"}
    return parts.table.ask(command, about=about, match=match)


def put_away() -> Reply | None:
    """Put the game away that is being played, as the form said. The refusal, if it is not the one the form was drawn
    for; None when nothing is in the way any more."""
    now = snapshot()
    if now.match is None or now.over:
        return None
    seen = form_match()
    if seen is None:
        return Reply(False, _("Another match is on the table now."), True, now)
    reply = change(EndMatch(), None, seen)
    return None if reply.accepted else reply


def about_of(text: str) -> About | None:
    """What a form's ``kind:id:version`` names; None for an empty one. Refuses (400) anything else."""
    if not text:
        return None
    kind, _colon, rest = text.partition(":")
    id, _colon, version = rest.partition(":")
    try:
        return msgspec.convert({"kind": kind, "id": int(id), "version": int(version)}, About)
    except (ValueError, msgspec.ValidationError) as error:
        raise Refused(400, _("This form is not one of ours. Open the page anew.")) from error


def form_command(text: str) -> dict[str, Any]:
    """The command in a form's hidden field. Refuses (400) what is no JSON object."""
    try:
        value = json.loads(text)
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise Refused(400, _("This form is not one of ours. Open the page anew."))
    return value


def form_match() -> int | None:
    """The match a form was drawn for."""
    return request.form.get("match", type=int)


def code_of(reply: Reply) -> int:
    """200 done; 409 somebody was quicker; 422 the rules forbid it."""
    if reply.accepted:
        return 200
    return 409 if reply.stale else NOT_UNDERSTOOD


def sentence_of(reply: Reply) -> Text | None:
    """What to say about a reply."""
    if reply.sentence is not None or reply.accepted:
        return reply.sentence
    return _("Something has changed since you looked, so nothing was done. Look again.")


def as_json(reply: Reply) -> Response:
    """The reply for programs and for our own script; a stale command gets the present state with it."""
    sentence = sentence_of(reply)
    body: dict[str, Any] = {
        "accepted": reply.accepted,
        "stale": reply.stale,
        "sentence": sentence.to(language()) if sentence else None,
        "version": reply.snapshot.version,
        "step": reply.step,
    }
    if reply.stale:
        body["state"] = state_json(reply.snapshot, here().table.public(reply.snapshot), here().build, language())
    answer = jsonify(body)
    answer.status_code = code_of(reply)
    return answer


def too_late() -> Reply:
    """The reply to a form that shows what is no more."""
    return Reply(False, None, True, snapshot())


def as_page(reply: Reply, back: str, again: str = "") -> BaseResponse | tuple[str, int]:
    """The reply to a plain form: back to where it came from, or a page that says why not. ``again``: where to look
    again when it came too late."""
    if wants_json():
        return as_json(reply)
    sentence = sentence_of(reply)
    if reply.accepted:
        if sentence is not None:
            flash(sentence.to(language()))
        return redirect(back, 303)
    back = again if reply.stale and again else back
    return page("message.html", sentence=sentence, back=back, code=code_of(reply)), code_of(reply)


def wants_json() -> bool:
    """Whether the present request is a script's and not a page's."""
    return request.path.startswith("/api/") or request.accept_mimetypes.best == "application/json"


def safe_back(path: str | None, otherwise: str) -> str:
    """A path of our own to go back to."""
    return path if path and path.startswith("/") and not path.startswith(("//", "/\\")) else otherwise
