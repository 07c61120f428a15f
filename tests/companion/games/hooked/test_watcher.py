"""The watcher of Hooked!: what it makes of the changes of a pile."""

from __future__ import annotations

from msgspec.structs import replace

from companion.core.facts import MatchStarted
from companion.games.hooked.facts import CardFlipped, Flip
from companion.games.hooked.rules import RULES
from companion.games.hooked.state import State
from companion.games.hooked.watcher import HookedWatcher, Memory
from companion.world import Pile, PileChange, Player, Scene, Sighting

SEATS = ("seat-1", "seat-2", "seat-3")
SIDES = {"seat-1": 90.0, "seat-2": 210.0, "seat-3": 330.0}
CORNERS = ((0.0, 0.0), (60.0, 0.0), (60.0, 90.0), (0.0, 90.0))


def started() -> State:
    return RULES.start(MatchStarted(game="hooked", rules=1, players=tuple(Player(seat, seat) for seat in SEATS)))


def card(id: str, confidence: float = 1.0) -> Sighting:
    return Sighting(id, "fish-card", CORNERS, confidence, confidence >= 0.9, ranked=((id, confidence),))


def change(t_ns: int, id: str | None = "fish-8", came: float = 1.0, **fields: object) -> PileChange:
    top = None if id is None else card(id)
    return PileChange(t_ns, top, came=came, seen_ns=t_ns - 10, before_ns=t_ns - 20, **fields)  # type: ignore[arg-type]


class Table:
    """The watcher over a match whose rules are told the truth."""

    def __init__(self) -> None:
        self.watcher, self.state = HookedWatcher(), started()
        self.memory = self.watcher.start()
        self.changes: list[PileChange] = []

    def see(self, *changes: PileChange) -> list[Flip]:
        self.changes += changes
        pile = Pile(None, tuple(self.changes[-4:]))
        scene = Scene(self.changes[-1].t_ns if self.changes else 1, 1, (1280, 960), pile=pile)
        self.memory, commands = self.watcher.step(self.memory, scene, self.state)
        return [command for command in commands if isinstance(command, Flip)]

    def flip(self, t_ns: int, id: str, seat: str) -> Flip:
        (told,) = self.see(change(t_ns, id, hands=(SIDES[seat],)))
        fact = CardFlipped(id=t_ns, t_ns=t_ns, seat=seat, card=id, seen_ns=told.seen_ns, before_ns=told.before_ns)
        self.state = RULES.apply(self.state, fact)
        return told


def test_a_card_that_came_is_a_flip_of_whose_turn_it_is() -> None:
    told = Table().flip(100, "fish-8", "seat-1")
    assert (told.card, told.seat, told.seen_ns, told.before_ns) == ("fish-8", "seat-1", 90, 80)
    assert told.card_sure and told.seat_sure and told.source == "camera"


def test_nothing_is_told_twice() -> None:
    table = Table()
    table.flip(100, "fish-8", "seat-1")
    assert table.see() == []
    assert table.see() == []


def test_a_nudge_and_a_lake_that_was_taken_are_no_flips() -> None:
    table = Table()
    table.flip(100, "fish-8", "seat-1")
    assert table.see(change(200, "fish-8", came=0.02, moved_mm=4.0, turned_deg=1.0)) == []
    assert table.see(change(300, None, came=0.0, gone=True)) == []


def test_what_may_be_a_twin_is_a_doubt() -> None:
    table = Table()
    table.flip(100, "fish-8", "seat-1")
    (told,) = table.see(change(200, "fish-8", came=0.5, moved_mm=1.0, turned_deg=0.4))
    assert not told.card_sure


def test_a_name_that_is_not_sure_is_told_with_what_else_it_could_be() -> None:
    top = Sighting("fish-8", "fish-card", CORNERS, 0.6, False, ranked=(("fish-8", 0.6), ("fish-2", 0.4)))
    (told,) = Table().see(PileChange(100, top, came=1.0, seen_ns=90, before_ns=80))
    assert not told.card_sure
    assert told.cards == (("fish-8", 0.6), ("fish-2", 0.4))


def test_a_hand_from_another_side_is_another_seat_and_a_guess() -> None:
    table = Table()
    cards = ("fish-8", "fish-2", "fish-6", "fish-1", "fish-10", "fish-14")
    for k, id in enumerate(cards):
        assert table.flip(100 * (k + 1), id, SEATS[k % 3]).seat == SEATS[k % 3]
    (told,) = table.see(change(1000, "fish-9", hands=(SIDES["seat-3"] + 8,)))
    assert (told.seat, told.seat_sure) == ("seat-3", False)


def test_two_changes_in_one_scene_are_two_flips() -> None:
    table = Table()
    told = table.see(change(100, "fish-8"), change(200, "fish-2"))
    assert [flip.card for flip in told] == ["fish-8", "fish-2"]


def test_the_second_of_two_cards_in_one_scene_is_of_whose_turn_it_is_then() -> None:
    table, state = Table(), started()
    told = table.see(change(100, "fish-8", hands=(SIDES["seat-1"],)), change(200, "fish-2", hands=(SIDES["seat-2"],)))
    for flip in told:
        for n, fact in enumerate(RULES.decide(state, flip)):
            state = RULES.apply(state, replace(fact, id=flip.seen_ns + n, t_ns=flip.seen_ns))
    assert [card.seat for card in state.lake] == ["seat-1", "seat-2"]
    assert RULES.questions(state) == ()


def test_who_was_not_seen_is_not_told_as_sure() -> None:
    (told,) = Table().see(change(100, "fish-8"))
    assert (told.seat, told.seat_sure) == ("seat-1", False)


def test_after_a_restart_the_card_that_lies_there_is_not_new() -> None:
    table = Table()
    table.flip(100, "fish-8", "seat-1")
    table.memory, table.changes = Memory(), []
    assert table.see(change(500, "fish-8", came=0.5, first=True)) == []
    (told,) = table.see(change(600, "fish-2"))
    assert told.card == "fish-2"


def test_a_lost_view_tells_nothing() -> None:
    watcher = HookedWatcher()
    scene = Scene(1, 1, (1280, 960), lost="The camera stopped.", pile=Pile(None, (change(1),)))
    assert watcher.step(Memory(), scene, started()) == (Memory(), ())
