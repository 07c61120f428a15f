"""A table on a real server, and real browsers to look at it with."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from browser import missing, required
from playing import PIN, settings

from web import create_app, serve
from web.server import Server

REASON = missing()
MARKS = [
    pytest.mark.browser,
    pytest.mark.skipif(REASON is not None and not required(), reason=REASON or ""),
]
"""Of every module that needs a browser."""
LONGEST_MS = 60_000
"""So long a browser on a busy machine may take for anything; nothing that is right takes it."""
SIZES = {"tv": (1920, 1080), "tv720": (1280, 720), "phone": (390, 844), "wide": (844, 390)}


@dataclass
class Room:
    """``open`` gives a page in a browser of its own; ``playing`` makes the moves of the game, where there is one."""

    table: Any
    server: Server
    browser: Any
    playing: Any = None
    contexts: list[Any] = field(default_factory=list)

    @property
    def state(self) -> Any:
        return self.table.snapshot().state

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.address[1]}"

    def open(self, path: str, size: str = "phone", *, paired: bool = True, scripts: bool = True, **more: Any) -> Any:
        width, height = SIZES[size]
        context = self.browser.new_context(
            viewport={"width": width, "height": height}, java_script_enabled=scripts, locale="en-GB", **more
        )
        self.contexts.append(context)
        context.set_default_timeout(LONGEST_MS)
        page = context.new_page()
        if paired:
            page.request.post(f"{self.url}/pair", form={"pin": PIN})
        page.goto(f"{self.url}{path}")
        return page


def shows(locator: Any, text: str) -> None:
    """Wait until exactly this is shown."""
    from playwright.sync_api import expect  # not everybody who runs other tests has it

    expect(locator).to_have_text(text, timeout=LONGEST_MS, use_inner_text=True)


def until(page: Any, condition: str) -> None:
    """Wait until a JavaScript expression is true. (playwright's own way needs ``eval``, which our pages forbid.)"""
    page.evaluate(
        f"""new Promise((done, fail) => {{
            const began = performance.now();
            const look = () => {{
                if ({condition}) done(true);
                else if (performance.now() - began > {LONGEST_MS}) fail(new Error('waited too long'));
                else setTimeout(look, 20);
            }};
            look();
        }})"""
    )


@contextmanager
def room_of(table: Any, browser: Any, playing: Any = None, **changes: Any) -> Iterator[Room]:
    """A server over a table, and no browsers in it yet; all of them leave before it closes."""
    server = serve(create_app(table, settings(heartbeat_s=2.0, **changes)), "127.0.0.1", 0)
    found = Room(table, server, browser, playing)
    try:
        yield found
    finally:
        for context in found.contexts:
            context.close()
        found.server.close()
