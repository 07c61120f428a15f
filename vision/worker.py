"""The vision process itself: owns the camera, runs the pipeline, sends Scenes and pictures.

Nothing here is imported by the main process at play but ``run``'s name; see ``vision.process`` for that side.
"""

from __future__ import annotations

import os
import signal
import threading
from collections import deque
from multiprocessing.connection import Connection
from pathlib import Path

import cv2
import numpy as np

from companion import deck
from companion.words import Text, _
from companion.world import Frame
from vision import messages
from vision.catalog import build
from vision.messages import (
    Beat,
    CameraLike,
    Expect,
    Failed,
    Feed,
    Forget,
    Noted,
    Record,
    RecorderLike,
    Seen,
    Stop,
    ToMain,
    ToWorker,
    WorkerOptions,
)
from vision.pictures import PictureRing
from vision.pipelines import following
from vision.plane import Plane

IDLE_WAIT_S = 0.05
"""How long to wait for orders when the camera had no frame."""
NICE = 10
"""Lower priority than the main process has: where cores are few, a frame waits for a slap and no slap for a frame."""


class Outbox:
    """Sends messages from a thread of its own, so that a slow main process never holds up the camera.

    Of Scenes and beats only the newest waits; everything else waits in line.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._changed = threading.Condition()
        self._line: deque[ToMain] = deque()
        self._newest: ToMain | None = None
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="scenes", daemon=True)
        self._thread.start()

    def put(self, message: ToMain) -> None:
        """Hand over a message; returns at once."""
        with self._changed:
            if isinstance(message, Seen):
                self._newest = message
            elif isinstance(message, Beat):
                self._newest = self._newest or message
            else:
                self._line.append(message)
            self._changed.notify()

    def close(self) -> None:
        """Send what waits, then stop; gives up after a second."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        self._thread.join(1.0)

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._line or self._newest or self._closed)
                if self._line:
                    message: ToMain = self._line.popleft()
                elif self._newest is not None:
                    message, self._newest = self._newest, None
                else:
                    return
            try:
                self._connection.send_bytes(messages.encode(message))
            except (OSError, ValueError):
                return


class Inbox:
    """Receives orders in a thread of its own. When the main process is gone, this process ends at once."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._orders: deque[ToWorker] = deque()
        self._arrived = threading.Event()
        threading.Thread(target=self._run, name="orders", daemon=True).start()

    def take(self, wait_s: float = 0.0) -> list[ToWorker]:
        """All orders so far; waits for the first one if there is none."""
        if wait_s:
            self._arrived.wait(wait_s)
        self._arrived.clear()
        orders = []
        while self._orders:
            orders.append(self._orders.popleft())
        return orders

    def _run(self) -> None:
        while True:
            try:
                data = self._connection.recv_bytes()
            except (OSError, EOFError):
                os._exit(0)
            self._orders.append(messages.decode_to_worker(data))
            self._arrived.set()


def run(options: WorkerOptions, ring_name: str, scenes: Connection, orders: Connection) -> None:
    """The process's main function. Ends on ``Stop``, when the camera fails, or with the main process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the main process's to handle
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})  # held back until here
    cv2.setNumThreads(1)
    os.nice(NICE)
    outbox = Outbox(scenes)
    inbox = Inbox(orders)
    outbox.put(Beat())
    try:
        Worker(options, PictureRing(ring_name), outbox, inbox).run()
    except Exception as error:
        outbox.put(Failed(sentence_of(error)))
        outbox.close()
        os._exit(1)
    outbox.close()


def sentence_of(error: Exception) -> Text:
    """What an error means to people: its own sentence where it has one."""
    sentence = getattr(error, "sentence", None)
    if isinstance(sentence, Text):
        return sentence
    if isinstance(error, deck.DeckError):
        return _("The deck cannot be used: {why}", why=str(error))
    return _("The camera stopped: {why}.", why=str(error) or type(error).__name__)


class Worker:
    """The loop: orders, a frame, a Scene."""

    def __init__(self, options: WorkerOptions, ring: PictureRing, outbox: Outbox, inbox: Inbox) -> None:
        self._options = options
        self._ring = ring
        self._ring.begin(ring.last())
        self._outbox, self._inbox = outbox, inbox
        # First: a camera that is missing is said at once, and looking for it again costs little.
        self._camera: CameraLike = messages.by_path(options.source.factory)(**options.source.options)
        self._pipeline = following(build(deck.load(Path(options.deck))), plane_of(options), pile=options.piles)
        self._recorder: RecorderLike | None = None

    def run(self) -> None:
        """Until told to stop."""
        wait = 0.0
        try:
            while True:
                for order in self._inbox.take(wait):
                    if isinstance(order, Stop):
                        return
                    self._obey(order)
                frame = self._camera.read()
                wait = 0.0 if frame is not None else IDLE_WAIT_S
                if frame is None:
                    self._outbox.put(Beat())
                else:
                    self._see(frame)
        finally:
            self._camera.close()
            self._stop_recording()

    def _see(self, frame: Frame) -> None:
        kept = as_jpeg(frame, self._options.jpeg_quality)
        assert kept.jpeg is not None
        scene = self._pipeline.step(kept)
        ticket = self._ring.put(kept.t_ns, kept.jpeg)
        self._outbox.put(Seen(scene, ticket))
        if self._recorder is not None:
            try:
                self._recorder.jpeg(kept.t_ns, kept.jpeg)
            except OSError as error:
                self._stop_recording()
                why = error.strerror or str(error)
                self._outbox.put(Noted(_("The recording stopped: {why}.", why=why)))

    def _obey(self, order: ToWorker) -> None:
        match order:
            case Expect(ids):
                self._pipeline.expect(ids)
            case Feed(payload):
                self._camera.feed(payload)
            case Forget():
                self._pipeline.forget()
            case Record(path, header):
                self._stop_recording()
                if path is not None:
                    self._record(path, header)

    def _record(self, path: str, header: dict[str, object]) -> None:
        try:
            self._recorder = messages.by_path(self._options.recorder)(path, header)
        except Exception as error:
            self._outbox.put(Noted(sentence_of(error)))

    def _stop_recording(self) -> None:
        if self._recorder is not None:
            self._recorder.close()
            self._recorder = None


def plane_of(options: WorkerOptions) -> Plane | None:
    """The given plane, if any."""
    if options.plane is None or options.plane_size is None:
        return None
    return Plane(np.array(options.plane, np.float64).reshape(3, 3), options.plane_size, "given")


def as_jpeg(frame: Frame, quality: int) -> Frame:
    """The frame as its JPEG gives it back: live play reads the same pixels that a recording keeps."""
    if frame.jpeg is not None:
        return frame
    done, data = cv2.imencode(".jpg", frame.image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise ValueError("this picture cannot be written as JPEG")
    image = cv2.imdecode(data, cv2.IMREAD_COLOR)
    return Frame(frame.t_ns, np.asarray(image, np.uint8), data.tobytes())
