"""The running program: table, vision process and pages, started and stopped together.

    with Program(config, data, loaded, source) as program:
        print(program.address)
        ...

Everything that can fail at the start (journal, port) fails in ``__enter__``, with a ``ProgramError`` whose message
says what is wrong and what to do. A camera that fails stops nothing: the table says so and play goes on.
"""

from __future__ import annotations

import errno
import socket
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

from companion.app import games, secrets
from companion.app.address import Lately, own_address
from companion.app.buttons import trouble_of
from companion.app.config import Config
from companion.app.promptness import prompt
from companion.app.sources import patience_s
from companion.core.journal import JournalError
from companion.deck import Deck
from companion.table import ButtonLine, Table
from companion.table.api import Camera
from companion.world import Press
from hardware.buttons import Buttons
from hardware.chips import GpioError
from vision.messages import Source, WorkerOptions
from vision.process import VisionProcess
from vision.watchdog import Policy, Status
from web import create_app
from web.server import Server, serve
from web.settings import Settings

TRIES = 30
"""So often the camera may be started in ten minutes: with the pauses between, always once more."""


class ProgramError(Exception):
    """The program cannot start; the message says why and what to do."""


class Program:
    """``source`` describes the camera, ``buttons`` are not started yet; None plays without. ``data`` is the folder of
    journal and pictures."""

    def __init__(
        self, config: Config, data: Path, deck: Deck, source: Source | None, buttons: Buttons | None = None
    ) -> None:
        self.config, self.data, self.deck = config, data, deck
        self.pin = ""
        self.port = config.web.port
        """Where the pages are served; known once they are, where any free one will do."""
        self.table = Table(data / "journal.sqlite", games.kits(deck, config.windows.given), data / "pictures")
        self.vision: VisionProcess | None = None
        self.listeners: list[Callable[[Press], None]] = []
        """Who hears of raw edges besides the table."""
        self._own_address = Lately(own_address, self.table.clock)
        self._source = source
        self._buttons = buttons
        self._server: Server | None = None

    def __enter__(self) -> Self:
        try:
            self.data.mkdir(parents=True, exist_ok=True)
            self.pin = secrets.pin(self.data)
            signing = secrets.secret(self.data)
            self.table.start()
        except JournalError as error:
            raise ProgramError(str(error)) from error
        except OSError as error:
            raise ProgramError(
                f"{self.data}: cannot be written ({error.strerror}). Give another folder with --data."
            ) from error
        try:
            self._open_pages(signing)
            if self._buttons is not None:
                self._start_buttons(self._buttons)
            if self._source is not None:
                self._open_eyes(self._source)
            prompt()
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.vision is not None:
            self.vision.stop()
        if self._buttons is not None:
            self._buttons.close()
        if self._server is not None:
            self._server.close()
        self.table.stop()

    @property
    def address(self) -> str:
        """Where a phone finds the pages now."""
        return f"http://{self._own_address()}:{self.port}/"

    @property
    def local_address(self) -> str:
        """Where this very machine finds them."""
        return f"http://127.0.0.1:{self.port}/"

    def _open_pages(self, signing: str) -> None:
        web = self.config.web
        settings = Settings(
            secret=signing,
            pin=self.pin,
            address=lambda: self.address,
            names=("companion.local", socket.gethostname(), *web.names),
            game=self.config.game,
            clock=self.table.clock,
            decks={self.deck.name: lambda: self.deck},
        )
        try:
            self._server = serve(create_app(self.table, settings), web.host, web.port)
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise ProgramError(
                    f"Port {web.port} is taken by another program. Stop that one, or give another with --port."
                ) from error
            if error.errno == errno.EACCES:
                raise ProgramError(
                    f"Port {web.port} is kept for the system. Give another with --port, 1024 or more."
                ) from error
            raise ProgramError(
                f"The pages cannot be served on {web.host}:{web.port} ({error.strerror}). Mend host in [web] of the "
                'config file; host = "0.0.0.0" is the whole network.'
            ) from error
        self.port = self._server.address[1]

    def _open_eyes(self, source: Source) -> None:
        self.vision = VisionProcess(
            WorkerOptions(source, deck=str(self.deck.folder), piles=games.pile(self.config.game)),
            on_scene=self.table.see,
            on_status=self._camera_is,
            # A camera that was missing is looked for every half minute for as long as the evening lasts.
            policy=Policy(frame_s=patience_s(self.config), budget=TRIES),
        )
        self.vision.start()

    def _start_buttons(self, buttons: Buttons) -> None:
        try:
            buttons.start(self._pressed, lambda _changed: self._buttons_are(buttons))
        except GpioError as error:
            self.table.notice("buttons", error.sentence)
        else:
            self._buttons_are(buttons)

    def _pressed(self, press: Press) -> None:
        self.table.press(press)
        for listener in self.listeners:
            listener(press)

    def _buttons_are(self, buttons: Buttons) -> None:
        told = buttons.health()
        self.table.buttons(tuple(ButtonLine(one.seat, one.seen, one.ok, one.sentence) for one in told))
        for health in told:
            self.table.notice(f"button {health.seat}", trouble_of(health))

    def _camera_is(self, status: Status) -> None:
        states: dict[str, Camera] = {"starting": "waiting", "lost": "lost", "stopped": "none"}
        if status.state in states:
            self.table.status(states[status.state], status.sentence)
