"""Decks as people handle them: kept by name, checked, passed on as one zip, printed."""
