"""Reading server-sent events from a real server, one socket a stream."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from typing import Any


class Listener:
    """One browser's EventSource. ``status`` is the HTTP status; reads time out instead of hanging a test."""

    def __init__(self, address: tuple[str, int], path: str = "/events", timeout: float = 20.0) -> None:
        self.socket = socket.create_connection(address, timeout=timeout)
        self.socket.sendall(f"GET {path} HTTP/1.1\r\nHost: {address[0]}:{address[1]}\r\n\r\n".encode())
        self.file = self.socket.makefile("rb")
        self.status = int(self.file.readline().split()[1])
        self.headers = {}
        for raw in self.file:
            line = raw.decode().strip()
            if not line:
                break
            name, _colon, value = line.partition(":")
            self.headers[name.lower()] = value.strip()

    def body(self) -> str:
        """The rest of an ordinary answer."""
        return self.file.read(int(self.headers["content-length"])).decode()

    def _lines(self) -> Iterator[str]:
        """The lines of the stream, out of the chunks it is sent in."""
        chunked = self.headers.get("transfer-encoding") == "chunked"
        buffer = b""
        while True:
            if chunked:
                size = int(self.file.readline().strip() or b"0", 16)
                data = self.file.read(size)
                self.file.readline()
            else:
                data = self.file.readline()
            if not data:
                return
            buffer += data
            while b"\n" in buffer:
                line, buffer = buffer.split(b"\n", 1)
                yield line.decode()

    def events(self) -> Iterator[tuple[str, str | None, Any]]:
        """Each event as its name, its id and its data."""
        name, id, data = "message", None, ""
        for line in self._lines():
            if not line:
                if data:
                    yield name, id, json.loads(data)
                name, id, data = "message", None, ""
            elif line.startswith("event: "):
                name = line[7:]
            elif line.startswith("id: "):
                id = line[4:]
            elif line.startswith("data: "):
                data += line[6:]

    def close(self) -> None:
        self.file.close()
        self.socket.close()
