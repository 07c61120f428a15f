"""The main process's side of the vision: starts the worker, listens, kills it when it hangs, starts it again.

    vision = VisionProcess(options, on_scene=lambda scene, picture: table.see(scene, picture))
    vision.start()
    ...
    vision.stop()

The worker is spawned (never forked), so nothing it does, and no way in which it dies, can harm this process.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from queue import SimpleQueue
from typing import Any

from companion.words import Text
from companion.world import Scene
from vision import messages
from vision.messages import (
    Beat,
    Expect,
    Failed,
    Feed,
    Forget,
    Noted,
    Record,
    Seen,
    Stop,
    ToMain,
    ToWorker,
    WorkerOptions,
)
from vision.pictures import PictureRing
from vision.watchdog import Policy, Status, Watchdog
from vision.worker import run

TICK_S = 0.25
THREADS = "OPENBLAS_NUM_THREADS"

Picture = Callable[[], bytes | None]
"""Fetches the JPEG of a Scene's frame; None when it is no longer there."""


class VisionProcess:
    """One supervised vision process. Thread-safe; callbacks come from its listening thread.

    ``on_scene`` gets each Scene that arrives (the newest wins: a slow receiver misses some) with a way to fetch its
    picture. ``on_status`` is told when the state of the camera changes; ``on_note`` gets sentences about recordings.
    """

    def __init__(
        self,
        options: WorkerOptions,
        on_scene: Callable[[Scene, Picture], None],
        *,
        on_status: Callable[[Status], None] | None = None,
        on_note: Callable[[Text], None] | None = None,
        policy: Policy | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._options, self._clock = options, clock
        self._on_scene, self._on_status, self._on_note = on_scene, on_status, on_note
        self._watchdog = Watchdog(policy)
        self._lock = threading.RLock()
        self._ring: PictureRing | None = None
        self._process: SpawnProcess | None = None
        self._orders: SimpleQueue[ToWorker | None] | None = None
        self._kept: dict[str, ToWorker] = {}
        self._listening: threading.Thread | None = None
        self._told: Status | None = None
        self._ended = threading.Event()
        self._ticking: threading.Thread | None = None

    def start(self, *, ticking: bool = True) -> None:
        """Start the worker, and a thread that calls ``tick`` (else the caller does)."""
        with self._lock:
            if self._ring is None:
                self._ring = PictureRing()
            self._ended.clear()
            self._watchdog.want(self._clock())
        self.tick()
        if ticking:
            self._ticking = threading.Thread(target=self._tick_on, name="vision watchdog", daemon=True)
            self._ticking.start()

    def stop(self) -> None:
        """Stop the worker (kindly, then by force) and leave nothing behind."""
        self._ended.set()
        with self._lock:
            self._watchdog.unwant()
            if self._orders is not None:
                self._orders.put(Stop())
        if self._ticking is not None and self._ticking is not threading.current_thread():
            self._ticking.join()
            self._ticking = None
        process = self._process  # only now: a last tick may have reaped it
        if process is not None:
            process.join(2.0)
            if process.is_alive():
                process.kill()
                process.join()
        with self._lock:
            self._reap()
            if self._ring is not None:
                self._ring.close()
                self._ring = None
        self._tell()

    @property
    def status(self) -> Status:
        """What the pages say about the camera."""
        return self._watchdog.status

    @property
    def pid(self) -> int | None:
        """The worker's process id, None while there is none."""
        process = self._process
        return process.pid if process is not None else None

    def expect(self, ids: Iterable[str] | None) -> None:
        """Tell which pieces may lie on the table; kept over restarts."""
        self._order(Expect(None if ids is None else tuple(ids)), keep="expect")

    def feed(self, payload: Any) -> None:
        """Give something to the camera; the last one is repeated after a restart."""
        self._order(Feed(payload), keep="feed")

    def record(self, path: str | None, header: Mapping[str, Any] | None = None) -> None:
        """Record the frames into a folder; None stops it. Goes on after a restart."""
        self._order(Record(path, dict(header or {})), keep="record")

    def forget(self) -> None:
        """Look at the table as if for the first time."""
        self._order(Forget(), keep=None)

    def tick(self) -> None:
        """Do what is due: reap, kill, start. Called by the ticking thread, or by hand with an injected clock."""
        process, listening = self._process, self._listening
        if process is not None and listening is not None and not process.is_alive():
            listening.join(1.0)  # its last words say why
        with self._lock:
            now = self._clock()
            if self._process is not None and not self._process.is_alive():
                self._reap()
                self._watchdog.exited(now)
            action = self._watchdog.tick(now)
            if action == "kill" and self._process is not None:
                self._process.kill()
                self._process.join()
                self._reap()
                self._watchdog.exited(now)
            elif action == "start":
                self._spawn()
                self._watchdog.started(now)
        self._tell()

    def _tick_on(self) -> None:
        while not self._ended.wait(TICK_S):
            self.tick()

    def _order(self, order: ToWorker, *, keep: str | None) -> None:
        with self._lock:
            if keep is not None:
                self._kept[keep] = order
            if self._orders is not None:
                self._orders.put(order)

    def _spawn(self) -> None:
        assert self._ring is not None
        context = multiprocessing.get_context("spawn")
        scenes, scenes_there = context.Pipe(duplex=False)
        orders_there, orders = context.Pipe(duplex=False)
        arguments = (self._options, self._ring.name, scenes_there, orders_there)
        process = context.Process(target=run, args=arguments, name="vision", daemon=True)
        with _single_threaded(), _ctrl_c_held_back():
            process.start()
        scenes_there.close()
        orders_there.close()
        self._process = process
        self._orders = SimpleQueue()
        for kept in self._kept.values():
            self._orders.put(kept)
        threading.Thread(target=_send, args=(self._orders, orders), name="vision orders", daemon=True).start()
        listen = threading.Thread(target=self._listen, args=(scenes, process), name="vision scenes", daemon=True)
        listen.start()
        self._listening = listen

    def _reap(self) -> None:
        if self._orders is not None:
            self._orders.put(None)
            self._orders = None
        if self._process is not None and not self._process.is_alive():
            self._process.join()
            self._process.close()
            self._process = None

    def _listen(self, scenes: Connection, process: SpawnProcess) -> None:
        while True:
            try:
                message = messages.decode_to_main(scenes.recv_bytes())
            except (OSError, EOFError):
                break
            with self._lock:
                current = self._process is process
            if current:
                self._take(message)
        scenes.close()

    def _take(self, message: ToMain) -> None:
        now = self._clock()
        with self._lock:
            match message:
                case Seen(scene, _):
                    self._watchdog.heard(now, frame=True, lost=scene.lost)
                case Beat():
                    self._watchdog.heard(now, frame=False)
                case Failed(sentence):
                    self._watchdog.failed(sentence)
        self._tell()
        if isinstance(message, Seen):
            ticket = message.ticket
            self._on_scene(message.scene, lambda: self._picture(ticket))
        elif isinstance(message, Noted) and self._on_note is not None:
            self._on_note(message.sentence)

    def _picture(self, ticket: int) -> bytes | None:
        with self._lock:
            return self._ring.get(ticket) if self._ring is not None else None

    def _tell(self) -> None:
        with self._lock:
            status = self._watchdog.status
            if status == self._told:
                return
            self._told = status
        if self._on_status is not None:
            self._on_status(status)


@contextlib.contextmanager
def _single_threaded() -> Iterator[None]:
    """The worker's matrix products on one thread: more only fight for the cores that the game needs."""
    before = os.environ.get(THREADS)
    os.environ[THREADS] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[THREADS]
        else:
            os.environ[THREADS] = before


@contextlib.contextmanager
def _ctrl_c_held_back() -> Iterator[None]:
    """A child that is started meanwhile gets no Ctrl-C until it says that it ignores it (``vision.worker.run``): one
    during its imports would end it with a traceback. Only this thread holds it back; the program hears it all the
    same, at the latest when this is over."""
    resource_tracker.ensure_running()  # started by the child's start, it would let Ctrl-C through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _send(orders: SimpleQueue[ToWorker | None], connection: Connection) -> None:
    """Sends orders until None comes or the worker is gone; a hung worker holds up only this thread."""
    with contextlib.suppress(OSError, ValueError):
        while (order := orders.get()) is not None:
            connection.send_bytes(messages.encode(order))
    connection.close()
