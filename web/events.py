"""The stream that keeps an open page up to date."""

from __future__ import annotations

from flask import Blueprint, Response

from companion.words import n_
from web.context import here, language, paired
from web.guard import Refused

bp = Blueprint("events", __name__)


@bp.get("/events")
def events() -> Response:
    """Server-sent events: all fragments at first, then what changes, and a heartbeat. 503 when too many listen."""
    live = here().live
    stream = live.open((paired(), language()))
    if stream is None:
        sentence = n_(
            "Already {count} screen is watching live. Close one, or wait: this one looks again every few seconds.",
            "Already {count} screens are watching live. Close one, or wait: this one looks again every few seconds.",
            live.limit,
        )
        raise Refused(503, sentence)
    return Response(stream, mimetype="text/event-stream", headers={"X-Accel-Buffering": "no"})
