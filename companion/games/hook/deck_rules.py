"""What a deck must hold so that Hook! can be played with it, beyond being a sound deck folder."""

from __future__ import annotations

from companion.deck import Deck, Piece
from companion.games.hook.names import CARDS, CHARACTERS, HOLES, PARROT, SYMBOLS

TILES = 3
"""Sight tiles of each character."""


def parrots_printed(deck: Deck) -> dict[str, int]:
    """How many parrots are printed on each Target card, by its id, as the rules are told at the start."""
    return {card.id: sum(mark.name == PARROT for mark in card.marks) for card in deck.of_kind("target-card")}


def problems(deck: Deck) -> list[str]:
    """Everything that keeps Hook! from being played with this deck, each as a sentence; empty when all is well."""
    found = []
    for kind, noun in (("target-card", "Target cards"), ("sight-tile", "Sight tiles")):
        if not deck.of_kind(kind):
            found.append(f'no {noun}. Add pieces of kind = "{kind}".')
    for card in deck.of_kind("target-card"):
        found += [f"piece {card.id}: {problem}" for problem in _card(card)]
    for tile in deck.of_kind("sight-tile"):
        found += [f"piece {tile.id}: {problem}" for problem in _tile(tile)]
    return found


def warnings(deck: Deck) -> list[str]:
    """What is unusual about the deck but can be played with."""
    found = []
    cards = sum(card.copies for card in deck.of_kind("target-card"))
    if 0 < cards < CARDS:
        found.append(f"only {cards} Target cards where the box has {CARDS}; a card left out is not recognised.")
    tiles = deck.of_kind("sight-tile")
    for owner in CHARACTERS:
        count = sum(tile.values.get("owner") == owner for tile in tiles)
        if tiles and count != TILES:
            found.append(f"{count} Sight tiles of {owner} where the box has {TILES}.")
    return found


def _card(card: Piece) -> list[str]:
    if not card.marks:
        return ["it has no marks. Say where its symbols are printed."]
    return [
        f"mark {index} is called {mark.name!r}. The symbols of Hook! are: {', '.join(SYMBOLS)}."
        for index, mark in enumerate(card.marks, 1)
        if mark.name not in SYMBOLS
    ]


def _tile(tile: Piece) -> list[str]:
    found = []
    owner = tile.values.get("owner")
    if owner not in CHARACTERS:
        said = "values names no owner" if owner is None else f"its owner {owner!r} is no character"
        found.append(f'{said}. Write values = {{ owner = "..." }} with one of: {", ".join(CHARACTERS)}.')
    if len(tile.holes) != HOLES:
        found.append(f"it has {len(tile.holes)} holes where a Sight tile has {HOLES}. Say where they are.")
    return found
