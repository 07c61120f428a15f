"""Every sentence a person sees, in the languages we speak.

``_`` marks a sentence where it is written and returns a ``Text``: the English original with its values, not
yet in any language. ``Text.to(language)`` says it. Catalogues are the ``.po`` files in ``locale/``, read as they
are, so that nothing has to be compiled.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from babel.messages.pofile import read_po

LANGUAGES = ("en", "de")
LOCALE = Path(__file__).parent / "locale"


class Text(msgspec.Struct, frozen=True):
    """A sentence of ours with named values, ready to be said in any language. Values may be texts themselves."""

    msgid: str
    values: dict[str, Any] = {}
    plural: str | None = None
    count: int = 1

    def to(self, language: str) -> str:
        """The sentence in ``language``; English where the catalogue has no translation."""
        pattern = _translate(language, self.msgid, self.plural, self.count)
        values = {key: _say(value, language) for key, value in self.values.items()}
        return pattern.format_map(values) if values or "{" in pattern or "}" in pattern else pattern

    def __str__(self) -> str:
        return self.to("en")


def _(msgid: str, /, **values: Any) -> Text:
    """Mark a sentence: ``_("{seat}: bomb, everyone takes a hit", seat=...)``."""
    return Text(msgid, values)


def n_(singular: str, plural: str, count: int, /, **values: Any) -> Text:
    """Mark a sentence that depends on a number, which it may name as ``{count}``."""
    return Text(singular, {"count": count, **values}, plural, count)


def listed(names: Sequence[Text]) -> Text:
    """Several names in a sentence: "Ada, Bo and Cy". There is at least one."""
    *some, last = names
    if not some:
        return last
    text = some[0]
    for more in some[1:]:
        text = _("{some}, {more}", some=text, more=more)
    return _("{some} and {last}", some=text, last=last)


def verbatim(words: str) -> Text:
    """Words that are not ours (a name nobody knows, another program's sentence): the same in every language."""
    return Text(words.replace("{", "{{").replace("}", "}}"))


def spoken(value: Any, language: str) -> Any:
    """Plain JSON values (``msgspec.to_builtins``) with every sentence among them said in one language."""
    if isinstance(value, dict):
        if _is_text(value):
            return msgspec.convert(value, Text).to(language)
        return {str(key): spoken(item, language) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [spoken(item, language) for item in value]
    return value


def _is_text(value: dict[Any, Any]) -> bool:
    """Whether a JSON object is a Text: exactly its fields, each of its type. (Others may have a key "msgid" too.)"""
    return (
        set(value) == {"msgid", "values", "plural", "count"}
        and isinstance(value["msgid"], str)
        and isinstance(value["values"], dict)
        and isinstance(value["plural"], str | None)
        and type(value["count"]) is int
    )


def _say(value: Any, language: str) -> Any:
    if isinstance(value, Text):
        return value.to(language)
    if isinstance(value, dict) and _is_text(value):  # a Text that came back from JSON
        return msgspec.convert(value, Text).to(language)
    return value


def _translate(language: str, msgid: str, plural: str | None, count: int) -> str:
    original = msgid if plural is None or count == 1 else plural
    message = catalogue(language).get(msgid)
    if message is None:
        return original
    said = message if isinstance(message, str) else message[0 if count == 1 else 1]
    return said or original


@cache
def catalogue(language: str) -> dict[str, str | tuple[str, ...]]:
    """All translations of ``language`` by their English original; empty for English and unknown languages."""
    path = LOCALE / language / "LC_MESSAGES" / "companion.po"
    if language == "en" or not path.exists():
        return {}
    with path.open("rb") as file:
        messages = read_po(file, locale=language)
    return {
        (m.id[0] if isinstance(m.id, tuple) else str(m.id)): (
            tuple(m.string) if isinstance(m.string, tuple) else str(m.string)
        )
        for m in messages
        if m.id and not m.fuzzy
    }
