"""A second referee, written naively from the rulebook with real cards in real stacks, must agree all game long."""

import random
from collections import deque

from hooked_table import HookedTable, seat_id
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.hooked.names import ACTIONS
from companion.games.hooked.stacks import deal

DECK = [n for n in range(1, 19) for _copy in range(3)] + [action for action in ACTIONS for _copy in range(2)]


class Referee:
    """Seats are 0, 1, ...; every stack's top card is its first."""

    def __init__(self, players, rng, both, stacks=None):
        deck = DECK[:]
        rng.shuffle(deck)
        sizes = stacks or deal(players, len(deck))
        self.n, self.both = players, both
        self.stacks = [deque(deck.pop() for _card in range(size)) for size in sizes]
        self.lake, self.under = [], []
        self.way, self.flipper, self.locked, self.out = 1, None, {}, set()
        self.over, self.winner = False, None

    def turn(self):
        seat = 0 if self.flipper is None else (self.flipper + self.way) % self.n
        while not self.stacks[seat]:
            seat = (seat + self.way) % self.n
        return seat

    def flip(self):
        seat = self.turn()
        card = self.stacks[seat].popleft()
        self.flipper = seat
        self.locked = {who: left - 1 for who, left in self.locked.items() if left > 1}
        self.lake.append(card)
        if card == "empty-hook":
            self.locked[seat] = 3
        if not self.right():
            self.look()
        return card

    def right(self):
        *below, top = self.lake
        if top == "empty-hook":
            return False
        if top in ACTIONS:
            return True
        before = below[-1] if below else None
        second = below[-2] if len(below) > 1 else None
        return top in (before, second) or (isinstance(before, int) and abs(before - top) == 1)

    def slaps(self, seats):
        """Seats slap one after the other. Afterwards the next card may be flipped."""
        if self.over:
            return
        if self.right():
            able = [seat for seat in seats if seat not in self.locked and seat not in self.out]
            if able:
                self.win(able[0])
        else:
            for seat in dict.fromkeys(seats):
                if seat not in self.locked and seat not in self.out:
                    self.wrong(seat)
        self.look()

    def look(self):
        stacks = [seat for seat in range(self.n) if self.stacks[seat]]
        if len(stacks) <= 1:
            self.over, self.winner = True, stacks[0] if stacks else None

    def win(self, seat):
        top = self.lake[-1]
        self.stacks[seat].extend(self.lake + self.under)
        self.lake, self.under = [], []
        for other in range(self.n):
            if other != seat and self.stacks[other]:
                if top == "catch-and-release":
                    self.under.append(self.stacks[other].popleft())
                if top == "net-cast":
                    self.stacks[seat].append(self.stacks[other].popleft())
        if top == "current-shift":
            self.way = -self.way

    def wrong(self, seat):
        hook = self.lake[-1] == "empty-hook"
        if hook:
            self.locked[seat] = 3
        if hook and not (self.both and self.stacks[seat]):
            return
        if not self.stacks[seat]:
            self.out.add(seat)
        for _card in range(min(2, len(self.stacks[seat]))):
            self.under.append(self.stacks[seat].popleft())


@settings(max_examples=25)
@given(st.integers(2, 6), st.integers(0, 2**32), st.booleans(), st.booleans())
def test_two_referees_agree(players, seed, both, short):
    rng = random.Random(seed)
    stacks = [rng.randint(1, 6) for _seat in range(players)] if short else None
    options = {"stacks": stacks} if short else {}
    table = HookedTable(players, empty_hook="both" if both else "locks", **options)
    referee = Referee(players, rng, both, stacks)
    for _flip in range(60):
        card = referee.flip()
        table.flip(card)
        right = referee.right()
        pressing = [seat for seat in range(players) if rng.random() < (0.5 if right else 0.12)]
        rng.shuffle(pressing)
        for place, seat in enumerate(pressing):
            table.press(seat + 1, 250 + 20 * place)
        referee.slaps(pressing)
        while {"end", "unslapped"} & set(table.kinds()):
            table.answer("over" if "end" in table.kinds() else "nobody")
        assert table.kinds() == []
        state = table.state
        assert table.stacks() == tuple(map(len, referee.stacks))
        assert len(state.lake) == len(referee.lake)
        assert state.under == len(referee.under)
        assert state.direction == referee.way
        assert state.locks == tuple(sorted((seat_id(seat + 1), left) for seat, left in referee.locked.items()))
        assert set(state.out) == {seat_id(seat + 1) for seat in referee.out}
        assert state.over == referee.over
        if referee.over:
            assert state.winner == (None if referee.winner is None else seat_id(referee.winner + 1))
            break
        assert state.turn == seat_id(referee.turn() + 1)
