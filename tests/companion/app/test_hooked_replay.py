"""A recorded evening of Hooked! gives, played again, the very facts and verdicts that were written down meanwhile."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from companion.app import games
from companion.app.hooked_record import RecordedHookedEvening
from companion.app.replay import Replay
from companion.cli import main
from companion.deck import Deck
from companion.games.hooked.facts import RuleFlip
from companion.games.hooked.rules import verdicts
from hardware.recording import Header, Recording, RecordingWriter
from hardware.simulated.conditions import EASY
from vision.catalog import build

FLIPS = 3
"""Of this seed's flips the first is slapped, and the third."""
SEED = 8


@pytest.fixture(scope="module")
def deck() -> Deck:
    return games.load("hooked", None)


@pytest.fixture(scope="module")
def recorded(deck: Deck, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Any], list[Any]]:
    """A recording of a few flips and a correction; the facts and the verdicts of live play."""
    folder = tmp_path_factory.mktemp("recording")
    evening = RecordedHookedEvening(deck, build(deck), EASY, SEED, folder / "journal.sqlite")
    header = Header(game="hooked", deck=str(deck.folder), seats=evening.seats)
    with RecordingWriter(folder / "evening", header) as writer:
        evening.record_into(writer)
        played = list(evening.flips(FLIPS))
        flip = evening.state.flips[0]
        assert evening.say(RuleFlip(flip=flip.id, seat=evening.seats[1]))
    assert sum(flip.slap is not None for flip in played) >= 2
    facts = [msgspec.to_builtins(record.fact) for record in evening.match.records]
    judged = json.loads(json.dumps(verdicts(evening.state)))
    evening.close()
    return folder / "evening", facts, judged


def plain(fact: dict[str, Any]) -> dict[str, Any]:
    """A fact as the recording can know it: the moment of the start is not in it, nor the deck's name."""
    left = {"deck", "t_ns"} if fact["fact"] == "MatchStarted" else set()
    return {key: value for key, value in fact.items() if key not in left}


def test_a_replay_gives_the_very_facts_and_verdicts(recorded: tuple[Path, list[Any], list[Any]], deck: Deck) -> None:
    path, facts, judged = recorded
    lines: list[dict[str, Any]] = []
    Replay(Recording.open(path), deck, games.kits(deck)["hooked"]).run(lines.append)
    assert [plain(line) for line in lines if "fact" in line] == [plain(fact) for fact in facts]
    assert any(line.get("fact") == "CardFlipped" and line["source"] == "camera" for line in lines)
    told: dict[Any, Any] = {}
    for line in lines:
        if "verdict" in line:
            told[line["id"]] = {key: value for key, value in line.items() if key not in ("amended", "withdrawn")}
            if line.get("withdrawn"):  # a slap that was for a card seen only later
                del told[line["id"]]
    assert list(told.values()) == judged
    assert {"verdict", "t_ns", "winner", "dead_heat", "times_ns", "right", "why"} <= set(judged[0])
    state = lines[-1]["state"]
    assert sum(stack for _seat, stack in state["stacks"]) + len(state["lake"]) + state["under"] == 62


def test_the_commands_record_and_replay(tmp_path: Path) -> None:
    out = tmp_path / "evening"
    run = CliRunner().invoke(
        main, ["record", str(out), "--game", "hooked", "--condition", "easy", "--seed", str(SEED), "--rounds", "1"]
    )
    assert run.exit_code == 0, run.output
    assert run.output.startswith("1: seat-1 flipped ")
    again = CliRunner().invoke(main, ["replay", str(out), "--json"])
    assert again.exit_code == 0, again.output
    lines = [json.loads(line) for line in again.output.splitlines()]
    assert {line.get("fact") for line in lines} >= {"MatchStarted", "CardFlipped", "Pressed"}
    assert any(line.get("verdict") == "slap" for line in lines)
    assert "state" in lines[-1]
    taken = CliRunner().invoke(main, ["record", str(out), "--game", "hooked", "--rounds", "1"])
    assert taken.exit_code == 1
    assert "There is already a recording in" in taken.output
