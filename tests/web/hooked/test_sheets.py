"""What is put right on the sheets of Hooked!: they show how it stands, do what they say, and never come too late."""

from __future__ import annotations

import re
from html import unescape

from angling import Angling
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.games.hooked.facts import CardPassed, TellSlap

Form = tuple[str, dict[str, str]]


def forms(phone: FlaskClient, path: str) -> list[str]:
    return re.findall(r"<form.*?</form>", phone.get(path).text, re.S)


def filled(form: str) -> Form:
    """Where a form goes, and what a browser sends of it that nobody touched."""
    data = {
        name: unescape(value) for name, value in re.findall(r'<input[^>]* name="([\w-]+)"[^>]* value="([^"]*)"', form)
    }
    for name, options in re.findall(r'<select name="(\w+)">(.*?)</select>', form, re.S):
        values = re.findall(r'value="([^"]*)"( selected)?', options)
        data[name] = next((value for value, selected in values if selected), values[0][0])
    action = re.search(r'action="([^"]+)"', form)
    assert action
    return action[1], data


def form_with(phone: FlaskClient, path: str, *words: str) -> Form:
    return filled(next(form for form in forms(phone, path) if all(word in form for word in words)))


def send(phone: FlaskClient, form: Form, **more: str) -> TestResponse:
    action, data = form
    return phone.post(action, data=data | more)


def text_of(html: str) -> str:
    return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html)))


def lake(angling: Angling) -> list[str]:
    return [card.card for card in angling.state.lake]


# Recount


def test_a_recount_from_a_sheet_that_is_out_of_date_puts_nothing_back(phone: FlaskClient, angling: Angling) -> None:
    angling.start()
    angling.flip("walleye")
    old = form_with(phone, "/hooked/recount", "stack-seat-1")
    assert old[1]["lake"] == "1"
    angling.flip("walleye")
    angling.slap("seat-3", 300.0)
    answer = send(phone, old)
    assert answer.status_code == 409 and 'href="/hooked/recount"' in answer.text
    assert angling.stacks == (20, 20, 22)
    action, data = old
    state = phone.post(action, data=data, headers={"Accept": "application/json"}).json["state"]
    assert dict(state["state"]["stacks"]) == {"seat-1": 20, "seat-2": 20, "seat-3": 22}


def test_a_recount_changes_only_what_was_touched_also_after_the_end(phone: FlaskClient, angling: Angling) -> None:
    angling.start()
    angling.flip("walleye")
    angling.flip("bluegill")
    counts = {"stack-seat-1": "0", "stack-seat-2": "0", "stack-seat-3": "60"}
    assert send(phone, form_with(phone, "/hooked/recount", "stack-seat-1"), **counts).status_code == 303
    assert angling.state.over and angling.state.lake_size == 2
    form = form_with(phone, "/hooked/recount", "stack-seat-1")
    assert "Nothing was counted" in send(phone, form).text
    assert send(phone, form, **{"stack-seat-2": "30", "stack-seat-3": "30"}).status_code == 303
    assert (angling.stacks, angling.state.over) == ((0, 30, 30), False)
    assert send(phone, form_with(phone, "/hooked/recount", "stack-seat-1"), turn="seat-2").status_code == 303
    assert angling.state.turn == "seat-2"


# Who slapped


def test_somebody_else_was_first(phone: FlaskClient, angling: Angling) -> None:
    angling.start()
    angling.flip("walleye")
    flip = angling.flip("walleye")
    angling.ask(TellSlap(seat="seat-3"))
    sheet = f"/hooked/slap/{flip}"
    assert "That was no slap" not in phone.get(sheet).text
    assert send(phone, form_with(phone, sheet, "TellSlap", "seat-1")).status_code == 303
    assert "Anna was first" in phone.get(sheet).text
    assert angling.stacks == (22, 20, 20)
    assert send(phone, form_with(phone, sheet, "Undo")).status_code == 303
    assert "Chloé was first" in phone.get(sheet).text
    assert send(phone, form_with(phone, sheet, "Undo")).status_code == 303
    assert angling.stacks == (20, 20, 20) and lake(angling) == ["walleye", "walleye"]


def test_somebody_else_slapped_a_wrong_card_too(phone: FlaskClient, angling: Angling) -> None:
    angling.start()
    flip = angling.flip("walleye")
    angling.ask(TellSlap(seat="seat-3"))
    assert "Somebody else slapped it too" in phone.get(f"/hooked/slap/{flip}").text
    assert send(phone, form_with(phone, f"/hooked/slap/{flip}", "TellSlap", "seat-1")).status_code == 303
    assert angling.stacks == (18, 21, 18)


# Moments


def test_each_card_of_a_photo_finish_leads_to_its_own_flip(phone: FlaskClient, angling: Angling) -> None:
    angling.start()
    flips = {card: angling.flip(card) for card in ("bluegill", "walleye", "muskellunge")}
    none = form_with(phone, f"/hooked/flip/{flips['muskellunge']}", "There was no such flip")
    assert send(phone, none, none="1").status_code == 303
    flips["northern-pike"] = angling.flip("northern-pike")
    angling.slap("seat-2", 300.0)
    html = phone.get(f"/hooked/slap/{flips['northern-pike']}").text
    cards = re.search(r'<ol class="lake-cards">.*?</ol>', html, re.S)
    assert cards
    links = re.findall(r'card-words">([^<]+)<.*?href="/hooked/flip/(\d+)"', cards[0], re.S)
    wanted = [("Bluegill", "bluegill"), ("Walleye", "walleye"), ("Northern Pike", "northern-pike")]
    assert links == [(name, str(flips[card])) for name, card in wanted]


def test_two_moments_of_one_card_have_a_page_each(phone: FlaskClient, angling: Angling) -> None:
    angling.start()
    angling.flip("bluegill")
    first = angling.flip("walleye")
    angling.slap("seat-3", 300.0)
    second = angling.flip("muskellunge")
    angling.slap("seat-1", 300.0)
    none = form_with(phone, f"/hooked/flip/{second}", "There was no such flip")
    assert send(phone, none, none="1").status_code == 303
    assert [slap.id for slap in angling.state.slaps] == [first, first]
    assert "Chloé slapped wrongly" in phone.get(f"/hooked/slap/{first}").text
    assert "Anna slapped wrongly" in phone.get(f"/hooked/slap/{second}").text
    assert f'href="/hooked/slap/{second}"' in phone.get("/").text
    said = text_of(phone.get("/hooked/why/seat-3").text)
    assert "Chloé slapped wrongly −2" in said and "Anna slapped wrongly" not in said


# Flips


def test_the_sheet_of_a_flip_shows_how_it_stands(phone: FlaskClient, angling: Angling) -> None:
    angling.start()
    angling.flip("bluegill")
    flip = angling.flip("walleye")
    for change in ({"card": "muskellunge"}, {"seat": "seat-1"}):
        form = form_with(phone, f"/hooked/flip/{flip}", "It was another card")
        assert send(phone, form, **change).status_code == 303
    html = phone.get(f"/hooked/flip/{flip}").text
    marked = re.findall(r'value="([\w-]+)" aria-current="true"', html)
    assert marked == ["muskellunge", "seat-1"]
    assert "#8 Walleye" not in text_of(html) and "flipped by Anna" in html
    said = text_of(phone.get("/history").text)
    assert "Anna flipped #14 Muskellunge · corrected" in said and "Walleye" not in said


def test_a_flip_that_was_none_is_one_again(phone: FlaskClient, angling: Angling) -> None:
    angling.start()
    flip = angling.flip("walleye")
    sheet = f"/hooked/flip/{flip}"
    for change, cards in (
        ({"none": "1"}, []),
        ({"card": "muskellunge"}, ["muskellunge"]),
        ({"none": "1"}, []),
        ({"counts": "1"}, ["muskellunge"]),
    ):
        assert send(phone, form_with(phone, sheet, "It was another card"), **change).status_code == 303
        assert lake(angling) == cards
        assert ("Not a flip" in phone.get(sheet).text) is not bool(cards)
    assert "It was a flip after all" in phone.get("/history").text


def test_a_flip_that_was_taken_back_says_so(phone: FlaskClient, angling: Angling) -> None:
    angling.start()
    flip = angling.flip("walleye")
    angling.ask({"command": "Undo", "target": flip})
    html = phone.get(f"/hooked/flip/{flip}").text
    assert "was taken back and does not count" in html and "It was another card" not in html
    assert send(phone, form_with(phone, f"/hooked/flip/{flip}", "Redo")).status_code == 303
    assert lake(angling) == ["walleye"]


# Two phones at once


def test_two_corrections_of_one_flip_are_not_both_done(phone: FlaskClient, angling: Angling) -> None:
    angling.start()
    flip = angling.flip("walleye")
    form = form_with(phone, f"/hooked/flip/{flip}", "It was another card")
    assert send(phone, form, card="muskellunge").status_code == 303
    assert send(phone, form, card="bluegill").status_code == 409
    assert lake(angling) == ["muskellunge"]


def test_a_flip_tapped_twice_is_one(phone: FlaskClient, angling: Angling) -> None:
    angling.start()
    form = form_with(phone, "/hooked/flip", "card-pick")
    tap = {"seat": "seat-1", "card": "walleye"}
    assert [send(phone, form, **tap).status_code for _ in range(2)] == [303, 409]
    assert lake(angling) == ["walleye"] and angling.stacks == (20, 21, 20)


def test_two_answers_about_one_slap_are_not_both_done(phone: FlaskClient, angling: Angling) -> None:
    angling.start()
    angling.flip("walleye")
    flip = angling.flip("walleye")
    nobody = form_with(phone, f"/hooked/flip/{flip}", "Nobody slaps it")
    told = form_with(phone, f"/hooked/flip/{flip}", "TellSlap", "seat-1")
    assert [send(phone, form).status_code for form in (nobody, told)] == [303, 409]
    assert isinstance(angling.table.snapshot().facts[-1].fact, CardPassed)
    card = angling.flip("net-cast")
    angling.slap("seat-2", 300.0)
    found = [filled(form) for form in forms(phone, f"/hooked/slap/{card}") if 'name="about"' in form]
    kinds = ("RulePress", "Veto", "TellSlap")
    asks = [next(form for form in found if kind in form[1].get("command", "")) for kind in kinds]
    assert [send(phone, form).status_code for form in asks] == [303, 409, 409]


# The next game


def test_nothing_of_the_next_game_is_taken_for_something_of_this_one(phone: FlaskClient, angling: Angling) -> None:
    keys = []
    for _game in range(2):
        angling.start()
        angling.flip("walleye")
        angling.flip("bluegill", "seat-1")
        angling.slap("seat-3", 300.0)
        html = phone.get("/").text
        keys.append(re.findall(r'data-sound-key="(slap-[^"]+)"|data-(?:part|later)="(doubt-[^"]+)"', html))
        angling.ask({"command": "EndMatch"})
    assert len(keys[0]) == len(keys[1]) == 3
    assert not set(keys[0]) & set(keys[1])


def test_a_set_up_drawn_before_a_game_began_does_not_put_it_away(phone: FlaskClient, angling: Angling) -> None:
    old = form_with(phone, "/setup?game=hooked", "name-1")
    assert "match" not in old[1]
    assert send(phone, old, **{"name-1": "Anna", "name-2": "Ben"}).status_code == 303
    match = angling.table.snapshot().match
    answer = send(phone, old, **{"name-1": "Carla", "name-2": "Dan"})
    assert answer.status_code == 409 and "Another match is on the table now." in answer.text
    assert angling.table.snapshot().match == match
    new = form_with(phone, "/setup?game=hooked", "name-1")
    assert send(phone, new, **{"name-1": "Carla", "name-2": "Dan"}).status_code == 303
