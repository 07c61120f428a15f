"""The table from outside: commands in, snapshots out, the journal between."""

import pytest
from tally_game import RULES, Add, TallyWatcher

from companion.core.facts import Answer, Correct, Redo, Undo, UndoStep
from companion.core.journal import Journal, JournalError
from companion.table import About, EndMatch, GameKit, OpenMatch, StartMatch, Table
from companion.world import Player, Scene, Sighting

PLAYERS = (Player("red", "Ruth"), Player("blue", "Bo"))
START = StartMatch(game="tally", players=PLAYERS, options={"limit": 20})


class Clock:
    def __init__(self):
        self.now = 1_000

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def make(tmp_path, clock):
    tables = []

    def make():
        kits = {"tally": GameKit(RULES, TallyWatcher())}
        table = Table(tmp_path / "journal.sqlite", kits, tmp_path / "pictures", clock)
        table.start()
        tables.append(table)
        return table

    yield make
    for table in tables:
        table.stop()


@pytest.fixture
def table(make):
    return make()


def scene(*ids, sequence=1, **fields):
    sightings = tuple(Sighting(id, "tile", ((10, 10), (60, 10), (60, 60), (10, 60)), 0.9, True) for id in ids)
    return Scene(t_ns=sequence * 100, sequence=sequence, size=(320, 240), sightings=sightings, **fields)


def test_a_match_is_started_played_and_shown(table):
    assert table.snapshot().match is None
    reply = table.ask(START)
    assert reply.accepted and reply.snapshot.match == 1
    reply = table.ask(Add(seat="red", number=3))
    assert reply.accepted
    assert reply.snapshot.state.sums == {"red": 3, "blue": 0}
    assert table.snapshot() is reply.snapshot
    assert [entry.id for entry in reply.snapshot.facts] == [1, 2]


def test_what_was_shown_is_there_after_a_restart(make):
    table = make()
    table.ask(START)
    table.ask(Add(seat="red", number=3))
    table.ask(Add(seat="blue", number=2, unsure=(2, 5)))
    before = table.snapshot()
    table.stop()
    after = make().snapshot()
    assert (after.state, after.facts, after.doubts) == (before.state, before.facts, before.doubts)
    assert len(after.doubts) == 1


def test_commands_as_json_and_their_faults(table):
    table.ask(
        {"command": "StartMatch", "game": "tally", "players": [{"seat": "red", "name": ""}, {"seat": "b", "name": ""}]}
    )
    assert table.ask('{"command": "Add", "seat": "red", "number": 3}').accepted
    for bad, said in [
        ("{", "not JSON"),
        ("[]", "JSON object"),
        ({"command": "Fly"}, "no command Fly"),
        ({"command": "Add", "seat": "red", "number": "3"}, "Expected `int`"),
        ({"command": "Add", "seat": "red", "number": 3, "sneat": 1}, "no field sneat"),
    ]:
        reply = table.ask(bad)
        assert not reply.accepted and said in str(reply.sentence)


def test_a_stale_command_is_refused_with_the_present_state(table):
    table.ask(START)
    entry = table.ask(Add(seat="red", number=3)).snapshot.facts[-1]
    about = About("fact", entry.id, entry.version)
    assert table.ask(Correct(target=2, replacement={"seat": "red", "number": 4}), about=about).accepted
    reply = table.ask(Undo(target=2), about=about)
    assert (reply.accepted, reply.stale) == (False, True)
    assert reply.snapshot.state.sums["red"] == 4
    assert table.ask(Add(seat="red", number=1), match=7).stale


def test_scenes_become_facts_and_doubts(table):
    table.ask(START)
    table.see(scene("red-3"))
    table.settle()
    table.see(scene("red-3", "blue-4?", sequence=2))
    table.settle()
    snapshot = table.snapshot()
    assert snapshot.state.sums == {"red": 3, "blue": 0}
    (doubt,) = snapshot.doubts
    reply = table.ask(Answer(doubt=doubt.id, value="5"), about=About("doubt", doubt.id, doubt.version))
    assert reply.accepted and reply.snapshot.state.sums["blue"] == 5 and reply.snapshot.doubts == ()
    assert reply.snapshot.settled[0].answer == "5"
    again = table.ask(Answer(doubt=doubt.id, value="4"))
    assert (again.accepted, again.stale) == (False, True)
    undone = table.ask(Undo(target=reply.snapshot.facts[-1].id))
    assert [d.id for d in undone.snapshot.doubts] == [doubt.id]
    assert undone.snapshot.state.sums["blue"] == 0
    redone = table.ask(Redo(target=reply.snapshot.facts[-1].id))
    assert redone.snapshot.state == reply.snapshot.state and redone.snapshot.doubts == ()


def test_ending_and_opening_matches(table):
    table.ask(START)
    table.ask(Add(seat="red", number=3))
    assert "still being played" in str(table.ask(START).sentence)
    assert table.ask(EndMatch()).snapshot.match is None
    assert "Start one first" in str(table.ask(Add(seat="red", number=3)).sentence)
    assert table.ask(START).snapshot.match == 2
    table.ask(EndMatch())
    reply = table.ask(OpenMatch(match=1))
    assert reply.accepted and reply.snapshot.state.sums["red"] == 3
    assert [(line.id, line.ended) for line in table.matches()] == [(1, False), (2, True)]


def test_a_step_is_taken_back_as_a_whole(table):
    table.ask(START)
    reply = table.ask({"command": "PassTwice", "seat": "red"})
    assert reply.snapshot.state.passes == 2
    back = table.ask(UndoStep(step=reply.step))
    assert back.snapshot.state.passes == 0
    assert table.ask(UndoStep(step=back.step)).snapshot.state.passes == 2


def test_a_listener_gets_the_newest(table):
    with table.subscribe() as listener:
        assert listener.wait(0).match is None
        assert listener.wait(0) is None
        table.ask(START)
        table.ask(Add(seat="red", number=3))
        assert listener.wait(5).state.sums["red"] == 3
        assert listener.wait(0) is None


def test_one_process_at_a_time(table, tmp_path):
    with pytest.raises(JournalError, match="in use by another"):
        Journal(tmp_path / "journal.sqlite")
