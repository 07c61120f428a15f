"""What a recording gives when it is played again is what was written down while it was recorded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from companion.app import games
from companion.app.record import RecordedEvening
from companion.app.replay import Replay
from companion.cli import main
from companion.deck import Deck
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
