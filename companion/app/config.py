"""The config file: read only, checked as a whole, and refused with the line to mend.

Every value has a default, so that no file is needed. Settings that people change in the browser are kept with
the journal, not here.
"""

from __future__ import annotations

import stat
import tomllib
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, TypeVar

import msgspec
from platformdirs import site_config_path, user_config_path, user_state_path

from companion import reading
from companion.app import games
from companion.core.race import BOUNDS_MS
from companion.games.hook.names import CHARACTERS

FILE_NAME = "companion.toml"
CAMERAS = ("auto", "picamera2", "v4l2", "folder", "video", "simulated", "none")
PINS = range(2, 28)
"""The GPIOs on the header that are free to use: 0 and 1 belong to the identification of add-on boards."""
SEATS = 6
SEAT_NAMES = (*(f"seat-{number}" for number in range(1, SEATS + 1)), *CHARACTERS)
"""Whose a button can be, over all games."""

Port = Annotated[int, msgspec.Meta(ge=0, le=65535)]
Filled = Annotated[str, msgspec.Meta(min_length=1, pattern=r"^[^\x00]*$")]
"""A name of something: the system takes none with a NUL in it."""
Pixels = Annotated[int, msgspec.Meta(ge=160, le=4608)]
T = TypeVar("T")


class ConfigError(Exception):
    """A config file that cannot be used; the message names the file, the value, and what to write instead."""


def _check_pin(what: str, pin: int | None) -> None:
    if pin is not None and pin not in PINS:
        raise ValueError(
            f"{what} is {pin}, which is no free GPIO of a Pi; write the GPIO's number (not the place on the header), "
            f"{PINS.start} to {PINS.stop - 1}"
        )


class Web(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where the pages are served. ``names`` are further names this machine answers to, beside its addresses."""

    host: Filled = "0.0.0.0"
    port: Port = 8080
    names: tuple[str, ...] = ()


class Vision(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``frame_age_s``: a camera that gives no frame for so long is lost, and started again after twice that. One that
    has longer between two pictures is given the time of two."""

    frame_age_s: Annotated[float, msgspec.Meta(gt=0, le=120)] = 5.0

    def __post_init__(self) -> None:
        if self.frame_age_s < 1:
            raise ValueError(
                f"frame_age_s is {self.frame_age_s:g}, shorter than a camera may take for a frame; write seconds, "
                "1 to 120"
            )


class Camera(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which camera looks at the table.

    ``kind`` is one of ``CAMERAS``; "auto" is the USB camera that ``device`` names, else the Pi's camera where picamera2
    is installed, else none. ``device`` is the number of the Pi's camera, or the device of a USB camera
    (``/dev/video0``), ``path`` a folder of pictures or a video file, played once (then its last picture stays) or over
    and over (``repeat``). What is played gives a picture every ``interval`` seconds; unless given, ``fps`` a second.
    """

    kind: str = "auto"
    device: int | Filled | None = None
    path: Filled | None = None
    size: tuple[Pixels, Pixels] = (1280, 960)
    fps: Annotated[float, msgspec.Meta(ge=1, le=120)] = 15.0
    interval: Annotated[float, msgspec.Meta(ge=0, le=60)] | None = None
    repeat: bool = False

    def __post_init__(self) -> None:
        if self.kind not in CAMERAS:
            raise ValueError(f'kind is "{self.kind}"; write one of {_or(CAMERAS)}')
        if self.kind in ("folder", "video") and self.path is None:
            raise ValueError(f'kind = "{self.kind}" needs a path; write path = "/where/it/is"')
        if isinstance(self.device, int) and self.device < 0:
            raise ValueError(f"device is {self.device}; write the camera's number, 0 or more")
        if self.kind == "picamera2" and isinstance(self.device, str):
            raise ValueError(f'device is "{self.device}"; write the number of the Pi\'s camera, 0 or 1')


class Button(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One slap button: the seat it belongs to, and its GPIO (``pin``) or the key (``code``, its number) of a USB
    button's ``device`` (/dev/input/by-id/…); ``light`` is the GPIO of its light."""

    seat: Filled
    pin: int | None = None
    light: int | None = None
    device: Filled | None = None
    code: Annotated[int, msgspec.Meta(ge=1, le=767)] | None = None

    def __post_init__(self) -> None:
        if (self.pin is None) == (self.device is None):
            raise ValueError('a button has either a pin (GPIO) or a device (USB); write pin = 17, or device = "/dev/…"')
        if (self.device is None) != (self.code is None):
            raise ValueError("a USB button has a device and a code; write the number of its key, as evtest shows it")
        if self.seat not in SEAT_NAMES:
            raise ValueError(f'seat is "{self.seat}"; write it as the game does: {_or(SEAT_NAMES)}')
        _check_pin("pin", self.pin)
        _check_pin("light", self.light)


class Gpio(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the buttons are read. ``chip`` is the label of the GPIO chip where there is more than one that would do,
    ``buzzer`` the GPIO of a buzzer.

    Edges are stamped by the kernel; ``allow_software_time`` lets the buttons play also where only the program can stamp
    them, some milliseconds less exactly, and says so on the page.
    """

    chip: Filled | None = None
    buzzer: int | None = None
    allow_software_time: bool = False

    def __post_init__(self) -> None:
        _check_pin("buzzer", self.buzzer)


def _window(name: str) -> msgspec.Meta:
    least, most = BOUNDS_MS[name]
    return msgspec.Meta(ge=least, le=most)


class Windows(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The times of a race in milliseconds; what is left out is as the program has it."""

    quiet: Annotated[float, _window("quiet")] | None = None
    confirm: Annotated[float, _window("confirm")] | None = None
    settle: Annotated[float, _window("settle")] | None = None
    tie: Annotated[float, _window("tie")] | None = None
    false_start: Annotated[float, _window("false_start")] | None = None
    rearm: Annotated[float, _window("rearm")] | None = None

    @property
    def given(self) -> dict[str, float]:
        """Those that the file gives, by name."""
        return {name: ms for name, ms in msgspec.structs.asdict(self).items() if ms is not None}


class Config(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything a config file may say. ``data`` is the folder of the journal and its pictures, ``deck`` a deck
    folder or the name of a deck; the game's practice deck unless given."""

    game: Filled = "hook"
    data: Filled | None = None
    deck: Filled | None = None
    camera: Camera = Camera()
    buttons: tuple[Button, ...] = ()
    gpio: Gpio = Gpio()
    windows: Windows = Windows()
    web: Web = Web()
    vision: Vision = Vision()

    def __post_init__(self) -> None:
        if self.game not in games.PLAYABLE:
            raise ValueError(f'game is "{self.game}"; write one of {", ".join(games.PLAYABLE)}')
        if len(self.buttons) > SEATS:
            raise ValueError(f"buttons: there are {len(self.buttons)}; a table has {SEATS} at most. Remove the others")
        twice = _twice(button.seat for button in self.buttons)
        if twice is not None:
            raise ValueError(f'buttons: two have seat = "{twice}"; give each button a seat of its own')
        pins = [button.pin for button in self.buttons if button.pin is not None]
        if pins and len(pins) < len(self.buttons):
            raise ValueError(
                "buttons: some are on GPIO and some on USB, which cannot race each other (USB reports come 1 to 8 ms "
                "later). Keep one kind"
            )
        key = _twice((button.device, button.code) for button in self.buttons if button.device is not None)
        if key is not None:
            raise ValueError(f"buttons: two have the key {key[1]} of {key[0]}; give each button one of its own")
        others = [pin for pin in (*(button.light for button in self.buttons), self.gpio.buzzer) if pin is not None]
        pin = _twice([*pins, *others])
        if pin is not None:
            raise ValueError(f"buttons: GPIO {pin} is used twice; give each button, light and buzzer one of its own")

    @property
    def data_folder(self) -> Path:
        """The folder of the journal and its pictures; the platform's state folder unless given."""
        return Path(self.data) if self.data else user_state_path("tabletop-companion")

    def with_port(self, port: int) -> Config:
        """The same with another port for the pages."""
        return msgspec.structs.replace(self, web=msgspec.structs.replace(self.web, port=port))

    def with_camera(self, spec: str) -> Config:
        """The same with another camera: ``KIND`` or ``KIND:PATH``. ConfigError where there is no such kind."""
        kind, _, path = spec.partition(":")
        named = {"device" if kind in ("v4l2", "picamera2") else "path": path} if path else {}
        device = named.get("device", "")
        values = {**named, "device": int(device)} if device.isdecimal() else named
        kept = {name: getattr(self.camera, name) for name in ("size", "fps", "interval", "repeat")}
        try:
            return msgspec.structs.replace(self, camera=msgspec.convert({**kept, "kind": kind, **values}, Camera))
        except msgspec.ValidationError as error:
            raise ConfigError(f"--camera {spec}: {error}.") from None


def places() -> tuple[Path, ...]:
    """Where a config file is looked for when none is named, first match wins."""
    return (
        user_config_path("tabletop-companion") / FILE_NAME,
        site_config_path("tabletop-companion") / FILE_NAME,
    )


def load(path: Path | None = None) -> Config:
    """Read the config file (the one named, else the first of ``places`` that exists, else the defaults).

    Raises ConfigError for a file that is missing though named, unreadable, or wrong in any value.
    """
    try:
        if path is None:
            path = next((place for place in places() if _is_there(place)), None)
        if path is None:
            return Config()
        text = path.read_text(encoding="utf-8-sig")  # some editors begin a file with a mark
    except FileNotFoundError:
        raise ConfigError(f"{path}: there is no such config file. Check the path, or leave --config out.") from None
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: the config file cannot be read ({error}). Save it as UTF-8 text.") from None
    except PermissionError as error:
        path = path or Path(error.filename)
        raise ConfigError(
            f"{path}: the config file cannot be read: {reading.refusal(path)}. Let everybody read it, or give another "
            "with --config."
        ) from None
    except OSError as error:
        path, why = path or Path(error.filename), error.strerror
        raise ConfigError(
            f"{path}: the config file cannot be read ({why}). Give a file that this program may read."
        ) from None
    try:
        raw = reading.toml(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: not valid TOML: {error}. Mend that line.") from None
    try:
        return msgspec.convert(raw, Config)
    except msgspec.ValidationError as error:
        raise ConfigError(f"{path}: {_plain(str(error))}. Mend that value, or remove it to use the default.") from None


def _is_there(place: Path) -> bool:
    """Whether there is a file. Raises PermissionError where that may not be known: it could say something else."""
    try:
        return stat.S_ISREG(place.stat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return False


def _plain(error: str) -> str:
    """msgspec's message with the value's name first: '`$.web.port`' becomes 'web.port'."""
    what, _, where = error.replace(" | null", "").partition(" - at `$.")  # TOML has no null
    where = where.rstrip("`")
    if "matching regex" in what:
        what = "there is a NUL (\\u0000) in it, which no name has"
    if "unknown field" in what:
        what = f"{what}; {_there_are(_fields(where))}"
    elif where == "buttons" and what.endswith("got `object`"):
        what = f"{what}; write [[buttons]] with two brackets above each button"
    return f"{where}: {what[0].lower()}{what[1:]}" if where else what


def _fields(where: str) -> tuple[str, ...]:
    """What may stand in the table at ``where`` ("", "web", "buttons[2]")."""
    tables = {"web": Web, "vision": Vision, "camera": Camera, "buttons": Button, "gpio": Gpio, "windows": Windows}
    return tables.get(where.partition("[")[0], Config).__struct_fields__


def _twice(values: Iterable[T]) -> T | None:
    """The first value that is there more than once."""
    return next((value for value, count in Counter(values).items() if count > 1), None)


def _or(words: Iterable[str]) -> str:
    *all_but_last, last = (f'"{word}"' for word in words)
    return f"{', '.join(all_but_last)} or {last}"


def _there_are(words: Sequence[str]) -> str:
    *all_but_last, last = words
    return f"there are {', '.join(all_but_last)} and {last}" if all_but_last else f"there is only {last}"
