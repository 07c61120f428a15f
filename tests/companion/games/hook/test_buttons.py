"""The starting signal, and a victim chosen by pressing through the lit seats and holding."""

from __future__ import annotations

import pytest
from hook_table import HookTable
from hypothesis import given
from hypothesis import strategies as st

from companion.core.facts import Doubt
from companion.games.hook.buttons import HOLD_NS, Aim, Chosen, Lit, Memory, Moment, Started, moment, seat_of, step
from companion.world import Press

MS = 1_000_000
CALL = Moment(caller="red-pirate")
AIM = Moment(aim=Aim(7, "blue-pirate", ("red-sailor", "red-pirate", "blue-pirate")))


def played(now: Moment, *edges: tuple[str, int, int], until: int = 3000, every: int = 20, memory: Memory | None = None):
    """Edges (seat, ms, level), each told at once, and a look every so many ms; all effects with their times."""
    memory, found = memory or Memory(), []
    for ms in sorted({*range(0, until, every), *(at for _seat, at, _level in edges)}):
        presses = [Press(seat, at * MS, level) for seat, at, level in edges if at == ms]
        memory, effects = step(memory, now, presses, ms * MS)
        found += [(effect, ms) for effect in effects]
    return memory, found


def effects(*arguments, **more):
    return [effect for effect, _ms in played(*arguments, **more)[1]]


def test_the_compass_holder_starts_the_round_with_the_press():
    _memory, found = played(CALL, ("red-pirate", 500, 1), ("red-pirate", 600, 0))
    assert [effect for effect, _ms in found] == [Started()]
    assert 500 <= found[0][1] <= 540


def test_nobody_else_starts_it_and_nobody_when_cards_lie_there():
    assert effects(CALL, ("blue-pirate", 500, 1), ("blue-pirate", 600, 0)) == []
    assert effects(Moment(), ("red-pirate", 500, 1), ("red-pirate", 600, 0)) == []


def test_a_glitch_starts_nothing():
    assert effects(CALL, ("red-pirate", 500, 1), ("red-pirate", 505, 0)) == []


def test_the_shooter_goes_through_the_players_and_holds():
    edges = [
        ("blue-pirate", at, level) for at, level in ((500, 1), (600, 0), (900, 1), (1000, 0), (1400, 1), (2700, 0))
    ]
    _memory, found = played(AIM, *edges)
    said = [effect for effect, _ms in found]
    assert said[:3] == [Lit("red-sailor"), Lit("red-pirate"), Lit("blue-pirate")]
    assert said[3:] == [Chosen(7, "blue-pirate", "blue-pirate")]
    assert 1400 + HOLD_NS // MS <= found[-1][1] <= 1400 + HOLD_NS // MS + 40


def test_it_comes_round_to_the_first_again():
    edges = [("blue-pirate", 400 * n + down, level) for n in range(1, 4) for down, level in ((0, 1), (100, 0))]
    assert effects(AIM, *edges)[1:] == [Lit("red-pirate"), Lit("blue-pirate"), Lit("red-sailor")]


def test_only_the_shooter_chooses():
    assert effects(AIM, ("red-sailor", 500, 1), ("red-sailor", 600, 0), ("red-pirate", 700, 1)) == [Lit("red-sailor")]


def test_a_button_that_was_down_before_was_not_pressed_for_this():
    memory, _found = played(Moment(), ("blue-pirate", 500, 1), until=700)
    later = [Press("blue-pirate", 3000 * MS, 0), Press("blue-pirate", 3400 * MS, 1), Press("blue-pirate", 3500 * MS, 0)]
    memory, told = step(memory, AIM, (), 2000 * MS)
    assert told == (Lit("red-sailor"),)
    memory, told = step(memory, AIM, later[:1], 3010 * MS)
    memory, more = step(memory, AIM, later[1:], 3600 * MS)
    assert (*told, *more) == (Lit("red-pirate"),)


def test_another_question_begins_with_its_first_player_and_none_is_dark():
    memory, _found = played(AIM, ("blue-pirate", 500, 1), ("blue-pirate", 600, 0), until=1000)
    other = Moment(aim=Aim(8, "red-sailor", ("red-pirate", "red-sailor")))
    memory, told = step(memory, other, (), 1100 * MS)
    assert told == (Lit("red-pirate"),)
    _memory, told = step(memory, Moment(), (), 1200 * MS)
    assert told == (Lit(None),)


def test_who_is_lit_is_hit_though_the_choices_change():
    memory, _found = played(AIM, ("blue-pirate", 500, 1), ("blue-pirate", 600, 0), until=1000)
    fewer = Moment(aim=Aim(7, "blue-pirate", ("red-pirate", "blue-pirate")))
    hold = ("blue-pirate", 1200, 1), ("blue-pirate", 2500, 0)
    assert effects(fewer, *hold, memory=memory) == [Chosen(7, "red-pirate", "blue-pirate")]


def test_when_who_is_lit_can_be_hit_no_more_it_begins_with_the_first():
    memory, _found = played(AIM, ("blue-pirate", 500, 1), ("blue-pirate", 600, 0), until=1000)
    alone = Moment(aim=Aim(7, "blue-pirate", ("blue-pirate",)))
    hold = ("blue-pirate", 1200, 1), ("blue-pirate", 2500, 0)
    assert effects(alone, *hold, memory=memory) == [Lit("blue-pirate"), Chosen(7, "blue-pirate", "blue-pirate")]


@given(
    st.lists(st.tuples(st.integers(60, 700), st.integers(60, 700)), max_size=4),
    st.integers(900, 2500),
    st.lists(st.integers(0, 3), max_size=12),
    st.integers(5, 90),
)
def test_bounces_and_the_pace_of_looking_change_nothing(taps, held, bounces, every):
    at, edges, more = 100, [], iter(bounces)
    for down, up in (*taps, (held, 60)):
        for moment_ms, level in ((at, 1), (at + down, 0)):
            edges.append(("blue-pirate", moment_ms, level))
            for k in range(next(more, 0)):
                edges += [
                    ("blue-pirate", moment_ms + 2 * k + 1, 1 - level),
                    ("blue-pirate", moment_ms + 2 * k + 2, level),
                ]
        at += down + up
    options = AIM.aim.options
    found = effects(AIM, *edges, until=at + 1500, every=every)
    assert found[0] == Lit("red-sailor")
    assert found[1:-1] == [Lit(options[(n + 1) % 3]) for n in range(len(taps))]
    assert found[-1] == Chosen(7, options[len(taps) % 3], "blue-pirate")


def test_what_can_be_pressed_for_follows_from_the_state():
    table = HookTable("RP", "BP", "YS")
    assert moment(table.state, ()) == Moment(caller="red-pirate")
    table.place("BP", "black", "none", "none")
    assert moment(table.state, ()) == Moment()
    table.place("RP", "none", "none", "none")
    table.place("YS", "none", "none", "none")
    (question,) = table.questions()
    aim = moment(table.state, [Doubt(3, 0, question)]).aim
    assert aim == Aim(3, "blue-pirate", ("yellow-sailor", "red-pirate", "blue-pirate"))
    table.answer(aim.options[0])
    assert table.kinds() == []


@pytest.mark.parametrize(
    ("button", "seat"),
    [("blue-sailor", "blue-sailor"), ("seat-1", "red-pirate"), ("seat-3", None), ("seat-0", None), ("bell", None)],
)
def test_a_button_is_a_characters_or_a_places(button, seat):
    assert seat_of(button, ("red-pirate", "blue-sailor")) == seat
