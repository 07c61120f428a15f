"""What follows from button edges by the rules of the game on the table."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from companion.core.facts import Command, RuleBroken
from companion.core.journal import Step
from companion.core.match import Match
from companion.words import Text
from companion.world import Press

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Heard:
    """The match after some edges, and the steps that lead there, not yet written. ``refused``: what the rules did
    not allow, and when; ``failed``: the rules broke down on an edge."""

    match: Match
    steps: tuple[Step, ...] = ()
    refused: tuple[tuple[int, Text], ...] = ()
    failed: bool = False


def hear(match: Match, command: Callable[[Press], Command], presses: Sequence[Press], step: int) -> Heard:
    """Propose the game's command for every edge, each with the edge's own time. Never raises: an edge on which the
    rules fail leaves the match as it was."""
    steps: list[Step] = []
    refused: list[tuple[int, Text]] = []
    failed = False
    for press in presses:
        try:
            proposal = match.propose(command(press), step=step + len(steps), t_ns=press.t_ns)
        except RuleBroken as error:
            refused.append((press.t_ns, error.sentence))
        except Exception:
            _log.exception("The rules failed on %r", press)
            failed = True
        else:
            if not proposal.empty:
                steps.append(proposal.step)
                match = proposal.match
    return Heard(match, tuple(steps), tuple(refused), failed)
