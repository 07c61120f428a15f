"""How the interpreter is set up so that a slap never waits long for something else that the program is doing."""

from __future__ import annotations

import gc
import sys

SWITCH_S = 0.0005
"""A thread that waits for the interpreter gets it after so long: a page is drawn a little later, a slap is not. The
interpreter's own 5 ms are waited for again after every statement to the database."""


def prompt() -> None:
    """Call it when everything has been started, before play begins."""
    sys.setswitchinterval(SWITCH_S)
    # What has been imported and made so far stays. Looked through with everything else it would halt all threads for
    # tens of milliseconds whenever the collector makes its full round.
    gc.collect()
    gc.freeze()
