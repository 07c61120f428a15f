"""What a recording gives when it is played again is what was written down while it was recorded."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from slap_game import KIT

from companion.app import games
from companion.app.record import RecordedEvening
from companion.app.replay import Replay
from companion.cli import main
from companion.deck import Deck
from companion.table import GameKit
from companion.world import Press
from hardware.recording import Header, Recording, RecordingWriter, pack
from hardware.simulated.conditions import EASY
from vision.catalog import build


@pytest.fixture(scope="module")
def deck() -> Deck:
    return games.load("hook", None)


@pytest.fixture(scope="module")
def recorded(deck: Deck, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Any]]:
    """A recording of one round, and the facts that were written down meanwhile."""
    folder = tmp_path_factory.mktemp("recording")
    out = folder / "round"
    evening = RecordedEvening(deck, build(deck), EASY, 5, folder / "journal.sqlite", keep_frames=True)
    with RecordingWriter(out, Header(game="hook", deck=str(deck.folder), seats=evening.seats)) as writer:
        evening.writer = writer
        for played in evening.rounds(1):
            for seen in played.seen:
                writer.frame(seen.frame)
    facts = [msgspec.to_builtins(record.fact) for record in evening.match.records]
    evening.close()
    return out, facts


def told(path: Path, deck: Deck) -> list[dict[str, Any]]:
    lines: list[dict[str, Any]] = []
    Replay(Recording.open(path), deck, games.kits(deck)["hook"]).run(lines.append)
    return lines


def plain(fact: dict[str, Any]) -> dict[str, Any]:
    """A fact as the recording can know it: the names of people and the moment of the start are not in it."""
    return {key: value for key, value in fact.items() if key not in ("players", "deck")} | (
        {"t_ns": 0} if fact["fact"] == "MatchStarted" else {}
    )


def test_a_replay_gives_the_very_facts_of_live_play(recorded: tuple[Path, list[Any]], deck: Deck) -> None:
    out, live = recorded
    lines = told(out, deck)
    replayed = [plain(line) for line in lines if "fact" in line]
    assert replayed == [plain(fact) for fact in live]
    assert any(fact["fact"] == "TilePlaced" for fact in replayed)
    assert "state" in lines[-1]
    assert not [line for line in lines if "note" in line]


def test_a_zip_plays_like_its_folder(recorded: tuple[Path, list[Any]], deck: Deck, tmp_path: Path) -> None:
    out, _live = recorded
    pack(out, tmp_path / "round.zip")
    assert told(tmp_path / "round.zip", deck) == told(out, deck)


@pytest.mark.parametrize(
    ("header", "says"),
    [
        (None, "recording.toml is missing"),
        ('game = "hook', "cannot be read"),
        ('game = "chess"\n', "which this program cannot replay"),
        ('game = "hook"\nseats = ["red-pirate"]\n', "Hook! is for 3 to 6 players."),
        ('game = "hook"\ndeck = "lost-deck"\n', "no deck of that name"),
        ('game = "hook"\ndeck = "practice-hooked"\n', "this deck is of the game hooked, not hook."),
    ],
)
def test_a_recording_that_cannot_be_played_says_why(tmp_path: Path, header: str | None, says: str) -> None:
    folder = tmp_path / "broken"
    (folder / "frames").mkdir(parents=True)
    if header is not None:
        (folder / "recording.toml").write_text(header, encoding="utf-8")
    result = CliRunner().invoke(main, ["replay", "--json", str(folder)])
    assert result.exit_code == 1
    assert says in result.output


def test_presses_are_fed_in_time_and_verdicts_told_once_they_stand(tmp_path: Path, deck: Deck) -> None:
    ms = 1_000_000
    edges = [("red", 1_200, 1), ("red", 1_260, 0), ("blue", 1_210, 1), ("blue", 1_270, 0), ("blue", 2_300, 1)]
    with RecordingWriter(tmp_path / "slaps", Header(game="slap", seats=("red", "blue"))) as writer:
        for seat, t_ms, level in reversed(edges):
            writer.press(Press(seat, t_ms * ms, level))
        writer.tap(2_000 * ms, {"command": "Open"})
        writer.tap(1_000 * ms, {"command": "Open"})
    recording = Recording.open(tmp_path / "slaps")
    lines: list[dict[str, Any]] = []
    Replay(recording, deck, KIT).run(lines.append)
    assert [line["t_ns"] // ms for line in lines if line.get("fact") == "Pressed"] == [1200, 1210, 1260, 1270, 2300]
    told = [line for line in lines if "verdict" in line]
    assert [(line["t_ns"], line["winner"], line["times_ns"]) for line in told] == [
        (1_000 * ms, "red", {"red": 1_200 * ms, "blue": 1_210 * ms}),
        (2_000 * ms, "blue", {"blue": 2_300 * ms}),
    ]
    assert lines.index(told[0]) < next(at for at, line in enumerate(lines) if line.get("t_ns") == 1_270 * ms)
    assert [line for line in lines if "state" in line] == lines[-1:]
    plain_kit = GameKit(KIT.rules)
    Replay(recording, deck, plain_kit).run(lines.append)


def test_a_verdict_that_is_corrected_is_told_again(tmp_path: Path, deck: Deck) -> None:
    ms = 1_000_000
    with RecordingWriter(tmp_path / "slaps", Header(game="slap", seats=("red", "blue"))) as writer:
        writer.tap(1_000 * ms, {"command": "Open"})
        writer.press(Press("red", 1_200 * ms, 1))
        writer.press(Press("blue", 1_210 * ms, 1))
        writer.tap(3_000 * ms, {"command": "Undo", "target": 3})
    lines: list[dict[str, Any]] = []
    Replay(Recording.open(tmp_path / "slaps"), deck, KIT).run(lines.append)
    told = [(line["winner"], line.get("amended", False)) for line in lines if "verdict" in line]
    assert told == [("red", False), ("blue", True)]


def test_edges_that_were_told_late_are_replayed_as_they_were_told(tmp_path: Path, deck: Deck) -> None:
    ms = 1_000_000
    with RecordingWriter(tmp_path / "slaps", Header(game="slap", seats=("red", "blue"))) as writer:
        writer.tap(1_000 * ms, {"command": "Open"})
        writer.press(Press("blue", 1_210 * ms, 1), 1_215 * ms)
        writer.press(Press("red", 1_200 * ms, 1), 1_290 * ms)  # the first, told last
    lines: list[dict[str, Any]] = []
    Replay(Recording.open(tmp_path / "slaps"), deck, KIT).run(lines.append)
    assert [line["seat"] for line in lines if line.get("fact") == "Pressed"] == ["blue", "red"]
    assert [line["winner"] for line in lines if "verdict" in line][-1] == "red"
