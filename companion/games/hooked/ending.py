"""When a game of Hooked! is over, and who has won."""

from __future__ import annotations

from companion.games.hooked import stacks
from companion.games.hooked.state import Setup, Table


def ended(setup: Setup, table: Table) -> tuple[bool, str | None]:
    """Whether nobody could go on from here if the card on top is not won, and who has won then.

    One seat holds all cards, or is the only one with a stack. When nobody has a stack, nobody has won. A dead heat that
    waits for the next flip goes on.
    """
    holders = stacks.holders(setup, table)
    if len(holders) > 1 or (holders and table.replay is not None and table.replay.pending):
        return False, None
    return True, holders[0] if holders else None
