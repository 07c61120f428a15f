"""The facts of a match of Hooked! in sentences."""

from __future__ import annotations

from companion.core import fold
from companion.core.codec import tag_of
from companion.core.facts import Fact
from companion.table import Snapshot
from companion.words import Text, _, verbatim
from web import history
from web.decks import DeckBook
from web.hooked.cards import Cards
from web.hooked.photo import card_name

FLIP = "CardFlipped"
PRESSED = "Pressed"


def namer(snapshot: Snapshot) -> dict[str, str]:
    """Who sits where."""
    players = snapshot.started.players if snapshot.started else ()
    return {player.seat: player.name or player.seat for player in players}


def says(entry: fold.Entry, snapshot: Snapshot) -> Text:
    """One entry in one sentence."""
    return history.says(entry, snapshot, TONGUE)


def _says(fact: Fact, snapshot: Snapshot) -> Text:
    names = namer(snapshot)
    seat = str(getattr(fact, "seat", "") or "")
    name = names.get(seat, seat)
    match tag_of(type(fact)):
        case "CardFlipped":
            return _("{name} flipped {card}", name=name, card=_card(str(getattr(fact, "card", "")), snapshot))
        case "Pressed":
            return _("{name} slapped", name=name)
        case "SlapTold":
            return _("{name} slapped first, says the table", name=name)
        case "CardPassed":
            return _("Nobody slaps this card any more")
        case "Vetoed":
            return _("{name} did not say HOOKED!", name=name)
        case "FlipRuled":
            if getattr(fact, "counts", None) is False:
                return _("Not a flip")
            if getattr(fact, "card", None):
                return _("A flip was corrected: {card}", card=_card(str(getattr(fact, "card", "")), snapshot))
            return _("{name} flipped it", name=name)
        case "PressRuled":
            return _("The table ruled on the slap of {name}", name=name)
        case "Recounted":
            return _("Recounted")
        case other:
            return verbatim(other)


def _card(id: str, snapshot: Snapshot) -> Text | str:
    return card_name(Cards(snapshot.started.options if snapshot.started else {}, DeckBook(None)).view(id))


def _page(entry: fold.Entry, _snapshot: Snapshot) -> tuple[str, dict[str, int]] | None:
    return ("hooked_sheets.card", {"fact": entry.id}) if tag_of(type(entry.fact)) == FLIP else None


def _told(fact: Fact) -> bool:
    return tag_of(type(fact)) != PRESSED or getattr(fact, "level", 1) == 1


TONGUE = history.Tongue(says=_says, page=_page, told=_told)
