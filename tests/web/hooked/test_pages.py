"""The pages of Hooked! as plain pages: what they show, what their forms do, and who may do it."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path

import pytest
from angling import Angling
from flask.testing import FlaskClient
from schema import check

from companion.core.facts import Answer
from companion.games.hooked.facts import Pressed, RuleFlip, TellSlap, Veto
from companion.table import ButtonLine
from hardware.buttons import ButtonHealth

DOCUMENT = json.loads((Path(__file__).parents[3] / "web" / "openapi.json").read_text(encoding="utf-8"))


def text_of(html: str) -> str:
    return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html)))


def twins(angling: Angling) -> int:
    """Two walleyes; Chloé slaps 14.8 ms before Anna. The id of the second flip."""
    angling.start()
    angling.flip("walleye")
    flip = angling.flip("walleye")
    angling.slap("seat-3", 310.0)
    angling.slap("seat-1", 324.8)
    return flip


def test_without_a_game_the_tv_invites(viewer: FlaskClient) -> None:
    assert "Let the fish come to you!" in viewer.get("/tv").text


def test_set_up_from_the_form(phone: FlaskClient, angling: Angling) -> None:
    assert "Each place has the slap button" in phone.get("/setup").text
    form = {"name-1": "Anna", "name-3": "Chloé", "name-4": " ", "first": "3", "dead_heat": "share"}
    assert phone.post("/hooked/setup", data=form).status_code == 303
    assert angling.state.seats == ("seat-3", "seat-1")
    assert angling.state.setup.dead_heat == "share"
    assert angling.stacks == (31, 31)


def test_one_player_is_too_few(phone: FlaskClient) -> None:
    answer = phone.post("/hooked/setup", data={"name-1": "Anna"})
    assert answer.status_code == 422
    assert "2 to 6 players" in answer.text


def test_the_other_game_can_be_chosen(phone: FlaskClient) -> None:
    assert "Character" in phone.get("/setup?game=hook").text
    assert "House rules" in phone.get("/setup?game=hooked").text


def test_the_photo_finish(viewer: FlaskClient, angling: Angling) -> None:
    twins(angling)
    html = viewer.get("/tv").text
    said = text_of(html)
    assert "Chloé was first" in said and "15 ms ahead of Anna" in said
    assert "Fish Twins: #8 Walleye twice in a row. Chloé wins 2 cards." in said
    assert "Final" in said and "Provisional" not in said
    assert re.search(r'class="tick mark-3 did-won', html) and re.search(r'class="tick mark-1 did-late', html)
    assert "#8 Walleye" not in text_of(viewer.get("/tv?lang=de").text)
    assert "Chloé war zuerst da" in text_of(viewer.get("/tv?lang=de").text)


def test_a_corrected_flip_makes_a_right_slap_wrong_and_the_cards_move(phone: FlaskClient, angling: Angling) -> None:
    flip = twins(angling)
    assert angling.stacks == (20, 20, 22)
    sheet = phone.get(f"/hooked/flip/{flip}").text
    version = re.search(r'name="version" value="(\d+)"', sheet)
    assert version
    form = {"card": "bluegill", "version": version[1]}
    assert phone.post(f"/hooked/flip/{flip}", data=form).status_code == 303
    said = text_of(phone.get("/").text)
    assert "Wrong slaps" in said
    assert "no twins, no streak" in said and "Amended: a card was corrected" in said
    assert angling.stacks == (18, 20, 18) and angling.state.lake_size == 6
    undo = next(f for f in re.findall(r"<form.*?</form>", phone.get("/").text, re.S) if ">Undo</button>" in f)
    data = {name: unescape(value) for name, value in re.findall(r'name="(\w+)" value="([^"]*)"', undo)}
    assert phone.post("/act", data=data).status_code == 303
    assert angling.stacks == (20, 20, 22)
    assert "Amended" not in text_of(phone.get("/").text)


def test_a_press_that_was_none_is_taken_away(phone: FlaskClient, angling: Angling) -> None:
    flip = twins(angling)
    html = phone.get(f"/hooked/slap/{flip}").text
    forms = [f for f in re.findall(r"<form.*?</form>", html, re.S) if "That was no slap" in f]
    assert len(forms) == 2
    data = {name: unescape(value) for name, value in re.findall(r'name="(\w+)" value="([^"]*)"', forms[0])}
    assert phone.post("/act", data=data).status_code == 303
    assert angling.state.slaps[-1].winner == "seat-1"
    assert "Amended: the table ruled on a slap" in text_of(phone.get("/").text)


def test_a_veto(phone: FlaskClient, angling: Angling) -> None:
    angling.start()
    flip = angling.flip("net-cast")
    angling.slap("seat-2", 300.0)
    angling.slap("seat-3", 340.0)
    html = phone.get(f"/hooked/slap/{flip}").text
    form = next(f for f in re.findall(r"<form.*?</form>", html, re.S) if "veto" in f)
    data = {name: unescape(value) for name, value in re.findall(r'name="(\w+)" value="([^"]*)"', form)}
    assert phone.post("/act", data=data).status_code == 303
    assert angling.state.slaps[-1].winner == "seat-3"
    assert "Amended: vetoed" in text_of(phone.get("/").text)


def test_a_veto_in_a_dead_heat(phone: FlaskClient, angling: Angling) -> None:
    angling.start(dead_heat="share")
    flip = angling.flip("net-cast")
    angling.slap("seat-2", 300.0)
    angling.slap("seat-3", 300.3)
    html = phone.get(f"/hooked/slap/{flip}").text
    forms = [f for f in re.findall(r"<form.*?</form>", html, re.S) if "veto" in f]
    assert len(forms) == 2 and "did not say “HOOKED!”: veto" in forms[0]
    data = {name: unescape(value) for name, value in re.findall(r'name="(\w+)" value="([^"]*)"', forms[0])}
    assert phone.post("/act", data=data).status_code == 303
    assert angling.state.slaps[-1].winner == "seat-3"


def test_a_dead_heat(viewer: FlaskClient, angling: Angling) -> None:
    angling.start()
    angling.flip("walleye")
    angling.flip("walleye")
    angling.slap("seat-3", 310.0)
    angling.slap("seat-1", 310.4)
    said = text_of(viewer.get("/tv").text)
    assert "Dead heat!" in said and "0.4 ms apart" in said


def test_while_a_card_is_asked_about_nothing_is_claimed(viewer: FlaskClient, angling: Angling) -> None:
    angling.start()
    for card in ("bluegill", "muskellunge"):
        angling.flip(card)
    angling.flip("walleye", card_sure=False, cards=(("walleye", 0.5), ("bluegill", 0.4)))
    angling.slap("seat-1", 300.0)
    angling.slap("seat-2", 340.0)
    said = text_of(viewer.get("/tv").text)
    assert said.count("Waits for an answer") == 2 and "Which card was flipped?" in said
    assert not any(words in said for words in ("Final", "Nobody wins", "no twins", "no slap"))
    angling.ask(Answer(doubt=angling.table.snapshot().doubts[0].id, value="bluegill"))
    said = text_of(viewer.get("/tv").text)
    assert "Anna was first" in said and "Fish Sandwich" in said and "Final" in said
    assert "Corrected" not in said and "Amended" not in said  # nothing else had been claimed


def test_what_was_corrected_before_the_slap_amends_nothing(viewer: FlaskClient, angling: Angling) -> None:
    angling.start()
    flip = angling.flip("walleye")
    angling.ask(RuleFlip(flip=flip, card="bluegill", t_ns=angling.now))
    assert "Corrected: A flip was corrected: #2 Bluegill" in text_of(viewer.get("/tv").text)
    angling.flip("bluegill")
    angling.slap("seat-1", 300.0)
    said = text_of(viewer.get("/tv").text)
    assert "Anna was first" in said and "Amended" not in said


def test_the_card_after_a_dead_heat(viewer: FlaskClient, angling: Angling) -> None:
    angling.start()
    angling.flip("walleye")
    flip = angling.flip("walleye")
    angling.slap("seat-1", 300.0)
    angling.slap("seat-2", 300.4)
    assert "The next flip decides between Anna and Bartholomäus: they may slap any fish." in text_of(
        viewer.get("/tv").text
    )
    angling.flip("bluegill")
    assert "This flip decides between Anna and Bartholomäus: they may slap any fish." in text_of(viewer.get("/tv").text)
    angling.slap("seat-3", 280.0)
    angling.slap("seat-2", 300.0)
    said = text_of(viewer.get("/tv").text)
    assert "#2 Bluegill decides the dead heat: only Anna and Bartholomäus may slap it." in said
    assert "Fish Twins" not in said and "20 ms after" not in said
    assert "The next flip was to decide between" in text_of(viewer.get(f"/hooked/slap/{flip}").text)


def test_no_time_is_shown_that_nobody_measured(viewer: FlaskClient, angling: Angling) -> None:
    angling.start()
    angling.tap("walleye")
    angling.tap("walleye")
    angling.slap("seat-3", 7.6)
    for page in ("/tv", "/hooked/why/seat-3"):
        said = text_of(viewer.get(page).text)
        assert "nobody knows when the card was seen" in said
        assert not any(words in said for words in ("ms after the card", "the card appears", "Fastest"))
    angling.flip("bluegill")
    flip = angling.flip("bluegill")
    angling.slap("seat-1", 300.0)
    angling.slap("seat-2", 320.0)
    angling.ask(TellSlap(seat="seat-3", t_ns=angling.now + 487_652_000_000))
    html = viewer.get("/tv").text
    assert re.findall(r'class="tick mark-(\d) did-(\w+)( is-told)?"', html) == [
        ("3", "won", " is-told"),
        ("1", "late", ""),
        ("2", "late", ""),
    ]
    for page in ("/tv", "/hooked/why/seat-3", f"/hooked/slap/{flip}"):
        said = text_of(viewer.get(page).text)
        assert "First · told by a tap, not timed" in said and "487" not in said and "None" not in said


def test_a_veto_moves_the_gap(viewer: FlaskClient, angling: Angling) -> None:
    angling.start()
    angling.flip("net-cast")
    for seat, after_ms in (("seat-2", 300.0), ("seat-3", 340.0), ("seat-1", 380.0)):
        angling.slap(seat, after_ms)
    angling.ask(Veto(seat="seat-2"))
    html = viewer.get("/tv").text
    said = text_of(html)
    assert "Chloé was first" in said and "40 ms ahead of Anna" in said
    assert "Bartholomäus 300 ms No “HOOKED!”" in said and "Anna +40 ms Later" in said
    tie, first = re.search(r'class="tie" style="left: ([\d.]+)%', html), re.search(r"did-won.*?--at: ([\d.]+)%", html)
    assert tie and first and tie[1] == first[1]


def test_who_pays_for_a_false_start_slapped_too_early(viewer: FlaskClient, angling: Angling) -> None:
    angling.start(false_start="wrong")
    angling.flip("walleye")
    angling.flip("brook-trout")
    angling.slap("seat-3", 20.0)
    html = viewer.get("/tv").text
    said = text_of(html)
    assert "Chloé slapped too early" in said and "20 ms after the card" in said
    assert "Chloé slapped too early. Chloé gives up 2 cards." in said and "no twins" not in said
    assert 'data-sound="wrong"' in html


def locked(viewer: FlaskClient) -> dict[str, str]:
    """The badge of every locked seat, by what its sound is known by."""
    html = viewer.get("/tv").text
    return dict(re.findall(r'data-sound-key="(lock-[^"]+)"><svg.*?</svg> (.*?)</span>', html))


def test_a_lock_is_counted_as_the_rulebook_does_and_heard_once(viewer: FlaskClient, angling: Angling) -> None:
    angling.start()
    angling.flip("walleye")
    angling.flip("walleye")
    angling.slap("seat-1", 300.0)
    flip = angling.flip("empty-hook")
    angling.slap("seat-1", 300.0)
    assert "Anna may not slap for two flips." in text_of(viewer.get("/tv").text)
    match = angling.table.snapshot().match
    keys = [f"lock-{match}-seat-1-{flip}", f"lock-{match}-seat-3-{flip}"]
    assert locked(viewer) == dict.fromkeys(keys, "locked for 2 flips")
    assert "Sperre: 2 Karten" in text_of(viewer.get("/tv?lang=de").text)
    angling.flip("brook-trout")
    angling.slap("seat-2", 300.0)
    assert locked(viewer) == dict.fromkeys(keys, "locked for 1 flip")
    angling.flip("bluegill")
    assert locked(viewer) == dict.fromkeys(keys, "locked for this card")
    angling.flip("muskellunge")
    assert locked(viewer) == {}


def test_the_last_one_with_cards_has_not_caught_them_all(viewer: FlaskClient, angling: Angling) -> None:
    angling.start(2, stacks={"seat-1": 61, "seat-2": 1})
    angling.flip("walleye")
    angling.flip("bluegill")
    said = text_of(viewer.get("/tv").text)
    assert "Only Anna has cards left." in said and "all the cards" not in said


def test_a_flip_is_tapped_without_a_camera(phone: FlaskClient, angling: Angling) -> None:
    angling.start()
    assert 'value="walleye"' in phone.get("/hooked/flip").text
    assert phone.post("/hooked/flip", data={"seat": "seat-1", "card": "walleye"}).status_code == 303
    assert [card.card for card in angling.state.lake] == ["walleye"]


def test_a_slap_on_the_screen_never_claims_the_hardware(phone: FlaskClient, angling: Angling) -> None:
    angling.start()
    angling.flip("walleye")
    command = {"command": "Edge", "seat": "seat-2", "level": 1, "clock": "kernel"}
    assert phone.post("/api/commands", json={"command": command}).status_code == 200
    pressed = angling.table.snapshot().facts[-1].fact
    assert isinstance(pressed, Pressed) and pressed.clock == "software"


def test_who_slapped_can_be_told(phone: FlaskClient, angling: Angling) -> None:
    angling.start()
    angling.flip("walleye")
    flip = angling.flip("walleye")
    html = phone.get(f"/hooked/flip/{flip}").text
    form = next(f for f in re.findall(r"<form.*?</form>", html, re.S) if "TellSlap" in f and "Chloé" in f)
    data = {name: unescape(value) for name, value in re.findall(r'name="(\w+)" value="([^"]*)"', form)}
    assert phone.post("/act", data=data).status_code == 303
    assert angling.state.slaps[-1].winner == "seat-3"
    assert "told by a tap, not timed" in text_of(phone.get("/").text)


def test_recount_writes_only_what_changed(phone: FlaskClient, angling: Angling) -> None:
    angling.start()
    angling.flip("walleye")
    form = {
        "stack-seat-1": "20",
        "stack-seat-2": "20",
        "stack-seat-3": "20",
        "lake": "2",
        "turn": "seat-3",
        "direction": "-1",
    }
    assert phone.post("/hooked/recount", data=form).status_code == 303
    assert angling.stacks == (20, 20, 20)
    assert (angling.state.turn, angling.state.direction, angling.state.lake_size) == ("seat-3", -1, 2)
    assert "anticlockwise" in phone.get("/").text


def test_history_and_why(phone: FlaskClient, angling: Angling) -> None:
    twins(angling)
    said = text_of(phone.get("/history").text)
    assert "Anna flipped #8 Walleye" in said and said.count("Chloé slapped") == 1
    assert "+2" in text_of(phone.get("/hooked/why/seat-3").text)
    assert phone.get("/hooked/why/nobody").status_code == 404


@pytest.mark.parametrize(
    "path", ["/hooked/flip", "/hooked/recount", "/hooked/slap/1", "/hooked/why/seat-1", "/round/1"]
)
def test_sheets_need_their_game(viewer: FlaskClient, path: str) -> None:
    assert viewer.get(path).status_code == 404


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("/hooked/setup", {"name-1": "Anna", "name-2": "Ben"}),
        ("/hooked/flip", {"card": "walleye"}),
        ("/hooked/flip/2", {"card": "walleye"}),
        ("/hooked/recount", {"lake": "1"}),
        ("/act", {"command": '{"command":"Edge","seat":"seat-1","level":1}'}),
    ],
)
def test_only_paired_phones_change_anything(
    viewer: FlaskClient, angling: Angling, path: str, form: dict[str, str]
) -> None:
    angling.start()
    facts = len(angling.table.snapshot().facts)
    assert viewer.post(path, data=form).status_code == 403
    assert len(angling.table.snapshot().facts) == facts


def test_watchers_get_no_controls(viewer: FlaskClient, angling: Angling) -> None:
    twins(angling)
    html = viewer.get("/").text
    assert "slap-buttons" not in html and "Put it right" not in html


def test_state_and_fragments_are_what_is_written_down(viewer: FlaskClient, angling: Angling) -> None:
    twins(angling)
    for path in ("/api/state", "/api/fragments"):
        content = DOCUMENT["paths"][path]["get"]["responses"]["200"]["content"]
        check(viewer.get(path).json, content["application/json"]["schema"], DOCUMENT)
    assert viewer.get("/api/fragments").json["game"] == "hooked"


def test_names_are_never_markup(viewer: FlaskClient, phone: FlaskClient) -> None:
    nasty = "<script>alert(1)</script>"
    assert phone.post("/hooked/setup", data={"name-1": nasty, "name-2": "Ben"}).status_code == 303
    assert nasty not in viewer.get("/tv").text


def test_every_button_is_pressed_once_while_seats_are_set_up(phone: FlaskClient, angling: Angling) -> None:
    assert "Press your button" not in phone.get("/setup").text
    unpressed = ButtonHealth("seat-1")
    taken = ButtonHealth("seat-2", "missing", why="unplugged")
    told = [ButtonLine(one.seat, one.seen, one.ok, one.sentence) for one in (unpressed, taken)]
    angling.table.buttons(tuple(told))
    angling.table.settle()
    for game in ("hooked", "hook"):
        html = phone.get(f"/setup?game={game}").text
        assert "Press your button" in html and 'data-fragment="buttons"' in html
        assert 'class="button-waiting" data-part="button-seat-1"' in html
        assert "Seat 2 It is not there: unplugged." in text_of(html)
    seen = ButtonHealth("seat-1", seen=True)
    angling.table.buttons((ButtonLine("seat-1", seen.seen, seen.ok, seen.sentence), told[1]))
    angling.table.settle()
    fragment = phone.get("/api/fragments").json["fragments"]["buttons"]
    assert 'class="button-alive" data-part="button-seat-1"' in fragment
    assert "Seat 1 It works." in text_of(fragment)
