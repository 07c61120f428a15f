"""What the table thread does: it owns journal, match, watcher and pictures, and makes the snapshots.

Not for other threads; ``Table`` puts a thread and mailboxes around it.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from companion.core.doubts import Photographer
from companion.core.facts import Command, EndMatch, MatchEnded, MatchStarted, Overtaken, Question, RuleBroken, Undo
from companion.core.journal import Journal, JournalError, Step
from companion.core.match import CannotFold, Match, Proposal, begin
from companion.core.pictures import Pictures
from companion.table.api import About, ButtonLine, Camera, CameraStatus, GameKit, Note, Reply, Snapshot
from companion.table.camera import Exposure, Window, camera_of, said, says
from companion.table.commands import OpenMatch, StartMatch, decode
from companion.table.cut import cut, subject
from companion.table.presses import Heard, hear
from companion.table.shelf import Shelf
from companion.words import Text, _
from companion.world import Press, Scene

NOTES = 20
"""So many of the newest notes are shown."""

FAILED = _("Something went wrong in the program; nothing was changed. The log says what.")
UNWRITTEN = 10_000
"""So many edges wait, at most, for a disk that can be written again."""
BROKE_DOWN = _("The rules failed on a button press; the press itself is kept. The log says why.")
_log = logging.getLogger(__name__)


class Owner:
    """The table without its thread. ``clock`` gives monotonic nanoseconds."""

    def __init__(
        self,
        journal: Journal,
        games: Mapping[str, GameKit],
        pictures: Pictures,
        window: Window,
        *,
        boot: str,
        now_ns: int,
    ) -> None:
        self._journal = journal
        self.shelf = Shelf(journal, games)
        self._pictures = pictures
        self._window = window
        self._match: Match | None = None
        self._memory: Any = None
        self._fresh = True
        self._scene: Scene | None = None
        self._notes: tuple[Note, ...] = ()
        self._unwritten: tuple[Press, ...] = ()
        self._trouble: dict[str, Text] = {}
        self._notices: tuple[Text, ...] = () if journal.notice is None else (journal.notice,)
        self._told: dict[str, Text] = {}
        self._buttons: tuple[ButtonLine, ...] = ()
        self._dirty = True
        camera = CameraStatus("none", says("none"), now_ns, now_ns)
        self.snapshot = Snapshot(version=0, boot=boot, t_ns=now_ns, camera=camera)
        self._camera = camera
        self._resume(now_ns)
        self.publish(now_ns)

    # matches

    def _resume(self, now_ns: int) -> None:
        for line in reversed(self.shelf.matches):
            if not line.ended:
                try:
                    self._take_up(self.shelf.read(line.id), now_ns)
                except (CannotFold, RuleBroken) as error:
                    self._notices = (*self._notices, error.sentence)
                return

    def _take_up(self, match: Match | None, now_ns: int) -> None:
        """Put a match on the table. The watcher starts afresh, so that it compares the table with the state."""
        self._match = match
        self._notes = ()
        if match is not None:
            proposal = match.caught_up(step=self._journal.next_step, t_ns=now_ns)
            if not proposal.empty:
                self._journal.write(proposal.step)
                self._match = proposal.match
        self._fresh = True
        self._dirty = True

    # commands

    def command(self, asked: Any, about: About | None, match: int | None, now_ns: int) -> Reply:
        """Carry out a command (or its JSON) and say what became of it. Never raises."""
        step = self._journal.next_step
        try:
            if match is not None and (self._match is None or match != self._match.number):
                raise Overtaken(_("Another match is on the table now."))
            kit = None if self._match is None else self.shelf.kit(self._match.rules.name)
            command = asked if isinstance(asked, Command) else decode(asked, kit)
            self._check_fresh(about)
            self._carry_out(command, now_ns)
        except (RuleBroken, CannotFold, JournalError) as error:
            self.publish(now_ns)
            return Reply(False, error.sentence, isinstance(error, Overtaken), self.snapshot)
        except Exception:
            _log.exception("A command failed: %r", asked)
            self.publish(now_ns)
            return Reply(False, FAILED, False, self.snapshot)
        self.publish(now_ns)
        return Reply(True, None, False, self.snapshot, step if self._journal.next_step > step else None)

    def _check_fresh(self, about: About | None) -> None:
        if about is None:
            return
        version = None
        if self._match is not None and about.kind == "fact":
            entry = self._match.entry(about.id)
            version = None if entry is None else entry.version
        elif self._match is not None:
            item = self._match.book.get(about.id)
            version = None if item is None else item.version
        if version != about.version:
            raise Overtaken(_("This has changed since you looked. Look again, then decide."))

    def _carry_out(self, command: Command, now_ns: int) -> None:
        match command:
            case StartMatch():
                self._start_match(command, now_ns)
            case OpenMatch():
                self._open_match(command, now_ns)
            case _:
                if self._match is None:
                    raise RuleBroken(_("No game is on the table. Start one first."))
                self._write(self._match.propose(command, step=self._journal.next_step, t_ns=now_ns))
        if isinstance(command, EndMatch):
            self.shelf.refresh()
            self._take_up(None, now_ns)

    def _start_match(self, command: StartMatch, now_ns: int) -> None:
        kit = self.shelf.kit(command.game)
        rules = kit.rules
        started = MatchStarted(
            game=command.game,
            rules=rules.version,
            players=command.players,
            options={**kit.options, **command.options},
            deck=command.deck,
        )
        step = self._journal.next_step
        before: tuple[Step, ...] = ()
        if self._match is not None:
            if not self._match.over:
                raise RuleBroken(_("A game is still being played. End it first."))
            before = (self._match.propose(EndMatch(), step=step, t_ns=now_ns).step,)
            step += 1
        proposal = begin(self._journal.next_match, rules, started, step=step, t_ns=now_ns, command=command)
        self._journal.write(*before, proposal.step)
        self.shelf.refresh()
        self._take_up(proposal.match, now_ns)

    def _open_match(self, command: OpenMatch, now_ns: int) -> None:
        if self._match is not None:
            if self._match.number == command.match:
                raise Overtaken(_("That match is on the table already."))
            if not self._match.over:
                raise RuleBroken(_("A game is still being played. End it first."))
        match = self.shelf.read(command.match)
        step = self._journal.next_step
        steps = []
        if self._match is not None:
            steps.append(self._match.propose(EndMatch(), step=step, t_ns=now_ns).step)
        if match.ended:
            end = next(e for e in reversed(match.entries) if isinstance(e.fact, MatchEnded) and not e.undone)
            proposal = match.propose(Undo(target=end.id), step=step + len(steps), t_ns=now_ns)
            steps.append(proposal.step)
            match = proposal.match
        if steps:
            self._journal.write(*steps)
        self.shelf.refresh()
        self._take_up(match, now_ns)

    def _write(self, proposal: Proposal) -> None:
        if not proposal.empty:
            self._journal.write(proposal.step)
            self._match = proposal.match
            self._dirty = True

    # what the camera and the buttons say

    def scene(self, scene: Scene, exposure: Exposure, now_ns: int) -> None:
        """Step the watcher on a scene, and show it."""
        self._hear(camera_of(scene), said(scene), now_ns, heard_ns=now_ns)
        self._scene = scene
        if self._match is not None and not self._match.over and scene.lost is None:
            self._watch(scene, exposure, now_ns)
        if self._window.look(scene, exposure, now_ns):
            self._dirty = True
        self.publish(now_ns)

    def _watch(self, scene: Scene, exposure: Exposure, now_ns: int) -> None:
        assert self._match is not None
        watcher = self.shelf.kit(self._match.rules.name).watcher
        if watcher is None:
            return
        try:
            if self._fresh:
                self._memory, self._fresh = watcher.start(), False
            self._memory, commands = watcher.step(self._memory, scene, self._match.state)
            for command in commands:
                self._observe(command, scene, exposure)
        except JournalError as error:
            self._in_trouble("watcher", error.sentence)
            self._fresh = True  # what it saw was not written down: it must see it again
        except Exception as error:
            if "watcher" not in self._trouble:  # else it is in the log already, and would be with every frame
                _log.error("The watcher failed on scene %s", scene.sequence, exc_info=error)
            self._in_trouble("watcher", _("The camera's reading failed; play can go on by hand. The log says why."))
            self._fresh = True
        else:
            self._in_trouble("watcher", None)

    def _observe(self, command: Command, scene: Scene, exposure: Exposure) -> None:
        assert self._match is not None
        step = self._journal.next_step
        try:
            photographer = self._photographer(scene, exposure)
            self._write(self._match.propose(command, step=step, t_ns=scene.t_ns, photographer=photographer))
        except RuleBroken as error:
            self._note(scene.t_ns, error.sentence)

    def _photographer(self, scene: Scene, exposure: Exposure) -> Photographer:
        def photograph(question: Question) -> str | None:
            piece = subject(question, scene)
            frame = None if piece is None else exposure.jpeg()
            picture = None if piece is None or frame is None else cut(frame, piece.corners)
            return None if picture is None else self._pictures.put(picture, self._in_use())

        return photograph

    def _in_use(self) -> frozenset[str]:
        match = self._match
        return frozenset() if match is None else frozenset(d.picture for d in match.doubts if d.picture is not None)

    def status(self, camera: Camera, sentence: Text | None, now_ns: int) -> None:
        """What is known of the camera from elsewhere (its process died, there is none)."""
        self._hear(camera, sentence, now_ns, heard_ns=self._camera.heard_ns)
        self.publish(now_ns)

    def notice(self, topic: str, sentence: Text | None, now_ns: int) -> None:
        """What people should know of something else than the camera; None when there is nothing any more."""
        if self._told.get(topic) != sentence:
            if sentence is None:
                del self._told[topic]
            else:
                self._told[topic] = sentence
            self._dirty = True
        self.publish(now_ns)

    def buttons(self, lines: tuple[ButtonLine, ...], now_ns: int) -> None:
        """How the slap buttons are."""
        self._dirty |= lines != self._buttons
        self._buttons = lines
        self.publish(now_ns)

    @property
    def waiting(self) -> bool:
        """Whether edges wait for a disk that could not be written."""
        return bool(self._unwritten)

    def presses(self, presses: Sequence[Press], now_ns: int, *, last: bool = False) -> None:
        """Keep raw button edges, and what follows from them by the rules, in one transaction. Where the disk fails,
        they wait, and the rules with them, for the next call; only the ``last`` one keeps the edges alone then."""
        presses = (*self._unwritten, *presses)
        match = self._match
        press = None if match is None or match.ended else self.shelf.kit(match.rules.name).press
        heard = None if match is None or press is None else hear(match, press, presses, self._journal.next_step)
        during = None if match is None else match.number
        trouble = BROKE_DOWN if heard is not None and heard.failed else None
        try:
            self._journal.write(*(heard.steps if heard is not None else ()), presses=presses, during=during)
        except JournalError as error:
            self._unwritten, trouble = presses[-UNWRITTEN:], error.sentence
            if last:
                self._journal.write_presses(during, presses)
        else:
            self._unwritten = ()
            if heard is not None:
                self._follow(heard)
        self._in_trouble("presses", trouble)
        self.publish(now_ns)

    def _follow(self, heard: Heard) -> None:
        """The match goes on with what edges have led to."""
        for t_ns, sentence in heard.refused:
            if not heard.match.over:
                self._note(t_ns, sentence)
        if heard.steps:
            self._match = heard.match
            self._dirty = True

    def _hear(self, camera: Camera, sentence: Text | None, now_ns: int, heard_ns: int) -> None:
        sentence = says(camera) if sentence is None else sentence
        old = self._camera
        same = (old.camera, old.sentence) == (camera, sentence)
        self._camera = CameraStatus(camera, sentence, old.since_ns if same else now_ns, heard_ns)
        self._dirty |= not same

    @property
    def camera_ns(self) -> int | None:
        """When the camera was last heard of; None when there is none."""
        return None if self._camera.camera == "none" else self._camera.heard_ns

    def _note(self, t_ns: int, sentence: Text) -> None:
        last = self._notes[-1] if self._notes else None
        if last is not None and last.sentence == sentence:  # shown with the next change: it may come with every frame
            self._notes = (*self._notes[:-1], Note(t_ns, sentence, last.count + 1))
            return
        self._notes = (*self._notes, Note(t_ns, sentence))[-NOTES:]
        self._dirty = True

    def _in_trouble(self, what: str, sentence: Text | None) -> None:
        if self._trouble.get(what) == sentence:
            return
        if sentence is None:
            del self._trouble[what]
        else:
            self._trouble[what] = sentence
        self._dirty = True

    def failed(self, now_ns: int) -> None:
        """Something went wrong that nobody foresaw. Say so; go on."""
        _log.exception("The table stumbled")
        self._note(now_ns, FAILED)
        self.publish(now_ns)

    # what everyone sees

    def publish(self, now_ns: int) -> None:
        """A new snapshot, if anything changed."""
        if not self._dirty:
            return
        self._dirty = False
        match = self._match
        common: dict[str, Any] = {
            "version": self.snapshot.version + 1,
            "boot": self.snapshot.boot,
            "t_ns": now_ns,
            "camera": self._camera,
            "scene": self._scene,
            "view": self._window.view,
            "notes": self._notes,
            "trouble": next(iter(self._trouble.values()), None),
            "notices": (*self._notices, *self._told.values()),
            "buttons": self._buttons,
        }
        if match is None:
            self.snapshot = Snapshot(**common)
            return
        self.snapshot = Snapshot(
            **common,
            match=match.number,
            game=match.rules.name,
            started=match.started,
            state=match.state,
            over=match.over,
            facts=match.entries,
            doubts=match.doubts,
            settled=match.settled,
            conflicts=match.conflicts,
        )
