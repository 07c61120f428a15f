"""``companion demo --game hooked --headless``: a game in lockstep, each flip and slap compared with the truth."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import cv2

from companion.app.hooked_evening import HookedEvening, Judged
from companion.deck import Deck
from companion.words import _, n_
from hardware.simulated.conditions import BY_NAME
from vision.catalog import build


def run_headless(deck: Deck, condition: str, seed: int, rounds: int | None, echo: Callable[[str], object]) -> int:
    """Play ``rounds`` flips (None: until somebody has won), a line a flip and a summary. Exit status: 1 if a card or a
    verdict was wrong and nobody was asked, a card was passed over, or the cards did not add up."""
    cv2.setNumThreads(1)
    read: Counter[str] = Counter()
    verdicts: Counter[str] = Counter()
    bad = 0
    with tempfile.TemporaryDirectory(prefix="companion-headless-") as folder:
        evening = HookedEvening(deck, build(deck), BY_NAME[condition], seed, Path(folder) / "journal.sqlite")
        try:
            for flip in evening.flips(rounds):
                read[flip.read] += 1
                verdicts[flip.verdict or ""] += 1
                bad += bool(flip.bad) or (flip.read == "missed")
                echo(line(flip, evening))
                for sentence in flip.bad:
                    echo(f"    {sentence}")
            state = evening.state
        finally:
            evening.close()
    if state.over:
        echo(str(_("The game is over: {seat} has won.", seat=state.winner or "-")))
    elif rounds is None:
        echo(str(_("The game did not end: nobody can flip.")))
    echo(_summary(read, verdicts))
    echo(str(_("All cards: {count}.", count=sum(stack for _seat, stack in state.stacks) + state.lake_size)))
    return 1 if bad or (rounds is None and not state.over) else 0


def line(flip: Judged, evening: HookedEvening) -> str:
    """One flip in one line."""
    truth = flip.truth
    told = ", ".join(flip.told) or "-"
    asked = f" [{', '.join(flip.asked)}]" if flip.asked else ""
    text = f"{flip.number:4} {truth.seat} {truth.card}: {flip.read} ({told}){asked}"
    if flip.slap is not None and flip.verdict is not None:
        first = flip.slap.winner or " = ".join(flip.slap.dead_heat) or "-"
        text += f"; {truth.why or '-'}: {first}, {flip.verdict}"
    stacks = " ".join(str(stack) for _seat, stack in evening.state.stacks)
    return f"{text}; {stacks} + {evening.state.lake_size}"


def _summary(read: Counter[str], verdicts: Counter[str]) -> str:
    flips = n_(
        "{count} flip: {right} read without a question, {asked} asked, {wrong} wrong, {missed} missed",
        "{count} flips: {right} read without a question, {asked} asked, {wrong} wrong, {missed} missed",
        sum(read.values()),
        right=read["right"],
        asked=read["asked"],
        wrong=read["wrong"],
        missed=read["missed"],
    )
    slaps = n_(
        "{count} slap: {right} judged without a question, {asked} asked, {wrong} wrong",
        "{count} slaps: {right} judged without a question, {asked} asked, {wrong} wrong",
        sum(count for verdict, count in verdicts.items() if verdict),
        right=verdicts["right"],
        asked=verdicts["asked"],
        wrong=verdicts["wrong"],
    )
    return f"{flips}; {slaps}"
