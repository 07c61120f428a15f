"""Who may do what: Host, origin, pairing and the patience of the PIN."""

from dataclasses import dataclass

import pytest
from flask.testing import FlaskClient
from playing import PIN, Playing, settings

from web import create_app
from web.app import live_of
from web.guard import FREE_TRIES, LONGEST_WAIT_NS, Pairing, host_is_ours

SECOND = 1_000_000_000


@dataclass
class Clock:
    now: int = 0

    def __call__(self) -> int:
        return self.now


@pytest.mark.parametrize(
    "host", ["localhost", "localhost:8000", "127.0.0.1:8000", "192.168.1.20", "[::1]:8000", "companion.local:80"]
)
def test_our_own_addresses_are_answered(host: str) -> None:
    assert host_is_ours(host, ("companion.local",))


@pytest.mark.parametrize(
    "host", ["", "evil.example", "companion.local.evil.example", "localhost.evil.example", "1.2.3"]
)
def test_other_names_are_not(host: str) -> None:
    assert not host_is_ours(host, ("companion.local",))


def test_a_foreign_host_gets_a_sentence_and_no_game(viewer: FlaskClient) -> None:
    answer = viewer.get("/", headers={"Host": "evil.example"})
    assert answer.status_code == 421
    assert "This address is not one of ours" in answer.text
    assert viewer.get("/api/state", headers={"Host": "evil.example"}).json["sentence"].startswith("This address")


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Origin": "http://localhost:1"},
    ],
)
def test_a_form_of_another_page_changes_nothing(phone: FlaskClient, playing: Playing, headers: dict[str, str]) -> None:
    playing.start()
    before = playing.table.snapshot().version
    answer = phone.post("/act", data={"command": '{"command": "EndMatch"}'}, headers=headers)
    assert answer.status_code == 403
    assert "came from another page" in answer.text
    assert playing.table.snapshot().version == before


def test_a_form_of_our_own_page_is_done(phone: FlaskClient, playing: Playing) -> None:
    playing.start()
    answer = phone.post(
        "/act",
        data={"command": '{"command": "EndMatch"}'},
        headers={"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"},
    )
    assert answer.status_code == 303
    assert playing.table.snapshot().match is None


CHANGES = [
    ("/act", {"command": '{"command": "EndMatch"}'}),
    ("/doubts/1", {"value": "x", "version": "1"}),
    ("/setup", {"seat-1": "red-pirate"}),
    ("/place/red-pirate", {"hole-0": "rum"}),
    ("/recount", {"balls-red-pirate": "3"}),
    ("/history/2/undo", {"version": "1"}),
    ("/round/1/2", {"seat": "blue-sailor", "version": "1"}),
]


@pytest.mark.parametrize(("path", "data"), CHANGES)
def test_only_paired_browsers_change_anything(
    viewer: FlaskClient, playing: Playing, path: str, data: dict[str, str]
) -> None:
    playing.start()
    playing.place("red-pirate", "rum")
    before = playing.table.snapshot().version
    answer = viewer.post(path, data=data)
    assert answer.status_code == 403
    assert "Only paired phones can change the game" in answer.text
    assert playing.table.snapshot().version == before


@pytest.mark.parametrize(
    "path", ["/", "/tv", "/history", "/round/1", "/why/red-pirate", "/recount", "/setup", "/place"]
)
def test_everybody_may_watch(viewer: FlaskClient, playing: Playing, path: str) -> None:
    playing.start()
    assert viewer.get(path).status_code == 200


def test_the_right_pin_pairs_and_unpair_forgets(viewer: FlaskClient) -> None:
    assert viewer.post("/pair", data={"pin": f" {PIN[:3]} {PIN[3:]} "}).status_code == 303
    assert "This phone is paired" in viewer.get("/pair").text
    viewer.post("/unpair")
    assert "type the PIN" in viewer.get("/pair").text


def test_a_cookie_that_we_did_not_sign_pairs_nobody(viewer: FlaskClient, phone: FlaskClient) -> None:
    cookie = phone.get_cookie("companion")
    assert cookie is not None
    viewer.set_cookie("companion", cookie.value[:-2] + "AA")
    assert "type the PIN" in viewer.get("/pair").text


def test_a_new_pin_ends_old_pairings(phone: FlaskClient, playing: Playing) -> None:
    cookie = phone.get_cookie("companion")
    assert cookie is not None
    other = create_app(playing.table, settings(pin="111111"))
    client = other.test_client()
    client.set_cookie("companion", cookie.value)
    assert "type the PIN" in client.get("/pair").text
    live_of(other).close()


def test_guessing_is_slow_for_everybody_and_ends_by_itself(playing: Playing) -> None:
    clock = Clock()
    app = create_app(playing.table, settings(clock=clock))
    client, other = app.test_client(), app.test_client()
    for _attempt in range(FREE_TRIES):
        answer = client.post("/pair", data={"pin": "000000"})
    assert answer.status_code == 429
    assert "Too many wrong PINs. Try again in 30 seconds." in answer.text
    assert other.post("/pair", data={"pin": PIN}).status_code == 429
    clock.now = 30 * SECOND
    assert other.post("/pair", data={"pin": PIN}).status_code == 303
    live_of(app).close()


def test_waiting_doubles_up_to_ten_minutes() -> None:
    clock = Clock()
    pairing = Pairing(PIN, "secret", clock)
    waits = []
    for _attempt in range(FREE_TRIES + 8):
        assert pairing.try_pin("wrong") is None
        waits.append(pairing.wait_s())
        clock.now += LONGEST_WAIT_NS
    assert waits[: FREE_TRIES + 2] == [0] * (FREE_TRIES - 1) + [30, 60, 120]
    assert waits[-1] == LONGEST_WAIT_NS // SECOND


def test_a_wrong_pin_is_said(viewer: FlaskClient) -> None:
    answer = viewer.post("/pair", data={"pin": "1"})
    assert answer.status_code == 403
    assert "That is not the PIN" in answer.text


def test_the_tv_shows_the_pin_here_but_not_to_strangers(viewer: FlaskClient, phone: FlaskClient) -> None:
    away = {"REMOTE_ADDR": "192.168.1.50"}
    assert PIN in viewer.get("/tv").text
    assert PIN not in viewer.get("/tv", environ_overrides=away).text
    assert PIN in phone.get("/tv", environ_overrides=away).text
    assert PIN not in viewer.get("/").text
    assert PIN not in viewer.get("/api/state").text


def test_answers_carry_strict_headers(viewer: FlaskClient) -> None:
    answer = viewer.get("/")
    assert "default-src 'self'" in answer.headers["Content-Security-Policy"]
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_going_back_never_leaves_the_house(viewer: FlaskClient) -> None:
    for back in ("http://evil.example/", "//evil.example", "/\\evil.example"):
        assert viewer.post("/look", data={"theme": "light", "back": back}).headers["Location"] == "/"
