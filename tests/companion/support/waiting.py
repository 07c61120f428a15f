"""Waiting for another thread to have done something, however long the machine takes."""

from __future__ import annotations

import time
from collections.abc import Callable


def reached(true: Callable[[], bool]) -> None:
    """Ask again and again, and fail when it never comes to that."""
    for _ in range(400):
        if true():
            return
        time.sleep(0.025)
    raise AssertionError("it never came to that")
