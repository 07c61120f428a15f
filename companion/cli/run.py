"""``companion run``: the real table."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from companion.app import config as config_file
from companion.app import games
from companion.app.program import ProgramError
from companion.app.run import run
from companion.cli.wrong import StaysWrong
from companion.deck import DeckError


@click.command(name="run")
@click.option("--config", "config_path", type=click.Path(path_type=Path), help="The config file.")
@click.option("--data", type=click.Path(path_type=Path), help="Folder for journal and pictures.")
@click.option("--port", type=click.IntRange(0, 65535), help="Where the pages are served; 0 takes a free port.")
@click.option("--camera", metavar="KIND[:PATH]", help=f"The camera: {', '.join(config_file.CAMERAS)}.")
@click.option("--deck", help="A deck folder, or the name of a deck.")
@click.option("--game", type=click.Choice(games.PLAYABLE), help="Which game's pieces lie on the table.")
def command(
    config_path: Path | None,
    data: Path | None,
    port: int | None,
    camera: str | None,
    deck: str | None,
    game: str | None,
) -> None:
    """Play at a real table: camera, buttons and pages as the config file says, until Ctrl-C or SIGTERM.

    What is given here counts more than the config file. A camera or buttons that cannot be used are told on the pages;
    play goes on by hand. KIND:PATH is for example folder:photos, video:evening.mp4 or v4l2:/dev/video0.

    Exit status: 0 ended by a signal, 1 it cannot start (as things are now), 2 wrong use: options, config file or deck
    have to be mended.
    """
    try:
        config = config_file.load(config_path)
    except config_file.ConfigError as error:
        raise StaysWrong(str(error)) from error
    if camera is not None:
        try:
            config = config.with_camera(camera)
        except config_file.ConfigError as error:
            raise click.UsageError(str(error)) from error
    if port is not None:
        config = config.with_port(port)
    given = {"data": str(data) if data else None, "deck": deck, "game": game}
    config = msgspec.structs.replace(config, **{name: value for name, value in given.items() if value is not None})
    try:
        run(config, click.echo)
    except DeckError as error:
        raise StaysWrong(str(error)) from error
    except ProgramError as error:
        raise click.ClickException(str(error)) from error
