"""Is this machine ready? Each check looks at one thing and says one sentence: how it is, and what to do.

Checks only look: they take no GPIO line, open no camera and leave nothing behind in the data folder.
"""

from __future__ import annotations

import errno
import fcntl
import importlib.util
import os
import platform
import shutil
import struct
import subprocess
import tempfile
import time
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Literal

import cv2
import msgspec

from companion import reading
from companion.app.address import own_address
from companion.words import Text, _
from hardware import chips
from hardware.chips import GpioError
from hardware.sensor_time import boottime_lead_ns

OPENCV_AT_LEAST = (4, 9)
LITTLE_DISK_MB, NO_DISK_MB = 2_000, 300
LITTLE_MEMORY_MB = 700
SLOW_FSYNC_MS = 200
SLEPT_NS = 1_000_000

_QUERY_CAPABILITIES, _CAPABILITIES = 0x80685600, struct.Struct("=16s32s32sII I12x")
_CAPTURES, _STREAMS = 0x00000001, 0x04000000
_IN_MEMORY = ("tmpfs", "ramfs", "overlay")
_THROTTLED = {0: _("too little voltage"), 2: _("throttled"), 3: _("too hot"), 1: _("slowed down")}
"""Bits of vcgencmd get_throttled, worst first; the same 16 bits higher mean "since the start"."""


class Check(msgspec.Struct, frozen=True):
    """What one check found. A note is worth reading; with a problem the machine is not ready."""

    name: str
    found: Literal["ok", "note", "problem"]
    sentence: Text


def ok(sentence: Text) -> tuple[Literal["ok"], Text]:
    """All is well."""
    return "ok", sentence


def note(sentence: Text) -> tuple[Literal["note"], Text]:
    """It works, but people should know."""
    return "note", sentence


def problem(sentence: Text) -> tuple[Literal["problem"], Text]:
    """Something has to be mended first."""
    return "problem", sentence


Found = tuple[Literal["ok", "note", "problem"], Text]


def examine(data: Path, skip: Collection[str] = ()) -> tuple[Check, ...]:
    """All checks by name, without those to skip. A check that fails itself is a problem, and the others go on."""
    checks: dict[str, Callable[[], Found]] = CHECKS | {
        "disk": lambda: disk(data),
        "data": lambda: data_folder(data),
    }
    found = []
    for name in NAMES:
        if name in skip:
            continue
        try:
            mood, sentence = checks[name]()
        except Exception as error:  # whatever it is, the doctor goes on to the next
            mood, sentence = problem(_("This could not be checked: {why}.", why=f"{type(error).__name__}: {error}"))
        found.append(Check(name, mood, sentence))
    return tuple(found)


def python() -> Found:
    """The interpreter; an older one than 3.11 could not even run this."""
    bits = platform.architecture()[0]
    said = {"version": platform.python_version(), "machine": platform.machine()}
    if bits != "64bit":
        return problem(_("Python {version} on {machine} is not 64 bit: OpenCV has nothing for it.", **said))
    return ok(_("Python {version} on {machine}.", **said))


def opencv(version: str = cv2.__version__) -> Found:
    """The vision library."""
    if tuple(int(part) for part in version.split(".")[:2]) < OPENCV_AT_LEAST:
        needed = ".".join(map(str, OPENCV_AT_LEAST))
        return problem(_("OpenCV {version} is too old; {needed} is needed.", version=version, needed=needed))
    return ok(_("OpenCV {version}.", version=version))


def gpio_chip(known: Callable[[], tuple[chips.Chip, ...]] = chips.chips) -> Found:
    """The chip of the 40-pin header, by its label."""
    try:
        chip = chips.find(known())
    except GpioError as error:
        return problem(error.sentence)
    return ok(
        _(
            "GPIO chip {label} is /dev/gpiochip{number}, with {lines} lines.",
            label=chip.label,
            number=str(chip.number),
            lines=str(chip.lines),
        )
    )


def pin_factory(load: Callable[[], object] = chips.import_lgpio) -> Found:
    """The library that passes on the kernel's time."""
    try:
        lgpio = load()
    except GpioError as error:
        return problem(error.sentence)
    version = chips.version_of(lgpio)
    said = ".".join(map(str, version)) or "?"
    if version and version < chips.LGPIO_AT_LEAST:
        needed = ".".join(map(str, chips.LGPIO_AT_LEAST))
        return problem(_("lgpio {version} gives wrong times; {needed} is needed.", version=said, needed=needed))
    return ok(_("Buttons are read through lgpio {version}: their time is the kernel's.", version=said))


def clock(slept_ns: Callable[[], int] = boottime_lead_ns) -> Found:
    """One time base for buttons, camera and program."""
    offset = slept_ns()
    info = time.get_clock_info("monotonic")
    if "CLOCK_MONOTONIC" not in info.implementation or not info.monotonic:
        return problem(_("Python's clock is {clock}, not the kernel's monotonic one.", clock=info.implementation))
    if offset > SLEPT_NS:
        return note(
            _(
                "This machine has slept for {seconds} s since its start: camera and buttons may count time "
                "differently. Restart it before a match.",
                seconds=f"{offset / 1e9:.1f}",
            )
        )
    return ok(_("Buttons, camera and program share one clock (CLOCK_MONOTONIC)."))


def camera(folder: Path = Path("/dev")) -> Found:
    """A Pi's camera through picamera2, or a USB camera."""
    usb = [f"{name} ({device})" for device, name in video_devices(folder)]
    if importlib.util.find_spec("picamera2") is not None:
        try:
            from picamera2 import Picamera2  # noqa: PLC0415  (slow, and only on a Pi)

            found = [str(info.get("Model", "?")) for info in Picamera2.global_camera_info()]
        except Exception as error:
            return problem(_("picamera2 is installed but does not work: {why}.", why=str(error)))
        if found:
            return ok(_("Camera: {names}.", names=", ".join(found)))
    if usb:
        return ok(_("Camera: {names}.", names=", ".join(usb)))
    return problem(
        _("No camera was found. Check the cable; for a camera module, install python3-picamera2 and restart.")
    )


def video_devices(folder: Path = Path("/dev")) -> tuple[tuple[str, str], ...]:
    """(device, name) of everything that captures video, without a Pi's own codecs and image processor."""
    found = []
    for path in sorted(folder.glob("video*")):
        try:
            handle = os.open(path, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError:
            continue
        try:
            raw = fcntl.ioctl(handle, _QUERY_CAPABILITIES, bytes(_CAPABILITIES.size))
        except OSError:
            continue
        finally:
            os.close(handle)
        driver, card, _bus, _version, _all, able = _CAPABILITIES.unpack(raw)
        if able & _CAPTURES and able & _STREAMS and not driver.startswith((b"bcm2835", b"pisp", b"unicam", b"rp1")):
            found.append((str(path), card.split(b"\0", 1)[0].decode(errors="replace")))
    return tuple(found)


def disk(data: Path) -> Found:
    """Space for the journal and its pictures."""
    free_mb = shutil.disk_usage(_existing(data)).free // 1_000_000
    said = {"folder": str(data), "free": f"{free_mb / 1000:.1f}"}
    if free_mb < NO_DISK_MB:
        return problem(_("Only {free} GB are free for {folder}. Remove something before a match.", **said))
    if free_mb < LITTLE_DISK_MB:
        return note(_("{free} GB are free for {folder}: enough for a few evenings.", **said))
    return ok(_("{free} GB are free for {folder}.", **said))


def data_folder(data: Path, mounts: str | None = None) -> Found:
    """The journal survives a power cut only where fsync means something."""
    folder = _existing(data)
    try:
        if any(place.exists() and not place.is_dir() for place in (data, *data.parents)):
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
        with tempfile.NamedTemporaryFile(dir=folder, prefix=".doctor-") as file:
            file.write(b"written\n")
            file.flush()
            start = time.perf_counter()
            os.fsync(file.fileno())
            took_ms = (time.perf_counter() - start) * 1000
    except OSError as error:
        return problem(
            _("{folder}: cannot be written ({why}). Give another folder.", folder=str(data), why=str(error.strerror))
        )
    kind = filesystem(folder, Path("/proc/self/mounts").read_text(encoding="utf-8") if mounts is None else mounts)
    if kind in _IN_MEMORY:
        return note(_("{folder} is kept in memory ({kind}): a power cut loses the match.", folder=str(data), kind=kind))
    said = {"folder": str(data), "ms": f"{took_ms:.0f}"}
    if took_ms > SLOW_FSYNC_MS:
        return note(_("{folder} can be written, but slowly: {ms} ms until it is on the disk.", **said))
    return ok(_("{folder} can be written; {ms} ms until it is on the disk.", **said))


def filesystem(folder: Path, mounts: str) -> str:
    """The type of the file system a folder is on, from the text of /proc/mounts; the deepest mount wins."""
    best, kind = "", "?"
    resolved = str(folder.resolve())
    for line in mounts.splitlines():
        _device, raw, this, *_rest = line.split(" ")
        point = raw.replace("\\040", " ")
        if len(point) >= len(best) and (resolved == point or resolved.startswith(point.rstrip("/") + "/")):
            best, kind = point, this
    return kind


def memory(meminfo: str | None = None) -> Found:
    """What vision, pages and a match need."""
    text = Path("/proc/meminfo").read_text(encoding="utf-8") if meminfo is None else meminfo
    size = {key: int(rest.split()[0]) // 1000 for key, rest in (line.split(":") for line in text.splitlines() if line)}
    free, total = size.get("MemAvailable", 0), size.get("MemTotal", 0)
    said = {"free": f"{free / 1000:.1f}", "total": f"{total / 1000:.1f}"}
    if free < LITTLE_MEMORY_MB:
        return note(_("Only {free} of {total} GB of memory are free. Close other programs.", **said))
    return ok(_("{free} of {total} GB of memory are free.", **said))


def power(ask: Callable[[], str | None] | None = None) -> Found:
    """What a Pi says about its power supply and heat."""
    said = _throttled() if ask is None else ask()
    if said is None:
        return ok(_("Power: this machine does not say (no vcgencmd)."))
    bits = int(said.partition("=")[2], 16)
    now = next((word for bit, word in _THROTTLED.items() if bits >> bit & 1), None)
    before = next((word for bit, word in _THROTTLED.items() if bits >> (bit + 16) & 1), None)
    if now:
        return problem(_("Power: {what} now. Use the Pi's own power supply, and cool it.", what=now))
    if before:
        return note(_("Power: {what} since the start. Use the Pi's own power supply, and cool it.", what=before))
    return ok(_("Power and temperature are fine."))


def network(address: Callable[[], str] = own_address) -> Found:
    """Where phones and the TV find the pages."""
    found = address()
    if found.startswith("127."):
        return note(_("There is no network: the pages can only be seen on this machine."))
    return ok(_("The network knows this machine as {address}.", address=found))


CHECKS: dict[str, Callable[[], Found]] = {
    "python": python,
    "opencv": opencv,
    "gpio": gpio_chip,
    "lgpio": pin_factory,
    "clock": clock,
    "camera": camera,
    "memory": memory,
    "power": power,
    "network": network,
}
NAMES = ("python", "opencv", "gpio", "lgpio", "clock", "camera", "disk", "data", "memory", "power", "network")


def _existing(folder: Path) -> Path:
    """The folder, or the nearest one above it that exists and may be seen."""
    return next(place for place in (folder.absolute(), *folder.absolute().parents) if reading.is_folder(place))


def _throttled() -> str | None:
    if shutil.which("vcgencmd") is None:
        return None
    done = subprocess.run(["vcgencmd", "get_throttled"], capture_output=True, text=True, timeout=10, check=False)
    return done.stdout.strip() if done.returncode == 0 and "=" in done.stdout else None
