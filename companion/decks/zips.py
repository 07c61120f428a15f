"""A deck as one zip: taken in only when it is small enough, safe and right, and then whole or not at all."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
import zipfile
import zlib
from pathlib import Path, PurePosixPath

from companion import deck
from companion.deck import DeckError
from companion.decks import check, store, swap

MOST_FILES = 2000
MOST_BYTES = 300 * 2**20
PICTURES = frozenset({".jpg", ".jpeg", ".png"})
_STEP = 1 << 16
_EPOCH = (1980, 1, 1, 0, 0, 0)


def export(folder: Path, out: Path) -> int:
    """Write a deck's list and pictures to the zip ``out``, which is replaced at once; returns the number of files.

    Raises DeckError for a deck that is wrong, OSError where it cannot write.
    """
    content = deck.load(folder)
    pictures = sorted({name for piece in content.pieces for name in (piece.face, piece.back) if name is not None})
    handle, draft = tempfile.mkstemp(prefix=".deck-", suffix=".zip", dir=out.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            with zipfile.ZipFile(file, "w") as archive:
                # A fixed date, so that one deck always gives the same zip.
                toml = zipfile.ZipInfo("deck.toml", _EPOCH)
                archive.writestr(toml, (folder / "deck.toml").read_bytes(), zipfile.ZIP_DEFLATED)
                for name in pictures:
                    inside = PurePosixPath(os.path.normpath(name)).as_posix()
                    archive.writestr(zipfile.ZipInfo(inside, _EPOCH), (folder / name).read_bytes())
            file.flush()
            os.fsync(file.fileno())  # else a power cut may leave an empty file in the place of an older zip
        Path(draft).chmod(0o644)
        Path(draft).replace(out)
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise
    return 1 + len(pictures)


def take_in(path: Path, name: str | None = None, *, replace: bool = False, place: Path | None = None) -> str:
    """Import a zip among our decks (or those in ``place``) and return its name there, made from the deck's title
    unless given.

    Raises DeckError, with the sentence, for a zip that is no zip, too large, unsafe, or holds a wrong deck, and for a
    name that is taken (unless ``replace``) or cannot be one; OSError where it cannot read or write.
    """
    place = place or store.place()
    if name is not None and (not store.is_name(name) or name in store.PRACTICE):
        raise DeckError(f"{name!r} cannot be a deck's name. Use small letters, digits and hyphens, such as our-hook.")
    place.mkdir(parents=True, exist_ok=True)
    swap.tidy(place)
    draft = Path(tempfile.mkdtemp(prefix=swap.DRAFT, dir=place))
    try:
        try:
            with zipfile.ZipFile(path) as archive:
                _unpack(archive, draft, path)
        except FileNotFoundError:
            raise DeckError(f"{path}: there is no such file.") from None
        except (zipfile.BadZipFile, zlib.error, EOFError) as error:
            raise DeckError(f"{path}: not a zip, or a damaged one ({error}). Export the deck again.") from None
        except (RuntimeError, NotImplementedError) as error:
            raise DeckError(f"{path}: cannot be unpacked ({error}). Zip it without a password.") from None
        report = check.examine(draft)
        if report.problems or report.deck is None:
            raise DeckError(report.problems[0].replace(f"{draft}{os.sep}", f"{path}: "))
        name = name or store.name_for(report.deck.name)
        _put(draft, place / name, replace=replace)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return name


def _unpack(archive: zipfile.ZipFile, target: Path, path: Path) -> None:
    """Write deck.toml and the pictures, wherever deck.toml stands; nothing else in the zip is touched."""
    entries = [entry for entry in archive.infolist() if not entry.is_dir()]
    if len(entries) > MOST_FILES:
        raise DeckError(f"{path}: {len(entries)} files, more than a deck needs ({MOST_FILES}). Zip the deck alone.")
    for entry in entries:
        inside = PurePosixPath(entry.filename)
        if inside.is_absolute() or ".." in inside.parts or "\\" in entry.filename or ":" in entry.filename:
            raise DeckError(f"{path}: {entry.filename!r} would be written outside the deck. Do not use this zip.")
        if stat.S_ISLNK(entry.external_attr >> 16):
            raise DeckError(f"{path}: {entry.filename!r} is a link. A deck's zip holds files only.")
    tomls = [PurePosixPath(entry.filename) for entry in entries if PurePosixPath(entry.filename).name == "deck.toml"]
    tomls = [toml for toml in tomls if "__MACOSX" not in toml.parts]
    if len(tomls) != 1:
        said = "no deck.toml" if not tomls else f"{len(tomls)} decks"
        raise DeckError(f"{path}: {said} in this zip. It has to hold one deck: its deck.toml and its pictures.")
    root, left = tomls[0].parent, MOST_BYTES
    for entry in entries:
        inside = PurePosixPath(entry.filename)
        wanted = inside.name == "deck.toml" or inside.suffix.lower() in PICTURES
        if wanted and inside.is_relative_to(root) and "__MACOSX" not in inside.parts:
            left = _copy(archive, entry, target / inside.relative_to(root), left, path)


def _copy(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, target: Path, left: int, path: Path) -> int:
    """Unpack one file, counting what comes out: the sizes a zip names for itself are not to be trusted."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with archive.open(entry) as source, target.open("wb") as file:
        while data := source.read(_STEP):
            left -= len(data)
            if left < 0:
                most = MOST_BYTES // 2**20
                raise DeckError(f"{path}: unpacks to more than {most} MB. Use smaller pictures; 480 pixels are plenty.")
            file.write(data)
    return left


def _put(draft: Path, target: Path, *, replace: bool) -> None:
    if target.exists() and not replace:
        raise DeckError(f"{target.name}: a deck of that name is here already. Give another --name, or --replace it.")
    draft.chmod(0o755)
    swap.put(draft, target)
