"""``companion record``: keep what the camera saw and what people tapped."""

from __future__ import annotations

from pathlib import Path

import click

from companion.app import games
from companion.app.demonstrations import DEMONSTRATIONS
from companion.cli.wrong import StaysWrong
from companion.core.journal import JournalError
from companion.deck import DeckError
from hardware.recording import RecordingError
from hardware.simulated.conditions import BY_NAME


@click.command(name="record")
@click.argument("out", type=click.Path(path_type=Path))
@click.option(
    "--game", type=click.Choice(games.PLAYABLE), default="hook", show_default=True, help="Which game is played."
)
@click.option("--seed", default=1, show_default=True, help="The same seed plays the same game.")
@click.option("--condition", type=click.Choice(list(BY_NAME)), default="evening", show_default=True, help="The light.")
@click.option("--rounds", type=click.IntRange(min=1), help="How many rounds (3 by default); of Hooked!, flips (20).")
@click.option("--deck", "deck_folder", type=click.Path(path_type=Path), help="Another deck folder to play with.")
def command(out: Path, game: str, seed: int, condition: str, rounds: int | None, deck_folder: Path | None) -> None:
    """Record rounds on the simulated table into the folder OUT, for `companion replay`.

    Exit status: 0, 1 it cannot be recorded there, 2 wrong use: options or deck have to be mended.
    """
    demonstrated = DEMONSTRATIONS[game]
    try:
        loaded = games.load(game, str(deck_folder) if deck_folder else None)
    except DeckError as error:
        raise StaysWrong(str(error)) from error
    try:
        for line in demonstrated.record(out, loaded, BY_NAME[condition], seed, rounds or demonstrated.rounds):
            click.echo(line)
    except (RecordingError, JournalError) as error:
        raise click.ClickException(str(error)) from error
