"""Waiting for another thread to have done something, however long the machine takes."""

from __future__ import annotations

import time
from collections.abc import Callable


def reached(true: Callable[[], bool], seconds: float = 10, every_s: float = 0.025) -> None:
    """Ask again and again, and fail when it never comes to that: after as many times as fit in about ``seconds``, each
    of which may take longer."""
    for _ in range(round(seconds / every_s)):
        if true():
            return
        time.sleep(every_s)
    raise AssertionError("it never came to that")
