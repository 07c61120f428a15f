"""What the web part has to be told: secrets, names it answers to, limits, and the clock it measures by."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from companion.deck import Deck


@dataclass(frozen=True, kw_only=True)
class Settings:
    """All that ``create_app`` needs besides the table.

    ``secret`` signs cookies and must survive a restart, or every phone has to pair again; ``pin`` is what people
    type to pair. ``address`` tells what the QR code says at the moment (a phone often cannot resolve a ``.local``
    name, so it gives the IP), "" where that is not known; ``names`` are the host names this machine is known by,
    besides any IP and ``localhost``.
    """

    secret: str
    pin: str
    address: Callable[[], str] = lambda: ""
    names: tuple[str, ...] = ("companion.local",)
    game: str = "hook"
    """The game that the pages invite to while none is on the table."""
    theme: str = "dark"
    language: str | None = None
    streams: int = 40
    heartbeat_s: float = 8.0
    render_gap_s: float = 0.1
    """Fragments are drawn at most this often, however fast the table changes."""
    clock: Callable[[], int] = time.monotonic_ns
    decks: dict[str, Callable[[], Deck]] = field(default_factory=dict)
    """The decks a new match may choose from, by name, loaded when they are needed; the first one is the default."""
