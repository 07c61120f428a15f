"""Records rounds of the simulated table of Hook!: what the camera gave, and what people tapped."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import msgspec

from companion.app.evening import Evening, Played
from companion.core.facts import Command
from companion.deck import Deck
from companion.world import Scene
from hardware.recording import Header, RecordingWriter
from hardware.simulated.conditions import Condition
from vision.catalog import build


class RecordedEvening(Evening):
    """An evening that is written into a recording while it is played."""

    writer: RecordingWriter
    _watching = False

    def see(self, scene: Scene) -> tuple[Command, ...]:
        """One step of the watcher; what the camera saw is not a tap."""
        self._watching = True
        try:
            return super().see(scene)
        finally:
            self._watching = False

    def say(self, command: Command, t_ns: int | None = None) -> bool:
        """One command; written down when a person gave it and the rules took it."""
        accepted = super().say(command, t_ns)
        if accepted and not self._watching:
            self.writer.tap(t_ns or self._t_ns, msgspec.to_builtins(command))
        return accepted


def record(out: Path, deck: Deck, condition: Condition, seed: int, rounds: int) -> Iterator[Played]:
    """Play so many rounds and record them into the folder ``out``; gives each round when it is over.

    Raises RecordingError where it cannot be written, JournalError where the journal kept meanwhile cannot be.
    """
    with tempfile.TemporaryDirectory(prefix="companion-record-") as folder:
        evening = RecordedEvening(deck, build(deck), condition, seed, Path(folder) / "journal.sqlite", keep_frames=True)
        header = Header(game="hook", deck=str(deck.folder), seats=evening.seats)
        try:
            with RecordingWriter(out, header) as writer:
                evening.writer = writer
                for played in evening.rounds(rounds):
                    for seen in played.seen:
                        writer.frame(seen.frame)
                    yield played
        finally:
            evening.close()
