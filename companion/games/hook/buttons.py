"""Slap buttons in Hook!: the Compass holder's gives the starting signal; a Black Pirate's shooter chooses with his own.

Pure: ``step(memory, moment, presses, now_ns)`` gives the next memory and what is to be done. Each press of the shooter
goes on to the next player; who is lit when the shooter holds the button is hit. No race is judged here, so that a press
counts when its contact has come to rest. A release whose report is lost comes as the level that the hardware finds
instead, well before a hold would count.

    memory, effects = step(Memory(), moment(state, doubts), presses, now_ns)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

from companion.core.facts import Doubt
from companion.games.hook.state import State
from companion.world import Press

HOLD_NS = 800_000_000
"""A button that is down for so long is held."""
REST_NS = 20_000_000
"""A contact without an edge for so long has come to rest."""


class Aim(msgspec.Struct, frozen=True):
    """A Black Pirate's open question: who chooses, among whom, in the order in which they are gone through."""

    doubt: int
    shooter: str
    options: tuple[str, ...]


class Moment(msgspec.Struct, frozen=True):
    """What buttons can be pressed for now. ``caller`` has the Compass while the round has not begun."""

    caller: str | None = None
    aim: Aim | None = None


class Hand(msgspec.Struct, frozen=True):
    """One button: its last edge and the first of that train, and since when it is down (None: it is up).

    ``spent``: what this press was for has happened.
    """

    seat: str
    level: int = 0
    edge_ns: int = 0
    first_ns: int = 0
    down_ns: int | None = None
    spent: bool = False


class Memory(msgspec.Struct, frozen=True):
    """The buttons, and who is lit for which question (nobody: empty)."""

    hands: tuple[Hand, ...] = ()
    doubt: int | None = None
    lit: str = ""

    @property
    def busy(self) -> bool:
        """Whether time alone can make something happen: a contact comes to rest, or a button is held."""
        return any((hand.level == 1) != (hand.down_ns is not None) or hand.down_ns is not None for hand in self.hands)


class Started(msgspec.Struct, frozen=True, tag=True):
    """The Compass holder calls: on your planks, get set, go!"""


class Lit(msgspec.Struct, frozen=True, tag=True):
    """This player is the one who would be hit; None: nothing is being chosen any more."""

    seat: str | None


class Chosen(msgspec.Struct, frozen=True, tag=True):
    """The shooter has held the button."""

    doubt: int
    seat: str
    by: str


Effect = Started | Lit | Chosen
Event = tuple[Literal["down", "tap", "hold"], str]


def moment(state: State, doubts: Iterable[Doubt]) -> Moment:
    """What buttons can be pressed for in a state of the match, with its open doubts."""
    if state.over:
        return Moment()
    doubt = next((d for d in doubts if d.question.kind == "victim" and d.question.seat is not None), None)
    if doubt is not None:
        values = [choice.value for choice in doubt.question.choices]
        shooter = str(doubt.question.seat)
        others = [value for value in values if value != shooter]
        return Moment(aim=Aim(doubt.id, shooter, (*others, *(value for value in values if value == shooter))))
    return Moment(caller=None if state.now.turned_up else state.now.begin.compass)


def seat_of(button: str, seats: Sequence[str]) -> str | None:
    """Whose button it is: that of a character, or that of a place, counted clockwise from who sits first."""
    if button in seats:
        return button
    word, _dash, number = button.partition("-")
    place = int(number) if word == "seat" and number.isdecimal() else 0
    return seats[place - 1] if 1 <= place <= len(seats) else None


def step(memory: Memory, now: Moment, presses: Sequence[Press], now_ns: int) -> tuple[Memory, tuple[Effect, ...]]:
    """What raw edges (of the players' seats) and the time that has passed make happen."""
    effects: list[Effect] = []
    doubt = now.aim.doubt if now.aim is not None else None
    if doubt != memory.doubt:
        # A button that is down already was not pressed for this question.
        down = [hand.level == 1 or hand.down_ns is not None for hand in memory.hands]
        old = zip(memory.hands, down, strict=True)
        memory = Memory(tuple(msgspec.structs.replace(hand, spent=hand.spent or held) for hand, held in old), doubt)
        effects += [Lit(None)] if now.aim is None else []
    lit = memory.lit
    if now.aim is not None and lit not in now.aim.options:  # a new question, or who was lit is out of it
        lit = now.aim.options[0]
        effects.append(Lit(lit))
    hands = {hand.seat: hand for hand in memory.hands}
    events: list[Event] = []
    for press in sorted(presses, key=lambda press: press.t_ns):
        hand = hands.get(press.seat, Hand(press.seat))
        hand, happened = _rested(hand, press.t_ns)
        events += happened
        hands[press.seat] = _edge(hand, press)
    for seat, hand in hands.items():
        hands[seat], happened = _rested(hand, now_ns)
        events += happened
    for what, seat in events:
        aim = now.aim
        if aim is None:
            effects += [Started()] if what == "down" and seat == now.caller else []
        elif seat == aim.shooter and what == "tap":
            lit = aim.options[(aim.options.index(lit) + 1) % len(aim.options)]
            effects.append(Lit(lit))
        elif seat == aim.shooter and what == "hold":
            effects.append(Chosen(aim.doubt, lit, seat))
    return Memory(tuple(hands.values()), doubt, lit), tuple(effects)


def _edge(hand: Hand, press: Press) -> Hand:
    if press.t_ns < hand.edge_ns:  # told late: the contact has changed since
        return hand
    first = hand.first_ns if press.t_ns - hand.edge_ns < REST_NS else press.t_ns
    return msgspec.structs.replace(hand, level=press.level, edge_ns=press.t_ns, first_ns=first)


def _rested(hand: Hand, now_ns: int) -> tuple[Hand, list[Event]]:
    """The button at a moment before which it has no other edge, and what it has done until then."""
    events: list[Event] = []
    if now_ns - hand.edge_ns >= REST_NS:
        if hand.level and hand.down_ns is None:
            hand = msgspec.structs.replace(hand, down_ns=hand.first_ns)
            if not hand.spent:
                events.append(("down", hand.seat))
        if not hand.level and hand.down_ns is not None:
            if not hand.spent:
                events.append(("hold" if hand.first_ns - hand.down_ns >= HOLD_NS else "tap", hand.seat))
            return msgspec.structs.replace(hand, down_ns=None, spent=False), events
        if not hand.level and hand.spent:
            hand = msgspec.structs.replace(hand, spent=False)
    if hand.level and hand.down_ns is not None and not hand.spent and now_ns - hand.down_ns >= HOLD_NS:
        hand = msgspec.structs.replace(hand, spent=True)
        events.append(("hold", hand.seat))
    return hand, events
