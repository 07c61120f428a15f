"""One thread that owns the match: scenes, presses and commands go in by mailboxes, snapshots come out.

``Table`` is the whole interface; ``companion.table.api`` has the plain data it gives and takes, and
``companion.table.commands`` the commands that every game shares.
"""

from companion.table.api import About, ButtonLine, CameraStatus, GameKit, MatchLine, Note, Pulse, Reply, Snapshot, View
from companion.table.commands import EndMatch, OpenMatch, StartMatch, decode
from companion.table.subscription import Subscription
from companion.table.table import Table

__all__ = [
    "About",
    "ButtonLine",
    "CameraStatus",
    "EndMatch",
    "GameKit",
    "MatchLine",
    "Note",
    "OpenMatch",
    "Pulse",
    "Reply",
    "Snapshot",
    "StartMatch",
    "Subscription",
    "Table",
    "View",
    "decode",
]
