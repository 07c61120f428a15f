"""Everything there is to say about a deck folder: what is wrong, what to look at, and what it holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np

from companion import deck
from companion.deck import Deck, Piece
from companion.decks.likeness import look_alikes
from companion.decks.meeting import Meeting, meeting
from companion.games.hook import deck_rules as hook
from companion.games.hooked import deck_rules as hooked
from companion.world import Image

LEAST_ENOUGH = 0.9
MOST_DOUBTFUL = 0.05
MOST_STRETCH = 0.1
MOST_ALIKE = 12
"""More pairs of look-alikes than this are only counted."""

_GAMES: dict[str, tuple[Callable[[Deck], list[str]], Callable[[Deck], list[str]]]] = {
    "hook": (hook.problems, hook.warnings),
    "hooked": (hooked.problems, hooked.warnings),
}
"""What each game asks of a deck: problems and warnings."""


class Report(NamedTuple):
    """What ``examine`` found. The deck can be played with when there are no problems."""

    problems: list[str]
    warnings: list[str]
    deck: Deck | None
    meeting: Meeting | None

    @property
    def contents(self) -> str:
        """The kinds of pieces with their numbers: "96 target-card, 18 sight-tile"."""
        counts = Counter[str]()
        for piece in self.deck.pieces if self.deck else ():
            counts[piece.kind] += piece.copies
        return ", ".join(f"{count} {kind}" for kind, count in counts.items())


def examine(folder: Path) -> Report:
    """Check a deck folder thoroughly: every picture is decoded, every pair of faces compared. Takes a second or two."""
    problems, found = deck.examine(folder)
    if found is None:
        return Report(problems, [], None, None)
    label = f"{folder / 'deck.toml'}"
    problems += [f"{label}: {problem}" for problem in game_problems(found)]
    faces: list[tuple[Piece, Image]] = []
    for piece in found.pieces:
        for name in (piece.face, piece.back):
            picture, problem = _read(folder, name)
            if problem and not any(f" {name} " in known for known in problems):
                problems.append(f"{label}: piece {piece.id}: {problem}")
            if picture is not None and name == piece.face:
                faces.append((piece, picture))
    met = meeting(found)
    warnings = _GAMES[found.game][1](found) if found.game in _GAMES else []
    warnings += [warning for piece, face in faces if (warning := _stretched(piece, face))]
    warnings += _alike(faces) + _meeting_warnings(met)
    return Report(problems, [f"{label}: {warning}" for warning in warnings], found, met)


def game_problems(found: Deck) -> list[str]:
    """What keeps the deck's own game from being played with it."""
    return _GAMES[found.game][0](found) if found.game in _GAMES else []


def _read(folder: Path, name: str | None) -> tuple[Image | None, str | None]:
    """The picture, or what is wrong with it; neither where there is none (``deck.examine`` has said so)."""
    try:
        if name is None or not (folder / name).resolve().is_relative_to(folder.resolve()):
            return None, None
        if not (folder / name).is_file():
            return None, None
        data = (folder / name).read_bytes()
    except (OSError, ValueError):
        return None, None
    if data and _cut_off(data):
        return None, f"the picture {name} is cut off. Copy or save it again."
    try:
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) if data else None
    except cv2.error:  # more pixels than it takes
        picture = None
    if picture is None:
        return None, f"the picture {name} cannot be decoded. Save it again as JPEG or PNG."
    return picture.astype(np.uint8, copy=False), None


def _cut_off(data: bytes) -> bool:
    """Whether a picture's end is missing: some decoders fill the rest with grey and say nothing."""
    if data[:2] == b"\xff\xd8":
        # A preview inside the file has an end of its own, so it has to come after the last start of pixels.
        return data.rfind(b"\xff\xd9") < data.rfind(b"\xff\xda")
    return b"IEND" not in data[-64:]


def _stretched(piece: Piece, face: Image) -> str | None:
    if piece.size_mm is None:
        return None
    width, height = piece.size_mm
    seen = face.shape[1] / face.shape[0]
    if abs(seen / (width / height) - 1) <= MOST_STRETCH:
        return None
    return (
        f"piece {piece.id}: its picture is {face.shape[1]} x {face.shape[0]} pixels, another shape than size_mm = "
        f"{list(piece.size_mm)}. Crop the picture to the piece's outline or mend size_mm."
    )


def _alike(faces: list[tuple[Piece, Image]]) -> list[str]:
    pairs = look_alikes(faces)
    said = []
    for pair in pairs[:MOST_ALIKE]:
        turn = f" when turned by {pair.turn_deg} degrees" if pair.turn_deg else ""
        if pair.first == pair.second:
            said.append(f"piece {pair.first}: its face looks the same{turn}, so its turn cannot be told.")
        else:
            said.append(f"pieces {pair.first} and {pair.second} look nearly the same{turn}: they may be mixed up.")
    if len(pairs) > MOST_ALIKE:
        said.append(f"and {len(pairs) - MOST_ALIKE} more pairs of faces that look nearly the same.")
    return said


def _meeting_warnings(met: Meeting | None) -> list[str]:
    if met is None:
        return []
    said = []
    if met.enough < LEAST_ENOUGH:
        said.append(
            f"holes and symbols do not meet: only in {met.enough:.0%} of the placements do all holes but one show most "
            "of a symbol. Check the places of marks and holes."
        )
    if met.doubtful > MOST_DOUBTFUL:
        said.append(f"{met.doubtful:.0%} of the holes show about half a symbol; each will be asked about at the table.")
    return said
