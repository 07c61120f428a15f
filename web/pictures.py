"""Pictures: the table as it is, what a doubt is about, and the faces of a deck."""

from __future__ import annotations

from flask import Blueprint, Response, abort

from web.context import here, snapshot

bp = Blueprint("pictures", __name__)


@bp.get("/pictures/<name>")
def kept(name: str) -> Response:
    """A picture by its name. A name never shows anything else later, so browsers may keep it."""
    jpeg = here().table.picture(name)
    if jpeg is None:
        abort(404)
    return Response(jpeg, mimetype="image/jpeg", headers={"Cache-Control": "private, max-age=86400, immutable"})


@bp.get("/faces/<piece>")
def face(piece: str) -> Response:
    """The face of a piece of the present deck."""
    started = snapshot().started
    path = here().decks.get(started.deck if started else None).face(piece)
    if path is None:
        abort(404)
    kind = "image/png" if path.suffix == ".png" else "image/jpeg"
    return Response(path.read_bytes(), mimetype=kind, headers={"Cache-Control": "private, max-age=3600"})
