"""Debian's chromium by way of playwright, or the reason why there is none."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

CHROMIUM = Path(os.environ.get("CHROMIUM", "/usr/bin/chromium"))
ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]


def missing() -> str | None:
    """Why no browser can be driven here; None when one can."""
    try:
        import playwright.sync_api  # noqa: F401
    except ImportError:
        return "playwright is not installed (pip install -e .[dev])"
    if not CHROMIUM.exists():
        return f"{CHROMIUM} is missing (apt-get install chromium, or set CHROMIUM)"
    return None


def required() -> bool:
    """Whether a missing browser is a failure rather than a reason to skip."""
    return os.environ.get("CI") == "true" or os.environ.get("REQUIRE_BROWSER") == "1"


@contextmanager
def chromium() -> Iterator[Any]:
    """A running browser."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=ARGS)
        try:
            yield browser
        finally:
            browser.close()
