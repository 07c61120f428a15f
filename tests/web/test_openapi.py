"""The interface is what openapi.json says: every route is in it, and real responses fit."""

import json
import re
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playing import Playing
from schema import check, fits

DOCUMENT = json.loads((Path(__file__).parents[2] / "web" / "openapi.json").read_text(encoding="utf-8"))


def response_schema(path: str, method: str, code: int) -> dict:
    content = DOCUMENT["paths"][path][method]["responses"][str(code)]["content"]
    return content["application/json"]["schema"]


def test_every_route_is_written_down_and_no_other(app: Flask) -> None:
    real = set()
    for rule in app.url_map.iter_rules():
        if rule.endpoint != "static":
            path = re.sub(r"<(?:[^:<>]+:)?(\w+)>", r"{\1}", rule.rule)
            real |= {(path, method.lower()) for method in rule.methods & {"GET", "POST"}}
    written = {(path, method) for path, methods in DOCUMENT["paths"].items() for method in methods}
    assert real == written


def test_state_fits_with_and_without_a_game(viewer: FlaskClient, playing: Playing) -> None:
    check(viewer.get("/api/state").json, response_schema("/api/state", "get", 200), DOCUMENT)
    playing.start()
    playing.place("red-pirate", "black-pirate", "barrel", unsure=(1,))
    state = viewer.get("/api/state").json
    check(state, response_schema("/api/state", "get", 200), DOCUMENT)
    assert state["doubts"] and state["facts"]


@pytest.mark.parametrize("path", ["/healthz", "/api/fragments", "/api/openapi.json"])
def test_other_reads_fit(viewer: FlaskClient, path: str) -> None:
    check(viewer.get(path).json, response_schema(path, "get", 200), DOCUMENT)


def test_replies_fit(phone: FlaskClient, viewer: FlaskClient, playing: Playing) -> None:
    playing.start()
    playing.place("red-pirate", "parrot")
    tile = playing.table.snapshot().facts[-1]
    about = {"kind": "fact", "id": tile.id, "version": tile.version}
    undo = {"command": {"command": "Undo", "target": tile.id}, "about": about}
    cases = [
        (viewer, undo, 403),
        (phone, undo, 200),
        (phone, undo, 409),
        (phone, {"command": {"command": "NextRound"}}, 422),
        (phone, {"order": 1}, 400),
    ]
    for client, body, code in cases:
        answer = client.post("/api/commands", json=body)
        assert answer.status_code == code
        check(answer.json, response_schema("/api/commands", "post", code), DOCUMENT)
        assert code == 200 or answer.json["sentence"]


def test_the_checker_notices_what_is_wrong() -> None:
    schema = DOCUMENT["components"]["schemas"]["Health"]
    right = {"ok": True, "build": "x", "version": 1, "camera": "none", "match": None}
    assert fits(right, schema, DOCUMENT)
    for wrong in ({**right, "more": 1}, {**right, "version": True}, {**right, "camera": "asleep"}, {"ok": True}):
        assert not fits(wrong, schema, DOCUMENT)
