"""What edges and levels together tell about a button."""

import random

import pytest

from companion.world import Press
from hardware.buttons.watch import RECENT_NS, Watch

MS = 1_000_000


def watch(down: bool = False) -> Watch:
    made = Watch(["a", "b"], held_after_ns=1000 * MS)
    made.begin("a", int(down), 0)
    made.begin("b", 0, 0)
    return made


def edges(made: Watch, *reports: tuple[int, int], seat: str = "a") -> None:
    for at_ms, level in reports:
        made.edge(Press(seat, at_ms * MS, level), at_ms * MS)


def test_a_plain_slap_is_nothing_to_talk_about() -> None:
    made = watch()
    edges(made, (100, 1))
    made.look({"a": 1, "b": 0}, 103 * MS)
    edges(made, (180, 0))
    made.look({"a": 0, "b": 0}, 183 * MS)
    health = made.health("a", 1000 * MS)
    assert health.ok and health.seen and health.lost == health.unseen == 0


def test_bounces_are_not_lost_reports() -> None:
    made = watch()
    edges(made, (100, 0), (101, 1), (102, 1), (103, 0), (104, 1), (190, 0), (191, 0))
    made.look({"a": 0}, 400 * MS)
    assert made.health("a", 500 * MS).lost == 0


def test_a_report_that_is_on_its_way_clears_the_suspicion() -> None:
    made = watch()
    made.look({"a": 1}, 100 * MS)
    assert made.unsettled
    made.edge(Press("a", 99 * MS, 1), 104 * MS)
    assert not made.unsettled
    made.look({"a": 1}, 170 * MS)
    assert made.health("a", 170 * MS).ok


def test_down_without_a_report_is_unseen_until_the_next_press() -> None:
    made = watch()
    made.look({"a": 1}, 100 * MS)
    assert made.health("a", 101 * MS).ok
    made.look({"a": 1}, 160 * MS)
    health = made.health("a", 160 * MS)
    assert (health.trouble, health.since_ns, health.unseen) == ("unseen", 100 * MS, 1)
    edges(made, (200, 0), (400, 1))
    health = made.health("a", 410 * MS)
    assert health.trouble == "lost" and health.unseen == 1
    assert made.health("a", 200 * MS + RECENT_NS).ok is False  # held by now
    edges(made, (450, 0))
    assert made.health("a", 200 * MS + RECENT_NS).ok


def test_up_again_before_it_was_confirmed_is_still_unseen() -> None:
    made = watch()
    made.look({"a": 1}, 100 * MS)
    made.look({"a": 0}, 160 * MS)
    health = made.health("a", 160 * MS)
    assert health.unseen == 1 and not health.down


def test_a_release_after_the_suspicion_confirms_it() -> None:
    made = watch()
    made.look({"a": 1}, 100 * MS)
    edges(made, (120, 0))
    assert made.health("a", 130 * MS).trouble == "unseen"


def test_a_report_later_than_the_confirmation_takes_it_back() -> None:
    made = watch()
    made.look({"a": 1}, 100 * MS)
    made.look({"a": 1}, 160 * MS)
    made.edge(Press("a", 99 * MS, 1), 200 * MS)
    health = made.health("a", 200 * MS)
    assert health.unseen == 0 and health.trouble != "unseen"


def test_a_level_twice_alone_is_a_lost_report() -> None:
    made = watch()
    edges(made, (100, 1), (300, 1))
    made.look({"a": 1}, 400 * MS)
    assert made.health("a", 400 * MS).lost == 1
    edges(made, (420, 0), (600, 0), (900, 1))
    assert made.health("a", 910 * MS).lost == 2


def test_a_lost_release_is_found_by_looking() -> None:
    made = watch()
    edges(made, (100, 1))
    made.look({"a": 0}, 200 * MS)
    made.look({"a": 0}, 260 * MS)
    health = made.health("a", 260 * MS)
    assert health.lost == 1 and health.unseen == 0 and not health.down


def test_held_from_the_start_and_for_long() -> None:
    made = watch(down=True)
    assert made.health("a", 1).trouble == "held"
    edges(made, (100, 0))
    assert made.health("a", 101 * MS).ok
    edges(made, (200, 1))
    assert made.health("a", 1200 * MS).ok
    assert made.health("a", 1201 * MS).trouble == "held"
    assert made.health("a", 1201 * MS).since_ns == 200 * MS


def test_gaps_and_seats_are_kept_apart() -> None:
    made = watch()
    made.gap("b", 5 * MS)
    assert made.health("b", 6 * MS).trouble == "lost" and made.health("a", 6 * MS).ok
    made.look({"a": None, "b": None}, 7 * MS)
    assert not made.unsettled


@pytest.mark.parametrize("seed", range(20))
def test_nothing_is_suspected_for_long_when_every_report_arrives(seed: int) -> None:
    """Random slaps with bounces whose level is read late, reports up to 40 ms late, looks at any time."""
    rng = random.Random(seed)
    made, now, level = watch(), 0, 0
    truth: list[tuple[int, int]] = []
    for _slap in range(60):
        now += rng.randrange(30, 300) * MS
        for _bounce in range(2 * rng.randrange(3)):
            truth.append((now, level := 1 - level))
            now += rng.randrange(MS // 10, MS)
        truth.append((now, level := 1 - level))
    events: list[tuple[int, int, Press | None]] = []
    arrives = 0
    for k, (t_ns, level) in enumerate(truth):
        read = next((after for at, after in truth[k + 1 :] if at <= t_ns + rng.randrange(MS)), level)
        arrives = max(arrives + 1, t_ns + rng.randrange(40 * MS))
        events.append((arrives, k, Press("a", t_ns, read)))
    events += [(rng.randrange(now), -1, None) for _look in range(1500)]
    for at, _k, press in sorted(events, key=lambda event: event[:2]):
        if press is not None:
            made.edge(press, at)
        else:
            made.look({"a": next((after for t_ns, after in reversed(truth) if t_ns <= at), 0)}, at)
    health = made.health("a", now)
    assert (health.lost, health.unseen) == (0, 0)
