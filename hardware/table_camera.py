"""The simulated table as a camera that shows what it is told: for the vision worker, driven from the main process."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from companion import deck
from companion.words import _
from companion.world import Frame
from hardware.cameras import CameraError, Pace
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.conditions import BY_NAME
from hardware.simulated.poses import TablePose


class TableCamera:
    """Takes a picture of the last pose it was fed, ``interval_s`` apart."""

    def __init__(
        self,
        camera: SimulatedCamera,
        *,
        interval_s: float = 1 / 15,
        clock: Callable[[], int] = time.monotonic_ns,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._camera, self._pace = camera, Pace(interval_s, clock, sleep)
        self._pose = TablePose()

    def read(self) -> Frame | None:
        """The table as it is now; None until the next picture's time."""
        now = self._pace.wait()
        return None if now is None else self._camera.look(self._pose, now)

    def feed(self, message: Any) -> None:
        """A ``TablePose``, or what ``msgspec.to_builtins`` makes of one."""
        self._pose = message if isinstance(message, TablePose) else msgspec.convert(message, TablePose)

    def close(self) -> None:
        """Nothing to let go of."""


def open_simulated(
    deck_folder: str, condition: str = "easy", seed: int = 0, interval_s: float = 1 / 15, markers: bool = False
) -> TableCamera:
    """Factory for the vision worker (``hardware.table_camera:open_simulated``)."""
    if condition not in BY_NAME:
        raise CameraError(_("There is no condition {name}.", name=condition))
    camera = SimulatedCamera(deck.load(Path(deck_folder)), BY_NAME[condition], seed, markers=markers)
    return TableCamera(camera, interval_s=interval_s)
