"""The facts of a match of Hooked! in sentences."""

from __future__ import annotations

from companion.core import fold
from companion.core.facts import Fact
from companion.games.hooked.facts import (
    CardFlipped,
    CardPassed,
    FlipRuled,
    Pressed,
    PressRuled,
    Recounted,
    SlapTold,
    Vetoed,
)
from companion.games.hooked.landing import reading, said
from companion.games.hooked.names import seat_name
from companion.games.hooked.state import State
from companion.table import Snapshot
from companion.words import Text, _, verbatim
from web import history
from web.decks import DeckBook
from web.hooked.cards import Cards, card_name


def namer(snapshot: Snapshot) -> dict[str, str]:
    """Who sits where."""
    players = snapshot.started.players if snapshot.started else ()
    return {player.seat: player.name or str(seat_name(player.seat)) for player in players}


def says(entry: fold.Entry, snapshot: Snapshot) -> Text:
    """One entry in one sentence."""
    return history.says(entry, snapshot, TONGUE)


def _says(fact: Fact, snapshot: Snapshot) -> Text:
    names = namer(snapshot)
    match fact:
        case CardFlipped():
            seat, card = reading(snapshot.state, fact) if isinstance(snapshot.state, State) else (fact.seat, fact.card)
            return _("{name} flipped {card}", name=names.get(seat, seat), card=_card(card, snapshot))
        case Pressed(seat=seat):
            return _("{name} slapped", name=names.get(seat, seat))
        case SlapTold(seat=seat):
            return _("{name} slapped first, says the table", name=names.get(seat, seat))
        case CardPassed():
            return _("Nobody slaps this card any more")
        case Vetoed(seat=seat):
            return _("{name} did not say “HOOKED!”.", name=names.get(seat, seat))
        case FlipRuled(counts=False):
            return _("Not a flip")
        case FlipRuled(card=str(card)):
            return _("A flip was corrected: {card}", card=_card(card, snapshot))
        case FlipRuled(seat=str(seat)):
            return _("{name} flipped it", name=names.get(seat, seat))
        case FlipRuled():
            return _("It was a flip after all")
        case PressRuled(seat=seat):
            return _("The table ruled on the slap of {name}", name=names.get(seat, seat))
        case Recounted():
            return _("Recounted")
        case _:
            return verbatim(type(fact).__name__)


def _card(id: str, snapshot: Snapshot) -> Text | str:
    cards = snapshot.state.setup.cards if isinstance(snapshot.state, State) else {}
    return card_name(Cards(cards, DeckBook(None)).view(id))


def _page(entry: fold.Entry, _snapshot: Snapshot) -> tuple[str, dict[str, int]] | None:
    return ("hooked_sheets.card", {"fact": entry.id}) if isinstance(entry.fact, CardFlipped) else None


def _corrected(fact: Fact, snapshot: Snapshot) -> bool:
    if not isinstance(fact, CardFlipped) or not isinstance(snapshot.state, State):
        return False
    ruled = said(snapshot.state.words, fact.id)
    return ruled.counts is False or ruled.card not in (None, fact.card) or ruled.seat not in (None, fact.seat)


TONGUE = history.Tongue(
    says=_says, page=_page, told=lambda fact: not isinstance(fact, Pressed) or fact.level == 1, corrected=_corrected
)
