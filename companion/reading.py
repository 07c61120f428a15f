"""Files that people wrote, and what can be wrong with reading them, in words for people."""

from __future__ import annotations

import os
import pwd
import tomllib
from pathlib import Path
from typing import Any


def toml(text: str) -> dict[str, Any]:
    """As ``tomllib.loads``, but whatever is wrong is a TOMLDecodeError: numbers and brackets without end are, too."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except ValueError:
        raise tomllib.TOMLDecodeError("A number has thousands of digits") from None
    except RecursionError:
        raise tomllib.TOMLDecodeError("Hundreds of brackets stand within one another") from None


def is_folder(path: Path) -> bool:
    """Whether this is a folder; no also where this user may not look."""
    try:
        return path.is_dir()
    except OSError:
        return False


def refusal(path: Path) -> str:
    """Who may not read what, where reading ``path`` was refused: the first shut folder on the way, or the file."""
    for folder in reversed(path.absolute().parents):
        if not os.access(folder, os.X_OK, effective_ids=True):
            return f"the user {_user()} may not look into {folder}"
    return f"the user {_user()} may not read it"


def _user() -> str:
    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:  # nobody has given it a name
        return str(os.geteuid())
