"""Draws the fragments of a page, in a request or far from one."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from flask import Flask

from companion.table import Snapshot
from web.buttons import buttons
from web.decks import Decks
from web.drawings import sprite
from web.game import Pages, Shelf
from web.live import Audience
from web.model import View
from web.sounds import SOUNDS
from web.speech import speaker

FRAGMENTS = ("round", "status", "hero", "seats", "story", "doubts", "picture", "buttons")
FOR_PAIRED = ("controls",)


class Painter:
    """Turns snapshots into the view of the game on the table and its fragments.

    One view is kept, for the newest snapshot; one that changes with the time alone (``settles_in_ms``) is not.
    """

    def __init__(self, app: Flask, decks: Decks, build_id: str, games: Shelf, clock: Callable[[], int]) -> None:
        self._app = app
        self._decks = decks
        self._build = build_id
        self._clock = clock
        self.games = games
        self.folder = Path(app.root_path)
        self._kept: tuple[Snapshot, View] | None = None
        app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
        app.jinja_env.filters["tojson_text"] = lambda value: json.dumps(value, separators=(",", ":"))

    def view(self, snapshot: Snapshot) -> View:
        """What the pages show of a snapshot."""
        kept = self._kept
        if kept is not None and kept[0] is snapshot:
            return kept[1]
        view = self.games.of(snapshot).build(snapshot, self._decks, self._clock())
        self._kept = (snapshot, view) if not getattr(view, "settles_in_ms", 0) else None
        return view

    def words(self, language: str, pages: Pages) -> dict[str, Any]:
        """What every template can use: the language, addresses, sounds, and the drawings of all games."""

        def link(endpoint: str, **values: Any) -> str:
            return self._app.url_map.bind("companion.invalid").build(endpoint, values)

        def static(filename: str) -> str:
            return f"{link('static', filename=filename)}?v={self._build}"

        return {
            **speaker(language),
            "language": language,
            "url_for": link,
            "static": static,
            "sprite": sprite(tuple(self.games.all)),
            "sounds": SOUNDS,
            "game": pages.game,
            "title": pages.title,
            "brand": pages.brand,
            "symbols": (),
            **pages.words,
        }

    def fragments(self, snapshot: Snapshot, audience: Audience) -> dict[str, str]:
        """All fragments for one audience, by name."""
        paired, language = audience
        pages = self.games.of(snapshot)
        values = {**self.words(language, pages), "v": self.view(snapshot), "paired": paired}
        values["buttons"] = buttons(snapshot)
        names = (*FRAGMENTS, *FOR_PAIRED) if paired else FRAGMENTS
        find = self._app.jinja_env.select_template
        return {name: find([f"{pages.game}/{name}.html", f"shared/{name}.html"]).render(values) for name in names}
