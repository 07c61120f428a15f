"""When a program that runs in a terminal, or as a service, is told to end."""

from __future__ import annotations

import signal
import threading
from types import FrameType


def told_to_end() -> threading.Event:
    """Set by SIGTERM or Ctrl-C, from now on, also where a shell that started this in the background had Ctrl-C
    ignored. A second one changes nothing: who sends it to a whole group sends it twice. From the main thread only."""
    ending = threading.Event()

    def end(_number: int, _frame: FrameType | None) -> None:
        ending.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, end)
    return ending
