"""The names Hook! uses: characters (which are its seats), symbols, teams, and the figures of the rulebook."""

from __future__ import annotations

from companion.words import Text, _
from companion.world import NOTHING

CHARACTERS = ("red-pirate", "yellow-pirate", "blue-pirate", "red-sailor", "yellow-sailor", "blue-sailor")
BLACK_PIRATE, RUM, BARREL, CAGE, BOMB, PARROT = "black-pirate", "rum", "barrel", "bird-cage", "bomb", "parrot"
SYMBOLS = (*CHARACTERS, BLACK_PIRATE, RUM, BARREL, CAGE, BOMB, PARROT)
READABLE = frozenset((*SYMBOLS, NOTHING))
"""What a hole can show: one of the symbols, or nothing."""

UNREAD = "unread"
"""Stands where a symbol is still a question."""

COVERS = frozenset((BARREL, CAGE))

CARDS = 96
SPACES = 9
"""Cannonball spaces of a Hit card: this many hits and you are out."""

ROUNDS = {3: 32, 4: 24, 5: 19, 6: 16}
"""Rounds by the number of players: 96 Target cards dealt evenly (with 5 players one goes back into the box)."""

CROOKED_DEG = 10.0
BARE_MM = 4.0
SHARE_COUNTS, SHARE_ASKED = 0.6, 0.4
"""A symbol counts when more than half of it shows; between these shares it is asked."""

COLOURS = ("red", "yellow", "blue")
SIDES = ("pirates", "sailors")

_CHARACTER = {
    "red-pirate": _("Red Pirate"),
    "yellow-pirate": _("Yellow Pirate"),
    "blue-pirate": _("Blue Pirate"),
    "red-sailor": _("Red Sailor"),
    "yellow-sailor": _("Yellow Sailor"),
    "blue-sailor": _("Blue Sailor"),
}
_SYMBOL = {
    **_CHARACTER,
    BLACK_PIRATE: _("Black Pirate"),
    RUM: _("Bottle of rum"),
    BARREL: _("Barrel"),
    CAGE: _("Bird cage"),
    BOMB: _("Bomb"),
    PARROT: _("Parrot"),
    NOTHING: _("Nothing"),
    UNREAD: _("Not read yet"),
}
_TEAM = {
    "red": _("Red"),
    "yellow": _("Yellow"),
    "blue": _("Blue"),
    "pirates": _("Pirates"),
    "sailors": _("Sailors"),
}


def seat_name(seat: str) -> Text:
    """The character's name, as sentences call a seat: "Blue Pirate"."""
    return _CHARACTER.get(seat) or _(seat)


def symbol_name(symbol: str) -> Text:
    """A symbol's name as it stands on a button: "Bottle of rum"; an empty hole is "Nothing"."""
    return _SYMBOL.get(symbol) or _(symbol)


def team_name(team: str) -> Text:
    """A team's name: a colour, pirates, sailors, or (playing alone) the character."""
    return _TEAM.get(team) or seat_name(team)


def colour_of(seat: str) -> str:
    return seat.partition("-")[0]


def side_of(seat: str) -> str:
    return f"{seat.partition('-')[2]}s"
