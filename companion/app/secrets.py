"""The PIN that people type to pair, and the secret that signs their cookies: made once, kept beside the journal."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from pathlib import Path

PIN_DIGITS = 4


def secret(folder: Path) -> str:
    """The secret that signs cookies; survives restarts, so that no phone has to pair again."""
    return _kept(folder / "secret", lambda: secrets.token_hex(32))


def pin(folder: Path) -> str:
    """The PIN that the TV shows, the same after a restart."""
    return _kept(folder / "pin", lambda: "".join(secrets.choice("0123456789") for _ in range(PIN_DIGITS)))


def _kept(path: Path, make: Callable[[], str]) -> str:
    """The content of a file that only we may read; made first if it is missing or came back empty."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        found = path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        found = ""
    if found:
        return found
    made = make()
    draft = path.with_suffix(".new")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(made)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
    return made
