"""The server when it closes: nothing stays open, whatever its browsers were doing."""

from __future__ import annotations

import socket
from pathlib import Path

from flask import Flask, send_file

from web import serve

BIG = 32 * 1024 * 1024
"""More than the sockets between server and browser hold."""


def open_files() -> set[str]:
    found = set()
    for handle in Path("/proc/self/fd").iterdir():
        try:
            found.add(str(handle.readlink()))
        except OSError:
            continue
    return found


def test_a_file_that_a_browser_has_not_taken_to_its_end_is_closed(app: Flask, tmp_path: Path) -> None:
    big = tmp_path / "big.bin"
    with big.open("wb") as file:
        file.truncate(BIG)
    app.add_url_rule("/big", "big", lambda: send_file(big))
    server = serve(app, "127.0.0.1", 0)
    try:
        with socket.create_connection(server.address) as browser:
            browser.sendall(b"GET /big HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            assert browser.recv(12) == b"HTTP/1.1 200"
            assert str(big) in open_files()
            server.close()
            assert str(big) not in open_files()
    finally:
        server.close()
