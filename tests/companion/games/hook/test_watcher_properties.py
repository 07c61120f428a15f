"""What holds of the watcher whatever happens: order, repetition and restarts change nothing that is recorded."""

from hypothesis import example, given, settings
from hypothesis import strategies as st
from scenes import Watched, card, tile

SEATS = ("RP", "BP", "YS")
SYMBOLS = ("rum", "bomb", "parrot", "barrel", "cage", "RP", "BP", "black", "none")

tiles = st.tuples(
    st.permutations([1, 2, 3]),
    st.lists(st.tuples(*[st.sampled_from(SYMBOLS)] * 3), min_size=3, max_size=3),
    st.lists(st.sampled_from([0.0, 90.0, 180.0, 270.0, 14.0]), min_size=3, max_size=3),
    st.lists(st.sampled_from([0.0, 2.0, 7.0]), min_size=3, max_size=3),
    st.lists(st.sampled_from([(), (), (), (1,), (0, 2)]), min_size=3, max_size=3),
)


def film(laid):
    """The scenes of a round: cards, then tile after tile; each scene as a tuple of sightings."""
    on, symbols, turns, off, unsure = laid
    made = [tile(seat, on[i], *symbols[i], turn=turns[i], dx=off[i], unsure=unsure[i]) for i, seat in enumerate(SEATS)]
    scenes = [tuple(card(n) for n in (1, 2, 3))] * 3
    for count in (1, 2, 3):
        names = {on[i]: made[i].id for i in range(count)}
        scenes += [(*(card(n, names.get(n)) for n in (1, 2, 3)), *made[:count])] * 5
    return scenes


def watch(scenes, restart_at=None):
    table = Watched()
    for index, scene in enumerate(scenes):
        if index == restart_at:
            table.restart()
        table.see(*scene)
    return table.facts(), table.kinds(), table.commands


@settings(max_examples=25)
@given(tiles, st.randoms(use_true_random=False))
def test_the_order_of_sightings_changes_nothing(laid, random):
    scenes = film(laid)
    shuffled = [tuple(random.sample(scene, len(scene))) for scene in scenes]
    assert watch(shuffled) == watch(scenes)


@settings(max_examples=25)
@given(tiles)
def test_more_of_the_same_adds_nothing(laid):
    scenes = film(laid)
    assert watch([*scenes, *[scenes[-1]] * 12]) == watch(scenes)


@settings(max_examples=40)
@example(([1, 2, 3], [("rum", "rum", "rum")] * 3, [0.0] * 3, [0.0] * 3, [(), (0, 2), ()]), 8)
@given(tiles, st.integers(0, 17))
def test_a_restart_at_any_moment_leads_to_the_same_record(laid, moment):
    scenes = film(laid)
    restarted, asked, _commands = watch([*scenes, *[scenes[-1]] * 6], restart_at=moment)
    usual, asked_usually, _ = watch(scenes)
    assert by_tile(restarted) == by_tile(usual)
    assert sorted(asked) == sorted(asked_usually)


def by_tile(facts):
    """Facts in an order that does not depend on when each was told."""
    return sorted(facts, key=repr)
