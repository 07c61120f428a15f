"""``companion bench``: how fast the vision is on this machine."""

from __future__ import annotations

import json

import click

from companion.app.bench import IDLE_LIMIT, READ_LIMIT, measure
from companion.words import _
from hardware.simulated.conditions import BY_NAME


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.option("--condition", type=click.Choice(sorted(BY_NAME)), default="evening", show_default=True)
@click.option("--seed", type=int, default=3, show_default=True, help="Which simulated table.")
@click.option("--check", is_flag=True, help="Exit with 1 when a ratio is above its limit.")
def command(as_json: bool, condition: str, seed: int, check: bool) -> None:
    """Speed of the vision, as ratios to plain OpenCV on the same frames: medians of one run, one thread.

    Exit status: 0, or 1 with --check when a frame costs more than it may.
    """
    figures = measure(condition, seed)
    if as_json:
        click.echo(json.dumps(figures))
    else:
        click.echo(_("plain OpenCV on the frame: {ms} ms", ms=figures["primitive_ms"]))
        for what, key, ms, limit in (
            (_("a frame in which nothing changed"), "idle_ratio", "idle_ms", IDLE_LIMIT),
            (_("a frame read from corner to corner"), "read_ratio", "read_ms", READ_LIMIT),
        ):
            click.echo(
                _(
                    "{what}: {ms} ms, {ratio} times that (at most {limit})",
                    what=what,
                    ms=figures[ms],
                    ratio=figures[key],
                    limit=limit,
                )
            )
        click.echo(_("naming one card among 240: {ms} ms", ms=figures["identify_ms_240"]))
    if check and (figures["idle_ratio"] > IDLE_LIMIT or figures["read_ratio"] > READ_LIMIT):
        raise SystemExit(1)
