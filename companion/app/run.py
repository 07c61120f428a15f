"""``companion run``: the real table, from the config file until a signal ends it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from companion.app import buttons, games
from companion.app.buttons import Panel, dark
from companion.app.config import Config
from companion.app.ending import told_to_end
from companion.app.hook_buttons import listening
from companion.app.lights import lit
from companion.app.notify import notify, watchdog_s
from companion.app.program import Program, ProgramError
from companion.app.sources import source_of
from companion.words import Text, _

TICK_S = 0.5
Say = Callable[[Text], object]


def run(config: Config, say: Say, ending: threading.Event | None = None) -> None:
    """Play until SIGTERM, Ctrl-C or ``ending``. Raises DeckError and ProgramError with what keeps it from starting."""
    ending = ending or told_to_end()
    deck = games.load(config.game, config.deck)
    source = source_of(config.camera, deck)
    with (
        buttons.panel(config) as panel,
        Program(config, config.data_folder, deck, source, panel.buttons) as program,
        lit(program.table, panel.lights),
        listening(program.table, [button.seat for button in config.buttons], panel.lights) as heard,
    ):
        program.listeners.append(heard.press)
        for topic, why in panel.missing:
            program.table.notice(topic, why)
            say(why)
        say(_where(program))
        say(_("To change anything there, pair with the PIN {pin}.", pin=program.pin))
        if source is None:
            say(_("No camera: play by hand. Name one in the config file, or with --camera."))
        notify("READY=1")
        try:
            _watch(program, panel, ending, say)
        finally:
            notify("STOPPING=1")
    say(_("The table has ended; the match goes on when it is started again."))


def _where(program: Program) -> Text:
    return _(
        "The table is on {address}  (on this machine: {local})", address=program.address, local=program.local_address
    )


def _watch(program: Program, panel: Panel, ending: threading.Event, say: Say) -> None:
    """Tell the service manager that the table thread still answers, and how camera and lights are, until the end;
    and everybody where the pages are, should that change."""
    every_s = watchdog_s()
    alive_s = time.monotonic()
    told: Text | None = None
    where: Text | None = None
    notified = ""
    while not ending.wait(TICK_S):
        if not program.table.settle():  # waits for the table: should it hang, nothing is told, and systemd starts anew
            raise ProgramError(str(_("The table has stopped working; the log says why. Start the program again.")))
        for health in panel.lights.health() if panel.lights is not None else ():
            program.table.notice(f"light {health.name}", dark(health))
        camera = program.table.snapshot().camera
        if camera.camera == "lost" and camera.sentence != told:
            say(camera.sentence)
        told = camera.sentence
        here = _where(program)
        if where not in (None, here):
            say(here)
        where = here
        status = f"STATUS={program.address} - {told}" if told else f"STATUS={program.address}"
        if status != notified:
            notified = status
            notify(status)
        if every_s is not None and time.monotonic() - alive_s >= every_s - TICK_S:
            alive_s = time.monotonic()
            notify("WATCHDOG=1")
