"""``make accuracy``: whole rounds on the simulated table, counted placement by placement, with confidence intervals.

    python -m companion.app.accuracy --rounds 300 --jobs 2 --seed-from COMMIT easy evening harsh

Evenings of at most ``ROUNDS_AN_EVENING`` rounds, each with another table, camera, light and number of players. Their
seeds follow from the commit, so no program can be tuned to them. What the numbers mean is written in ``score``.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

import click
import cv2
import msgspec

from companion import deck as decks
from companion.app.evening import Evening, Played
from companion.app.evenings import CONDITIONS, loaded, run, seed_of
from companion.app.intervals import Share
from companion.app.score import Outcome, RoundScore, Tally
from companion.deck import DeckError
from companion.games.hook import practice_deck
from hardware.simulated.conditions import BY_NAME

ROUNDS_AN_EVENING = 6


class Bar(msgspec.Struct, frozen=True):
    """What a condition has to reach: shares of placements."""

    right: float
    sure: float
    bad: float
    """Wrong and sure, phantom, or missed and silent: at most this share each."""
    avoidable: float | None = None
    """Avoidable doubts a placement, at most."""


BARS = {
    "easy": Bar(0.995, 0.97, 0.001),
    "evening": Bar(0.98, 0.93, 0.001, avoidable=0.05),
    "harsh": Bar(0.90, 0.75, 0.005),
}


class Task(msgspec.Struct, frozen=True):
    """One evening to be played."""

    deck: str
    condition: str
    seed: int
    rounds: int
    keep: str | None = None
    """Folder for the frames of rounds in which something was not as it should be."""


class Done(msgspec.Struct, frozen=True):
    """An evening played."""

    task: Task
    scores: tuple[RoundScore, ...]
    table: str
    players: int
    problem: str | None = None


def tasks(deck: Path, condition: str, rounds: int, origin: str, keep: str | None) -> list[Task]:
    """Evenings that make so many rounds together."""
    found = []
    for evening, first in enumerate(range(0, rounds, ROUNDS_AN_EVENING)):
        count = min(ROUNDS_AN_EVENING, rounds - first)
        found.append(Task(str(deck), condition, seed_of(origin, condition, evening), count, keep))
    return found


def play(task: Task) -> Done:
    """Play one evening; also what a worker process does."""
    cv2.setNumThreads(1)
    deck, catalog = loaded(task.deck)
    scores: list[RoundScore] = []
    with tempfile.TemporaryDirectory(prefix="companion-accuracy-") as folder:
        evening = Evening(
            deck,
            catalog,
            BY_NAME[task.condition],
            task.seed,
            Path(folder) / "journal.sqlite",
            keep_frames=task.keep is not None,
        )
        try:
            for played in evening.rounds(task.rounds):
                scores.append(played.score)
                if task.keep is not None and played.score.remarks:
                    keep(Path(task.keep), task, played)
        finally:
            evening.close()
        return Done(task, tuple(scores), evening.camera.table.kind, len(evening.seats))


def keep(folder: Path, task: Task, played: Played) -> None:
    """Write a round's frames, what was seen in each, and what was wrong, for study."""
    place = folder / f"{task.condition}-{task.seed}-round-{played.score.number}"
    place.mkdir(parents=True, exist_ok=True)
    for seen in played.seen:
        if seen.frame.jpeg is not None:
            (place / f"{seen.index:02}.jpg").write_bytes(seen.frame.jpeg)
        told = {"scene": seen.scene, "commands": seen.commands, "what": played.truth.frames[seen.index].what}
        (place / f"{seen.index:02}.json").write_bytes(msgspec.json.format(msgspec.json.encode(told, enc_hook=float)))
    about = {"task": task, "score": played.score, "truth": played.truth.placements, "cards": played.truth.cards}
    (place / "round.json").write_bytes(msgspec.json.format(msgspec.json.encode(about)))


class Total(msgspec.Struct, frozen=True):
    """A condition's counts, with all its outcomes."""

    condition: str
    tally: Tally = Tally()
    outcomes: tuple[Outcome, ...] = ()

    def plus(self, done: Done) -> Total:
        """With one more evening."""
        tally = self.tally
        for score in done.scores:
            tally += score.tally
        return Total(self.condition, tally, (*self.outcomes, *(o for s in done.scores for o in s.outcomes)))

    def shares(self) -> dict[str, Share]:
        """The counted shares of all placements."""
        t = self.tally
        return {
            "right": Share(t.right, t.placements),
            "sure": Share(t.sure, t.placements),
            "wrong and sure": Share(t.wrong_and_sure, t.placements),
            "phantom": Share(t.phantom, t.placements),
            "missed and silent": Share(t.missed_and_silent, t.placements),
        }

    def failures(self, level: float = 0.0) -> list[str]:
        """The bars that are not met, in words.

        ``level`` is how sure one must be that a bar is missed: with 0.999, one is only when the whole 99.9 % interval
        lies beyond it, so that a short run does not fail by bad luck.
        """
        bar, shares = BARS[self.condition], self.shares()
        short = [
            f"{self.condition}: {name} {100 * shares[name].value:.2f} % is less than {100 * least:.1f} %"
            for name, least in (("right", bar.right), ("sure", bar.sure))
            if not shares[name].reach(level)[1] >= least
        ]
        short += [
            f"{self.condition}: {name} {shares[name].per_thousand()} is more than {1000 * bar.bad:.0f} in 1,000"
            for name in ("wrong and sure", "phantom", "missed and silent")
            if not shares[name].reach(level)[0] <= bar.bad
        ]
        doubts = self.tally.avoidable / max(self.tally.placements, 1)
        if (
            bar.avoidable is not None
            and Share(self.tally.avoidable, self.tally.placements).reach(level)[0] > bar.avoidable
        ):
            short.append(f"{self.condition}: {doubts:.3f} avoidable doubts a placement, more than {bar.avoidable}")
        return short


HEAD = (
    "| | rounds, placements | right | sure | wrong and sure | phantom | missed and silent "
    "| doubts a placement: avoidable, obliged |"
)


def row(total: Total) -> str:
    """One line of the Markdown table."""
    t, shares = total.tally, total.shares()
    n = max(t.placements, 1)
    cells = [total.condition, f"{t.rounds}, {t.placements}", shares["right"].percent(), shares["sure"].percent()]
    cells += [shares[name].per_thousand() for name in ("wrong and sure", "phantom", "missed and silent")]
    return "| " + " | ".join([*cells, f"{t.avoidable / n:.3f}, {t.obliged / n:.3f}"]) + " |"


def late(total: Total) -> str:
    """How many frames after the last movement placements were told."""
    frames = sorted(o.latency for o in total.outcomes if o.latency is not None)
    if not frames:
        return f"{total.condition}: nothing was told"
    median, most = frames[len(frames) // 2], frames[-1]
    return f"{total.condition}: told {median} frames after the last movement (median), {most} at most"


@click.command()
@click.option("--rounds", default=300, show_default=True, type=click.IntRange(min=1), help="Rounds a condition.")
@click.option("--jobs", default=2, show_default=True, type=click.IntRange(min=1), help="Processes at a time.")
@click.option(
    "--seed-from", "origin", default="fixed", show_default=True, help="What the seeds follow from: the commit."
)
@click.option("--deck", "deck_folder", type=click.Path(path_type=Path), help="Another deck than the practice deck.")
@click.option(
    "--keep", type=click.Path(file_okay=False), help="Folder for the frames of rounds with a failure or doubt."
)
@click.option("--results", type=click.Path(path_type=Path), help="File for all outcomes as JSON lines.")
@click.option("--verbose", is_flag=True, help="Say what was not as it should be.")
@click.option(
    "--level",
    default=0.0,
    show_default=True,
    type=click.FloatRange(0, 1, max_open=True),
    help="Fail only when a bar is missed with so much certainty (for short runs: 0.999).",
)
@click.option("--no-bars", is_flag=True, help="Exit status 0 whatever was measured.")
@click.argument("conditions", nargs=-1, type=click.Choice(CONDITIONS))
def main(
    rounds: int,
    jobs: int,
    origin: str,
    deck_folder: Path | None,
    keep: str | None,
    results: Path | None,
    verbose: bool,
    level: float,
    no_bars: bool,
    conditions: tuple[str, ...],
) -> None:
    """How well whole rounds are read on the simulated table; exit status 1 when a bar is not met."""
    folder = deck_folder if deck_folder is not None else practice_deck.folder()
    try:
        decks.load(folder)
    except DeckError as error:
        raise click.ClickException(str(error)) from error
    totals = []
    for condition in conditions or CONDITIONS:
        total, began = Total(condition), time.perf_counter()
        for done in run(play, tasks(folder, condition, rounds, origin, keep), jobs):
            total = total.plus(done)
            if verbose:
                _tell(done)
            if results is not None:
                with results.open("ab") as file:
                    file.write(msgspec.json.encode(done) + b"\n")
        totals.append(total)
        click.echo(f"{late(total)}; {time.perf_counter() - began:.0f} s", err=True)
    click.echo(f"{HEAD}\n|{' --- |' * 8}")
    for total in totals:
        click.echo(row(total))
    failures = [failure for total in totals for failure in total.failures(level)]
    for failure in failures:
        click.echo(f"FALLS SHORT  {failure}")
    sys.exit(1 if failures and not no_bars else 0)


def _tell(done: Done) -> None:
    for score in done.scores:
        for remark in score.remarks:
            click.echo(
                f"{done.task.condition} {done.task.seed} ({done.table}, {done.players} players) "
                f"round {score.number}: {remark}",
                err=True,
            )


if __name__ == "__main__":
    main()
