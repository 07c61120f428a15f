"""``companion demo --headless``: rounds in lockstep without pages, each reading compared with the truth."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

import cv2

from companion.app.evening import Evening
from companion.app.score import RoundScore, Tally
from companion.deck import Deck
from companion.words import _, n_
from hardware.simulated.conditions import BY_NAME
from vision.catalog import build


def run_headless(deck: Deck, condition: str, seed: int, rounds: int | None, echo: Callable[[str], object]) -> int:
    """Play ``rounds`` (None: until the game ends), a line a round and a summary. Exit status: 1 if anything was wrong
    and nobody was asked about it, a placement counted that nobody made, or one was passed over silently."""
    cv2.setNumThreads(1)
    total = Tally()
    with tempfile.TemporaryDirectory(prefix="companion-headless-") as folder:
        evening = Evening(deck, build(deck), BY_NAME[condition], seed, Path(folder) / "journal.sqlite")
        try:
            for played in evening.rounds(rounds if rounds is not None else evening.script.rounds):
                total += played.score.tally
                echo(line(played.score))
                for remark in played.score.remarks:
                    echo(f"    {remark}")
        finally:
            evening.close()
    echo(summary(total))
    return 1 if bad(total) else 0


def bad(tally: Tally) -> int:
    """How many placements were wrong without anybody being asked."""
    return tally.wrong_and_sure + tally.phantom + tally.missed_and_silent


def line(score: RoundScore) -> str:
    """One round in one line."""
    tally = score.tally
    return str(
        _(
            "Round {number}: {right} of {placements} placements right, {sure} sure, {wrong} wrong and sure, "
            "{missed} missed, {phantom} phantom; doubts: {obliged} obliged, {avoidable} avoidable",
            number=score.number,
            right=tally.right,
            placements=tally.placements,
            sure=tally.sure,
            wrong=tally.wrong_and_sure,
            missed=tally.missed,
            phantom=tally.phantom,
            obliged=tally.obliged,
            avoidable=tally.avoidable,
        )
    )


def summary(tally: Tally) -> str:
    """All rounds in one line."""
    return str(
        n_(
            "{count} round: {right} of {placements} placements right, {sure} sure, {bad} wrong without a question",
            "{count} rounds: {right} of {placements} placements right, {sure} sure, {bad} wrong without a question",
            tally.rounds,
            right=tally.right,
            placements=tally.placements,
            sure=tally.sure,
            bad=bad(tally),
        )
    )
