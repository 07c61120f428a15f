"""The cards of Hooked! as pages show them: by the deck's picture, else by name and number."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.words import Text, _
from web.decks import DeckBook
from web.hooked.model import CardView

ACTIONS: dict[str, Text] = {
    "empty-hook": _("Empty Hook"),
    "catch-and-release": _("Catch & Release"),
    "net-cast": _("Net Cast"),
    "current-shift": _("Current Shift"),
}
UNKNOWN = "unknown"
"""Stands where nobody knows the card yet."""


class Cards:
    """All cards of a match: from its options (``cards``), and where these say nothing from the deck."""

    def __init__(self, options: Mapping[str, Any], book: DeckBook) -> None:
        given = options.get("cards")
        self._given: Mapping[str, Any] = given if isinstance(given, Mapping) else cards_of(book)
        self._book = book

    @property
    def all(self) -> tuple[CardView, ...]:
        """Every card once: fish by their number, then the action cards."""
        found = [self.view(id) for id in self._given]
        return tuple(sorted(found, key=lambda card: (card.action, card.number or 0, card.id)))

    def view(self, id: str, *, fact: int | None = None, by: str | None = None) -> CardView:
        """One card by its id, also one that nobody has described."""
        said = self._given.get(id)
        said = said if isinstance(said, Mapping) else {}
        action = said.get("kind") == "action" or id in ACTIONS
        number = said.get("number")
        name: str | Text = str(said.get("name") or plain_name(id))
        if id in ACTIONS:
            name = ACTIONS[id]
        elif id == UNKNOWN:
            name = _("not known yet")
        return CardView(
            id=id,
            name=name,
            number=number if isinstance(number, int) and number > 0 and not action else None,
            action=action,
            face=self._book.face(id) is not None,
            fact=fact,
            by=by,
        )


def plain_name(id: str) -> str:
    """``rainbow-trout`` as people write it."""
    return id.replace("-", " ").title()


def cards_of(book: DeckBook) -> dict[str, dict[str, Any]]:
    """The cards of a deck as the rules want them in the options of a match."""
    found: dict[str, dict[str, Any]] = {}
    for piece in book.of_kind("fish-card", "action-card"):
        kind = "action" if piece.kind == "action-card" else "fish"
        number = piece.values.get("number", 0) if kind == "fish" else 0
        name = str(piece.values.get("name") or plain_name(piece.id))
        found[piece.id] = {"kind": kind, "number": number, "name": name, "copies": piece.copies}
    return found
