"""What the service manager is told, and when no longer."""

from __future__ import annotations

import threading
from types import SimpleNamespace
from typing import Any

import pytest

from companion.app import run
from companion.app.program import ProgramError


def test_an_address_that_changes_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    said: list[str] = []
    ending = threading.Event()
    addresses = ["http://127.0.0.1:8080/", "http://10.9.8.7:8080/", "http://10.9.8.7:8080/"]
    monkeypatch.setattr(run, "notify", told.append)
    monkeypatch.setattr(run, "TICK_S", 0.0)
    camera = SimpleNamespace(camera="none", sentence=None)
    program: Any = SimpleNamespace(address="", local_address="http://127.0.0.1:8080/")

    def settle() -> bool:
        program.address = addresses.pop(0)
        if not addresses:
            ending.set()
        return True

    program.table = SimpleNamespace(settle=settle, snapshot=lambda: SimpleNamespace(camera=camera))
    run._watch(program, SimpleNamespace(lights=None), ending, lambda text: said.append(str(text)))  # type: ignore[arg-type]
    assert [line for line in told if line.startswith("STATUS")] == [
        "STATUS=http://127.0.0.1:8080/",
        "STATUS=http://10.9.8.7:8080/",
    ]
    assert said == ["The table is on http://10.9.8.7:8080/  (on this machine: http://127.0.0.1:8080/)"]


def test_a_table_that_works_no_more_ends_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """Then the service is started anew, which a sign of life would keep from happening."""
    told: list[str] = []
    monkeypatch.setattr(run, "notify", told.append)
    monkeypatch.setattr(run, "TICK_S", 0.0)
    monkeypatch.setenv("WATCHDOG_USEC", "1")
    program: Any = SimpleNamespace(table=SimpleNamespace(settle=lambda: False))
    panel: Any = SimpleNamespace(lights=None)
    with pytest.raises(ProgramError, match="has stopped working"):
        run._watch(program, panel, threading.Event(), lambda _text: None)
    assert not told
