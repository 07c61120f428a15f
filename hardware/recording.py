"""Recordings of a table: frames, presses and taps, in a folder or a zip.

    recording.toml    game, deck, seats in clockwise order, teams and buttons if any, plane if known, format = 1
    frames/           JPEG, named by their time in nanoseconds
    presses.jsonl     {"t_ns":…, "seat":…, "level":…}, raw edges; "heard_ns" where the program was told of one later
    taps.jsonl        commands and answers, as they were sent

Play may have ended at any moment (power cut): a last line or last picture that is torn is left out and noted in
``Recording.torn``; a recording of which nothing can be played is refused with a sentence.
"""

from __future__ import annotations

import io
import json
import re
import tomllib
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

import msgspec

from companion import reading
from companion.words import Text, _
from companion.world import Frame, Press
from hardware.cameras import as_recorded, decode

FORMAT = 1
_FRAME = re.compile(r"frames/(\d{1,30})\.jpg")


class RecordingError(Exception):
    """A recording that cannot be played or written; ``sentence`` says why."""

    def __init__(self, sentence: Text) -> None:
        super().__init__(str(sentence))
        self.sentence = sentence


class Header(msgspec.Struct, frozen=True):
    """``recording.toml``. ``plane``: the homography from pixels to mm, row by row."""

    game: str
    deck: str = ""
    seats: tuple[str, ...] = ()
    teams: dict[str, str] = {}
    buttons: dict[str, int] = {}
    plane: tuple[float, ...] | None = None
    options: dict[str, Any] = {}
    format: int = FORMAT


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    """What keeps the recording in ``path`` from being written, as a RecordingError."""
    try:
        yield
    except FileExistsError as error:
        raise RecordingError(_("There is already a recording in {path}.", path=str(path))) from error
    except OSError as error:
        why = error.strerror or str(error)
        raise RecordingError(_("{path} cannot be written: {why}.", path=str(path), why=why)) from error


class RecordingWriter:
    """Writes a recording as it happens; every line is on its way to disk when the call returns. ``frame``, ``press``
    and ``tap`` raise RecordingError where it cannot be written."""

    def __init__(self, path: Path, header: Header, *, resume: bool = False) -> None:
        """Make the folder ``path`` (it may be there, but no recording in it, unless ``resume``). Raises
        RecordingError."""
        self.path = path
        with _writing(path):
            (path / "frames").mkdir(parents=True, exist_ok=True)
            if not (resume and (path / "recording.toml").is_file()):
                with (path / "recording.toml").open("x", encoding="utf-8") as file:
                    file.write(_toml(msgspec.to_builtins(header)))
            self._presses: BinaryIO = (path / "presses.jsonl").open("ab", buffering=0)
            self._taps: BinaryIO = (path / "taps.jsonl").open("ab", buffering=0)

    def frame(self, frame: Frame) -> None:
        """Add a frame, by its time; one of the same time is written over."""
        kept = as_recorded(frame)
        assert kept.jpeg is not None
        with _writing(self.path):
            self.jpeg(kept.t_ns, kept.jpeg)

    def jpeg(self, t_ns: int, data: bytes) -> None:
        """Add a frame that is already JPEG. Its name appears only when it is whole. Raises OSError, which the vision
        worker, which calls this, puts into words itself."""
        there = self.path / "frames" / f"{t_ns}.jpg"
        part = there.with_suffix(".part")
        part.write_bytes(data)
        part.replace(there)

    def press(self, press: Press, heard_ns: int | None = None) -> None:
        """Add a raw edge of a button, and when the program was told of it, if that is known."""
        heard = {} if heard_ns is None else {"heard_ns": heard_ns}
        self._line(self._presses, {**msgspec.to_builtins(press), **heard})

    def tap(self, t_ns: int, command: Mapping[str, Any]) -> None:
        """Add a command or an answer, as it was sent, with the time it came."""
        self._line(self._taps, {**command, "t_ns": t_ns})

    def _line(self, file: BinaryIO, line: Mapping[str, Any]) -> None:
        left = memoryview(msgspec.json.encode(line) + b"\n")
        with _writing(self.path):
            while left:  # a disk that is nearly full may take only a part
                left = left[file.write(left) :]

    def close(self) -> None:
        """Finish. The folder may be zipped afterwards (``pack``)."""
        self._presses.close()
        self._taps.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def open_for_worker(path: str, header: Mapping[str, Any]) -> RecordingWriter:
    """Factory for the vision worker, which adds the frames; a restarted worker goes on in the same folder."""
    return RecordingWriter(Path(path), msgspec.convert(header, Header), resume=True)


def pack(folder: Path, zipped: Path) -> None:
    """Put a recording's folder into one zip (pictures are stored, not squeezed again)."""
    with zipfile.ZipFile(zipped, "w") as archive:
        for file in sorted(folder.rglob("*")):
            if file.is_file() and file.suffix != ".part":
                archive.write(file, file.relative_to(folder).as_posix())


@dataclass
class Recording:
    """A recording that can be played. ``heard_ns``: when the program was told of each press. ``torn`` holds a sentence
    for everything that had to be left out."""

    header: Header
    presses: tuple[Press, ...]
    heard_ns: tuple[int, ...]
    taps: tuple[dict[str, Any], ...]
    times_ns: tuple[int, ...]
    torn: list[Text] = field(default_factory=list)
    _files: dict[str, Path | zipfile.ZipInfo] = field(default_factory=dict, repr=False)
    _archive: zipfile.ZipFile | None = field(default=None, repr=False)
    _frames: dict[int, str] = field(default_factory=dict, repr=False)

    @classmethod
    def open(cls, path: Path) -> Recording:
        """Open a folder or zip. Raises RecordingError with a sentence when nothing can be played."""
        files, archive = _listing(path)
        data = _content(files, archive, "recording.toml")
        if data is None and "recording.toml" in files:
            raise RecordingError(_("{path} is damaged or has a password. Copy it anew.", path=str(path)))
        if data is None:
            raise RecordingError(_("{path} is no recording: recording.toml is missing.", path=str(path)))
        try:
            header = msgspec.convert(reading.toml(data.decode("utf-8")), Header)
        except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError) as error:
            sentence = _("recording.toml in {path} cannot be read: {why}.", path=str(path), why=str(error))
            raise RecordingError(sentence) from error
        if header.format != FORMAT:
            raise RecordingError(
                _("{path} is of format {format}; this program plays format 1.", path=str(path), format=header.format)
            )
        if header.plane is not None and len(header.plane) != 9:
            raise RecordingError(_("plane in {path} needs nine numbers.", path=str(path)))
        torn: list[Text] = []
        presses, heard_ns = [], []
        for line in _lines(files, archive, "presses.jsonl", torn):
            try:
                press = msgspec.convert(line, Press)
                heard_ns.append(msgspec.convert(line.get("heard_ns", press.t_ns), int))
                presses.append(press)
            except msgspec.ValidationError:
                torn.append(_("A line of {file} is damaged and was left out.", file="presses.jsonl"))
        taps = []
        for line in _lines(files, archive, "taps.jsonl", torn):
            if type(line.get("t_ns", 0)) is int:
                taps.append(line)
            else:
                torn.append(_("A line of {file} is damaged and was left out.", file="taps.jsonl"))
        frames = {int(found[1]): name for name in files if (found := _FRAME.fullmatch(name))}
        times = tuple(sorted(frames))
        return cls(header, tuple(presses), tuple(heard_ns), tuple(taps), times, torn, files, archive, frames)

    def frames(self) -> Iterator[Frame]:
        """The frames in the order of their times. Pictures that cannot be read are left out and noted in torn."""
        for t_ns in self.times_ns:
            name = self._frames[t_ns]
            data = _content(self._files, self._archive, name)
            # A JPEG that lacks its end decodes to a half-grey picture: worse than none.
            image = decode(data) if data and data.rstrip(b"\0").endswith(b"\xff\xd9") else None
            if image is None or data is None:
                self.torn.append(_("A picture is damaged and was left out: {file}.", file=name))
                continue
            yield Frame(t_ns, image, data)

    def close(self) -> None:
        """Let go of the zip."""
        if self._archive is not None:
            self._archive.close()


def _listing(path: Path) -> tuple[dict[str, Path | zipfile.ZipInfo], zipfile.ZipFile | None]:
    try:
        if path.is_dir():
            return {file.relative_to(path).as_posix(): file for file in path.rglob("*") if file.is_file()}, None
        if not path.is_file():
            raise RecordingError(_("There is no recording at {path}.", path=str(path)))
        archive = zipfile.ZipFile(path)
    except PermissionError as error:
        sentence = _(
            "{path} cannot be read: {why}. Give a place that this program may read.", path=str(path), why=error.strerror
        )
        raise RecordingError(sentence) from error
    except (zipfile.BadZipFile, OSError) as error:
        raise RecordingError(_("{path} is neither a folder nor a readable zip.", path=str(path))) from error
    entries = {entry.filename: entry for entry in archive.infolist() if not entry.is_dir()}
    tops = [name.removesuffix("recording.toml") for name in entries if name.endswith("recording.toml")]
    top = min(tops, key=len, default="")
    return {name.removeprefix(top): entry for name, entry in entries.items() if name.startswith(top)}, archive


def _content(files: dict[str, Path | zipfile.ZipInfo], archive: zipfile.ZipFile | None, name: str) -> bytes | None:
    entry = files.get(name)
    if entry is None:
        return None
    try:
        if isinstance(entry, Path):
            return entry.read_bytes()
        assert archive is not None
        return archive.read(entry)
    except (OSError, zipfile.BadZipFile, EOFError, zlib.error, RuntimeError):  # the last: it has a password
        return None


def _lines(
    files: dict[str, Path | zipfile.ZipInfo], archive: zipfile.ZipFile | None, name: str, torn: list[Text]
) -> list[dict[str, Any]]:
    """The objects of a JSONL file; damaged lines, and a file that cannot be read, are left out and noted."""
    data = _content(files, archive, name)
    if data is None and name in files:
        torn.append(_("{file} is damaged and was left out.", file=name))
    found = []
    for line in io.BytesIO(data or b""):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            value = None
        if isinstance(value, dict):
            found.append(value)
        else:
            torn.append(_("A line of {file} is damaged and was left out.", file=name))
    return found


def _toml(values: Mapping[str, Any]) -> str:
    """A flat mapping (with tables one level deep) as TOML."""
    plain = [f"{key} = {_value(value)}" for key, value in values.items() if value is not None and not _table(value)]
    tables = [
        "\n".join([f"\n[{key}]", *(f"{json.dumps(str(k))} = {_value(v)}" for k, v in value.items())])
        for key, value in values.items()
        if _table(value) and value
    ]
    return "\n".join(plain + tables) + "\n"


def _table(value: Any) -> bool:
    return isinstance(value, Mapping)


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{json.dumps(str(k))} = {_value(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_value(item) for item in value) + "]"
    return json.dumps(value, ensure_ascii=False)
