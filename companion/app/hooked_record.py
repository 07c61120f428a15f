"""Records flips of the simulated table of Hooked!: what the camera gave, the edges as they came, and what was said."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import msgspec

from companion.app.hooked_evening import HookedEvening, Judged
from companion.core.facts import Command
from companion.deck import Deck
from companion.games.hooked.facts import Edge, Flip
from companion.games.hooked.script import Shown
from companion.games.hooked.scripted import Delivery
from companion.world import Frame
from hardware.recording import Header, RecordingWriter
from hardware.simulated.conditions import Condition
from vision.catalog import build


class RecordedHookedEvening(HookedEvening):
    """An evening that is written into a recording while it is played."""

    writer: RecordingWriter

    def record_into(self, writer: RecordingWriter) -> None:
        """Begin with the bare table, which was looked at before the match began."""
        self.writer = writer
        for glance in self.seen:
            writer.frame(glance.frame)

    def look(self, shown: Shown) -> Frame:
        """A frame, also kept."""
        frame = super().look(shown)
        self.writer.frame(frame)
        return frame

    def hear(self, delivery: Delivery) -> None:
        """An edge, also kept, with the moment of its arrival: replayed facts get the same numbers."""
        self.writer.press(delivery.press, delivery.at_ns)
        super().hear(delivery)

    def say(self, command: Command, t_ns: int | None = None) -> bool:
        """A command, written down when a person gave it and the rules took it."""
        accepted = super().say(command, t_ns)
        if accepted and not isinstance(command, Edge) and not (isinstance(command, Flip) and command.source != "tap"):
            self.writer.tap(t_ns or self.script.t_ns, msgspec.to_builtins(command))
        return accepted


def record(out: Path, deck: Deck, condition: Condition, seed: int, flips: int | None) -> Iterator[Judged]:
    """Play so many flips (None: all) and record them into the folder ``out``; gives each when it is over.

    Raises RecordingError where it cannot be written, JournalError where the journal kept meanwhile cannot be.
    """
    with tempfile.TemporaryDirectory(prefix="companion-record-") as folder:
        evening = RecordedHookedEvening(deck, build(deck), condition, seed, Path(folder) / "journal.sqlite")
        try:
            with RecordingWriter(out, Header(game="hooked", deck=str(deck.folder), seats=evening.seats)) as writer:
                evening.record_into(writer)
                yield from evening.flips(flips)
        finally:
            evening.close()
