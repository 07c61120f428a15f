"""The photo finish: one judged moment on one line of time."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from companion.games.hooked.names import EMPTY_HOOK, SAY_HOOKED
from companion.games.hooked.presses import between
from companion.games.hooked.state import Slap, Slapped, State
from companion.table import Snapshot
from companion.words import Text, _, n_
from web.hooked.amended import amended
from web.hooked.cards import Cards, card_name
from web.hooked.model import CardView, PhotoFinish, Tick
from web.hooked.seats import mark
from web.hooked.times import MS, axis, ms

FLAG_LEFT = 52.0
"""From here on (per cent) a flag hangs to the left of its tick."""

LABELS: dict[str, Text] = {
    "won": _("First"),
    "late": _("Later"),
    "wrong": _("Wrong"),
    "early": _("Too early"),
    "locked": _("Locked"),
    "tied": _("Tied"),
    "out": _("Out"),
    "unsure": _("Not sure"),
}

Names = Callable[[str], str]


def photo(
    slap: Slap, seats: Sequence[str], names: Names, cards: Cards, snapshot: Snapshot, now_ns: int, *, tie_ns: int
) -> PhotoFinish:
    """A judged moment as it is drawn. ``now_ns`` tells whether its verdict is final yet."""
    timed = slap.seen_ns > 0 and not slap.told
    moments = [press.t_ns for press in slap.presses]
    seen = slap.seen_ns if timed else min(moments, default=slap.seen_ns)
    before = min(slap.before_ns or seen, seen) if timed else seen
    line = axis(before, seen, moments)
    presses = sorted(slap.presses, key=lambda press: (press.t_ns, seats.index(press.seat)))
    software = _software(snapshot, presses)
    ticks = tuple(_tick(one, slap, line.at(one.t_ns), seats, names, software, seen) for one in presses)
    shown = tuple(cards.view(card) for card in slap.cards)
    kind = _kind(slap)
    numeral, caption = _numeral(slap, kind, presses, names, timed)
    winners = (slap.winner,) if slap.winner else tuple(slap.dead_heat)
    first = min((p.t_ns for p in presses if p.verdict in ("won", "tied", "late")), default=None)
    return PhotoFinish(
        id=slap.id,
        moment=slap.moment,
        kind=kind,
        vetoable=tuple((seat, names(seat)) for seat in winners if slap.why in SAY_HOOKED),
        shown=tuple((names(seat), mark(seat, seats)) for seat in winners or _wrong(presses)),
        heading=_heading(slap, kind, presses, names),
        numeral=numeral,
        caption=caption,
        cards=shown,
        ticks=ticks,
        appeared=line.stretch(before, seen) if timed else None,
        tie=line.stretch(first, first + tie_ns) if first is not None and not slap.told else None,
        scale=line.scale,
        sentences=(why(slap, shown), *_moved(slap, names)),
        final_in_ms=_final_in(slap, now_ns),
        amended=amended(slap, snapshot),
        clock=slap.clock,
        sound=_sound(slap, kind),
        counted=len(presses),
    )


def _tick(
    press: Slapped,
    slap: Slap,
    at: float,
    seats: Sequence[str],
    names: Names,
    software: frozenset[tuple[str, int]],
    seen_ns: int,
) -> Tick:
    notes = []
    if (press.seat, press.t_ns) in software or (slap.clock == "software" and not software):
        notes.append(_("timed by software"))
    return Tick(
        seat=press.seat,
        name=names(press.seat),
        mark=mark(press.seat, seats),
        at=at,
        verdict=press.verdict,
        label=LABELS.get(press.verdict) or Text(press.verdict),
        since=ms(press.t_ns - seen_ns),
        gap=f"+{ms(press.gap_ns)}" if press.verdict in ("late", "tied") and press.gap_ns > 0 else None,
        notes=tuple(notes),
        flip=at > FLAG_LEFT,
        t_ns=press.t_ns,
    )


def _software(snapshot: Snapshot, presses: Sequence[Slapped]) -> frozenset[tuple[str, int]]:
    """Which of the presses were stamped by software and not by the kernel."""
    if not presses or not isinstance(snapshot.state, State):
        return frozenset()
    moments = [press.t_ns for press in presses]
    near = between(snapshot.state.onsets, min(moments) - 1, max(moments))
    wanted = {(press.seat, press.t_ns) for press in presses}
    return frozenset((one.seat, one.t_ns) for one in near if one.clock == "software") & wanted


def _kind(slap: Slap) -> str:
    if slap.dead_heat:
        return "tied"
    if slap.winner is not None:
        return "won"
    return "wrong" if any(press.verdict == "wrong" for press in slap.presses) else "none"


def _wrong(presses: Sequence[Slapped]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(press.seat for press in presses if press.verdict == "wrong"))


def _numeral(slap: Slap, kind: str, presses: Sequence[Slapped], names: Names, timed: bool) -> tuple[str, Text]:
    """The number that stands large: how far ahead the winner was, how close the tie, or how quick a lone slap."""
    if slap.told:
        return "–", _("told by a tap, not timed")
    if kind == "tied":
        apart = max((p.gap_ns for p in presses if p.seat in slap.dead_heat), default=0)
        return ms(apart), _("ms apart: too close to call")
    if kind == "won":
        behind = [p for p in presses if p.verdict == "late" and p.seat != slap.winner]
        if behind:
            second = min(behind, key=lambda p: p.gap_ns)
            return ms(second.gap_ns), _("ms ahead of {name}", name=names(second.seat))
    first = next((p for p in presses if p.verdict in ("won", "wrong")), None)
    if first is None:
        return "–", _("no slap that counts")
    if not timed:
        return "–", _("nobody knows when the card was seen")
    return ms(first.t_ns - slap.seen_ns), _("ms after the card")


def _heading(slap: Slap, kind: str, presses: Sequence[Slapped], names: Names) -> Text:
    if kind == "tied":
        return _("Dead heat!")
    if slap.winner is not None:
        return _("{name} was first", name=names(slap.winner))
    wrong = _wrong(presses)
    if len(wrong) == 1:
        return _("{name} slapped wrongly", name=names(wrong[0]))
    return _("Wrong slaps") if wrong else _("Nobody wins this slap")


def why(slap: Slap, cards: Sequence[CardView]) -> Text:
    """Why it was right or wrong to slap, in one sentence."""
    said = [card_name(card) for card in cards]
    top = said[-1] if said else _("nothing")
    match slap.why if slap.right else None:
        case "twins":
            return _("Fish Twins: {card} twice in a row.", card=top)
        case "sandwich":
            return _("Fish Sandwich: {card} around {middle}.", card=top, middle=said[-2] if len(said) > 1 else "?")
        case "streak":
            return _("Fishing Streak: {first}, then {second}.", first=said[-2] if len(said) > 1 else "?", second=top)
        case action if action in SAY_HOOKED:
            return _("{card}: always there to be slapped.", card=top)
        case _ if slap.right:
            return _("{card} was there to be slapped.", card=top)
    if slap.cards and slap.cards[-1] == EMPTY_HOOK:
        return _("Don’t slap the Empty Hook!")
    if len(said) >= 3:
        return _("{a}, {b}, {c}: no twins, no sandwich, no streak.", a=said[-3], b=said[-2], c=top)
    if len(said) == 2:
        return _("{a}, then {b}: no twins, no streak.", a=said[0], b=top)
    return _("{card} alone is nothing to slap.", card=top)


def _moved(slap: Slap, names: Names) -> list[Text]:
    told = [
        n_("{name} wins {count} card.", "{name} wins {count} cards.", count, name=names(seat))
        if count > 0
        else n_("{name} gives up {count} card.", "{name} gives up {count} cards.", -count, name=names(seat))
        for seat, count in slap.moved
        if count
    ]
    told += [_("{name} may not slap for two flips.", name=names(seat)) for seat in slap.hooked]
    told += [_("{name} is out.", name=names(seat)) for seat in slap.gone]
    told += [_("{name} did not say “HOOKED!”.", name=names(seat)) for seat in slap.vetoed]
    return told


def _final_in(slap: Slap, now_ns: int) -> int:
    return max(0, -(-(slap.final_ns - now_ns) // MS)) if slap.final_ns is not None else 0


def _sound(slap: Slap, kind: str) -> str:
    if slap.hooked:
        return "lockout"
    return kind if kind in ("won", "tied", "wrong") else ""
