"""The slap buttons as the pages show them: press each once, and see who is there."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.hook.names import CHARACTERS
from companion.games.hook.names import seat_name as character
from companion.games.hooked.names import seat_name as place
from companion.table import Snapshot
from companion.words import Text


@dataclass(frozen=True)
class ButtonView:
    """One button. ``kind``: alive (it was pressed, and works), waiting (never pressed yet), bad."""

    seat: str
    name: Text
    kind: str
    sentence: Text


def buttons(snapshot: Snapshot) -> tuple[ButtonView, ...]:
    """Every button on the table, in the order of the settings."""
    return tuple(
        ButtonView(
            line.seat,
            character(line.seat) if line.seat in CHARACTERS else place(line.seat),
            "bad" if not line.ok else "alive" if line.seen else "waiting",
            line.sentence,
        )
        for line in snapshot.buttons
    )
