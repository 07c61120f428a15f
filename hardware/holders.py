"""Who holds a device: the sentence "in use" is only of help with a name."""

from __future__ import annotations

from pathlib import Path


def holder(device: str, proc: Path = Path("/proc")) -> str | None:
    """The name and number of another process that has ``device`` open; None where none is found (or may be seen)."""
    try:
        wanted = Path(device).resolve()
        processes = [entry for entry in proc.iterdir() if entry.name.isdigit()]
    except OSError:
        return None
    own = (proc / "self").resolve()
    for process in processes:
        if process == own:
            continue
        try:
            if any(handle.resolve() == wanted for handle in (process / "fd").iterdir()):
                return f"{(process / 'comm').read_text(encoding='utf-8', errors='replace').strip()} ({process.name})"
        except OSError:  # it has ended, or is somebody else's
            continue
    return None
