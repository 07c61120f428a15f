"""A deck folder: what the camera knows about a set of pieces.

The format is written down in ``docs/deck-folder.md``. ``load`` refuses a folder that is wrong and says which
file, which piece and what to mend.
"""

from __future__ import annotations

import math
import stat
from pathlib import Path
from typing import Any, Literal

import msgspec

from companion import reading
from companion.picture_size import UnreadablePicture, picture_size

FORMAT = 1
LEAST_PIXELS = 60
"""A face with fewer pixels a side cannot be told from another."""
MOST_PIXELS = 8000
SIZES_MM = (5.0, 1000.0)
GAMES = ("hook", "hooked", "go-fish", "fishing-derby", "pook", "riff-raff", "hool", "gin-rummy", "any")


class DeckError(Exception):
    """A deck folder that cannot be used; the message says where and what to mend."""


class Mark(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A symbol printed on a face; place and radius in fractions of the face's width and height."""

    name: str
    at: tuple[float, float]
    radius: float


class Hole(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A round hole in a Sight tile, in fractions of the face."""

    at: tuple[float, float]
    radius: float


class Piece(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One kind of card or tile, as ``deck.toml`` describes it. ``face`` and ``back`` are paths within the folder."""

    id: str
    kind: str
    face: str
    back: str | None = None
    shape: Literal["rectangle", "round"] = "rectangle"
    size_mm: tuple[float, float] | None = None
    copies: int = 1
    marks: tuple[Mark, ...] = ()
    holes: tuple[Hole, ...] = ()
    values: dict[str, Any] = {}


class Deck(msgspec.Struct, frozen=True):
    """A checked deck. ``folder / piece.face`` is a picture that exists."""

    folder: Path
    name: str
    game: str
    pieces: tuple[Piece, ...]

    def piece(self, id: str) -> Piece:
        """The piece of that id; KeyError where there is none."""
        for piece in self.pieces:
            if piece.id == id:
                return piece
        raise KeyError(id)

    def of_kind(self, kind: str) -> tuple[Piece, ...]:
        """All pieces of one kind, in the deck's order."""
        return tuple(piece for piece in self.pieces if piece.kind == kind)


class _DeckFile(msgspec.Struct, forbid_unknown_fields=True):
    format: int
    name: str
    game: str
    piece: list[dict[str, Any]]


def load(folder: Path) -> Deck:
    """Read and check a deck folder. Raises DeckError with a sentence for the first thing that is wrong."""
    problems, deck = examine(folder)
    if problems or deck is None:
        raise DeckError(problems[0])
    return deck


def examine(folder: Path) -> tuple[list[str], Deck | None]:
    """Everything that is wrong with a deck folder, each as a sentence, and the deck if it can be used at all."""
    path = folder / "deck.toml"
    missing = [f"{path}: missing. A deck folder needs a deck.toml that lists its pieces."]
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            return missing, None
        raw = reading.toml(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        if folder.is_dir():
            return missing, None
        return [f"{folder}: there is no such folder. Give the folder that holds deck.toml."], None
    except PermissionError:
        return [
            f"{path}: {reading.refusal(path)}. Let everybody read the deck, or put it among those of the system: "
            f"companion deck export {folder} deck.zip, then with sudo companion deck import --system deck.zip"
        ], None
    except ValueError as error:
        return [f"{path}: not readable as TOML ({error}). Mend that line."], None
    except OSError as error:
        return [f"{path}: cannot be read ({error.strerror}). Give this program the right to read it."], None
    try:
        file = msgspec.convert(raw, _DeckFile)
    except msgspec.ValidationError as error:
        return [f"{path}: {_plain(error)}. Write it as docs/deck-folder.md shows."], None
    problems = []
    if file.format != FORMAT:
        problems.append(f"{path}: format = {file.format}, but this program reads format = {FORMAT}.")
    if file.game not in GAMES:
        problems.append(f"{path}: game = {file.game!r} is not a game we know. Use one of: {', '.join(GAMES)}.")
    pieces: list[Piece] = []
    seen: set[str] = set()
    for number, entry in enumerate(file.piece, 1):
        label = f"{path}: piece {entry.get('id', f'number {number}')}"
        try:
            piece = msgspec.convert(entry, Piece)
        except msgspec.ValidationError as error:
            problems.append(f"{label}: {_plain(error)}. Write it as docs/deck-folder.md shows.")
            continue
        if piece.id in seen:
            problems.append(f"{label}: another piece has the same id. Give each piece an id of its own.")
            continue
        seen.add(piece.id)
        problems += [f"{label}: {problem}" for problem in _piece_problems(folder, piece)]
        pieces.append(piece)
    if not file.piece:
        problems.append(f"{path}: no pieces. Add a [[piece]] for each card and tile.")
    return problems, Deck(folder, file.name, file.game, tuple(pieces))


def _plain(error: msgspec.ValidationError) -> str:
    """msgspec's own words, without its notation: "Object missing required field `face`" and the like."""
    words, _, place = str(error).replace("`", "").partition(" - at $")
    words = words.replace("Object contains unknown field", "there is no field called")
    words = words.replace("Object missing required field", "it lacks the field")
    return f"{words} (in {place.removeprefix('.')})" if place else words


def _piece_problems(folder: Path, piece: Piece) -> list[str]:
    problems = []
    if not piece.id.strip():
        problems.append("its id is empty. Give each piece an id of its own.")
    for what, name in (("face", piece.face), ("back", piece.back)):
        if name is not None:
            problems += _picture_problems(folder, what, name)
    if piece.size_mm is not None and not all(SIZES_MM[0] <= side <= SIZES_MM[1] for side in piece.size_mm):
        problems.append(
            f"size_mm = {list(piece.size_mm)} is no size of a card. Give width and height in millimetres, "
            f"each from {SIZES_MM[0]:g} to {SIZES_MM[1]:g}."
        )
    if piece.copies < 1:
        problems.append(f"copies = {piece.copies}. Use 1 or more, or take the piece out.")
    for index, mark in enumerate(piece.marks, 1):
        problems += _spot_problems(f"mark {index} ({mark.name})", mark, inside=0.5)
    for index, hole in enumerate(piece.holes, 1):
        problems += _spot_problems(f"hole {index}", hole, inside=1.0)
    if piece.holes and piece.kind != "sight-tile":
        problems.append(f"a {piece.kind} has no holes. Take them out, or make it a sight-tile.")
    return problems


def _picture_problems(folder: Path, what: str, name: str) -> list[str]:
    """Only the picture's header is read: this runs at every start."""
    try:
        path = (folder / name).resolve()
        if not path.is_relative_to(folder.resolve()):
            return [f"{what} = {name!r} lies outside the deck folder. Move the picture into it."]
        if not path.is_file():
            return [f"the picture {name} is missing. Add it or mend the {what} line."]
        width, height = picture_size(path)
    except UnreadablePicture as error:
        return [f"the picture {name} {error}. Save it again as JPEG or PNG."]
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        return [f"the picture {name!r} cannot be read ({reason}). Mend the file or the {what} line."]
    if min(width, height) < LEAST_PIXELS:
        return [f"the picture {name} is only {width} x {height} pixels. It needs {LEAST_PIXELS} or more a side."]
    if max(width, height) > MOST_PIXELS:
        return [f"the picture {name} is {width} x {height} pixels. Make it smaller; about 480 a side is plenty."]
    return []


def _spot_problems(label: str, spot: Mark | Hole, *, inside: float) -> list[str]:
    """``inside``: how much of the radius must lie within the face; printed symbols may run over the edge, holes not."""
    if not 0 < spot.radius < 0.5:
        return [f"{label}: radius {spot.radius} must be a fraction of the face, between 0 and 0.5."]
    reach = spot.radius * inside - 1e-6
    if not all(math.isfinite(c) and reach <= c <= 1 - reach for c in spot.at):
        return [f"{label} at {list(spot.at)} lies outside the face. Use fractions of the face, from 0 to 1."]
    return []
