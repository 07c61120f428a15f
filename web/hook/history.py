"""The facts of a match of Hook! in sentences."""

from __future__ import annotations

from companion.core import fold
from companion.core.facts import Fact
from companion.games.hook import facts as hook
from companion.games.hook.names import seat_name, symbol_name
from companion.table import Snapshot
from companion.words import Text, _
from web import history


def _page(entry: fold.Entry, _snapshot: Snapshot) -> tuple[str, dict[str, int]] | None:
    return ("sheets.readings", {"number": entry.fact.round}) if isinstance(entry.fact, hook.Pose) else None


def says(entry: fold.Entry, snapshot: Snapshot) -> Text:
    """One entry in one sentence."""
    return history.says(entry, snapshot, TONGUE)


def _says(fact: Fact, snapshot: Snapshot) -> Text:
    names = {p.seat: p.name or seat_name(p.seat) for p in snapshot.started.players} if snapshot.started else {}

    def name(seat: str | None) -> Text | str:
        return names.get(seat) or seat_name(seat) if seat else _("nobody")

    def owner(tile: str) -> Text | str:
        found = next(
            (e.fact.seat for e in snapshot.facts if isinstance(e.fact, hook.Pose) and e.fact.tile == tile), None
        )
        return name(found or next((seat for seat in names if seat in tile), None))

    match fact:
        case hook.TilePlaced():
            return _("{name}: {symbols}", name=name(fact.seat), symbols=_list(fact.symbols))
        case hook.TileMoved():
            return _("{name} moved the tile: {symbols}", name=name(fact.seat), symbols=_list(fact.symbols))
        case hook.CardRevealed():
            return _("A Target card lies face up")
        case hook.RoundStarted():
            return _("Round {n} begins", n=fact.round)
        case hook.RoundClosed():
            return _("Round {n} is closed", n=fact.round)
        case hook.TileWaived():
            return _("{name} sits round {n} out", name=name(fact.seat), n=fact.round)
        case hook.PlacementRuled(allowed=True):
            return _("The tile of {name} counts", name=owner(fact.tile))
        case hook.PlacementRuled():
            return _("The tile of {name} does not count", name=owner(fact.tile))
        case hook.SymbolRead():
            what = symbol_name(fact.symbol)
            return _("hole {hole} of {name} shows {symbol}", hole=fact.hole + 1, name=owner(fact.tile), symbol=what)
        case hook.TileIdentified():
            return _("That tile is the one of {name}", name=name(fact.seat))
        case hook.CardIdentified():
            return _("The card under the tile of {name}", name=owner(fact.tile))
        case hook.TargetChosen():
            return _("{name}'s Black Pirate hits {victim}", name=owner(fact.tile), victim=name(fact.victim))
        case hook.Recounted():
            return _("recounted in round {n}", n=fact.round)
        case _:
            return Text(type(fact).__name__)


def _list(symbols: tuple[str, ...]) -> Text:
    said = [symbol_name(symbol) for symbol in symbols]
    if len(said) == 3:
        return _("{a}, {b}, {c}", a=said[0], b=said[1], c=said[2])
    return said[0] if said else _("a tile")


TONGUE = history.Tongue(says=_says, page=_page, round=lambda fact: getattr(fact, "round", None))
