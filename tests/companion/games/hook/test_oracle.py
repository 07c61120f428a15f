"""Whole games against a second, plain telling of the rulebook that shares no code with the first."""

from __future__ import annotations

from hook_table import HookTable
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.hook.facts import Recount

PEOPLE = ["red-pirate", "yellow-pirate", "blue-pirate", "red-sailor", "yellow-sailor", "blue-sailor"]
OFTEN = [*PEOPLE, *PEOPLE, "black-pirate", "black-pirate", "rum", "barrel", "bird-cage", "bomb", "parrot", "none"]


class Plain:
    """Cannonballs put on and taken off one by one, as people do it."""

    def __init__(self, seats, sides):
        self.seats, self.sides = list(seats), sides
        self.hits = dict.fromkeys(seats, 0)
        self.cards = {seat: [] for seat in seats}
        self.alive = list(seats)
        self.holder = seats[0]
        self.left = {3: 32, 4: 24, 5: 19, 6: 16}[len(seats)]
        self.winners = None

    def team(self, seat):
        colour, side = seat.split("-")
        return {"none": seat, "colour": colour, "sides": side}[self.sides]

    def round(self, sights, aims, printed):
        """``sights``: three symbols a seat; ``aims``: the victims of its Black Pirates in order."""
        hidden = {s for s in self.alive if "barrel" in sights[s] or "bird-cage" in sights[s]}
        got, drunk = dict.fromkeys(self.seats, 0), dict.fromkeys(self.seats, 0)
        for shooter in self.alive:
            black = list(aims[shooter])
            for symbol in sights[shooter]:
                target = black.pop(0) if symbol == "black-pirate" else symbol
                if symbol == "bomb":
                    for everyone in self.alive:
                        got[everyone] += 1
                elif symbol == "rum":
                    drunk[shooter] += 1
                elif target in self.alive and (target == shooter or target not in hidden):
                    got[target] += 1
        for seat in self.alive:
            if "parrot" in sights[seat] and "bomb" not in sights[seat]:
                self.cards[seat].append(printed[seat])
            self.hits[seat] = max(0, self.hits[seat] + got[seat] - drunk[seat])
        for seat in list(self.alive):
            if self.hits[seat] >= 9:
                self.hits[seat] = 9
                self.alive.remove(seat)
                self.cards[seat] = []
        self.left -= 1
        if self.alive:
            at = self.seats.index(self.holder)
            order = self.seats[at + 1 :] + self.seats[: at + 1]
            self.holder = next(seat for seat in order if seat in self.alive)
        self.end()

    def end(self):
        teams = {self.team(seat) for seat in self.alive}
        if len(teams) > 1 and self.left:
            return
        if len(teams) > 1:
            best = max(self.score(team) for team in teams)
            teams = {team for team in teams if self.score(team) == best}
        self.winners = {seat for seat in self.seats if self.team(seat) in teams}

    def score(self, team):
        mine = [card for seat in self.alive if self.team(seat) == team for card in self.cards[seat]]
        return sum(mine), len(mine)


@st.composite
def parties(draw):
    kind = draw(st.sampled_from(["none", "none", "colour", "sides"]))
    if kind == "none":
        return draw(st.lists(st.sampled_from(PEOPLE), min_size=3, max_size=6, unique=True)), kind
    if draw(st.booleans()):
        return draw(st.permutations(PEOPLE)), kind
    if kind == "colour":
        colours = draw(st.lists(st.sampled_from(["red", "yellow", "blue"]), min_size=2, max_size=2, unique=True))
        return draw(st.permutations([f"{c}-{s}" for c in colours for s in ("pirate", "sailor")])), kind
    pirates = draw(st.lists(st.sampled_from(PEOPLE[:3]), min_size=2, max_size=2, unique=True))
    sailors = draw(st.lists(st.sampled_from(PEOPLE[3:]), min_size=2, max_size=2, unique=True))
    return draw(st.permutations(pirates + sailors)), kind


@settings(max_examples=80)
@given(parties(), st.randoms(use_true_random=False), st.integers(1, 12))
def test_whole_games_agree(party, random, most):
    seats, kind = party
    plain = Plain(seats, kind)
    table = HookTable(*seats, teams=kind)
    if most < plain.left:  # a short game, so that both endings are met
        table.do(Recount(stacks=dict.fromkeys(seats, most)))
        plain.left = most
    while plain.winners is None:
        alive = list(plain.alive)
        sights = {seat: [random.choice(OFTEN) for _ in range(3)] for seat in alive}
        aims = {seat: [random.choice(alive) for _ in range(sights[seat].count("black-pirate"))] for seat in alive}
        printed = {seat: max(random.randint(1, 4), sights[seat].count("parrot")) for seat in alive}
        for seat in random.sample(alive, len(alive)):
            table.place(seat, *sights[seat], parrots=printed[seat])
        to_choose = {seat: list(aims[seat]) for seat in alive}
        while table.kinds():
            table.answer(to_choose[table.ask("victim").seat].pop(0))
        plain.round(sights, aims, printed)
        state = table.state
        assert {s.seat: s.balls for s in state.seats} == plain.hits
        assert {s.seat for s in state.seats if s.out is None} == set(plain.alive)
        assert {s.seat: (s.parrots, s.won) for s in state.seats} == {
            seat: (sum(cards), len(cards)) for seat, cards in plain.cards.items()
        }
        assert state.over == (plain.winners is not None)
        if plain.alive:
            assert state.compass == plain.holder
        assert table.accounted() == 96
        if not state.over:
            table.next()
    assert set(table.state.winners) == plain.winners
