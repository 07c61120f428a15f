"""Draws the fragments of a page, in a request or far from one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from flask import Flask

from companion.games.hook.names import CHARACTERS, SYMBOLS
from companion.table import Snapshot
from web.drawings import sprite
from web.hook.build import build
from web.hook.decks import Decks
from web.hook.model import HookView
from web.live import Audience
from web.speech import speaker

FRAGMENTS = ("round", "status", "seats", "story", "doubts", "picture")
FOR_PAIRED = ("controls",)


class Painter:
    """Turns snapshots into the page's view and its fragments. One view is kept, for the newest snapshot."""

    def __init__(self, app: Flask, decks: Decks, build_id: str) -> None:
        self._app = app
        self._decks = decks
        self._build = build_id
        self.folder = Path(app.root_path)
        self._kept: tuple[Snapshot, HookView] | None = None
        app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
        app.jinja_env.filters["tojson_text"] = lambda value: json.dumps(value, separators=(",", ":"))

    def view(self, snapshot: Snapshot) -> HookView:
        """What the pages show of a snapshot."""
        kept = self._kept
        if kept is not None and kept[0] is snapshot:
            return kept[1]
        view = build(snapshot, self._decks)
        self._kept = (snapshot, view)
        return view

    def words(self, language: str) -> dict[str, Any]:
        """What every template can use: the language, addresses and the drawings."""

        def link(endpoint: str, **values: Any) -> str:
            return self._app.url_map.bind("companion.invalid").build(endpoint, values)

        def static(filename: str) -> str:
            return f"{link('static', filename=filename)}?v={self._build}"

        return {
            **speaker(language),
            "language": language,
            "url_for": link,
            "static": static,
            "sprite": sprite(),
            "symbols": SYMBOLS,
            "characters": CHARACTERS,
        }

    def fragments(self, snapshot: Snapshot, audience: Audience) -> dict[str, str]:
        """All fragments for one audience, by name."""
        paired, language = audience
        values = {**self.words(language), "v": self.view(snapshot), "paired": paired}
        names = (*FRAGMENTS, *FOR_PAIRED) if paired else FRAGMENTS
        return {name: self._app.jinja_env.get_template(f"hook/{name}.html").render(values) for name in names}
