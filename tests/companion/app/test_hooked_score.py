"""What the comparison with the truth calls right, asked, wrong and missed."""

from __future__ import annotations

import pytest

from companion.app.hooked_score import judgement, reading, unasked
from companion.app.hooked_truth import Truth
from companion.core.facts import Question
from companion.games.hooked.scripted import SlapTruth, Sort
from companion.games.hooked.state import LakeCard, Meant, Slap, Slapped
from companion.words import _

MS = 1_000_000
SHOWN = 10_000 * MS


def truth(*slaps: tuple[str, Sort, int], why: str | None = None) -> Truth:
    pressed = tuple(SlapTruth(seat, SHOWN + ms * MS, ms * MS, sort, "clean") for seat, sort, ms in slaps)
    return Truth("seat-1", "walleye", why, SHOWN - 900 * MS, SHOWN, pressed)


def card(id: str = "walleye", seat: str = "seat-1", *, early_ms: int = 33) -> LakeCard:
    seen = SHOWN + (33 - early_ms + 33) * MS
    return LakeCard(7, id, seat, seen, seen - 66 * MS)


def slap(*presses: tuple[str, Meant], winner: str | None = None, dead_heat: tuple[str, ...] = ()) -> Slap:
    pressed = tuple(Slapped(seat, SHOWN, 0, verdict) for seat, verdict in presses)
    return Slap(7, ("walleye",), None, True, SHOWN, SHOWN, pressed, winner=winner, dead_heat=dead_heat)


@pytest.mark.parametrize(
    ("told", "asked", "read", "bad"),
    [
        ([card()], (), "right", 0),
        ([], (), "missed", 1),
        ([card("pike")], (), "wrong", 1),
        ([card("pike")], ("card",), "asked", 0),
        ([card("pike")], ("press",), "wrong", 1),
        ([card("pike"), card()], (), "wrong", 1),
        ([card(seat="seat-2")], (), "wrong", 1),
        ([card(seat="seat-2")], ("turn",), "right", 0),
        ([card(seat="seat-2")], ("press",), "wrong", 1),
        ([card(early_ms=-200)], (), "wrong", 1),
        ([card(early_ms=250)], (), "wrong", 1),
    ],
)
def test_a_flip_is_right_in_card_seat_and_moment_or_asked_about(
    told: list[LakeCard], asked: tuple[str, ...], read: str, bad: int
) -> None:
    found = reading(truth(), told, asked)
    assert (found.read, len(found.bad)) == (read, bad)


@pytest.mark.parametrize(("kind", "flip", "left"), [("card", 7, 0), ("turn", 7, 1), ("card", 6, 1)])
def test_a_card_that_was_only_moved_is_honest_where_it_is_asked_about(kind: str, flip: int, left: int) -> None:
    question = Question("q", kind, _("Which?"), (), about={"flip": flip})
    assert len(unasked([card()], [question])) == left


QUICK = (("seat-1", "right", 300), ("seat-2", "right", 340))
TIED = (("seat-1", "right", 300), ("seat-2", "right", 301))


@pytest.mark.parametrize(
    ("slaps", "why", "judged", "read"),
    [
        (QUICK, "twins", slap(("seat-1", "won"), ("seat-2", "late"), winner="seat-1"), "right"),
        (QUICK, "twins", slap(("seat-2", "won"), winner="seat-2"), "wrong"),
        (QUICK, "twins", None, "wrong"),
        (QUICK, "twins", slap(dead_heat=("seat-1", "seat-2")), "wrong"),
        (TIED, "twins", slap(dead_heat=("seat-1", "seat-2")), "right"),
        (TIED, "twins", slap(winner="seat-2"), "right"),
        ((("seat-2", "wrong", 400),), None, slap(("seat-2", "wrong")), "right"),
        ((("seat-2", "wrong", 400),), None, None, "wrong"),
        ((("seat-2", "early", -80),), None, slap(("seat-2", "wrong")), "wrong"),
        ((("seat-2", "early", -80),), None, slap(("seat-2", "early")), None),
        ((("seat-2", "early", 90),), None, slap(("seat-2", "wrong")), "right"),
        ((), None, slap(("seat-3", "won"), winner="seat-3"), "wrong"),
        ((("seat-2", "locked", 300),), "twins", slap(("seat-2", "won"), winner="seat-2"), "wrong"),
        ((), "twins", None, None),
    ],
)
def test_a_verdict_is_right_when_the_truly_first_won_and_only_wrong_ones_paid(
    slaps: tuple[tuple[str, Sort, int], ...], why: str | None, judged: Slap | None, read: str | None
) -> None:
    found = judgement(truth(*slaps, why=why), judged, asked=False)
    assert (found.read, bool(found.bad)) == (read, read == "wrong")
    if read == "right":
        assert judgement(truth(*slaps, why=why), judged, asked=True).read == "asked"


def test_a_replay_is_between_the_tied_seats() -> None:
    flip = truth(("seat-3", "wrong", 250), ("seat-2", "wrong", 300))
    assert judgement(flip, slap(winner="seat-2"), asked=False, only=("seat-1", "seat-2")).read == "right"
    assert judgement(flip, slap(winner="seat-3"), asked=False, only=("seat-1", "seat-2")).read == "wrong"


def test_a_card_is_won_with_the_one_before_only_by_an_early_press() -> None:
    early = truth(("seat-3", "early", 20), ("seat-2", "right", 300), why="twins")
    assert judgement(early, slap(("seat-2", "late")), asked=False, swept=True).read == "right"
    late = truth(("seat-2", "right", 300), why="twins")
    assert judgement(late, slap(("seat-2", "late")), asked=False, swept=True).read == "wrong"
