"""An evening at the Lake as it is acted, without looking at it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from companion.app.evenings import loaded
from companion.app.lake_evening import LakeEvening
from companion.games.hooked import practice_deck
from companion.games.hooked.names import CATCH_AND_RELEASE
from companion.games.hooked.script import Shown
from hardware.simulated.conditions import BY_NAME


@pytest.mark.parametrize("seed", [8, 10])
def test_an_evening_is_watched_until_no_hand_hides_its_last_card(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    watched: list[Shown] = []

    def watch(_evening: LakeEvening, frames: Sequence[Shown]) -> None:
        watched.extend(frames)

    monkeypatch.setattr(LakeEvening, "_watch", watch)
    deck, catalog = loaded(str(practice_deck.folder()))
    *_, last = LakeEvening(deck, catalog, BY_NAME["easy"], seed).play(["flip"] * 8)
    assert last.how == "slapped"
    assert any(shown.pose.hands for shown in watched if shown.t_ns > last.seen_ns)
    assert watched[-1].still and not watched[-1].pose.hands


def test_after_a_catch_and_release_the_next_lake_lies_on_the_others_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LakeEvening, "_watch", lambda _evening, _frames: None)
    deck, catalog = loaded(str(practice_deck.folder()))
    evening = LakeEvening(deck, catalog, BY_NAME["easy"], 8)
    taken, last = 0, ""
    for act in evening.play(["flip"] * 62):
        lake = evening.script.stage.lake.cards
        if act.sort == "take" and last == CATCH_AND_RELEASE:
            taken += 1
            assert [card.face_up for card in lake] == [False] * (len(evening.seats) - 1)
        elif act.sort == "take":
            assert not lake
        last = act.card
    assert taken
