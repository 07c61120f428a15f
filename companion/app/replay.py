"""Plays a recording again: its frames through the vision, its presses and taps through the rules, by their times.

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

from companion.app import games
from companion.core.facts import Command, MatchStarted, RuleBroken
from companion.core.growing import plain
from companion.core.journal import Journal
from companion.core.match import Match, begin, play
from companion.deck import Deck
from companion.table import GameKit
from companion.table.commands import StartMatch, decode
from companion.table.presses import hear
from companion.words import spoken
from companion.world import Frame, Player, Press
from hardware.recording import Recording
from vision.catalog import build
from vision.pipelines import Follows, following
from vision.plane import Plane

Tell = Callable[[dict[str, Any]], None]
Event = Frame | Command | Press


class Replay:
    """One recording with the deck it was played with. ``run`` tells every line that ``replay --json`` prints."""

    def __init__(self, recording: Recording, deck: Deck, kit: GameKit) -> None:
        self._recording, self._deck, self._kit = recording, deck, kit
        self._told_facts = 0
        self._told_doubts: set[int] = set()
        self._told_verdicts: dict[Any, dict[str, Any]] = {}
        self._judged: Any = None
        self._verdicts: tuple[dict[str, Any], ...] = ()

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
        options = {**games.options(header.game, self._deck), **header.options}
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
        pipeline: Follows | None = None
        for t_ns, event in self._events():
            self._tell_verdicts(match, t_ns, tell)
            if isinstance(event, Command):
                match = self._play(journal, match, event, t_ns, tell)
            elif isinstance(event, Press):
                match = self._press(journal, match, event, tell)
            elif watcher is not None:
                if pipeline is None:
                    pipeline = following(build(self._deck), self._plane(event), pile=games.pile(header.game))
                memory, commands = watcher.step(memory, pipeline.step(event), match.state)
                for command in commands:
                    match = self._play(journal, match, command, t_ns, tell)
        self._tell_verdicts(match, None, tell)
        for sentence in self._recording.torn:
            tell({"note": str(sentence)})
        public = self._kit.public
        state = match.state if public is None else public(match.state)
        tell({"state": spoken(msgspec.to_builtins(state, enc_hook=plain), "en")})
        return match

    def _begin_ns(self) -> int:
        taps = [int(tap.get("t_ns", 0)) for tap in self._recording.taps]
        presses = [press.t_ns for press in self._recording.presses]
        return min([*self._recording.times_ns[:1], *taps, *presses], default=0)

    def _plane(self, frame: Frame) -> Plane | None:
        plane = self._recording.header.plane
        if plane is None:
            return None
        height, width = frame.image.shape[:2]
        return Plane(np.array(plane, np.float64).reshape(3, 3), (width, height), "given")

    def _events(self) -> Iterator[tuple[int, Event]]:
        """Presses, taps and frames as the program was told of them; of one time in this order."""
        presses: list[tuple[int, Event]] = list(zip(self._recording.heard_ns, self._recording.presses, strict=True))
        taps: list[tuple[int, Event]] = []
        for tap in self._recording.taps:
            command = {key: value for key, value in tap.items() if key != "t_ns"}
            taps.append((int(tap.get("t_ns", 0)), decode(command, self._kit)))
        frames = ((frame.t_ns, frame) for frame in self._recording.frames())
        said = (sorted(lines, key=lambda pair: pair[0]) for lines in (presses, taps))
        return heapq.merge(*said, frames, key=lambda pair: pair[0])

    def _press(self, journal: Journal, match: Match, press: Press, tell: Tell) -> Match:
        during = None if match.ended else match.number
        if self._kit.press is None or match.ended:
            journal.write_presses(during, (press,))
            return match
        heard = hear(match, self._kit.press, (press,), journal.next_step)
        journal.write(*heard.steps, presses=(press,), during=during)
        for t_ns, sentence in heard.refused:
            tell({"note": str(sentence), "t_ns": t_ns})
        self._tell_news(heard.match, tell)
        return heard.match

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

    def _tell_verdicts(self, match: Match, now_ns: int | None, tell: Tell) -> None:
        """The verdicts that nothing from ``now_ns`` on can change (None: all). One that a late report, a card seen late
        or a correction has changed all the same is told once more, as amended; one that is none any more as withdrawn.
        """
        if self._kit.verdicts is None:
            return
        if match.state is not self._judged:
            self._judged, self._verdicts = match.state, tuple(self._kit.verdicts(match.state))
        for at, verdict in enumerate(self._verdicts):
            about = verdict.get("id", at)
            told = self._told_verdicts.get(about)
            final_ns = verdict.get("final_ns")
            if verdict == told or (now_ns is not None and (final_ns is None or final_ns > now_ns)):
                continue
            self._told_verdicts[about] = verdict
            tell(verdict if told is None else {**verdict, "amended": True})
        present = {verdict.get("id", at) for at, verdict in enumerate(self._verdicts)}
        for about in [about for about in self._told_verdicts if about not in present]:
            tell({**self._told_verdicts.pop(about), "withdrawn": True})
