"""What the pages need of a deck: its cards and their faces; where a tile has its holes, which tiles a seat has."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path

from companion.deck import Deck, DeckError, Hole, Piece
from companion.games.hook.deck_rules import parrots_printed

PLAIN_HOLES = (Hole((0.26, 0.3), 0.14), Hole((0.74, 0.36), 0.14), Hole((0.46, 0.74), 0.14))
"""Where holes are drawn when no deck says where they are."""


class DeckBook:
    """One deck by its name, read when it is first needed; a deck that cannot be read counts as none."""

    def __init__(self, load: Callable[[], Deck] | None) -> None:
        self._load = load

    @cached_property
    def deck(self) -> Deck | None:
        """The deck, if there is one that can be read."""
        if self._load is None:
            return None
        try:
            return self._load()
        except (DeckError, OSError):
            return None

    @cached_property
    def _pieces(self) -> dict[str, Piece]:
        return {piece.id: piece for piece in self.deck.pieces} if self.deck else {}

    def holes(self, tile: str) -> tuple[Hole, ...]:
        """The holes of a Sight tile, in its own order."""
        piece = self._pieces.get(tile)
        return piece.holes if piece and piece.holes else PLAIN_HOLES

    def tiles(self, seat: str) -> tuple[str, ...]:
        """The Sight tiles of a seat; three made-up ones when no deck says."""
        found = [p.id for p in self._pieces.values() if p.kind == "sight-tile" and p.values.get("owner") == seat]
        return tuple(found) or tuple(f"sight-{seat}-{n}" for n in (1, 2, 3))

    @cached_property
    def cards(self) -> tuple[str, ...]:
        """All Target cards."""
        return tuple(p.id for p in self._pieces.values() if p.kind == "target-card")

    @property
    def game(self) -> str | None:
        """The game this deck is for; None when there is no deck, or when it is for any."""
        return self.deck.game if self.deck is not None and self.deck.game != "any" else None

    def piece(self, id: str) -> Piece | None:
        """A piece by its id."""
        return self._pieces.get(id)

    def of_kind(self, *kinds: str) -> tuple[Piece, ...]:
        """All pieces of these kinds, in the deck's own order."""
        return tuple(piece for piece in self._pieces.values() if piece.kind in kinds)

    def parrots(self) -> dict[str, int]:
        """How many parrots are printed on each Target card, for the rules."""
        return parrots_printed(self.deck) if self.deck else {}

    def face(self, piece: str) -> Path | None:
        """The picture of a piece's face."""
        found = self._pieces.get(piece)
        return self.deck.folder / found.face if found and self.deck else None


class Decks:
    """All decks that the settings name. ``get`` of an unknown name is an empty book."""

    def __init__(self, loaders: Mapping[str, Callable[[], Deck]]) -> None:
        self._books = {name: DeckBook(load) for name, load in loaders.items()}
        self._none = DeckBook(None)

    @property
    def names(self) -> tuple[str, ...]:
        """The decks one may choose from."""
        return tuple(self._books)

    def of_game(self, game: str) -> tuple[str, ...]:
        """The decks that this game can be played with."""
        return tuple(name for name, book in self._books.items() if book.game in (game, None))

    def get(self, name: str | None) -> DeckBook:
        """The book of that name; without a name, or for a name that is gone, the first one or an empty one."""
        if name in self._books:
            return self._books[name]
        return next(iter(self._books.values()), self._none) if name is None else self._none
