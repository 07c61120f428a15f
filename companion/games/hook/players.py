"""How the players of the simulated table choose: a tile, a card and a turn, sensibly; and what they do wrong."""

from __future__ import annotations

import math
from collections.abc import Iterable
from random import Random
from typing import Literal

import msgspec

from companion.deck import Deck, Piece
from companion.games.hook.ways import sight
from hardware.simulated.conditions import Condition
from hardware.simulated.faces import size_of
from hardware.simulated.poses import PiecePose

Mistake = Literal["crooked", "bare", "black-side", "no-card", "taken", "second-tile", "moved"]
MISTAKES: tuple[Mistake, ...] = ("crooked", "bare", "black-side", "no-card", "taken", "second-tile", "moved")
LEGAL_BARE_MM = 3.7
"""A tile that is meant to be legal stays clear of the 4 mm at which the table would be asked."""


class Choice(msgspec.Struct, frozen=True):
    """A tile to be laid on a card, turned by so many quarters from the card."""

    tile: str
    card: str
    quarters: int
    worth: float


def tiles_of(deck: Deck, seat: str) -> tuple[Piece, ...]:
    """The three Sight tiles of a character."""
    return tuple(piece for piece in deck.of_kind("sight-tile") if piece.values.get("owner") == seat)


def worth(symbols: Iterable[str], seat: str, hit: int = 0) -> float:
    """About how good a sight is for its owner, who has taken ``hit`` cannonballs."""
    seen = list(symbols)
    value = 0.0
    for symbol in seen:
        value += {"parrot": 3.0, "bomb": -3.0, "rum": 0.4 + 0.2 * hit, "black-pirate": 1.2, "barrel": 0.9,
                  "bird-cage": 0.9, "none": 0.0}.get(symbol, 1.0)  # fmt: skip
        if symbol == seat:
            value -= 2.5
    return value - (2.0 if "bomb" in seen and "parrot" in seen else 0.0)


def choose(seat: str, tiles: Iterable[Piece], cards: Iterable[Piece], hit: int, random: Random) -> Choice:
    """The best of a few sights that somebody in a hurry thinks of."""
    options = [(tile, card, quarters) for tile in tiles for card in cards for quarters in range(4)]
    looked = random.sample(options, min(len(options), random.randrange(4, 10)))
    choices = [
        Choice(tile.id, card.id, q, worth(sight(tile, card, q), seat, hit) + random.uniform(0, 0.5))
        for tile, card, q in looked
    ]
    return max(choices, key=lambda choice: choice.worth)


def lay(choice: Choice, tile: Piece, card: PiecePose, condition: Condition, random: Random) -> PiecePose:
    """Where a tile comes to rest that is laid as it should be: a little off, as people's hands are."""
    while True:
        far, a = condition.off_mm * random.uniform(0, 1) ** 0.7, random.uniform(0, math.tau)
        dx, dy = far * math.cos(a), far * math.sin(a)
        if max(abs(dx), abs(dy)) <= LEGAL_BARE_MM:
            break
    x, y = _on(card, dx, dy)
    turn = card.turn_deg + 90 * choice.quarters + random.uniform(-1, 1) * condition.off_deg
    return PiecePose(tile.id, x, y, round(turn % 360, 2), level=card.level + 1)


def spoil(pose: PiecePose, card: PiecePose, mistake: Mistake, random: Random) -> PiecePose:
    """The same tile laid in a wrong way."""
    if mistake == "crooked":
        return msgspec.structs.replace(
            pose, turn_deg=round((pose.turn_deg + random.choice((-1, 1)) * random.uniform(15, 40)) % 360, 2)
        )
    if mistake == "bare":
        side, along = random.uniform(7, 14) * random.choice((-1, 1)), random.uniform(-2, 2)
        x, y = _on(card, *((side, along) if random.random() < 0.5 else (along, side)))
        return msgspec.structs.replace(pose, x_mm=x, y_mm=y)
    if mistake == "black-side":
        return msgspec.structs.replace(pose, face_up=False)
    return pose


def _on(card: PiecePose, dx: float, dy: float) -> tuple[float, float]:
    """The table point at (dx, dy) of the card's own millimetres from its middle."""
    a = math.radians(card.turn_deg)
    return (
        round(card.x_mm + dx * math.cos(a) - dy * math.sin(a), 2),
        round(card.y_mm + dx * math.sin(a) + dy * math.cos(a), 2),
    )


def resting(tile: PiecePose, card: PiecePose) -> tuple[float, float, float]:
    """Turn of a tile from its card (0 to 360), how far that is from a quarter turn, and the widest bare strip in mm."""
    turn = (tile.turn_deg - card.turn_deg) % 360
    a = math.radians(-card.turn_deg)
    x, y = tile.x_mm - card.x_mm, tile.y_mm - card.y_mm
    dx, dy = x * math.cos(a) - y * math.sin(a), x * math.sin(a) + y * math.cos(a)
    return turn, abs((turn + 45) % 90 - 45), max(abs(dx), abs(dy))


def card_size(deck: Deck) -> tuple[float, float]:
    """The size of the deck's Target cards."""
    return size_of(deck.of_kind("target-card")[0])
