"""Which language and theme a browser gets, and how templates speak."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Request, session

from companion.words import LANGUAGES, Text
from web.settings import Settings

THEMES = ("dark", "light")


def language_of(request: Request, settings: Settings) -> str:
    """The language somebody chose, or the settings', or what the browser asks for, or English."""
    chosen = request.args.get("lang") or session.get("language") or settings.language
    if chosen in LANGUAGES:
        return str(chosen)
    return request.accept_languages.best_match(LANGUAGES) or "en"


def theme_of(request: Request, settings: Settings) -> str:
    """The theme somebody chose, else the settings'."""
    chosen = request.args.get("theme") or session.get("theme") or settings.theme
    return chosen if chosen in THEMES else "dark"


def speaker(language: str) -> dict[str, Callable[..., str]]:
    """What templates call: ``say(text)``, ``t("sentence", name=value)`` and ``tn("one", "many", n)``."""

    def say(text: Text | str) -> str:
        return text.to(language) if isinstance(text, Text) else text

    def t(msgid: str, **values: Any) -> str:
        return Text(msgid, values).to(language)

    def tn(singular: str, plural: str, count: int, **values: Any) -> str:
        return Text(singular, {"count": count, **values}, plural, count).to(language)

    return {"say": say, "t": t, "tn": tn}
