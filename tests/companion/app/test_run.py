"""``companion run`` as people and systemd start it: real processes, cameras that are there, missing, or files."""

from __future__ import annotations

import http.cookiejar
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import cv2
import pytest
from click.testing import CliRunner

from companion import deck as decks
from companion.app import games
from companion.cli import main
from companion.deck import Deck
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.conditions import BY_NAME
from hardware.simulated.poses import PiecePose, TablePose

PIECES = ("target-001", "target-002", "target-003", "sight-red-pirate-1", "hit-red-pirate", "compass")
PATIENCE_S = 90


class Running:
    """One run of the command; ``said`` is what it printed so far, ``told`` what it told the service manager."""

    def __init__(self, arguments: list[str], folder: Path, environment: dict[str, str]) -> None:
        self.manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.manager.bind(str(folder / "notify"))
        self.manager.settimeout(PATIENCE_S)
        self.told: list[str] = []
        command = [sys.executable, "-m", "companion.cli", "run", "--port", "0", "--data", str(folder / "data")]
        self.process = subprocess.Popen(
            [*command, *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "NOTIFY_SOCKET": str(folder / "notify"), **environment},
        )
        assert self.process.stdout is not None
        self.said = ""
        while (found := re.search(r"http://127\.0\.0\.1:\d+/", self.said)) is None:
            line = self.process.stdout.readline()
            assert line, self.said
            self.said += line
        self.address = found.group()
        self.browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))

    def get(self, path: str) -> Any:
        with self.browser.open(f"{self.address}{path}") as answer:
            return json.load(answer)

    def until(self, path: str, ready: Callable[[Any], bool]) -> Any:
        for _ in range(PATIENCE_S * 5):
            found = self.get(path)
            if ready(found):
                return found
            time.sleep(0.2)
        raise AssertionError(found)

    def pair(self) -> None:
        while (found := re.search(r"PIN (\d+)", self.said)) is None:
            self.said += self.process.stdout.readline()
        self.browser.open(f"{self.address}pair", urllib.parse.urlencode({"pin": found[1]}).encode()).close()

    def command(self, command: dict[str, Any]) -> None:
        body = json.dumps({"command": command}).encode()
        request = urllib.request.Request(
            f"{self.address}api/commands", body, headers={"Content-Type": "application/json"}
        )
        self.browser.open(request).close()

    def listen(self, wanted: str) -> str:
        """What the service manager is told, until something begins so."""
        while True:
            self.told.append(self.manager.recv(4096).decode())
            if self.told[-1].startswith(wanted):
                return self.told[-1]

    def end(self, number: int = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        rest, _ = self.process.communicate(timeout=PATIENCE_S)
        self.said += rest
        return self.process.returncode


@contextmanager
def running(folder: Path, *arguments: str, **environment: str) -> Iterator[Running]:
    run = Running(list(arguments), folder, environment)
    try:
        yield run
    finally:
        run.manager.close()
        if run.process.poll() is None:
            run.process.kill()
            run.process.communicate()


@pytest.fixture(scope="module")
def deck(tmp_path_factory: pytest.TempPathFactory) -> Deck:
    """A handful of pieces of the practice deck: what is tested here is not how many can be told apart."""
    whole = games.load("hook", None)
    folder = tmp_path_factory.mktemp("deck")
    head, *pieces = (whole.folder / "deck.toml").read_text(encoding="utf-8").split("[[piece]]")
    kept = [piece for piece in pieces if re.search(r'id = "(.+)"', piece)[1] in PIECES]
    (folder / "deck.toml").write_text("[[piece]]".join([head, *kept]), encoding="utf-8")
    shutil.copytree(whole.folder / "faces", folder / "faces")
    return decks.load(folder)


@pytest.fixture(scope="module")
def photos(deck: Deck, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The simulated table: empty, then with one card on it."""
    folder = tmp_path_factory.mktemp("photos")
    camera = SimulatedCamera(deck, BY_NAME["easy"], 1)
    card = TablePose((PiecePose("target-001", 0.0, 0.0, 10.0),))
    for number, pose in enumerate([TablePose()] * 4 + [card] * 6):
        frame = camera.look(pose, number * 100_000_000)
        cv2.imwrite(str(folder / f"{number:02d}.jpg"), frame.image)
    return folder


@pytest.fixture(scope="module")
def film(photos: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("film") / "evening.avi"
    pictures = [cv2.imread(str(file)) for file in sorted(photos.iterdir())]
    height, width = pictures[0].shape[:2]
    video = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (width, height))
    for picture in pictures:
        video.write(picture)
    video.release()
    return path


def test_a_folder_of_pictures_is_watched_and_played_with(tmp_path: Path, deck: Deck, photos: Path) -> None:
    with running(tmp_path, "--camera", f"folder:{photos}", "--deck", str(deck.folder), WATCHDOG_USEC="3000000") as run:
        assert run.listen("READY") == "READY=1"
        health = run.until("healthz", lambda health: health["camera"] in ("reading", "watching"))
        assert health["ok"] is True
        run.pair()
        players = [{"seat": seat, "name": seat} for seat in ("red-pirate", "blue-sailor", "yellow-pirate")]
        run.command({"command": "StartMatch", "game": "hook", "players": players, "deck": deck.name})
        state = run.until("api/state", lambda state: any("target-001" in str(fact) for fact in state["facts"]))
        assert state["camera"]["status"] != "lost"
        assert state["picture"] is not None
        assert run.listen("WATCHDOG") == "WATCHDOG=1"
        assert run.end() == 0
        assert run.listen("STOPPING") == "STOPPING=1"
        assert any(told.startswith("STATUS=http://") for told in run.told)
    assert "Traceback" not in run.said


def test_a_video_is_watched_and_ctrl_c_ends_cleanly(tmp_path: Path, deck: Deck, film: Path) -> None:
    with running(tmp_path, "--camera", f"video:{film}", "--deck", str(deck.folder)) as run:
        run.until("healthz", lambda health: health["camera"] in ("reading", "watching"))
        run.until("api/state", lambda state: state["picture"] is not None)
        assert run.end(signal.SIGINT) == 0
    assert "Traceback" not in run.said
    assert "the match goes on when it is started again" in run.said


@pytest.mark.parametrize(
    ("camera", "says"),
    [
        ("folder:/nowhere", "/nowhere is neither a folder of pictures nor a video."),
        ("v4l2:/dev/video77", "There is no camera /dev/video77."),
    ],
)
def test_without_its_camera_and_its_buttons_play_goes_on_by_hand(
    tmp_path: Path, deck: Deck, camera: str, says: str
) -> None:
    config = tmp_path / "companion.toml"
    buttons = '[[buttons]]\nseat = "red-pirate"\npin = 17\n[gpio]\nchip = "no-such-chip"\n'
    config.write_text(f'deck = "{deck.folder}"\n{buttons}', encoding="utf-8")
    with running(tmp_path, "--config", str(config), "--camera", camera) as run:
        state = run.until("api/state", lambda state: state["camera"]["status"] == "lost")
        assert says in state["camera"]["sentence"]
        (notice,) = state["notices"]
        assert notice.startswith("No slap buttons: ")
        assert notice.endswith("Play goes on with the buttons on the screens.")
        run.pair()
        players = [{"seat": seat, "name": seat} for seat in ("red-pirate", "blue-sailor", "yellow-pirate")]
        run.command({"command": "StartMatch", "game": "hook", "players": players})
        assert run.get("healthz") | {"ok": True, "match": 1} == run.get("healthz")
        assert run.end() == 0


@pytest.mark.parametrize(
    ("arguments", "config", "status", "says"),
    [
        (["--config", "nowhere.toml"], None, 2, "there is no such config file"),
        ([], '[camera]\nkind = "webcam"\n', 2, 'kind is "webcam"; write one of'),
        ([], 'game = "chess"\n', 2, 'game is "chess"; write one of hook'),
        (["--deck", "nowhere"], None, 2, "there is no such folder"),
        (["--camera", "webcam"], None, 2, 'kind is "webcam"; write one of "auto"'),
        (["--camera", "folder"], None, 2, 'kind = "folder" needs a path'),
        (["--game", "chess"], None, 2, "is not one of 'hook', 'hooked'"),
        (["--port", "99999"], None, 2, "is not in the range"),
    ],
)
def test_what_cannot_start_is_answered_with_a_sentence(
    tmp_path: Path, arguments: list[str], config: str | None, status: int, says: str
) -> None:
    if config is not None:
        (tmp_path / "companion.toml").write_text(config, encoding="utf-8")
        arguments = [*arguments, "--config", str(tmp_path / "companion.toml")]
    result = CliRunner().invoke(main, ["run", "--data", str(tmp_path / "data"), *arguments])
    assert result.exit_code == status
    assert says in result.output
    assert "Traceback" not in result.output


def test_its_help_says_what_can_be_given_and_what_the_status_means() -> None:
    result = CliRunner().invoke(main, ["run", "--help"])
    assert result.exit_code == 0
    for said in ("--config", "--camera KIND[:PATH]", "folder, video", "--game [hook|hooked]", "Exit status: 0"):
        assert said in result.output


def test_a_deck_of_another_game_is_refused(tmp_path: Path, deck: Deck) -> None:
    other = tmp_path / "other"
    shutil.copytree(deck.folder, other)
    text = (other / "deck.toml").read_text(encoding="utf-8")
    (other / "deck.toml").write_text(text.replace('game = "hook"', 'game = "hooked"'), encoding="utf-8")
    with pytest.raises(decks.DeckError, match="this deck is of the game hooked, not hook"):
        games.load("hook", str(other))
