"""A match goes on rightly after a boot, though the kernel's clock begins anew."""

import pytest

from companion.app.games import GAMES
from companion.games.hooked.facts import Flip
from companion.table import StartMatch
from companion.table.clock import APART_NS, later_scene
from companion.world import Pile, PileChange, Player, Press, Scene

S, MS = 1_000_000_000, 1_000_000
SEATS = ("seat-1", "seat-2", "seat-3")


class Playing:
    """People who flip and slap, whatever the clock says; the table is stopped and taken up again between."""

    def __init__(self, make, clock, source):
        self._make, self._clock, self._source = make, clock, source
        self.table = make(hooked=GAMES["hooked"].kit)
        players = tuple(Player(seat, seat) for seat in SEATS)
        assert self.table.ask(StartMatch(game="hooked", players=players)).accepted

    @property
    def state(self):
        return self.table.snapshot().state

    def flip(self, card):
        self._clock.now += 5 * S
        at = self.table.clock()
        seen = {"seen_ns": at, "before_ns": at - 66 * MS} if self._source == "camera" else {}
        assert self.table.ask(Flip(card=card, seat=self.state.turn, source=self._source, **seen)).accepted

    def slap(self, seat):
        at = self._clock.now + 300 * MS
        self.table.press(Press(seat, at, 1))
        self.table.press(Press(seat, at + 80 * MS, 0))
        self._clock.now = at + 500 * MS
        self.table.settle()

    def reboot(self, now):
        self.table.stop()
        self._clock.now = now
        self.table = self._make(hooked=GAMES["hooked"].kit)


@pytest.mark.parametrize("source", ["camera", "tap"])
@pytest.mark.parametrize("boots", [[], [60 * S], [60 * S, 5 * S], [9000 * S], [60 * S, 61 * S]])
def test_after_a_boot_cards_and_slaps_are_later_than_all_before(make, clock, source, boots):
    clock.now = 3600 * S
    play = Playing(make, clock, source)
    cards = ["fish-1", "fish-8"]
    for card in cards:
        play.flip(card)
    for now, card in zip(boots, ("fish-11", "fish-15"), strict=False):
        play.reboot(now)
        play.flip(card)
        cards.append(card)
    play.flip("fish-5")
    play.flip("fish-5")
    assert [card.card for card in play.state.lake] == [*cards, "fish-5", "fish-5"]
    play.slap("seat-2")
    assert (play.state.slaps[-1].winner, play.state.slaps[-1].why) == ("seat-2", "twins")
    assert play.state.lake_size == 0
    play.flip("fish-6")
    assert [card.card for card in play.state.lake] == ["fish-6"]
    assert not play.state.conflicts and not play.table.snapshot().doubts


def test_a_clock_that_goes_on_is_left_as_it_is(make, clock):
    clock.now = 3600 * S
    play = Playing(make, clock, "tap")
    play.flip("fish-1")
    play.reboot(3700 * S)
    assert play.table.clock() == 3700 * S
    play.reboot(60 * S)
    assert play.table.clock() >= 3605 * S + APART_NS


def test_of_a_scene_every_time_goes_along_and_nothing_else():
    change = PileChange(5, seen_ns=4, before_ns=0)
    scene = Scene(6, 1, (8, 8), pile=Pile(None, (change,)))
    later = later_scene(scene, APART_NS)
    assert (later.t_ns, later.sequence) == (6 + APART_NS, 1)
    assert later.pile.changes == (PileChange(5 + APART_NS, seen_ns=4 + APART_NS, before_ns=0),)
    assert later_scene(scene, 0) is scene and later_scene(Scene(6, 1, (8, 8)), 2).t_ns == 8
