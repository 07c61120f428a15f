"""``companion deck``: check, list, export and import deck folders."""

from __future__ import annotations

from pathlib import Path

import click

from companion import deck
from companion.deck import DeckError
from companion.decks import check, store, zips
from companion.decks.check import Report
from companion.decks.meeting import Meeting


@click.group("deck")
def command() -> None:
    """Check, list, export and import decks (what the camera knows about a set of pieces)."""


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
    for name in store.names():
        problems, content = deck.examine(store.place() / name)
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
def import_command(zip: Path, name: str | None, replace: bool) -> None:
    """Take in a deck from ZIP. A wrong or unsafe one is refused, and nothing is changed."""
    try:
        kept = zips.take_in(zip, name, replace=replace)
    except DeckError as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        raise click.ClickException(f"{zip}: cannot be imported ({error.strerror}).") from None
    click.echo(f"{kept}: imported. Use it with --deck {kept}.")
