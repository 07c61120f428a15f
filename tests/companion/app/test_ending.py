"""SIGTERM and Ctrl-C, also at the worst moment."""

from __future__ import annotations

import subprocess
import sys

import pytest

PATIENCE_S = 60
CHILD = """
import signal
from companion.app.ending import told_to_end

ending = told_to_end()
with ending._cond:  # as while it is waited for, or set by an earlier signal
    signal.raise_signal(signal.{number})
    signal.raise_signal(signal.{number})
ending.wait()
"""


@pytest.mark.parametrize("number", ["SIGINT", "SIGTERM"])
def test_a_signal_in_the_middle_of_waiting_or_of_another_signal_is_heard(number: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", CHILD.format(number=number)], timeout=PATIENCE_S, check=False, capture_output=True
    )
    assert (done.returncode, done.stderr) == (0, b"")
