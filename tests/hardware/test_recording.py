from __future__ import annotations

import json
import sys
import zipfile
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "companion" / "support"))

from stranger import stranger

from companion.world import Frame, Press
from hardware.cameras import as_recorded, decode
from hardware.recording import Header, Recording, RecordingError, RecordingWriter, open_for_worker, pack

HEADER = Header(
    game="hook",
    deck="practice",
    seats=("red-pirate", "blue-sailor"),
    teams={"red-pirate": "pirates"},
    plane=(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0),
    options={"rounds": 3, "house": {"false-start": "ignored"}},
)


def picture(level):
    return np.full((64, 80, 3), level, np.uint8)


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "evening"
    with RecordingWriter(folder, HEADER) as writer:
        for t_ns in (1000, 300, 20000):
            writer.frame(Frame(t_ns, picture(t_ns % 251)))
        writer.press(Press("red-pirate", 1234, 1))
        writer.tap(2000, {"type": "next-round", "match": 1})
    return folder


def refused(path):
    with pytest.raises(RecordingError) as caught:
        Recording.open(path)
    return caught.value.sentence.to("en")


def test_what_was_written_is_read_again(folder):
    recording = Recording.open(folder)
    assert recording.header == HEADER
    assert recording.presses == (Press("red-pirate", 1234, 1),)
    assert recording.taps == ({"t_ns": 2000, "type": "next-round", "match": 1},)
    frames = list(recording.frames())
    assert [frame.t_ns for frame in frames] == [300, 1000, 20000]
    assert all(np.array_equal(frame.image, decode(frame.jpeg)) for frame in frames)
    assert recording.torn == []


def test_a_zip_reads_the_same_even_with_a_folder_around_it(folder, tmp_path):
    zipped = tmp_path / "evening.zip"
    pack(folder, zipped)
    around = tmp_path / "around.zip"
    with zipfile.ZipFile(around, "w") as archive:
        for file in folder.rglob("*"):
            if file.is_file():
                archive.write(file, f"evening/{file.relative_to(folder).as_posix()}")
    whole = Recording.open(folder)
    for path in (zipped, around):
        recording = Recording.open(path)
        assert (recording.header, recording.presses, recording.taps) == (whole.header, whole.presses, whole.taps)
        assert [f.jpeg for f in recording.frames()] == [f.jpeg for f in whole.frames()]
        recording.close()


def test_replay_reads_the_very_pixels_of_play(tmp_path):
    live = as_recorded(Frame(7, np.random.default_rng(0).integers(0, 255, (64, 80, 3)).astype(np.uint8)))
    with RecordingWriter(tmp_path / "r", HEADER) as writer:
        writer.frame(live)
    (again,) = Recording.open(tmp_path / "r").frames()
    assert np.array_equal(again.image, live.image)


def test_torn_lines_and_pictures_are_left_out_and_told(folder):
    with (folder / "presses.jsonl").open("ab") as file:
        file.write(b'{"seat":"red-pi')
    with (folder / "taps.jsonl").open("ab") as file:
        file.write(b"\xff\xfe\n[1, 2]\n")
    whole = (folder / "frames" / "1000.jpg").read_bytes()
    (folder / "frames" / "1000.jpg").write_bytes(whole[: len(whole) // 2])
    (folder / "frames" / "30000.part").write_bytes(whole)
    recording = Recording.open(folder)
    assert len(recording.presses) == 1 and len(recording.taps) == 1
    assert [frame.t_ns for frame in recording.frames()] == [300, 20000]
    told = [text.to("en") for text in recording.torn]
    assert told.count("A line of taps.jsonl is damaged and was left out.") == 2
    assert "A line of presses.jsonl is damaged and was left out." in told
    assert "A picture is damaged and was left out: frames/1000.jpg." in told


def test_a_press_that_is_none_is_told(folder):
    with (folder / "presses.jsonl").open("ab") as file:
        file.write(json.dumps({"seat": "red-pirate", "t_ns": "soon"}).encode() + b"\n")
    assert [t.to("en") for t in Recording.open(folder).torn] == ["A line of presses.jsonl is damaged and was left out."]


@pytest.mark.parametrize("t_ns", ["soon", None, 1.5, True])
def test_a_tap_without_a_time_is_told(folder, t_ns):
    with (folder / "taps.jsonl").open("ab") as file:
        file.write(json.dumps({"command": "Undo", "t_ns": t_ns}).encode() + b"\n")
    recording = Recording.open(folder)
    assert len(recording.taps) == 1
    assert [text.to("en") for text in recording.torn] == ["A line of taps.jsonl is damaged and was left out."]


def test_a_picture_whose_name_is_no_number_is_none_of_ours(folder):
    (folder / "frames" / "1000².jpg").write_bytes(b"")
    assert Recording.open(folder).times_ns == (300, 1000, 20000)


def test_names_with_leading_zeros_are_read(folder):
    for t_ns in (300, 1000):
        (folder / "frames" / f"{t_ns}.jpg").rename(folder / "frames" / f"{t_ns:08}.jpg")
    recording = Recording.open(folder)
    assert [frame.t_ns for frame in recording.frames()] == [300, 1000, 20000]
    assert recording.torn == []


@pytest.mark.parametrize("spoilt", ["presses.jsonl", "recording.toml"])
@pytest.mark.parametrize("how", ["damaged", "password"])
def test_a_zip_of_which_a_part_cannot_be_read_says_so(folder, tmp_path, spoilt, how):
    path = tmp_path / "evening.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(folder.rglob("*")):
            archive.write(file, file.relative_to(folder).as_posix())
        entry = archive.getinfo(spoilt)
    data = bytearray(path.read_bytes())
    if how == "damaged":
        data[entry.header_offset + 30 + len(spoilt)] ^= 0xFF  # the first byte of what is packed
    else:
        data[data.rindex(spoilt.encode()) - 38] |= 1  # the flag "encrypted" in the directory
    path.write_bytes(data)
    if spoilt == "recording.toml":
        assert refused(path) == f"{path} is damaged or has a password. Copy it anew."
    else:
        recording = Recording.open(path)
        assert recording.presses == ()
        assert [text.to("en") for text in recording.torn] == ["presses.jsonl is damaged and was left out."]


def test_what_is_no_recording_is_refused_with_a_sentence(tmp_path, folder):
    assert refused(tmp_path / "nowhere") == f"There is no recording at {tmp_path / 'nowhere'}."
    assert refused(tmp_path) == f"{tmp_path} is no recording: recording.toml is missing."
    (tmp_path / "x.zip").write_bytes(b"PK\x03\x04 torn")
    assert refused(tmp_path / "x.zip").endswith("is neither a folder nor a readable zip.")
    (folder / "recording.toml").write_text("game = ")
    assert "recording.toml" in refused(folder) and "cannot be read" in refused(folder)
    (folder / "recording.toml").write_text(f"game = {'[' * 5000}")
    assert "recording.toml" in refused(folder) and "cannot be read" in refused(folder)
    (folder / "recording.toml").write_text('game = "hook"\nformat = 9')
    assert "is of format 9" in refused(folder)
    (folder / "recording.toml").write_text('game = "hook"\nplane = [1.0, 2.0]')
    assert "nine numbers" in refused(folder)


def test_a_recording_that_may_not_be_read_is_refused_with_a_sentence(tmp_path):
    (tmp_path / "shut" / "evening").mkdir(parents=True)
    (tmp_path / "shut").chmod(0)
    with stranger():
        said = refused(tmp_path / "shut" / "evening")
    (tmp_path / "shut").chmod(0o755)
    assert said.endswith("evening cannot be read: Permission denied. Give a place that this program may read.")


def test_a_recording_is_never_written_over(folder):
    with pytest.raises(RecordingError) as caught:
        RecordingWriter(folder, HEADER)
    assert caught.value.sentence.to("en") == f"There is already a recording in {folder}."
    again = open_for_worker(str(folder), {"game": "hook"})  # a restarted worker goes on
    again.jpeg(40000, as_recorded(Frame(40000, picture(9))).jpeg)
    again.close()
    assert Recording.open(folder).times_ns == (300, 1000, 20000, 40000)


def full(*_given, **_named):
    raise OSError(28, "No space left on device")


def test_a_full_disk_is_told_whatever_is_written(tmp_path, monkeypatch):
    with RecordingWriter(tmp_path / "r", HEADER) as writer:
        monkeypatch.setattr(Path, "write_bytes", full)
        writer._presses, writer._taps = (
            SimpleNamespace(write=full, close=file.close) for file in (writer._presses, writer._taps)
        )
        for write in (
            lambda: writer.frame(Frame(1, picture(1))),
            lambda: writer.press(Press("red-pirate", 1234, 1)),
            lambda: writer.tap(2000, {"type": "next-round"}),
        ):
            with pytest.raises(RecordingError) as caught:
                write()
            assert str(caught.value) == f"{tmp_path / 'r'} cannot be written: No space left on device."
        with pytest.raises(OSError, match="No space left"):  # which the vision worker tells
            writer.jpeg(1, b"")


def test_a_line_is_written_whole_though_the_disk_takes_it_in_parts(tmp_path):
    with RecordingWriter(tmp_path / "r", HEADER) as writer:
        whole = writer._taps
        writer._taps = SimpleNamespace(write=lambda data: whole.write(data[:7]), close=whole.close)
        for t_ns in (1, 2):
            writer.tap(t_ns, {"type": "next-round"})
    assert [tap["t_ns"] for tap in Recording.open(tmp_path / "r").taps] == [1, 2]


def test_a_place_that_cannot_be_written_is_told(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(RecordingError, match="cannot be written"):
        RecordingWriter(tmp_path / "file", HEADER)
