"""What the watcher of Hook! makes of Scenes: each thing observed once, when it lies still, and never judged."""

import msgspec
import pytest
from scenes import Watched, card, quad, tile

from companion.core.facts import Answer, Correct, Undo
from companion.games.hook.facts import MoveTile, NextRound, PlaceTile, RevealCard, SymbolRead
from companion.games.hook.sighted import Pieces
from companion.games.hook.watcher import HookWatcher
from companion.world import Hand, Sighting

OPEN = (card(1), card(2), card(3))


@pytest.fixture
def table():
    return Watched()


@pytest.fixture
def revealed(table):
    table.see(*OPEN, times=3)
    return table


def under(*numbers, **by):
    """The three cards, those of ``by`` (c1="sight-...") covered."""
    return tuple(card(n, by.get(f"c{n}")) for n in (1, 2, 3))


RP = "sight-red-pirate-1"


def placed(table, *symbols, times=2, **more):
    return table.see(*under(c1=RP), tile("RP", 1, *symbols, **more), times=times)


def test_a_card_is_revealed_once_after_two_still_scenes(table):
    assert table.see(*OPEN) == []
    assert table.see(*OPEN) == [RevealCard(card=f"target-{n:03}", round=1) for n in (1, 2, 3)]
    assert table.see(*OPEN, times=5) == []


@pytest.mark.parametrize(("unsure", "asked"), [((), False), ((0,), False), ((0, 1), True)])
def test_a_card_never_seen_open_is_asked_where_the_holes_tell_too_little_of_it(table, unsure, asked):
    table.see(card(1), card(2), times=3)
    told = table.see(card(1), card(2), card(3, RP), tile("RP", 3, unsure=unsure, sure=True), times=8)
    (pose,) = [c for c in told if isinstance(c, PlaceTile)]
    assert (pose.card, pose.card_sure) == ("target-003", not asked)


def test_a_badly_named_card_is_not_told(table):
    assert table.see(card(4, sure=False, confidence=0.5), times=8) == []
    assert [c.card for c in table.see(card(5, sure=False, confidence=0.95), times=8)] == ["target-005"]


def test_a_sure_tile_is_placed_at_the_second_still_scene(revealed):
    assert placed(revealed, "rum", "parrot", "none", times=1) == []
    (told,) = placed(revealed, "rum", "parrot", "none", times=1)
    assert isinstance(told, PlaceTile)
    assert (told.seat, told.tile, told.card) == ("red-pirate", RP, "target-001")
    assert told.symbols == ("rum", "parrot", "none")
    assert (told.unsure, told.turn_off_deg, told.bare_mm) == ((), 0.0, 0.0)
    assert placed(revealed, "rum", "parrot", "none", times=6) == []


def test_how_it_lies_is_told_in_degrees_and_millimetres_whatever_the_turn(revealed):
    (told,) = placed(revealed, turn=90 + 12, dx=3, dy=-5)
    assert told.turn_off_deg == pytest.approx(12, abs=0.2)
    assert told.bare_mm == pytest.approx(5, abs=0.1)
    assert revealed.kinds()[0] in ("crooked", "bare")


def test_perspective_does_not_make_a_tile_crooked(revealed):
    def far(sighting):
        bent = tuple((x * (1 + y / 4000), y * 0.8) for x, y in sighting.corners)
        return type(sighting)(**{f: getattr(sighting, f) for f in sighting.__struct_fields__} | {"corners": bent})

    (told,) = revealed.see(far(card(1, RP)), card(2), card(3), far(tile("RP", 1, dx=2)), times=2)
    assert told.turn_off_deg < 1
    assert told.bare_mm == pytest.approx(2, abs=0.3)


def test_a_doubtful_reading_waits_three_scenes_and_is_asked(revealed):
    revealed.see(*OPEN, moving=True)
    assert placed(revealed, unsure=(1,), times=2) == []
    (told,) = placed(revealed, unsure=(1,), times=1)
    assert told.unsure == (1,)
    assert revealed.kinds() == ["symbol"]


@pytest.mark.parametrize(("found", "told"), [(1, 3), (2, 4), (3, 4), (4, 5), (6, 7)])
def test_a_doubtful_tile_found_late_on_a_still_table_does_not_wait_as_long(revealed, found, told):
    revealed.see(*OPEN, moving=True)
    revealed.see(*OPEN, times=found - 1)
    assert placed(revealed, unsure=(1,), times=told - found) == []
    assert [c.unsure for c in placed(revealed, unsure=(1,), times=1)] == [(1,)]


def test_a_tile_told_before_is_not_moved_by_two_doubtful_readings(revealed):
    placed(revealed, times=8)
    assert placed(revealed, turn=12, unsure=(1,), times=2) == []
    assert placed(revealed, times=3) == []


def test_a_table_that_could_not_be_seen_has_not_lain_still(revealed):
    revealed.see(*OPEN, times=5)
    revealed.see(lost="It is too dark to see the table.")
    assert placed(revealed, unsure=(1,), times=2) == []


def test_a_hand_begins_the_waiting_anew(revealed):
    revealed.see(*OPEN, hands=(Hand(((0.0, 0.0), (9.0, 0.0), (9.0, 9.0))),), times=5)
    assert placed(revealed, unsure=(1,), times=2) == []


def test_a_reading_that_flips_is_not_told_before_it_stands(revealed):
    for symbol in ("rum", "bomb", "rum"):
        assert placed(revealed, symbol, "parrot", "none", times=1) == []
    (told,) = placed(revealed, "rum", "parrot", "none", times=1)
    assert told.symbols[0] == "rum"


def test_a_better_reading_corrects_the_unsure_one_for_all_to_see(revealed):
    placed(revealed, unsure=(1,), times=4)
    (better,) = placed(revealed, "rum", "bomb", "none", times=2)
    assert isinstance(better, Correct)
    (pose,) = revealed.poses()
    assert pose.symbols == ("rum", "bomb", "none")
    assert revealed.kinds() == []
    assert placed(revealed, "rum", "bomb", "none", times=3) == []


def test_an_answer_is_not_corrected_by_the_camera(revealed):
    placed(revealed, unsure=(1,), times=4)
    (doubt,) = revealed.match.doubts
    revealed.do(Answer(doubt=doubt.id, value="barrel"))
    assert placed(revealed, "rum", "bomb", "none", times=6) == []
    assert any(isinstance(fact, SymbolRead) for fact in revealed.state.now.raw)


def test_a_tile_laid_exactly_on_another_ones_is_a_second_one_not_a_better_reading(revealed):
    placed(revealed, "rum", "parrot", "none", times=3)
    above = (*under(c1="sight-blue-pirate-2"), tile("BP", 1, "bomb", "none", "none", which=2, dx=0.5))
    (told,) = revealed.see(*above, times=2)
    assert isinstance(told, PlaceTile)
    assert revealed.see(*above, times=4) == []
    assert [pose.tile for pose in revealed.poses()] == [RP, "sight-blue-pirate-2"]
    assert revealed.kinds() == ["taken"]


def test_what_is_surely_read_gives_way_to_no_doubtful_name(revealed):
    placed(revealed, "rum", "parrot", "none", times=3)
    above = (*under(c1="sight-blue-pirate-2"), tile("BP", 1, "bomb", "none", "none", which=2, unsure=(0,)))
    assert revealed.see(*above, times=5) == []


def test_two_sure_readings_that_disagree_are_asked(revealed):
    placed(revealed, "rum", "parrot", "none")
    (contested,) = placed(revealed, "rum", "bomb", "none", times=2)
    assert isinstance(contested, Correct)
    assert revealed.poses()[0].unsure == (1,)
    assert {name for name, _p in revealed.poses()[0].ranked[1]} == {"parrot", "bomb"}
    assert revealed.kinds() == ["symbol"]


def test_a_tile_moved_later_is_told_as_moved_and_the_first_pose_counts(revealed):
    placed(revealed, "rum", "parrot", "none")
    (moved,) = placed(revealed, "bomb", "rum", "parrot", turn=90)
    assert isinstance(moved, MoveTile)
    assert revealed.kinds() == ["moved"]
    assert revealed.state.now.placement_of("red-pirate").symbols == ("rum", "parrot", "none")
    assert placed(revealed, "bomb", "rum", "parrot", turn=90, times=4) == []


def test_a_trembling_tile_has_not_moved(revealed):
    placed(revealed)
    for dx, turn in ((1.5, 2), (-1, -3), (2, 1)):
        assert placed(revealed, dx=dx, turn=turn, times=3) == []


def test_a_second_tile_of_a_seat_is_told_and_asked(revealed):
    placed(revealed)
    second = tile("RP", 2, which=2)
    (told,) = revealed.see(*under(c1=RP, c2="sight-red-pirate-2"), tile("RP", 1), second, times=2)
    assert told.tile == "sight-red-pirate-2"
    assert revealed.kinds() == ["second-tile"]


def test_a_tile_beaten_to_its_card_goes_to_another(revealed):
    placed(revealed)
    both = (tile("RP", 1), tile("BP", 1, dx=1))
    (beaten,) = revealed.see(*under(c1=RP), *both, times=2)
    assert (beaten.seat, beaten.card) == ("blue-pirate", "target-001")
    assert revealed.kinds() == ["taken"]
    revealed.see(*under(c1=RP, c2="sight-blue-pirate-1"), tile("RP", 1), tile("BP", 2), times=2)
    assert revealed.kinds() == []
    assert revealed.state.now.placement_of("blue-pirate").card == "target-002"


def test_a_black_side_is_told_when_it_is_seen(revealed):
    back = tile("RP", 1)
    back = type(back)(None, "sight-tile", back.corners, 0.95, True, face_up=False)
    (told,) = revealed.see(card(2), card(3), back, times=2)
    assert (told.face_up, told.card, told.seat_sure) == (False, "target-001", False)
    assert revealed.kinds() == ["tile"]


def test_a_thing_without_a_name_is_asked_about_when_one_tile_is_missing(revealed):
    on = under(c1=RP, c2="sight-blue-pirate-1")
    tiles = (tile("RP", 1), tile("BP", 2))
    revealed.see(*on, *tiles, times=2)
    thing = tile("YS", 3)
    thing = type(thing)(None, None, thing.corners, 0.3, False)
    (told,) = revealed.see(*on[:2], *tiles, thing, times=5)
    assert (told.seat, told.card, told.unsure) == ("yellow-sailor", "target-003", (0, 1, 2))
    corrected = revealed.see(*under(c3="sight-yellow-sailor-1"), *tiles, tile("YS", 3), times=2)
    assert [type(c) for c in corrected] == [Correct]
    assert revealed.poses()[-1].tile == "sight-yellow-sailor-1"


def test_a_tile_that_waits_beside_the_cards_is_not_placed(table):
    home = tile("RP", 0, "none", "none", "none", at=(640, 300))
    table.see(home, times=3)
    assert [c for c in table.see(*OPEN, home, times=6) if isinstance(c, PlaceTile)] == []


def test_a_tile_laid_on_no_card_is_told(revealed):
    astray = tile("RP", 0, "none", "none", "none", at=(500, 390))
    (told,) = revealed.see(*OPEN, astray, times=5)
    assert (told.card, told.card_sure) == (None, True)
    assert revealed.kinds() == ["no-card"]


def test_a_tile_on_a_card_that_was_never_seen_asks_for_the_card(table):
    (told,) = table.see(card(1), card(2), tile("RP", 3, "rum", "bomb", "parrot", on=False), times=4)[-1:]
    assert (told.seat, told.card, told.card_sure) == ("red-pirate", None, False)
    assert table.kinds() == ["card"]


def test_a_character_nobody_plays_is_ignored(revealed):
    assert revealed.see(*under(c1="sight-blue-sailor-1"), tile("BS", 1), times=5) == []


def test_a_tile_under_a_hand_waits(revealed):
    assert placed(revealed, fresh=False, times=6) == []
    assert len(placed(revealed, times=2)) == 1


def test_what_was_taken_back_is_not_told_again(revealed):
    placed(revealed)
    revealed.do(Undo(target=revealed.poses()[0].id))
    assert placed(revealed, times=5) == []
    assert revealed.poses() == []


def test_without_a_view_nothing_happens(revealed):
    assert placed(revealed, times=1) == []
    assert revealed.see(lost="dark", times=5) == []
    assert len(placed(revealed, times=1)) == 1


FULL = (tile("RP", 1), tile("BP", 2), tile("YS", 3))
COVERED = under(c1=RP, c2="sight-blue-pirate-1", c3="sight-yellow-sailor-1")


def test_a_cleared_table_begins_the_next_round_once(revealed):
    revealed.see(*COVERED, *FULL, times=2)
    assert revealed.state.now.complete
    assert revealed.see(times=1) == []
    assert revealed.see(times=3) == [NextRound(source="camera")]
    assert revealed.state.round == 2


def test_new_cards_begin_the_next_round_and_old_ones_do_not_count(revealed):
    revealed.see(*COVERED, *FULL, times=2)
    left = card(3)  # nobody won it, and nobody took it away
    told = revealed.see(left, card(6), card(7), times=4)
    assert [type(c) for c in told] == [NextRound, RevealCard, RevealCard]
    assert revealed.state.round == 2
    assert set(revealed.state.now.cards) == {"target-006", "target-007"}


def test_a_tile_on_a_card_seen_open_too_shortly_belongs_to_the_next_round(revealed):
    revealed.see(*COVERED, *FULL, times=2)
    hidden = (card(1, RP, fresh=False), tile("RP", 1, fresh=False))  # a thing lies where that tile lay
    revealed.see(*hidden, card(6, sure=False))
    told = revealed.see(*hidden, card(6, "sight-blue-pirate-2"), tile("BP", 6, which=2), times=4)
    assert [type(c) for c in told] == [NextRound, PlaceTile]
    assert [(pose.tile, pose.round) for pose in revealed.poses()] == [("sight-blue-pirate-2", 2)]


@pytest.mark.parametrize("new", [1, 2])
def test_two_new_cards_too_many_begin_the_next_round_whatever_seems_to_lie_still(revealed, new):
    revealed.see(*COVERED, *FULL, times=2)
    ghost = (card(1, RP), tile("RP", 1))  # a tile of the next round on a card that has gone but is not seen to have
    covered = (card(6, "sight-blue-pirate-2"), card(7, "sight-yellow-sailor-2"))[:new]
    told = revealed.see(*ghost, *covered, *(tile("BP", 6, which=2), tile("YS", 7, which=2))[:new], times=4)
    assert any(isinstance(c, NextRound) for c in told) == (new == 2)  # one alone may be misread
    assert revealed.state.round == new
    assert {"target-006", "target-007"}.issubset(pose.card for pose in revealed.poses()) == (new == 2)


def test_a_late_card_while_hands_hide_all_tiles_is_no_next_round(table):
    two = under(c1=RP)[:2]
    table.see(card(1), card(2), times=3)
    table.see(*two, tile("RP", 1), times=2)
    hidden = tile("RP", 1, fresh=False)
    told = table.see(*two, hidden, card(3), times=4)
    assert [type(c) for c in told] == [RevealCard]
    assert table.state.round == 1


def test_a_tile_left_from_the_round_before_is_not_placed_anew(revealed):
    revealed.see(*COVERED, *FULL, times=2)
    revealed.do(NextRound())
    assert revealed.see(*COVERED, *FULL, times=5) == []
    told = revealed.see(card(6), card(7), card(3, "sight-yellow-sailor-1"), FULL[2], times=4)
    assert all(isinstance(c, RevealCard) for c in told)


def test_a_tile_seen_too_shortly_is_told_late_rather_than_never(revealed):
    on = under(c1=RP, c2="sight-blue-pirate-1")
    revealed.see(*on, tile("RP", 1), tile("BP", 2), times=2)
    revealed.see(*COVERED, *FULL, times=1)
    told = revealed.see(times=2)
    assert [type(c) for c in told] == [PlaceTile, NextRound]
    assert told[0].unsure == (0, 1, 2)


def test_another_reading_of_one_tile_is_not_a_second_tile(revealed):
    placed(revealed, unsure=(0,), times=4)
    other = tile("BP", 1, "rum", "parrot", "none", dx=0.5)
    told = revealed.see(*under(c1="sight-blue-pirate-1"), other, times=3)
    assert [type(c) for c in told] == [Correct]
    assert [(p.seat, p.tile) for p in revealed.poses()] == [("blue-pirate", "sight-blue-pirate-1")]


def test_a_tile_among_the_cards_with_unreadable_holes_is_asked_about_rather_than_passed_over(revealed):
    glaring = tile("RP", 0, at=(500, 390), unsure=(0, 1, 2), confidence=0.7)
    (told,) = revealed.see(*OPEN, glaring, times=5)
    assert (told.card, told.card_sure, told.unsure) == (None, False, (0, 1, 2))
    assert "card" in revealed.kinds()


def test_a_hit_card_that_looks_like_a_tile_is_none(revealed):
    read = tile("RP", 0, at=(500, 390), unsure=(0, 1, 2), confidence=0.98)
    hit = Sighting("hit-red-pirate", "hit-card", quad(500, 420), 1.0, True)
    for over in ("hit-red-pirate", None):
        told = revealed.see(*OPEN, hit, msgspec.structs.replace(read, over=over), times=6)
        assert [command.tile for command in told] == ([] if over else ["sight-red-pirate-1"])


def test_wood_that_looks_like_a_tile_a_little_is_not_told(revealed):
    wood = tile("RP", 0, at=(500, 390), unsure=(0, 1, 2), confidence=0.3)
    assert revealed.see(*OPEN, wood, times=8) == []


def test_a_card_of_another_place_is_not_the_one_underneath(table):
    """A wrong card that vision believes to be half beside the tile: what shows is told, the card is asked."""
    away = tile("RP", 1, "rum", "bomb", "parrot", dx=20, dy=5)
    (told,) = [c for c in table.see(card(1), card(2), away, times=5) if isinstance(c, PlaceTile)]
    assert (told.card, told.card_sure) == (None, False)
    assert told.shares == (1.0, 1.0, 1.0)


def test_a_tile_that_is_weakly_recognised_is_asked_about_as_a_whole(revealed):
    (told,) = placed(revealed, "rum", "none", "none", sure=False, confidence=0.66, times=4)
    assert (told.seat_sure, told.unsure) == (True, (0, 1, 2))


def test_symbols_where_a_tile_has_its_holes_confirm_a_weak_name(revealed):
    (told,) = placed(revealed, "rum", "bomb", "none", sure=False, confidence=0.66, times=4)
    assert (told.seat_sure, told.unsure) == (True, ())


def test_a_shadow_over_a_tile_does_not_begin_its_rest_anew(revealed):
    assert placed(revealed, times=1) == []
    assert placed(revealed, fresh=False, times=3) == []
    assert len(placed(revealed, times=1)) == 1


def test_a_card_seen_twice_is_revealed_though_a_hand_comes(table):
    table.see(*OPEN, times=1)
    assert table.see(*(msgspec.structs.replace(one, fresh=False) for one in OPEN), times=1) == []
    assert len(table.see(*OPEN, times=1)) == len(OPEN)


def test_a_black_side_that_tells_whose_it_is_asks_for_no_seat(revealed):
    revealed.watcher = HookWatcher(Pieces({RP: "red-pirate", "sight-blue-pirate-1": "blue-pirate"}))
    back = msgspec.structs.replace(tile("RP", 1), id=None, face_up=False, holes=(), ranked=((RP, 0.99),))
    (told,) = revealed.see(*under(), back, times=3)
    assert (told.seat, told.seat_sure, told.face_up) == ("red-pirate", True, False)


def test_a_glaring_tile_is_told_too_when_no_card_lay_open_long_enough_to_be_revealed(table):
    table.see(*OPEN, times=1)
    glaring = tile("RP", 0, at=(500, 390), unsure=(0, 1, 2), confidence=0.7)
    told = table.see(*under(c2="sight-blue-pirate-1"), tile("BP", 2), glaring, times=5)
    assert {c.seat for c in told if isinstance(c, PlaceTile)} == {"red-pirate", "blue-pirate"}
