"""waitress, set up so that forty streams, sleeping phones and silent sockets do not shut anybody out."""

from __future__ import annotations

import errno
import socket
from dataclasses import dataclass
from threading import Thread
from typing import Any

from flask import Flask
from waitress import create_server, wasyncore  # type: ignore[import-untyped]

from web.app import live_of

THREADS = 64
CONNECTIONS = 1000
CHANNEL_TIMEOUT_S = 15
DEAD_PEER_MS = 20_000


@dataclass
class Server:
    """A running server. ``address`` is where it listens."""

    app: Flask
    address: tuple[str, int]
    _inner: Any
    _thread: Thread

    def close(self) -> None:
        """Stop answering: streams first, since each holds a thread."""
        live_of(self.app).close()
        self._inner.task_dispatcher.shutdown(timeout=5)
        # Files that a browser has not taken to its end would stay open: ``close_all`` knows nothing of them.
        for channel in list(self._inner.active_channels.values()):
            channel.handle_close()
        # All sockets, also the kept-alive ones: a browser must not go on talking to a server without threads.
        wasyncore.close_all(self._inner._map, ignore_all=True)
        self._thread.join(timeout=10)


def serve(app: Flask, host: str = "0.0.0.0", port: int = 8000) -> Server:
    """Answer requests from a thread of this process. ``port`` 0 takes a free one. OSError when it is taken, or
    the host is none of this machine's."""
    watched: dict[int, Any] = {}
    try:
        inner = _listen(app, watched, host, port)
    except ValueError as error:  # waitress' own, of a host that has no address
        raise OSError(errno.EADDRNOTAVAIL, "there is no such host") from error
    except OSError:
        for dispatcher in list(watched.values()):  # what waitress had opened before the port was refused
            dispatcher.close()
        raise
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # the kernel gives up peers that no longer answer, so threads come back
        inner.adj.socket_options = [*inner.adj.socket_options, (socket.SOL_TCP, socket.TCP_USER_TIMEOUT, DEAD_PEER_MS)]
    thread = Thread(target=_run, args=(inner,), name="web-server", daemon=True)
    thread.start()
    return Server(app, (str(inner.effective_host), int(inner.effective_port)), inner, thread)


def _listen(app: Flask, watched: dict[int, Any], host: str, port: int) -> Any:
    return create_server(
        app,
        map=watched,
        host=host,
        port=port,
        threads=THREADS,
        connection_limit=CONNECTIONS,
        channel_timeout=CHANNEL_TIMEOUT_S,
        cleanup_interval=5,
        ident="companion",
        clear_untrusted_proxy_headers=True,
    )


def _run(inner: Any) -> None:
    try:
        inner.run()
    except OSError:
        return  # closed while it waited for requests
