"""Pictures of doubts: JPEG files beside the journal, on the disk before the doubt that names them.

The folder is bounded: when it holds more than ``limit`` bytes (256 MB unless said otherwise; a picture has about
30 kB, so some 8,000 doubts), the oldest go, never one that is named in ``keep``. A name is a digest of the content,
so a picture never changes and may be cached for ever.
"""

from __future__ import annotations

import hashlib
import logging
import os
import re
from collections.abc import Collection
from pathlib import Path

from companion.core.files import sync_folder

LIMIT = 256 * 1024 * 1024
_NAME = re.compile(r"[0-9a-f]{24}\.jpg")
_log = logging.getLogger(__name__)


class Pictures:
    """A folder of JPEGs. ``put`` is for its one owner; ``get`` for any thread."""

    def __init__(self, folder: Path, limit: int = LIMIT) -> None:
        self.folder = folder
        self._limit = limit
        self._sizes: dict[str, int] = {}
        try:
            folder.mkdir(parents=True, exist_ok=True)
            found = [(path.stat(), path.name) for path in folder.iterdir() if _NAME.fullmatch(path.name)]
        except OSError as error:
            _log.warning("No pictures will be kept: %s", error)
            found = []
        for stat, name in sorted(found, key=lambda pair: pair[0].st_mtime_ns):
            self._sizes[name] = stat.st_size

    def put(self, jpeg: bytes, keep: Collection[str] = ()) -> str | None:
        """Store a picture durably and give its name; None where the disk refuses (the game goes on without it)."""
        name = hashlib.sha256(jpeg).hexdigest()[:24] + ".jpg"
        if name in self._sizes:
            return name
        path = self.folder / name
        part = path.with_suffix(".part")
        try:
            with part.open("wb") as file:
                file.write(jpeg)
                file.flush()
                os.fsync(file.fileno())
            part.rename(path)
            sync_folder(self.folder)
        except OSError as error:
            _log.warning("The picture of a doubt was not kept: %s", error)
            return None
        self._sizes[name] = len(jpeg)
        self._shrink({*keep, name})
        return name

    def get(self, name: str) -> bytes | None:
        """The JPEG of that name; None for a name that is none of ours, or a picture that is gone."""
        if not _NAME.fullmatch(name):
            return None
        try:
            return (self.folder / name).read_bytes()
        except OSError:
            return None

    def _shrink(self, keep: set[str]) -> None:
        total = sum(self._sizes.values())
        for name in [name for name in self._sizes if name not in keep]:
            if total <= self._limit:
                return
            total -= self._sizes.pop(name)
            try:
                (self.folder / name).unlink(missing_ok=True)
            except OSError as error:
                _log.warning("An old picture could not be removed: %s", error)
