"""What the service manager is told, and when no longer."""

from __future__ import annotations

import threading
from types import SimpleNamespace
from typing import Any

import pytest

from companion.app import run
from companion.app.program import ProgramError


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
