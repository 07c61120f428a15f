"""Placed Sight tiles as pages draw them."""

from __future__ import annotations

from companion.games.hook.names import seat_name, symbol_name
from companion.games.hook.state import Placement, Round
from companion.words import _
from web.hook.decks import DeckBook
from web.hook.model import HoleView, SightView

STATES = {
    "counts": None,
    "asked": _("A question about it is open"),
    "void": _("Does not count"),
    "kept": _("The first pose counts instead"),
    "again": _("Seen once more as it was"),
    "ignored": _("Not part of the game"),
}


def sight(round: Round, placement: Placement, book: DeckBook) -> SightView:
    """One placed tile with its holes as they count."""
    places = book.holes(placement.tile)
    mine = [ask for ask in round.asks if ask.placement == placement.id]
    unread = {ask.hole for ask in mine if ask.kind == "symbol"}
    if any(ask.kind == "sight" for ask in mine):
        unread |= set(range(len(placement.symbols)))
    holes = []
    for index, symbol in enumerate(placement.symbols):
        place = places[index % len(places)]
        victim = placement.victims[index] if index < len(placement.victims) else None
        label = symbol_name(symbol)
        note = _("at {victim}", victim=seat_name(victim)) if victim else None
        holes.append(HoleView(index, symbol, label, index not in unread, place.at, place.radius, note=note))
    return SightView(
        round=round.number,
        fact=placement.id,
        seat=placement.seat,
        tile=placement.tile,
        card=placement.card,
        holes=tuple(holes),
        counts=placement.status == "counts",
        state=STATES.get(placement.status),
        picture=placement.picture,
    )


def sights(round: Round, book: DeckBook) -> tuple[SightView, ...]:
    """All tiles of a round that somebody could want to correct."""
    shown = [p for p in round.placements if p.status not in ("again", "ignored")]
    return tuple(sight(round, placement, book) for placement in shown)
