"""Mailboxes: newest wins, or every one in order; the bell wakes their owner."""

import threading

from companion.core.mailbox import Bell, Every, Newest


def test_the_newest_letter_takes_the_place_of_the_one_before():
    box = Newest(Bell())
    assert box.take() is None
    box.put("a")
    box.put("b")
    assert box.take() == "b"
    assert box.take() is None


def test_every_letter_arrives_in_order():
    box = Every(Bell())
    assert box.take() == []
    for number in range(100):
        box.put(number)
    assert box.take() == list(range(100))
    assert box.take() == []


def test_rings_before_anyone_listens_are_heard_as_one():
    bell = Bell()
    assert not bell.wait(0)
    bell.ring()
    bell.ring()
    assert bell.wait(0)
    assert not bell.wait(0)


def test_nothing_is_lost_when_many_put_at_once():
    bell = Bell()
    box = Every(bell)

    def put(sender):
        for number in range(500):
            box.put((sender, number))

    senders = [threading.Thread(target=put, args=(sender,)) for sender in range(8)]
    for sender in senders:
        sender.start()
    taken = []
    while len(taken) < 8 * 500:
        assert bell.wait(10)
        taken += box.take()
    for sender in senders:
        sender.join()
    for sender in range(8):
        assert [number for who, number in taken if who == sender] == list(range(500))
