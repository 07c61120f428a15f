"""Pages that listen to the live stream, in a process of their own.

    python browsers.py HOST PORT NUMBER

Prints a line when all have been answered; ends when its input does, and prints how many changes each page was sent.
"""

from __future__ import annotations

import http.client
import os
import sys
import threading


class Browser:
    """One page: listens until the stream ends."""

    def __init__(self, host: str, port: int) -> None:
        self.changes = 0
        self.opened = threading.Event()
        self._address = (host, port)
        self.thread = threading.Thread(target=self._listen, daemon=True)
        self.thread.start()

    def _listen(self) -> None:
        connection = http.client.HTTPConnection(*self._address)
        connection.request("GET", "/events")
        answer = connection.getresponse()
        for line in answer:
            self.opened.set()
            self.changes += line.startswith(b"event: page")


NICE = 15
"""Pages are on other machines: what they compute costs the table's nothing."""


def main(host: str, port: int, number: int) -> None:
    os.nice(NICE)
    browsers = [Browser(host, port) for _ in range(number)]
    opened = sum(browser.opened.wait(30) for browser in browsers)
    sys.stdout.write(f"{opened}\n")
    sys.stdout.flush()
    sys.stdin.read()
    sys.stdout.write(" ".join(str(browser.changes) for browser in browsers) + "\n")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
