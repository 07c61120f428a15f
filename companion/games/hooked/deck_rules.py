"""What a deck must hold so that Hooked! can be played with it, and what a match is told of it."""

from __future__ import annotations

from typing import Any

from companion.deck import Deck, Piece
from companion.games.hooked.names import ACTION_COPIES, ACTIONS, CARDS, FISH_COPIES

FISH, ACTION = "fish-card", "action-card"


def options(deck: Deck) -> dict[str, Any]:
    """The part of ``MatchStarted.options`` that comes from the deck: its cards, with numbers, names and copies."""
    cards: dict[str, Any] = {}
    for piece in deck.of_kind(FISH):
        number = piece.values.get("number", 0)
        cards[piece.id] = {"kind": "fish", "number": number, "name": name(piece), "copies": piece.copies}
    for piece in deck.of_kind(ACTION):
        cards[piece.id] = {"kind": "action", "number": 0, "name": name(piece), "copies": piece.copies}
    return {"cards": cards}


def name(piece: Piece) -> str:
    """What people call a card: its ``values.name``, else its id in plain words ("rainbow-trout": "Rainbow Trout")."""
    return str(piece.values.get("name") or piece.id.replace("-", " ").title())


def problems(deck: Deck) -> list[str]:
    """Everything that keeps Hooked! from being played with this deck, each as a sentence; empty when all is well."""
    found = []
    fish = deck.of_kind(FISH)
    if not fish:
        found.append(f'no fish cards. Add pieces of kind = "{FISH}".')
    numbers: dict[int, str] = {}
    for piece in fish:
        number = piece.values.get("number")
        if type(number) is not int or number < 1:
            found.append(f"piece {piece.id}: values has no number. Write values = {{ number = 8 }}.")
        elif number in numbers:
            found.append(f"pieces {numbers[number]} and {piece.id}: both have the number {number}.")
        else:
            numbers[number] = piece.id
    for piece in deck.of_kind(ACTION):
        if piece.id not in ACTIONS:
            found.append(f"piece {piece.id}: no such action card. They are called: {', '.join(ACTIONS)}.")
    return found


def warnings(deck: Deck) -> list[str]:
    """What is unusual about the deck but can be played with."""
    found = []
    for kind, copies in ((FISH, FISH_COPIES), (ACTION, ACTION_COPIES)):
        for piece in deck.of_kind(kind):
            if piece.copies != copies:
                found.append(f"piece {piece.id}: {piece.copies} copies where the box has {copies}.")
    count = sum(piece.copies for piece in (*deck.of_kind(FISH), *deck.of_kind(ACTION)))
    if count != CARDS:
        found.append(f"{count} cards where the box has {CARDS}.")
    return found
