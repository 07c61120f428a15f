"""Writes a golden journal: a match of the tiny game with everything that can happen to a fact.

    python tests/companion/support/make_golden.py OUT.jsonl

One is kept for each release, and never changed: what was played by an old program must fold to the same result.
"""

import sys
import tempfile
from pathlib import Path

import msgspec
from played import Played
from tally_game import Add, PassTwice

from companion.core.facts import Answer, Correct, EndMatch, Redo, Undo, UndoStep
from companion.core.lines import export
from companion.core.match import Match


def result(match: Match) -> dict:
    """What a match amounts to, as plain data."""
    return msgspec.json.decode(
        msgspec.json.encode(
            {
                "started": match.started,
                "state": match.state,
                "over": match.over,
                "ended": match.ended,
                "entries": tuple(match.entries),
                "doubts": match.doubts,
                "settled": match.settled,
                "conflicts": match.conflicts,
            }
        )
    )


def play(played: Played) -> None:
    played.do(Add(seat="red", number=3))  # 2
    played.do(Add(seat="blue", number=4, tile="sight-1", unsure=(4, 5)))  # 3
    played.do(PassTwice(seat="red"))  # 4, 5
    played.do(Answer(doubt=1, value="5", by="blue"))  # 6, 7
    played.do(Undo(target=7))  # 8
    played.do(Redo(target=6))  # 9
    played.do(Add(seat="red", number=6, unsure=(6, 9)))  # 10
    played.do(Add(seat="blue", number=2, unsure=(1, 2)))  # 11
    played.do(Correct(target=2, replacement={"seat": "red", "number": 18}))  # 12
    played.do(Answer(doubt=2, value="9"))  # 13, 14: it is over
    played.do(UndoStep(step=4))  # 15, 16
    played.do(Correct(target=2, replacement={"seat": "red", "number": 25}))  # 17: later facts are conflicts
    played.do(EndMatch())  # 18


def main(out: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        played = Played(Path(folder) / "journal.sqlite", limit=25)
        play(played)
        lines = [*export(played.journal, 1), msgspec.json.encode({"result": result(played.match)})]
        played.journal.close()
    out.write_bytes(b"\n".join(lines) + b"\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
