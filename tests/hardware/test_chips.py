"""Finding the GPIO chip and who holds its lines, with the kernel's answers made up."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import ModuleType

import pytest

from hardware import chips
from hardware.chips import Chip, Gpio, GpioError


def devices(folder: Path, labels: dict[int, str]) -> chips.Ask:
    """Devices in a folder, and what the kernel says about them ("!" may not be opened)."""
    for number in labels:
        (folder / f"gpiochip{number}").touch()

    def ask(device: Path, request: int, given: bytes) -> bytes:
        label = labels[int(device.name[8:])]
        if label == "!":
            raise PermissionError(13, "Permission denied")
        if request == chips._CHIP_INFO:
            return chips._CHIP.pack(device.name.encode(), label.encode(), 54)
        assert request == chips._LINE_INFO and len(given) == 256
        line = chips._LINE.unpack(given)[2]
        return chips._LINE.pack(b"GPIO", b"lg" if line == 17 else b"", line, 0, int(line in (17, 18)))

    return ask


@pytest.mark.parametrize(
    ("labels", "number"),
    [
        ({0: "pinctrl-bcm2711", 1: "raspberrypi-exp-gpio"}, 0),
        ({0: "gpio-brcmstb@107d508500", 4: "pinctrl-rp1", 10: "gpio-brcmstb@107d517c00"}, 4),
        ({0: "pinctrl-rp1", 10: "gpio-brcmstb"}, 0),
        ({0: "!", 2: "pinctrl-bcm2835"}, 2),
    ],
)
def test_the_chip_is_found_by_its_label(tmp_path: Path, labels: dict[int, str], number: int) -> None:
    assert chips.find(chips.chips(tmp_path, devices(tmp_path, labels))).number == number


def test_no_chip_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(GpioError, match="has no GPIO chip"):
        chips.find(chips.chips(tmp_path))
    with pytest.raises(GpioError, match="Raspberry Pi's: gpio-ich"):
        chips.find((Chip(0, "gpio-ich", 10),))
    with pytest.raises(GpioError, match="group"):
        chips.chips(tmp_path, devices(tmp_path, {0: "!"}))


def test_a_file_that_is_no_chip_is_none(tmp_path: Path) -> None:
    (tmp_path / "gpiochip0").touch()
    assert chips.chips(tmp_path) == ()


def test_who_holds_a_line(tmp_path: Path) -> None:
    ask = devices(tmp_path, {0: "pinctrl-rp1"})
    assert chips.holder(0, 17, tmp_path, ask) == "lg"
    assert chips.holder(0, 18, tmp_path, ask) == "?"
    assert chips.holder(0, 19, tmp_path, ask) is None
    assert chips.holder(3, 17, tmp_path) is None


def test_programs_that_hold_lines_are_named(tmp_path: Path) -> None:
    for process, link in (("12", "anon_inode:gpio-line"), ("13", "/dev/null"), (str(os.getpid()), "gpio-line")):
        (tmp_path / process / "fd").mkdir(parents=True)
        (tmp_path / process / "fd" / "3").symlink_to(link)
        (tmp_path / process / "comm").write_text("gpiomon\n")
    (tmp_path / "14").mkdir()
    assert chips.programs(tmp_path) == ("gpiomon (12)",)


def test_structures_have_the_kernels_sizes() -> None:
    assert (chips._CHIP.size, chips._LINE.size) == (68, 256)


def test_lgpio_leaves_its_pipe_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "source"
    source.mkdir()
    (source / "lgpio.py").write_text(
        "import os, pathlib\n"
        "assert 'LG_WD' not in os.environ\n"
        "pathlib.Path('.lgd-nfy0').touch()\n"
        "def get_module_version():\n"
        "    return 'lgpio.py_0.2.0.0'\n"
    )
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    monkeypatch.syspath_prepend(str(source))
    monkeypatch.setenv("LG_WD", "/nowhere")
    monkeypatch.delitem(sys.modules, "lgpio", raising=False)
    try:
        lgpio = chips.import_lgpio()
        assert chips.import_lgpio() is lgpio
        assert list(here.iterdir()) == [] and Path.cwd() == here and os.environ["LG_WD"] == "/nowhere"
        assert chips.version_of(lgpio) == (0, 2, 0, 0)
        monkeypatch.setattr(chips, "chips", lambda: (Chip(0, "pinctrl-rp1", 54),))
        with pytest.raises(GpioError, match=r"0\.2\.0\.0 is too old"):
            Gpio.open()
        with pytest.raises(GpioError, match=r"no GPIO chip pinctrl-7. There are: pinctrl-rp1\."):
            chips.labelled("pinctrl-7")
    finally:
        sys.modules.pop("lgpio", None)


def test_without_lgpio_there_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lgpio", None)  # type: ignore[arg-type]
    monkeypatch.setattr(chips, "chips", lambda: (Chip(0, "pinctrl-rp1", 54),))
    with pytest.raises(GpioError, match="python3-lgpio"):
        if sys.modules["lgpio"] is None:
            monkeypatch.delitem(sys.modules, "lgpio")
            monkeypatch.setattr(chips.importlib, "import_module", _missing)
        Gpio.open()


def _missing(name: str) -> ModuleType:
    raise ImportError(name)
