"""A deck folder: what the camera knows about a set of pieces.

The format is written down in ``docs/deck-folder.md``. ``load`` refuses a folder that is wrong and says which
file, which piece and what to mend.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, Literal

import msgspec

FORMAT = 1
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
    if not folder.is_dir():
        return [f"{folder}: there is no such folder. Give the folder that holds deck.toml."], None
    if not path.is_file():
        return [f"{path}: missing. A deck folder needs a deck.toml that lists its pieces."], None
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        return [f"{path}: not readable as TOML ({error}). Mend that line."], None
    try:
        file = msgspec.convert(raw, _DeckFile)
    except msgspec.ValidationError as error:
        return [f"{path}: {error}."], None
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
            problems.append(f"{label}: {error}.")
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


def _piece_problems(folder: Path, piece: Piece) -> list[str]:
    problems = []
    for what, name in (("face", piece.face), ("back", piece.back)):
        if name is None:
            continue
        path = folder / name
        if not path.resolve().is_relative_to(folder.resolve()):
            problems.append(f"{what} = {name!r} lies outside the deck folder. Move the picture into it.")
        elif not path.is_file():
            problems.append(f"the picture {name} is missing. Add it or mend the {what} line.")
    spots: tuple[tuple[str, tuple[Mark | Hole, ...]], ...] = (("mark", piece.marks), ("hole", piece.holes))
    for noun, group in spots:
        for index, spot in enumerate(group, 1):
            if not 0 < spot.radius < 0.5:
                problems.append(
                    f"{noun} {index}: radius {spot.radius} must be a fraction of the face, between 0 and 0.5."
                )
            elif not all(spot.radius * 0.5 <= c <= 1 - spot.radius * 0.5 for c in spot.at):
                problems.append(f"{noun} {index} at {list(spot.at)} lies outside the face. Use fractions from 0 to 1.")
    if piece.copies < 1:
        problems.append("copies must be 1 or more.")
    if piece.size_mm is not None and min(piece.size_mm) <= 0:
        problems.append(f"size_mm = {list(piece.size_mm)} must be two lengths above 0.")
    return problems
