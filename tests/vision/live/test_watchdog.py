from __future__ import annotations

from companion.words import _
from vision.watchdog import Policy, Watchdog

POLICY = Policy(start_s=20, silent_s=4, frame_s=6, pauses_s=(1, 2, 5), budget=3, window_s=100, calm_s=30)


def running(now=0.0):
    watchdog = Watchdog(POLICY)
    watchdog.want(now)
    assert watchdog.tick(now) == "start"
    watchdog.started(now)
    return watchdog


def sentence(watchdog):
    return watchdog.status.sentence.to("en")


def test_it_starts_what_is_wanted_and_nothing_else():
    watchdog = Watchdog(POLICY)
    assert watchdog.tick(0) is None and watchdog.status.state == "stopped"
    watchdog.want(0)
    assert watchdog.status.state == "starting" and watchdog.tick(0) == "start"


def test_frames_make_it_watch():
    watchdog = running()
    watchdog.heard(1, frame=False)
    assert watchdog.status.state == "starting"
    watchdog.heard(2, frame=True)
    assert watchdog.status.state == "watching" and watchdog.tick(3) is None


def test_a_start_may_be_slow_but_not_for_ever():
    watchdog = running()
    assert watchdog.tick(19) is None
    assert watchdog.tick(21) == "kill"


def test_silence_means_hung():
    watchdog = running()
    watchdog.heard(1, frame=True)
    assert watchdog.tick(4.9) is None
    assert watchdog.tick(5.1) == "kill"
    watchdog.exited(5.1)
    assert sentence(watchdog) == "The camera does not answer. It is started again in 1 seconds."


def test_a_camera_without_frames_is_lost_then_opened_again_and_may_come_back():
    watchdog = running()
    watchdog.heard(1, frame=True)
    for now in range(2, 8):
        watchdog.heard(now, frame=False)
    assert watchdog.tick(8) is None
    assert watchdog.status.state == "lost" and sentence(watchdog) == "The camera gives no pictures."
    watchdog.heard(9, frame=True)
    assert watchdog.status.state == "watching"
    for now in range(10, 22):
        watchdog.heard(now, frame=False)
    assert watchdog.tick(22) == "kill"


def test_a_scene_that_sees_nothing_is_lost_in_its_own_words():
    watchdog = running()
    watchdog.heard(1, frame=True, lost="It is too dark to see the table.")
    assert watchdog.status.state == "lost" and sentence(watchdog) == "It is too dark to see the table."


def test_pauses_grow_and_the_budget_holds():
    watchdog = running()
    starts = []
    now = 0.0
    while now < 99:
        watchdog.failed(_("The camera stopped."))
        watchdog.exited(now)
        while watchdog.tick(now) != "start":
            now += 0.5
        watchdog.started(now)
        starts.append(now)
    assert starts[:3] == [1, 3, 8]
    assert starts[3] >= 100  # the fifth start waits until the first is old enough
    assert len(starts) == 4


def test_a_calm_while_makes_the_next_failure_the_first_again():
    watchdog = running()
    watchdog.exited(0)
    watchdog.started(1)
    watchdog.exited(1)
    assert watchdog.tick(2) is None and watchdog.tick(3) == "start"
    watchdog.started(3)
    for now in range(4, 40):
        watchdog.heard(now, frame=True)
    watchdog.exited(40)
    assert watchdog.tick(41) == "start"


def test_what_is_no_longer_wanted_is_killed_and_stays_down():
    watchdog = running()
    watchdog.unwant()
    assert watchdog.tick(1) == "kill"
    watchdog.exited(1)
    assert watchdog.tick(500) is None and watchdog.status.state == "stopped"


def test_words_of_a_dead_process_change_nothing():
    watchdog = running()
    watchdog.exited(1)
    watchdog.heard(1.5, frame=True)
    assert watchdog.status.state == "lost"
