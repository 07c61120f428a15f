"""The photo finish: one judged moment on one line of time."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.hooked.names import SAY_HOOKED
from companion.games.hooked.presses import between
from companion.games.hooked.state import Slap, Slapped, State
from companion.games.hooked.written import mistaken, too_early
from companion.table import Snapshot
from companion.words import Text, _
from web.hooked.amended import amended
from web.hooked.cards import Cards
from web.hooked.model import PhotoFinish, Tick
from web.hooked.reasons import Names, sentences
from web.hooked.seats import mark
from web.hooked.times import MS, axis, ms

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


def photo(slap: Slap, state: State, names: Names, cards: Cards, snapshot: Snapshot, now_ns: int) -> PhotoFinish:
    """A judged moment as it is drawn. ``now_ns`` tells whether its verdict is final yet."""
    seats = state.seats
    presses = sorted(slap.presses, key=lambda press: (not press.told, press.t_ns, seats.index(press.seat)))
    pressed = [press for press in presses if not press.told]
    moments = [press.t_ns for press in pressed]
    seen = slap.seen_ns if slap.timed else min(moments, default=slap.seen_ns)
    before = min(slap.before_ns or seen, seen) if slap.timed else seen
    line = axis(before, seen, moments)
    first = min((press.t_ns for press in pressed if press.verdict in ("won", "tied")), default=None)
    software = _software(state, pressed)
    ticks = tuple(
        Tick(
            seat=press.seat,
            name=names(press.seat),
            mark=mark(press.seat, seats),
            at=None if press.told else line.at(press.t_ns),
            verdict=press.verdict,
            label=_label(press, slap, first),
            since=ms(press.t_ns - seen) if slap.timed and not press.told else None,
            gap=_gap(press, slap, first),
            notes=_notes(press, slap, software),
            t_ns=press.t_ns,
        )
        for press in presses
    )
    shown = tuple(cards.view(card) for card in slap.cards)
    kind = _kind(slap)
    numeral, caption = _numeral(slap, kind, presses, names)
    winners = (slap.winner,) if slap.winner else tuple(slap.dead_heat)
    waits = _unsure(slap) and bool(snapshot.doubts)
    tie_ns = state.setup.windows.tie_ns
    return PhotoFinish(
        id=slap.id,
        moment=slap.moment,
        kind=kind,
        vetoable=tuple((seat, names(seat)) for seat in winners if slap.why in SAY_HOOKED),
        shown=tuple((names(seat), mark(seat, seats)) for seat in winners or mistaken(slap)),
        heading=_heading(slap, kind, names, waits),
        numeral=numeral,
        caption=caption,
        cards=shown,
        ticks=ticks,
        appeared=line.stretch(before, seen) if slap.timed and moments else None,
        tie=line.stretch(first, first + tie_ns) if first is not None else None,
        scale=line.scale if moments else (),
        sentences=tuple(sentences(slap, shown, names, state)),
        final_in_ms=_final_in(slap, now_ns),
        waits=waits,
        amended=amended(slap, snapshot),
        clock=slap.clock,
        sound=_sound(slap, kind),
        counted=len(presses),
    )


def _label(press: Slapped, slap: Slap, first_ns: int | None) -> Text:
    """What became of a press. Not every one that did not win came later than the winner's."""
    if press.verdict == "late" and press.seat in slap.vetoed:
        return _("No “HOOKED!”")
    if press.verdict == "late" and first_ns is not None and press.t_ns < first_ns:
        return _("Does not count")
    return LABELS.get(press.verdict) or Text(press.verdict)


def _gap(press: Slapped, slap: Slap, first_ns: int | None) -> str | None:
    """How far a press was behind the first one."""
    if press.told or first_ns is None or press.t_ns <= first_ns or press.verdict not in ("late", "tied"):
        return None
    return f"+{ms(press.t_ns - first_ns)}"


def _notes(press: Slapped, slap: Slap, software: frozenset[tuple[str, int]]) -> tuple[Text, ...]:
    if press.told:
        return (_("told by a tap, not timed"),)
    by_software = (press.seat, press.t_ns) in software or (slap.clock == "software" and not software)
    return (_("timed by software"),) if by_software else ()


def _software(state: State, presses: Sequence[Slapped]) -> frozenset[tuple[str, int]]:
    """Which of the presses were stamped by software and not by the kernel."""
    if not presses:
        return frozenset()
    moments = [press.t_ns for press in presses]
    near = between(state.onsets, min(moments) - 1, max(moments))
    wanted = {(press.seat, press.t_ns) for press in presses}
    return frozenset((one.seat, one.t_ns) for one in near if one.clock == "software") & wanted


def _unsure(slap: Slap) -> bool:
    return any(press.verdict == "unsure" for press in slap.presses)


def _kind(slap: Slap) -> str:
    if slap.dead_heat:
        return "tied"
    if slap.winner is not None:
        return "won"
    if mistaken(slap):
        return "wrong"
    return "open" if _unsure(slap) else "none"


def _numeral(slap: Slap, kind: str, presses: Sequence[Slapped], names: Names) -> tuple[str, Text]:
    """The number that stands large: how far ahead the winner was, how close the tie, or how quick a lone slap."""
    if kind == "open":
        return "–", _("not decided")
    if slap.told:
        return "–", _("told by a tap, not timed")
    if kind == "tied":
        tied = [press.t_ns for press in presses if press.seat in slap.dead_heat and press.verdict in ("won", "tied")]
        return ms(max(tied, default=0) - min(tied, default=0)), _("ms apart: too close to call")
    won = next((press for press in presses if press.verdict == "won"), None)
    if won is not None:
        behind = (p for p in presses if p.verdict == "late" and p.t_ns > won.t_ns and not p.told)
        second = next((press for press in behind if press.seat not in slap.vetoed), None)
        if second is not None:
            return ms(second.t_ns - won.t_ns), _("ms ahead of {name}", name=names(second.seat))
    wrong = (press for press in presses if press.verdict in ("wrong", "early") and press.seat in mistaken(slap))
    first = won or next(wrong, None)
    if first is None:
        return "–", _("no slap that counts")
    if not slap.timed:
        return "–", _("nobody knows when the card was seen")
    return ms(first.t_ns - slap.seen_ns), _("ms after the card")


def _heading(slap: Slap, kind: str, names: Names, waits: bool) -> Text:
    if kind == "tied":
        return _("Dead heat!")
    if slap.winner is not None:
        return _("{name} was first", name=names(slap.winner))
    if kind == "open":
        return _("Waits for an answer") if waits else _("Not decided")
    wrong = mistaken(slap)
    if len(wrong) == 1 and wrong == too_early(slap):
        return _("{name} slapped too early", name=names(wrong[0]))
    if len(wrong) == 1:
        return _("{name} slapped wrongly", name=names(wrong[0]))
    return _("Wrong slaps") if wrong else _("Nobody wins this slap")


def _final_in(slap: Slap, now_ns: int) -> int:
    return max(0, -(-(slap.final_ns - now_ns) // MS)) if slap.final_ns is not None else 0


def _sound(slap: Slap, kind: str) -> str:
    if slap.hooked:
        return "lockout"
    return kind if kind in ("won", "tied", "wrong") else ""
