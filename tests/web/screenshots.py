"""Draws the pictures of the pages in docs/screenshots: ``python -m tests.web.screenshots [--all FOLDER]``.

Without arguments those that the README shows; with ``--all FOLDER`` every size, theme, language and situation that
has to be looked at before a page is called done.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent / "support"))

import hooked_states
from browser import chromium
from playing import PIN, settings
from situations import SITUATIONS, Stage

from web import create_app, serve

ROOT = Path(__file__).parents[2]
SIZES = {"tv": (1920, 1080), "tv720": (1280, 720), "phone": (390, 844), "wide": (844, 390)}
README = [
    ("tv", "six", "/tv", (1920, 1080), "dark", "en"),
    ("tv-de", "six", "/tv", (1920, 1080), "light", "de"),
    ("tv-question", "doubt", "/tv", (1920, 1080), "dark", "en"),
    ("tv-end", "finish", "/tv", (1920, 1080), "dark", "en"),
    ("phone", "doubt", "/", (390, 844), "dark", "en"),
    ("phone-de", "doubt", "/", (390, 844), "light", "de"),
    ("phone-correct", "hole", "", (390, 844), "dark", "en"),
    ("hooked-tv", "hooked-six", "/tv", (1920, 1080), "dark", "en"),
    ("hooked-tv-de", "hooked-tied", "/tv", (1920, 1080), "light", "de"),
    ("hooked-tv-wrong", "hooked-wrong", "/tv", (1920, 1080), "dark", "en"),
    ("hooked-tv-locked", "hooked-locked", "/tv", (1920, 1080), "dark", "en"),
    ("hooked-tv-out", "hooked-out", "/tv", (1920, 1080), "light", "en"),
    ("hooked-phone", "hooked-six", "/", (390, 844), "dark", "en"),
    ("hooked-phone-de", "hooked-three", "/", (390, 844), "light", "de"),
    ("hooked-phone-correct", "hooked-tied", "/hooked/slap/4", (390, 844), "dark", "en"),
]


def address() -> str:
    """What the TV says, wherever the screenshots are made."""
    return "http://192.168.1.20:8000"


@contextmanager
def served(situation: str) -> Iterator[tuple[Stage | None, str]]:
    """A situation on a real server; yields the stage and its address."""
    if situation in hooked_states.situations():
        table = hooked_states.Shown(hooked_states.situations()[situation])
        server = serve(
            create_app(table, settings(heartbeat_s=5.0, game="hooked", decks=hooked_states.decks(), address=address)),
            "127.0.0.1",
            0,
        )
        try:
            yield None, f"http://127.0.0.1:{server.address[1]}"
        finally:
            server.close()
        return
    with tempfile.TemporaryDirectory() as folder:
        stage = Stage(Path(folder))
        SITUATIONS[situation](stage)
        app = create_app(stage.table, settings(heartbeat_s=5.0, decks=stage.decks, address=address))
        server = serve(app, "127.0.0.1", 0)
        try:
            yield stage, f"http://127.0.0.1:{server.address[1]}"
        finally:
            server.close()
            stage.stop()


def shoot(browser: Any, jobs: list[tuple[str, str, str, tuple[int, int], str, str]], out: Path) -> None:
    """Take pictures, one server a situation."""
    out.mkdir(parents=True, exist_ok=True)
    for situation in dict.fromkeys(job[1] for job in jobs):
        with served(situation) as (stage, url):
            for name, _situation, path, (width, height), theme, language in (j for j in jobs if j[1] == situation):
                phone = width < 1000
                context = browser.new_context(
                    viewport={"width": width, "height": height},
                    device_scale_factor=2 if phone and out.name == "screenshots" else 1,
                    reduced_motion="reduce",
                )
                page = context.new_page()
                if path != "/tv" and not path.startswith("/pair"):
                    page.request.post(f"{url}/pair", form={"pin": PIN})
                where = path or (stage.path if stage else "/")
                page.goto(f"{url}{where}{'&' if '?' in where else '?'}lang={language}&theme={theme}")
                page.wait_for_load_state("load")
                page.screenshot(path=str(out / f"{name}.png"), full_page=path.endswith("#full") or False)
                context.close()
                sys.stdout.write(f"{out / name}.png\n")


def everything() -> list[tuple[str, str, str, tuple[int, int], str, str]]:
    """Every page to be looked at."""
    jobs = []
    for situation in (*SITUATIONS, *hooked_states.situations()):
        for size, (width, height) in SIZES.items():
            path = "/tv" if size.startswith("tv") else "/"
            for theme, language in (("dark", "en"), ("light", "de")):
                jobs.append(
                    (f"{situation}-{size}-{theme}-{language}", situation, path, (width, height), theme, language)
                )
    return jobs


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--all", type=Path, metavar="FOLDER")
    parser.add_argument("--only", default="", help="only names that contain this")
    given = parser.parse_args()
    jobs = everything() if given.all else README
    jobs = [job for job in jobs if given.only in job[0]]
    start: Callable[[], Any] = chromium
    with start() as browser:
        shoot(browser, jobs, given.all or ROOT / "docs" / "screenshots")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
