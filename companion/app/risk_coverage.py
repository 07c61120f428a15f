"""``make risk``: error among the k most confident readings, for photographs with a known truth and for the simulator.

    python -m companion.app.risk_coverage --rounds 30 --out docs/risk-coverage.svg

If confidence means something, the curves rise from left to right: what is called sure is right. A reading is a piece
of a photograph (identity, turn and symbols) or a placement of a round (owner, tile, card, turn and symbols).
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import click
import cv2
import msgspec
import numpy as np

from companion import deck as decks
from companion.app.accuracy import Done, play, tasks
from companion.app.evenings import CONDITIONS, run
from companion.games.hook import practice_deck
from companion.world import Quad, Sighting
from vision.catalog import build
from vision.look import look

SAME_PLACE = 0.6
"""Least intersection over union with the true outline."""
TURN_SIDES = 0.2
"""Corners may be off by this share of a side before the turn counts as wrong."""


class Reading(msgspec.Struct, frozen=True):
    """One reading: how confident it was, and whether it was right."""

    confidence: float
    right: bool


def curve(readings: Iterable[Reading]) -> list[tuple[float, float]]:
    """(coverage, error) for k = 1 to n, the most confident first; of equal ones, the wrong first."""
    ordered = sorted(readings, key=lambda r: (-r.confidence, r.right))
    wrong, points = 0, []
    for k, reading in enumerate(ordered, 1):
        wrong += not reading.right
        points.append((k / len(ordered), wrong / k))
    return points


def area(points: Sequence[tuple[float, float]]) -> float:
    """The mean error over all coverages: lower is better, at equal overall error."""
    return sum(error for _, error in points) / len(points) if points else math.nan


def of_photos(folder: Path, deck_folder: Path, truth: Path) -> list[Reading]:
    """All visible pieces of the photographs that ``truth`` describes (one JSON line a photo)."""
    catalog = build(decks.load(deck_folder))
    found: list[Reading] = []
    for line in truth.read_text(encoding="utf-8").splitlines():
        photo = msgspec.json.decode(line)
        image = cv2.imread(str(folder / photo["photo"]), cv2.IMREAD_COLOR)
        if image is None:
            raise click.ClickException(f"{folder / photo['photo']}: this photo cannot be read.")
        seen = [s for s in look(np.asarray(image, np.uint8), catalog) if s.covered_by is None]
        found += compare(photo["pieces"], seen)
    return found


def compare(pieces: Sequence[dict[str, Any]], seen: Sequence[Sighting]) -> list[Reading]:
    """A reading for each piece that is visible in a photograph; what is not found has no confidence."""
    covered = {piece.get("over") for piece in pieces}
    readings = []
    for piece in pieces:
        if piece["id"] in covered or piece.get("hidden"):
            continue
        at = _quad(piece["corners"])
        best = max(seen, key=lambda s: overlap(at, s.corners), default=None)
        if best is None or overlap(at, best.corners) < SAME_PLACE:
            readings.append(Reading(0.0, False))
            continue
        reach = TURN_SIDES * math.dist(at[0], at[1])
        turned = max(math.dist(a, b) for a, b in zip(at, best.corners, strict=True)) < reach
        symbols = list(piece.get("symbols", [])) == [hole.symbol for hole in best.holes]
        readings.append(Reading(best.confidence, best.id == piece["id"] and turned and symbols))
    return readings


def _quad(points: Sequence[Sequence[float]]) -> Quad:
    a, b, c, d = ((float(x), float(y)) for x, y in points)
    return a, b, c, d


def overlap(a: Quad, b: Quad) -> float:
    """Intersection over union of two convex outlines."""
    first, second = (cv2.convexHull(np.array(q, np.float32).reshape(-1, 1, 2)) for q in (a, b))
    shared, _ = cv2.intersectConvexConvex(first, second)
    union = cv2.contourArea(first) + cv2.contourArea(second) - shared
    return float(shared / union) if union > 0 else 0.0


def of_rounds(done: Iterable[Done]) -> list[Reading]:
    """All lawful placements of played evenings; a missed one has no confidence."""
    return [
        Reading(outcome.confidence, outcome.right)
        for evening in done
        for score in evening.scores
        for outcome in score.outcomes
        if outcome.legal
    ]


def draw(curves: dict[str, list[Reading]], out: Path) -> None:
    """Plot the curves into ``out`` (its ending says the format)."""
    import matplotlib  # noqa: PLC0415

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "risk"  # the same curves make the same file
    from matplotlib import pyplot  # noqa: PLC0415

    colours = ("#0072B2", "#009E73", "#E69F00", "#D55E00", "#CC79A7")  # Okabe and Ito's, for every kind of eye
    styles = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)))
    figure, axes = pyplot.subplots(figsize=(8, 4.5))
    for index, (name, readings) in enumerate(curves.items()):
        points = curve(readings)
        label = f"{name} ({len(readings)} readings, mean error {100 * area(points):.2f} %)"
        x, y = [100 * share for share, _ in points], [100 * error for _, error in points]
        axes.plot(x, y, color=colours[index % 5], linestyle=styles[index % 5], linewidth=2, label=label)
    axes.set_xlabel("most confident readings, % of all")
    axes.set_ylabel("wrong among them, %")
    axes.set_xlim(0, 100)
    axes.set_ylim(bottom=0)
    axes.grid(alpha=0.3)
    axes.legend(loc="upper left", fontsize=8)
    out.parent.mkdir(parents=True, exist_ok=True)
    figure.tight_layout()
    figure.savefig(out, metadata={"Date": None} if out.suffix == ".svg" else None)
    pyplot.close(figure)


@click.command()
@click.option("--rounds", default=30, show_default=True, type=click.IntRange(min=1), help="Rounds a condition.")
@click.option("--jobs", default=2, show_default=True, type=click.IntRange(min=1), help="Processes at a time.")
@click.option("--seed-from", "origin", default="risk", show_default=True, help="What the seeds follow from.")
@click.option(
    "--results", type=click.Path(path_type=Path, exists=True), help="Results of accuracy, instead of playing."
)
@click.option("--out", default=Path("docs/risk-coverage.svg"), type=click.Path(path_type=Path), show_default=True)
def main(rounds: int, jobs: int, origin: str, results: Path | None, out: Path) -> None:
    """Plot error among the most confident readings. Needs matplotlib, and the photographs in SHARED/renders."""
    cv2.setNumThreads(1)
    curves: dict[str, list[Reading]] = {}
    renders = Path(os.environ.get("SHARED", "../shared")) / "renders"
    if renders.is_dir():
        photos = renders / "hook-photos"
        curves["photographs"] = of_photos(photos, renders / "hook-deck", photos / "truth.jsonl")
    else:
        click.echo(f"{renders}: there are no photographs, so only rounds are plotted.", err=True)
    if results is not None:
        played = [msgspec.json.decode(line, type=Done) for line in results.read_bytes().splitlines()]
    else:
        todo = [t for c in CONDITIONS for t in tasks(practice_deck.folder(), c, rounds, origin, None)]
        played = list(run(play, todo, jobs))
    for condition in CONDITIONS:
        readings = of_rounds(done for done in played if done.task.condition == condition)
        if readings:
            curves[f"rounds, {condition}"] = readings
    draw(curves, out)
    for name, readings in curves.items():
        wrong = sum(not r.right for r in readings)
        click.echo(f"{name}: {wrong} of {len(readings)} wrong, mean error over coverage {area(curve(readings)):.4f}")
    click.echo(f"Written to {out}")


if __name__ == "__main__":
    main()
