"""When to start, kill and restart the vision process: pure, told the time, so that tests need not wait.

A process that says nothing is hung and is killed; a camera that gives no frames is opened again; both within a
budget, with growing pauses, and with a sentence for the pages meanwhile.
"""

from __future__ import annotations

from collections import deque
from typing import Literal

import msgspec

from companion.words import Text, _


class Policy(msgspec.Struct, frozen=True):
    """Limits in seconds and in restarts."""

    start_s: float = 30.0
    """A new process may take this long until its first frame."""
    silent_s: float = 10.0
    """Silence after which it counts as hung: a slow machine may need seconds for a crowded table."""
    frame_s: float = 6.0
    """Without a new frame for so long the camera is lost, and opened again after twice that."""
    pauses_s: tuple[float, ...] = (0.5, 1.0, 2.0, 5.0, 10.0, 30.0)
    """Pauses before the first, second, ... restart in a row."""
    budget: int = 6
    """Restarts within ``window_s``; then it waits until the window has passed."""
    window_s: float = 600.0
    calm_s: float = 60.0
    """Frames for so long make the next failure the first again."""


class Status(msgspec.Struct, frozen=True):
    """What the pages say about the camera."""

    state: Literal["stopped", "starting", "watching", "lost"]
    sentence: Text | None = None


Action = Literal["start", "kill"]


class Watchdog:
    """The state of one supervised process. Tell it what happened, ask ``tick`` what to do."""

    def __init__(self, policy: Policy | None = None) -> None:
        self.policy = policy or Policy()
        self.status = Status("stopped")
        self._running = False
        self._wanted = False
        self._started = self._heard = self._frame = self._first = 0.0
        self._frames = False
        self._next_start = 0.0
        self._failures = 0
        self._starts: deque[float] = deque()
        self._why: Text | None = None

    def want(self, now: float) -> None:
        """The process is to run from now on."""
        self._wanted, self._next_start = True, now
        self.status = Status("starting", _("The camera is starting."))

    def unwant(self) -> None:
        """The process is to stop."""
        self._wanted = False
        self.status = Status("stopped")

    def started(self, now: float) -> None:
        """A process was started."""
        self._running, self._frames, self._why = True, False, None
        self._started = self._heard = self._frame = now
        self._starts.append(now)

    def heard(self, now: float, *, frame: bool, lost: Text | str | None = None) -> None:
        """The process said something; ``frame``: a Scene of a new frame, ``lost``: which says it sees nothing."""
        if not self._running:
            return
        self._heard = now
        if not frame:
            return
        if not self._frames:
            self._first = now
        self._frames, self._frame = True, now
        if now - self._first > self.policy.calm_s:
            self._failures = 0
        if lost is not None:
            self.status = Status("lost", lost if isinstance(lost, Text) else Text(lost))
        else:
            self.status = Status("watching")

    def failed(self, sentence: Text) -> None:
        """The process said why it is about to end."""
        self._why = sentence

    def exited(self, now: float) -> None:
        """The process is gone, for whatever reason."""
        if not self._running:
            return
        self._running = False
        if not self._wanted:
            return
        pauses = self.policy.pauses_s
        pause = pauses[min(self._failures, len(pauses) - 1)]
        self._failures += 1
        while self._starts and self._starts[0] <= now - self.policy.window_s:
            self._starts.popleft()
        self._next_start = now + pause
        if len(self._starts) > self.policy.budget:
            self._next_start = max(self._next_start, self._starts[0] + self.policy.window_s)
        why = self._why or _("The camera stopped.")
        again = _("It is started again in {seconds} seconds.", seconds=max(1, round(self._next_start - now)))
        self.status = Status("lost", _("{why} {again}", why=why, again=again))

    def tick(self, now: float) -> Action | None:
        """What to do now."""
        if not self._wanted:
            return "kill" if self._running else None
        if not self._running:
            return "start" if now >= self._next_start else None
        if not self._frames:
            if now - self._started > self.policy.start_s:
                self._why = _("The camera gives no pictures.")
                return "kill"
            return None
        if now - self._heard > self.policy.silent_s:
            self._why = _("The camera does not answer.")
            return "kill"
        age = now - self._frame
        if age > 2 * self.policy.frame_s:
            self._why = _("The camera gives no pictures.")
            return "kill"
        if age > self.policy.frame_s:
            self.status = Status("lost", _("The camera gives no pictures."))
        return None
