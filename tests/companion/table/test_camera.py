"""What the camera says becomes facts and doubts with pictures; whatever goes wrong, the table goes on."""

import cv2
import numpy as np
import pytest
from tally_game import RULES, Add

from companion.core.facts import Answer, Redo, Undo
from companion.table import About, GameKit
from companion.table.cut import MARGIN, SIDE, cut
from companion.words import _
from companion.world import Hand, Scene, Sighting

HALF_A_SECOND = 500_000_000


def frame(gray=128):
    done, data = cv2.imencode(".jpg", np.full((240, 320, 3), gray, np.uint8))
    assert done
    return data.tobytes()


def test_scenes_become_facts_and_doubts(table, start, see):
    table.ask(start)
    see("red-3")
    snapshot = see("red-3", "blue-4?")
    assert snapshot.state.sums == {"red": 3, "blue": 0}
    assert [entry.fact.t_ns for entry in snapshot.facts[1:]] == [100, 200]
    (doubt,) = snapshot.doubts
    answer = Answer(doubt=doubt.id, value="5")
    reply = table.ask(answer, about=About("doubt", doubt.id, doubt.version))
    assert reply.accepted and reply.snapshot.state.sums["blue"] == 5 and reply.snapshot.doubts == ()
    assert reply.snapshot.settled[0].answer == "5"
    undone = table.ask(Undo(target=reply.snapshot.facts[-1].id))
    assert [d.id for d in undone.snapshot.doubts] == [doubt.id]
    redone = table.ask(Redo(target=reply.snapshot.facts[-1].id))
    assert redone.snapshot.state == reply.snapshot.state and redone.snapshot.doubts == ()


def test_what_the_rules_forbid_is_a_note(table, start, see):
    table.ask(start)
    see("red-1", "red-2", "red-3")
    snapshot = see("green-1")
    assert snapshot.state.sums["red"] == 3
    assert [str(note.sentence) for note in snapshot.notes] == [
        "Not three times in a row, red.",
        "There is no seat green.",
    ]
    assert snapshot.trouble is None
    assert len(snapshot.facts) == 3


def test_the_same_note_again_and_again_is_one_note(table, start, see):
    table.ask(start)
    first = see("green-1")
    for number in range(2, 6):
        again = see(f"green-{number}")
    assert again.version == first.version  # nothing new to show
    reply = table.ask(Add(seat="red", number=1))
    assert [(str(note.sentence), note.count) for note in reply.snapshot.notes] == [("There is no seat green.", 5)]


@pytest.mark.parametrize("piece", ["bug", "crash"], ids=["in the watcher", "in the rules"])
def test_a_bug_does_not_stop_the_table(table, start, see, caplog, piece):
    table.ask(start)
    see("red-3")
    snapshot = see("red-3", piece)
    assert "reading failed; play can go on by hand" in str(snapshot.trouble)
    assert len(caplog.records) == 1 and "a bug in" in caplog.text
    see("red-3", piece)
    assert len(caplog.records) == 1  # not with every frame
    assert table.ask(Add(seat="blue", number=2)).snapshot.state.sums["blue"] == 2
    snapshot = see("blue-4")
    assert snapshot.trouble is None
    assert snapshot.state.sums["blue"] == 6


@pytest.mark.parametrize("where", ["decide", "apply", "questions", "conflicts"])
def test_a_bug_in_the_rules_is_told_and_changes_nothing(table, start, caplog, where):
    before = table.ask(start).snapshot
    reply = table.ask({"command": "Crash", "where": where})
    assert not reply.accepted and "Something went wrong" in str(reply.sentence)
    assert reply.snapshot is before and "a bug in" in caplog.text
    assert table.ask(Add(seat="red", number=2)).accepted


def test_what_could_not_be_written_is_seen_again(table, start, see):
    table.ask(start)
    database = table._owner._journal._db
    database.execute("PRAGMA max_page_count = 1")  # SQLite's own way to run out of room
    long = "red-3-" + "x" * 100_000
    snapshot = see(long)
    assert "The disk is full" in str(snapshot.trouble) and len(snapshot.facts) == 1
    reply = table.ask(Add(seat="blue", number=1, tile=long))
    assert not reply.accepted and "The disk is full" in str(reply.sentence)
    database.execute("PRAGMA max_page_count = 100000")
    snapshot = see(long)
    assert snapshot.trouble is None and snapshot.state.sums == {"red": 3, "blue": 0}


def test_after_a_restart_the_watcher_compares_the_table_with_the_state(make, start, clock):
    table = make()
    table.ask(start)
    piece = Sighting("red-3", "tile", ((0, 0), (9, 0), (9, 9), (0, 9)), 0.9, True)
    scene = Scene(100, 1, (320, 240), (piece,))
    memories = []

    class Comparing:
        def start(self):
            memories.append("fresh")
            return 0

        def step(self, memory, scene, state):
            new = [s for s in scene.sightings if s.id == "red-3" and state.sums["red"] == 0]
            return memory + 1, tuple(Add(seat="red", number=3) for _piece in new)

    table.stop()
    for _restart in range(3):
        table = make(tally=GameKit(RULES, Comparing()))
        table.see(scene)
        table.settle()
        assert table.snapshot().state.sums["red"] == 3
        assert len(table.snapshot().facts) == 2
        table.stop()
    assert memories == ["fresh"] * 3


def test_a_doubts_picture_is_cut_from_the_frame_and_kept(make, table, start, see):
    table.ask(start)
    fetched = []

    def jpeg():
        fetched.append(1)
        return frame()

    doubt = see("blue-4?", jpeg=jpeg).doubts[0]
    assert len(fetched) == 1  # once, for the doubt and for the page
    picture = cv2.imdecode(np.frombuffer(table.picture(doubt.picture), np.uint8), cv2.IMREAD_COLOR)
    assert picture.shape == (round(SIDE * (1 + 2 * MARGIN)),) * 2 + (3,)
    table.stop()
    again = make()
    assert again.snapshot().doubts[0].picture == doubt.picture
    assert again.picture(doubt.picture) is not None


@pytest.mark.parametrize("jpeg", [None, b"no picture", lambda: None, lambda: 1 / 0])
def test_a_doubt_without_a_frame_is_asked_without_a_picture(table, start, see, jpeg):
    table.ask(start)
    doubt = see("blue-4?", jpeg=jpeg).doubts[0]
    assert doubt.picture is None


def test_the_cut_is_upright_whatever_way_the_piece_lies():
    image = np.full((400, 400, 3), 90, np.uint8)
    corners = np.float32([(250, 100), (300, 250), (150, 300), (100, 150)])  # its top is towards the right
    along, down = corners[1] - corners[0], corners[3] - corners[0]
    colours = {(0.2, 0.2): (0, 0, 255), (0.8, 0.2): (0, 255, 0), (0.8, 0.8): (255, 0, 0), (0.2, 0.8): (255, 255, 255)}
    for (x, y), colour in colours.items():
        centre = corners[0] + x * along + y * down
        cv2.circle(image, tuple(int(v) for v in centre), 16, colour, -1)
    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 95])
    assert done
    upright = cv2.imdecode(np.frombuffer(cut(data.tobytes(), corners.tolist()), np.uint8), cv2.IMREAD_COLOR)
    for (x, y), colour in colours.items():
        at = upright[round((MARGIN + y) * SIDE), round((MARGIN + x) * SIDE)].astype(int)
        assert np.abs(at - colour).max() < 40


def test_flat_corners_give_no_picture():
    assert cut(frame(), ((10, 10), (20, 10), (30, 10), (40, 10))) is None


def test_pages_get_at_most_two_pictures_a_second_and_only_of_changes(table, see, clock):
    view = see("red-1", jpeg=frame(10)).view
    assert table.picture(view.picture) == frame(10) and view.scene.sequence == 1
    clock.now += HALF_A_SECOND - 1
    assert see("red-2", jpeg=frame(20)).view == view
    clock.now += 1
    second = see("red-2", jpeg=frame(30)).view
    assert table.picture(second.picture) == frame(30) and second.scene.sequence == 3
    clock.now += 10 * HALF_A_SECOND
    assert see("red-2", jpeg=frame(40)).view == second  # nothing changed
    for gray in range(50, 60):
        clock.now += HALF_A_SECOND
        last = see(f"red-{gray}", jpeg=frame(gray)).view
    assert table.picture(last.picture) == frame(59)
    assert table.picture(view.picture) is None  # old frames are not kept


@pytest.mark.parametrize(
    ("fields", "camera"),
    [
        ({}, "watching"),
        ({"read": True}, "reading"),
        ({"moving": True}, "waiting"),
        ({"hands": (Hand(((0, 0), (1, 0), (1, 1))),), "read": True}, "waiting"),
        ({"lost": "The camera {was} moved."}, "lost"),
    ],
)
def test_the_cameras_state_follows_from_the_scenes(table, see, fields, camera):
    assert table.snapshot().camera.camera == "none"
    status = see(**fields).camera
    assert status.camera == camera
    assert str(status.sentence)
    if camera == "lost":
        assert str(status.sentence) == "The camera {was} moved."


def test_a_lost_view_is_not_watched(table, start, see):
    table.ask(start)
    assert see("red-3", lost="It is dark.").state.sums["red"] == 0


def test_the_cameras_process_can_be_reported_lost(table, see, clock):
    clock.now = 5_000
    see()
    clock.now = 9_000
    table.status("lost", _("The camera stopped."))
    table.settle()
    status = table.snapshot().camera
    assert (status.camera, str(status.sentence)) == ("lost", "The camera stopped.")
    assert (status.since_ns, status.heard_ns) == (9_000, 5_000)
    assert table.pulse().camera_ns == 5_000
    clock.now = 9_500
    assert see().camera.camera == "watching"
    assert table.pulse().camera_ns == 9_500
    assert table.pulse().now_ns == 9_500


def test_of_scenes_that_wait_only_the_newest_is_looked_at(table, start):
    table.ask(start)
    seen = []

    class Slow:
        def start(self):
            return None

        def step(self, memory, scene, state):
            seen.append(scene.sequence)
            return None, ()

    table._owner.shelf._games["tally"] = GameKit(RULES, Slow())
    bell_rings = table._bell.ring
    table._bell.ring = lambda: None  # nobody is woken until the last scene lies there
    for sequence in range(1, 6):
        table.see(Scene(sequence, sequence, (8, 8)))
    table._bell.ring = bell_rings
    table.settle()
    assert seen == [5]


def test_notices_of_other_things_stand_until_they_are_taken_back(table):
    held, missing = _("It works."), _("Undo")
    table.notice("button seat-1", held)
    table.notice("button seat-2", missing)
    table.notice("button seat-1", held)
    table.settle()
    assert table.snapshot().notices == (held, missing)
    version = table.snapshot().version
    table.notice("button seat-1", None)
    table.notice("button seat-3", None)
    table.settle()
    assert table.snapshot().notices == (missing,)
    assert table.snapshot().version == version + 1
