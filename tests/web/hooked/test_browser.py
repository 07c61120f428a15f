"""Hooked! in a real browser: the photo finish arrives live, a flip is put right by tapping, and nothing overflows."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import hooked_states
import msgspec
import pytest
from angling import Angling
from rooms import MARKS, SIZES, Room, room_of, shows, until

from companion.games.hooked.facts import Pressed

pytestmark = MARKS


@pytest.fixture
def room(angling: Angling, browser: Any) -> Iterator[Room]:
    with room_of(angling.table, browser, game="hooked", decks={}) as room:
        yield room


@pytest.fixture
def shown(browser: Any) -> Iterator[Room]:
    """A table that shows frozen moments."""
    with room_of(hooked_states.Shown(hooked_states.snapshot(None)), browser, game="hooked", decks={}) as room:
        yield room


def stack(page: Any, seat: int) -> Any:
    return page.locator(f'[data-part="seat-seat-{seat}"] .stack b')


def test_a_game_is_set_up_played_and_put_right(room: Room, angling: Angling) -> None:
    phone = room.open("/setup?game=hooked")
    for place, name in enumerate(("Anna", "Ben", "Carla"), 1):
        phone.fill(f'[name="name-{place}"]', name)
    phone.click("text=Start the game")
    tv = room.open("/tv", "tv", paired=False)
    shows(stack(tv, 1), "21")

    # the cards of a box without a deck are called fish-1 ...; #8 and then #8 are twins
    angling.flip("fish-8")
    flip = angling.flip("fish-8")
    shows(tv.locator(".lake-size b"), "2")
    angling.slap("seat-3", 310.0)
    angling.slap("seat-1", 325.0)
    shows(tv.locator(".gap b"), "15")
    shows(tv.locator(".photo-title"), "Carla was first")
    shows(stack(tv, 3), "22")
    assert tv.locator(".tick.did-won .flag-name").inner_text() == "Carla"

    # it was no twin: the right slap becomes a wrong one, and the cards move
    phone.goto(f"{room.url}/")
    phone.click("text=Put it right")
    phone.click(f'a[href="/hooked/flip/{flip}"]')
    phone.click('.card-button[value="fish-1"]')
    shows(tv.locator(".photo-title"), "Wrong slaps")
    shows(stack(tv, 3), "18")
    shows(tv.locator(".lake-size b"), "6")
    shows(tv.locator(".verdict-amended"), "Amended: a card was corrected")

    # and back
    phone.click('.main-actions button:has-text("Undo")')
    shows(stack(tv, 3), "22")
    shows(tv.locator(".photo-title"), "Carla was first")
    until(tv, "!document.querySelector('.verdict-amended')")


def test_a_dead_heat_looks_like_one(room: Room, angling: Angling) -> None:
    angling.start()
    tv = room.open("/tv", "tv", paired=False)
    angling.flip("walleye")
    angling.flip("walleye")
    angling.slap("seat-2", 300.0)
    angling.slap("seat-1", 300.6)
    shows(tv.locator(".photo-title"), "Dead heat!")
    shows(tv.locator(".gap b"), "0.6")
    assert tv.locator(".tick.did-tied").count() == 2
    apart = tv.evaluate(
        """(() => { const [a, b] = [...document.querySelectorAll('.tick.did-tied')]
            .map(one => parseFloat(getComputedStyle(one, '::before').left)); return Math.abs(a - b); })()"""
    )
    assert apart < 8


def test_a_slap_on_the_screen_counts_when_the_finger_comes_down(room: Room, angling: Angling) -> None:
    angling.start()
    phone = room.open("/")
    phone.click("text=Slap on this screen")
    box = phone.locator(".button.slap").nth(1).bounding_box()
    phone.mouse.move(box["x"] + 10, box["y"] + 10)
    phone.mouse.down()

    def levels() -> list[int]:
        facts = [entry.fact for entry in angling.table.snapshot().facts]
        return [fact.level for fact in facts if isinstance(fact, Pressed) and fact.seat == "seat-2"]

    wait(phone, lambda: levels() == [1])
    assert phone.locator("#slaps").get_attribute("open") is not None
    phone.mouse.up()
    wait(phone, lambda: levels() == [1, 0])
    shows(phone.locator(".last-step"), "Last: Bartholomäus slapped")
    assert phone.locator("#slaps").get_attribute("open") is not None  # what was opened stays open


def wait(page: Any, true: Any) -> None:
    """Wait for something that is not on the page."""
    for _ in range(1000):
        if true():
            return
        page.wait_for_timeout(20)
    raise AssertionError("waited too long")


def test_a_slap_by_the_keyboard(room: Room, angling: Angling) -> None:
    angling.start()
    phone = room.open("/")
    phone.click("text=Slap on this screen")
    phone.locator(".button.slap").first.focus()
    phone.keyboard.press("Enter")
    wait(phone, lambda: [e.fact.level for e in angling.table.snapshot().facts if isinstance(e.fact, Pressed)] == [1, 0])


def test_two_people_slap_with_the_digits_of_one_keyboard(room: Room, angling: Angling) -> None:
    angling.start()
    page = room.open("/")

    def edges() -> list[tuple[str, int]]:
        facts = [entry.fact for entry in angling.table.snapshot().facts]
        return [(fact.seat, fact.level) for fact in facts if isinstance(fact, Pressed)]

    page.keyboard.press("1")  # the buttons are folded away: nobody slaps
    page.click("text=Slap on this screen")
    page.keyboard.down("2")
    wait(page, lambda: edges() == [("seat-2", 1)])
    page.keyboard.down("2")  # a key that is held repeats
    page.keyboard.down("3")
    wait(page, lambda: edges() == [("seat-2", 1), ("seat-3", 1)])
    page.keyboard.up("3")
    wait(page, lambda: edges()[2:] == [("seat-3", 0)])
    page.keyboard.up("2")
    wait(page, lambda: edges()[3:] == [("seat-2", 0)])


def test_focus_is_not_lost_by_a_swap(room: Room, angling: Angling) -> None:
    angling.start()
    phone = room.open("/")
    until(phone, "document.body.dataset.drawn")
    phone.keyboard.press("Tab")
    phone.locator('[data-part="seat-seat-2"] .stack').focus()
    angling.flip("walleye")
    shows(phone.locator(".lake-size b"), "1")
    assert phone.evaluate("document.activeElement.closest('[data-part]')?.dataset.part") == "seat-seat-2"


def test_a_provisional_verdict_becomes_final_by_itself(shown: Room) -> None:
    slap = hooked_states.won(3).slaps[0]
    now = hooked_states.snapshot(hooked_states.won(3))
    page = shown.open("/tv", "tv", paired=False)
    later = msgspec.structs.replace(slap, final_ns=time.monotonic_ns() + 4000 * hooked_states.MS)
    state = msgspec.structs.replace(hooked_states.won(3), slaps=(later,))
    shown.table.put(msgspec.structs.replace(now, state=state))
    shows(page.locator(".verdicts"), "Provisional")
    shows(page.locator(".verdicts"), "Final")


def test_another_game_reloads_the_page(shown: Room) -> None:
    page = shown.open("/tv", "tv", paired=False)
    until(page, "document.body.dataset.drawn")
    page.evaluate("document.querySelector('[data-live]').dataset.game = 'hook'")
    with page.expect_navigation():
        shown.table.put(hooked_states.snapshot(hooked_states.won(3)))


def test_sounds_come_after_a_tap_and_only_once(shown: Room) -> None:
    tv = shown.open("/tv", "tv", paired=False)
    until(tv, "document.body.dataset.drawn")
    shown.table.put(hooked_states.snapshot(hooked_states.won(3)))
    until(tv, "document.querySelector('.photo.is-won')")
    assert tv.evaluate("document.body.dataset.played") is None  # nobody has tapped yet
    tv.mouse.click(5, 5)
    until(tv, "document.querySelector('#sound').getAttribute('aria-pressed') === 'true'")
    shown.table.put(hooked_states.snapshot(hooked_states.wrong(3)))
    until(tv, "document.body.dataset.played === 'wrong'")
    phone = shown.open("/", "phone")
    until(phone, "document.body.dataset.drawn")
    phone.mouse.click(5, 5)
    assert phone.get_attribute("#sound", "aria-pressed") == "false"  # off until it is asked for
    phone.click("#sound")
    until(phone, "document.querySelector('#sound').getAttribute('aria-pressed') === 'true'")


SHEETS = ("/hooked/flip", "/hooked/flip/2", "/hooked/slap/4", "/hooked/recount", "/hooked/why/seat-2", "/history")
MOMENTS = ("hooked-long", "hooked-locked", "hooked-tied", "hooked-doubt", "hooked-start", "hooked-over", "hooked-three",
           "hooked-middle")  # fmt: skip


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("size", SIZES)
def test_nothing_overflows(shown: Room, size: str, language: str) -> None:
    moments = hooked_states.situations()
    page = shown.open(f"{'/tv' if size.startswith('tv') else '/'}?lang={language}", size, reduced_motion="reduce")
    bad = []
    for name in MOMENTS:
        shown.table.put(moments[name])
        page.reload()
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        if wide > 0:
            bad.append((name, "wide", wide))
        cut = page.evaluate(
            """[...document.querySelectorAll('.flag')].filter(flag => {
                const box = flag.getBoundingClientRect(), line = flag.closest('.line-box').getBoundingClientRect();
                return box.left < line.left - 1 || box.right > line.right + 1;
            }).map(flag => flag.textContent.trim())"""
        )
        bad += [(name, "flag beyond the line", flag) for flag in cut]
        if size.startswith("tv"):
            high = page.evaluate("document.documentElement.scrollHeight - document.documentElement.clientHeight")
            over = page.evaluate(
                """[...document.querySelectorAll('.angler, .photo, .story')].flatMap(panel => {
                    const box = panel.getBoundingClientRect();
                    return [...panel.querySelectorAll('.number, .badge, .flag, .photo-why, .gap b, .fish-card')]
                        .filter(part => part.offsetParent).filter(part => {
                            const inner = part.getBoundingClientRect();
                            return inner.bottom > box.bottom + 1 || inner.right > box.right + 1
                                || inner.left < box.left - 1 || inner.bottom > innerHeight
                                || (part.matches('.badge') && part.scrollWidth > part.clientWidth);
                        }).map(part => part.className + ' ' + part.textContent.trim().slice(0, 40));
                })"""
            )
            bad += [(name, "high", high)] if high > 0 else []
            bad += [(name, "outside its panel", part) for part in over]
        else:
            small = page.evaluate(
                """[...document.querySelectorAll('button, .button, .chip, .number')]
                    .filter(b => b.offsetParent && b.getBoundingClientRect().height < 44).map(b => b.className)"""
            )
            bad += [(name, "small", part) for part in small]
    assert not bad, bad


@pytest.mark.parametrize("language", ["en", "de"])
def test_sheets_fit_a_phone(shown: Room, language: str) -> None:
    shown.table.now = hooked_states.situations()["hooked-locked"]
    page = shown.open("/", "phone")
    for path in (*SHEETS, "/setup?game=hooked", "/setup?game=hook"):
        page.goto(f"{shown.url}{path}{'&' if '?' in path else '?'}lang={language}")
        assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") == 0, path
        small = page.evaluate(
            """[...document.querySelectorAll('button, .button, .chip')]
                .filter(b => b.offsetParent && b.getBoundingClientRect().height < 44).map(b => b.className)"""
        )
        assert small == [], path


def test_sizes_on_the_tv_can_be_read_from_three_metres(shown: Room) -> None:
    shown.table.now = hooked_states.situations()["hooked-out"]
    page = shown.open("/tv", "tv")

    def size(selector: str) -> float:
        return float(page.evaluate(f"parseFloat(getComputedStyle(document.querySelector('{selector}')).fontSize)"))

    assert size(".gap b") >= 96
    assert size(".stack b") >= 96
    assert size(".lake-size b") >= 96
    assert size('[data-part="seat-seat-1"] .name') >= 40
    assert size(".photo-title") >= 40
    assert size(".photo-why") >= 28
    assert size(".flag-name") >= 28


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_no_serious_accessibility_fault(shown: Room, theme: str) -> None:
    from axe_playwright_python.sync_playwright import Axe

    page = shown.open("/pair", "phone", reduced_motion="reduce")
    bad = []
    moments = hooked_states.situations()
    looks = [("/", name) for name in ("hooked-locked", "hooked-over", "hooked-start", "hooked-doubt")]
    looks += [("/tv", name) for name in ("hooked-tied", "hooked-out", "hooked-wrong", "hooked-setup")]
    looks += [(path, "hooked-tied") for path in (*SHEETS, "/setup?game=hooked")]
    for path, name in looks:
        shown.table.put(moments[name])
        page.goto(f"{shown.url}{path}{'&' if '?' in path else '?'}theme={theme}")
        page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
        violations = Axe().run(page).response["violations"]
        serious = [v for v in violations if v["impact"] in {"serious", "critical"}]
        bad += [(path, name, v["id"], [node["html"][:160] for node in v["nodes"]]) for v in serious]
    assert not bad, bad
