"""What people have to mend before a command can do anything: exit status 2, as for wrong options."""

from __future__ import annotations

import click


class StaysWrong(click.ClickException):
    """A config file or deck that cannot be used. No new start mends it, and the service manager does not try again
    (RestartPreventExitStatus in the unit)."""

    exit_code = 2
