"""Putting the stacks right from what really lies on the table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from companion.core.facts import RuleBroken
from companion.games.hooked.facts import Recount, Recounted
from companion.games.hooked.names import seat_name
from companion.games.hooked.state import Setup, Table
from companion.words import _


def recounted(setup: Setup, table: Table, fact: Recounted) -> Table | None:
    """The table as it was counted: every card that is in no stack lies in the Lake. None where that cannot be.

    The newest cards of the Lake stay known, as many as there are.
    """
    counted = tuple(_count(fact.stacks, seat, old) for seat, old in zip(setup.seats, table.stacks, strict=True))
    size = setup.total - sum(counted)
    if size < 0 or any(stack < 0 for stack in counted):
        return None
    lake = table.lake[-size:] if size else ()
    out = table.out if fact.out is None else fact.out
    out = tuple(seat for seat, n in zip(setup.seats, counted, strict=True) if seat in out and n == 0)
    new = msgspec.structs.replace(table, stacks=counted, lake=lake, under=size - len(lake), out=out)
    if fact.direction in (1, -1):
        new = msgspec.structs.replace(new, direction=fact.direction)
    if fact.turn in setup.seats:
        new = msgspec.structs.replace(new, first=fact.turn)
    return new if size else msgspec.structs.replace(new, replay=None, charged=())


def _count(counted: Mapping[str, int], seat: str, otherwise: int) -> int:
    return counted.get(seat, otherwise)


def check(setup: Setup, table: Table, command: Recount) -> Recounted:
    """The fact that a recount makes. RuleBroken for what nobody can have counted."""
    named = {*command.stacks, *(command.out or ())} | ({command.turn} if command.turn is not None else set())
    for seat in sorted(named):
        if seat not in setup.seats:
            raise RuleBroken(_("{seat} does not play.", seat=seat_name(seat)))
    if not named and command.lake is None and command.direction is None and command.out is None:
        raise RuleBroken(_("Nothing was counted."))
    if any(n < 0 for n in command.stacks.values()) or (command.lake or 0) < 0:
        raise RuleBroken(_("Numbers below 0 are not possible."))
    if command.direction not in (None, 1, -1):
        raise RuleBroken(_("Play goes clockwise (1) or the other way round (-1)."))
    full = dict(zip(setup.seats, table.stacks, strict=True)) | command.stacks
    rest = setup.total - sum(full.values())
    if rest < 0 or (command.lake is not None and rest != command.lake):
        raise RuleBroken(
            _(
                "Stacks and Lake together must be {total} cards, and not {counted}.",
                total=setup.total,
                counted=sum(full.values()) + (command.lake or 0),
            )
        )
    for seat in command.out or ():
        if full[seat]:
            raise RuleBroken(_("{seat} has cards and cannot be out.", seat=seat_name(seat)))
    if command.turn is not None and full[command.turn] == 0:
        raise RuleBroken(_("{seat} has no card to flip.", seat=seat_name(command.turn)))
    direction: Literal[1, -1] | None = None if command.direction is None else 1 if command.direction == 1 else -1
    return Recounted(stacks=full, turn=command.turn, direction=direction, out=command.out)
