"""The GPIO chip of this machine: found by its label, asked who holds a line, opened for gpiozero.

The chip's number changed between kernels (Pi 5: 4, then 0), so that its label decides. Labels and holders are asked of
the kernel (the character device's own ioctls), because that needs no library, takes no line and works for a doctor too.

    with Gpio.open() as gpio:
        buttons = GpioButtons(WIRING, gpio.factory)
"""

from __future__ import annotations

import atexit
import contextlib
import fcntl
import importlib
import os
import re
import struct
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from companion.words import Text, _

LABELS = ("pinctrl-rp1", "pinctrl-bcm2")
"""What the 40-pin header's chip calls itself: a Pi 5, and every Pi before it."""
LGPIO_AT_LEAST = (0, 2, 2)
"""Before that, lgpio mixed two clocks in its time stamps."""

_CHIP_INFO, _CHIP = 0x8044B401, struct.Struct("=32s32sI")
_LINE_INFO, _LINE = 0xC100B405, struct.Struct("=32s32sIIQ176x")
_USED = 1

Ask = Callable[[Path, int, bytes], bytes]
"""(device, request, what goes in) -> what the kernel answers."""


class GpioError(Exception):
    """GPIO that cannot be used; ``sentence`` says what is wrong and what people can do."""

    def __init__(self, sentence: Text) -> None:
        super().__init__(str(sentence))
        self.sentence = sentence


@dataclass(frozen=True, slots=True)
class Chip:
    """One ``/dev/gpiochip*``: ``number`` is the one in its name."""

    number: int
    label: str
    lines: int


def ask(device: Path, request: int, given: bytes) -> bytes:
    """One ioctl on a device that is opened for it."""
    handle = os.open(device, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return fcntl.ioctl(handle, request, given)
    finally:
        os.close(handle)


def chips(folder: Path = Path("/dev"), ask: Ask = ask) -> tuple[Chip, ...]:
    """All chips that may be opened, by number. Raises ``GpioError`` when there are some but none may be."""
    found: list[Chip] = []
    refused: list[Path] = []
    for device in folder.glob("gpiochip*"):
        try:
            _name, label, lines = _CHIP.unpack(ask(device, _CHIP_INFO, bytes(_CHIP.size)))
        except PermissionError:
            refused.append(device)
        except OSError:
            continue
        else:
            found.append(Chip(int(device.name.removeprefix("gpiochip")), _text(label), lines))
    if refused and not found:
        raise GpioError(
            _(
                "{device} may not be opened. Say sudo usermod -aG gpio $USER and log in again, to be in its group.",
                device=str(sorted(refused)[0]),
            )
        )
    return tuple(sorted(found, key=lambda chip: chip.number))


def find(known: tuple[Chip, ...]) -> Chip:
    """The chip of the 40-pin header. A label of the list counts more than a low number."""
    for label in LABELS:
        for chip in known:
            if chip.label.startswith(label):
                return chip
    if known:
        labels = ", ".join(chip.label for chip in known)
        raise GpioError(_("None of this machine's GPIO chips is a Raspberry Pi's: {labels}.", labels=labels))
    raise GpioError(_("This machine has no GPIO chip. Slap buttons need a Raspberry Pi; use USB or on-screen buttons."))


def labelled(label: str) -> Chip:
    """The chip of that label. Raises ``GpioError`` with those there are."""
    known = chips()
    for chip in known:
        if chip.label == label:
            return chip
    labels = ", ".join(chip.label for chip in known) or "-"
    raise GpioError(_("There is no GPIO chip {label}. There are: {labels}.", label=label, labels=labels))


def holder(number: int, line: int, folder: Path = Path("/dev"), ask: Ask = ask) -> str | None:
    """The name under which somebody holds a line of a chip ("lg" is lgpio); None when it is free or unknown."""
    given = _LINE.pack(b"", b"", line, 0, 0)
    try:
        _name, consumer, _line, _attributes, flags = _LINE.unpack(ask(folder / f"gpiochip{number}", _LINE_INFO, given))
    except OSError:
        return None
    return (_text(consumer) or "?") if flags & _USED else None


def programs(proc: Path = Path("/proc")) -> tuple[str, ...]:
    """Other programs that hold GPIO lines, as "name (process)", as far as this user may see them."""
    found = []
    for folder in proc.glob("[0-9]*"):
        if folder.name == str(os.getpid()):
            continue
        with contextlib.suppress(OSError):
            if any("gpio-line" in link or "gpioline" in link for link in _open_files(folder)):
                found.append(f"{(folder / 'comm').read_text(encoding='utf-8').strip()} ({folder.name})")
    return tuple(sorted(found))


def import_lgpio() -> ModuleType:
    """The lgpio module, imported where its pipe does no harm.

    Importing it makes a pipe ``.lgd-nfy…`` in the working directory (and fails where that is read-only), or changes the
    directory to ``LG_WD``. So it is imported in a temporary folder of its own, which goes when the program ends. The
    working directory belongs to the whole process: do this at the start, before threads rely on it.
    """
    if "lgpio" in sys.modules:
        return sys.modules["lgpio"]
    folder = tempfile.TemporaryDirectory(prefix="companion-lgpio-", dir=_runtime_directory())
    atexit.register(folder.cleanup)
    here, asked = Path.cwd(), os.environ.pop("LG_WD", None)
    os.chdir(folder.name)
    try:
        lgpio = importlib.import_module("lgpio")
    except ImportError as error:
        raise GpioError(
            _("Python's lgpio is not installed, and only it gives the kernel's time. Install python3-lgpio.")
        ) from error
    finally:
        os.chdir(here)
        if asked is not None:
            os.environ["LG_WD"] = asked
    return lgpio


def version_of(lgpio: Any) -> tuple[int, ...]:
    """The version that an lgpio module says it has, as numbers; () when it does not say."""
    said = re.search(r"\d+(?:\.\d+)+", str(getattr(lgpio, "get_module_version", str)()))
    return tuple(int(part) for part in said[0].split(".")) if said else ()


class Gpio:
    """The chip as gpiozero's pin factory. ``close`` gives every line back, which closing single devices does not."""

    def __init__(self, factory: Any, chip: Chip | None = None) -> None:
        self.factory, self.chip = factory, chip

    @classmethod
    def open(cls, chip: Chip | None = None) -> Gpio:
        """A chip through lgpio: the header's unless given."""
        chip = chip or find(chips())
        lgpio = import_lgpio()
        version = version_of(lgpio)
        if version and version < LGPIO_AT_LEAST:
            raise GpioError(
                _(
                    "lgpio {version} is too old to be trusted with time. Install {needed} or later.",
                    version=".".join(map(str, version)),
                    needed=".".join(map(str, LGPIO_AT_LEAST)),
                )
            )
        from gpiozero.pins.lgpio import LGPIOFactory  # noqa: PLC0415  (imports lgpio: only here, never at the top)

        try:
            return cls(LGPIOFactory(chip=chip.number), chip)
        except lgpio.error as error:
            raise GpioError(
                _("GPIO chip {number} cannot be opened: {why}.", number=str(chip.number), why=str(error).strip("'"))
            ) from error

    def close(self) -> None:
        """Let go of the chip and of all its lines."""
        self.factory.close()

    def __enter__(self) -> Gpio:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()


def _text(raw: bytes) -> str:
    return raw.split(b"\0", 1)[0].decode(errors="replace")


def _open_files(process: Path) -> list[str]:
    """What a process has open, as far as it says so itself; nothing when this user may not know."""
    return [str(link.readlink()) for link in (process / "fd").iterdir()]


def _runtime_directory() -> str | None:
    """The service's own folder in memory, where there is one."""
    named = os.environ.get("RUNTIME_DIRECTORY", "").split(":")[0]
    return named if named and os.access(named, os.W_OK) else None


def is_lgpio(factory: object) -> bool:
    """Whether a pin factory is gpiozero's lgpio one, the only one that passes on the kernel's time.

    By name along its ancestors: the class itself cannot be imported where lgpio is not.
    """
    return any(kind.__name__ == "LGPIOFactory" for kind in type(factory).__mro__)
