"""Commands that every game shares, and reading commands that come as JSON."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.core.codec import tag_of
from companion.core.facts import Answer, Command, Correct, EndMatch, Redo, RuleBroken, Undo, UndoStep
from companion.table.api import GameKit
from companion.words import _
from companion.world import Player

__all__ = ["GENERIC", "EndMatch", "OpenMatch", "StartMatch", "decode"]


class StartMatch(Command, frozen=True, kw_only=True):
    """Begin a match. ``players`` sit clockwise, the first Compass holder first; ``options`` are house rules."""

    game: str
    players: tuple[Player, ...]
    options: dict[str, Any] = msgspec.field(default_factory=dict)
    deck: str | None = None


class OpenMatch(Command, frozen=True, kw_only=True):
    """Put an earlier match of the journal on the table again, whether or not it had been ended."""

    match: int


GENERIC: tuple[type[Command], ...] = (StartMatch, EndMatch, OpenMatch, Undo, UndoStep, Redo, Correct, Answer)


def decode(json: bytes | str | dict[str, Any], kit: GameKit | None = None) -> Command:
    """A command from JSON: a shared one, or one of the game's own.

    Raises RuleBroken with a sentence for what is no JSON object, an unknown command, and a missing, unknown or wrong
    field. The time of a command from outside is not believed: it becomes 0, and the table says when it was.
    """
    kinds = {tag_of(kind): kind for kind in (*GENERIC, *(kit.rules.commands if kit else ()))}
    try:
        data = json if isinstance(json, dict) else msgspec.json.decode(json)
    except msgspec.DecodeError as error:
        raise RuleBroken(_("That is not JSON: {reason}.", reason=str(error))) from error
    if not isinstance(data, dict) or not isinstance(data.get("command"), str):
        raise RuleBroken(_('A command is a JSON object with its name as "command".'))
    name = data["command"]
    kind = kinds.get(name)
    if kind is None:
        raise RuleBroken(
            _("There is no command {command} here. There are: {known}.", command=name, known=", ".join(sorted(kinds)))
        )
    unknown = sorted(set(data) - {"command", *kind.__struct_fields__})
    if unknown:
        raise RuleBroken(_("{command} has no field {field}.", command=name, field=unknown[0]))
    try:
        command: Command = msgspec.convert({**data, "t_ns": 0}, kind)
    except msgspec.ValidationError as error:
        raise RuleBroken(_("{command} cannot be understood: {reason}.", command=name, reason=str(error))) from error
    return command
