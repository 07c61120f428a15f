"""When a program that runs in a terminal, or as a service, is told to end."""

from __future__ import annotations

import signal
import threading
from queue import SimpleQueue
from types import FrameType


def told_to_end() -> threading.Event:
    """Set by SIGTERM or Ctrl-C, from now on, also where a shell that started this in the background had Ctrl-C
    ignored. A second one changes nothing: who sends it to a whole group sends it twice. From the main thread only."""
    ending = threading.Event()
    told: SimpleQueue[None] = SimpleQueue()

    def end(_number: int, _frame: FrameType | None) -> None:
        told.put(None)  # needs no lock; ``ending`` does, and this may interrupt whoever holds it

    def pass_on() -> None:
        told.get()
        ending.set()

    threading.Thread(target=pass_on, name="ending", daemon=True).start()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, end)
    return ending
