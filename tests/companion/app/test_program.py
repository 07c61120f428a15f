"""The whole program without a camera: it starts, answers, stops, and says why when it cannot."""

from __future__ import annotations

import json
import socket
import urllib.request
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.app import games, secrets
from companion.app.config import Config, Web
from companion.app.program import Program, ProgramError
from companion.cli import main
from companion.deck import Deck


@pytest.fixture(scope="module")
def deck() -> Deck:
    return games.load("hook", None)


def local(port: int = 0) -> Config:
    return Config().with_port(port)


def test_it_serves_the_pages_and_stops(tmp_path: Path, deck: Deck) -> None:
    with Program(local(), tmp_path, deck, None) as program:
        with urllib.request.urlopen(f"{program.local_address}healthz") as answer:
            health = json.load(answer)
        assert health["ok"] is True
        assert health["camera"] == "none"
        assert program.pin.isdigit()
    with pytest.raises(OSError, match="refused"):
        urllib.request.urlopen(f"{program.local_address}healthz")


def test_the_tv_shows_the_address_of_now(tmp_path: Path, deck: Deck, monkeypatch: pytest.MonkeyPatch) -> None:
    """The network comes up after the program, or gives another address later."""
    now = ["127.0.0.1"]
    monkeypatch.setattr("companion.app.program.own_address", lambda: now[0])
    monkeypatch.setattr("companion.app.address.KEPT_NS", 0)
    with Program(local(), tmp_path, deck, None) as program:
        for now[0] in ("127.0.0.1", "10.9.8.7", "192.168.4.1"):
            assert program.address == f"http://{now[0]}:{program.port}/"
            with urllib.request.urlopen(f"{program.local_address}tv") as answer:
                assert f"<span>{now[0]}:{program.port}</span>" in answer.read().decode()


def test_the_pin_survives_a_restart(tmp_path: Path, deck: Deck) -> None:
    pins = []
    for _run in range(2):
        with Program(local(), tmp_path, deck, None) as program:
            pins.append(program.pin)
    assert pins[0] == pins[1]


def test_a_secret_that_came_back_empty_is_made_anew(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("")
    made = secrets.secret(tmp_path)
    assert len(made) == 64
    assert secrets.secret(tmp_path) == made
    assert (tmp_path / "secret").stat().st_mode & 0o077 == 0


def test_a_taken_port_is_said(tmp_path: Path, deck: Deck) -> None:
    with socket.create_server(("0.0.0.0", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(ProgramError, match=rf"Port {port} is taken .* give another with --port"):
            Program(local(port), tmp_path, deck, None).__enter__()


@pytest.mark.parametrize("host", ["no host", "203.0.113.9", "a" * 70])
def test_a_host_that_is_none_of_ours_is_said(tmp_path: Path, deck: Deck, host: str) -> None:
    config = Config(web=Web(host=host, port=0))
    with pytest.raises(ProgramError, match=r"cannot be served on .* Mend host in \[web\] of the config file"):
        Program(config, tmp_path, deck, None).__enter__()


def test_a_second_program_on_one_journal_is_refused(tmp_path: Path, deck: Deck) -> None:
    with (
        Program(local(), tmp_path, deck, None),
        pytest.raises(ProgramError, match="in use by another Tabletop Companion"),
    ):
        Program(local(), tmp_path, deck, None).__enter__()


def test_a_data_folder_that_is_a_file_is_said(tmp_path: Path, deck: Deck) -> None:
    taken = tmp_path / "file"
    taken.write_text("not a folder")
    with pytest.raises(ProgramError, match="cannot be written"):
        Program(local(), taken, deck, None).__enter__()


@pytest.mark.parametrize(
    ("arguments", "status", "says"),
    [
        (["demo", "--config", "nowhere.toml"], 2, "there is no such config file"),
        (["demo", "--deck", "nowhere"], 2, "there is no such folder"),
        (["doctor", "--config", "nowhere.toml"], 2, "there is no such config file"),
        (["record", "out", "--deck", "nowhere"], 2, "there is no such folder"),
        (["demo", "--condition", "dark"], 2, "is not one of 'easy', 'evening', 'harsh'"),
        (["demo", "--game", "chess"], 2, "is not one of 'hook', 'hooked'"),
        (["replay", "nowhere"], 1, "There is no recording at nowhere."),
        (["paint"], 2, "No such command 'paint'"),
    ],
)
def test_wrong_use_is_answered_with_a_sentence(arguments: list[str], status: int, says: str) -> None:
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == status
    assert says in result.output
    assert "Traceback" not in result.output


@pytest.mark.parametrize("command", ["run", "doctor", "look", "deck", "demo", "record", "replay", "bench"])
def test_every_command_has_help(command: str) -> None:
    result = CliRunner().invoke(main, [command, "--help"])
    assert result.exit_code == 0
    assert "Usage:" in result.output
