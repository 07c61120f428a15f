"""Writes a golden journal of Hook!: ten rounds by tap, with doubts, answers, corrections, undoing and a recount.

    python tests/companion/support/make_golden_hook.py OUT.jsonl

One is kept for each release, and never changed.
"""

import random
import sys
import tempfile
from pathlib import Path

import msgspec

from companion.core.facts import Answer, Correct, MatchStarted, Redo, RuleBroken, Undo
from companion.core.journal import Journal
from companion.core.lines import export
from companion.core.match import Match, begin, play
from companion.games.hook.facts import NextRound, PlaceTile, Recount, RevealCard, TilePlaced
from companion.games.hook.names import SYMBOLS
from companion.games.hook.rules import RULES
from companion.world import Player

SEATS = ("blue-pirate", "yellow-sailor", "red-pirate", "blue-sailor")
ROUNDS = 10


def result(match: Match) -> dict:
    """The score and what is open: what must never change, whatever else a state comes to hold."""
    state = match.state
    return msgspec.json.decode(
        msgspec.json.encode(
            {
                "seats": [[s.seat, s.balls, s.parrots, s.won, s.stack, s.out] for s in state.seats],
                "rounds": [[[t.seat, t.before, t.hits, t.rum, t.after] for t in r.tally] for r in state.rounds],
                "round": state.round,
                "compass": state.compass,
                "over": match.over,
                "winners": state.winners,
                "doubts": [doubt.question.key for doubt in match.doubts],
                "answers": [[doubt.question.key, doubt.answer] for doubt in match.settled],
                "conflicts": [conflict.fact for conflict in match.conflicts],
            }
        )
    )


class Hands:
    """Plays on a journal, with a random mind of its own."""

    def __init__(self, journal: Journal, seed: int) -> None:
        self.rng = random.Random(seed)
        self.journal = journal
        cards = {f"target-{number:03d}": number % 4 for number in range(1, 97)}
        players = tuple(Player(seat, seat) for seat in SEATS)
        started = MatchStarted(game="hook", rules=1, players=players, options={"parrots": cards})
        first = begin(1, RULES, started, step=1, t_ns=1)
        journal.write(first.step)
        self.match = first.match

    def do(self, command) -> None:
        self.match = play(self.journal, self.match, command, t_ns=len(self.match.records) * 1000)

    def round(self, number: int) -> None:
        for index, seat in enumerate(self.match.state.now.begin.playing):
            card = f"target-{number * 4 + index + 1:03d}"
            self.do(RevealCard(card=card))
            symbols = tuple(self.rng.choice([*SYMBOLS, "none", "parrot", "rum"]) for _hole in range(3))
            unsure = (self.rng.randrange(3),) if self.rng.random() < 0.4 else ()
            ranked = tuple(((symbol, 0.6), ("barrel" if symbol != "barrel" else "rum", 0.4)) for symbol in symbols)
            turn = 14.0 if self.rng.random() < 0.1 else 1.0
            self.do(
                PlaceTile(
                    seat=seat,
                    tile=f"sight-{seat}-{1 + number % 3}",
                    card=card,
                    symbols=symbols,
                    unsure=unsure,
                    ranked=ranked,
                    turn_off_deg=turn,
                )
            )
        while self.match.doubts:
            doubt = self.match.doubts[0]
            if doubt.question.kind == "victim":
                value = self.rng.choice(doubt.question.choices).value
            else:
                value = doubt.question.choices[0].value
            self.do(Answer(doubt=doubt.id, value=value))

    def meddle(self) -> None:
        placed = [e for e in self.match.entries if isinstance(e.fact, TilePlaced) and not e.undone]
        entry = self.rng.choice(placed)
        what = self.rng.randrange(3)
        if what == 0:
            self.do(Undo(target=entry.id))
            self.do(Redo(target=entry.id))
        elif what == 1:
            new = msgspec.to_builtins(entry.fact)
            del new["id"], new["t_ns"]
            new["symbols"] = [self.rng.choice(SYMBOLS), *new["symbols"][1:]]
            if tuple(new["symbols"]) != entry.fact.symbols:
                self.do(Correct(target=entry.id, replacement=new))
        else:
            self.do(Recount(balls={self.rng.choice(self.match.state.now.begin.playing): self.rng.randrange(5)}))


def main(out: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        journal = Journal(Path(folder) / "journal.sqlite")
        player = Hands(journal, seed=7)
        for number in range(ROUNDS):
            player.round(number)
            player.meddle()
            if player.match.over:
                break
            try:
                player.do(NextRound())
            except RuleBroken:  # a correction has left something open: it stays so, for the golden journal to keep
                break
        lines = [*export(journal, 1), msgspec.json.encode({"result": result(player.match)})]
        journal.close()
    out.write_bytes(b"\n".join(lines) + b"\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
