"""The facts of a match as a list that people can read, undo and redo."""

from __future__ import annotations

from companion.core import fold
from companion.core.facts import Answered, Corrected, Fact, MatchEnded, MatchStarted, Undone
from companion.games.hook import facts as hook
from companion.games.hook.names import seat_name, symbol_name
from companion.table import Snapshot
from companion.words import Text, _
from web.hook.model import Entry


def entries(snapshot: Snapshot) -> tuple[Entry, ...]:
    """All steps of the match, the newest first. What only undoes or belongs to an answer has no line of its own."""
    conflicts = {conflict.fact: conflict.why for conflict in snapshot.conflicts}
    shown = []
    for entry in reversed(snapshot.facts):
        if isinstance(entry.fact, Undone | MatchStarted | MatchEnded) or entry.answer is not None:
            continue
        shown.append(
            Entry(
                fact=entry.id,
                version=entry.version,
                step=entry.step,
                round=_round(entry, snapshot),
                text=says(entry, snapshot),
                undone=entry.undone,
                corrected=entry.original is not None,
                conflict=conflicts.get(entry.id),
                placed=isinstance(entry.fact, hook.Pose),
            )
        )
    return tuple(shown)


def newest(snapshot: Snapshot) -> fold.Entry | None:
    """The last thing that was written down and still counts; None when the last step took something back."""
    if not snapshot.facts or isinstance(snapshot.facts[-1].fact, Undone):
        return None
    last = snapshot.facts[-1]
    return None if last.undone else last


def last_step(snapshot: Snapshot) -> Entry | None:
    """What the undo button would take back."""
    return next((entry for entry in entries(snapshot) if not entry.undone), None)


def undone_step(snapshot: Snapshot) -> Entry | None:
    """What the redo button would bring back: the last undone thing, as long as nothing new has happened since."""
    for entry in reversed(snapshot.facts):
        if entry.undone:
            continue
        if not isinstance(entry.fact, Undone):
            return None
        target = snapshot.facts[entry.fact.target - 1]
        if not isinstance(target.fact, Undone):
            return next((line for line in entries(snapshot) if line.fact == target.id), None)
    return None


def _round(entry: fold.Entry, snapshot: Snapshot) -> int | None:
    fact = entry.fact
    if isinstance(fact, Corrected):
        fact = snapshot.facts[fact.target - 1].fact
    if isinstance(fact, Answered):
        made = next((e.fact for e in snapshot.facts if e.answer == entry.id), None)
        return getattr(made, "round", None)
    return getattr(fact, "round", None)


def says(entry: fold.Entry, snapshot: Snapshot) -> Text:
    """One entry in one sentence."""
    fact = entry.fact
    if isinstance(fact, Answered):
        made = [other.fact for other in snapshot.facts if other.answer == entry.id]
        return _("Answer: {what}", what=_says(made[0], snapshot)) if made else _("An answer")
    if isinstance(fact, Corrected):
        return _says(snapshot.facts[fact.target - 1].fact, snapshot)
    return _says(fact, snapshot)


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
        case MatchEnded():
            return _("The game was put away")
        case _:
            return Text(type(fact).__name__)


def _list(symbols: tuple[str, ...]) -> Text:
    said = [symbol_name(symbol) for symbol in symbols]
    if len(said) == 3:
        return _("{a}, {b}, {c}", a=said[0], b=said[1], c=said[2])
    return said[0] if said else _("a tile")
