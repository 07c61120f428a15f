"""The command line: each command in a module of its own."""

from __future__ import annotations

import importlib

import click

COMMANDS = ("run", "doctor", "demo", "look", "deck", "record", "replay", "bench")


class _Commands(click.Group):
    """Imports a command only when it is asked for, so that each starts fast."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"companion.cli.{cmd_name}")
        command: click.Command = module.command
        return command


@click.command(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="tabletop-companion")
def main() -> None:
    """A referee for fast physical card games."""
