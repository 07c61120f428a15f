"""The names Hooked! uses: action cards, reasons for a slap, seats, and the figures of the rulebook."""

from __future__ import annotations

from companion.words import Text, _, verbatim

EMPTY_HOOK, CATCH_AND_RELEASE, NET_CAST, CURRENT_SHIFT = "empty-hook", "catch-and-release", "net-cast", "current-shift"
ACTIONS = (EMPTY_HOOK, CATCH_AND_RELEASE, NET_CAST, CURRENT_SHIFT)
SAY_HOOKED = (CATCH_AND_RELEASE, NET_CAST, CURRENT_SHIFT)
"""Action cards that are slapped, with the word "HOOKED!"."""

UNKNOWN = "unknown"
"""Stands in the Lake where nobody knows the card yet."""

CARDS, SPECIES, FISH_COPIES, ACTION_COPIES = 62, 18, 3, 2
PLAYERS = (2, 6)
WRONG_COSTS = 2
"""Cards that a wrong slap puts under the Lake."""
LOCK_LANDS = 3
"""An Empty Hook's lock ends when the third card after it lands."""

_ACTION = {
    EMPTY_HOOK: _("Empty Hook"),
    CATCH_AND_RELEASE: _("Catch & Release"),
    NET_CAST: _("Net Cast"),
    CURRENT_SHIFT: _("Current Shift"),
    UNKNOWN: _("an unknown card"),
}
_WHY = {"twins": _("twins"), "sandwich": _("sandwich"), "streak": _("streak")} | _ACTION


def seat_name(seat: str) -> Text:
    """A place at the table, as sentences call it: "Seat 2"."""
    word, _dash, number = seat.partition("-")
    if word == "seat" and number.isdecimal():
        return _("Seat {number}", number=int(number))
    return verbatim(seat)


def action_name(card: str) -> Text | None:
    """An action card's name; None for a fish."""
    return _ACTION.get(card)


def why_name(why: str) -> Text:
    """What a slap was right for: "twins", "Net Cast"."""
    return _WHY.get(why) or verbatim(why)
