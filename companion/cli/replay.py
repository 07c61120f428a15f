"""``companion replay``: play a recording again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import msgspec

from companion import reading
from companion.app import games
from companion.app.replay import Replay
from companion.core.facts import RuleBroken
from companion.deck import Deck, DeckError
from companion.decks import store
from hardware.recording import Recording, RecordingError

TOLD = ("seat", "tile", "card", "symbols", "level")
"""What of a fact is told in words."""


@click.command(name="replay")
@click.argument("recording", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="One JSON line a fact, a verdict or a doubt; the state last.")
@click.option("--deck", "deck_folder", type=click.Path(path_type=Path), help="Use this deck, not the one it names.")
def command(recording: Path, as_json: bool, deck_folder: Path | None) -> None:
    """Play RECORDING (a folder or zip) through vision and rules once more."""
    try:
        opened = Recording.open(recording)
        if opened.header.game not in games.PLAYABLE:
            raise click.ClickException(
                f"{recording}: is of the game {opened.header.game!r}, which this program cannot replay. "
                f"It can: {', '.join(games.PLAYABLE)}."
            )
        loaded = _deck(opened, recording, deck_folder)
        Replay(opened, loaded, games.kits(loaded)[opened.header.game]).run(_print_json if as_json else _print_words)
    except (RecordingError, DeckError, RuleBroken) as error:
        raise click.ClickException(f"{recording}: {error}") from error


def _deck(opened: Recording, recording: Path, given: Path | None) -> Deck:
    """The deck given, else the one the recording names (a folder, also beside it, or a deck's name), else practice."""
    game = opened.header.game
    if given is not None:
        return games.load(game, str(given))
    named = opened.header.deck
    if not named:
        return games.load(game, None)
    beside = recording.parent / named
    return games.load(game, str(beside if reading.is_folder(beside) else store.find(named)))


def _print_json(line: dict[str, Any]) -> None:
    click.echo(msgspec.json.encode(line))


def _print_words(line: dict[str, Any]) -> None:
    if "fact" in line:
        rest = ", ".join(f"{key} {value}" for key, value in line.items() if key in TOLD)
        click.echo(f"{line['t_ns'] / 1e9:10.2f}  {line['fact']}  {rest}")
    elif "doubt" in line:
        click.echo(f"{line['t_ns'] / 1e9:10.2f}  ?  {line['sentence']}")
    elif "verdict" in line:
        first = line.get("winner") or ", ".join(line.get("dead_heat", ())) or "-"
        click.echo(f"{line['t_ns'] / 1e9:10.2f}  {line['verdict']}  {first}  {line.get('why') or ''}".rstrip())
    elif "note" in line:
        click.echo(f"            !  {line['note']}")
