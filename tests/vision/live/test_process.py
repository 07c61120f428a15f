"""Real spawned processes, real SIGKILL; time is injected, and waiting is for messages only."""

from __future__ import annotations

import os
import signal
from multiprocessing.shared_memory import SharedMemory
from pathlib import Path
from queue import Queue

import cv2
import numpy as np
import pytest

from hardware.recording import Recording
from vision.messages import Source, WorkerOptions
from vision.process import VisionProcess
from vision.watchdog import Policy

PATIENCE_S = 60  # only a broken program waits that long

DECK = """
format = 1
name = "one card"
game = "any"

[[piece]]
id = "card"
kind = "card"
face = "card.png"
"""


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def deck_folder(tmp_path):
    folder = tmp_path / "deck"
    folder.mkdir()
    (folder / "deck.toml").write_text(DECK)
    rng = np.random.default_rng(1)
    cv2.imwrite(str(folder / "card.png"), cv2.resize(rng.integers(0, 255, (8, 8, 3), np.uint8), (96, 96)))
    return folder


@pytest.fixture
def vision(deck_folder, monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    made = []

    def make(**options):
        scenes, notes, told = Queue(), Queue(), []
        source = Source("stepping_camera:open_stepping", options)
        process = VisionProcess(
            WorkerOptions(source, str(deck_folder)),
            lambda scene, picture: scenes.put((scene, picture)),
            on_status=told.append,
            on_note=notes.put,
            policy=Policy(start_s=30, silent_s=4, frame_s=6),
            clock=Clock(),
        )
        process.scenes, process.notes, process.told = scenes, notes, told
        made.append(process)
        return process

    yield make
    for process in made:
        process.stop()


@pytest.fixture
def memory(monkeypatch):
    """The files of the shared memory made in this process, and no other's: tests run side by side."""
    made = []

    def make(*arguments, **options):
        memory = SharedMemory(*arguments, **options)
        made.append(Path("/dev/shm") / memory.name)
        return memory

    monkeypatch.setattr("vision.pictures.SharedMemory", make)
    return made


def left_over(memory):
    assert memory, "nothing was made"
    return [path for path in memory if path.exists()]


def wait_until_gone(process, pid):
    process._process.join(PATIENCE_S)
    assert process._process.exitcode is not None, f"{pid} lives on"


def test_scenes_and_pictures_arrive_and_nothing_is_left(vision, memory):
    process = vision()
    process.start(ticking=False)
    process.feed("frame")
    scene, picture = process.scenes.get(timeout=PATIENCE_S)
    assert left_over(memory) == memory
    assert scene.size == (320, 240) and scene.t_ns == 1_000_000
    image = cv2.imdecode(np.frombuffer(picture(), np.uint8), cv2.IMREAD_COLOR)
    assert image.shape == (240, 320, 3)
    assert process.status.state == "watching"
    process.stop()
    assert process.status.state == "stopped" and process.pid is None
    assert picture() is None
    assert left_over(memory) == []


def test_a_killed_worker_is_started_again_and_harms_nothing(vision, memory):
    process = vision()
    process.start(ticking=False)
    for _ in range(2):
        process.feed("frame")
        process.scenes.get(timeout=PATIENCE_S)
        pid = process.pid
        os.kill(pid, signal.SIGKILL)
        wait_until_gone(process, pid)
        process.tick()
        assert process.status.state == "lost"
        assert process.status.sentence.to("en").startswith("The camera stopped. It is started again in")
        process._clock.now += 10
        process.tick()
        assert process.pid not in (None, pid)
        # What was fed last is fed again, so the table is seen without anybody doing anything.
        scene, picture = process.scenes.get(timeout=PATIENCE_S)
        assert scene.t_ns == 1_000_000 and picture() is not None
    process.stop()
    assert left_over(memory) == []


def signals(pid, line):
    """The set of signals in one line of a process' status: SigBlk those held back, SigIgn those ignored."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    mask = int(next(text.split()[1] for text in lines if text.startswith(f"{line}:")), 16)
    return {number for number in signal.Signals if mask >> (number - 1) & 1}


def test_ctrl_c_while_the_worker_is_starting_is_not_its_own(vision, capfd):
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    process = vision()
    process.start(ticking=False)
    os.kill(process.pid, signal.SIGINT)
    assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) == before
    process.feed("frame")
    assert process.scenes.get(timeout=PATIENCE_S)[0].lost is None
    assert signal.SIGINT in signals(process.pid, "SigIgn")
    assert signal.SIGINT not in signals(process.pid, "SigBlk")
    process.stop()
    assert "KeyboardInterrupt" not in capfd.readouterr().err


def test_a_hung_worker_is_killed_and_started_again(vision):
    process = vision()
    process.start(ticking=False)
    process.feed("frame")
    process.scenes.get(timeout=PATIENCE_S)
    first = process.pid
    process.feed("hang")
    process.feed("frame")
    while process.pid == first:  # what it said before it hung may still be under way
        process._clock.now += 5
        process.tick()
    assert process.pid is None
    assert process.status.sentence.to("en").startswith("The camera does not answer.")
    process._clock.now += 10
    process.tick()
    assert process.scenes.get(timeout=PATIENCE_S)[0].sequence >= 1
    assert process.status.state == "watching"


def test_a_camera_that_fails_says_why(vision):
    process = vision(fails=True)
    process.start(ticking=False)
    process._process.join(PATIENCE_S)
    process.tick()
    assert process.status.state == "lost"
    assert "no such device" in process.status.sentence.to("en")


def test_darkness_is_told_as_a_lost_view(vision):
    process = vision()
    process.start(ticking=False)
    process.feed("dark")
    scene, _ = process.scenes.get(timeout=PATIENCE_S)
    assert scene.lost == "It is too dark to see the table."
    assert process.status.state == "lost"


def test_recordings_hold_the_pixels_that_were_read(vision, tmp_path):
    process = vision()
    process.start(ticking=False)
    process.record(str(tmp_path / "recording"), {"game": "any", "deck": "one card"})
    process.feed("frame")
    _, picture = process.scenes.get(timeout=PATIENCE_S)
    jpeg = picture()
    process.record(None)
    process.feed("frame")
    process.scenes.get(timeout=PATIENCE_S)
    recording = Recording.open(tmp_path / "recording")
    frames = list(recording.frames())
    assert [frame.jpeg for frame in frames] == [jpeg]
    assert recording.header.deck == "one card" and not recording.torn


def test_a_recording_that_cannot_be_written_is_noted_and_play_goes_on(vision, tmp_path):
    (tmp_path / "file").write_text("in the way")
    process = vision()
    process.start(ticking=False)
    process.record(str(tmp_path / "file"), {"game": "any"})
    assert "cannot be written" in str(process.notes.get(timeout=PATIENCE_S))
    process.feed("frame")
    assert process.scenes.get(timeout=PATIENCE_S)[0].lost is None
