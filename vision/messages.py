"""What the main process and the vision process say to each other, and how the latter is described."""

from __future__ import annotations

import importlib
from typing import Any, Protocol

import msgspec

from companion.words import Text
from companion.world import Frame, Scene


class Source(msgspec.Struct, frozen=True):
    """A camera by the path of its factory (``"package.module:function"``) and the options to call it with."""

    factory: str
    options: dict[str, Any] = {}


class WorkerOptions(msgspec.Struct, frozen=True):
    """All that a vision process needs. ``deck`` is a deck folder, ``plane`` nine numbers where it is known,
    ``recorder`` the factory of what writes recordings."""

    source: Source
    deck: str
    plane: tuple[float, ...] | None = None
    plane_size: tuple[int, int] | None = None
    piles: bool = False
    """Pieces are laid onto one another: one pile is followed instead of all that lies side by side."""
    recorder: str = "hardware.recording:open_for_worker"
    jpeg_quality: int = 92


class Expect(msgspec.Struct, frozen=True, tag="expect"):
    """Main to worker: only these pieces may lie on the table (None: all of the deck)."""

    ids: tuple[str, ...] | None


class Feed(msgspec.Struct, frozen=True, tag="feed"):
    """Main to worker: something for the camera (the simulated table's poses)."""

    payload: Any


class Record(msgspec.Struct, frozen=True, tag="record"):
    """Main to worker: write the frames that are read into this folder; None stops it."""

    path: str | None
    header: dict[str, Any] = {}


class Forget(msgspec.Struct, frozen=True, tag="forget"):
    """Main to worker: look at the table as if for the first time."""


class Stop(msgspec.Struct, frozen=True, tag="stop"):
    """Main to worker: finish."""


class Seen(msgspec.Struct, frozen=True, tag="seen"):
    """Worker to main: a Scene and the ticket of its picture."""

    scene: Scene
    ticket: int


class Beat(msgspec.Struct, frozen=True, tag="beat"):
    """Worker to main: alive, but there was no frame."""


class Failed(msgspec.Struct, frozen=True, tag="failed"):
    """Worker to main: it ends, and why. ``camera`` is False when no other try can help (a broken deck)."""

    sentence: Text


class Noted(msgspec.Struct, frozen=True, tag="noted"):
    """Worker to main: something went wrong that does not stop it (a recording that cannot be written)."""

    sentence: Text


ToWorker = Expect | Feed | Record | Forget | Stop
ToMain = Seen | Beat | Failed | Noted

encode = msgspec.msgpack.Encoder().encode
decode_to_worker = msgspec.msgpack.Decoder[ToWorker](ToWorker).decode
decode_to_main = msgspec.msgpack.Decoder[ToMain](ToMain).decode


class CameraLike(Protocol):
    """What the worker asks of a camera (``hardware.cameras.Camera``)."""

    def read(self) -> Frame | None:
        """The next frame, None when none came within a second or at the end."""

    def feed(self, message: Any) -> None:
        """Pass a ``Feed`` on."""

    def close(self) -> None:
        """Let go."""


class RecorderLike(Protocol):
    """What the worker asks of a recorder."""

    def jpeg(self, t_ns: int, data: bytes) -> None:
        """Add a frame."""

    def close(self) -> None:
        """Finish."""


def by_path(path: str) -> Any:
    """The object at ``"package.module:name"``. Raises ImportError or AttributeError."""
    module, _, name = path.partition(":")
    return getattr(importlib.import_module(module), name)
