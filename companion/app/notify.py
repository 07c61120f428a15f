"""What systemd is told: ready, alive, stopping (sd_notify over NOTIFY_SOCKET). Without systemd nothing happens."""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping


def notify(message: str, environment: Mapping[str, str] = os.environ) -> bool:
    """Send ``READY=1``, ``WATCHDOG=1``, ``STATUS=…`` or ``STOPPING=1``; whether somebody was told.

    A service manager that does not listen is no reason to stop.
    """
    address = environment.get("NOTIFY_SOCKET", "")
    if not address.startswith(("/", "@")):
        return False
    if address.startswith("@"):  # an abstract socket
        address = "\0" + address[1:]
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as out:
            out.settimeout(1.0)
            out.sendto(message.encode("utf-8"), address)
    except OSError:
        return False
    return True


def watchdog_s(environment: Mapping[str, str] = os.environ) -> float | None:
    """How often to send ``WATCHDOG=1``: a third of the time that systemd waits. None where it does not watch us."""
    for_us = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
    microseconds = environment.get("WATCHDOG_USEC", "")
    return int(microseconds) / 3e6 if for_us and microseconds.isdecimal() and int(microseconds) > 0 else None
