"""Who plays with which cards by which house rules: what a match of Hooked! may be started with.

Options of ``MatchStarted``: ``cards`` (what the deck holds, see ``deck_rules.options``; left out, the 62 cards of the
box under plain names), ``stacks`` (cards of each seat, where they are not dealt evenly), the house rules
``empty_hook``, ``false_start`` and ``dead_heat``, and ``windows`` (milliseconds, by
the names of ``race.Windows``: tie, settle, ...).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from companion.core.facts import MatchStarted, RuleBroken
from companion.core.race import BOUNDS_MS, Windows
from companion.games.hooked.names import ACTION_COPIES, ACTIONS, FISH_COPIES, PLAYERS, SPECIES
from companion.games.hooked.stacks import deal
from companion.games.hooked.state import Card, Setup
from companion.words import _

HOUSE_RULES = {
    "empty_hook": ("locks", "both"),
    "false_start": ("ignored", "wrong"),
    "dead_heat": ("next-flip", "share", "nearest"),
}
OPTIONS = ("cards", "stacks", "windows", *HOUSE_RULES)
MOST_CARDS = 1000


def check(started: MatchStarted) -> None:
    """Refuse an impossible set-up with a sentence."""
    seats = [player.seat for player in started.players]
    if not PLAYERS[0] <= len(seats) <= PLAYERS[1]:
        raise RuleBroken(_("Hooked! is for 2 to 6 players."))
    if len(set(seats)) < len(seats) or not all(seats):
        raise RuleBroken(_("Every player sits at another seat."))
    options = started.options
    unknown = sorted(str(option) for option in options if option not in OPTIONS)
    if unknown:
        raise RuleBroken(_("Hooked! has no house rule {option}.", option=unknown[0]))
    for option, choices in HOUSE_RULES.items():
        if option in options and options[option] not in choices:
            raise RuleBroken(
                _("{value} is no choice for {option}.", value=str(options[option]), option=option),
            )
    if "cards" in options:
        _check_cards(options["cards"])
    if "windows" in options:
        _check_windows(options["windows"])
    if "stacks" in options:
        _check_stacks(seats, options["stacks"], sum(card.copies for card in _cards(options.get("cards")).values()))


def _check_cards(cards: Any) -> None:
    wrong = RuleBroken(_("The deck does not say which fish and action cards it has, with their numbers."))
    if not isinstance(cards, Mapping) or not cards:
        raise wrong
    for id, card in cards.items():
        if not isinstance(id, str) or not isinstance(card, Mapping) or card.get("kind") not in ("fish", "action"):
            raise wrong
        number, copies = card.get("number", 0), card.get("copies", 1)
        if card["kind"] == "action" and id not in ACTIONS:
            raise RuleBroken(_("Hooked! has no action card {card}.", card=id))
        if card["kind"] == "fish" and (type(number) is not int or number < 1):
            raise wrong
        if type(copies) is not int or not 1 <= copies <= MOST_CARDS or not isinstance(card.get("name", id), str):
            raise wrong
    if sum(card.copies for card in _cards(cards).values()) > MOST_CARDS:
        raise wrong


def _check_windows(windows: Any) -> None:
    if not isinstance(windows, Mapping) or any(
        name not in BOUNDS_MS or type(ms) not in (int, float) for name, ms in windows.items()
    ):
        raise RuleBroken(_("Windows are milliseconds, of: {known}.", known=", ".join(BOUNDS_MS)))
    for name, ms in windows.items():
        least, most = BOUNDS_MS[name]
        if not least <= ms <= most:
            raise RuleBroken(
                _("The {name} window is {least} to {most} milliseconds.", name=name, least=least, most=most)
            )


def _check_stacks(seats: list[str], stacks: Any, total: int) -> None:
    named = isinstance(stacks, Mapping) and set(stacks) == set(seats)
    if not named or any(type(n) is not int or n < 0 for n in stacks.values()):
        raise RuleBroken(_("The stacks do not say how many cards each seat has."))
    if not 0 < sum(stacks.values()) <= total:
        raise RuleBroken(_("The deck has {total} cards.", total=total))


def setup(started: MatchStarted) -> Setup:
    """The set-up of a match, for any ``MatchStarted`` that ``check`` lets pass."""
    options = started.options
    seats = tuple(player.seat for player in started.players)
    cards = _cards(options.get("cards"))
    stacks = options.get("stacks")
    dealt = deal(len(seats), sum(card.copies for card in cards.values()))
    windows = {f"{name}_ns": round(ms * 1e6) for name, ms in options.get("windows", {}).items()}
    return Setup(
        seats=seats,
        names=tuple(player.name for player in started.players),
        cards=cards,
        stacks=dealt if stacks is None else tuple(stacks[seat] for seat in seats),
        empty_hook=options.get("empty_hook", "locks"),
        false_start=options.get("false_start", "ignored"),
        dead_heat=options.get("dead_heat", "next-flip"),
        windows=msgspec.structs.replace(Windows(), **windows),
    )


def _cards(given: Any) -> dict[str, Card]:
    if not given:
        fish = {f"fish-{n}": Card("fish", f"Fish {n}", n, FISH_COPIES) for n in range(1, SPECIES + 1)}
        return fish | {id: Card("action", id, 0, ACTION_COPIES) for id in ACTIONS}
    return {id: _card(id, card) for id, card in given.items()}


def _card(id: str, given: Mapping[str, Any]) -> Card:
    name = str(given.get("name", id))
    if given["kind"] == "action":
        return Card("action", name, 0, int(given.get("copies", ACTION_COPIES)))
    return Card("fish", name, int(given["number"]), int(given.get("copies", FISH_COPIES)))
