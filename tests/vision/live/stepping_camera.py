"""A camera for tests of the vision process: does exactly what it is fed, one thing a message."""

from __future__ import annotations

import threading
from collections import deque

import numpy as np

from companion.world import Frame


class SteppingCamera:
    def __init__(self, fails: bool = False) -> None:
        if fails:
            raise OSError("no such device")
        self.orders: deque[str] = deque()
        self.t_ns = 0

    def read(self):
        if not self.orders:
            return None
        order = self.orders.popleft()
        if order == "hang":
            threading.Event().wait()
        if order == "raise":
            raise OSError("unplugged")
        self.t_ns += 1_000_000
        level = 0 if order == "dark" else 120
        return Frame(self.t_ns, np.full((240, 320, 3), level, np.uint8))

    def feed(self, message):
        self.orders.append(message)

    def close(self):
        pass


def open_stepping(fails: bool = False):
    return SteppingCamera(fails)
