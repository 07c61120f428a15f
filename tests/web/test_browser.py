"""The pages in a real browser: a round played and put right by tapping, live updates, accessibility, no scrolling."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playing import SIX, THREE, Playing, settings
from rooms import MARKS, SIZES, Room, room_of, shows, until

from web import create_app, serve

pytestmark = MARKS


@pytest.fixture
def room(playing: Playing, browser: Any) -> Iterator[Room]:
    with room_of(playing.table, browser, playing) as room:
        yield room


def hits(page: Any, seat: str) -> Any:
    return page.locator(f'[data-part="seat-{seat}"] .number.balls b')


def parrots(page: Any, seat: str) -> Any:
    return page.locator(f'[data-part="seat-{seat}"] .number.parrots b')


def test_set_up_play_a_round_and_put_it_right(room: Room) -> None:
    phone = room.open("/setup")
    for place, (seat, name) in enumerate(THREE, 1):
        phone.select_option(f'[name="seat-{place}"]', seat)
        phone.fill(f'[name="name-{place}"]', name)
    phone.click("text=Start the game")
    tv = room.open("/tv", "tv", paired=False)
    shows(tv.locator('[data-part="seat-blue-sailor"] .name'), "Ben")

    # what the camera reads, one hole of it unsure
    ranked = ((("barrel", 0.55), ("bird-cage", 0.45)),)
    room.playing.place("red-pirate", "parrot", "blue-sailor", "blue-sailor")
    room.playing.place("blue-sailor", "barrel", unsure=(0,), ranked=ranked)
    room.playing.place("yellow-pirate", "red-pirate")
    phone.click('.doubt button:has-text("Bird cage")')
    shows(tv.locator('[data-part="seat-blue-sailor"] .badge-cover'), "Covered")
    shows(hits(tv, "blue-sailor"), "0")
    shows(hits(tv, "red-pirate"), "1")
    until(phone, "!document.querySelector('.doubt')")
    before = int(parrots(tv, "red-pirate").inner_text())
    assert before > 0

    # one symbol was wrong: not a bird cage, and no parrot
    phone.click('[data-part="seat-blue-sailor"] .number.balls')
    phone.click("text=Correct a reading of this round >> nth=0")
    placement = room.state.now.placement_of("blue-sailor")
    assert placement
    phone.click(f'a[href="/round/1/{placement.id}/0"]')
    phone.click('button:has-text("Bottle of rum")')
    shows(hits(tv, "blue-sailor"), "1")  # two hits, one of them drunk away
    phone.goto(f"{room.url}/round/1")
    placement = room.state.now.placement_of("red-pirate")
    assert placement
    phone.click(f'a[href="/round/1/{placement.id}/0"]')
    phone.click('section:has-text("Choose the symbol") button:has-text("Nothing")')
    shows(parrots(tv, "red-pirate"), "0")

    # recount, and take it back
    phone.goto(f"{room.url}/recount")
    phone.fill('[name="balls-yellow-pirate"]', "7")
    phone.click("text=That is how it lies")
    shows(hits(tv, "yellow-pirate"), "7")
    phone.click('.main-actions button:has-text("Undo")')
    shows(hits(tv, "yellow-pirate"), "0")
    phone.click('.main-actions button:has-text("Redo")')
    shows(hits(tv, "yellow-pirate"), "7")

    phone.click("text=Next round")
    shows(tv.locator(".round-name b"), "2")
    shows(tv.locator(".has-compass .name"), "Ben")


def test_a_tile_is_entered_by_tapping(room: Room) -> None:
    room.playing.start()
    phone = room.open("/")
    phone.click("text=Enter a tile")
    phone.click(".choices >> text=Anna")
    phone.check('[name="hole-0"][value="bomb"]')
    phone.check('[name="hole-2"][value="parrot"]')
    phone.click("text=Put the tile down")
    phone.wait_for_url(f"{room.url}/")
    placement = room.state.now.placement_of("red-pirate")
    assert placement and placement.symbols == ("bomb", "none", "parrot")


def test_everything_works_without_scripts(room: Room) -> None:
    room.playing.start()
    room.playing.place("red-pirate", "bird-cage", unsure=(0,), ranked=((("bird-cage", 0.6), ("barrel", 0.4)),))
    phone = room.open("/", scripts=False)
    phone.click('.doubt button:has-text("Barrel")')
    phone.wait_for_url(f"{room.url}/")
    placement = room.state.now.placement_of("red-pirate")
    assert placement and placement.symbols[0] == "barrel"
    phone.click('.main-actions button:has-text("Undo")')
    assert room.playing.table.snapshot().doubts


def test_what_is_held_is_not_swapped_away(room: Room) -> None:
    room.playing.start()
    room.playing.place("red-pirate", "bird-cage", unsure=(0,))
    phone = room.open("/")
    until(phone, "document.body.dataset.drawn")
    button = phone.locator(".doubt .answer").first
    box = button.bounding_box()
    phone.mouse.move(box["x"] + 5, box["y"] + 5)
    phone.mouse.down()  # a finger is on the answer when somebody else answers
    room.playing.answer("rum")
    version = room.playing.table.snapshot().version
    until(phone, f"Number(document.body.dataset.drawn) >= {version}")
    assert phone.locator(".doubt").count() == 1
    phone.mouse.move(2, 2)
    phone.mouse.up()
    until(phone, "!document.querySelector('.doubt')")


def test_later_folds_a_doubt_and_keeps_it(room: Room) -> None:
    room.playing.start()
    room.playing.place("red-pirate", "bird-cage", unsure=(0,))
    phone = room.open("/")
    until(phone, "document.body.dataset.drawn")
    phone.click(".doubt .later")
    phone.locator(".doubt .answer").first.wait_for(state="hidden")
    room.playing.place("blue-sailor", "rum")
    version = room.playing.table.snapshot().version
    until(phone, f"Number(document.body.dataset.drawn) >= {version}")
    assert not phone.locator(".doubt .answer").first.is_visible()
    phone.click(".doubt .later")
    phone.locator(".doubt .answer").first.wait_for(state="visible")


def test_a_stale_page_says_so_and_catches_up(room: Room) -> None:
    room.playing.start()
    page = room.open("/", paired=False)
    until(page, "document.body.dataset.drawn")
    context = room.contexts[-1]
    context.set_offline(True)
    port = room.server.address[1]
    room.server.close()
    until(page, "document.documentElement.classList.contains('is-stale')")
    assert "This page is behind" in page.inner_text("#stale")
    context.set_offline(False)
    room.playing.place("red-pirate", "rum")
    room.server = serve(create_app(room.playing.table, settings(heartbeat_s=2.0)), "127.0.0.1", port)
    until(page, "!document.documentElement.classList.contains('is-stale')")
    until(page, """document.querySelector('[data-part="seat-red-pirate"] .peep svg')""")


def test_the_starting_signal_is_heard_on_the_tv_after_a_tap(room: Room) -> None:
    room.playing.start()
    tv = room.open("/tv", "tv", paired=False)
    until(tv, "document.body.dataset.drawn")
    tv.mouse.click(5, 5)
    until(tv, "document.querySelector('#sound').getAttribute('aria-pressed') === 'true'")
    room.playing.round(red_pirate=["rum"], blue_sailor=["rum"], yellow_pirate=["rum"])
    until(tv, "document.body.dataset.played === 'start'")


def test_another_address_is_shown_without_reloading(playing: Playing, browser: Any) -> None:
    now = ["http://127.0.0.1:8080/"]
    with room_of(playing.table, browser, playing, address=lambda: now[0]) as room:
        tv = room.open("/tv", "tv", paired=False)
        shows(tv.locator(".join span >> nth=0"), "127.0.0.1:8080")
        tv.evaluate("document.body.dataset.same = 'page'")
        now[0] = "http://10.9.8.7:8080/"
        shows(tv.locator(".join span >> nth=0"), "10.9.8.7:8080")
        assert tv.evaluate("document.body.dataset.same") == "page"


def test_another_build_reloads_the_page(room: Room) -> None:
    room.playing.start()
    page = room.open("/", paired=False)
    until(page, "document.body.dataset.drawn")
    page.evaluate("document.body.dataset.build = 'older'")
    with page.expect_navigation():
        room.playing.place("red-pirate", "rum")


def fill(playing: Playing) -> None:
    """Six players, long names, a doubt, somebody out."""
    names = ["Maximiliane-Josephine von Donau", "Bartholomäus", "Chloé", "Davy", "Abdurrahmanoğlu", "Jo"]
    playing.start([(seat, name) for (seat, _old), name in zip(SIX, names, strict=True)])
    for seat, _name in SIX:
        playing.place(seat, "bomb" if seat == "red-sailor" else "parrot")
    playing.recount(balls={"red-sailor": 9, "red-pirate": 4})
    playing.next()
    playing.place("red-pirate", "bird-cage", unsure=(0,), ranked=((("bird-cage", 0.6), ("barrel", 0.4)),))
    playing.place("blue-pirate", "barrel", "red-pirate")


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("size", SIZES)
def test_nothing_overflows(room: Room, size: str, language: str) -> None:
    fill(room.playing)
    page = room.open(f"{'/tv' if size.startswith('tv') else '/'}?lang={language}", size)
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0
    if size.startswith("tv"):
        high = page.evaluate("document.documentElement.scrollHeight - document.documentElement.clientHeight")
        assert high <= 0
        panels = page.evaluate(
            """[...document.querySelectorAll('.seat')].map(panel => {
                const box = panel.getBoundingClientRect();
                return [...panel.querySelectorAll('.name, .number, .track, .won, .peep')].every(part => {
                    const inner = part.getBoundingClientRect();
                    return inner.bottom <= box.bottom + 1 && inner.right <= box.right + 1 && inner.left >= box.left - 1;
                }) && box.bottom <= innerHeight;
            })"""
        )
        assert panels == [True] * 6
    else:
        small = page.evaluate(
            """[...document.querySelectorAll('button, .button, .chip, .number, .track')]
                .filter(b => b.offsetParent && b.getBoundingClientRect().height < 44).map(b => b.className)"""
        )
        assert small == []


def test_sizes_on_the_tv_can_be_read_from_three_metres(room: Room) -> None:
    fill(room.playing)
    page = room.open("/tv", "tv")

    def size(selector: str) -> float:
        return float(page.evaluate(f"parseFloat(getComputedStyle(document.querySelector('{selector}')).fontSize)"))

    assert size(".number.balls b") >= 96
    assert size(".number.parrots b") >= 96
    assert size('[data-part="seat-blue-pirate"] .name') >= 40
    assert size(".lines li") >= 28


PATHS = ("/", "/tv", "/setup", "/pair", "/recount", "/history", "/round/2", "/place/blue-sailor", "/why/red-pirate")


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_no_serious_accessibility_fault(room: Room, theme: str) -> None:
    from axe_playwright_python.sync_playwright import Axe

    fill(room.playing)
    page = room.open("/pair", "phone", reduced_motion="reduce")
    bad = []
    for path in PATHS:
        page.goto(f"{room.url}{path}?theme={theme}")
        violations = Axe().run(page).response["violations"]
        serious = [v for v in violations if v["impact"] in {"serious", "critical"}]
        bad += [(path, v["id"], [node["html"][:160] for node in v["nodes"]]) for v in serious]
    assert not bad, bad
