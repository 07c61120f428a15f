"""The table from outside: commands in, snapshots out, the journal between."""

import threading

import pytest
from tally_game import RULES, Add, TallyRules

from companion.core.facts import Answer, Correct, Redo, Undo, UndoStep
from companion.core.journal import Journal, JournalError
from companion.table import About, EndMatch, GameKit, OpenMatch, StartMatch
from companion.world import Player, Press


def test_a_match_is_started_played_and_shown(table, start):
    assert table.snapshot().match is None
    reply = table.ask(start)
    assert reply.accepted and reply.snapshot.match == 1
    reply = table.ask(Add(seat="red", number=3))
    assert reply.accepted
    assert reply.snapshot.state.sums == {"red": 3, "blue": 0}
    assert table.snapshot() is reply.snapshot
    assert [entry.id for entry in reply.snapshot.facts] == [1, 2]


def test_what_was_shown_is_there_after_a_restart(make, start):
    table = make()
    table.ask(start)
    table.ask(Add(seat="red", number=3))
    table.ask(Add(seat="blue", number=2, unsure=(2, 5)))
    before = table.snapshot()
    table.stop()
    after = make().snapshot()
    assert (after.match, after.started, after.state) == (before.match, before.started, before.state)
    assert (after.facts, after.doubts) == (before.facts, before.doubts)
    assert len(after.doubts) == 1
    assert after.boot != before.boot


def test_an_impossible_start_says_why(table, start):
    alone = StartMatch(game="tally", players=start.players[:1])
    assert "Two must play" in str(table.ask(alone).sentence)
    chess = StartMatch(game="chess", players=start.players)
    assert "There is no game chess here. There are: tally." in str(table.ask(chess).sentence)
    assert table.snapshot().match is None and table.matches() == ()


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ("{", "That is not JSON"),
        ("[]", "JSON object"),
        ({"comand": "Add"}, "JSON object"),
        ({"command": "Fly"}, "There is no command Fly here. There are: Add, Answer, Correct,"),
        ({"command": "Add", "seat": "red", "number": "3"}, "Add cannot be understood: Expected `int`, got `str`"),
        ({"command": "Add", "seat": "red"}, "missing required field `number`"),
        ({"command": "Add", "seat": "red", "number": 3, "sneat": 1}, "Add has no field sneat."),
    ],
)
def test_a_faulty_command_is_refused_with_a_sentence(table, start, bad, said):
    table.ask(start)
    reply = table.ask(bad)
    assert not reply.accepted and not reply.stale and said in str(reply.sentence)
    assert len(reply.snapshot.facts) == 1


def test_a_command_as_json_does_not_say_when_it_was(table, start, clock):
    table.ask(start)
    clock.now = 77
    reply = table.ask('{"command": "Add", "seat": "red", "number": 3, "t_ns": 5}')
    assert reply.snapshot.facts[-1].fact.t_ns == 77


def test_a_games_commands_are_unknown_before_it_is_played(table):
    reply = table.ask({"command": "Add", "seat": "red", "number": 3})
    assert "There is no command Add here" in str(reply.sentence)
    assert "No game is on the table" in str(table.ask(Add(seat="red", number=3)).sentence)


def test_a_stale_command_is_refused_with_the_present_state(table, start):
    table.ask(start)
    entry = table.ask(Add(seat="red", number=3)).snapshot.facts[-1]
    about = About("fact", entry.id, entry.version)
    assert table.ask(Correct(target=2, replacement={"seat": "red", "number": 4}), about=about).accepted
    reply = table.ask(Undo(target=2), about=about)
    assert (reply.accepted, reply.stale) == (False, True)
    assert reply.snapshot.state.sums["red"] == 4
    assert table.ask(Undo(target=2), about=About("fact", 99, 1)).stale
    assert table.ask(Undo(target=2), about=About("doubt", 1, 1)).stale
    assert table.ask(Add(seat="red", number=1), match=7).stale
    assert table.ask(Add(seat="red", number=1), match=1).accepted


def test_two_people_answering_at_once_is_one_answer(table, start):
    table.ask(start)
    doubt = table.ask(Add(seat="red", number=2, unsure=(2, 5))).snapshot.doubts[0]
    about = About("doubt", doubt.id, doubt.version)
    replies = []
    people = [
        threading.Thread(target=lambda v=v: replies.append(table.ask(Answer(doubt=doubt.id, value=v), about=about)))
        for v in ("2", "5", "2", "5")
    ]
    for person in people:
        person.start()
    for person in people:
        person.join()
    assert sorted(reply.accepted for reply in replies) == [False, False, False, True]
    assert sum(reply.stale for reply in replies) == 3
    assert len(table.snapshot().facts) == 4
    assert table.ask(Answer(doubt=doubt.id, value="2")).stale  # also for those who do not say what they saw


def test_many_ask_at_once_and_all_are_heard(table, start):
    table.ask(start)
    replies = []
    people = [
        threading.Thread(
            target=lambda: replies.extend(table.ask({"command": "PassTwice", "seat": "red"}) for _ in range(10))
        )
        for _person in range(8)
    ]
    for person in people:
        person.start()
    for person in people:
        person.join()
    assert all(reply.accepted for reply in replies)
    assert table.snapshot().state.passes == 160
    assert len({reply.step for reply in replies}) == 80


def test_ending_and_opening_matches(table, start):
    table.ask(start)
    table.ask(Add(seat="red", number=3))
    assert "still being played" in str(table.ask(start).sentence)
    assert table.ask(EndMatch()).snapshot.match is None
    assert table.ask(EndMatch()).accepted is False
    assert table.ask(start).snapshot.match == 2
    assert "still being played" in str(table.ask(OpenMatch(match=1)).sentence)
    table.ask(EndMatch())
    assert "no match number 9" in str(table.ask(OpenMatch(match=9)).sentence)
    reply = table.ask(OpenMatch(match=1))
    assert reply.accepted and reply.snapshot.state.sums["red"] == 3
    assert table.ask(OpenMatch(match=1)).stale
    assert [(line.id, line.ended) for line in table.matches()] == [(1, False), (2, True)]


def test_a_new_match_puts_one_that_is_over_away(make, start):
    table = make()
    table.ask(start)
    assert table.ask(Add(seat="red", number=20)).snapshot.over
    reply = table.ask(start)
    assert reply.accepted and reply.snapshot.match == 2 and not reply.snapshot.over
    assert [(line.id, line.ended) for line in table.matches()] == [(1, True), (2, False)]
    table.stop()
    table = make()
    assert table.snapshot().match == 2
    table.ask(Add(seat="red", number=20))
    assert table.ask(OpenMatch(match=1)).snapshot.over
    assert [(line.id, line.ended) for line in table.matches()] == [(1, False), (2, True)]


def test_a_match_that_was_ended_is_not_taken_up_again(make, start):
    table = make()
    table.ask(start)
    table.ask(EndMatch())
    table.stop()
    assert make().snapshot().match is None


def test_a_step_is_taken_back_as_a_whole(table, start):
    table.ask(start)
    reply = table.ask({"command": "PassTwice", "seat": "red"})
    assert reply.snapshot.state.passes == 2
    back = table.ask(UndoStep(step=reply.step))
    assert back.snapshot.state.passes == 0
    assert table.ask(UndoStep(step=back.step)).snapshot.state.passes == 2


def test_a_listener_gets_the_newest(table, start):
    with table.subscribe() as listener:
        assert listener.wait(0).match is None
        assert listener.wait(0) is None
        table.ask(start)
        table.ask(Add(seat="red", number=3))
        assert listener.wait(5).state.sums["red"] == 3
        assert listener.wait(0) is None
    assert listener.wait(5) is None


def test_a_listener_is_woken_and_let_go_when_the_table_stops(make, start):
    table = make()
    heard = []
    listener = table.subscribe()
    listener.wait(0)

    def listen():
        while (snapshot := listener.wait()) is not None:
            heard.append(snapshot.version)

    thread = threading.Thread(target=listen)
    thread.start()
    last = table.ask(start).snapshot.version
    table.stop()
    thread.join(10)
    assert not thread.is_alive()
    assert heard == sorted(heard)
    assert not heard or heard[-1] == last


def test_versions_only_grow(table, start):
    versions = [table.snapshot().version]
    versions.append(table.ask(start).snapshot.version)
    versions.append(table.ask(Add(seat="nobody", number=3)).snapshot.version)
    versions.append(table.ask(Add(seat="red", number=3)).snapshot.version)
    versions.append(table.ask(Redo(target=2)).snapshot.version)
    assert versions[0] < versions[1] == versions[2] < versions[3] == versions[4]


def test_one_process_at_a_time(table, tmp_path):
    with pytest.raises(JournalError, match="in use by another"):
        Journal(tmp_path / "journal.sqlite")


def test_a_table_that_does_not_run_says_so(make, start):
    table = make()
    table.stop()
    reply = table.ask(start)
    assert not reply.accepted and "not running" in str(reply.sentence)
    table.settle()


def test_presses_are_never_dropped(make, start, tmp_path):
    table = make()
    table.ask(start)
    presses = [Press(("red", "blue")[n % 2], n, n % 2) for n in range(500)]
    for press in presses:
        table.press(press)
    table.stop()
    journal = Journal(tmp_path / "journal.sqlite")
    assert journal.presses(1) == tuple(presses)
    journal.close()


def test_a_match_by_older_rules_folds_with_them_or_says_that_it_cannot(make, start):
    table = make()
    table.ask(start)
    table.ask(Add(seat="red", number=3))
    table.stop()

    class Doubling(TallyRules):
        version = 2

        def _count(self, state, fact, number):
            return super()._count(state, fact, 2 * number)

    table = make(tally=GameKit(Doubling(), older=(RULES,)))
    assert table.snapshot().state.sums["red"] == 3
    table.ask(Add(seat="blue", number=3))
    assert table.snapshot().state.sums["blue"] == 3
    table.stop()

    table = make(tally=GameKit(Doubling()))
    snapshot = table.snapshot()
    assert snapshot.match is None
    assert "version 1 of the rules of tally, and this program has version 2" in str(snapshot.notices[0])
    assert "It is kept" in str(table.ask(OpenMatch(match=1)).sentence)
    assert table.ask(StartMatch(game="tally", players=(Player("a", ""), Player("b", "")))).accepted
    assert table.ask(Add(seat="a", number=3)).snapshot.state.sums["a"] == 6
    table.stop()

    table = make(other=GameKit(RULES))
    assert "There is no game tally here" in str(table.snapshot().notices[0])


def test_a_damaged_journal_is_told_of_and_play_begins_anew(make, start, tmp_path):
    table = make()
    table.ask(start)
    table.stop()
    path = tmp_path / "journal.sqlite"
    path.write_bytes(bytes(100) + path.read_bytes()[100:])
    table = make()
    assert "was damaged. It was set aside as" in str(table.snapshot().notices[0])
    assert table.ask(start).accepted


def test_whether_the_table_still_works_is_known(table, monkeypatch):
    def broken(*_):
        raise RuntimeError("a bug")

    assert table.settle()
    monkeypatch.setattr(table._owner, "publish", broken)
    monkeypatch.setattr(threading, "excepthook", lambda _: None)
    table.notice("x", None)
    assert not table.settle()
