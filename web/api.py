"""The HTTP interface for programs and for our own script. It is written down in ``openapi.json``."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Blueprint, Response, jsonify, request

from companion.table import About
from companion.words import _
from web.act import as_json, change
from web.context import here, language, paired, snapshot
from web.guard import Refused
from web.state import state_json

bp = Blueprint("api", __name__)


class Order(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of ``POST /api/commands``."""

    command: dict[str, Any]
    about: About | None = None
    match: int | None = None


@bp.get("/healthz")
def healthz() -> Response:
    """Whether the program is alive, in one line."""
    now = snapshot()
    return jsonify(
        ok=now.trouble is None, build=here().build, version=now.version, camera=now.camera.camera, match=now.match
    )


@bp.get("/api/state")
def state() -> Response:
    """Everything there is to see."""
    return jsonify(state_json(snapshot(), here().table.public(snapshot()), here().build, language()))


@bp.get("/api/fragments")
def fragments() -> Response:
    """The drawn fragments, for a page that got no stream."""
    drawn = here().live.drawn((paired(), language()))
    return jsonify(build=here().build, version=drawn.version, game=drawn.game, fragments=drawn.fragments)


@bp.post("/api/commands")
def commands() -> Response:
    """Do something: 200, 409 with the present state when it came too late, 422 when the rules forbid it."""
    try:
        order = msgspec.json.decode(request.get_data(), type=Order)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        why = _("The body is not what it should be: {reason}. Send JSON with a command.", reason=str(error))
        raise Refused(400, why) from error
    return as_json(change(order.command, order.about, order.match))


@bp.get("/api/openapi.json")
def openapi() -> Response:
    """This interface, written down."""
    text = (here().painter.folder / "openapi.json").read_text(encoding="utf-8")
    return Response(text, mimetype="application/json")
