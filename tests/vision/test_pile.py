"""What is made of a pile's readings, without pictures that matter."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from companion.deck import Piece
from companion.world import Image, Quad, Sighting
from vision.layers import Layers, Rest
from vision.pile import Look, PileFollower
from vision.pile_reading import PileReader
from vision.shifted import Evidence, Move
from vision.twin import probability
from vision.visit import Glimpse, Visit

BOX = (0, 0, 200, 200)
AT = np.array([(60, 50), (120, 50), (120, 140), (60, 140)], float)


def picture(value: int = 120) -> Image:
    return np.full((200, 200, 3), value, np.uint8)


def seen(id: str, by: tuple[float, float] = (0, 0), confidence: float = 1.0) -> Sighting:
    a, b, c, d = ((float(x), float(y)) for x, y in AT + by)
    quad: Quad = (a, b, c, d)
    return Sighting(id, "card", quad, confidence, True)


def follower() -> PileFollower:
    pile = PileFollower(Layers({}, BOX))
    pile.look(picture(), 1, seen("pike"), None, open=True)
    assert pile.decide()
    return pile


def test_what_cannot_be_read_changes_nothing() -> None:
    pile = follower()
    for t_ns in range(2, 8):
        pile.look(picture(30), t_ns, None, None, open=True)
        assert not pile.decide()
    assert not pile.decide(last=True)
    assert [change.top and change.top.id for change in pile.changes] == ["pike"]
    pile.look(picture(), 9, seen("bass", (5, 5)), None, open=True)
    assert pile.decide()
    assert pile.changes[-1].came > 0.9


def test_of_equally_sure_readings_under_hands_the_latest_counts() -> None:
    pile = follower()
    pile.looks += [Look(pile.rest, 0.0, None, False)]  # type: ignore[arg-type]
    pile.look(picture(), 5, seen("bass", (8, 0), 0.995), None, open=False)
    assert pile.decide()
    assert pile.changes[-1].top is not None and pile.changes[-1].top.id == "bass"


@pytest.mark.parametrize(
    ("confidence", "open", "told"), [(0.98, False, False), (0.98, True, True), (0.995, False, True)]
)
def test_while_a_hand_is_there_only_what_is_read_beyond_doubt_is_told(
    confidence: float, open: bool, told: bool
) -> None:
    pile = follower()
    pile.look(picture(), 5, seen("bass", (8, 0), confidence), None, open=open)
    assert pile.decide() == told
    assert told or pile.decide(last=True)


def test_a_pile_taken_away_before_it_lay_openly_tells_only_what_was_read_well() -> None:
    pile = follower()
    pile.look(picture(), 5, seen("gar", (8, 0), 0.5), None, open=False)
    assert not pile.decide(last=True)
    pile.look(picture(), 6, seen("gar", (8, 0), 0.85), None, open=False)
    assert pile.decide(last=True)


def test_cards_of_a_pushed_pile_are_known() -> None:
    pile = follower()
    pile.look(picture(), 5, seen("bass", (20, 0)), None, open=True)
    assert pile.decide()
    assert pile.layers.known(seen("pike")) == 2
    pushed = [seen("pike", (9, 9)), seen("bass", (29, 9))]
    assert pile.layers.known(pushed[0]) == 0
    assert pile.layers.known(pushed[0], pushed) == 2
    assert pile.layers.known(pushed[1], pushed) == 1
    assert pile.layers.known(seen("pike", (40, 0)), pushed) == 0


@pytest.mark.parametrize(("by", "certain"), [((9, 9), False), ((60, 9), True)])
def test_a_lower_card_pushed_out_from_under_a_palm_is_no_new_one_for_certain(
    by: tuple[int, int], certain: bool
) -> None:
    pile = follower()
    pile.look(picture(), 5, seen("bass", (20, 0)), None, open=True)
    assert pile.decide()
    palm = np.full((200, 200), 255, np.uint8)  # it hides the bass
    pile.look(picture(), 8, seen("pike", by), palm, open=False)
    assert pile.decide() == certain
    assert certain or pile.decide(last=True)  # never seen openly: asked about
    assert (pile.changes[-1].came > 0.9) == certain and pile.changes[-1].came >= 0.5


@pytest.mark.parametrize(
    ("bass_confidence", "bass_stays", "pike_stays", "certain"),
    [(1.0, True, True, True), (1.0, False, True, False), (1.0, True, False, False), (0.75, True, True, False)],
)
def test_a_lower_card_that_was_pushed_with_the_others_is_no_new_one_for_certain(
    bass_confidence: float, bass_stays: bool, pike_stays: bool, certain: bool
) -> None:
    """It is one if what shows of its like and of the uppermost stays as it was, and that surely was the uppermost."""
    pile, now = follower(), picture()
    now[50:140, 130:140] = 120 if bass_stays else 30
    now[50:140, 60:66] = 120 if pike_stays else 30
    pile.looks += [
        Look(
            Rest(5, picture(), picture()[::2, ::2], seen("bass", (20, 0), bass_confidence), AT + np.array((20, 0))),
            0.99,
            None,
            True,
        )
    ] * 3
    assert pile.decide()
    for t_ns in (8, 9, 10):
        pile.look(now, t_ns, seen("pike", (12, 0)), None, open=True)
    assert pile.decide()
    assert (pile.changes[-1].came > 0.9) == certain and pile.changes[-1].came >= 0.5


@pytest.mark.parametrize(("by", "certain"), [(6, False), (12, True)])
def test_a_lower_card_that_is_seen_near_to_where_it_lay_is_no_new_one_for_certain(by: int, certain: bool) -> None:
    """The uppermost was pushed along, and is not read under the hand that did."""
    pile = follower()
    pile.look(picture(), 5, seen("bass", (20, 0)), None, open=True)
    assert pile.decide()
    for t_ns in (8, 9, 10):
        pile.look(picture(), t_ns, seen("pike", (by, 0)), None, open=True)
    assert pile.decide()
    assert (pile.changes[-1].came > 0.9) == certain and pile.changes[-1].came >= 0.5


def test_a_card_that_lay_there_unread_when_something_else_was_asked_about_is_not_told_for_certain_as_new() -> None:
    pile, move = follower(), Move(2.0, 0.0, 0.0)
    assert pile.rest is not None
    under = Rest(5, picture(), picture()[::2, ::2], seen("pike", (2, 0)), AT + np.array((2, 0)))
    pile.looks.append(Look(under, 0.3, Evidence(move, 1.0, 0.02, 0.02, 0.02, 90.0, 0.01), False))  # before palms came
    for t_ns in (6, 7, 8):
        pile.look(picture(30), t_ns, None, None, open=True)
    assert pile.decide()
    assert pile.changes[-1].came == 0.3
    came = []
    for t_ns, id in ((20, "bass"), (30, "gar")):
        for later in range(3):
            pile.look(picture(), t_ns + later, seen(id, (t_ns, 0)), None, open=True)
        assert pile.decide()
        came.append(pile.changes[-1].came)
    assert came[0] == 0.5 and came[1] > 0.9  # the next one is certain again


@pytest.mark.parametrize(("came", "told"), [(0.9, False), (0.99, True)])
def test_a_twin_is_told_while_a_hand_is_there_only_if_it_is_plain(came: float, told: bool) -> None:
    """A hand that pushes a card shows it otherwise in every frame."""
    pile, move = follower(), Move(3.0, 0.0, 3.0)
    rest = Rest(10**9, picture(), picture()[::2, ::2], seen("pike", (3, 0)), AT + np.array((3, 0)))
    pile.looks.append(Look(rest, came, Evidence(move, 1.0, 0.02, 0.2, 0.2, 52.0, 0.01), False))
    assert pile.decide() == told


@pytest.mark.parametrize(
    "stayed,went,under,noise,least,most",
    [
        (0.015, 0.17, 0.10, 0.015, 0.95, 1.0),  # the old card sticks out as it lay
        (0.013, 0.015, 0.008, 0.018, 0.12, 0.88),  # a card with a white rim on a white table: a doubt
        (0.05, 0.22, 0.15, 0.016, 0.12, 0.88),  # what sticks out is nothing that is known: a doubt
        (0.07, 0.18, 0.02, 0.015, 0.0, 0.05),  # what lay below is seen again
        (0.07, 0.02, 0.02, 0.015, 0.0, 0.05),  # everything has moved along
    ],
)
def test_how_likely_a_twin_is(
    stayed: float, went: float, under: float, noise: float, least: float, most: float
) -> None:
    evidence = Evidence(Move(3.0, 0.0, 0.0), 0.99, stayed, went, under, 200.0, noise)
    assert least <= probability(evidence) <= most


def test_a_pale_card_on_a_pale_table_is_not_seen_before_it_lies_there() -> None:
    table, card = picture(200)[::2, ::2].copy(), picture(200)[::2, ::2].copy()
    card[30:60:4, 32:58] = 90  # a few lines are all that tells it from the table
    visit = Visit(0, [Glimpse(t_ns, table if t_ns < 4 else card, ()) for t_ns in range(1, 7)])
    assert visit.first_seen(card, AT / 2, table, AT / 2) == (4, 3)


def test_what_shows_beside_a_hand_tells_whether_the_card_lies_there_yet() -> None:
    table, card = picture(200)[::2, ::2].copy(), picture(200)[::2, ::2].copy()
    card[25:70, 30:60] = 90
    hand = (90.0, 0.9)

    def covered(one: Image, rows: slice) -> Image:
        under = one.copy()
        under[rows] = (110, 140, 205)
        return under

    most, half, all_of_it = slice(32, 100), slice(42, 100), slice(0, 100)
    visit = Visit(0)
    for t_ns, small in enumerate(
        (table, covered(table, all_of_it), covered(table, most), covered(table, all_of_it)), 1
    ):
        visit.add(Glimpse(t_ns, small, (hand,) if t_ns > 1 else ()))
    assert visit.first_seen(card, AT / 2, table, AT / 2) == (3, 3)  # not seen at all: after the last look at the table
    visit.add(Glimpse(5, covered(card, slice(52, 100)), (hand,)))
    visit.add(Glimpse(6, card, ()))
    assert visit.first_seen(card, AT / 2, table, AT / 2) == (5, 3)
    visit.glimpses[4] = Glimpse(5, covered(card, half), (hand,))
    assert visit.first_seen(card, AT / 2, table, AT / 2) == (6, 3)  # too little of it to be sure
    visit.glimpses[4] = Glimpse(5, np.full_like(card, 20), ((90.0, 0.3),))
    assert visit.first_seen(card, AT / 2, table, AT / 2) == (6, 3)  # something leaves that may have hidden it


def test_under_palms_that_stay_it_is_not_known_when_the_card_came() -> None:
    table, card = picture(200)[::2, ::2].copy(), picture(200)[::2, ::2].copy()
    card[25:70, 30:60] = 90
    ms = 1_000_000
    palms = np.full_like(card, 60)
    palms[25:50] = 200  # as pale as the table
    for stays, before in ((300, 300), (900, 100)):
        visit = Visit(0, [Glimpse(100 * ms, table, ()), Glimpse(200 * ms, palms, ((90.0, 0.9),))])
        visit.add(Glimpse(300 * ms, palms, ((90.0, 0.9),)))
        visit.add(Glimpse((200 + stays) * ms, card, ()))
        assert visit.first_seen(card, AT / 2, table, AT / 2) == ((200 + stays) * ms, before * ms)


def test_a_palm_as_pale_as_the_table_is_not_the_table() -> None:
    table, card = picture(200)[::2, ::2].copy(), picture(200)[::2, ::2].copy()
    card[25:70, 30:60] = 90
    leaving = card.copy()
    leaving[25:60] = 200
    ms = 1_000_000
    palm = np.zeros(table.shape[:2], np.uint8)
    palm[25:60] = 255
    for palms, before in ((None, 300), (palm, 100)):
        visit = Visit(0, [Glimpse(100 * ms, table, ())])
        visit.add(Glimpse(300 * ms, leaving, ((90.0, 0.4),), palms=palms))
        visit.add(Glimpse(400 * ms, card, ()))
        assert visit.first_seen(card, AT / 2, table, AT / 2) == (400 * ms, before * ms)


def test_the_same_card_read_badly_under_a_hand_says_nothing() -> None:
    pile = follower()
    noisy = np.random.default_rng(1).integers(0, 255, (200, 200, 3), np.uint8)
    pile.look(noisy, 5, seen("pike", (3, 2)), None, open=False)
    assert not pile.looks
    pile.look(noisy, 6, seen("pike", (3, 2)), None, open=True)
    assert len(pile.looks) == 1


def test_what_was_read_before_a_hand_came_is_not_mixed_with_what_is_read_after() -> None:
    pile = follower()
    pile.look(picture(), 5, seen("bass", (8, 0), 0.85), None, open=True)
    assert not pile.decide()  # not sure yet
    pile.close()
    assert [change.top and change.top.id for change in pile.changes] == ["pike", "bass"]
    assert not pile.looks
    pile.look(picture(), 9, seen("gar", (8, 0), 0.85), None, open=False)
    pile.close()
    assert len(pile.looks) == 1  # it was read while hands were there: it may yet be of use


def test_of_a_card_under_hands_the_look_that_shows_most_of_its_rim_counts() -> None:
    pile, move = follower(), Move(1.0, 0.0, 0.0)
    assert pile.rest is not None
    for t_ns, came, area in ((5, 0.01, 52.0), (6, 0.49, 2.0)):
        rest = Rest(t_ns, picture(), picture()[::2, ::2], seen("pike", (1, 0)), AT + np.array((1, 0)))
        pile.looks.append(Look(rest, came, Evidence(move, 1.0, 0.02, 0.02, 0.02, area, 0.01), False))
    assert pile.decide(last=True)
    assert all(change.came < 0.12 for change in pile.changes[1:])


@pytest.mark.parametrize(("after_ms", "asked"), [(200, True), (900, False)])
def test_a_card_cannot_follow_its_like_at_once(after_ms: int, asked: bool) -> None:
    """The first was read askew under a palm: as soon as it goes the same card lies otherwise."""
    pile = follower()
    t_ns, move = 10**9, Move(57.0, 0.0, 88.0)
    first = Rest(t_ns, picture(), picture()[::2, ::2], seen("bass"), AT)
    pile.looks.append(Look(first, 0.99, None, False))
    pile.visit = Visit(first.t_ns)
    assert pile.decide()
    again = Rest(t_ns + after_ms * 10**6, picture(), picture()[::2, ::2], seen("bass", (9, 9)), AT + 9)
    pile.looks.append(Look(again, 0.98, Evidence(move, 1.0, 0.0, 0.2, 0.2, 52.0, 0.01), True))
    pile.visit = Visit(again.t_ns)
    assert pile.decide()
    assert (pile.changes[-1].came < 0.88) == asked


@pytest.mark.parametrize(
    ("confidence", "came", "copies", "asked"),
    [
        (1.0, 0.99, 3, False),
        (0.6, 0.99, 3, True),  # the one before may have been read askew
        (1.0, 0.5, 3, True),  # its like may be the one before, about which is asked
        (1.0, 0.99, 1, True),  # there is no other
    ],
)
def test_a_twin_is_certain_only_where_nothing_else_can_stick_out(
    confidence: float, came: float, copies: int, asked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    pile = PileFollower(Layers({"bass": Piece("bass", "card", "x", copies=copies)}, BOX))
    second = 10**9
    pile.looks.append(Look(Rest(second, picture(), picture()[::2, ::2], seen("pike"), AT), 1.0, None, True))
    assert pile.decide()
    bass = Rest(2 * second, picture(), picture()[::2, ::2], seen("bass", confidence=confidence), AT)
    pile.looks += [Look(bass, came, None, True)] * 3
    assert pile.decide()
    pile.visit = Visit(3 * second)
    evidence = Evidence(Move(9.0, 0.0, 8.0), 1.0, 0.0, 0.2, 0.2, 90.0, 0.01)
    monkeypatch.setattr("vision.layers.compare", lambda *_, **__: evidence)
    for t_ns in range(4 * second, 4 * second + 3):
        pile.look(picture(), t_ns, seen("bass", (9, 9)), None, open=True)
    assert pile.decide()
    assert (pile.changes[-1].came < 0.88) == asked and pile.changes[-1].came >= 0.5


@pytest.mark.parametrize(("apart", "asked"), [(1, True), (60, False)])
def test_a_twin_on_twins_is_a_doubt(apart: int, asked: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """What sticks out is the lower of the two, whether another has come or the upper one was pushed."""
    layers = Layers({"bass": Piece("bass", "card", "x", copies=3)}, BOX)
    evidence = Evidence(Move(4.0, 0.0, 4.0), 1.0, 0.0, 0.3, 0.3, 90.0, 0.01)
    monkeypatch.setattr("vision.layers.compare", lambda *_, **__: evidence)
    came = []
    for t_ns, by in ((1, 0), (2, apart), (3, apart + 4)):
        rest = Rest(t_ns, picture(), picture()[::2, ::2], seen("bass", (by, 0)), AT + np.array((by, 0)))
        layers.earlier = layers.earlier or rest
        came.append(layers.weigh(rest)[0])
        layers.take(rest, came[-1])
    assert came[1] > 0.95
    assert (came[2] == 0.5) == asked


def test_more_of_a_card_than_there_are_is_a_doubt_once() -> None:
    """That a Lake was taken unseen is found out by a fourth of three: the next ones are certain again."""
    layers = Layers({"bass": Piece("bass", "card", "x", copies=3), "pike": Piece("pike", "card", "y")}, BOX)
    came = []
    for k in range(12):
        card = seen("pike" if k % 2 else "bass", (5 * k, 5 * k))
        rest = Rest(k, picture(), picture()[::2, ::2], card, np.array(card.corners))
        came.append(layers.weigh(rest)[0])
        layers.take(rest, came[-1])
    assert [k // 2 for k in range(0, 12, 2) if came[k] < 0.88] == [3]


class OneCard:
    """Reads the same card in every picture."""

    pieces: dict[str, Piece] = {}  # noqa: RUF012

    def __init__(self, card: Sighting) -> None:
        self.card = card

    def look(self, image: Image, **_asked: object) -> tuple[Sighting, ...]:
        return (self.card,)


def art_of_a_card() -> Image:
    art = np.random.default_rng(3).integers(0, 255, (90, 60, 3), np.uint8)
    art = np.asarray(cv2.GaussianBlur(art, (0, 0), 4.0))
    return np.asarray(cv2.normalize(art, None, 20, 235, cv2.NORM_MINMAX), np.uint8)


@pytest.mark.parametrize(
    ("hidden", "drawn", "told"), [(0, 1.0, True), (60, 1.0, True), (0, 0.1, False), (255, 0.1, False)]
)
def test_a_hand_that_is_read_as_a_card_is_none(hidden: int, drawn: float, told: bool) -> None:
    pile, art = follower(), art_of_a_card()
    shown = picture(90)
    noise = np.random.default_rng(4).normal(110, 40, art.shape)
    shown[50:140, 60:120] = np.clip(drawn * art + (1 - drawn) * noise, 0, 255)
    covers = np.zeros(shown.shape[:2], np.uint8)
    covers[50 : 50 + hidden * 90 // 255, 60:120] = 255
    for t_ns in (5, 6):
        pile.visit.add(Glimpse(t_ns, shown[::2, ::2].copy(), ((90.0, 0.3),), shown.copy(), covers.copy()))
    pile.visit.add(Glimpse(7, picture(30)[::2, ::2].copy(), ((90.0, 1.0),)))
    reader = PileReader(OneCard(seen("bass")), {"bass": art})
    assert bool(list(reader.recalled(pile))) == told


@pytest.mark.parametrize(("drawn", "confidence", "told"), [(1.0, 0.9, True), (1.0, 0.7, False), (0.1, 0.99, False)])
def test_a_pile_begins_under_hands_only_with_what_looks_like_its_card(
    drawn: float, confidence: float, told: bool
) -> None:
    shown, art = picture(90), art_of_a_card()
    noise = np.random.default_rng(4).normal(110, 40, art.shape)
    shown[50:140, 60:120] = np.clip(drawn * art + (1 - drawn) * noise, 0, 255)
    card = seen("bass", confidence=confidence)
    assert PileReader(OneCard(card), {"bass": art}).plain(shown, card) == told


@pytest.mark.parametrize(
    ("id", "confidence", "rows", "told"),
    [
        ("bass", 1.0, 45, True),  # the hand that laid it is still above half of it
        ("bass", 1.0, 25, False),  # carried
        ("bass", 0.9, 45, False),
        ("bass", 0.9, 70, True),
        ("pike", 1.0, 45, False),  # its like: it matters exactly where it lies
        ("pike", 1.0, 70, True),
    ],
)
def test_a_card_seen_for_a_moment_under_the_hand_that_lays_it_is_told_unless_it_is_carried(
    id: str, confidence: float, rows: int, told: bool
) -> None:
    pile, art = follower(), art_of_a_card()
    shown, before = picture(), picture(30)
    shown[50:140, 60:120] = art
    before[50 : 50 + rows, 60:120] = art[:rows]
    hidden = np.full(shown.shape[:2], 255, np.uint8)
    pile.visit.add(Glimpse(5, before[::2, ::2].copy(), ((90.0, 0.9),)))
    pile.visit.add(Glimpse(6, shown[::2, ::2].copy(), ((90.0, 0.9),), shown, hidden))
    pile.visit.add(Glimpse(7, picture(30)[::2, ::2].copy(), ((90.0, 1.0),)))
    reader = PileReader(OneCard(seen(id, confidence=confidence)), {id: art})
    assert [top.id for _glimpse, _crop, top in reader.recalled(pile)] == ([id] if told else [])


@pytest.mark.parametrize(
    ("drawn", "confidence", "least"), [(1.0, 0.92, 0.9), (0.1, 0.92, 0.0), (0.1, 0.97, 0.0), (0.1, 0.995, 0.9)]
)
def test_what_seems_to_lie_openly_and_is_hardly_alike_is_doubted(drawn: float, confidence: float, least: float) -> None:
    pile, art = follower(), art_of_a_card()
    shown = picture(90)
    noise = np.random.default_rng(4).normal(110, 40, art.shape)
    shown[50:140, 60:120] = np.clip(drawn * art + (1 - drawn) * noise, 0, 255)
    reader = PileReader(OneCard(seen("bass", confidence=confidence)), {"bass": art})
    motion: Any = SimpleNamespace(scale=0.5)
    top, held = reader.uppermost(pile, shown, motion, np.zeros((25, 25), bool))
    assert top is not None and not held
    assert least <= top.confidence < (0.8 if least == 0.0 else 1.0)


@pytest.mark.parametrize(("beside", "least", "most"), [(90, 0.2, 0.8), (30, 0.0, 0.12)])
def test_a_card_where_its_like_lay_below_is_asked_about_if_the_uppermost_still_sticks_out(
    beside: int, least: float, most: float
) -> None:
    pile = follower()
    table, new = picture(), picture()
    table[50:140, 80:140] = 90
    pile.look(table, 5, seen("bass", (20, 0)), None, open=True)
    assert pile.decide()
    new[50:140, 80:140] = beside
    new[50:140, 60:120] = 200
    pile.looks.clear()
    for t_ns in (9, 10, 11):
        pile.look(new, t_ns, seen("pike"), None, open=True)
    assert pile.decide()
    assert least <= pile.changes[-1].came <= most
