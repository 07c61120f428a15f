"""How a light or the buzzer is. A light that fails is silent: nothing of a game depends on it."""

from __future__ import annotations

import msgspec

from companion.words import Text, _


class LightHealth(msgspec.Struct, frozen=True):
    """``name`` is the seat, or "buzzer"; ``why`` the failure in the library's words."""

    name: str
    why: str | None = None

    @property
    def ok(self) -> bool:
        """Whether it did what it was last told."""
        return self.why is None

    @property
    def sentence(self) -> Text:
        """How it is, for people. It does not name the seat."""
        if self.why is None:
            return _("It works.")
        return _("It does not work: {why}. The game goes on without it.", why=self.why)
