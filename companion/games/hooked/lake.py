"""What lies in the Lake: which card may be slapped, and why.

Twins before sandwich before streak. An action card counts only while it is on top, may be the middle of a sandwich, and
breaks a streak. Only cards flipped in the present Lake count, never those put face down under it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import cast

from companion.games.hooked.names import EMPTY_HOOK, UNKNOWN
from companion.games.hooked.state import LakeCard, Reason, Setup, Table, Why

DEPTH = 3
"""A card's neighbours this far down decide whether it may be slapped."""
MOST_GUESSES = 600
"""With more possible combinations than this, nothing is known."""


def combination(setup: Setup, cards: Sequence[str]) -> Why | None:
    """Why the last of these cards (oldest first) may be slapped; None when it may not."""
    top = setup.cards.get(cards[-1])
    if top is None:
        return None
    if top.kind == "action":
        return None if cards[-1] == EMPTY_HOOK else cast(Why, cards[-1])
    below = setup.cards.get(cards[-2]) if len(cards) > 1 else None
    if len(cards) > 1 and cards[-2] == cards[-1]:
        return "twins"
    if len(cards) > 2 and cards[-3] == cards[-1]:
        return "sandwich"
    if below is not None and below.kind == "fish" and abs(below.number - top.number) == 1:
        return "streak"
    return None


def reason(setup: Setup, table: Table) -> Reason:
    """Whether the card on top may be slapped, as far as the cards are known."""
    cards = table.lake[-DEPTH:]
    if not cards:
        return Reason()
    possible = [possibilities(setup, card) for card in cards]
    combinations = 1
    for options in possible:
        combinations *= len(options)
    if combinations > MOST_GUESSES:
        return Reason(sure=False)
    found = {(combination(setup, guess), guess[-1] == EMPTY_HOOK) for guess in product(*possible)}
    if len(found) > 1:
        return Reason(sure=False)
    why, hook = found.pop()
    replay = table.replay
    if why is None and not hook and replay is not None and replay.flip == cards[-1].fact:
        return Reason(sure=False) if replay.hooks else Reason(replay.why, seats=replay.seats)
    return Reason(why, hook)


def unknown(table: Table) -> tuple[int, ...]:
    """The flips of the cards, not known yet, that decide what slapping the card on top does."""
    hooks = table.replay.hooks if table.replay is not None else ()
    return (*hooks, *(card.fact for card in table.lake[-DEPTH:] if card.maybe or card.card == UNKNOWN))


def possibilities(setup: Setup, card: LakeCard) -> tuple[str, ...]:
    """The cards that a card of the Lake could be."""
    if card.maybe:
        return card.maybe
    return tuple(setup.cards) if card.card == UNKNOWN else (card.card,)


def exhausted(setup: Setup, lake: Sequence[LakeCard], card: str) -> bool:
    """Whether all copies of a card are known to lie in the Lake already, so that no other can follow.

    A card that is only a guess is not known to be one of them.
    """
    return card in setup.cards and sum(c.card == card and not c.maybe for c in lake) >= setup.cards[card].copies
