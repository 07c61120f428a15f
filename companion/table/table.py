"""The table: a thread that owns the match, and the only way to talk to it."""

from __future__ import annotations

import itertools
import threading
import time
import uuid
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

from companion.core.facts import Command
from companion.core.journal import Journal
from companion.core.mailbox import Bell, Every, Newest
from companion.core.pictures import Pictures
from companion.table.api import About, ButtonLine, Camera, CameraStatus, GameKit, MatchLine, Pulse, Reply, Snapshot
from companion.table.camera import Exposure, Jpeg, Window, says
from companion.table.clock import ahead_ns, later_press, later_scene
from companion.table.owner import FAILED, Owner
from companion.table.subscription import Subscription
from companion.words import Text, _
from companion.world import Press, Scene

AGAIN_S = 1.0
"""So long after a disk could not be written edges that wait for it are tried again."""


@dataclass(frozen=True, slots=True)
class _Ask:
    asked: Any
    about: About | None
    match: int | None
    reply: SimpleQueue[Reply] = field(default_factory=SimpleQueue)


@dataclass(frozen=True, slots=True)
class _Settle:
    done: SimpleQueue[None] = field(default_factory=SimpleQueue)


class Table:
    """Scenes, presses and commands in; snapshots out. All methods are for any thread.

    ``journal_path`` is a file that is made if missing; ``games`` are the games that can be played, by name;
    ``pictures_dir`` keeps the pictures of doubts; ``clock`` gives the kernel's monotonic nanoseconds, of which scenes
    and presses are. All that comes out has the times of ``Table.clock``.
    """

    def __init__(
        self,
        journal_path: Path,
        games: Mapping[str, GameKit],
        pictures_dir: Path,
        clock: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self._journal_path = journal_path
        self._games = games
        self._kernel_clock = clock
        self._ahead_ns = 0
        self._boot = uuid.uuid4().hex
        self._pictures = Pictures(pictures_dir)
        self._window = Window(self._boot)
        bell = Bell()
        self._bell = bell
        self._order = itertools.count()
        self._scenes: Newest[tuple[int, Scene, Jpeg]] = Newest(bell)
        self._statuses: Newest[tuple[int, Camera, Text | None]] = Newest(bell)
        self._presses: Every[Press] = Every(bell)
        self._notices: Every[tuple[int, str, Text | None]] = Every(bell)
        self._buttons: Newest[tuple[int, tuple[ButtonLine, ...]]] = Newest(bell)
        self._asks: Every[_Ask | _Settle] = Every(bell)
        self._listeners: dict[int, Subscription] = {}
        self._owner: Owner | None = None
        self._thread: threading.Thread | None = None
        self._stopping = False
        now = clock()
        self._owner_ns = now
        self._latest = Snapshot(
            version=0, boot=self._boot, t_ns=now, camera=CameraStatus("none", says("none"), now, now)
        )

    def clock(self) -> int:
        """Now, in nanoseconds: the kernel's monotonic time, but for what a journal of an earlier boot puts it ahead."""
        return self._kernel_clock() + self._ahead_ns

    @property
    def ahead_ns(self) -> int:
        """How far ``clock`` is ahead of the kernel's."""
        return self._ahead_ns

    # the thread

    def start(self) -> None:
        """Open the journal, take up the newest unfinished match, begin to work. JournalError says why it cannot."""
        if self._thread is not None:
            raise RuntimeError("a table is started once")
        journal = Journal(self._journal_path, boot=_boot_id())
        try:
            self._ahead_ns = ahead_ns(journal.latest_ns(), self._kernel_clock())
            self._owner = Owner(
                journal, self._games, self._pictures, self._window, boot=self._boot, now_ns=self.clock()
            )
            self._latest = self._owner.snapshot
            self._thread = threading.Thread(target=self._run, args=(self._owner, journal), name="table", daemon=True)
            self._thread.start()
        except BaseException:
            journal.close()
            raise

    def stop(self) -> None:
        """Finish what lies in the mailboxes, close the journal, end the thread. Once stopped, all is refused."""
        self._stopping = True
        self._bell.ring()
        if self._thread is not None:
            self._thread.join()
        for listener in list(self._listeners.values()):
            listener.close()

    def _run(self, owner: Owner, journal: Journal) -> None:
        try:
            while not self._stopping:
                self._bell.wait(AGAIN_S if owner.waiting else None)
                self._round(owner)
            self._round(owner)
            if owner.waiting:
                self._safely(owner, lambda: owner.presses((), self.clock(), last=True))
        finally:
            journal.close()

    def _round(self, owner: Owner) -> None:
        """Once around all mailboxes: commands, then the newest scene; before and after each of them all presses."""
        self._owner_ns = self.clock()
        settles = []
        self._take_presses(owner, again=owner.waiting)
        for letter in self._asks.take():
            if isinstance(letter, _Settle):
                settles.append(letter)
            else:
                self._answer(owner, letter)
            self._take_presses(owner)
        for news in self._news(owner):
            self._safely(owner, news)
            self._take_presses(owner)
        for settle in settles:
            settle.done.put(None)

    def _answer(self, owner: Owner, letter: _Ask) -> None:
        try:
            reply = owner.command(letter.asked, letter.about, letter.match, self.clock())
        except Exception:  # whoever asked waits for a reply
            owner.failed(self.clock())
            reply = Reply(False, FAILED, False, owner.snapshot)
        self._tell(owner)
        letter.reply.put(reply)

    def _safely(self, owner: Owner, work: Callable[[], None]) -> None:
        try:
            work()
        except Exception:
            owner.failed(self.clock())
        self._tell(owner)

    def _take_presses(self, owner: Owner, *, again: bool = False) -> None:
        """Hand on what was pressed. ``again``: also if nothing was, for what waits for the disk may go there now. Once
        a round is enough: a disk that still cannot be written may take a second to say so."""
        presses = self._presses.take()
        if presses or again:
            self._safely(owner, lambda: owner.presses(presses, self.clock()))

    def _news(self, owner: Owner) -> list[Callable[[], None]]:
        """What camera and buttons say of themselves, in the order in which it was said."""
        news: list[tuple[int, Callable[[], None]]] = []
        scene = self._scenes.take()
        if scene is not None:
            order, seen, jpeg = scene
            news.append((order, lambda: owner.scene(seen, Exposure(jpeg), self.clock())))
        status = self._statuses.take()
        if status is not None:
            order, camera, sentence = status
            news.append((order, lambda: owner.status(camera, sentence, self.clock())))
        buttons = self._buttons.take()
        if buttons is not None:
            news.append((buttons[0], partial(owner.buttons, buttons[1], self.clock())))
        for order, topic, told in self._notices.take():
            news.append((order, partial(owner.notice, topic, told, self.clock())))
        return [work for _order, work in sorted(news, key=lambda pair: pair[0])]

    def _tell(self, owner: Owner) -> None:
        if owner.snapshot is not self._latest:
            self._latest = owner.snapshot
            for listener in list(self._listeners.values()):
                listener.ring()

    # what goes in

    def see(self, scene: Scene, frame_jpeg: Jpeg = None) -> None:
        """A new scene, with its frame or what fetches it. A newer scene takes the place of one not yet looked at."""
        self._scenes.put((next(self._order), later_scene(scene, self._ahead_ns), frame_jpeg))

    def press(self, press: Press) -> None:
        """A raw button edge, for the journal and for the rules of the game on the table. None is ever dropped, and
        none waits for more than the one scene or command that is being worked on."""
        self._presses.put(later_press(press, self._ahead_ns))

    def status(self, camera: Camera, sentence: Text | None = None) -> None:
        """How the camera is, where no scene can say it: ``none`` or ``lost``, and why."""
        self._statuses.put((next(self._order), camera, sentence))

    def notice(self, topic: str, sentence: Text | None) -> None:
        """What people should know of something else (buttons, lights); it stands until None or another comes."""
        self._notices.put((next(self._order), topic, sentence))

    def buttons(self, lines: tuple[ButtonLine, ...]) -> None:
        """How the slap buttons are."""
        self._buttons.put((next(self._order), lines))

    def ask(
        self,
        command: Command | bytes | str | dict[str, Any],
        *,
        about: About | None = None,
        match: int | None = None,
    ) -> Reply:
        """Ask for something and wait for what becomes of it; when accepted, it is on the disk.

        ``about`` names the fact or doubt the command is about, ``match`` the match its sender looked at: if they
        have changed since, the reply is ``stale`` and nothing happens.
        """
        letter = _Ask(command, about, match)
        self._asks.put(letter)
        while True:
            try:
                return letter.reply.get(timeout=0.2)
            except Empty:
                if self._thread is None or not self._thread.is_alive():
                    break
        try:
            return letter.reply.get_nowait()
        except Empty:
            return Reply(False, _("The table is not running."), False, self.snapshot())

    def settle(self) -> bool:
        """Wait until everything that was put before is done. False when the table does not work (any more)."""
        letter = _Settle()
        self._asks.put(letter)
        while self._thread is not None and self._thread.is_alive():
            with suppress(Empty):
                letter.done.get(timeout=0.2)
                return True
        return not letter.done.empty()

    # what comes out

    def snapshot(self) -> Snapshot:
        """Everything as it is now."""
        return self._latest

    def public(self, snapshot: Snapshot) -> Any:
        """A snapshot's state as its game prints it: without what only its rules read."""
        kit = self._games.get(snapshot.game or "")
        return snapshot.state if kit is None or kit.public is None else kit.public(snapshot.state)

    def subscribe(self) -> Subscription:
        """A place to wait for snapshots. Close it when done."""
        subscription = Subscription(self.snapshot, self._forget)
        self._listeners[id(subscription)] = subscription
        return subscription

    def _forget(self, subscription: Subscription) -> None:
        self._listeners.pop(id(subscription), None)

    def picture(self, name: str) -> bytes | None:
        """The JPEG of that name: a doubt's, or one of the newest of the table. None when there is no such picture."""
        return self._window.pictures.get(name) or self._pictures.get(name)

    def matches(self) -> tuple[MatchLine, ...]:
        """All matches of the journal, oldest first."""
        return () if self._owner is None else self._owner.shelf.matches

    def pulse(self) -> Pulse:
        """Signs of life, so that a page can tell what is stale."""
        owner = self._owner
        return Pulse(self.clock(), self._owner_ns, None if owner is None else owner.camera_ns)


def _boot_id() -> str:
    """Which run of the machine monotonic times belong to; empty where the kernel does not say."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return ""
