"""Hook! on the table: doubts, answers, corrections of earlier rounds, a recount, undo; the same after a restart."""

import msgspec
import pytest

from companion.core.facts import Answer, Correct, Redo, Undo
from companion.games.hook.facts import NextRound, PlaceTile, Recount, RevealCard
from companion.games.hook.rules import RULES
from companion.table import About, GameKit, StartMatch
from companion.world import Player

SEATS = ("blue-pirate", "yellow-sailor", "red-pirate")
CARDS = {f"target-{number:03d}": number % 4 for number in range(1, 97)}


@pytest.fixture
def hook(make):
    table = make(hook=GameKit(RULES))
    players = tuple(Player(seat, seat.title()) for seat in SEATS)
    assert table.ask(StartMatch(game="hook", players=players, options={"parrots": CARDS})).accepted
    return table


def ask(table, command, **about):
    reply = table.ask(command, **about)
    assert reply.accepted, str(reply.sentence)
    return reply.snapshot


def play_round(table, number, *sights, unsure=()):
    """Every seat places a tile of its own; returns the snapshot."""
    for index, (seat, symbols) in enumerate(zip(SEATS, sights, strict=True)):
        card = f"target-{number * 3 + index:03d}"
        ask(table, RevealCard(card=card))
        holes = unsure if index == 0 else ()
        ranked = (((symbols[holes[0]], 0.6), ("barrel", 0.4)),) * 3 if holes else ()
        snapshot = ask(
            table, PlaceTile(seat=seat, tile=f"sight-{seat}-1", card=card, symbols=symbols, unsure=holes, ranked=ranked)
        )
    return snapshot


def score(snapshot):
    """Balls of each seat."""
    return {seat: snapshot.state.seat(seat).balls for seat in SEATS}


def test_a_match_of_hook_from_doubt_to_recount(hook, make):
    first = play_round(
        hook, 1, ("rum", "bird-cage", "none"), ("red-pirate", "parrot", "none"), ("bomb", "none", "none"), unsure=(1,)
    )
    (doubt,) = first.doubts
    assert doubt.question.kind == "symbol" and doubt.question.about["hole"] == 1
    answered = ask(hook, Answer(doubt=doubt.id, value="barrel"), about=About("doubt", doubt.id, doubt.version))
    assert answered.doubts == ()
    after_first = score(answered)
    assert after_first["red-pirate"] == 2 and after_first["blue-pirate"] == 0 and after_first["yellow-sailor"] == 1

    ask(hook, NextRound())
    second = play_round(hook, 2, ("none",) * 3, ("blue-pirate", "blue-pirate", "none"), ("none",) * 3)
    assert score(second) == {"blue-pirate": 2, "yellow-sailor": 1, "red-pirate": 2}

    # The red pirate of round 1 was a blue one: the correction reaches both rounds.
    tile = next(e for e in second.facts if getattr(e.fact, "tile", None) == "sight-yellow-sailor-1")
    body = msgspec.to_builtins(tile.fact) | {"symbols": ["blue-pirate", "parrot", "none"]}
    corrected = ask(
        hook,
        Correct(target=tile.id, replacement={k: v for k, v in body.items() if k not in ("id", "t_ns")}),
        about=About("fact", tile.id, tile.version),
    )
    assert score(corrected)["red-pirate"] == 1
    assert score(ask(hook, Undo(target=corrected.facts[-1].id))) == score(second)

    # The answer is taken back and given again: the same doubt, now of an earlier round.
    answer = next(e for e in answered.facts if e.fact.__class__.__name__ == "Answered")
    asked_again = ask(hook, Undo(target=answer.id))
    assert [d.id for d in asked_again.doubts] == [doubt.id]
    assert score(ask(hook, Redo(target=answer.id))) == score(second)

    recounted = ask(hook, Recount(balls={"red-pirate": 7}))
    assert score(recounted)["red-pirate"] == 7
    undone = ask(hook, Undo(target=recounted.facts[-1].id))
    assert score(undone) == score(second)

    hook.stop()
    again = make(hook=GameKit(RULES)).snapshot()
    assert (again.state, again.facts, again.doubts) == (undone.state, undone.facts, undone.doubts)
