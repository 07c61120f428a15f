"""USB buttons over a device that is not there (a pipe)."""

from __future__ import annotations

import os
from types import SimpleNamespace
from typing import Any

import pytest

from companion.world import Press
from hardware.buttons import UsbButton
from hardware.buttons.evdev_buttons import EvdevButtons, use_monotonic
from tests.hardware.buttons_suite import wait

PATH = "/dev/input/by-id/buttons"
SPECS = (UsbButton("a", 288, PATH), UsbButton("b", 289, PATH))


class FakeDevice:
    """An input device made of a pipe; a list of events is one report."""

    def __init__(self) -> None:
        self._out, self._in = os.pipe()
        self._reports: list[list[Any]] = []
        self.down: list[int] = []
        self.grabbed = self.gone = self.closed = False

    def fileno(self) -> int:
        return self._out

    def send(self, *events: tuple[int, int, int], t_ns: int = 5_000_000_000) -> None:
        sec, nsec = divmod(t_ns, 1_000_000_000)
        self._reports.append(
            [SimpleNamespace(sec=sec, usec=nsec // 1000, type=kind, code=code, value=v) for kind, code, v in events]
        )
        for kind, code, value in events:
            if kind == 1 and value != 2:
                self.down = [key for key in self.down if key != code] + [code] * value
        os.write(self._in, b"x")

    def unplug(self) -> None:
        self.gone = True
        os.write(self._in, b"x")

    def read(self) -> list[Any]:
        if self.gone:
            raise OSError(19, "No such device")
        if not self._reports:
            raise BlockingIOError
        os.read(self._out, 1)
        return self._reports.pop(0)

    def active_keys(self) -> list[int]:
        if self.gone:
            raise OSError(19, "No such device")
        return self.down

    def grab(self) -> None:
        if self.grabbed:
            raise OSError(16, "Device or resource busy")
        self.grabbed = True

    def close(self) -> None:
        if not self.closed:
            os.close(self._out)
            os.close(self._in)
        self.closed = True


class Usb:
    """Two USB buttons and what they say."""

    def __init__(self, *, exact: bool = True, device: FakeDevice | None = None) -> None:
        self.device = device or FakeDevice()
        self.there = True
        self.presses: list[Press] = []
        self.buttons = EvdevButtons(SPECS, open_device=self.open, use_monotonic=lambda _handle: exact)
        self.buttons.start(self.hear)

    def open(self, path: str) -> FakeDevice:
        assert path == PATH
        if not self.there:
            raise FileNotFoundError(2, "No such file or directory")
        return self.device

    def hear(self, press: Press) -> None:
        self.presses.append(press)
        if press.t_ns == 666_000:
            raise ValueError("this handler fails")


def test_kernel_stamps_are_handed_on_and_repetitions_are_not() -> None:
    usb = Usb()
    usb.device.send((1, 288, 1), (0, 0, 0), t_ns=5_000_001_000)
    usb.device.send((1, 288, 2), (0, 0, 0))
    usb.device.send((1, 400, 1), (0, 0, 0))
    usb.device.send((1, 289, 1), (1, 288, 0), t_ns=5_100_000_000)
    assert wait(lambda: len(usb.presses) == 3)
    assert usb.presses[0] == Press("a", 5_000_001_000, 1, "kernel")
    assert [(press.seat, press.level) for press in usb.presses] == [("a", 1), ("b", 1), ("a", 0)]
    usb.buttons.close()
    assert usb.device.closed


def test_a_raising_handler_silences_nobody_on_usb() -> None:
    usb = Usb()
    usb.device.send((1, 288, 1), t_ns=666_000)
    usb.device.send((1, 289, 1), t_ns=777_000)
    assert wait(lambda: len(usb.presses) == 2)
    assert wait(lambda: usb.buttons.health()[0].handler_errors == 1)
    usb.buttons.close()


def test_lost_reports_are_told() -> None:
    usb = Usb()
    usb.device.send((0, 3, 0))
    assert wait(lambda: all(health.trouble == "lost" for health in usb.buttons.health()))
    assert str(usb.buttons.health()[0].sentence).startswith("1 report of it")
    usb.buttons.close()


def test_without_the_monotonic_clock_the_program_stamps() -> None:
    usb = Usb(exact=False)
    usb.device.send((1, 288, 1))
    assert wait(lambda: len(usb.presses) == 1)
    assert usb.presses[0].clock == "software" and usb.presses[0].t_ns != 5_000_000_000
    usb.buttons.close()


def test_down_from_the_start_is_held() -> None:
    device = FakeDevice()
    device.send((1, 289, 1))
    usb = Usb(device=device)
    assert usb.buttons.health()[1].trouble == "held" and not usb.presses
    usb.buttons.close()


def test_unplugged_and_plugged_in_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardware.buttons.evdev_buttons._RETRY_S", 0.05)
    usb = Usb()
    usb.there = False
    usb.device.unplug()
    assert wait(lambda: all(health.trouble == "missing" for health in usb.buttons.health()))
    assert "No such" in str(usb.buttons.health()[0].sentence)
    usb.device, usb.there = FakeDevice(), True
    assert wait(lambda: all(health.ok for health in usb.buttons.health()))
    usb.device.send((1, 288, 1))
    assert wait(lambda: len(usb.presses) == 1)
    usb.buttons.close()


@pytest.mark.parametrize(("holder", "who"), [("Xorg (812)", "Xorg (812)"), (None, "another program")])
def test_taken_by_somebody_else(monkeypatch: pytest.MonkeyPatch, holder: str | None, who: str) -> None:
    asked: list[str] = []
    monkeypatch.setattr("hardware.buttons.evdev_buttons.holder", lambda path: asked.append(path) or holder)
    device = FakeDevice()
    device.grab()
    buttons = EvdevButtons(SPECS, open_device=lambda _path: device, use_monotonic=lambda _handle: True)
    assert [health.trouble for health in buttons.health()] == ["grabbed", "grabbed"]
    sentence = buttons.health()[0].sentence
    assert str(sentence) == f"It is in use by {who}. Stop that program; this one then goes on by itself."
    assert asked == [PATH]
    assert "pin" not in sentence.to("de").lower()
    buttons.close()


def test_not_allowed_to_read_it() -> None:
    def refuse(_path: str) -> FakeDevice:
        raise PermissionError(13, "Permission denied")

    buttons = EvdevButtons(SPECS, open_device=refuse)
    assert "Permission denied" in str(buttons.health()[0].sentence)
    buttons.close()


def test_a_pipe_has_no_clock_to_choose() -> None:
    out, into = os.pipe()
    assert not use_monotonic(out)
    os.close(out)
    os.close(into)
