"""A round on the simulated table, from rendered frames to the browser: read, aimed, put right, recounted, undone.

Frames go through the real vision and the real watcher in lockstep; what the pages show is compared with the truth
that the simulated players keep.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from browser import chromium, missing, required
from playing import PIN, settings

from companion.app.games import kits, load
from companion.deck import Deck
from companion.games.hook.deck_rules import parrots_printed
from companion.games.hook.names import COVERS, seat_name
from companion.games.hook.script import RoundScript, Script
from companion.table import Table
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.conditions import EASY
from vision import catalog
from vision.pipeline import Pipeline
from web import create_app, serve

REASON = missing()
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(REASON is not None and not required(), reason=REASON or ""),
]
SEATS = ("red-pirate", "blue-sailor", "yellow-pirate")


@dataclass(frozen=True)
class Story:
    """A round in which ``shooter`` has one Black Pirate and no parrot, and ``victim`` is not covered."""

    seed: int
    round: RoundScript
    shooter: str
    hole: int
    victim: str

    @property
    def symbols(self) -> dict[str, tuple[str, ...]]:
        return {p.seat: p.symbols for p in self.round.placements}

    def hits(self, black: int) -> int:
        """The victim's cannonballs after the round, counted by hand: all who aim at them, less the rum."""
        aimed = sum(symbols.count(self.victim) for symbols in self.symbols.values())
        return aimed + black - self.symbols[self.victim].count("rum")


def story_of(deck: Deck, seed: int) -> Story | None:
    """The story of a seed, if its first round is one: legal, without a bomb, and as the test needs it."""
    one = Script(deck, SEATS, EASY, seed).round(1)
    symbols = {p.seat: p.symbols for p in one.placements}
    if one.mistakes or one.missing or len(one.placements) != len(SEATS) or len(symbols) != len(SEATS):
        return None
    if any(p.faults or p.obliged or p.moved or "bomb" in p.symbols for p in one.placements):
        return None
    shooters = [seat for seat in SEATS if "black-pirate" in symbols[seat]]
    if len(shooters) != 1 or symbols[shooters[0]].count("black-pirate") != 1 or "parrot" in symbols[shooters[0]]:
        return None
    for victim in SEATS:
        story = Story(seed, one, shooters[0], symbols[shooters[0]].index("black-pirate"), victim)
        if victim != shooters[0] and not COVERS & set(symbols[victim]) and story.hits(0) >= 0:
            return story
    return None


@pytest.fixture(scope="module")
def deck() -> Deck:
    return load("hook", None)


@pytest.fixture
def table(deck: Deck, tmp_path: Path) -> Iterator[Table]:
    found = Table(tmp_path / "journal.db", kits(deck), tmp_path / "pictures")
    found.start()
    yield found
    found.stop()


def watch(table: Table, deck: Deck, story: Story) -> None:
    """Let the camera see the whole round, frame by frame."""
    camera = SimulatedCamera(deck, EASY, story.seed)
    pipeline = Pipeline(catalog.build(deck))
    for keyframe in story.round.frames:
        if keyframe.what == "taken back":
            break
        frame = camera.look(keyframe.pose, keyframe.t_ns)
        table.see(pipeline.step(frame), frame.jpeg)
        table.settle()


def test_a_round_from_frames_to_the_browser(table: Table, deck: Deck) -> None:
    from playwright.sync_api import expect

    assert REASON is None, REASON
    story = next(found for seed in count(1) if (found := story_of(deck, seed)))
    server = serve(create_app(table, settings(heartbeat_s=2.0, decks={deck.name: lambda: deck})), "127.0.0.1", 0)
    url = f"http://127.0.0.1:{server.address[1]}"
    try:
        with chromium() as browser:
            phone = browser.new_page(viewport={"width": 390, "height": 844}, locale="en-GB")
            tv = browser.new_page(viewport={"width": 1920, "height": 1080}, locale="en-GB")
            for page in (phone, tv):
                page.set_default_timeout(30_000)

            phone.request.post(f"{url}/pair", form={"pin": PIN})
            phone.goto(f"{url}/setup")
            for place, seat in enumerate(SEATS, 1):
                phone.select_option(f'[name="seat-{place}"]', seat)
                phone.fill(f'[name="name-{place}"]', f"Player {place}")
            phone.click("text=Start the game")
            tv.goto(f"{url}/tv")

            watch(table, deck, story)
            for seat, symbols in story.symbols.items():  # what was read is what lies there
                seen = tv.locator(f'[data-part="seat-{seat}"] .peep use')
                expect(seen).to_have_count(3, timeout=30_000)
                assert [use.get_attribute("href") for use in seen.all()] == [f"#a-{name}" for name in symbols]
            expect(tv.locator(".view img")).to_have_count(1)

            def hits(seat: str) -> Any:
                return tv.locator(f'[data-part="seat-{seat}"] .number.balls b')

            def parrots(seat: str) -> Any:
                return tv.locator(f'[data-part="seat-{seat}"] .number.parrots b')

            # the one question that no camera can spare: whom does the Black Pirate hit?
            expect(phone.locator(".doubt")).to_have_count(1)
            expect(phone.locator(".doubt-question")).to_contain_text("whom does your Black Pirate hit?")
            phone.click(f'.doubt button:has-text("{seat_name(story.victim)}")')
            expect(phone.locator(".doubt")).to_have_count(0)
            expect(hits(story.victim)).to_have_text(str(story.hits(1)))
            expect(parrots(story.shooter)).to_have_text("0")

            # it was a parrot after all: the hit is gone, and the card is won with all its parrots
            placement = table.snapshot().state.now.placement_of(story.shooter)
            phone.goto(f"{url}/round/1/{placement.id}/{story.hole}")
            phone.click('section:has-text("Choose the symbol") button:has-text("Parrot")')
            expect(hits(story.victim)).to_have_text(str(story.hits(0)))
            printed = parrots_printed(deck)[placement.card]
            expect(parrots(story.shooter)).to_have_text(str(printed))

            # recount, undo
            phone.goto(f"{url}/recount")
            phone.fill(f'[name="balls-{story.victim}"]', "6")
            phone.click("text=That is how it lies")
            expect(hits(story.victim)).to_have_text("6")
            phone.click('.main-actions button:has-text("Undo")')
            expect(hits(story.victim)).to_have_text(str(story.hits(0)))
    finally:
        server.close()
