"""The names Hook! uses: characters (which are its seats), symbols, teams, and the figures of the rulebook."""

from __future__ import annotations

from companion.words import Text, _, verbatim
from companion.world import NOTHING

CHARACTERS = ("red-pirate", "yellow-pirate", "blue-pirate", "red-sailor", "yellow-sailor", "blue-sailor")
BLACK_PIRATE, RUM, BARREL, CAGE, BOMB, PARROT = "black-pirate", "rum", "barrel", "bird-cage", "bomb", "parrot"
SYMBOLS = (*CHARACTERS, BLACK_PIRATE, RUM, BARREL, CAGE, BOMB, PARROT)
READABLE = frozenset((*SYMBOLS, NOTHING))
"""What a hole can show: one of the symbols, or nothing."""

UNREAD = "unread"
"""Stands where a symbol is still a question."""

UNNAMED = "unknown-on-"
"""Begins the id of a Sight tile that nobody could name: the card it lies on follows."""

COVERS = frozenset((BARREL, CAGE))

CARDS = 96
SPACES = 9
"""Cannonball spaces of a Hit card: this many hits and you are out."""

HOLES = 3
"""Holes of a Sight tile."""

MOST_PARROTS = 99
"""More parrots than this are printed on no Target card."""

ROUNDS = {3: 32, 4: 24, 5: 19, 6: 16}
"""Rounds by the number of players: 96 Target cards dealt evenly (with 5 players one goes back into the box)."""

POSE_FAULTS = ("black-side", "no-card", "crooked", "bare")
"""What can be wrong with how a Sight tile lies, whatever else lies on the table."""

FAULTS = (*POSE_FAULTS, "second-tile", "taken", "moved")

CROOKED_DEG = 10.0
BARE_MM = 4.0
SHARE_COUNTS, SHARE_ASKED = 0.6, 0.4
"""A symbol counts when more than half of it shows; between these shares it is asked."""

COLOURS = ("red", "yellow", "blue")

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
    return _CHARACTER.get(seat) or verbatim(seat)


def symbol_name(symbol: str) -> Text:
    """A symbol's name as it stands on a button: "Bottle of rum"; an empty hole is "Nothing"."""
    return _SYMBOL.get(symbol) or verbatim(symbol)


def team_name(team: str) -> Text:
    """A team's name: a colour, pirates, sailors, or (playing alone) the character."""
    return _TEAM.get(team) or seat_name(team)


def colour_of(seat: str) -> str:
    return seat.partition("-")[0]


def side_of(seat: str) -> str:
    return f"{seat.partition('-')[2]}s"
