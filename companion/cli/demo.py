"""``companion demo``: a simulated table, real vision, real pages."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import click

from companion.app import config as config_file
from companion.app import games
from companion.app.demonstrations import DEMONSTRATIONS, Wish, of_game
from companion.app.ending import told_to_end
from companion.app.program import ProgramError
from companion.cli.wrong import StaysWrong
from companion.deck import DeckError
from hardware.simulated.conditions import BY_NAME


@click.command(name="demo")
@click.option(
    "--game", type=click.Choice(games.PLAYABLE), default="hook", show_default=True, help="Which game is played."
)
@click.option("--seed", default=1, show_default=True, help="The same seed plays the same game.")
@click.option("--condition", type=click.Choice(list(BY_NAME)), default="evening", show_default=True, help="The light.")
@click.option("--rounds", type=click.IntRange(min=1), help="Rounds (Hooked!: flips) with --headless; all by default.")
@click.option("--headless", is_flag=True, help="No pages: compare every reading with the truth and print a summary.")
@click.option("--deck", "deck_folder", type=click.Path(path_type=Path), help="Another deck folder to play with.")
@click.option("--data", type=click.Path(path_type=Path), help="Folder for journal and pictures; else a new one.")
@click.option("--config", "config_path", type=click.Path(path_type=Path), help="A config file.")
@click.option("--port", type=click.IntRange(0, 65535), help="Where the pages are served; 0 takes a free port.")
@click.option("--speed", type=click.FloatRange(min=0.1), default=1.0, show_default=True, help="Pace of the players.")
def command(
    game: str,
    seed: int,
    condition: str,
    rounds: int | None,
    headless: bool,
    deck_folder: Path | None,
    data: Path | None,
    config_path: Path | None,
    port: int | None,
    speed: float,
) -> None:
    """Play a game on a simulated table: rendered frames go through the real vision to the real pages.

    Exit status: 0, 1 it cannot start (with --headless: something was read wrongly and called sure), 2 wrong use:
    options, config file or deck have to be mended.
    """
    try:
        loaded = games.load(game, str(deck_folder) if deck_folder else None)
        config = of_game(config_file.load(config_path), game)
    except (DeckError, config_file.ConfigError) as error:
        raise StaysWrong(str(error)) from error
    if headless:
        sys.exit(DEMONSTRATIONS[game].headless(loaded, condition, seed, rounds, click.echo))
    if port is not None:
        config = config.with_port(port)
    if data is None:
        with tempfile.TemporaryDirectory(prefix="companion-demo-") as folder:
            _play(game, Wish(config, Path(folder), loaded, condition, seed, speed))
    else:
        _play(game, Wish(config, data, loaded, condition, seed, speed))


def _play(game: str, wish: Wish) -> None:
    ending = told_to_end()
    try:
        with DEMONSTRATIONS[game].play(wish) as (program, players):
            click.echo(f"The table is on {program.address}  (on this machine: {program.local_address})")
            click.echo(f"To change anything there, pair with the PIN {program.pin}. Ctrl-C ends the demonstration.")
            players.start()
            ending.wait()
            players.stop()
    except ProgramError as error:
        raise click.ClickException(str(error)) from error
    click.echo("The demonstration has ended.")
