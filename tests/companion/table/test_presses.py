"""Button edges on their way through the table: into the journal and through the rules, at once or not at all."""

import sqlite3

import pytest
from slap_game import KIT, Open, Pressed, judged
from tally_game import RULES, Add
from waiting import reached

from companion.core.facts import Undo
from companion.core.journal import Journal, JournalError
from companion.table import EndMatch, GameKit, StartMatch, Table
from companion.table.owner import Owner
from companion.table.table import _Ask
from companion.words import _
from companion.world import Player, Press, Scene

START = StartMatch(game="slap", players=(Player("red", "Ruth"), Player("blue", "Bo")))
EDGES = (Press("red", 5_000, 1), Press("blue", 4_000, 1, "software"), Press("red", 4_500, 0))


@pytest.fixture
def slap(make):
    table = make(slap=KIT, tally=GameKit(RULES))
    assert table.ask(START).accepted
    return table


def put(table, *presses):
    for press in presses:
        table.press(press)
    table.settle()
    return table.snapshot()


def kept(table, tmp_path, match=1):
    table.stop()
    journal = Journal(tmp_path / "journal.sqlite")
    try:
        return journal.presses(match)
    finally:
        journal.close()


def test_every_edge_is_a_fact_at_its_own_time(slap, tmp_path):
    snapshot = put(slap, *EDGES)
    assert snapshot.state.edges == EDGES
    facts = [entry.fact for entry in snapshot.facts[1:]]
    assert [(type(fact), fact.t_ns) for fact in facts] == [(Pressed, press.t_ns) for press in EDGES]
    assert kept(slap, tmp_path) == EDGES


def test_it_is_all_there_after_a_restart(slap, make):
    before = put(slap, *EDGES)
    slap.stop()
    after = make(slap=KIT).snapshot()
    assert (after.state, after.facts) == (before.state, before.facts)


def test_edges_and_what_follows_are_one_transaction(slap):
    statements = []
    slap._owner._journal._db.set_trace_callback(statements.append)
    slap._owner.presses(EDGES, 1)
    words = [statement.split()[0] for statement in statements]
    assert (words.count("BEGIN"), words.count("COMMIT"), words.count("INSERT")) == (1, 1, 3)


@pytest.mark.parametrize("seat", ["nobody", "crash"])
def test_rules_that_fail_lose_no_edge(slap, tmp_path, seat):
    bad = Press(seat, 4_600, 1)
    snapshot = put(slap, EDGES[0], bad, EDGES[1])
    assert snapshot.state.edges == EDGES[:2]
    if seat == "nobody":
        assert [str(note.sentence) for note in snapshot.notes] == ["Nobody sits there."]
    snapshot = put(slap, bad)
    assert (snapshot.trouble is not None) == (seat == "crash")
    assert put(slap, EDGES[2]).trouble is None
    assert kept(slap, tmp_path) == (EDGES[0], bad, EDGES[1], bad, EDGES[2])


def test_without_a_match_or_buttons_edges_are_only_kept(make, slap, tmp_path):
    assert slap.ask(EndMatch()).accepted
    assert put(slap, EDGES[0]).match is None
    assert slap.ask(StartMatch(game="tally", players=START.players)).accepted
    assert len(put(slap, EDGES[1]).facts) == 1
    assert kept(slap, tmp_path, None) == EDGES[:1]
    assert kept(slap, tmp_path, 2) == EDGES[1:2]


def full(*_presses):
    raise sqlite3.OperationalError("database or disk is full")


def broken(*_steps, **_more):
    raise JournalError(_("The journal cannot be written."))


@pytest.mark.parametrize(("what", "fails"), [("_insert_presses", full), ("write", broken)])
def test_edges_wait_for_a_disk_that_cannot_be_written(slap, tmp_path, monkeypatch, what, fails):
    """For a lock or a disk that is full for a moment: nothing is kept without what follows."""
    with monkeypatch.context() as patched:
        patched.setattr(slap._owner._journal, what, fails)
        snapshot = put(slap, *EDGES[:2])
        assert "cannot be written" in str(snapshot.trouble)
        assert snapshot.state.edges == ()
    snapshot = put(slap, EDGES[2])
    assert (snapshot.trouble, snapshot.state.edges) == (None, EDGES)
    assert kept(slap, tmp_path) == EDGES


def test_edges_that_wait_need_no_other_edge(slap, monkeypatch):
    monkeypatch.setattr("companion.table.table.AGAIN_S", 0.01)
    with monkeypatch.context() as patched:
        patched.setattr(slap._owner._journal, "write", broken)
        put(slap, *EDGES)
    reached(lambda: slap.snapshot().state.edges == EDGES)
    assert slap.snapshot().trouble is None


def test_edges_that_still_wait_at_the_end_are_kept_without_what_follows(slap, tmp_path, monkeypatch):
    monkeypatch.setattr(slap._owner._journal, "write", broken)
    assert put(slap, *EDGES).state.edges == ()
    assert kept(slap, tmp_path) == EDGES


def test_a_press_waits_for_no_second_scene_and_no_second_command(tmp_path):
    """What arrives while a command is carried out comes before the next command and before the scene."""
    order = []

    class Watching:
        def start(self):
            return None

        def step(self, memory, scene, state):
            order.append("scene")
            return None, ()

    def pressed(press):
        order.append("press")
        return KIT.press(press)

    kits = {"slap": GameKit(KIT.rules, Watching(), press=pressed)}
    table = Table(tmp_path / "journal.sqlite", kits, tmp_path / "pictures", lambda: 1_000)
    journal = Journal(tmp_path / "journal.sqlite")
    owner = Owner(journal, kits, table._pictures, table._window, boot="", now_ns=1_000)
    assert owner.command(START, None, None, 1_000).accepted
    carry_out = owner._carry_out

    def carrying_out(command, now_ns):
        carry_out(command, now_ns)
        order.append("command")
        if order.count("command") == 1:
            table.press(EDGES[0])

    owner._carry_out = carrying_out
    table.see(Scene(1, 1, (8, 8)))
    for _number in range(2):
        table._asks.put(_Ask(Open(), None, None))
    table._round(owner)
    journal.close()
    assert order == ["command", "press", "command", "scene"]


def test_an_undone_edge_does_not_count(slap):
    slap.ask(Open())
    now = slap.snapshot().facts[-1].fact.t_ns
    snapshot = put(slap, Press("red", now + 10, 1), Press("blue", now + 2_000_000, 1))
    assert [v.winner for v in judged(snapshot.state.opened, snapshot.state.edges)] == ["red"]
    red = next(entry.id for entry in snapshot.facts if getattr(entry.fact, "seat", None) == "red")
    state = slap.ask(Undo(target=red)).snapshot.state
    assert [v.winner for v in judged(state.opened, state.edges)] == ["blue"]


def test_other_games_take_presses_as_before(make, start):
    table = make()
    table.ask(start)
    put(table, *EDGES)
    assert table.ask(Add(seat="red", number=3)).accepted
