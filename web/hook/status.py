"""The truthful state of the table in one word and one sentence."""

from __future__ import annotations

from companion.games.hook.facts import Recounted, SymbolRead
from companion.games.hook.names import seat_name
from companion.games.hook.state import State
from companion.table import Snapshot
from companion.words import Text, _, n_
from web.history import correction
from web.hook.history import says
from web.hook.model import Status


def status(snapshot: Snapshot, state: State | None) -> Status:
    """What the page says it is doing: lost before unsure, unsure before corrected, then waiting, reading, watching."""
    camera = snapshot.camera
    if snapshot.trouble is not None:
        return Status("lost", snapshot.trouble)
    if camera.camera == "lost":
        return Status("lost", camera.sentence)
    if state is None:
        return Status("setup", _("Set up a game on a phone"))
    if state.over:
        return Status("over", _("The game is over"))
    note = snapshot.notes[-1].sentence if snapshot.notes else None
    if snapshot.doubts:
        open_ = n_("One question is open", "{count} questions are open", len(snapshot.doubts))
        return Status("unsure", open_, note)
    waiting = _waiting(state)
    changed = correction(snapshot, (Recounted, SymbolRead))
    if changed is not None:
        return Status("corrected", _("Corrected: {what}", what=says(changed, snapshot)), waiting)
    if camera.camera == "reading":
        return Status("reading", camera.sentence, note)
    if waiting is not None:
        return Status("waiting", waiting, note)
    if camera.camera == "none":
        return Status("none", _("Enter the tiles on a phone"), note)
    return Status("waiting" if camera.camera == "waiting" else "watching", camera.sentence, note)


def _waiting(state: State) -> Text | None:
    if state.phase == "resolved":
        return _("Round {n} is resolved", n=state.round)
    missing = state.now.missing
    if not state.now.placements or not missing:
        return None
    names = {seat.seat: seat.name for seat in state.seats}
    said = [names.get(seat) or seat_name(seat) for seat in missing]
    if len(said) == 1:
        return _("Waiting for {name}", name=said[0])
    if len(said) == 2:
        return _("Waiting for {one} and {other}", one=said[0], other=said[1])
    return n_("Waiting for {count} tile", "Waiting for {count} tiles", len(said))
