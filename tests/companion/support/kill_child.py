"""Plays the tiny game on a real table as fast as it can, and prints what it has been shown, one line a reply.

    python kill_child.py FOLDER SEED

Each line is JSON: the facts that are new in this reply, all doubts, the answers. It ends only when it is killed.
"""

import random
import sys
from pathlib import Path

import msgspec
from tally_game import RULES, Add, PassTwice, TallyWatcher

from companion.core.facts import Answer, Answered, Correct, Redo, Undo
from companion.table import GameKit, StartMatch, Table
from companion.world import Player, Scene, Sighting


def command(snapshot, rng):
    added = [entry for entry in snapshot.facts if type(entry.fact).__name__ == "Added"]
    what = rng.random()
    if snapshot.match is None:
        players = (Player("red", "Ruth"), Player("blue", "Bo"))
        return StartMatch(game="tally", players=players, options={"limit": 10**9})
    if what < 0.25 and snapshot.doubts:
        doubt = rng.choice(snapshot.doubts)
        return Answer(doubt=doubt.id, value=rng.choice(doubt.question.choices).value)
    if what < 0.35 and added:
        return Undo(target=rng.choice(added).id)
    if what < 0.4 and any(entry.undone for entry in added):
        return Redo(target=rng.choice([entry.id for entry in added if entry.undone]))
    if what < 0.5 and added:
        return Correct(target=rng.choice(added).id, replacement={"seat": "red", "number": rng.randrange(9)})
    if what < 0.6:
        return PassTwice(seat="red")
    number = rng.randrange(9)
    seat = rng.choice(["red", "blue"])
    return Add(seat=seat, number=number, unsure=(number, number + 1) if rng.random() < 0.4 else ())


def main(folder: Path, seed: int) -> None:
    rng = random.Random(seed)
    table = Table(folder / "journal.sqlite", {"tally": GameKit(RULES, TallyWatcher())}, folder / "pictures")
    table.start()
    shown = len(table.snapshot().facts)
    sequence = 0
    while True:
        if rng.random() < 0.2:
            sequence += 1
            piece = Sighting(f"blue-{rng.randrange(9)}-{seed}-{sequence}", "tile", ((0, 0),) * 4, 0.9, True)
            table.see(Scene(t_ns=sequence, sequence=sequence, size=(8, 8), sightings=(piece,)))
            table.settle()
            snapshot = table.snapshot()
        else:
            snapshot = table.ask(command(table.snapshot(), rng)).snapshot
        line = {
            "facts": [entry.original or entry.fact for entry in snapshot.facts[shown:]],
            "doubts": [[d.id, d.version, d.closed] for d in (*snapshot.doubts, *snapshot.settled)],
            "answers": [e.fact.doubt for e in snapshot.facts if isinstance(e.fact, Answered) and not e.undone],
            "sums": getattr(snapshot.state, "sums", {}),
        }
        shown = len(snapshot.facts)
        sys.stdout.buffer.write(msgspec.json.encode(line) + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
