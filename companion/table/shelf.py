"""The matches that lie in the journal, and the games there are."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from companion.core.facts import RuleBroken
from companion.core.journal import Journal, MatchRow
from companion.core.match import CannotFold, Match, is_ended, resume
from companion.table.api import GameKit, MatchLine
from companion.words import _

_log = logging.getLogger(__name__)


class Shelf:
    """Lists matches and takes one down. ``matches`` is read by other threads and replaced, never changed."""

    def __init__(self, journal: Journal, games: Mapping[str, GameKit]) -> None:
        self._journal = journal
        self._games = games
        self.matches: tuple[MatchLine, ...] = ()
        self.refresh()

    def refresh(self) -> None:
        """Read the list anew, oldest first."""
        self.matches = tuple(
            MatchLine(row.id, row.game, row.rules, row.created, is_ended(self._journal, row.id))
            for row in self._journal.matches()
        )

    def kit(self, game: str) -> GameKit:
        """The game of that name; RuleBroken where there is none."""
        kit = self._games.get(game)
        if kit is None:
            known = ", ".join(sorted(self._games))
            raise RuleBroken(_("There is no game {game} here. There are: {known}.", game=game, known=known))
        return kit

    def read(self, number: int) -> Match:
        """A match exactly as it was. RuleBroken: there is none of that number; CannotFold: it cannot be continued."""
        line = next((line for line in self.matches if line.id == number), None)
        if line is None:
            raise RuleBroken(_("There is no match number {id}.", id=number))
        rules = self.kit(line.game).rules_of(line.rules)
        try:
            return resume(self._journal, MatchRow(line.id, line.game, line.rules), rules)
        except CannotFold:
            raise
        except Exception as error:
            _log.exception("Match %s does not fold", number)
            raise CannotFold(
                _("Match {number} cannot be read: {reason}. It is kept as it is.", number=number, reason=repr(error))
            ) from error
