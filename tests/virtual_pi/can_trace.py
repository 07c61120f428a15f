"""Whether a process may trace its child here: that is how a User-Mode Linux runs its programs, and some containers
forbid it. Exit status 0 when it may; else 1, with the reason.

usage: python tests/virtual_pi/can_trace.py
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys

PTRACE_TRACEME = 0


def why_not() -> str | None:
    """What the kernel says against it, or None."""
    libc = ctypes.CDLL(None, use_errno=True)
    child = os.fork()
    if child == 0:
        if libc.ptrace(PTRACE_TRACEME, 0, None, None) != 0:
            os._exit(ctypes.get_errno())
        os.kill(os.getpid(), signal.SIGTRAP)  # a traced process stops here, any other dies
        os._exit(0)
    _pid, status = os.waitpid(child, os.WUNTRACED)
    if os.WIFSTOPPED(status):
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        return None
    return os.strerror(os.WEXITSTATUS(status)) if os.WIFEXITED(status) else "traced processes do not stop"


if __name__ == "__main__":
    sys.exit(why_not())
