"""Which game, players and seats.

For Hook!: who plays which character, clockwise from the first Compass holder, in which teams.
"""

from __future__ import annotations

from typing import Any

from flask import Blueprint, request, url_for
from werkzeug.wrappers import Response

from companion.core.facts import MatchStarted, RuleBroken
from companion.games.hook.names import CHARACTERS, colour_of, seat_name, side_of
from companion.games.hook.rules import RULES
from companion.table import StartMatch
from companion.words import _
from companion.world import Player
from web.act import NOT_UNDERSTOOD, as_page, change, put_away
from web.buttons import buttons
from web.context import here, page, snapshot
from web.guard import Refused, require_paired
from web.hook.build import GAME
from web.hooked import setup as hooked
from web.hooked.build import GAME as HOOKED

bp = Blueprint("setup", __name__)

PLACES = range(1, 7)
TEAMS = ("none", "colour", "sides")
LONGEST_NAME = 40


@bp.get("/setup")
def setup() -> str:
    """Which game, and its form, filled in with the players of the last game."""
    games = here().painter.games
    asked = request.args.get("game")
    chosen = next((one for one in games.all if one.game == asked), games.of(snapshot()))
    shared: dict[str, Any] = {"chosen": chosen.game, "games": games.all, "earlier": here().table.matches()[:-6:-1]}
    shared |= {"live": True, "buttons": buttons(snapshot())}
    if chosen.game == HOOKED:
        decks = here().decks.of_game(HOOKED)
        return page("hooked/setup.html", rows=hooked.rows(), house=hooked.HOUSE_RULES, decks=decks, **shared)
    started = snapshot().started
    before = list(started.players) if started and started.game == GAME else []
    rows = []
    for place in PLACES:
        player = before[place - 1] if place <= len(before) else None
        rows.append((place, player.seat if player else "", player.name if player else ""))
    return page(
        "setup.html",
        rows=rows,
        choices=[(seat, seat_name(seat)) for seat in CHARACTERS],
        decks=here().decks.of_game(GAME),
        teams=TEAMS,
        **shared,
    )


@bp.post("/setup")
def start() -> Response | tuple[str, int]:
    """Begin a match with the seats that were filled in."""
    require_paired(here().pairing)
    chosen = [
        (request.form.get(f"seat-{place}", ""), request.form.get(f"name-{place}", "").strip()[:LONGEST_NAME])
        for place in PLACES
    ]
    seats = [(seat, name) for seat, name in chosen if seat]
    if not seats:
        raise Refused(NOT_UNDERSTOOD, _("Choose a character for each player first."))
    teams = request.form.get("teams", "none")
    first = request.form.get("first", type=int)
    if first is not None and 1 <= first <= len(chosen) and chosen[first - 1] in seats:
        at = seats.index(chosen[first - 1])
        seats = [*seats[at:], *seats[:at]]  # the first Compass holder sits first
    players = tuple(Player(seat, name or str(seat_name(seat)), _team(teams, seat)) for seat, name in seats)
    name = request.form.get("deck") or next(iter(here().decks.of_game(GAME)), None)
    options: dict[str, Any] = {}
    parrots = here().decks.get(name).parrots()
    if parrots:
        options["parrots"] = parrots
    started = MatchStarted(game=GAME, rules=RULES.version, players=players, options=options, deck=name)
    _check(started)
    refused = put_away()
    if refused is not None:
        return as_page(refused, url_for("setup.setup"))
    command = StartMatch(game=GAME, players=players, options=options, deck=name)
    return as_page(change(command, None, None), url_for("pages.board"))


def _check(started: MatchStarted) -> None:
    """Refuse (422) an impossible set-up before the game on the table is put away for it."""
    try:
        RULES.check(started)
    except RuleBroken as broken:
        raise Refused(NOT_UNDERSTOOD, broken.sentence) from broken


def _team(teams: str, seat: str) -> str | None:
    if teams == "colour":
        return colour_of(seat)
    return side_of(seat) if teams == "sides" else None
