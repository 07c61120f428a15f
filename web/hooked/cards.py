"""The cards of Hooked! as pages show them: by the deck's picture, else by name and number."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.hooked.names import action_name
from companion.games.hooked.state import Card
from companion.words import Text, _
from web.decks import DeckBook
from web.hooked.model import CardView


class Cards:
    """All cards of a match, and the deck that has their pictures."""

    def __init__(self, cards: Mapping[str, Card], book: DeckBook) -> None:
        self._cards = cards
        self._book = book

    @property
    def all(self) -> tuple[CardView, ...]:
        """Every card once: fish by their number, then the action cards."""
        found = [self.view(id) for id in self._cards]
        return tuple(sorted(found, key=lambda card: (card.action, card.number or 0, card.id)))

    def view(self, id: str, *, fact: int | None = None, by: str | None = None) -> CardView:
        """One card by its id, also one that the deck does not have."""
        known = self._cards.get(id)
        return CardView(
            id=id,
            name=action_name(id) or (known.name if known is not None else id),
            number=known.number if known is not None and known.kind == "fish" else None,
            action=known is not None and known.kind == "action",
            face=self._book.face(id) is not None,
            fact=fact,
            by=by,
        )


def card_name(card: CardView) -> Text | str:
    """A card in a sentence: ``#8 Walleye``."""
    return _("#{number} {card}", number=card.number, card=card.name) if card.number is not None else card.name
