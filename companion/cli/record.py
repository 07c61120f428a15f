"""``companion record``: keep what the camera saw and what people tapped."""

from __future__ import annotations

from pathlib import Path

import click

from companion.app import games
from companion.app.record import record
from companion.deck import DeckError
from hardware.recording import RecordingError
from hardware.simulated.conditions import BY_NAME

RECORDED = ("hook",)
"""The games whose simulated evenings can be recorded so far."""


@click.command(name="record")
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--game", type=click.Choice(RECORDED), default="hook", show_default=True, help="Which game is played.")
@click.option("--seed", default=1, show_default=True, help="The same seed plays the same game.")
@click.option("--condition", type=click.Choice(list(BY_NAME)), default="evening", show_default=True, help="The light.")
@click.option("--rounds", type=click.IntRange(min=1), default=3, show_default=True, help="How many rounds.")
@click.option("--deck", "deck_folder", type=click.Path(path_type=Path), help="Another deck folder to play with.")
def command(out: Path, game: str, seed: int, condition: str, rounds: int, deck_folder: Path | None) -> None:
    """Record rounds on the simulated table into the folder OUT, for `companion replay`."""
    try:
        loaded = games.load(game, str(deck_folder) if deck_folder else None)
        for played in record(out, loaded, BY_NAME[condition], seed, rounds):
            click.echo(f"round {played.truth.number}: {len(played.seen)} frames")
    except (DeckError, RecordingError) as error:
        raise click.ClickException(str(error)) from error
