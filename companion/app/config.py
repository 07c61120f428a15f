"""The config file: read only, checked as a whole, and refused with the line to mend.

Every value has a default, so that no file is needed. Settings that people change in the browser are kept with
the journal, not here.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated

import msgspec
from platformdirs import site_config_path, user_config_path, user_state_path

FILE_NAME = "companion.toml"

Port = Annotated[int, msgspec.Meta(ge=0, le=65535)]
Filled = Annotated[str, msgspec.Meta(min_length=1)]


class ConfigError(Exception):
    """A config file that cannot be used; the message names the file, the value, and what to write instead."""


class Web(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where the pages are served. ``names`` are further names this machine answers to, beside its addresses."""

    host: Filled = "0.0.0.0"
    port: Port = 8080
    names: tuple[str, ...] = ()


class Vision(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``frame_age_s``: a camera that gives no frame for so long is started again."""

    frame_age_s: Annotated[float, msgspec.Meta(gt=0, le=120)] = 5.0


class Config(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything a config file may say. ``data`` is the folder of the journal and its pictures."""

    data: Filled | None = None
    deck: Filled | None = None
    web: Web = Web()
    vision: Vision = Vision()

    @property
    def data_folder(self) -> Path:
        """The folder of the journal and its pictures; the platform's state folder unless given."""
        return Path(self.data) if self.data else user_state_path("tabletop-companion")

    def with_port(self, port: int) -> Config:
        """The same with another port for the pages."""
        return msgspec.structs.replace(self, web=msgspec.structs.replace(self.web, port=port))


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
    if path is None:
        path = next((place for place in places() if place.is_file()), None)
        if path is None:
            return Config()
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise ConfigError(f"{path}: there is no such config file. Check the path, or leave --config out.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: the config file cannot be read ({error}).") from None
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: not valid TOML: {error}. Mend that line.") from None
    try:
        return msgspec.convert(raw, Config)
    except msgspec.ValidationError as error:
        raise ConfigError(f"{path}: {_plain(str(error))}. Mend that value, or remove it to use the default.") from None


def _plain(error: str) -> str:
    """msgspec's message with the value's name first: '`$.web.port`' becomes 'web.port'."""
    what, _, where = error.partition(" - at `$.")
    return f"{where.rstrip('`')}: {what[0].lower()}{what[1:]}" if where else what
