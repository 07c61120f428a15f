"""Players and seats of Hooked!: who sits at which button, clockwise from who flips first, and the house rules."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, request, url_for
from werkzeug.wrappers import Response

from companion.core.facts import MatchStarted, RuleBroken
from companion.games.hooked.deck_rules import options as deck_options
from companion.games.hooked.rules import RULES
from companion.table import StartMatch
from companion.words import Text, _
from companion.world import Player
from web.act import NOT_UNDERSTOOD, as_page, change, put_away
from web.context import here, snapshot
from web.guard import Refused, require_paired
from web.hooked.build import GAME

bp = Blueprint("hooked_setup", __name__)

PLACES = range(1, 7)
LONGEST_NAME = 40
HOUSE_RULES: tuple[tuple[str, Text, tuple[tuple[str, Text], ...]], ...] = (
    (
        "empty_hook",
        _("Slapping the Empty Hook"),
        (("locks", _("no slaps for two flips")), ("both", _("no slaps for two flips, and two cards"))),
    ),
    ("false_start", _("Slapping too early"), (("ignored", _("does not count")), ("wrong", _("is a wrong slap")))),
    (
        "dead_heat",
        _("A dead heat"),
        (
            ("next-flip", _("is decided by the next flip")),
            ("share", _("shares the Lake")),
            ("nearest", _("goes to whoever sits next to the flipper")),
        ),
    ),
)


def rows() -> list[tuple[int, str, str]]:
    """The places of the form, filled in with the players of the last game: (place, seat, name)."""
    started = snapshot().started
    names = {player.seat: player.name for player in started.players} if started and started.game == GAME else {}
    return [(place, f"seat-{place}", names.get(f"seat-{place}", "")) for place in PLACES]


@bp.post("/hooked/setup")
def start() -> Response | tuple[str, int]:
    """Begin a match with the places that have a name."""
    require_paired(here().pairing)
    seats = [(f"seat-{place}", request.form.get(f"name-{place}", "").strip()[:LONGEST_NAME]) for place in PLACES]
    players = [Player(seat, name) for seat, name in seats if name]
    if len(players) < 2:
        raise Refused(NOT_UNDERSTOOD, _("Hooked! is for 2 to 6 players: type a name at each place."))
    first = f"seat-{request.form.get('first', 1, type=int)}"
    at = next((index for index, player in enumerate(players) if player.seat == first), 0)
    players = [*players[at:], *players[:at]]  # who flips first sits first
    decks = here().decks
    name = request.form.get("deck") or next(iter(decks.of_game(GAME)), None)
    options: dict[str, Any] = {
        rule: request.form[rule]
        for rule, _label, choices in HOUSE_RULES
        if request.form.get(rule) in dict(choices) and request.form[rule] != choices[0][0]
    }
    deck = decks.get(name or "").deck
    if deck is not None:
        options |= deck_options(deck)
    try:
        RULES.check(MatchStarted(game=GAME, rules=RULES.version, players=tuple(players), options=options, deck=name))
    except RuleBroken as broken:
        raise Refused(NOT_UNDERSTOOD, broken.sentence) from broken
    refused = put_away()
    if refused is not None:
        return as_page(refused, url_for("setup.setup"))
    command = StartMatch(game=GAME, players=tuple(players), options=options, deck=name)
    return as_page(change(command, None, None), url_for("pages.board"))
