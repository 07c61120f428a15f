"""A pile followed frame by frame on a painted table."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from companion.world import Image, PileChange, Scene, Sighting
from tests.vision.piles import Lying, Painted, Palm, deck
from vision.catalog import Catalog, build
from vision.pile_pipeline import PilePipeline
from vision.reading import StillReader


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    folder: Path = tmp_path_factory.mktemp("piles") / "deck"
    return build(deck(folder))


class Table:
    """People at a painted table, and what is told of it."""

    def __init__(self, catalog: Catalog, reader: StillReader | None = None) -> None:
        self.painted = Painted(seed=3)
        self.pipeline = PilePipeline(catalog, reader=reader)
        self.pile: tuple[Lying, ...] = ()
        self.scene = Scene(0, 0, (0, 0))
        self.rest(3)

    def rest(self, frames: int = 3) -> None:
        for _ in range(frames):
            self.scene = self.pipeline.step(self.painted.frame(self.pile))

    def hand(self, at: Iterable[float], way: float, held: Lying | None = None) -> None:
        for away in at:
            palm = Palm(away if way == 0 else 0.0, away if way == 90 else 0.0, way)
            self.scene = self.pipeline.step(self.painted.frame(self.pile, (palm,), held))

    def flip(self, card: Lying, way: float = 90) -> None:
        self.hand((160, 110), way, card.moved(0, 90))
        self.hand((60,), way, card.moved(0, 25))
        self.pile = (*self.pile, card)
        self.hand((30, 60, 150), way)
        self.rest()

    def push(self, *pile: Lying, way: float = 0) -> None:
        self.hand((150, 60, 10), way)
        self.pile = pile
        self.hand((10, 60, 150), way)
        self.rest()

    @property
    def changes(self) -> tuple[PileChange, ...]:
        return self.scene.pile.changes if self.scene.pile is not None else ()

    def came(self) -> list[str | None]:
        return [c.top.id if c.top is not None else None for c in self.changes if c.came > 0.5]


def test_cards_are_named_as_they_come_and_when(catalog: Catalog) -> None:
    table = Table(catalog)
    assert table.scene.pile is None
    for card in (Lying("card-0", 0, 0, 5), Lying("card-1", 8, -4, 30), Lying("card-2", -6, 5, 170)):
        lands = table.painted.t_ns + 4 * 66_666_667
        table.flip(card)
        assert table.came()[-1] == card.id
        change = table.changes[-1]
        assert change.before_ns < change.seen_ns <= lands + 3 * 66_666_667
        assert change.seen_ns >= lands
        assert change.hands and abs(change.hands[0] - 90) < 30
    assert table.came() == ["card-0", "card-1", "card-2"]


def test_twins_are_two_and_a_nudge_is_none(catalog: Catalog) -> None:
    table = Table(catalog)
    first, second = Lying("card-1", 4, 4, 20), Lying("card-0", 0, 0, 5)
    table.flip(first)
    table.flip(second)
    table.push(first, second.moved(3, 2, 1))
    assert table.came() == ["card-1", "card-0"]
    table.flip(second.moved(5.5, 3, 0))
    assert table.came() == ["card-1", "card-0", "card-0"]
    moved = table.changes[-1].moved_mm
    assert moved is not None and 1.8 < moved < 3.6


def test_a_hand_over_a_pile_changes_nothing(catalog: Catalog) -> None:
    table = Table(catalog)
    card = Lying("card-0", 0, 0, 5)
    table.flip(card)
    table.push(card)
    assert table.came() == ["card-0"]


def test_a_lake_that_was_taken_is_gone_and_begins_anew(catalog: Catalog) -> None:
    table = Table(catalog)
    table.flip(Lying("card-0", 0, 0, 5))
    table.push()
    assert table.scene.pile is not None and table.scene.pile.top is None
    assert table.changes[-1].gone
    table.flip(Lying("card-0", 3, 0, 5))
    assert table.came() == ["card-0", "card-0"]


@pytest.mark.parametrize("count", [1, 2, 5])
def test_a_lake_on_cards_that_were_put_down_first_is_gone_with_them(catalog: Catalog, count: int) -> None:
    table = Table(catalog)
    table.flip(Lying("card-0", 0, 0, 5))
    table.push()
    back = Lying("back", 2, 1, 20)
    table.push(*(back.moved(4 * k, -3 * k, 70 * k) for k in range(count)))
    assert table.changes[-1].gone
    table.flip(Lying("card-1", 3, 0, 5))
    table.push()
    assert table.changes[-1].gone
    assert table.came() == ["card-1"]


def test_a_card_that_is_covered_at_once_is_read_afterwards(catalog: Catalog) -> None:
    table = Table(catalog)
    table.flip(Lying("card-0", 0, 0, 5))
    card = Lying("card-3", 4, 3, 15)
    table.hand((160, 110), 90, card.moved(0, 90))
    table.pile = (*table.pile, card)
    table.hand((75,), 90)  # open for a single frame, while the hand leaves
    table.hand((10, *(-10,) * 9), 0)  # and slapped
    assert table.came() == ["card-0", "card-3"]


def test_a_card_that_misses_the_uppermost_is_told_once_the_hand_has_let_go(catalog: Catalog) -> None:
    table = Table(catalog)
    table.flip(Lying("card-0", 0, -20, 5))
    table.pile = (*table.pile, Lying("card-3", 6, 66, 100))
    table.hand((70, 80, 85, 85, 85, 85), 90)  # it rests at the new card's edge, the old one is open
    assert table.came() == ["card-0"]
    table.hand((110, 150), 90)
    table.rest()
    assert table.came() == ["card-0", "card-3"]


class Fanciful(StillReader):
    """Takes something beside a hand for a card, not quite sure of it."""

    hand = False

    def look(self, image: Image, **how: Any) -> tuple[Sighting, ...]:
        seen = super().look(image, **how)
        corners = ((5.0, 5.0), (45.0, 5.0), (45.0, 60.0), (5.0, 60.0))
        return (*seen, Sighting("card-5", "card", corners, 0.6, True)) if self.hand else seen


def test_a_sleeve_that_looks_a_little_like_a_card_begins_no_pile(catalog: Catalog) -> None:
    reader = Fanciful(catalog)
    table, card = Table(catalog, reader), Lying("card-0", 0, 0, 5)
    reader.hand = True
    table.hand((160, 110), 90, card.moved(0, 90))
    table.pile = (card,)
    table.hand((30, 36, 36, 36, 36, 36, 60, 150), 90)
    reader.hand = False
    table.rest()
    assert [change.top and change.top.id for change in table.changes] == ["card-0"]
