"""What every view needs of the application it runs in, typed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

from flask import current_app, g, render_template, request

from companion.table import Snapshot, Table
from web.decks import Decks
from web.draw import Painter
from web.guard import Pairing, is_paired
from web.live import Live
from web.model import View
from web.settings import Settings
from web.speech import language_of, theme_of


@dataclass(frozen=True)
class Context:
    """The parts of one application."""

    table: Table
    settings: Settings
    pairing: Pairing
    decks: Decks
    painter: Painter
    live: Live
    build: str


def here() -> Context:
    """The parts of the application that answers the present request."""
    return cast(Context, current_app.extensions["companion"])


def paired() -> bool:
    """Whether the present request comes from a paired browser."""
    return is_paired(here().pairing)


def language() -> str:
    """The language of the present request."""
    if "language" not in g:
        g.language = language_of(request, here().settings)
    return str(g.language)


def snapshot() -> Snapshot:
    """One snapshot for the whole of the present request."""
    if "snapshot" not in g:
        g.snapshot = here().table.snapshot()
    return cast(Snapshot, g.snapshot)


def view() -> View:
    """What the pages show of that snapshot."""
    return here().painter.view(snapshot())


def page(template: str, *, live: bool = False, **values: Any) -> str:
    """Draw a whole page in the language and theme of the present request."""
    parts = here()
    return render_template(
        template,
        **parts.painter.words(language(), parts.painter.games.of(snapshot())),
        theme=theme_of(request, parts.settings),
        paired=paired(),
        build=parts.build,
        version=snapshot().version,
        heartbeat=parts.settings.heartbeat_s,
        live=live,
        names={seat.seat: seat.name for seat in view().seats},
        **{"v": view(), **values},
    )
