"""Fragments and streams: drawn once for all, everything at first, then what changed, and no more than forty."""

import json
import re
import socket
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask
from playing import Playing, settings
from streams import Listener

from companion.table import Snapshot
from web import create_app, serve
from web.app import live_of
from web.live import Live, Stream, event
from web.server import Server


class Counting:
    """Counts how often each audience is drawn."""

    def __init__(self) -> None:
        self.calls: list[tuple[int, tuple[bool, str]]] = []

    def __call__(self, snapshot: Snapshot, audience: tuple[bool, str]) -> dict[str, str]:
        self.calls.append((snapshot.version, audience))
        return {"round": f"round {snapshot.version}", "story": "always the same"}


def live(playing: Playing, draw: Any, **changes: Any) -> Live:
    values = {"build": "b1", "streams": 40, "heartbeat_s": 0.01, "gap_s": 0.0, **changes}
    return Live(playing.table, draw, **values)


def parse(raw: bytes) -> tuple[str, dict[str, Any]]:
    text = raw.decode()
    return re.search(r"event: (\w+)", text)[1], json.loads(re.search(r"data: (.*)", text)[1])  # type: ignore[index]


def until(stream: Stream, name: str) -> dict[str, Any]:
    """The next event of that name."""
    while True:
        found, data = parse(next(stream))
        if found == name:
            return data


@pytest.fixture
def hub(playing: Playing) -> Iterator[tuple[Live, Counting]]:
    draw = Counting()
    found = live(playing, draw)
    yield found, draw
    found.close()


def test_a_page_gets_everything_first_and_then_what_changed(hub: tuple[Live, Counting], playing: Playing) -> None:
    stream = hub[0].open((False, "en"))
    assert stream
    first = until(stream, "page")
    assert set(first["fragments"]) == {"round", "story"}
    assert first["build"] == "b1"
    playing.start()
    changed = until(stream, "page")
    while not changed["fragments"]:
        changed = until(stream, "page")
    assert set(changed["fragments"]) == {"round"}
    assert changed["version"] > first["version"]


def test_each_audience_is_drawn_once_a_change(hub: tuple[Live, Counting], playing: Playing) -> None:
    found, draw = hub
    audiences = [(False, "en"), (True, "en"), (False, "de")]
    streams = [found.open(audience) for audience in audiences for _client in range(10)]
    for stream in streams:
        assert stream
        until(stream, "page")
    playing.start()
    newest = playing.table.snapshot().version
    for stream in streams:
        assert stream
        while until(stream, "page")["version"] < newest:
            pass
    for audience in audiences:
        assert draw.calls.count((newest, audience)) == 1


def test_a_heartbeat_names_the_build(hub: tuple[Live, Counting]) -> None:
    stream = hub[0].open((False, "en"))
    assert stream
    until(stream, "page")
    assert until(stream, "beat") == {"build": "b1"}


def test_a_heartbeat_names_the_address_of_now(playing: Playing) -> None:
    now = ["http://127.0.0.1:8080/"]
    found = live(playing, Counting(), address=lambda: now[0])
    stream = found.open((False, "en"))
    assert stream
    for now[0] in ("http://127.0.0.1:8080/", "http://10.9.8.7:8080/"):
        assert until(stream, "beat") == {"build": "b1", "address": now[0]}
    found.close()


def test_a_place_is_given_back_even_if_nothing_was_read(playing: Playing) -> None:
    found = live(playing, Counting(), streams=1)
    stream = found.open((False, "en"))
    assert stream
    assert found.open((False, "en")) is None
    stream.close()
    stream.close()  # a server may close twice
    assert found.open_streams == 0
    assert found.open((False, "en")) is not None
    found.close()


def test_a_page_that_cannot_be_drawn_keeps_its_stream(playing: Playing, caplog: pytest.LogCaptureFixture) -> None:
    broken = [True]

    def draw(snapshot: Snapshot, _audience: tuple[bool, str]) -> dict[str, str]:
        if broken[0]:
            raise ValueError("ink is out")
        return {"round": str(snapshot.version)}

    found = live(playing, draw)
    stream = found.open((False, "en"))
    assert stream
    assert next(stream).startswith(b":")
    assert "ink is out" in caplog.text
    broken[0] = False
    playing.start()
    assert until(stream, "page")["fragments"]
    found.close()


def test_closing_ends_all_streams(hub: tuple[Live, Counting]) -> None:
    stream = hub[0].open((False, "en"))
    assert stream
    until(stream, "page")
    hub[0].close()
    assert all(parse(raw)[0] in {"beat", "page"} for raw in stream)


def test_event_is_what_browsers_read() -> None:
    assert event("page", {"a": "x\ny"}, "b-1") == b'id: b-1\nevent: page\ndata: {"a":"x\\ny"}\n\n'


@pytest.fixture
def server(playing: Playing) -> Iterator[Server]:
    running = serve(create_app(playing.table, settings(heartbeat_s=0.2)), "127.0.0.1", 0)
    yield running
    running.close()


def get(server: Server, path: str) -> tuple[int, str]:
    listener = Listener(server.address, path)
    status, body = listener.status, listener.body()
    listener.close()
    return status, body


def test_forty_browsers_and_the_page_still_answers(server: Server, playing: Playing) -> None:
    listeners = [Listener(server.address) for _browser in range(40)]
    silent = [socket.create_connection(server.address) for _phone in range(110)]  # asleep, sockets still open
    try:
        streams = [listener.events() for listener in listeners]
        for stream in streams:
            name, id, data = next(stream)
            assert name == "page" and id and "seats" in data["fragments"]
        assert get(server, "/healthz")[0] == 200
        assert get(server, "/tv")[0] == 200
        one_more = Listener(server.address)
        assert one_more.status == 503
        assert "Already 40 screens are watching live" in one_more.body()
        one_more.close()
        assert get(server, "/api/fragments")[0] == 200  # what that page falls back to
        playing.start()
        for stream in streams:
            assert any(name == "page" and "Anna" in data["fragments"].get("seats", "") for name, _id, data in stream)
    finally:
        for listener in (*listeners, *silent):
            listener.close()


def test_a_browser_that_goes_makes_room(server: Server) -> None:
    live = live_of(server.app)
    live.limit = 1
    first = Listener(server.address)
    next(first.events())
    assert get(server, "/events")[0] == 503
    first.close()
    assert live.wait_until(lambda: live.open_streams == 0, 20)  # one of the next heartbeats finds nobody there
    second = Listener(server.address)
    assert second.status == 200
    second.close()


def test_the_stream_is_not_kept_by_anybody(app: Flask) -> None:
    answer = app.test_client().get("/events", buffered=False)
    assert answer.mimetype == "text/event-stream"
    assert answer.headers["Cache-Control"] == "no-store"
    answer.close()
    assert live_of(app).open_streams == 0


def test_it_stops_following_a_table_that_has_stopped(playing: Playing) -> None:
    hub = live(playing, Counting())
    hub.follow()
    thread = hub._thread
    assert thread is not None
    playing.stop()
    thread.join()
    assert not thread.is_alive()
    hub.close()
