"""The pages as plain pages: what they show, what their forms do, and what they say when something is wrong."""

import json
import re
from html import unescape
from pathlib import Path

import cv2
import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient
from playing import SIX, THREE, Playing, settings

from companion.games.hook.facts import PlaceTile
from companion.games.hook.state import State
from companion.world import Hand, HoleReading, Scene, Sighting
from web import create_app
from web.app import live_of


def state(playing: Playing) -> State:
    found = playing.table.snapshot().state
    assert isinstance(found, State)
    return found


def text_of(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))


def test_without_a_game_the_tv_invites(viewer: FlaskClient) -> None:
    said = text_of(viewer.get("/tv").text)
    assert "On your planks, get set" in said
    assert "Join with a phone" in said
    assert "qr" in viewer.get("/tv").text


@pytest.mark.parametrize(
    ("came_by", "joins_by"),
    [
        ("localhost:8080", "10.9.8.7:8080"),
        ("127.0.0.1:8080", "10.9.8.7:8080"),
        ("[::1]:8080", "10.9.8.7:8080"),
        ("companion.local:8080", "10.9.8.7:8080"),  # many phones cannot look that up
        ("192.168.4.1:8080", "192.168.4.1:8080"),
        ("table.lan", "table.lan"),
    ],
)
def test_a_phone_joins_by_the_way_the_tv_came_where_it_can(playing: Playing, came_by: str, joins_by: str) -> None:
    names = ("companion.local", "table.lan")
    app = create_app(playing.table, settings(names=names, address=lambda: "http://10.9.8.7:8080/"))
    tv = app.test_client().get("/tv", headers={"Host": came_by}).text
    assert f"<span>{joins_by}</span>" in tv
    assert 'data-address="http://10.9.8.7:8080/"' in tv
    live_of(app).close()


def test_set_up_from_the_form(phone: FlaskClient, playing: Playing) -> None:
    form = {"seat-1": "red-pirate", "name-1": "Anna", "seat-2": "blue-sailor", "name-2": "Ben", "first": "2"}
    form |= {"seat-4": "yellow-pirate", "name-4": "  "}
    assert phone.post("/setup", data=form).status_code == 303
    now = state(playing)
    assert now.setup.seats == ("blue-sailor", "yellow-pirate", "red-pirate")  # clockwise from the Compass
    assert now.setup.names == ("Ben", "Yellow Pirate", "Anna")
    assert now.setup.parrots["target-001"] == 2


def test_a_new_game_puts_the_old_one_away_and_it_can_come_back(phone: FlaskClient, playing: Playing) -> None:
    playing.start()
    playing.place("red-pirate", "rum")
    first = playing.table.snapshot().match
    assert "A game is on the table" in phone.get("/setup").text
    impossible = {"seat-1": "red-pirate", "match": str(first)}
    assert phone.post("/setup", data=impossible).status_code == 422
    assert playing.table.snapshot().match == first  # what cannot be played puts nothing away
    form = {f"seat-{n}": seat for n, (seat, _name) in enumerate(SIX, 1)} | {"match": str(first)}
    assert phone.post("/setup", data=form).status_code == 303
    assert len(state(playing).setup.seats) == 6
    playing.ask({"command": "EndMatch"})
    assert "Put it on the table" in phone.get("/setup").text
    assert phone.post("/act", data={"command": json.dumps({"command": "OpenMatch", "match": first})}).status_code == 303
    assert state(playing).seat("red-pirate").placed


def test_a_set_up_drawn_before_a_game_began_does_not_put_it_away(phone: FlaskClient, playing: Playing) -> None:
    form = {f"seat-{n}": seat for n, (seat, _name) in enumerate(SIX, 1)}
    assert [phone.post("/setup", data=form).status_code for _ in range(2)] == [303, 409]
    assert len(playing.table.matches()) == 1


def test_teams_are_set_up(phone: FlaskClient, playing: Playing) -> None:
    form = {f"seat-{n}": seat for n, (seat, _name) in enumerate(SIX, 1)} | {"teams": "colour"}
    assert phone.post("/setup", data=form).status_code == 303
    assert state(playing).setup.team_play == "colour"
    assert "· Red" in phone.get("/").text


@pytest.mark.parametrize(
    ("form", "sentence"),
    [
        ({}, "Choose a character for each player first."),
        ({"seat-1": "red-pirate", "seat-2": "blue-pirate"}, "Hook! is for 3 to 6 players."),
        (
            {"seat-1": "red-pirate", "seat-2": "red-pirate", "seat-3": "blue-pirate"},
            "Every player takes another character.",
        ),
        (
            {"seat-1": "red-pirate", "seat-2": "blue-pirate", "seat-3": "red-sailor", "teams": "colour"},
            "Teams are possible with 4 or 6 players.",
        ),
    ],
)
def test_an_impossible_set_up_is_refused_in_a_sentence(
    phone: FlaskClient, playing: Playing, form: dict[str, str], sentence: str
) -> None:
    answer = phone.post("/setup", data=form)
    assert answer.status_code == 422
    assert sentence in answer.text
    assert playing.table.snapshot().match is None


def test_the_board_shows_hits_parrots_cards_cover_and_compass(viewer: FlaskClient, playing: Playing) -> None:
    playing.start()
    playing.round(red_pirate=["parrot", "blue-sailor", "blue-sailor"], blue_sailor=["bomb"], yellow_pirate=["rum"])
    playing.place("blue-sailor", "barrel")
    html = viewer.get("/tv").text
    panels = dict(re.findall(r'data-part="seat-([\w-]+)"(.*?)</article>', html, re.S))
    assert panels["blue-sailor"].count('class="ball"') == 3
    assert panels["yellow-pirate"].count('class="ball"') == 0
    assert "<b>2</b><span>parrots</span>" in panels["red-pirate"]
    assert "Covered" in panels["blue-sailor"] and "Covered" not in panels["red-pirate"]
    assert 'title="Compass"' in panels["blue-sailor"] and 'title="Compass"' not in panels["red-pirate"]
    assert "Waiting for the tile" in panels["red-pirate"]
    assert "of 32" in html


def test_the_round_is_told(viewer: FlaskClient, playing: Playing) -> None:
    playing.start()
    playing.place("blue-sailor", "bomb")
    assert "Blue Sailor: bomb, everyone takes a hit" in viewer.get("/tv").text
    assert "Blauer Matrose" in viewer.get("/tv?lang=de").text


def test_names_are_never_markup(viewer: FlaskClient, phone: FlaskClient, playing: Playing) -> None:
    nasty = "<script>alert(1)</script>\"'&"
    playing.start([("red-pirate", nasty), *THREE[1:]])
    playing.place("red-pirate", "black-pirate")
    for client in (viewer, phone):
        for path in ("/", "/tv", "/history", "/round/1", "/why/red-pirate", "/recount", "/setup", "/place/red-pirate"):
            html = client.get(path).text
            assert "<script>alert" not in html
            assert "&lt;script&gt;alert" in html or path in {"/round/1"}
    fragments = viewer.get("/api/fragments").json["fragments"]
    assert "<script>alert" not in json.dumps(fragments)


def test_a_doubt_is_a_card_with_the_likely_answer_first(
    phone: FlaskClient, viewer: FlaskClient, playing: Playing
) -> None:
    playing.start()
    ranked = ((("bird-cage", 0.6), ("barrel", 0.4)),)
    playing.place("red-pirate", "bird-cage", unsure=(0,), ranked=ranked)
    html = phone.get("/").text
    card = re.search(r'<article class="doubt".*?</article>', html, re.S)
    assert card
    answers = re.findall(r'value="([\w-]+)">', card[0])
    assert [a for a in answers if a in {"bird-cage", "barrel", "rum"}][:2] == ["bird-cage", "barrel"]
    assert "likely" in card[0] and "Later" in card[0]
    assert "<form" not in re.search(r'<article class="doubt".*?</article>', viewer.get("/").text, re.S)[0]  # type: ignore[index]

    doubt = playing.table.snapshot().doubts[0]
    answer = phone.post(f"/doubts/{doubt.id}", data={"value": "barrel", "version": doubt.version})
    assert answer.status_code == 303
    assert state(playing).now.placement_of("red-pirate").symbols[0] == "barrel"  # type: ignore[union-attr]
    assert not playing.table.snapshot().doubts
    assert "Corrected" not in text_of(phone.get("/").text)  # nothing else had been claimed


def test_pictures_show_which_hole_and_what_was_recognised(viewer: FlaskClient, playing: Playing) -> None:
    playing.start()
    corners = ((40.0, 40.0), (140.0, 40.0), (140.0, 140.0), (40.0, 140.0))
    hole = HoleReading("rum", 0.9, True)
    tile = Sighting("sight-red-pirate-1", "sight-tile", corners, 0.9, False, holes=(hole,))
    scene = Scene(1, 1, (200, 160), (tile,), hands=(Hand(((0.0, 0.0), (9.0, 0.0), (9.0, 9.0))),))
    image = np.full((160, 200, 3), 200, np.uint8)
    playing.teller.tell.append(
        PlaceTile(seat="red-pirate", tile="sight-red-pirate-1", card="target-001", symbols=("rum",) * 3, unsure=(1,))
    )
    playing.table.see(scene, cv2.imencode(".jpg", image)[1].tobytes())
    playing.table.settle()
    html = viewer.get("/tv").text
    ring = re.search(r'class="ring" style="left:([\d.]+)%;top:([\d.]+)%', html)
    assert ring  # hole 1 is at (0.7, 0.35) of the tile, and the picture has a margin of a fifth all around
    assert [float(n) for n in ring.groups()] == pytest.approx([100 * 0.9 / 1.4, 100 * 0.55 / 1.4], abs=0.1)
    overlay = re.search(r'<svg class="overlay" viewBox="0 0 200 160".*?</svg>\s*</figure>', html, re.S)
    assert overlay
    assert "shape-sight-tile colour-red unsure" in overlay[0] and "shape-hand" in overlay[0] and "#a-rum" in overlay[0]
    names = set(re.findall(r'src="(/pictures/[^"]+)"', html))
    assert len(names) == 2
    for name in names:
        answer = viewer.get(name)
        assert answer.status_code == 200
        assert answer.mimetype == "image/jpeg" and answer.data[:2] == b"\xff\xd8"
        assert "immutable" in answer.headers["Cache-Control"]


def test_a_lost_camera_is_said_and_play_goes_on(phone: FlaskClient, playing: Playing) -> None:
    playing.start()
    playing.table.status("lost")
    playing.table.settle()
    html = phone.get("/").text
    assert "status-lost" in html and "The camera cannot see the table" in html
    assert phone.post("/place/red-pirate", data={"hole-0": "rum"}).status_code == 303


def test_a_late_answer_is_told_and_changes_nothing(phone: FlaskClient, playing: Playing) -> None:
    playing.start()
    playing.place("red-pirate", "bird-cage", unsure=(0,))
    doubt = playing.table.snapshot().doubts[0]
    playing.answer("rum")
    answer = phone.post(f"/doubts/{doubt.id}", data={"value": "barrel", "version": doubt.version})
    assert answer.status_code == 409
    assert 'role="alert"' in answer.text and "Back" in answer.text
    assert state(playing).now.placement_of("red-pirate").symbols[0] == "rum"  # type: ignore[union-attr]


def test_correcting_a_hole_of_an_earlier_round_changes_the_score(phone: FlaskClient, playing: Playing) -> None:
    playing.start()
    playing.round(red_pirate=["parrot", "blue-sailor"], blue_sailor=["none"], yellow_pirate=["none"])
    assert state(playing).seat("blue-sailor").balls == 1
    placement = state(playing).rounds[0].placement_of("red-pirate")
    assert placement
    readings = phone.get("/round/1").text
    assert f'href="/round/1/{placement.id}/1"' in readings
    html = phone.get(f"/round/1/{placement.id}/1").text
    about = re.search(r'name="about" value="([^"]+)"', html)
    command = next(c for c in re.findall(r'name="command" value="([^"]+)"', html) if "parrot" in c)
    assert about
    answer = phone.post("/act", data={"command": command.replace("&#34;", '"'), "about": about[1]})
    assert answer.status_code == 303
    assert state(playing).seat("blue-sailor").balls == 0
    late = phone.post("/act", data={"command": command.replace("&#34;", '"'), "about": about[1]})
    assert late.status_code == 409


def test_owner_tile_and_card_can_be_corrected(phone: FlaskClient, playing: Playing) -> None:
    playing.start()
    playing.place("red-pirate", "rum")
    entry = playing.table.snapshot().facts[-1]
    form = {"seat": "blue-sailor", "tile": "sight-red-pirate-1", "card": "target-009", "version": str(entry.version)}
    assert phone.post(f"/round/1/{entry.id}", data=form).status_code == 303
    moved = state(playing).now.placement_of("blue-sailor")
    assert moved and (moved.tile, moved.card) == ("sight-blue-sailor-1", "target-009")
    assert state(playing).now.placement_of("red-pirate") is None
    assert phone.post(f"/round/1/{entry.id}", data=form).status_code == 409


def test_a_black_pirate_is_aimed_on_the_sheet(phone: FlaskClient, playing: Playing) -> None:
    playing.start()
    for seat, _name in THREE:
        playing.place(seat, "black-pirate" if seat == "red-pirate" else "none")
    placement = state(playing).now.placement_of("red-pirate")
    assert placement
    html = phone.get(f"/round/1/{placement.id}/0").text
    assert "Whom does the Black Pirate hit?" in html
    choose = next(
        c for c in re.findall(r'name="command" value="([^"]+)"', html) if "ChooseTarget" in c and "blue-sailor" in c
    )
    assert phone.post("/act", data={"command": choose.replace("&#34;", '"')}).status_code == 303
    assert state(playing).seat("blue-sailor").balls == 1


def test_a_tile_by_hand_and_without_a_camera(phone: FlaskClient, playing: Playing) -> None:
    playing.start()
    assert "Tile 3" in phone.get("/place/red-pirate").text
    form = {"tile": "sight-red-pirate-2", "hole-0": "parrot", "hole-1": "blue-sailor", "hole-2": "none", "parrots": "3"}
    assert phone.post("/place/red-pirate", data=form).status_code == 303
    placed = state(playing).now.placement_of("red-pirate")
    assert placed and placed.symbols == ("parrot", "blue-sailor", "none")
    again = phone.post("/place/red-pirate", data=form)
    assert again.status_code == 422
    assert "has placed a Sight tile already" in again.text


def test_waive_and_next_round(phone: FlaskClient, playing: Playing) -> None:
    playing.start()
    for seat in ("red-pirate", "blue-sailor"):
        playing.place(seat, "none")
    html = phone.get("/").text
    assert "Has none" in html and "Next round" not in html
    waive = '{"command":"WaiveTile","seat":"yellow-pirate","round":1}'
    assert waive in html.replace("&#34;", '"')
    assert phone.post("/act", data={"command": waive}).status_code == 303
    assert "Next round" in phone.get("/").text
    assert phone.post("/act", data={"command": '{"command":"NextRound"}'}).status_code == 303
    assert state(playing).round == 2


def test_recount_writes_only_what_differs(phone: FlaskClient, playing: Playing) -> None:
    playing.start()
    form = {f"balls-{seat}": "0" for seat, _name in THREE} | {"balls-blue-sailor": "5", "compass": "blue-sailor"}
    assert phone.post("/recount", data=form).status_code == 303
    fact = playing.table.snapshot().facts[-1].fact
    assert fact.balls == {"blue-sailor": 5} and fact.compass == "blue-sailor"  # type: ignore[attr-defined]
    assert state(playing).seat("blue-sailor").balls == 5


def test_a_recount_from_a_sheet_that_is_out_of_date_puts_nothing_back(phone: FlaskClient, playing: Playing) -> None:
    playing.start()
    html = phone.get("/recount").text
    shown = re.search(r'name="shown" value="([^"]*)"', html)
    assert shown
    form = {f"balls-{seat}": "0" for seat, _name in THREE} | {"shown": unescape(shown[1]), "won-red-pirate": "1"}
    playing.recount(balls={"blue-sailor": 5})
    answer = phone.post("/recount", data=form)
    assert answer.status_code == 409 and 'href="/recount"' in answer.text
    assert state(playing).seat("blue-sailor").balls == 5


def test_undo_and_redo(phone: FlaskClient, playing: Playing) -> None:
    playing.start()
    playing.place("red-pirate", "red-pirate")
    assert state(playing).seat("red-pirate").placed
    for label, placed in (("Undo", False), ("Redo", True)):
        html = phone.get("/").text
        form = next(f for f in re.findall(r"<form.*?</form>", html, re.S) if f">{label}</button>" in f)
        data = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form.replace("&#34;", "'")))
        data["command"] = data["command"].replace("'", '"')
        assert phone.post("/act", data=data).status_code == 303
        assert state(playing).seat("red-pirate").placed is placed


def test_history_takes_back_any_line(phone: FlaskClient, playing: Playing) -> None:
    playing.start()
    playing.place("red-pirate", "red-pirate")
    first = playing.table.snapshot().facts[-1]
    playing.place("blue-sailor", "rum")
    assert "Anna: Red Pirate, Nothing, Nothing" in phone.get("/history").text
    assert phone.post(f"/history/{first.id}/undo", data={"version": first.version}).status_code == 303
    assert not state(playing).seat("red-pirate").placed
    assert "is-undone" in phone.get("/history").text
    version = playing.table.snapshot().facts[first.id - 1].version
    assert phone.post(f"/history/{first.id}/redo", data={"version": version}).status_code == 303
    assert state(playing).seat("red-pirate").placed


def test_why_shows_the_sentences_and_the_sum(viewer: FlaskClient, playing: Playing) -> None:
    playing.start()
    playing.round(red_pirate=["blue-sailor"], blue_sailor=["rum"], yellow_pirate=["bomb"])
    said = text_of(viewer.get("/why/blue-sailor").text)
    assert "Red Pirate hits Blue Sailor" in said
    assert "Blue Sailor: 0 + 2 − 1 = 1" in said


def test_the_end_is_shown_with_the_winners(viewer: FlaskClient, playing: Playing) -> None:
    playing.start()
    playing.round(red_pirate=["parrot"], blue_sailor=["none"], yellow_pirate=["none"])
    for seat, _name in THREE:
        playing.place(seat, "none")
    playing.recount(stacks={seat: 0 for seat, _name in THREE})
    html = viewer.get("/tv").text
    assert 'class="finish-title">Anna</h2>' in html
    assert "The game is over" in html


@pytest.mark.parametrize(
    "path", ["/nothing", "/why/nobody", "/round/99", "/round/1/99/0", "/place/nobody", "/pictures/x.jpg", "/faces/x"]
)
def test_what_is_not_there_is_said(viewer: FlaskClient, playing: Playing, path: str) -> None:
    playing.start()
    answer = viewer.get(path)
    assert answer.status_code == 404
    assert "There is no such page" in answer.text
    assert "Diese Seite gibt es nicht" in viewer.get(path, headers={"Accept-Language": "de"}).text


@pytest.mark.parametrize("path", ["/history", "/recount", "/place", "/round/1", "/why/red-pirate"])
def test_sheets_need_a_game(viewer: FlaskClient, path: str) -> None:
    assert viewer.get(path).status_code == 404


@pytest.mark.parametrize(("method", "path"), [("get", "/act"), ("post", "/"), ("put", "/api/state"), ("delete", "/tv")])
def test_a_wrong_method_is_said(phone: FlaskClient, method: str, path: str) -> None:
    answer = getattr(phone, method)(path)
    assert answer.status_code == 405
    assert "This address is not for that" in (answer.json["sentence"] if answer.is_json else answer.text)


@pytest.mark.parametrize(
    "data",
    [
        {"command": "{no json"},
        {"command": "[1]"},
        {"command": '{"command":"EndMatch"}', "about": "fact:one:2"},
        {"command": '{"command":"EndMatch"}', "about": "rumour:1:2"},
        {},
    ],
)
def test_a_broken_form_is_said(phone: FlaskClient, playing: Playing, data: dict[str, str]) -> None:
    playing.start()
    answer = phone.post("/act", data=data)
    assert answer.status_code == 400
    assert "This form is not one of ours" in answer.text


@pytest.mark.parametrize("body", [b"{", b"\xff\xfe", b"[]", b'{"command": 1}', b'{"command": {}, "more": 1}', b""])
def test_broken_json_is_said(phone: FlaskClient, body: bytes) -> None:
    answer = phone.post("/api/commands", data=body, content_type="application/json")
    assert answer.status_code == 400
    assert answer.json["sentence"].startswith("The body is not what it should be")


def test_an_unknown_command_is_said(phone: FlaskClient, playing: Playing) -> None:
    playing.start()
    answer = phone.post("/api/commands", json={"command": {"command": "Cheat"}})
    assert answer.status_code == 422
    assert "There is no command Cheat here" in answer.json["sentence"]


def test_too_much_is_refused(phone: FlaskClient) -> None:
    answer = phone.post("/api/commands", data=b"x" * 300_000, content_type="application/json")
    assert answer.status_code == 413


def test_a_stale_command_gets_409_and_the_present_state(phone: FlaskClient, playing: Playing) -> None:
    playing.start()
    playing.place("red-pirate", "rum")
    entry = playing.table.snapshot().facts[-1]
    about = {"kind": "fact", "id": entry.id, "version": entry.version}
    body = {"command": {"command": "Undo", "target": entry.id}, "about": about}
    assert phone.post("/api/commands", json=body).status_code == 200
    again = phone.post("/api/commands", json=body)
    assert again.status_code == 409
    assert again.json["stale"] and again.json["sentence"]
    assert again.json["state"]["facts"][entry.id - 1]["undone"] is True


def test_a_command_for_another_match_is_stale(phone: FlaskClient, playing: Playing) -> None:
    playing.start()
    old = playing.table.snapshot().match
    playing.ask({"command": "EndMatch"})
    playing.start()
    answer = phone.post("/api/commands", json={"command": {"command": "EndMatch"}, "match": old})
    assert answer.status_code == 409


def test_a_script_gets_json_from_the_forms_too(phone: FlaskClient, playing: Playing) -> None:
    playing.start()
    answer = phone.post("/act", data={"command": '{"command":"NextRound"}'}, headers={"Accept": "application/json"})
    assert answer.status_code == 422
    assert "Sight tiles are still missing" in answer.json["sentence"]


def test_language_and_theme_are_kept(viewer: FlaskClient) -> None:
    assert 'lang="en" data-theme="dark"' in viewer.get("/").text
    viewer.post("/look", data={"language": "de", "back": "/tv"})
    viewer.post("/look", data={"theme": "light"})
    assert 'lang="de" data-theme="light"' in viewer.get("/").text
    viewer.post("/look", data={"language": "tlh", "theme": "pink"})
    assert 'lang="de" data-theme="light"' in viewer.get("/").text


def test_a_failure_inside_is_a_sentence(app: Flask, playing: Playing, monkeypatch: pytest.MonkeyPatch) -> None:
    app.testing = False
    app.config["PROPAGATE_EXCEPTIONS"] = False
    monkeypatch.setattr("web.sheets.why_lines", lambda *_given: 1 / 0)
    playing.start()
    answer = app.test_client().get("/why/red-pirate")
    assert answer.status_code == 500
    assert "The game is safe" in answer.text


def test_pages_work_without_the_network(viewer: FlaskClient, playing: Playing) -> None:
    playing.start()
    for path in ("/", "/tv", "/setup"):
        html = viewer.get(path).text
        outside = list(re.findall(r'(?:src|href)="(https?://[^"]+)"', html))
        assert outside == []


def test_a_won_game_can_be_taken_back(phone: FlaskClient, playing: Playing) -> None:
    playing.start()
    playing.round(red_pirate=["parrot"], blue_sailor=["none"], yellow_pirate=["none"])
    playing.recount(balls={"blue-sailor": 9, "yellow-pirate": 9})
    assert state(playing).over
    html = phone.get("/").text
    form = next(f for f in re.findall(r"<form.*?</form>", html, re.S) if ">Undo</button>" in f)
    data = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form.replace("&#34;", "'")))
    data["command"] = data["command"].replace("'", '"')
    assert phone.post("/act", data=data).status_code == 303
    assert not state(playing).over
    assert "finish-title" not in phone.get("/").text


def test_a_damaged_journal_is_told(tmp_path: Path) -> None:
    first = Playing(tmp_path)
    first.start()
    first.stop()
    path = tmp_path / "journal.db"
    whole = path.read_bytes()
    path.write_bytes(whole[:2000] + b"\xff" * (len(whole) - 2000))
    game = Playing(tmp_path)
    app = create_app(game.table, settings())
    notice = game.table.snapshot().notices[0]
    assert str(notice).split(".")[0] in text_of(unescape(app.test_client().get("/tv").text))
    live_of(app).close()
    game.stop()
