from __future__ import annotations

import struct
from pathlib import Path

import pytest

from vision.pictures import PictureRing


@pytest.fixture
def ring():
    ring = PictureRing(slots=3, capacity=100)
    yield ring
    ring.close()


def test_a_reader_gets_what_was_put_and_none_once_it_is_written_over(ring):
    reader = PictureRing(ring.name, slots=3, capacity=100)
    tickets = [ring.put(n, b"picture %d" % n) for n in range(5)]
    assert tickets == [1, 2, 3, 4, 5]
    assert [reader.get(ticket) for ticket in tickets] == [None, None, b"picture 2", b"picture 3", b"picture 4"]
    assert reader.get(0) is None and reader.get(99) is None
    reader.close()


def test_a_picture_that_is_too_large_is_left_out(ring):
    assert ring.put(1, b"x" * 101) == 0
    assert ring.get(0) is None
    assert ring.put(2, b"x" * 100) == 1


def test_a_picture_being_written_is_none(ring):
    ticket = ring.put(1, b"half")
    struct.pack_into("<Q", ring._bytes, ring._start(ticket), 2 * ticket + 1)
    assert ring.get(ticket) is None


def test_a_restarted_writer_goes_on_counting(ring):
    for n in range(4):
        ring.put(n, b"old")
    again = PictureRing(ring.name, slots=3, capacity=100)
    again.begin(again.last())
    assert again.put(9, b"new") == 5
    assert ring.get(5) == b"new"
    again.close()


def test_closing_leaves_nothing():
    ring = PictureRing(slots=2, capacity=10)
    file = Path("/dev/shm") / ring.name
    assert file.exists()
    ring.close()
    assert not file.exists()
