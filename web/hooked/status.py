"""The truthful state of the table in one word and one sentence."""

from __future__ import annotations

from companion.games.hooked.facts import FlipRuled, PressRuled, Recounted
from companion.games.hooked.state import State
from companion.table import Snapshot
from companion.words import Text, _, n_
from web.history import correction
from web.hooked.history import says
from web.hooked.model import AnglerView
from web.model import Status


def status(snapshot: Snapshot, state: State | None, turn: AnglerView | None) -> Status:
    """What the page says it is doing: lost before unsure, unsure before corrected, then reading, waiting, watching."""
    camera = snapshot.camera
    if snapshot.trouble is not None:
        return Status("lost", snapshot.trouble)
    if camera.camera == "lost":
        return Status("lost", camera.sentence, _("Slaps still count; tap the flips on a phone"))
    if state is None:
        return Status("setup", _("Set up a game on a phone"))
    if state.over:
        return Status("over", _("The game is over"))
    note = snapshot.notes[-1].sentence if snapshot.notes else None
    if snapshot.doubts:
        count = len(snapshot.doubts)
        return Status("unsure", n_("One question is open", "{count} questions are open", count), note)
    flips: Text | None = _("{name} flips", name=turn.name) if turn is not None else None
    changed = correction(snapshot, (FlipRuled, PressRuled, Recounted))
    if changed is not None:
        return Status("corrected", _("Corrected: {what}", what=says(changed, snapshot)), flips)
    if camera.camera == "reading":
        return Status("reading", camera.sentence, note)
    if camera.camera == "none":
        return Status("none", _("Tap the flips on a phone"), flips)
    if flips is not None and camera.camera == "watching":
        return Status("watching", flips, note)
    return Status("waiting" if camera.camera == "waiting" else "watching", camera.sentence, note)
