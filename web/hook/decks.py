"""The decks as the pages of Hook! need them."""

from web.decks import DeckBook, Decks

__all__ = ["DeckBook", "Decks"]
