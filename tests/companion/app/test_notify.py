"""sd_notify over a real socket."""

from __future__ import annotations

import os
import socket

import pytest

from companion.app.notify import notify, watchdog_s


@pytest.mark.parametrize("abstract", [False, True])
def test_a_message_arrives(tmp_path, abstract):
    name = f"@companion-test-{os.getpid()}" if abstract else str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind("\0" + name[1:] if abstract else name)
        manager.settimeout(2)
        assert notify("STATUS=Gäste am Tisch", {"NOTIFY_SOCKET": name})
        assert manager.recv(200).decode() == "STATUS=Gäste am Tisch"


def test_without_a_manager_nothing_happens(tmp_path):
    assert not notify("READY=1", {})
    assert not notify("READY=1", {"NOTIFY_SOCKET": str(tmp_path / "nobody")})
    assert not notify("READY=1", {"NOTIFY_SOCKET": "vsock:2:1"})


@pytest.mark.parametrize(
    ("environment", "seconds"),
    [
        ({}, None),
        ({"WATCHDOG_USEC": "30000000"}, 10),
        ({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": str(os.getpid())}, 10),
        ({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "1"}, None),
        ({"WATCHDOG_USEC": "0"}, None),
        ({"WATCHDOG_USEC": "soon"}, None),
    ],
)
def test_the_watchdog_is_fed_in_time(environment, seconds):
    assert watchdog_s(environment) == seconds
