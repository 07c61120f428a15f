"""Each check of the doctor, shown a machine of every kind."""

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from stranger import stranger

from companion.app import doctor
from companion.words import _
from hardware.chips import Chip, GpioError

MOUNTS = """/dev/root / ext4 rw,relatime 0 0
tmpfs /run tmpfs rw 0 0
/dev/sda1 /media/my\\040stick ext4 rw 0 0
"""


def raising(error):
    def call():
        raise error

    return call


def test_all_checks_say_one_sentence_and_leave_nothing_behind(tmp_path):
    checks = doctor.examine(tmp_path)
    assert [check.name for check in checks] == list(doctor.NAMES)
    assert all(str(check.sentence).endswith((".", "?")) for check in checks)
    assert list(tmp_path.iterdir()) == []


def test_a_check_that_fails_itself_stops_no_other(tmp_path, monkeypatch):
    monkeypatch.setitem(doctor.CHECKS, "power", raising(ValueError("strange")))
    checks = {check.name: check for check in doctor.examine(tmp_path)}
    assert checks["power"].found == "problem"
    assert "ValueError: strange" in str(checks["power"].sentence)
    assert "network" in checks


def test_checks_can_be_left_out(tmp_path):
    assert not {"gpio", "lgpio"} & {check.name for check in doctor.examine(tmp_path, skip=("gpio", "lgpio"))}


@pytest.mark.parametrize(
    ("version", "found"), [("5.0.0", "ok"), ("4.10.0", "ok"), ("4.9.0.80", "ok"), ("4.6.0", "problem")]
)
def test_opencv(version, found):
    assert doctor.opencv(version)[0] == found


@pytest.mark.parametrize(
    ("known", "found", "says"),
    [
        ((Chip(4, "pinctrl-rp1", 54), Chip(0, "gpio-brcmstb", 32)), "ok", "/dev/gpiochip4"),
        ((Chip(0, "pinctrl-bcm2711", 58),), "ok", "pinctrl-bcm2711"),
        ((Chip(0, "INT34C6:00", 300),), "problem", "INT34C6:00"),
        ((), "problem", "no GPIO chip"),
    ],
)
def test_the_chip_is_found_by_its_label(known, found, says):
    mood, sentence = doctor.gpio_chip(lambda: known)
    assert mood == found
    assert says in str(sentence)


def test_a_chip_that_may_not_be_opened_is_a_problem():
    mood, sentence = doctor.gpio_chip(raising(GpioError(_("This machine is ready."))))
    assert (mood, str(sentence)) == ("problem", "This machine is ready.")


class Lgpio:
    def __init__(self, version):
        self.get_module_version = lambda: f"lgpio.py_{version}"


def test_lgpio_must_be_there_and_new_enough():
    assert doctor.pin_factory(lambda: Lgpio("0.2.2.0"))[0] == "ok"
    mood, sentence = doctor.pin_factory(lambda: Lgpio("0.1.6.0"))
    assert mood == "problem"
    assert "0.1.6" in str(sentence)
    assert doctor.pin_factory(raising(GpioError(_("This machine is ready."))))[0] == "problem"


def test_a_machine_that_has_slept_counts_time_differently():
    assert doctor.clock(lambda: 20)[0] == "ok"
    mood, sentence = doctor.clock(lambda: 3_400_000_000)
    assert mood == "note"
    assert "3.4 s" in str(sentence)


def test_no_camera_says_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    (tmp_path / "video0").write_bytes(b"not a device")
    mood, sentence = doctor.camera(tmp_path)
    assert mood == "problem"
    assert "cable" in str(sentence)


def test_a_usb_camera_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    able = {"video0": (b"bcm2835-codec", b"codec"), "video1": (b"uvcvideo", b"HD Webcam"), "video2": (b"vivid", b"out")}
    streams = {"video0": 0x04000001, "video1": 0x04200001, "video2": 0x04000002}
    for name in able:
        (tmp_path / name).touch()

    def ioctl(handle, _request, _given):
        name = Path(f"/proc/self/fd/{handle}").readlink().name
        return doctor._CAPABILITIES.pack(*able[name], b"usb-1", 0x60100, 0x84200001, streams[name])

    monkeypatch.setattr(doctor.fcntl, "ioctl", ioctl)
    assert doctor.video_devices(tmp_path) == ((str(tmp_path / "video1"), "HD Webcam"),)
    mood, sentence = doctor.camera(tmp_path)
    assert mood == "ok"
    assert "HD Webcam" in str(sentence)


@pytest.mark.parametrize(("free_mb", "found"), [(50, "problem"), (1_000, "note"), (30_000, "ok")])
def test_disk_space(tmp_path, monkeypatch, free_mb, found):
    usage = type("Usage", (), {"free": free_mb * 1_000_000})
    monkeypatch.setattr(doctor.shutil, "disk_usage", lambda _folder: usage)
    assert doctor.disk(tmp_path / "not" / "there yet")[0] == found


def test_a_data_folder_that_is_not_there_yet_is_made_in_one_that_can_be_written(tmp_path):
    assert doctor.data_folder(tmp_path / "a" / "b", MOUNTS)[0] == "ok"
    assert list(tmp_path.iterdir()) == []


def test_a_data_folder_that_is_a_file_or_lies_in_one_is_a_problem(tmp_path):
    taken = tmp_path / "file"
    taken.write_text("not a folder")
    for data in (taken, taken / "data"):
        mood, sentence = doctor.data_folder(data, MOUNTS)
        assert mood == "problem"
        assert str(sentence) == f"{data}: cannot be written (Not a directory). Give another folder."


def test_a_data_folder_that_may_not_be_looked_into_is_a_problem_and_no_accident(tmp_path):
    data = tmp_path / "shut" / "data"
    data.mkdir(parents=True)
    data.parent.chmod(0)
    with stranger():
        assert doctor.disk(data)[0] in ("ok", "note", "problem")
        mood, sentence = doctor.data_folder(data, MOUNTS)
    data.parent.chmod(0o755)
    assert mood == "problem"
    assert str(sentence) == f"{data}: cannot be written (Permission denied). Give another folder."


def test_a_data_folder_in_memory_loses_the_match(tmp_path):
    mood, sentence = doctor.data_folder(tmp_path, f"tmpfs {tmp_path} tmpfs rw 0 0\n")
    assert mood == "note"
    assert "power cut" in str(sentence)


def test_a_data_folder_that_cannot_be_written_is_a_problem(tmp_path, monkeypatch):
    def refuse(**_options):
        raise OSError(30, os.strerror(30))

    monkeypatch.setattr(doctor.tempfile, "NamedTemporaryFile", refuse)
    mood, sentence = doctor.data_folder(tmp_path, MOUNTS)
    assert mood == "problem"
    assert "Read-only" in str(sentence)


@pytest.mark.parametrize(
    ("folder", "kind"), [("/srv/x", "ext4"), ("/run", "tmpfs"), ("/runner", "ext4"), ("/media/my stick/data", "ext4")]
)
def test_the_deepest_mount_tells_the_file_system(folder, kind):
    assert doctor.filesystem(Path(folder), MOUNTS) == kind


def test_memory():
    assert doctor.memory("MemTotal: 4000000 kB\nMemAvailable: 3000000 kB\n")[0] == "ok"
    assert doctor.memory("MemTotal: 1000000 kB\nMemAvailable: 300000 kB\n")[0] == "note"


@pytest.mark.parametrize(
    ("said", "found", "says"),
    [
        (None, "ok", "does not say"),
        ("throttled=0x0", "ok", "fine"),
        ("throttled=0x50005", "problem", "too little voltage now"),
        ("throttled=0x50000", "note", "too little voltage since"),
        ("throttled=0x8", "problem", "too hot"),
    ],
)
def test_power(said, found, says):
    mood, sentence = doctor.power(lambda: said)
    assert mood == found
    assert says in str(sentence)


def test_network():
    assert doctor.network(lambda: "192.0.2.7")[0] == "ok"
    assert doctor.network(lambda: "127.0.0.1")[0] == "note"
