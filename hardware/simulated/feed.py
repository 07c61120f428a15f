"""The simulated table in lockstep: a camera that renders each pose it is fed exactly once, with the time it is given.

For runs whose result must not depend on how fast the machine is. ``hardware.table_camera`` is the one that runs on
a clock.
"""

from __future__ import annotations

from collections import deque
from pathlib import Path
from typing import Any

import msgspec

from companion import deck
from companion.words import _
from companion.world import Frame
from hardware.cameras import CameraError
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.conditions import BY_NAME
from hardware.simulated.poses import TablePose


class Moment(msgspec.Struct, frozen=True):
    """A pose and the time at which it is to be seen."""

    t_ns: int
    pose: TablePose


class LockstepCamera:
    """A ``hardware.cameras.Camera`` that gives one frame for each ``Moment`` it was fed, in order."""

    def __init__(self, camera: SimulatedCamera) -> None:
        self._camera = camera
        self._waiting: deque[Moment] = deque()

    def read(self) -> Frame | None:
        """The frame of the next moment; None while nothing was fed."""
        if not self._waiting:
            return None
        moment = self._waiting.popleft()
        return self._camera.look(moment.pose, moment.t_ns)

    def feed(self, message: Any) -> None:
        """A ``Moment``, or what ``msgspec.to_builtins`` makes of one. Raises msgspec.ValidationError for others."""
        self._waiting.append(message if isinstance(message, Moment) else msgspec.convert(message, Moment))

    def close(self) -> None:
        """Forget what was fed and not yet seen."""
        self._waiting.clear()


def open_lockstep(deck_folder: str, condition: str = "easy", seed: int = 0, markers: bool = False) -> LockstepCamera:
    """Factory for the vision worker (``hardware.simulated.feed:open_lockstep``)."""
    if condition not in BY_NAME:
        raise CameraError(_("There is no condition {name}.", name=condition))
    return LockstepCamera(SimulatedCamera(deck.load(Path(deck_folder)), BY_NAME[condition], seed, markers=markers))
