"""The app factory: joins the guard, the live fragments and the blueprints, each of one concern."""

from __future__ import annotations

import hashlib
from datetime import timedelta
from pathlib import Path

from flask import Flask

from companion.table import Table
from web import api, errors, events, guard, pages, pairing, pictures, setup, sheets
from web.context import Context
from web.decks import Decks
from web.draw import Painter
from web.game import Shelf
from web.guard import Pairing
from web.hook.pages import HOOK
from web.hooked import setup as hooked_setup
from web.hooked import sheets as hooked_sheets
from web.hooked.pages import HOOKED
from web.live import Live
from web.settings import Settings

HERE = Path(__file__).parent
LARGEST_BODY = 256 * 1024


def create_app(table: Table, settings: Settings) -> Flask:
    """The pages of a table. The caller starts and stops the table; ``close`` of ``live_of(app)`` ends all streams."""
    app = Flask("web", root_path=str(HERE), template_folder="templates", static_folder="static")
    app.config.update(
        SECRET_KEY=settings.secret,
        MAX_CONTENT_LENGTH=LARGEST_BODY,
        PERMANENT_SESSION_LIFETIME=timedelta(days=90),
        SESSION_COOKIE_NAME="companion",
        SESSION_COOKIE_SAMESITE="Strict",
        SESSION_COOKIE_HTTPONLY=True,
        SEND_FILE_MAX_AGE_DEFAULT=timedelta(days=1),
    )
    app.json.sort_keys = False  # type: ignore[attr-defined]
    build = build_id()
    watch = Pairing(settings.pin, settings.secret, settings.clock)
    decks = Decks(settings.decks)
    games = sorted((HOOK, HOOKED), key=lambda pages: pages.game != settings.game)
    painter = Painter(app, decks, build, Shelf(tuple(games)), settings.clock)
    live = Live(
        table,
        painter.fragments,
        lambda snapshot: painter.games.of(snapshot).game,
        build=build,
        streams=settings.streams,
        heartbeat_s=settings.heartbeat_s,
        gap_s=settings.render_gap_s,
        address=settings.address,
    )
    app.extensions["companion"] = Context(table, settings, watch, decks, painter, live, build)
    guard.install(app, settings, watch)
    errors.install(app)
    for module in (pages, sheets, setup, hooked_sheets, hooked_setup, pairing, pictures, events, api):
        app.register_blueprint(module.bp)
    return app


def live_of(app: Flask) -> Live:
    """The streams of an application, to close them when it stops."""
    parts: Context = app.extensions["companion"]
    return parts.live


def build_id() -> str:
    """A name for this very program: pages of another one reload themselves."""
    digest = hashlib.sha256()
    for path in sorted(HERE.rglob("*")):
        if path.suffix in {".py", ".html", ".css", ".js", ".svg"}:
            digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:12]
