"""Plays a recording again: its frames through the vision, its taps through the rules, everything in the order of time.

What comes out is what live play wrote down: live play reads the very JPEG pixels that a recording keeps, and
nothing here asks the clock.
"""

from __future__ import annotations

import heapq
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from companion.core.facts import Command, MatchStarted, RuleBroken
from companion.core.journal import Journal
from companion.core.match import Match, begin, play
from companion.deck import Deck
from companion.games.hook.deck_rules import parrots_printed
from companion.table import GameKit
from companion.table.commands import StartMatch, decode
from companion.words import spoken
from companion.world import Frame, Player
from hardware.recording import Recording
from vision.catalog import build
from vision.pipeline import Pipeline
from vision.plane import Plane

Tell = Callable[[dict[str, Any]], None]


class Replay:
    """One recording with the deck it was played with. ``run`` tells every line that ``replay --json`` prints."""

    def __init__(self, recording: Recording, deck: Deck, kit: GameKit) -> None:
        self._recording, self._deck, self._kit = recording, deck, kit
        self._told_facts = 0
        self._told_doubts: set[int] = set()

    def run(self, tell: Tell) -> Match:
        """Play it to the end; the match as it stands then. RuleBroken when nobody can play in such seats."""
        with tempfile.TemporaryDirectory(prefix="companion-replay-") as folder:
            journal = Journal(Path(folder) / "journal.sqlite")
            try:
                return self._run(journal, tell)
            finally:
                journal.close()

    def _run(self, journal: Journal, tell: Tell) -> Match:
        header = self._recording.header
        options = {"parrots": parrots_printed(self._deck), **header.options}
        started = MatchStarted(
            game=header.game,
            rules=self._kit.rules.version,
            players=tuple(Player(seat, seat, header.teams.get(seat)) for seat in header.seats),
            options=options,
            deck=self._deck.name,
        )
        first = begin(1, self._kit.rules, started, step=journal.next_step, t_ns=self._begin_ns())
        journal.write(first.step)
        match = first.match
        self._tell_news(match, tell)
        watcher = self._kit.watcher
        memory = watcher.start() if watcher is not None else None
        pipeline: Pipeline | None = None
        for t_ns, event in self._events():
            if isinstance(event, Command):
                match = self._play(journal, match, event, t_ns, tell)
                continue
            if watcher is None:
                continue
            if pipeline is None:
                pipeline = Pipeline(build(self._deck), self._plane(event))
            memory, commands = watcher.step(memory, pipeline.step(event), match.state)
            for command in commands:
                match = self._play(journal, match, command, t_ns, tell)
        for sentence in self._recording.torn:
            tell({"note": str(sentence)})
        tell({"state": spoken(msgspec.to_builtins(match.state), "en")})
        return match

    def _begin_ns(self) -> int:
        taps = [int(tap.get("t_ns", 0)) for tap in self._recording.taps]
        return min([*self._recording.times_ns[:1], *taps], default=0)

    def _plane(self, frame: Frame) -> Plane | None:
        plane = self._recording.header.plane
        if plane is None:
            return None
        height, width = frame.image.shape[:2]
        return Plane(np.array(plane, np.float64).reshape(3, 3), (width, height), "given")

    def _events(self) -> Iterator[tuple[int, Frame | Command]]:
        """Frames and taps by their times; a tap comes before a frame of the same time."""
        taps: list[tuple[int, Frame | Command]] = []
        for tap in self._recording.taps:
            command = {key: value for key, value in tap.items() if key != "t_ns"}
            taps.append((int(tap.get("t_ns", 0)), decode(command, self._kit)))
        frames = ((frame.t_ns, frame) for frame in self._recording.frames())
        return heapq.merge(sorted(taps, key=lambda pair: pair[0]), frames, key=lambda pair: pair[0])

    def _play(self, journal: Journal, match: Match, command: Command, t_ns: int, tell: Tell) -> Match:
        if isinstance(command, StartMatch):
            return match  # the recording's own set-up has started it
        try:
            match = play(journal, match, command, t_ns=t_ns)
        except RuleBroken as broken:
            tell({"note": str(broken), "t_ns": t_ns})
        self._tell_news(match, tell)
        return match

    def _tell_news(self, match: Match, tell: Tell) -> None:
        for record in match.records[self._told_facts :]:
            tell(msgspec.to_builtins(record.fact))
        self._told_facts = len(match.records)
        for doubt in match.doubts:
            if doubt.id not in self._told_doubts:
                self._told_doubts.add(doubt.id)
                question = doubt.question
                tell(
                    {
                        "doubt": question.kind,
                        "id": doubt.id,
                        "t_ns": doubt.t_ns,
                        "seat": question.seat,
                        "about": msgspec.to_builtins(question.about),
                        "choices": [choice.value for choice in question.choices],
                        "sentence": str(question.sentence),
                    }
                )
