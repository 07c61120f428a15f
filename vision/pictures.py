"""JPEG pictures from the vision process to the main one: a ring of slots in shared memory.

The writer never waits. A reader asks for a picture by the ticket that came with its Scene and gets None when it has
been written over meanwhile; it never sees half of one (each slot is stamped before and after).
"""

from __future__ import annotations

import struct
from multiprocessing.shared_memory import SharedMemory

SLOTS = 8
CAPACITY = 1 << 20
"""Bytes of the largest picture."""
_HEAD = struct.Struct("<QqI")
"""Stamp (twice the ticket, plus one while it is written), time in ns, length."""
_HEAD_SIZE = 32


class PictureRing:
    """A ring of pictures. The main process makes it and unlinks it; the worker attaches by name."""

    def __init__(self, name: str | None = None, *, slots: int = SLOTS, capacity: int = CAPACITY) -> None:
        """Without a name: make one. With: attach to that one (same ``slots`` and ``capacity``)."""
        self._slots, self._capacity = slots, capacity
        self._owner = name is None
        size = slots * (_HEAD_SIZE + capacity)
        self._memory = SharedMemory(name, create=True, size=size) if name is None else SharedMemory(name)
        self._ticket = 0
        if self._owner:
            for slot in range(slots):
                _HEAD.pack_into(self._bytes, slot * (_HEAD_SIZE + capacity), 0, 0, 0)

    @property
    def name(self) -> str:
        """What to attach to."""
        return self._memory.name

    @property
    def _bytes(self) -> memoryview:
        buffer = self._memory.buf
        assert buffer is not None
        return buffer

    def begin(self, ticket: int) -> None:
        """Go on after this ticket (a restarted writer must not repeat the numbers of the one before)."""
        self._ticket = ticket

    def put(self, t_ns: int, jpeg: bytes) -> int:
        """Store a picture and return its ticket (from 1); 0 when it is too large."""
        if len(jpeg) > self._capacity:
            return 0
        self._ticket += 1
        start = self._start(self._ticket)
        _HEAD.pack_into(self._bytes, start, 2 * self._ticket + 1, t_ns, len(jpeg))
        self._bytes[start + _HEAD_SIZE : start + _HEAD_SIZE + len(jpeg)] = jpeg
        _HEAD.pack_into(self._bytes, start, 2 * self._ticket, t_ns, len(jpeg))
        return self._ticket

    def get(self, ticket: int) -> bytes | None:
        """The picture with that ticket, or None when it is gone."""
        if ticket <= 0:
            return None
        start = self._start(ticket)
        stamp, _, length = _HEAD.unpack_from(self._bytes, start)
        if stamp != 2 * ticket or length > self._capacity:
            return None
        data = bytes(self._bytes[start + _HEAD_SIZE : start + _HEAD_SIZE + length])
        after: int = _HEAD.unpack_from(self._bytes, start)[0]
        return data if after == stamp else None

    def last(self) -> int:
        """The highest ticket in the ring, whole or not."""
        stamps = (
            _HEAD.unpack_from(self._bytes, slot * (_HEAD_SIZE + self._capacity))[0] for slot in range(self._slots)
        )
        return int(max(stamps)) // 2

    def close(self) -> None:
        """Let go; the owner also removes it from the system."""
        self._memory.close()
        if self._owner:
            self._memory.unlink()

    def _start(self, ticket: int) -> int:
        return ticket % self._slots * (_HEAD_SIZE + self._capacity)
