"""``companion deck``: check, list, export, import and print deck folders, as docs/deck-folder.md describes them."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import click

from companion import deck
from companion.deck import GAMES, DeckError
from companion.decks import check, printing, store, zips
from companion.decks.check import Report
from companion.decks.meeting import Meeting
from companion.words import LANGUAGES


@click.group("deck")
def command() -> None:
    """Check, list, export, import and print decks (what the camera knows about a set of pieces)."""


@command.command("check")
@click.argument("folder", type=click.Path(path_type=Path))
def check_command(folder: Path) -> None:
    """Check a deck FOLDER: every problem and warning, and what it holds. Exit status 1 when something is wrong."""
    report = check.examine(folder)
    for warning in report.warnings:
        click.echo(f"warning: {warning}")
    for problem in report.problems:
        click.echo(f"problem: {problem}", err=True)
    if report.problems or report.deck is None:
        count = len(report.problems)
        raise click.ClickException(f"{folder}: {count} problem{'s' if count != 1 else ''}, as listed above.")
    click.echo(_summary(report))


def _summary(report: Report) -> str:
    assert report.deck is not None
    lines = [f"OK: {report.deck.name} (game {report.deck.game}): {report.contents}."]
    if report.meeting is not None:
        lines.append(_met(report.meeting))
    return "\n".join(lines)


def _met(met: Meeting) -> str:
    return (
        f"Holes and symbols: in {met.enough:.1%} of {met.placements} placements all holes but one at most show "
        f"more than 60 % of a symbol; {met.meeting:.1%} of all holes do, {met.doubtful:.1%} show 40 to 60 %."
    )


@command.command("list")
def list_command() -> None:
    """List the decks there are, with what they hold."""
    for name in store.PRACTICE:
        click.echo(f"{name}: drawn by this program when it is first needed")
    for name, folder in store.imported().items():
        problems, content = deck.examine(folder)
        if problems or content is None:
            click.echo(f"{name}: cannot be used. {problems[0]}")
        else:
            click.echo(f"{name}: {content.name} (game {content.game}): {Report([], [], content, None).contents}")


@command.command("export")
@click.argument("name")
@click.argument("out", type=click.Path(dir_okay=False, path_type=Path))
def export_command(name: str, out: Path) -> None:
    """Write the deck NAME (as in the list, or a folder) to the zip OUT."""
    try:
        count = zips.export(store.find(name), out)
    except DeckError as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        raise click.ClickException(f"{out}: cannot be written ({error.strerror}).") from None
    click.echo(f"{out}: {count} files.")


@command.command("import")
@click.argument("zip", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--name", help="Keep it by this name instead of one made from its title.")
@click.option("--replace", is_flag=True, help="Replace the deck of that name, if there is one.")
@click.option("--system", is_flag=True, help="For every user of this machine and for the service; needs sudo.")
def import_command(zip: Path, name: str | None, replace: bool, system: bool) -> None:
    """Take in a deck from ZIP. A wrong or unsafe one is refused, and nothing is changed."""
    if system:
        os.umask(0o022)  # everybody may read what comes there
    try:
        kept = zips.take_in(zip, name, replace=replace, place=store.SYSTEM if system else None)
    except DeckError as error:
        raise click.ClickException(str(error)) from None
    except PermissionError as error:
        if not system:
            raise click.ClickException(f"{zip}: cannot be imported ({error.strerror}).") from None
        raise click.ClickException(
            f"{store.SYSTEM}: only an administrator may put decks there. Do the same with sudo: "
            f"sudo {sys.argv[0]} deck import --system {zip}"
        ) from None
    except OSError as error:
        raise click.ClickException(f"{zip}: cannot be imported ({error.strerror}).") from None
    whom = "imported for every user of this machine" if system else "imported"
    click.echo(f"{kept}: {whom}. Use it with --deck {kept}.")


@command.command("print")
@click.argument("game")
@click.argument("out", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--paper", type=click.Choice(sorted(printing.PAPERS)), default="a4", show_default=True)
@click.option("--backs", is_flag=True, help="A page of backs behind each page: print double-sided, on the long edge.")
@click.option("--language", type=click.Choice(LANGUAGES), default="en", show_default=True)
def print_command(game: str, out: Path, paper: str, backs: bool, language: str) -> None:
    """Write a PDF of all pieces in their true size to OUT, to cut out and play with.

    GAME is a game with a practice deck (hook), the name of a deck as in the list, or a deck folder.
    """
    try:
        with tempfile.TemporaryDirectory(prefix="tabletop-companion-") as drawn:
            if game in store.FOR_PRINT:
                click.echo("Drawing the deck large enough for print; this takes half a minute.", err=True)
                store.FOR_PRINT[game](Path(drawn))
                folder = Path(drawn)
            elif game in GAMES:
                raise DeckError(f"{game}: has no practice deck to print. Give the name or folder of a deck of yours.")
            else:
                folder = store.find(game)
            data = printing.render(deck.load(folder), paper, backs=backs, language=language)
        out.write_bytes(data)
    except DeckError as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        raise click.ClickException(f"{out}: cannot be written ({error.strerror}).") from None
    click.echo(f"{out}: written. Print at 100 %, not fitted to the page.")
