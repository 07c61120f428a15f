"""``make lake-accuracy``: the Lake of Hooked! through the simulated camera, card by card, with confidence intervals.

    python -m companion.app.hooked_accuracy --rounds 1000 --seed-from COMMIT easy evening harsh

A condition's ``--rounds`` natural flips, and half as many forced twins (a card laid 2 to 6 mm, or 1 to 4 degrees, off
the card that looks exactly like it) and nudges (pile pushed, palm slapped on it, card straightened; nothing flipped).

right               the card told is the true one.
wrong and sure      another card is told, or one more than there was, and nobody is asked: of a flip, or while the Lake
                    is taken. The same for forced twins is told apart.
noticed             a forced twin is told as a flip of its card (asked about or not).
claimed             a nudge is told as a new card, and nobody is asked.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random

import click
import cv2
import msgspec

from companion.app.evenings import CONDITIONS, loaded, run, seed_of
from companion.app.intervals import Share
from companion.app.kept_evenings import KeptEvenings
from companion.app.lake_evening import Act, LakeEvening, Sort
from companion.games.hooked import practice_deck
from companion.games.hooked.facts import Flip
from hardware.simulated.conditions import BY_NAME

FLIPS, TWINS, NUDGES = 10, 8, 7
"""Acts of an evening. Where a twin or a nudge is impossible (nobody has the card's like, the Lake is empty) a card is
flipped."""
FLIPPED = 12
"""So many flips, and half as many twins and nudges, an evening has at least on average."""
STEP_NS = 66_666_667


class Bar(msgspec.Struct, frozen=True):
    """What a condition has to reach. ``bad`` (wrong and sure) and ``claimed`` are shares that may not be passed."""

    right: float
    bad: float
    noticed: float
    claimed: float = 0.004


BARS = {"easy": Bar(0.995, 0.001, 0.99), "evening": Bar(0.98, 0.003, 0.97), "harsh": Bar(0.92, 0.010, 0.90)}


class Outcome(msgspec.Struct, frozen=True):
    """One act and what was told of it. ``late`` frames after the truth it is said to have been seen."""

    act: Act
    told: tuple[Flip, ...]

    @property
    def first(self) -> Flip | None:
        """The flip told of the true card, else the first one told."""
        return next((flip for flip in self.told if flip.card == self.act.card), self.told[0] if self.told else None)

    @property
    def right(self) -> bool:
        """The true card was told."""
        return self.first is not None and self.first.card == self.act.card

    @property
    def extra(self) -> int:
        """Flips told, nobody asked, that never were."""
        return sum(flip.card_sure for flip in self.told if flip is not self.first or not self.right)

    @property
    def asked(self) -> bool:
        """Something is asked about the card."""
        return any(not flip.card_sure for flip in self.told)

    @property
    def late(self) -> float | None:
        """Frames between the moment in which it could be seen and the one told."""
        return (self.first.seen_ns - self.act.seen_ns) / STEP_NS if self.right and self.first is not None else None


class Task(msgspec.Struct, frozen=True):
    """One evening to be watched."""

    deck: str
    condition: str
    seed: int
    stride: int = 1
    keep: str | None = None


class Done(msgspec.Struct, frozen=True):
    """An evening watched."""

    task: Task
    outcomes: tuple[Outcome, ...]
    table: str


def play(task: Task) -> Done:
    """Watch one evening; also what a worker process does."""
    cv2.setNumThreads(1)
    deck, catalog = loaded(task.deck)
    evening = LakeEvening(deck, catalog, BY_NAME[task.condition], task.seed, stride=task.stride)
    counts: tuple[tuple[Sort, int], ...] = (("flip", FLIPS), ("twin", TWINS), ("nudge", NUDGES))
    sorts = [sort for sort, count in counts for _ in range(count)]
    Random(task.seed).shuffle(sorts)
    acts, told = [], 0
    for act in evening.play(sorts):
        acts.append(act)
        if task.keep is not None and _odd(act, evening.told[told:]):
            _keep(Path(task.keep), task, len(acts), evening)
        told = len(evening.told)
    return Done(task, matched(acts, evening.told), evening.camera.table.kind)


def matched(acts: Sequence[Act], told: Sequence[Flip]) -> tuple[Outcome, ...]:
    """What was told of each act: the flips seen since it began and before the next one did. A card that palms hid from
    the moment it landed may be seen later only: it is that act's in which it was not seen yet. One that was missed and
    is told while the Lake is nudged is nobody's: it stays missed, but it had come."""
    ends = [act.start_ns for act in acts[1:]] + [1 << 62]
    mine: list[list[Flip]] = [[] for _ in acts]
    for flip in told:
        within = [k for k, act in enumerate(acts) if act.start_ns <= flip.seen_ns and flip.before_ns < ends[k]]
        same = [k for k in within if acts[k].card == flip.card and not mine[k]]
        if not same and within and acts[within[-1]].sort == "nudge" and _missed(acts, mine, within[-1], flip.card):
            continue
        if within:
            mine[same[0] if same else within[-1]].append(flip)
    return tuple(Outcome(act, tuple(flips)) for act, flips in zip(acts, mine, strict=True))


def _missed(acts: Sequence[Act], mine: Sequence[Sequence[Flip]], nudge: int, card: str) -> bool:
    """Whether this is the card last flipped before a nudge, and nothing has been told of it."""
    last = max((k for k in range(nudge) if acts[k].card), default=None)
    return last is not None and acts[last].card == card and not mine[last]


def _odd(act: Act, told: Sequence[Flip]) -> bool:
    if not act.card:
        return bool(told)
    return len(told) != 1 or told[0].card != act.card or not told[0].card_sure


def _keep(folder: Path, task: Task, number: int, evening: LakeEvening) -> None:
    """Write an act's frames and Scenes, for study."""
    place = folder / f"{task.condition}-{task.seed}-{number:02}"
    place.mkdir(parents=True, exist_ok=True)
    for index, seen in enumerate(evening.seen):
        if seen.frame.jpeg is not None:
            (place / f"{index:02}.jpg").write_bytes(seen.frame.jpeg)
        (place / f"{index:02}.json").write_bytes(msgspec.json.format(msgspec.json.encode(seen.scene, enc_hook=float)))


def tasks(deck: Path, condition: str, rounds: int, origin: str, stride: int, keep: str | None) -> list[Task]:
    """Evenings with so many flips together, on average."""
    count = -(-rounds // FLIPPED)
    return [Task(str(deck), condition, seed_of(f"lake {origin}", condition, k), stride, keep) for k in range(count)]


class Total(msgspec.Struct, frozen=True):
    """A condition's outcomes."""

    condition: str
    outcomes: tuple[Outcome, ...] = ()

    def of(self, *sorts: Sort) -> list[Outcome]:
        """The outcomes of some sorts of acts."""
        return [outcome for outcome in self.outcomes if outcome.act.sort in sorts]

    def shares(self) -> dict[str, Share]:
        """All that is counted."""
        flips, twins, nudges, taken = self.of("flip"), self.of("twin"), self.of("nudge"), self.of("take")
        named = [o for o in (*flips, *twins) if o.right and o.first is not None]
        return {
            "right": Share(sum(o.right for o in flips), len(flips)),
            "wrong and sure": Share(sum(o.extra > 0 for o in (*flips, *taken)), len(flips)),
            "asked": Share(sum(o.asked for o in flips), len(flips)),
            "noticed": Share(sum(o.right for o in twins), len(twins)),
            "twins wrong": Share(sum(o.extra > 0 for o in twins), len(twins)),
            "twins asked": Share(sum(o.asked for o in twins), len(twins)),
            "claimed": Share(sum(o.extra > 0 for o in nudges), len(nudges)),
            "nudges asked": Share(sum(o.asked for o in nudges), len(nudges)),
            "seat": Share(sum(o.first is not None and o.first.seat == o.act.seat for o in named), len(named)),
            "in time": Share(sum(abs(o.late or 0.0) <= 1.5 for o in named), len(named)),
        }

    def failures(self, level: float = 0.0) -> list[str]:
        """The bars that are not met, in words. ``level`` is how sure one must be of that (for short runs)."""
        bar, shares = BARS[self.condition], self.shares()
        found = []
        for name, least in (("right", bar.right), ("noticed", bar.noticed)):
            if shares[name].n and shares[name].reach(level)[1] < least:
                found.append(f"{self.condition}: {name} {shares[name].percent()} is less than {100 * least:.1f} %")
        for name, most in (("wrong and sure", bar.bad), ("claimed", bar.claimed)):
            if shares[name].n and shares[name].reach(level)[0] > most:
                found.append(
                    f"{self.condition}: {name} {shares[name].per_thousand()} is more than {1000 * most:.0f} in 1,000"
                )
        return found


HEAD = (
    "| | flips, twins, nudges | right | wrong and sure | asked | twins noticed | twins wrong and sure | twins asked "
    "| nudges claimed | nudges asked | seat right | seen within 1 frame |"
)


def row(total: Total) -> str:
    """One line of the Markdown table."""
    shares = total.shares()
    cells = [total.condition, f"{shares['right'].n}, {shares['noticed'].n}, {shares['claimed'].n}"]
    cells += [shares["right"].percent(), shares["wrong and sure"].per_thousand(), shares["asked"].percent()]
    cells += [shares["noticed"].percent(), shares["twins wrong"].per_thousand(), shares["twins asked"].percent()]
    cells += [shares["claimed"].per_thousand()]
    cells += [shares[name].percent() for name in ("nudges asked", "seat", "in time")]
    return f"| {' | '.join(cells)} |"


@click.command()
@click.option("--rounds", default=1000, show_default=True, type=click.IntRange(min=1), help="Flips a condition.")
@click.option("--jobs", default=2, show_default=True, type=click.IntRange(min=1), help="Processes at a time.")
@click.option("--seed-from", "origin", default="fixed", show_default=True, help="What the seeds follow from.")
@click.option("--deck", "deck_folder", type=click.Path(path_type=Path), help="Another deck than the practice deck.")
@click.option("--keep", type=click.Path(file_okay=False), help="Folder for the frames of acts that were not read well.")
@click.option(
    "--results",
    type=click.Path(path_type=Path, dir_okay=False),
    help="File for what was counted, evening by evening; a run that was cut short goes on with it.",
)
@click.option("--stride", default=1, show_default=True, type=click.IntRange(1, 4), help="Only every so many frames.")
@click.option("--verbose", is_flag=True, help="Say what was not as it should be.")
@click.option("--level", default=0.0, type=click.FloatRange(0, 1, max_open=True), help="Certainty of a missed bar.")
@click.option("--no-bars", is_flag=True, help="Exit status 0 whatever was measured.")
@click.argument("conditions", nargs=-1, type=click.Choice(CONDITIONS))
def main(
    rounds: int,
    jobs: int,
    origin: str,
    deck_folder: Path | None,
    keep: str | None,
    results: Path | None,
    stride: int,
    verbose: bool,
    level: float,
    no_bars: bool,
    conditions: tuple[str, ...],
) -> None:
    """How well the Lake is read on the simulated table; exit status 1 when a bar is not met."""
    folder = deck_folder if deck_folder is not None else practice_deck.folder()
    totals = []
    kept = KeptEvenings(results, Done, lambda done: done.task)
    for condition in conditions or CONDITIONS:
        total, began = Total(condition), time.perf_counter()
        todo = tasks(folder, condition, rounds, origin, stride, keep)
        for done in kept.all_of(todo, lambda left: run(play, left, jobs)):
            total = Total(condition, (*total.outcomes, *done.outcomes))
            if verbose:
                _tell(done)
        totals.append(total)
        click.echo(f"{condition}: {time.perf_counter() - began:.0f} s", err=True)
    click.echo(f"{HEAD}\n|{' --- |' * 12}")
    for total in totals:
        click.echo(row(total))
    failures = [failure for total in totals for failure in total.failures(level)]
    for failure in failures:
        click.echo(f"FALLS SHORT  {failure}")
    sys.exit(1 if failures and not no_bars else 0)


def _tell(done: Done) -> None:
    for number, outcome in enumerate(done.outcomes, 1):
        act = outcome.act
        good = outcome.right and len(outcome.told) == 1 and not outcome.asked if act.card else not outcome.told
        if not good:
            told = ", ".join(f"{f.card}{'' if f.card_sure else '?'} ({f.seat})" for f in outcome.told) or "nothing"
            click.echo(
                f"{done.task.condition} {done.task.seed} {number:02} ({done.table}): {act.sort} {act.how} {act.card} "
                f"of {act.seat}, {act.moved_mm:.1f} mm {act.moved_deg:.1f} deg: told {told}",
                err=True,
            )


if __name__ == "__main__":
    main()
