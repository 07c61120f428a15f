"""What edges and levels together tell about a button."""

import random

import pytest

from companion.world import TRUST_NS, Press
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


def test_a_button_found_up_without_a_report_is_told_as_a_level() -> None:
    made = watch()
    edges(made, (100, 1))
    assert made.look({"a": 0}, 200 * MS) == ()
    assert made.look({"a": 0}, 260 * MS) == (Press("a", 200 * MS, 0, "software"),)
    assert made.look({"a": 0}, 400 * MS) == ()
    edges(made, (500, 1))  # pressed again before it was confirmed
    made.look({"a": 0}, 600 * MS)
    assert made.edge(Press("a", 630 * MS, 1), 630 * MS) == Press("a", 600 * MS, 0, "software")
    assert made.begin("a", 0, 700 * MS) == Press("a", 700 * MS, 0, "software")  # let go while nobody listened
    assert made.begin("a", 0, 800 * MS) is None


def test_no_level_is_told_when_its_report_was_only_late_or_the_button_is_down_again() -> None:
    made = watch()
    edges(made, (100, 1))
    made.look({"a": 0}, 200 * MS)
    assert made.edge(Press("a", 199 * MS, 0), 204 * MS) is None
    assert made.look({"a": 0}, 260 * MS) == ()
    edges(made, (300, 1))
    made.look({"a": 0}, 400 * MS)
    assert made.look({"a": 1}, 460 * MS) == ()
    made.look({"a": 1}, 500 * MS)
    assert made.look({"a": 1}, 560 * MS) == ()  # no press is made up from a level


@pytest.mark.parametrize("apart_ms", [1, 10, 25])
def test_a_line_that_chatters_is_told_once(apart_ms: int) -> None:
    made, told = watch(), []
    for at_ms in range(100, 4100, apart_ms):
        made.edge(Press("a", at_ms * MS, at_ms // apart_ms % 2), at_ms * MS)
        made.look({"a": at_ms // apart_ms % 3 % 2}, at_ms * MS + MS // 2)
        told.append(made.health("a", at_ms * MS + MS // 2))
    trouble = [health for health in told if health.trouble == "chatters"]
    assert len(trouble) > len(told) * 0.9 and len({*trouble}) == 1
    assert trouble[0].since_ns == 100 * MS and "on and off by itself" in str(trouble[0].sentence)
    assert made.health("a", 4000 * MS + RECENT_NS).trouble == "chatters"
    assert made.health("a", 4101 * MS + RECENT_NS).trouble != "chatters"


def test_a_line_that_chattered_is_looked_at_again_when_it_rests() -> None:
    made = watch()
    edges(made, *((at_ms, at_ms % 2) for at_ms in range(100, 400)))  # ends down
    rested = 399 * MS + TRUST_NS
    assert made.look({"a": 0}, rested - 1) == made.look({"a": 0}, rested) == ()
    assert made.look({"a": 0}, rested + 60 * MS) == (Press("a", rested, 0, "software"),)


def test_quick_slaps_are_no_chatter() -> None:
    made = watch()
    for slap in range(100):
        at_ms = 100 + 80 * slap
        edges(made, *((at_ms + bounce, 1 - bounce % 2) for bounce in range(5)), (at_ms + 40, 0))
    assert made.health("a", 8100 * MS).ok


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
