from __future__ import annotations

import sys
import zlib
from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "companion" / "support"))

from stranger import stranger

from companion.world import Frame
from hardware.cameras import (
    LONGEST_WAIT_S,
    CameraError,
    FolderCamera,
    as_recorded,
    decode,
    encode,
    in_order,
    open_folder,
)
from hardware.table_camera import TableCamera


class Clock:
    """Time that passes only when somebody sleeps."""

    def __init__(self):
        self.now = 1_000

    def __call__(self):
        return self.now

    def sleep(self, seconds):
        self.now += round(seconds * 1e9)


def level(frame):
    return round(float(frame.image.mean()))


@pytest.fixture
def folder(tmp_path):
    for name, value in (("1000.jpg", 40), ("2000.jpg", 90), ("3000.png", 140)):
        cv2.imwrite(str(tmp_path / name), np.full((64, 80, 3), value, np.uint8))
    (tmp_path / "2500.jpg").write_bytes(b"no picture")
    (tmp_path / "notes.txt").write_text("not a picture either")
    return tmp_path


def test_pictures_come_in_order_at_their_pace_and_unreadable_ones_are_left_out(folder):
    clock = Clock()
    camera = FolderCamera(folder, interval_s=0.5, repeat=False, clock=clock, sleep=clock.sleep)
    frames = [camera.read() for _ in range(4)]
    assert frames[3] is None
    assert [level(frame) for frame in frames[:3]] == [40, 90, 140]
    assert np.diff([frame.t_ns for frame in frames[:3]]).tolist() == [500_000_000, 500_000_000]
    camera.close()


def test_a_camera_of_rare_pictures_says_every_second_that_it_is_there(folder):
    clock = Clock()
    camera = FolderCamera(folder, interval_s=2.5, clock=clock, sleep=clock.sleep)
    seen, began = [], clock.now
    while len(seen) < 3:
        before = clock.now
        frame = camera.read()
        assert clock.now - before <= LONGEST_WAIT_S * 1e9
        if frame is not None:
            seen.append((level(frame), (frame.t_ns - began) / 1e9))
    assert seen == [(40, 0.0), (90, 2.5), (140, 5.0)]
    camera.close()


def test_the_simulated_table_says_every_second_that_it_is_there():
    clock = Clock()
    table = SimpleNamespace(look=lambda _pose, t_ns: t_ns)
    camera = TableCamera(table, interval_s=2.5, clock=clock, sleep=clock.sleep)
    began = clock.now
    assert [camera.read() for _ in range(4)] == [began, None, None, began + 2_500_000_000]


def test_folders_and_pictures_beyond_all_size_are_left_out(folder):
    (folder / "2600.jpg").mkdir()
    huge = bytearray((folder / "3000.png").read_bytes())
    huge[16:24] = (40_000).to_bytes(4, "big") * 2  # width and height
    huge[29:33] = zlib.crc32(huge[12:29]).to_bytes(4, "big")
    (folder / "2700.png").write_bytes(huge)
    with pytest.raises(cv2.error):
        cv2.imdecode(np.fromfile(folder / "2700.png", np.uint8), cv2.IMREAD_COLOR)
    camera = FolderCamera(folder, interval_s=0)
    assert [level(camera.read()) for _ in range(4)] == [40, 90, 140, 40]
    camera.close()


def test_a_folder_can_repeat_and_keep_its_own_times(folder):
    clock = Clock()
    camera = FolderCamera(folder, interval_s=0, clock=clock, sleep=clock.sleep)
    assert [level(camera.read()) for _ in range(4)] == [40, 90, 140, 40]
    camera.close()
    kept = FolderCamera(folder, interval_s=0, repeat=False, keep_times=True, clock=clock, sleep=clock.sleep)
    assert [kept.read().t_ns for _ in range(3)] == [1000, 2000, 3000]
    kept.feed("anything")
    kept.close()


def test_frames_are_as_a_recording_would_give_them_back(folder):
    camera = open_folder(str(folder), interval_s=0)
    for _ in range(3):
        frame = camera.read()
        assert np.array_equal(decode(frame.jpeg), frame.image)
    camera.close()


def test_a_video_file_is_played(tmp_path):
    path = str(tmp_path / "table.avi")
    video = cv2.VideoWriter(path, cv2.VideoWriter_fourcc(*"MJPG"), 15, (80, 64))
    for value in (30, 120, 210):
        video.write(np.full((64, 80, 3), value, np.uint8))
    video.release()
    clock = Clock()
    camera = FolderCamera(path, interval_s=0, repeat=False, clock=clock, sleep=clock.sleep)
    assert [abs(level(camera.read()) - value) <= 3 for value in (30, 120, 210)] == [True] * 3
    assert camera.read() is None
    camera.close()


def test_what_gives_no_pictures_is_refused_with_a_sentence(tmp_path):
    with pytest.raises(CameraError) as caught:
        FolderCamera(tmp_path)
    assert caught.value.sentence.to("en") == f"There are no pictures in {tmp_path}."
    with pytest.raises(CameraError, match="neither a folder of pictures nor a video"):
        FolderCamera(tmp_path / "nothing")
    (tmp_path / "bad.jpg").write_bytes(b"torn")
    camera = FolderCamera(tmp_path, interval_s=0)
    with pytest.raises(CameraError, match="can be read"):
        camera.read()


def test_a_place_that_may_not_be_read_is_refused_with_a_sentence(tmp_path):
    shut = tmp_path / "shut"
    (shut / "photos").mkdir(parents=True)
    shut.chmod(0)
    for place in (shut, shut / "photos"):
        with stranger(), pytest.raises(CameraError, match=r"cannot be read: Permission denied\. Give a place that"):
            FolderCamera(place)
    shut.chmod(0o755)


def test_jpeg_there_and_back():
    image = np.full((64, 80, 3), 77, np.uint8)
    assert decode(encode(image)).shape == image.shape
    assert decode(b"") is None and decode(b"torn") is None
    frame = Frame(1, image, encode(image))
    assert as_recorded(frame) is frame


def test_the_last_picture_stays_when_told(folder):
    camera = FolderCamera(folder, interval_s=0, repeat=False, hold=True)
    assert [level(camera.read()) for _ in range(5)] == [40, 90, 140, 140, 140]
    camera.close()


def test_numbered_pictures_come_by_number_others_by_name():
    assert [file.name for file in in_order(map(Path, ("1000.jpg", "999.jpg", "0.jpg")))] == [
        "0.jpg",
        "999.jpg",
        "1000.jpg",
    ]
    assert [file.name for file in in_order(map(Path, ("b.jpg", "999.jpg", "1000.jpg")))][-1] == "b.jpg"
