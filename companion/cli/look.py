"""``companion look``: what lies on the table in a photo."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

import click
import cv2
import numpy as np

from companion.deck import DeckError, load
from companion.words import _, n_
from companion.world import Image, Sighting
from vision.catalog import build
from vision.drawing import draw
from vision.look import look, prepare


@click.command()
@click.option("--deck", "deck_folder", required=True, type=click.Path(path_type=Path), help="Folder with deck.toml.")
@click.option("--json", "as_json", is_flag=True, help="One JSON line a photo.")
@click.option(
    "--draw", "draw_to", type=click.Path(path_type=Path, file_okay=False), help="Write the photos with what was seen."
)
@click.argument("photos", nargs=-1, required=True, type=click.Path(path_type=Path))
def command(deck_folder: Path, as_json: bool, draw_to: Path | None, photos: tuple[Path, ...]) -> None:
    """What lies on the table in a photo: pieces, how they are turned, symbols through the holes.

    Exit status: 0 all photos read, 1 a photo or the deck could not be used, 2 wrong use.
    """
    cv2.setNumThreads(1)
    try:
        catalog = build(load(deck_folder))
        if draw_to is not None:
            draw_to.mkdir(parents=True, exist_ok=True)
    except (DeckError, OSError) as error:
        raise click.ClickException(str(error)) from error
    if len(photos) > 1:
        prepare(catalog)  # times are those of a running program
    failed = False
    warm = False
    for path in photos:
        image = read_photo(path)
        if image is None:
            failed = True
            click.echo(_("{photo}: this photo cannot be read. Give a JPEG or PNG file.", photo=str(path)), err=True)
            continue
        if not warm:
            look(image, catalog)
            warm = True
        start = time.perf_counter()
        sightings = look(image, catalog)
        took = (time.perf_counter() - start) * 1000
        if as_json:
            click.echo(json.dumps(as_line(path, took, sightings)))
        else:
            _tell(path, sightings)
        if draw_to is not None and not cv2.imwrite(str(draw_to / f"{path.stem}.png"), draw(image, sightings)):
            failed = True
            click.echo(_("{folder}: the picture could not be written there.", folder=str(draw_to)), err=True)
    sys.exit(1 if failed else 0)


def read_photo(path: Path) -> Image | None:
    """A photo as it is displayed (EXIF orientation applied), BGR; None if it cannot be read."""
    try:
        data = np.fromfile(path, np.uint8)
        picture = cv2.imdecode(data, cv2.IMREAD_COLOR) if data.size else None
    except (OSError, cv2.error):
        return None
    return None if picture is None else np.asarray(picture, np.uint8)


def as_line(path: Path, took_ms: float, sightings: tuple[Sighting, ...]) -> dict[str, Any]:
    """One line of ``look --json``."""
    pieces = [_as_piece(sighting) for sighting in sightings if sighting.id is not None]
    unknown = [
        {"corners": _rounded(sighting), **({} if sighting.face_up else {"face_up": False, "kind": sighting.kind})}
        for sighting in sightings
        if sighting.id is None
    ]
    return {"photo": str(path), "ms": round(took_ms, 1), "pieces": pieces, "unknown": unknown}


def _as_piece(sighting: Sighting) -> dict[str, Any]:
    piece: dict[str, Any] = {
        "id": sighting.id,
        "kind": sighting.kind,
        "corners": _rounded(sighting),
        "confidence": round(sighting.confidence, 4),
        "sure": sighting.sure,
    }
    if sighting.covered_by is not None:
        piece["covered_by"] = sighting.covered_by
    if sighting.over is not None:
        piece["over"] = sighting.over
    if sighting.holes:
        piece["symbols"] = [reading.symbol for reading in sighting.holes]
        piece["shares"] = [round(reading.share, 2) for reading in sighting.holes]
    return piece


def _rounded(sighting: Sighting) -> list[list[float]]:
    return [[round(x, 1), round(y, 1)] for x, y in sighting.corners]


def _tell(path: Path, sightings: tuple[Sighting, ...]) -> None:
    named = [sighting for sighting in sightings if sighting.id is not None and sighting.covered_by is None]
    click.echo(n_("{photo}: {count} piece", "{photo}: {count} pieces", len(named), photo=str(path)))
    for sighting in named:
        symbols = ", ".join(reading.symbol for reading in sighting.holes)
        what = (
            _("{piece}: {symbols}", piece=sighting.id, symbols=symbols) if symbols else _("{piece}", piece=sighting.id)
        )
        line = what if sighting.sure else _("{what} (not sure)", what=what)
        click.echo(f"  {line}")
    others = sum(sighting.id is None for sighting in sightings)
    if others:
        click.echo(
            f"  {n_('{count} thing that is not in this deck', '{count} things that are not in this deck', others)}"
        )
