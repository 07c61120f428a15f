"""Evenings that were watched, kept in a file: a long run that was cut short goes on where it stopped.

An evening counts again only while every module of ours that watches it reads as it did then.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

OURS = ("companion", "hardware", "vision")

T = TypeVar("T")
D = TypeVar("D")


def fingerprint() -> str:
    """What all of our modules that are loaded now say, in 16 hex digits."""
    files = {}
    for key, module in sys.modules.items():
        spec = getattr(module, "__spec__", None)
        name = key if spec is None else spec.name  # not "__main__"
        if name.split(".")[0] in OURS and getattr(module, "__file__", None):
            files[name] = str(module.__file__)
    digest = hashlib.sha256()
    for name, file in sorted(files.items()):
        digest.update(name.encode() + b"\0" + Path(file).read_bytes() + b"\0")
    return digest.hexdigest()[:16]


class KeptEvenings(Generic[T, D]):
    """The evenings in a file of JSON lines. ``kind`` is what one of them is, ``task`` what was asked for it."""

    def __init__(self, path: Path | None, kind: type[D], task: Callable[[D], T]) -> None:
        self._path, self._kind, self._task = path, kind, task
        self._sources = fingerprint()

    def __iter__(self) -> Iterator[D]:
        """Those that count; a line that was torn when the run was cut short does not."""
        if self._path is None or not self._path.exists():
            return
        for line in self._path.read_bytes().splitlines():
            try:
                sources, done = msgspec.json.decode(line, type=tuple[str, self._kind])  # type: ignore[name-defined]
            except (msgspec.DecodeError, UnicodeDecodeError):
                continue
            if sources == self._sources:
                yield done

    def all_of(self, todo: list[T], watch: Callable[[list[T]], Iterator[D]]) -> Iterator[D]:
        """Every evening of what is to be watched: those kept, then what is left, watched now and kept."""
        wanted = set(todo)
        known = {self._task(done): done for done in self if self._task(done) in wanted}
        yield from known.values()
        for done in watch([task for task in todo if task not in known]):
            self._add(done)
            yield done

    def _add(self, done: D) -> None:
        if self._path is not None:
            with self._path.open("ab") as file:
                file.write(msgspec.json.encode((self._sources, done)) + b"\n")
