"""How one button is, as data and as a sentence for people."""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.words import Text, _, n_

Trouble = Literal["taken", "grabbed", "missing", "failed", "chatters", "held", "unseen", "lost", "handler", "clock"]
"""Worst first.

taken: another program holds the line. grabbed: another program has the USB device for itself. missing: no such device
(now). failed: it cannot be read. chatters: more edges than any finger makes. held: down since the start, or for long.
unseen: it was down without an edge, so the time of that press is unknown. lost: reports went missing. handler: the
program failed at presses. clock: stamps that cannot be the kernel's were replaced by our own.
"""


class ButtonHealth(msgspec.Struct, frozen=True):
    """The health of one seat's button.

    ``trouble`` is the worst that is the matter, None when nothing is; ``since_ns`` when it began, where that means
    something (``held``: when the button went down; ``unseen``: when it was found down; ``chatters``: when it began to).
    ``down`` is False while it chatters, whatever its line does. Counts are since the start. ``holder`` says who holds
    what is ``taken`` or ``grabbed``. ``seen`` tells whether the button has ever reported an edge.
    """

    seat: str
    trouble: Trouble | None = None
    since_ns: int | None = None
    down: bool = False
    seen: bool = False
    unseen: int = 0
    lost: int = 0
    handler_errors: int = 0
    clock: Literal["kernel", "software"] = "kernel"
    holder: Text | str | None = None
    why: str | None = None

    @property
    def ok(self) -> bool:
        """Nothing is the matter with it (it may never have been pressed: ``seen``)."""
        return self.trouble is None

    @property
    def sentence(self) -> Text:
        """How it is and what to do, for people. It does not name the seat."""
        match self.trouble:
            case "taken":
                return _("{holder} holds its line. Stop that program, or use another pin.", holder=self.holder or "?")
            case "grabbed":
                return _(
                    "It is in use by {holder}. Stop that program; this one then goes on by itself.",
                    holder=self.holder or _("another program"),
                )
            case "missing":
                return _("It is not there: {why}. Plug it in again.", why=self.why or "?")
            case "failed":
                return _(
                    "It cannot be read: {why}. Check it in the settings, and what this user may do.",
                    why=self.why or "?",
                )
            case "chatters":
                return _("It goes on and off by itself, so that its presses are in doubt. Check its plugs and wires.")
            case "held":
                return _("It has been down for long. Does something lie on it, is it stuck, or is its wire to ground?")
            case "unseen":
                return _("It was down without a report, so nobody knows when it was pressed. Check its plugs.")
            case "lost":
                return n_(
                    "{count} report of it went missing. Check its plugs.",
                    "{count} reports of it went missing. Check its plugs.",
                    self.lost,
                )
            case "handler":
                return n_(
                    "The program failed at {count} report of it. The log says why.",
                    "The program failed at {count} reports of it. The log says why.",
                    self.handler_errors,
                )
            case "clock":
                return _("Its times were not the kernel's and were replaced by the program's own: less exact.")
        return _("It works.") if self.seen else _("It has not been pressed yet: press it once to try it.")
